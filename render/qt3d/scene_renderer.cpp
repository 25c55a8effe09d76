#include "render/qt3d/scene_renderer.h"

#include <QElapsedTimer>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <Qt3DCore/QAspectEngine>
#include <Qt3DCore/QCoreAspect>
#include <Qt3DRender/QRenderAspect>
#include <Qt3DRender/QRenderSettings>
#include <algorithm>

#include "core/base/error.h"
#include "render/qt3d/frame_graph.h"
#include "render/qt3d/surface_format.h"
#include "render/view/view_transform.h"

namespace farfield::qt3d {
namespace {

// Time without changes before more detail is drawn, and before all of it is.
constexpr int kRestingMs = 160, kStillMs = 900;
// Pictures that would take very long wait until nothing has changed for about so long, then twice that and so
// on.
constexpr int kPatienceMs = 1000;
constexpr double kMostPatience = 8;
// full-size targets of many samples would take hundreds of megabytes on large screens
constexpr double kMostSamples = 16e6;
// a picture needs one pass of the engine, and another in which Qt 3D delivers it; more after start-up
constexpr int kMostPasses = 12;

QMatrix4x4 asMatrix(const view::Matrix4& columns) {
  return QMatrix4x4(columns.data()).transposed();
}

/// Unpacks depths from the colours of resources/shaders/peel.glsl.
std::vector<float> depthsOf(const QImage& image) {
  const QImage packed = image.convertToFormat(QImage::Format_RGB32);
  std::vector<float> depths;
  depths.reserve(std::size_t(packed.width()) * std::size_t(packed.height()));
  for (int y = 0; y < packed.height(); ++y) {
    const auto* const row = reinterpret_cast<const QRgb*>(packed.constScanLine(y));
    for (int x = 0; x < packed.width(); ++x) depths.push_back(float(row[x] & 0xFFFFFFu) / 16777215.0f);
  }
  return depths;
}

QColor asColor(const scene::Rgba& color) {
  const float alpha = color[3];
  return QColor::fromRgbF(color[0] * alpha, color[1] * alpha, color[2] * alpha, alpha);
}

}  // namespace

struct SceneRenderer::Engine {
  explicit Engine(QObject* surface)
      : root(new Qt3DCore::QEntity),
        settings(new Qt3DRender::QRenderSettings),
        graph(root.get(), surface),
        effects(root.get()) {
    settings->setRenderPolicy(Qt3DRender::QRenderSettings::OnDemand);
    settings->setActiveFrameGraph(graph.top());
    root->addComponent(settings);
    engine.setRunMode(Qt3DCore::QAspectEngine::Manual);
    engine.registerAspect(new Qt3DCore::QCoreAspect);
    engine.registerAspect(new Qt3DRender::QRenderAspect);
    engine.setRootEntity(root);
  }
  ~Engine() {
    // the nodes must be deleted before the engine, so nothing else may hold them
    items.clear();
    root.reset();
    engine.setRootEntity({});
  }
  Qt3DCore::QEntityPtr root;
  Qt3DRender::QRenderSettings* settings;
  FrameGraph graph;
  Effects effects;
  std::map<QString, std::unique_ptr<ItemNode>> items;
  Qt3DCore::QAspectEngine engine;
};

SceneRenderer::SceneRenderer(std::unique_ptr<QOffscreenSurface> surface, int samples)
    : m_surface(surface.release()), m_samples(samples), m_settle(this) {
  m_surface->setParent(this);
  m_settle.setSingleShot(true);
  connect(&m_settle, &QTimer::timeout, this, &SceneRenderer::settle);
}

SceneRenderer::~SceneRenderer() = default;

// Qt 3D ends the program if it gets no context, so that is checked beforehand.
QString SceneRenderer::probe() {
  const QString advice =
      tr("The display or its driver offers no OpenGL 3.3. Install a driver (for example the package "
         "libgl1-mesa-dri), or set LIBGL_ALWAYS_SOFTWARE=1 to draw without the graphics card.");
  if (!m_surface || !m_surface->isValid()) return advice;
  QOpenGLContext context;
  context.setFormat(surfaceFormat());
  if (!context.create() || !context.makeCurrent(m_surface)) return advice;
  const bool suits = !context.isOpenGLES() && context.format().version() >= std::pair(3, 3);
  GLint most = 0;
  if (suits) {
    context.functions()->glGetIntegerv(0x910E /* GL_MAX_COLOR_TEXTURE_SAMPLES */, &most);
    m_samples = std::clamp(m_samples, 1, std::max(1, int(most)));
    const auto* const name = reinterpret_cast<const char*>(context.functions()->glGetString(GL_RENDERER));
    const QByteArray driver(name ? name : "");
    m_detail.setSoftware(driver.contains("llvmpipe") || driver.contains("softpipe") ||
                         driver.contains("swrast"));
  }
  context.doneCurrent();
  return suits ? QString() : advice;
}

void SceneRenderer::start() {
  m_problem = probe();
  if (!m_problem.isEmpty()) {
    emit failed(m_problem);
    return;
  }
  m_engine = std::make_unique<Engine>(m_surface);
  m_engine->graph.setDepthsWanted(m_depthsWanted);
  wantPicture();
}

void SceneRenderer::stop() {
  m_settle.stop();
  m_engine.reset();
}

void SceneRenderer::setView(const View& view) {
  bool first = false;
  {
    const std::lock_guard lock(m_mutex);
    m_next = view;
    first = !std::exchange(m_nextSet, true);
  }
  if (first)
    QMetaObject::invokeMethod(
        this, [this] { wantPicture(); }, Qt::QueuedConnection);
}

void SceneRenderer::setItem(const QString& id, const PreparedItemPtr& item, const Look& look) {
  if (!m_engine) return;
  try {
    auto node = std::make_unique<ItemNode>(m_engine->root.get(), m_engine->effects, m_engine->graph.layers(),
                                           item, look);
    m_engine->items[id] = std::move(node);
    m_new.push_back(id);
    wantPicture();
  } catch (const Error& error) {
    emit itemFailed(id, QString::fromUtf8(error.what()));
  }
}

void SceneRenderer::setLook(const QString& id, const Look& look) {
  if (!m_engine) return;
  const auto found = m_engine->items.find(id);
  if (found == m_engine->items.end() || found->second->look() == look) return;
  try {
    found->second->setLook(look);
    wantPicture();
  } catch (const Error& error) {
    emit itemFailed(id, QString::fromUtf8(error.what()));
  }
}

void SceneRenderer::removeItem(const QString& id) {
  if (!m_engine || m_engine->items.erase(id) == 0) return;
  std::erase(m_new, id);
  wantPicture();
}

void SceneRenderer::setDepthsWanted(bool wanted) {
  if (std::exchange(m_depthsWanted, wanted) == wanted || !m_engine) return;
  m_engine->graph.setDepthsWanted(wanted);
  if (wanted) wantPicture();
}

void SceneRenderer::capture(const std::function<void(const Frame&)>& done) {
  m_captures.push_back(done);
  if (m_engine) {
    wantPicture();
    return;
  }
  for (const auto& waiting : std::exchange(m_captures, {})) waiting(Frame{});
}

// Queued behind everything that waits for this thread: a dozen changes make one picture.
void SceneRenderer::wantPicture() {
  if (!m_engine || std::exchange(m_wanted, true)) return;
  QMetaObject::invokeMethod(
      this, [this] { drawNow(); }, Qt::QueuedConnection);
}

void SceneRenderer::takeView() {
  const std::lock_guard lock(m_mutex);
  if (std::exchange(m_nextSet, false)) m_view = m_next;
}

void SceneRenderer::drawNow() {
  m_wanted = false;
  if (!m_engine) return;
  takeView();
  std::size_t indices = 0;
  for (const auto& [id, node] : m_engine->items)
    if (node->isShown()) indices += std::size_t(node->item().indices.size()) / sizeof(std::uint32_t);
  m_detail.setWork(indices);
  m_rested = false;
  m_patience = 1;
  draw(m_captures.empty() ? m_view.heldLevel.value_or(m_detail.choose()) : 0);
}

// A picture cannot be abandoned, so long ones wait until no other has been requested recently.
void SceneRenderer::settle() {
  if (!m_engine || m_wanted) return;
  const std::optional<int> quick = m_rested ? std::nullopt : m_detail.restingLevel();
  const bool again = std::exchange(m_rested, true) && m_drawn <= m_detail.stillLevel(m_patience);
  if (!again) return draw(quick.value_or(m_detail.stillLevel(m_patience)));
  // all that has been drawn, and still nothing moves: a picture that takes longer disturbs no one
  if (m_drawn > 0 && m_patience < kMostPatience) {
    m_patience *= 2;
    m_settle.start(static_cast<int>(m_patience * kPatienceMs));
  }
}

void SceneRenderer::draw(int level) {
  if (m_view.pixels.isEmpty()) return;
  QElapsedTimer timer;
  timer.start();
  const Detail detail = DetailControl::detailOf(level);
  const double pixels = double(m_view.pixels.width()) * m_view.pixels.height();
  int samples = detail.smooth ? m_samples : 1;
  while (samples > 1 && samples * pixels > kMostSamples) samples /= 2;
  const QSize target(std::max(1, int(m_view.pixels.width() * detail.scale)),
                     std::max(1, int(m_view.pixels.height() * detail.scale)));

  scene::Scene scene;
  scene.camera = m_view.camera;
  scene.bounds = m_view.bounds;
  std::optional<view::ViewTransform> transform;
  try {
    transform.emplace(scene, target.width(), target.height());
  } catch (const Error&) {
    return;  // a camera without a direction; the widget does not send such
  }
  FrameGraph& graph = m_engine->graph;
  const bool veiled =
      m_depthsWanted && std::any_of(m_engine->items.begin(), m_engine->items.end(), [](const auto& item) {
        return item.second->isShown() && item.second->drawsTransparent();
      });
  graph.setVeilWanted(veiled);
  graph.setTarget(std::min(level, 2), target, samples);
  graph.setBackground(asColor(m_view.background));
  graph.setCamera(asMatrix(transform->modelView()), asMatrix(transform->projection(0, target.height())));
  m_engine->effects.setView(float(target.width()), float(target.height()), transform->orthographic(),
                            float(m_view.dashClock));
  m_engine->effects.setClip(view::clipUniforms(m_view.clip, *transform));
  for (const auto& [id, node] : m_engine->items) {
    node->setFrame(transform->frame());
    node->setDetail(m_view.widthScale, detail);
  }

  const std::unique_ptr<Qt3DRender::QRenderCaptureReply> reply(graph.capture());
  std::unique_ptr<Qt3DRender::QRenderCaptureReply> depths;
  std::unique_ptr<Qt3DRender::QRenderCaptureReply> veil, veilDepths;
  if (m_depthsWanted) depths.reset(graph.captureDepths());
  if (veiled) {
    veil.reset(graph.captureVeil());
    veilDepths.reset(graph.captureVeilDepths());
  }
  const auto complete = [&] {
    return reply->isComplete() && (!depths || depths->isComplete()) &&
           (!veiled || (veil->isComplete() && veilDepths->isComplete()));
  };
  for (int pass = 0; pass < kMostPasses && !complete(); ++pass) m_engine->engine.processFrame();
  if (!m_engine->effects.problem().isEmpty()) {
    m_problem = tr("The graphics driver does not take the shaders: %1").arg(m_engine->effects.problem());
    emit failed(m_problem);
    m_engine.reset();
    return;
  }
  Frame frame;
  // converted here, so that the thread of the user interface can copy it to the window as it is
  frame.image = reply->image().convertToFormat(m_view.background[3] < 1 ? QImage::Format_ARGB32_Premultiplied
                                                                        : QImage::Format_RGB32);
  if (frame.image.size() != m_view.pixels && !frame.image.isNull())
    frame.image = frame.image.scaled(m_view.pixels, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
  if (depths && depths->isComplete()) {
    frame.depthPixels = depths->image().size();
    frame.depths = depthsOf(depths->image());
    if (veiled && veil->isComplete() && veilDepths->isComplete()) {
      frame.veil = veil->image();
      // what was drawn is multiplied by its alpha, whatever the capture calls it
      if (frame.veil.format() == QImage::Format_ARGB32)
        frame.veil.reinterpretAsFormat(QImage::Format_ARGB32_Premultiplied);
      frame.veil = frame.veil.convertToFormat(QImage::Format_ARGB32_Premultiplied);
      if (frame.veil.size() != m_view.pixels)
        frame.veil = frame.veil.scaled(m_view.pixels, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
      frame.veilDepths = depthsOf(veilDepths->image());
    }
  }
  frame.view = m_view;
  frame.milliseconds = double(timer.nsecsElapsed()) * 1e-6;
  frame.shown = std::exchange(m_new, {});
  m_detail.record(level, frame.milliseconds);
  m_drawn = level;
  frame.full = level <= m_detail.stillLevel(m_patience);
  if (level == 0)
    m_settle.stop();
  else
    m_settle.start(!m_rested && m_detail.restingLevel() ? kRestingMs : kStillMs);
  if (level == 0)
    for (const auto& waiting : std::exchange(m_captures, {})) waiting(frame);
  emit frameReady(frame);
}

}  // namespace farfield::qt3d
