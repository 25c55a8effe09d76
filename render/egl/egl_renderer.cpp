#include "render/egl/egl_renderer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/base/stoppable_waits.h"
#include "core/base/told_progress.h"
#include "core/scene/slab_rays.h"
#include "render/color/color_scale.h"
#include "render/egl/egl_context.h"
#include "render/egl/gl_objects.h"
#include "render/egl/item_drawer.h"
#include "render/egl/ray_blend.h"
#include "render/view/picture_notes.h"
#include "render/view/pixel_parts.h"
#include "render/view/view_transform.h"

namespace farfield::egl {
namespace {

using color::Image;
using scene::Scene;
using scene::SceneItem;

// Pixels drawn at a time. An opaque pixel takes 32 bytes of target, one with layers or with rays, whose ends are looked for
// sample by sample, three times as many.
constexpr int kBandPixels = 1280 * 832, kLayeredBandPixels = kBandPixels / 2;

/// Of the work for a band, what is told once what is opaque is there, and of the rest with each layer.
constexpr double kOpaquePart = 0.1, kLayerPart = 0.15;

void checkScene(const Scene& scene) {
  for (const SceneItem& item : scene.items) {
    if (item.colored) {
      try {
        color::checkScale(item.scale);
      } catch (Error& error) {
        error.at(item.name);
        throw;
      }
    }
    if (!std::isfinite(item.opacity) || !std::isfinite(item.widthPixels))
      throw Invalid("opacity and width must be finite").at(item.name);
  }
}

// OpenGL delivers the lowest row first.
void flipRows(Image& image, int firstRow, int rows) {
  const std::size_t size = std::size_t(4) * image.width();
  for (int low = firstRow, high = firstRow + rows - 1; low < high; ++low, --high)
    std::swap_ranges(image.pixel(0, low), image.pixel(0, low) + size, image.pixel(0, high));
}

// Blending uses colours multiplied by their alpha; pictures hold them unmultiplied.
void divideByAlpha(Image& image) {
  const auto bytes = image.bytes();
  for (std::size_t i = 0; i < bytes.size(); i += 4) {
    const int alpha = bytes[i + 3];
    if (alpha == 0 || alpha == 255) continue;
    for (int c = 0; c < 3; ++c)
      bytes[i + c] = static_cast<std::uint8_t>(std::min(255, (bytes[i + c] * 255 + alpha / 2) / alpha));
  }
}

// As many as wanted, or as there are; 0 if there is only one per pixel.
int samplesOf(const EglOptions& options) {
  GLint colors = 0, depths = 0;
  glGetIntegerv(GL_MAX_COLOR_TEXTURE_SAMPLES, &colors);
  glGetIntegerv(GL_MAX_DEPTH_TEXTURE_SAMPLES, &depths);
  const int offered = std::min({options.samples, colors, depths});
  return offered >= 2 ? offered : 0;
}

void clear(const Target& target, const std::array<float, 4>& color, GLbitfield what) {
  glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer());
  glDepthMask(GL_TRUE);
  glClearColor(color[0], color[1], color[2], color[3]);
  glClearDepth(1);
  glClear(what);
}

struct Pixels {
  std::vector<float> depths;
  std::vector<std::uint8_t> colors;
};

/// From a target with colour and depth, the lowest row first. With several samples, the colour is their mean
/// and the depth that of one.
Pixels readPixels(const Target& target, const Band& band, int samples) {
  std::optional<Target> resolved;
  if (samples > 0) {
    resolved.emplace(band.width, band.rows, 0);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target.framebuffer());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, resolved->framebuffer());
    glBlitFramebuffer(0, 0, band.width, band.rows, 0, 0, band.width, band.rows,
                      GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT, GL_NEAREST);
  }
  glBindFramebuffer(GL_FRAMEBUFFER, resolved ? resolved->framebuffer() : target.framebuffer());
  Pixels pixels;
  pixels.depths.resize(static_cast<std::size_t>(band.width) * static_cast<std::size_t>(band.rows));
  pixels.colors.resize(4 * pixels.depths.size());
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glReadPixels(0, 0, band.width, band.rows, GL_DEPTH_COMPONENT, GL_FLOAT, pixels.depths.data());
  glReadPixels(0, 0, band.width, band.rows, GL_RGBA, GL_UNSIGNED_BYTE, pixels.colors.data());
  return pixels;
}

