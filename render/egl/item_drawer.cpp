#include "render/egl/item_drawer.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "core/base/stoppable_waits.h"
#include "render/color/color_map.h"

namespace farfield::egl {
namespace {

// locations in the shaders
constexpr GLuint kPosition = 0, kScalar = 1, kNormal = 2, kPhase = 3, kRadius = 5;
constexpr scene::Rgba kNoColor{0, 0, 0, -1};
constexpr std::size_t kIndicesPerDraw = 4096;
constexpr double kRoundedPixels = 2;
constexpr std::size_t kMostIndicesInFlight = 32'768;

void set(GLint uniform, const scene::Rgba& color) {
  glUniform4f(uniform, color[0], color[1], color[2], color[3]);
}

}  // namespace

ItemDrawer::ItemDrawer()
    : m_array(makeVertexArray()),
      m_vertexBuffer(makeBuffer()),
      m_normalBuffer(makeBuffer()),
      m_radiusBuffer(makeBuffer()),
      m_indexBuffer(makeBuffer()) {
  using view::Vertex;
  glBindVertexArray(m_array);
  const auto attribute = [](GLuint location, GLint count, std::size_t size, std::size_t offset) {
    glVertexAttribPointer(location, count, GL_FLOAT, GL_FALSE, static_cast<GLsizei>(size),
                          reinterpret_cast<const void*>(offset));
    glEnableVertexAttribArray(location);
  };
  glBindBuffer(GL_ARRAY_BUFFER, m_vertexBuffer);
  attribute(kPosition, 3, sizeof(Vertex), offsetof(Vertex, position));
  attribute(kScalar, 2, sizeof(Vertex), offsetof(Vertex, scalar));
  attribute(kPhase, 1, sizeof(Vertex), offsetof(Vertex, phase));
  glBindBuffer(GL_ARRAY_BUFFER, m_normalBuffer);
  attribute(kNormal, 3, sizeof(m_arrays.normals[0]), 0);
  glBindBuffer(GL_ARRAY_BUFFER, m_radiusBuffer);
  attribute(kRadius, 1, sizeof(float), 0);
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, m_indexBuffer);
  glBindVertexArray(0);
}

void ItemDrawer::setOrder(const std::vector<scene::SceneItem>& items) {
  m_orders.clear();
  std::vector<const scene::SceneItem*> surfaces;
  for (const scene::SceneItem& item : items)
    if ((item.triangles || item.slabs) && item.opacity > 0) surfaces.push_back(&item);
  for (std::size_t n = 0; n < surfaces.size(); ++n)
    m_orders[surfaces[n]] = view::surfaceOrder(n, surfaces.size());
}

void ItemDrawer::startPicture(const ViewTransform& view, int width, int height) {
  m_rows.emplace(view, width, height);
}

void ItemDrawer::draw(const scene::SceneItem& item, const ViewTransform& view, const Band& band, Peel peel,
                      const OpenTiles* tiles) {
  if (!(item.opacity > 0)) return;
  glBindVertexArray(m_array);
  glEnable(GL_PRIMITIVE_RESTART);
  glPrimitiveRestartIndex(view::kRestart);
  if (item.lines) {
    setUniforms(program(item.particles ? Part::Particles : Part::Lines, peel, view.isDeep()), item, view,
                band);
    // Beyond its middle a line is half as wide as it is, and more at turns; a particle reaches as far as its radius.
    TouchedRows rows{band.firstRow, band.rows, 2 * std::clamp(item.widthPixels, 0.5, 1000.0) + kRoundedPixels,
                     tiles};
    if (item.particles) rows.beside = std::numeric_limits<double>::infinity();
    std::size_t number = 0;
    item.lines->visit([&](const scene::LineChunk& chunk) {
      StoppableWaits::throwIfStopped();
      if (m_rows->touch(item.lines.get(), number++, chunk.points, rows)) drawLines(chunk, item, view, rows);
    });
  }
  if (item.triangles) {
    setUniforms(program(Part::Triangles, peel, view.isDeep()), item, view, band);
    const TouchedRows rows{band.firstRow, band.rows, kRoundedPixels, tiles};
    std::size_t number = 0;
    item.triangles->visit([&](const scene::TriangleChunk& chunk) {
      StoppableWaits::throwIfStopped();
      if (m_rows->touch(item.triangles.get(), number++, chunk.points, rows))
        drawTriangles(chunk, item, view, rows);
    });
  }
  if (const auto set = item.slabs ? item.slabs->current() : nullptr) {
    const Program& slabs = program(Part::Slabs, peel, view.isDeep());
    setUniforms(slabs, item, view, band);
    for (const scene::Slab& slab : set->slabs) drawSlab(slab, slabs, view);
  }
  glBindVertexArray(0);
}

