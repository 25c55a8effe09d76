#include "render/qt3d/shared_scene.h"

#include <QCoreApplication>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QThreadPool>
#include <Qt3DCore/QAspectEngine>
#include <Qt3DCore/QCoreAspect>
#include <Qt3DRender/QRenderAspect>
#include <Qt3DRender/QRenderSettings>
#include <algorithm>
#include <utility>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "core/base/niceness.h"
#include "render/qt3d/effects.h"
#include "render/qt3d/frame_graph.h"
#include "render/qt3d/item_node.h"
#include "render/qt3d/surface_format.h"

namespace farfield::qt3d {
namespace {

/// Between the window (0) and what computes.
constexpr int kDrawingNiceness = 3;
/// Views that move together want their pictures within this time.
constexpr qint64 kTogetherMs = 250;
constexpr int kRestMs = 1500;
/// Who works without a pause has no rest.
constexpr qint64 kGivenBackAtLatestMs = 5000;

}  // namespace

struct SharedScene::Engine {
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
    nodes.clear();
    root.reset();
    engine.setRootEntity({});
  }
  Qt3DCore::QEntityPtr root;
  Qt3DRender::QRenderSettings* settings;
  FrameGraph graph;
  Effects effects;
  std::map<const PreparedItem*, std::unique_ptr<ItemNode>> nodes;
  std::map<const PreparedItem*, int> uses;
  Qt3DCore::QAspectEngine engine;
};

SharedScene::SharedScene(int samples) : m_surface(new QOffscreenSurface(nullptr, this)), m_samples(samples) {
  m_surface->setFormat(surfaceFormat());
  m_surface->create();
  m_clock.start();
  m_rest.setSingleShot(true);
  m_rest.setInterval(kRestMs);
  connect(&m_rest, &QTimer::timeout, this, &SharedScene::giveBackMemory);
  if (!QOpenGLContext::supportsThreadedOpenGL()) return;
  moveToThread(&m_thread);  // and the surface, which is its child
  m_thread.setObjectName("viewport");
  m_thread.start();
  // Software drivers draw on threads that this one starts.
  QMetaObject::invokeMethod(
      this, [] { beNice(kDrawingNiceness); }, Qt::QueuedConnection);
}

SharedScene::~SharedScene() {
  runThere([this] {
    m_rest.stop();
    endEngine();
  });
  m_thread.quit();
  m_thread.wait();
}

void SharedScene::runThere(const std::function<void()>& call) {
  if (QThread::currentThread() == thread())
    call();
  else
    QMetaObject::invokeMethod(this, call, Qt::BlockingQueuedConnection);
}

// Qt 3D ends the program if it gets no context, so that is checked beforehand.
QString SharedScene::probe() {
  const QString advice =
      tr("The display or its driver offers no OpenGL 3.3. Install a driver (for example the package "
         "libgl1-mesa-dri), or set LIBGL_ALWAYS_SOFTWARE=1 to draw without the graphics card.");
  if (!m_surface->isValid()) return advice;
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
    m_software = driver.contains("llvmpipe") || driver.contains("softpipe") || driver.contains("swrast");
  }
  context.doneCurrent();
  return suits ? QString() : advice;
}

const QString& SharedScene::start() {
  if (m_engine || !m_problem.isEmpty()) return m_problem;
  m_problem = probe();
  if (!m_problem.isEmpty()) return m_problem;
  m_engine = std::make_unique<Engine>(m_surface);
  // Qt 3D has asked the application's thread for a surface by now. Calls come in their order.
  m_isOwed = std::make_shared<std::atomic<bool>>(true);
  QMetaObject::invokeMethod(
      QCoreApplication::instance(), [isOwed = m_isOwed] { *isOwed = false; }, Qt::QueuedConnection);
  return m_problem;
}

/// The call that makes that surface uses the engine, and cannot be taken back: an engine that ends before it is left behind, where it does
/// nothing.
void SharedScene::endEngine() {
  if (m_engine && m_isOwed && *m_isOwed)
    (void)m_engine.release();
  else
    m_engine.reset();
}

void SharedScene::fail(const QString& problem) {
  m_problem = problem;
  endEngine();
}

FrameGraph& SharedScene::graph() {
  return m_engine->graph;
}

Effects& SharedScene::effects() {
  return m_engine->effects;
}

void SharedScene::processFrame() {
  m_engine->engine.processFrame();
}

void SharedScene::hold(const PreparedItemPtr& item, const Look& look) {
  std::unique_ptr<ItemNode>& node = m_engine->nodes[item.get()];
  try {
    if (node)
      (void)m_engine->effects.colorMap(look.map);
    else
      node = std::make_unique<ItemNode>(m_engine->root.get(), m_engine->effects, m_engine->graph.layers(),
                                        item, look);
  } catch (...) {
    if (!node) m_engine->nodes.erase(item.get());
    throw;
  }
  ++m_engine->uses[item.get()];
}

void SharedScene::release(const PreparedItem* item) {
  const auto found = m_engine->uses.find(item);
  if (found == m_engine->uses.end() || --found->second > 0) return;
  m_engine->uses.erase(found);
  m_engine->nodes.erase(item);  // what may be the last to hold the item, so it comes last
}

const std::map<const PreparedItem*, std::unique_ptr<ItemNode>>& SharedScene::nodes() const {
  return m_engine->nodes;
}

void SharedScene::wanted(const void* by, bool byThemselves) {
  const qint64 now = m_clock.elapsed();
  if (!byThemselves) m_lastWanted = now;
  m_wantedBy[by] = now;
  std::erase_if(m_wantedBy, [now](const auto& each) { return each.second + kTogetherMs < now; });
}

qint64 SharedScene::sinceWanted(const void* by) const {
  const auto own = m_wantedBy.find(by);
  return m_clock.elapsed() - (own == m_wantedBy.end() ? m_lastWanted : std::max(m_lastWanted, own->second));
}

bool SharedScene::othersMove(const void* than) const {
  const qint64 now = m_clock.elapsed();
  return std::any_of(m_wantedBy.begin(), m_wantedBy.end(), [&](const auto& each) {
    return each.first != than && each.second + kTogetherMs >= now;
  });
}

int SharedScene::movingCount() const {
  const qint64 now = m_clock.elapsed();
  const auto count = std::count_if(m_wantedBy.begin(), m_wantedBy.end(),
                                   [now](const auto& each) { return each.second + kTogetherMs >= now; });
  return std::max(1, static_cast<int>(count));
}

void SharedScene::drawn() {
  m_rest.start();
  if (m_clock.elapsed() - m_lastGivenBack > kGivenBackAtLatestMs) giveBackMemory();
}

// Software drivers keep what they draw in small blocks between which the allocator finds no large ones to give back. Whoever frees
// something meanwhile waits for it, the application's thread too: it is done by a thread that comes before those that compute, and
// threads are as their starters are.
void SharedScene::giveBackMemory() {
#ifdef __GLIBC__
  m_lastGivenBack = m_clock.elapsed();
  QMetaObject::invokeMethod(
      QCoreApplication::instance(), [] { QThreadPool::globalInstance()->start([] { ::malloc_trim(0); }); },
      Qt::QueuedConnection);
#endif
}

}  // namespace farfield::qt3d