/// The set of slabs at the start of a picture.
class OneSet final : public scene::SlabGeometry {
 public:
  explicit OneSet(std::shared_ptr<const scene::SlabSet> set) : m_set(std::move(set)) {}
  std::shared_ptr<const scene::SlabSet> current() const override { return m_set; }

 private:
  std::shared_ptr<const scene::SlabSet> m_set;
};

/// Slabs as they are now, cut by who renders them: a volume, which rays draw exactly, however many there are and of how many axes.
void holdSlabs(SceneItem& item, const Scene& scene, int width, int height) {
  const scene::SlabAim aim{clippedLook(item, scene.clip), item.scale, scene.camera, width, height};
  if (const auto* const watched = dynamic_cast<const scene::WatchedSlabs*>(item.slabs.get())) {
    const scene::SlabsInView slabs = watched->await(aim, true, StoppableWaits::current());
    const Bounds bounds = watched->state().bounds;
    item.volume = std::make_shared<scene::StillSlabs>(
        slabs.best.set, slabs.beside.set, scene::besideWeight(bounds, scene.camera).weight, bounds);
    item.slabs = nullptr;
    return;
  }
  item.slabs->aim(aim);
  item.slabs = std::make_shared<OneSet>(item.slabs->current());
}

/// What stays the same while the picture is drawn: slabs as they are now, edges as items of their own, volumes cut as all else is.
Scene asDrawn(Scene scene, int width, int height) {
  std::vector<SceneItem> edges;
  for (SceneItem& item : scene.items) {
    if (item.slabs) holdSlabs(item, scene, width, height);
    if (item.volume) item.volumeLook = clippedLook(item, scene.clip);
    if (item.edges) edges.push_back(edgesOf(item));
  }
  scene.items.insert(scene.items.end(), edges.begin(), edges.end());
  return scene;
}

/// Tests, during its life, whether anything is drawn. Visiting geometry may throw, and a query that is not
/// ended would break later pictures.
class Counting {
 public:
  explicit Counting(GLuint query) { glBeginQuery(GL_ANY_SAMPLES_PASSED, query); }
  ~Counting() { glEndQuery(GL_ANY_SAMPLES_PASSED); }
  Counting(const Counting&) = delete;
  Counting& operator=(const Counting&) = delete;
};

}  // namespace

struct EglRenderer::State {
  EglContext context;

  // exists only while a context is current
  struct Tools {
    explicit Tools(const EglOptions& options) : samples(samplesOf(options)) {}
    ItemDrawer drawer;
    GlVertexArray empty = makeVertexArray();
    std::optional<Program> layer, sample, open;
    int samples;
    Peel peel = samples > 0 ? Peel::PerSample : Peel::PerPixel;
  };
  std::optional<Tools> tools;

  ~State() {
    try {
      const EglContext::Current current(context);
      tools.reset();
    } catch (const Error&) {
      // without a current context nothing can be deleted; the context frees everything
    }
  }

  void drawBand(const Scene& scene, const ViewTransform& view, const Band& band, bool layered, Image& image);
  void drawLayers(const Scene& scene, const ViewTransform& view, const Band& band, const Target& opaque,
                  RayBlend* rays);
  void copyLayer(GLuint from, const Target& onto, GLenum sourceFactor, GLenum targetFactor);
  OpenTiles openTiles(const Target& layer, const Target& opaque, const Band& band);
  RayEdges edgesOf(const Target& opaque, const Scene& scene, const ViewTransform& view, const Band& band);
};

