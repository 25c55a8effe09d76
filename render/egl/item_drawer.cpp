#include "render/egl/item_drawer.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/base/error.h"
#include "render/color/color_map.h"
#include "render/color/color_scale.h"

namespace farfield::egl {
namespace {

constexpr std::uint32_t kRestart = 0xFFFFFFFF;
constexpr std::size_t kIndicesPerDraw = 4096;
constexpr std::size_t kMostIndicesInFlight = 32'768;
// Places on the map far outside of it all look the same; float must not overflow.
constexpr double kFarOutside = 1e6;

bool isFiniteVertex(const std::array<float, 3>& p) {
  return std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]);
}

void set(GLint uniform, const session::Rgba& color) {
  glUniform4f(uniform, color[0], color[1], color[2], color[3]);
}

}  // namespace

ItemDrawer::ItemDrawer()
    : m_array(makeVertexArray()), m_vertexBuffer(makeBuffer()), m_indexBuffer(makeBuffer()) {
  glBindVertexArray(m_array);
  glBindBuffer(GL_ARRAY_BUFFER, m_vertexBuffer);
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, m_indexBuffer);
  const auto attribute = [](GLuint location, GLint count, std::size_t offset) {
    glEnableVertexAttribArray(location);
    glVertexAttribPointer(location, count, GL_FLOAT, GL_FALSE, sizeof(Vertex),
                          reinterpret_cast<const void*>(offset));
  };
  attribute(0, 3, offsetof(Vertex, position));
  attribute(1, 2, offsetof(Vertex, scalar));
  attribute(2, 3, offsetof(Vertex, normal));
  glBindVertexArray(0);
}

bool ItemDrawer::isTransparent(const session::SceneItem& item) {
  if (!(item.opacity > 0)) return false;  // nothing of it is drawn
  if (item.opacity < 1) return true;
  return item.colored ? item.scale.nanColor[3] < 1 : item.color[3] < 1;
}

void ItemDrawer::draw(const session::SceneItem& item, const ViewTransform& view, const Band& band,
                      Peel peel) {
  if (!(item.opacity > 0)) return;
  glBindVertexArray(m_array);
  glEnable(GL_PRIMITIVE_RESTART);
  glPrimitiveRestartIndex(kRestart);
  if (item.lines) {
    setUniforms(program(true, peel), item, view, band);
    item.lines->visit([&](const session::LineChunk& chunk) { drawLines(chunk, item, view); });
  }
  if (item.triangles) {
    setUniforms(program(false, peel), item, view, band);
    item.triangles->visit([&](const session::TriangleChunk& chunk) { drawTriangles(chunk, item, view); });
  }
  glBindVertexArray(0);
}

const Program& ItemDrawer::program(bool lines, Peel peel) {
  const auto key = std::pair(lines, peel);
  const auto found = m_programs.find(key);
  if (found != m_programs.end()) return found->second;
  std::string defines = "#define PEEL " + std::to_string(static_cast<int>(peel));
  if (peel == Peel::PerSample) defines = "#extension GL_ARB_sample_shading : require\n" + defines;
  Program made = lines ? Program({"line.vert", "line.geom", "line.frag"}, defines)
                       : Program({"surface.vert", "surface.frag"}, defines);
  return m_programs.emplace(key, std::move(made)).first->second;
}

void ItemDrawer::setUniforms(const Program& program, const session::SceneItem& item,
                             const ViewTransform& view, const Band& band) {
  program.use();
  glUniformMatrix4fv(program.uniform("modelView"), 1, GL_FALSE, view.modelView().data());
  const view::Matrix4 projection = view.projection(band.firstRow, band.rows);
  glUniformMatrix4fv(program.uniform("projectionMatrix"), 1, GL_FALSE, projection.data());
  glUniform1i(program.uniform("orthographic"), view.orthographic());
  glUniform2f(program.uniform("viewportPixels"), static_cast<float>(band.width),
              static_cast<float>(band.rows));
  glUniform1f(program.uniform("lineWidth"), static_cast<float>(std::clamp(item.widthPixels, 0.5, 1000.0)));
  glUniform1i(program.uniform("colored"), item.colored);
  set(program.uniform("itemColor"), item.color);
  set(program.uniform("nanColor"), item.scale.nanColor);
  glUniform1f(program.uniform("opacity"), static_cast<float>(std::min(item.opacity, 1.0)));
  glUniform1i(program.uniform("lit"), item.lit);
  glUniform1i(program.uniform("colorMap"), 0);
  glUniform1i(program.uniform("peeledDepth"), 1);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, mapTexture(item.colored ? item.scale.map : "grey"));
}

GLuint ItemDrawer::mapTexture(const std::string& name) {
  const auto found = m_maps.find(name);
  if (found != m_maps.end()) return found->second;
  const color::ColorMap& map = color::ColorMap::named(name);
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
  return m_maps.emplace(name, std::move(texture)).first->second;
}