const Program& ItemDrawer::program(Part part, Peel peel, bool deep) {
  const auto key = std::tuple(part, peel, deep);
  const auto found = m_programs.find(key);
  if (found != m_programs.end()) return found->second;
  std::string defines = "#define PEEL " + std::to_string(static_cast<int>(peel));
  if (peel == Peel::PerSample) defines = "#extension GL_ARB_sample_shading : require\n" + defines;
  if (deep) defines += "\n#define DEEP";
  Program made = part == Part::Lines ? Program({"line.vert", "line.geom", "line.frag"}, defines)
                 : part == Part::Particles
                     ? Program({"particle.vert", "particle.geom", "particle.frag"}, defines)
                 : part == Part::Triangles ? Program({"surface.vert", "surface.frag"}, defines)
                                           : Program({"surface.vert", "slab.frag"}, defines);
  return m_programs.emplace(key, std::move(made)).first->second;
}

void ItemDrawer::setUniforms(const Program& program, const scene::SceneItem& item, const ViewTransform& view,
                             const Band& band) {
  program.use();
  glUniformMatrix4fv(program.uniform("modelView"), 1, GL_FALSE, view.modelView().data());
  const view::Matrix4 projection = view.projection(band.firstRow, band.rows);
  glUniformMatrix4fv(program.uniform("projectionMatrix"), 1, GL_FALSE, projection.data());
  glUniform1i(program.uniform("orthographic"), view.orthographic());
  glUniform2f(program.uniform("deepDepths"), view.deepDepths()[0], view.deepDepths()[1]);
  const Vec3 scale = view.axisScale();
  glUniform3f(program.uniform("axisScale"), static_cast<float>(scale.x), static_cast<float>(scale.y),
              static_cast<float>(scale.z));
  glUniform2f(program.uniform("viewportPixels"), static_cast<float>(band.width),
              static_cast<float>(band.rows));
  glUniform1f(program.uniform("lineWidth"), static_cast<float>(std::clamp(item.widthPixels, 0.5, 1000.0)));
  glUniform1i(program.uniform("colored"), item.colored);
  set(program.uniform("itemColor"), item.color);
  set(program.uniform("nanColor"), item.scale.nanColor);
  set(program.uniform("belowColor"), item.scale.below.value_or(kNoColor));
  set(program.uniform("aboveColor"), item.scale.above.value_or(kNoColor));
  glUniform2f(program.uniform("placeChange"), 1, 0);
  glUniform1f(program.uniform("opacity"), static_cast<float>(std::min(item.opacity, 1.0)));
  glUniform1i(program.uniform("lighting"), static_cast<GLint>(item.lighting));
  glUniform1f(program.uniform("bandCount"), item.colored ? static_cast<float>(item.scale.map.bands) : 0);
  glUniform1i(program.uniform("bandLines"), item.scale.bandLines);
  glUniform1i(program.uniform("clipped"), item.clipped);
  const auto order = m_orders.find(&item);
  const auto [later, surfaces] = order == m_orders.end() ? view::SurfaceOrder{} : order->second;
  glUniform2f(program.uniform("surfaceOrder"), later, surfaces);
  const char* const kClips[] = {"clipFirst", "clipSecond", "clipThird"};
  for (std::size_t n = 0; n < m_clip.size(); ++n)
    glUniformMatrix4fv(program.uniform(kClips[n]), 1, GL_FALSE, m_clip[n].data());
  // Of chunks without normals the attribute is (0, 0, 0): not known.
  glUniform1i(program.uniform("onSurface"), true);
  glUniform1i(program.uniform("inTriangles"), item.inTriangles);
  glUniform1i(program.uniform("dashed"), item.dashed);
  glUniform1f(program.uniform("dashClock"), static_cast<float>(m_phase - std::floor(m_phase)));
  glUniform1i(program.uniform("colorMap"), 0);
  glUniform1i(program.uniform("peeledDepth"), 1);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, mapTexture(item.colored ? item.scale.map : scene::MapChoice("grey")));
}

GLuint ItemDrawer::mapTexture(const scene::MapChoice& choice) {
  const auto found = m_maps.find(choice);
  if (found != m_maps.end()) return found->second;
  const color::ColorMap map = color::ColorMap::of(choice);
  GlTexture texture = makeTexture();
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, texture);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, color::ColorMap::kEntries, 1, 0, GL_RGB, GL_UNSIGNED_BYTE,
               map.table().data());
  for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
    glTexParameteri(GL_TEXTURE_2D, filter, GL_LINEAR);
  for (const GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
    glTexParameteri(GL_TEXTURE_2D, wrap, GL_CLAMP_TO_EDGE);
  return m_maps.emplace(choice, std::move(texture)).first->second;
}