void EglRenderer::State::copyLayer(GLuint from, const Target& onto, GLenum sourceFactor,
                                   GLenum targetFactor) {
  glBindFramebuffer(GL_FRAMEBUFFER, onto.framebuffer());
  glDisable(GL_DEPTH_TEST);
  glEnable(GL_BLEND);
  glBlendFunc(sourceFactor, targetFactor);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(tools->samples > 0 ? GL_TEXTURE_2D_MULTISAMPLE : GL_TEXTURE_2D, from);
  tools->layer->use();
  glUniform1i(tools->layer->uniform("layer"), 0);
  glBindVertexArray(tools->empty);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindVertexArray(0);
  glBindTexture(tools->samples > 0 ? GL_TEXTURE_2D_MULTISAMPLE : GL_TEXTURE_2D, 0);
  glDisable(GL_BLEND);
  glEnable(GL_DEPTH_TEST);
}

/// By the depths of a layer, which began with those of what is opaque.
OpenTiles EglRenderer::State::openTiles(const Target& layer, const Target& opaque, const Band& band) {
  if (!tools->open)
    tools->open.emplace(std::initializer_list<const char*>{"layer.vert", "open.frag"},
                        "#define PEEL " + std::to_string(static_cast<int>(tools->peel)));
  const GLenum kind = tools->samples > 0 ? GL_TEXTURE_2D_MULTISAMPLE : GL_TEXTURE_2D;
  const Target found(band.width, band.rows, 0, Target::Parts::Color);
  glBindFramebuffer(GL_FRAMEBUFFER, found.framebuffer());
  glDisable(GL_DEPTH_TEST);
  glActiveTexture(GL_TEXTURE1);
  glBindTexture(kind, opaque.depth());
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(kind, layer.depth());
  tools->open->use();
  glUniform1i(tools->open->uniform("layer"), 0);
  glUniform1i(tools->open->uniform("behind"), 1);
  if (tools->samples > 0) glUniform1i(tools->open->uniform("samples"), tools->samples);
  glBindVertexArray(tools->empty);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindVertexArray(0);
  glBindTexture(kind, 0);
  glActiveTexture(GL_TEXTURE1);
  glBindTexture(kind, 0);
  glActiveTexture(GL_TEXTURE0);
  glEnable(GL_DEPTH_TEST);
  std::vector<std::uint8_t> open(4 * static_cast<std::size_t>(band.width) *
                                 static_cast<std::size_t>(band.rows));
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glReadPixels(0, 0, band.width, band.rows, GL_RGBA, GL_UNSIGNED_BYTE, open.data());
  return {open, band.width, band.rows};
}

RayEdges EglRenderer::State::edgesOf(const Target& opaque, const Scene& scene, const ViewTransform& view,
                                     const Band& band) {
  if (tools->samples == 0 || std::all_of(scene.items.begin(), scene.items.end(), view::isTransparent))
    return {};
  if (!tools->sample)
    tools->sample.emplace(std::initializer_list<const char*>{"layer.vert", "sample.frag"}, "");
  const auto samples = static_cast<std::size_t>(tools->samples);
  const Target copy(band.width, band.rows, 0);
  std::vector<Pixels> all;
  for (std::size_t number = 0; number < samples; ++number) {
    glBindFramebuffer(GL_FRAMEBUFFER, copy.framebuffer());
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_ALWAYS);
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, opaque.depth());
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, opaque.color());
    tools->sample->use();
    glUniform1i(tools->sample->uniform("colors"), 0);
    glUniform1i(tools->sample->uniform("depths"), 1);
    glUniform1i(tools->sample->uniform("number"), static_cast<GLint>(number));
    glBindVertexArray(tools->empty);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    all.push_back(readPixels(copy, band, 0));
  }
  glBindVertexArray(0);
  glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, 0);
  glActiveTexture(GL_TEXTURE1);
  glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, 0);
  glActiveTexture(GL_TEXTURE0);
  glDepthFunc(GL_LESS);

  const std::size_t pixels = all[0].depths.size();
  RayEdges edges;
  std::vector<float> depths(samples);
  const double gap = view::gapOf(scene.bounds);
  for (std::size_t n = 0; n < pixels; ++n) {
    for (std::size_t k = 0; k < samples; ++k) depths[k] = all[k].depths[n];
    const int x = static_cast<int>(n) % band.width,
              y = band.firstRow + band.rows - 1 - static_cast<int>(n) / band.width;
    const view::PixelParts parts = view::partsOf(depths, view, x, y, gap);
    if (parts.samples == 0) continue;
    if (edges.color.empty()) {
      edges.color.resize(4 * pixels);
      edges.near.resize(pixels);
      edges.far.resize(pixels);
    }
    edges.near[n] = parts.near;
    edges.far[n] = parts.far;
    for (std::size_t k = 0; k < samples; ++k)
      for (std::size_t c = 0; c < 4 && (parts.samples >> k & 1); ++c)
        edges.color[4 * n + c] +=
            static_cast<float>(all[k].colors[4 * n + c]) / (255 * static_cast<float>(samples));
  }
  return edges;
}