void ItemDrawer::setVertices(std::span<const double> points, std::span<const double> scalars,
                             const session::SceneItem& item, const ViewTransform& view) {
  const std::size_t count = points.size() / 3;
  if (points.size() % 3 != 0 || (!scalars.empty() && scalars.size() != count))
    throw Invalid("a chunk of geometry has " + std::to_string(points.size()) + " coordinates and " +
                  std::to_string(scalars.size()) + " scalars")
        .at(item.name);
  m_vertices.assign(count, Vertex{});
  for (std::size_t i = 0; i < count; ++i)
    m_vertices[i].position = view.local(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
  if (!item.colored || scalars.empty()) return;
  const color::Normalizer place(item.scale);
  for (std::size_t i = 0; i < count; ++i) {
    const double t = place(scalars[i]);
    if (!std::isnan(t))
      m_vertices[i].scalar = {static_cast<float>(std::clamp(t, -kFarOutside, kFarOutside)), 1};
  }
}

void ItemDrawer::upload() {
  glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(m_vertices.size() * sizeof(Vertex)), m_vertices.data(),
               GL_STREAM_DRAW);
  glBufferData(GL_ELEMENT_ARRAY_BUFFER, GLsizeiptr(m_indices.size() * sizeof(std::uint32_t)),
               m_indices.data(), GL_STREAM_DRAW);
}

// A driver may collect draw calls, with their buffers, for as long as it likes; Mesa's software driver
// collects all of a picture. Waiting for it now and then keeps that bounded.
void ItemDrawer::limitInFlight(std::size_t indices) {
  m_indicesInFlight += indices;
  if (m_indicesInFlight < kMostIndicesInFlight) return;
  glFinish();
  m_indicesInFlight = 0;
}

void ItemDrawer::drawLines(const session::LineChunk& chunk, const session::SceneItem& item,
                           const ViewTransform& view) {
  setVertices(chunk.points, chunk.scalars, item, view);
  m_indices.clear();
  // A run of usable vertices a b … y z becomes a a b … y z z: the ends are their own neighbours.
  std::size_t begin = m_indices.size();
  const auto endRun = [&] {
    if (m_indices.size() - begin >= 3) {
      m_indices.push_back(m_indices.back());
      m_indices.push_back(kRestart);
    } else {
      m_indices.resize(begin);  // one vertex is not a line
    }
    begin = m_indices.size();
  };
  std::uint64_t vertex = 0;
  for (const std::uint32_t length : chunk.lengths) {
    if (vertex + length > m_vertices.size())
      throw Invalid("a chunk of lines has fewer vertices than its lengths say").at(item.name);
    for (const std::uint64_t end = vertex + length; vertex < end; ++vertex) {
      const auto& position = m_vertices[vertex].position;
      if (!isFiniteVertex(position)) {
        endRun();
        continue;
      }
      const bool first = m_indices.size() == begin;
      // A vertex on top of the one before has no direction.
      if (!first && m_vertices[m_indices.back()].position == position) continue;
      if (first) m_indices.push_back(static_cast<std::uint32_t>(vertex));
      m_indices.push_back(static_cast<std::uint32_t>(vertex));
    }
    endRun();
  }
  if (m_indices.empty()) return;
  upload();
  // A software driver keeps the ribbons of a whole draw call, twenty times the size of the lines. Strips may
  // be cut anywhere: a part that begins with the last three indices of the one before goes on where that
  // ended.
  for (std::size_t from = 0; from + 3 < m_indices.size(); from += kIndicesPerDraw - 3) {
    const std::size_t count = std::min(kIndicesPerDraw, m_indices.size() - from);
    glDrawElements(GL_LINE_STRIP_ADJACENCY, static_cast<GLsizei>(count), GL_UNSIGNED_INT,
                   reinterpret_cast<const void*>(from * sizeof(std::uint32_t)));
    limitInFlight(count);
  }
}

void ItemDrawer::drawTriangles(const session::TriangleChunk& chunk, const session::SceneItem& item,
                               const ViewTransform& view) {
  setVertices(chunk.points, chunk.scalars, item, view);
  if (!chunk.normals.empty() && chunk.normals.size() != chunk.points.size())
    throw Invalid("a chunk of triangles has not one normal for each vertex").at(item.name);
  for (std::size_t i = 0; 3 * i < chunk.normals.size(); ++i)
    for (int axis = 0; axis < 3; ++axis) {
      const auto component = static_cast<float>(chunk.normals[3 * i + axis]);
      m_vertices[i].normal[axis] = std::isfinite(component) ? component : 0.0f;
    }
  m_indices.clear();
  if (chunk.triangles.size() % 3 != 0) throw Invalid("a chunk of triangles ends within one").at(item.name);
  for (std::size_t i = 0; i < chunk.triangles.size(); i += 3) {
    const auto corners = chunk.triangles.subspan(i, 3);
    for (const std::uint32_t corner : corners)
      if (corner >= m_vertices.size())
        throw Invalid("a triangle names vertex " + std::to_string(corner) + " of " +
                      std::to_string(m_vertices.size()))
            .at(item.name);
    if (std::all_of(corners.begin(), corners.end(),
                    [&](std::uint32_t corner) { return isFiniteVertex(m_vertices[corner].position); }))
      m_indices.insert(m_indices.end(), corners.begin(), corners.end());
  }
  if (m_indices.empty()) return;
  upload();
  glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(m_indices.size()), GL_UNSIGNED_INT, nullptr);
  limitInFlight(m_indices.size());
}

}  // namespace farfield::egl