void ItemDrawer::upload() {
  const auto fill = [](GLenum target, GLuint buffer, const auto& values) {
    glBindBuffer(target, buffer);
    glBufferData(target, GLsizeiptr(values.size() * sizeof(values[0])), values.data(), GL_STREAM_DRAW);
  };
  fill(GL_ARRAY_BUFFER, m_vertexBuffer, m_arrays.vertices);
  fill(GL_ELEMENT_ARRAY_BUFFER, m_indexBuffer, m_arrays.indices);
  const auto fillIfAny = [&](GLuint location, GLuint buffer, const auto& values) {
    if (values.empty()) return glDisableVertexAttribArray(location);
    fill(GL_ARRAY_BUFFER, buffer, values);
    glEnableVertexAttribArray(location);
  };
  fillIfAny(kNormal, m_normalBuffer, m_arrays.normals);
  fillIfAny(kRadius, m_radiusBuffer, m_arrays.radii);
}

// A driver may collect draw calls, with their buffers, for as long as it likes; Mesa's software driver
// collects all of a picture. Waiting now and then limits that.
void ItemDrawer::limitInFlight(std::size_t indices) {
  m_indicesInFlight += indices;
  if (m_indicesInFlight < kMostIndicesInFlight) return;
  glFinish();
  m_indicesInFlight = 0;
}

void ItemDrawer::drawLines(const scene::LineChunk& chunk, const scene::SceneItem& item,
                           const ViewTransform& view, const TouchedRows& rows) {
  m_arrays.set(chunk, item, view.frame());
  m_rows->keepLines(m_arrays, rows);
  const auto& indices = m_arrays.indices;
  if (indices.empty()) return;
  upload();
  // A software driver keeps the ribbons of a whole draw call, twenty times the size of the lines. Strips may
  // be cut anywhere: a part that begins with the last three indices of the one before continues it.
  for (std::size_t from = 0; from + 3 < indices.size(); from += kIndicesPerDraw - 3) {
    const std::size_t count = std::min(kIndicesPerDraw, indices.size() - from);
    glDrawElements(GL_LINE_STRIP_ADJACENCY, static_cast<GLsizei>(count), GL_UNSIGNED_INT,
                   reinterpret_cast<const void*>(from * sizeof(std::uint32_t)));
    limitInFlight(count);
  }
}

void ItemDrawer::drawTriangles(const scene::TriangleChunk& chunk, const scene::SceneItem& item,
                               const ViewTransform& view, const TouchedRows& rows) {
  m_arrays.set(chunk, item, view.frame());
  m_rows->keepTriangles(m_arrays, rows);
  if (m_arrays.indices.empty()) return;
  upload();
  glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(m_arrays.indices.size()), GL_UNSIGNED_INT, nullptr);
  limitInFlight(m_arrays.indices.size());
}

GLuint ItemDrawer::pictureTexture(const std::shared_ptr<const scene::SlabImage>& image) {
  std::erase_if(m_pictures, [](const Picture& each) { return each.image.expired(); });
  for (const Picture& each : m_pictures)
    if (each.image.lock() == image) return each.texture;
  GlTexture texture = makeTexture();
  glBindTexture(GL_TEXTURE_2D, texture);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  const bool fine = image->valueBytes == 2;
  glTexImage2D(GL_TEXTURE_2D, 0, fine ? GL_RGBA16 : GL_RGBA8, image->width, image->height, 0, GL_RGBA,
               fine ? GL_UNSIGNED_SHORT : GL_UNSIGNED_BYTE, image->rgba.data());
  for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
    glTexParameteri(GL_TEXTURE_2D, filter, GL_LINEAR);
  for (const GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
    glTexParameteri(GL_TEXTURE_2D, wrap, GL_CLAMP_TO_EDGE);
  m_pictures.push_back({image, std::move(texture)});
  return m_pictures.back().texture;
}

void ItemDrawer::drawSlab(const scene::Slab& slab, const Program& program, const ViewTransform& view) {
  view::checkSlab(slab);
  m_arrays.vertices.clear();
  m_arrays.normals.clear();
  m_arrays.radii.clear();
  m_arrays.indices.clear();
  for (std::size_t n = 0; n < slab.points.size(); ++n) {
    const Vec3& point = slab.points[n];
    m_arrays.vertices.push_back(
        {view.frame().local(point.x, point.y, point.z), slab.places[n], view::kNoTexture});
  }
  for (const auto& triangle : slab.triangles)
    m_arrays.indices.insert(m_arrays.indices.end(), triangle.begin(), triangle.end());
  if (m_arrays.indices.empty()) return;
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, pictureTexture(slab.image));
  glUniform1i(program.uniform("picture"), 0);
  upload();
  glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(m_arrays.indices.size()), GL_UNSIGNED_INT, nullptr);
  limitInFlight(m_arrays.indices.size());
}

}  // namespace farfield::egl