// Front to back: each layer goes under those collected so far, and all of them over the opaque picture; with
// `rays`, which blend them with volumes, under those.
void EglRenderer::State::drawLayers(const Scene& scene, const ViewTransform& view, const Band& band,
                                    const Target& opaque, RayBlend* rays) {
  if (!tools->layer) {
    std::string defines = "#define PEEL " + std::to_string(static_cast<int>(tools->peel));
    if (tools->peel == Peel::PerSample) defines = "#extension GL_ARB_sample_shading : require\n" + defines;
    tools->layer.emplace(std::initializer_list<const char*>{"layer.vert", "layer.frag"}, defines);
  }
  const int samples = tools->samples;
  const Target collected(band.width, band.rows, samples, Target::Parts::Color);
  Target layer(band.width, band.rows, samples), before(band.width, band.rows, samples, Target::Parts::Depth);
  const std::array<float, 4> nothing{0, 0, 0, 0};
  clear(collected, nothing, GL_COLOR_BUFFER_BIT);
  // nothing has been peeled yet: everything lies behind depth 0
  glBindFramebuffer(GL_FRAMEBUFFER, before.framebuffer());
  glClearDepth(0);
  glClear(GL_DEPTH_BUFFER_BIT);

  const GlQuery query = makeQuery();
  const GLenum kind = samples > 0 ? GL_TEXTURE_2D_MULTISAMPLE : GL_TEXTURE_2D;
  GLuint drawn = 1;
  std::optional<OpenTiles> open;
  for (int number = 0; number < kMostLayers && drawn; ++number) {
    clear(layer, nothing, GL_COLOR_BUFFER_BIT);
    // opaque geometry hides what is behind it: the layer begins with its depths
    glBindFramebuffer(GL_READ_FRAMEBUFFER, opaque.framebuffer());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, layer.framebuffer());
    glBlitFramebuffer(0, 0, band.width, band.rows, 0, 0, band.width, band.rows, GL_DEPTH_BUFFER_BIT,
                      GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, layer.framebuffer());
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(kind, before.depth());
    {
      const Counting counting(query);
      for (const SceneItem& item : scene.items)
        if (view::isTransparent(item))
          tools->drawer.draw(item, view, band, tools->peel, open ? &*open : nullptr);
    }
    glGetQueryObjectuiv(query, GL_QUERY_RESULT, &drawn);
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(kind, 0);
    if (drawn && rays) {
      const Pixels pixels = readPixels(layer, band, samples);
      rays->addLayer(pixels.depths, pixels.colors);
    } else if (drawn) {
      copyLayer(layer.color(), collected, GL_ONE_MINUS_DST_ALPHA, GL_ONE);
    }
    // Of few layers it is not worth looking.
    if (drawn && number > 0 && number + 1 < kMostLayers) open.emplace(openTiles(layer, opaque, band));
    layer.swapDepth(before);
    // How many follow is not known.
    ToldProgress::tell(1 - (1 - kOpaquePart) * std::pow(1 - kLayerPart, number + 1));
  }
  if (!rays) copyLayer(collected.color(), opaque, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
}

void EglRenderer::State::drawBand(const Scene& scene, const ViewTransform& view, const Band& band,
                                  bool layered, Image& image) {
  const Target target(band.width, band.rows, tools->samples);
  glViewport(0, 0, band.width, band.rows);
  const auto& [r, g, b, a] = scene.background;
  clear(target, {r * a, g * a, b * a, a}, GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LESS);
  glEnable(GL_DEPTH_CLAMP);
  glDisable(GL_CULL_FACE);
  glDisable(GL_BLEND);
  for (const SceneItem& item : scene.items)
    if (!view::isTransparent(item)) tools->drawer.draw(item, view, band, Peel::Off);
  if (layered) ToldProgress::tell(kOpaquePart);
  std::optional<RayBlend> rays;
  if (RayBlend::isNeeded(scene)) rays.emplace(scene, view, static_cast<int>(image.height()), band);
  if (layered) drawLayers(scene, view, band, target, rays ? &*rays : nullptr);

  const auto read = [&](const Target& from) {
    glBindFramebuffer(GL_FRAMEBUFFER, from.framebuffer());
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glReadPixels(0, 0, band.width, band.rows, GL_RGBA, GL_UNSIGNED_BYTE, image.pixel(0, band.firstRow));
  };
  if (tools->samples == 0) {
    read(target);
  } else {
    const Target resolved(band.width, band.rows, 0, Target::Parts::Color);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target.framebuffer());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, resolved.framebuffer());
    glBlitFramebuffer(0, 0, band.width, band.rows, 0, 0, band.width, band.rows, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
    read(resolved);
  }
  if (rays) {
    const std::size_t row = std::size_t{4} * static_cast<std::size_t>(band.width);
    rays->finish(readPixels(target, band, tools->samples).depths, edgesOf(target, scene, view, band),
                 {image.pixel(0, band.firstRow), row * static_cast<std::size_t>(band.rows)});
  }
  if (const GLenum error = glGetError(); error != GL_NO_ERROR)
    throw Unsupported("the OpenGL driver failed with error " + std::to_string(error),
                      error == GL_OUT_OF_MEMORY ? "make the picture smaller" : "use a newer driver");
  flipRows(image, band.firstRow, band.rows);
}

EglRenderer::EglRenderer(EglOptions options) : m_state(std::make_unique<State>()) {
  const EglContext::Current current(m_state->context);
  m_state->tools.emplace(options);
}
EglRenderer::~EglRenderer() = default;

const std::string& EglRenderer::driver() const {
  return m_state->context.driver();
}

Image EglRenderer::render(const Scene& asked, int width, int height) {
  checkScene(asked);
  const Scene scene = asDrawn(asked, width, height);
  Image image(width, height);
  const ViewTransform view(scene, width, height);
  {
    const EglContext::Current current(m_state->context);
    m_state->tools->drawer.startPicture(view, width, height);
    m_state->tools->drawer.setClip(view::clipUniforms(scene.clip, view));
    m_state->tools->drawer.setOrder(scene.items);
    m_state->tools->drawer.setPhase(scene.phase);
    const bool layered = std::any_of(scene.items.begin(), scene.items.end(), view::isTransparent);
    const bool small = layered || RayBlend::isNeeded(scene);
    const int rows = std::clamp((small ? kLayeredBandPixels : kBandPixels) / width, 1, height);
    for (int first = 0; first < height; first += rows) {
      const int end = std::min(first + rows, height);
      const ToldProgress ofBand(static_cast<double>(first) / height, static_cast<double>(end) / height);
      m_state->drawBand(scene, view, {width, first, end - first}, layered, image);
      ToldProgress::tell(1);
    }
  }
  if (scene.background[3] < 1) divideByAlpha(image);
  view::writeNotes(image, scene);
  return image;
}

}  // namespace farfield::egl
