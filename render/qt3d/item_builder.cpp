#include "render/qt3d/item_builder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <span>
#include <string>

#include "core/base/error.h"
#include "render/qt3d/held_triangles.h"

namespace farfield::qt3d {
namespace {

using view::kRestart;
using view::Vertex;

constexpr std::size_t kLineIndicesPerPart = 16'384, kTriangleIndicesPerPart = 3 * 32'768;
// Smallest unit that is moved when lines are ordered so that every prefix is an even selection: neighbouring
// lines stay together, so that boxes around them stay small.
constexpr std::size_t kUnitIndices = 384;
constexpr scene::Rgba kNoColor{0, 0, 0, -1};

template <class T>
std::span<const T> valuesOf(const QByteArray& bytes) {
  return {reinterpret_cast<const T*>(bytes.constData()), std::size_t(bytes.size()) / sizeof(T)};
}

template <class T>
void append(QByteArray& bytes, std::span<const T> values) {
  bytes.append(reinterpret_cast<const char*>(values.data()), qsizetype(values.size_bytes()));
}

// Around the middle of the first chunk, about one unit large, so that floats are exact enough.
view::LocalFrame frameOf(std::span<const double> points) {
  Bounds bounds;
  for (std::size_t i = 0; i + 2 < points.size(); i += 3) {
    const Vec3 p{points[i], points[i + 1], points[i + 2]};
    if (isFinite(p)) bounds.add(p);
  }
  view::LocalFrame frame;
  if (bounds.empty()) return frame;
  frame.center = bounds.center();
  const double radius = 0.5 * bounds.diagonal();
  if (radius > 0 && std::isfinite(radius)) frame.factor = 1 / radius;
  return frame;
}

class Builder {
 public:
  Builder(const scene::SceneItem& item, const BuildLimits& limits, const std::function<bool()>& keepOn)
      : m_item(item), m_limits(limits), m_keepOn(keepOn), m_triangles(limits.bytes) {}

  void add(const scene::LineChunk& chunk) {
    begin(chunk.points);
    m_arrays.set(chunk, m_item, m_made->frame);
    const auto& indices = m_arrays.indices;
    const bool goesOn =
        m_end && !m_inPieces && !indices.empty() && indices.front() == 0 && pointOf(chunk, 0) == *m_end;
    m_end.reset();
    for (std::size_t from = 0; from < indices.size();) {
      const std::size_t to =
          std::size_t(std::find(indices.begin() + std::ptrdiff_t(from), indices.end(), kRestart) -
                      indices.begin()) +
          1;
      addStrip(std::span(indices).subspan(from, to - from), goesOn && from == 0);
      from = to;
    }
    const std::size_t count = chunk.points.size() / 3;
    if (indices.size() >= 2 && indices[indices.size() - 2] + 1 == count) m_end = pointOf(chunk, count - 1);
  }

  void add(const scene::TriangleChunk& chunk) {
    begin(chunk.points);
    m_arrays.set(chunk, m_item, m_made->frame);
    try {
      m_triangles.add(m_arrays);
    } catch (Error& error) {
      error.at(m_item.name);
      throw;
    }
  }

  PreparedItemPtr finish() {
    if (!m_made) m_made = std::make_shared<PreparedItem>();
    const bool lines = m_item.lines != nullptr;
    m_made->kind = lines ? view::PickIndex::Kind::Lines : view::PickIndex::Kind::Triangles;
    m_made->inTriangles = m_item.inTriangles;
    if (lines) {
      orderStrips();
      m_made->heldPart = 1.0 / double(m_stride);
    } else {
      takeTriangles();
    }
    m_indices = {};
    m_made->vertices.squeeze(), m_made->normals.squeeze(), m_made->waves.squeeze();
    m_made->radii.squeeze();
    const std::size_t count = std::size_t(m_made->indices.size()) / sizeof(std::uint32_t);
    if (lines) {
      // strips may be cut anywhere: a part that begins with the last three indices of the one before
      // continues it
      for (std::size_t from = 0; from + 3 < count; from += kLineIndicesPerPart - 3)
        m_made->parts.push_back({from, std::min(kLineIndicesPerPart, count - from)});
    } else {
      for (std::size_t from = 0; from < count; from += kTriangleIndicesPerPart)
        m_made->parts.push_back({from, std::min(kTriangleIndicesPerPart, count - from)});
    }
    // shared with the search, which keeps copies that cost nothing
    struct Arrays {
      QByteArray vertices, indices;
    };
    auto arrays = std::make_shared<const Arrays>(Arrays{m_made->vertices, m_made->indices});
    m_made->pick =
        std::make_shared<view::PickIndex>(m_made->kind, valuesOf<Vertex>(arrays->vertices),
                                          valuesOf<std::uint32_t>(arrays->indices), m_made->frame, arrays);
    return m_made;
  }

 private:
  // Indices [firstIndex, + indexCount) name vertices [firstVertex, + vertexCount).
  struct Strip {
    std::uint32_t firstIndex, indexCount, firstVertex, vertexCount;
    bool goesOn;  // with the line of the strip before
  };

  static std::array<double, 3> pointOf(const scene::LineChunk& chunk, std::size_t vertex) {
    const auto point = chunk.points.subspan(3 * vertex, 3);
    return {point[0], point[1], point[2]};
  }

  void begin(std::span<const double> points) {
    if (!m_keepOn()) throw Cancelled();
    if (m_made) return;
    m_made = std::make_shared<PreparedItem>();
    m_made->frame = frameOf(points);
  }

  void takeTriangles() {
    m_made->heldPart = m_triangles.heldPart();
    // As many bytes as they are: appended to nothing, they would be kept in the next power of two.
    m_made->indices = QByteArray(reinterpret_cast<const char*>(m_triangles.indices.data()),
                                 qsizetype(m_triangles.indices.size() * sizeof(std::uint32_t)));
    m_made->vertices = std::move(m_triangles.vertices);
    m_made->normals = std::move(m_triangles.normals);
    m_made->waves = std::move(m_triangles.waves);
    m_triangles = HeldTriangles(0);
  }

  std::size_t heldBytes() const {
    return m_made->bytes() + m_indices.size() * sizeof(std::uint32_t) + m_strips.size() * sizeof(Strip);
  }

  // A line that goes on from chunk to chunk is several strips, which are kept all or none.
  void addStrip(std::span<const std::uint32_t> indices, bool goesOn) {
    if (!goesOn) ++m_met;
    if ((m_met - 1) % m_stride != 0) return;
    if (!goesOn) ++m_lines;
    const std::uint32_t first = indices.front(), last = indices[indices.size() - 2];
    const auto base = std::uint32_t(m_made->vertexCount());
    m_strips.push_back(
        {std::uint32_t(m_indices.size()), std::uint32_t(indices.size()), base, last - first + 1, goesOn});
    append<Vertex>(m_made->vertices, std::span(m_arrays.vertices).subspan(first, last - first + 1));
    if (!m_arrays.radii.empty())
      append<float>(m_made->radii, std::span(m_arrays.radii).subspan(first, last - first + 1));
    if (!m_arrays.normals.empty())
      append<std::array<float, 3>>(m_made->normals,
                                   std::span(m_arrays.normals).subspan(first, last - first + 1));
    for (const std::uint32_t index : indices)
      m_indices.push_back(index == kRestart ? kRestart : base + index - first);
    // a single strip that is too long stays: thinning would leave nothing
    while (heldBytes() > m_limits.bytes && m_strips.size() > 1) {
      if (m_lines == 1) takeStripsForLines();
      thin();
    }
  }

  // Of one line that is too long pieces are left out: there is nothing else.
  void takeStripsForLines() {
    m_inPieces = true;
    for (Strip& strip : m_strips) strip.goesOn = false;
    m_lines = m_strips.size();
    m_met = (m_lines - 1) * m_stride + 1;
  }

  // Removes every second line, and from now on every second of those to come.
  void thin() {
    m_stride *= 2;
    std::vector<Strip> kept;
    std::vector<std::uint32_t> indices;
    auto* const vertices = reinterpret_cast<Vertex*>(m_made->vertices.data());
    auto* const radii = m_made->isParticles() ? reinterpret_cast<float*>(m_made->radii.data()) : nullptr;
    using Normal = std::array<float, 3>;
    auto* const normals =
        m_made->normals.isEmpty() ? nullptr : reinterpret_cast<Normal*>(m_made->normals.data());
    std::uint32_t vertex = 0;
    std::uint64_t line = 0;
    for (const Strip& strip : m_strips) {
      if (!strip.goesOn) ++line;
      if (line % 2 == 0) continue;
      std::memmove(vertices + vertex, vertices + strip.firstVertex, strip.vertexCount * sizeof(Vertex));
      if (radii) std::memmove(radii + vertex, radii + strip.firstVertex, strip.vertexCount * sizeof(float));
      if (normals)
        std::memmove(normals + vertex, normals + strip.firstVertex, strip.vertexCount * sizeof(Normal));
      kept.push_back(
          {std::uint32_t(indices.size()), strip.indexCount, vertex, strip.vertexCount, strip.goesOn});
      for (std::uint32_t k = 0; k < strip.indexCount; ++k) {
        const std::uint32_t index = m_indices[strip.firstIndex + k];
        indices.push_back(index == kRestart ? kRestart : index - strip.firstVertex + vertex);
      }
      vertex += strip.vertexCount;
    }
    m_made->vertices.truncate(qsizetype(vertex * sizeof(Vertex)));
    if (radii) m_made->radii.truncate(qsizetype(vertex * sizeof(float)));
    if (normals) m_made->normals.truncate(qsizetype(vertex * sizeof(Normal)));
    m_indices = std::move(indices);
    m_strips = std::move(kept);
    m_lines = (m_lines + 1) / 2;
  }

  // Ordered by the reversed digits of the unit's number: any prefix of the result is spread over all (J. G.
  // van der Corput, Verteilungsfunktionen, 1935).
  void orderStrips() {
    std::vector<std::pair<std::size_t, std::size_t>> units;  // of indices
    for (const Strip& strip : m_strips) {
      if (units.empty() || units.back().second - units.back().first >= kUnitIndices)
        units.emplace_back(strip.firstIndex, strip.firstIndex);
      units.back().second = strip.firstIndex + strip.indexCount;
    }
    int digits = 0;
    while ((std::size_t(1) << digits) < units.size()) ++digits;
    m_made->indices.reserve(qsizetype(m_indices.size() * sizeof(std::uint32_t)));
    for (std::size_t number = 0; number < (std::size_t(1) << digits); ++number) {
      std::size_t reversed = 0;
      for (int digit = 0; digit < digits; ++digit)
        if (number >> digit & 1) reversed |= std::size_t(1) << (digits - 1 - digit);
      if (reversed >= units.size()) continue;
      const auto [from, to] = units[reversed];
      append<std::uint32_t>(m_made->indices, std::span(m_indices).subspan(from, to - from));
    }
    m_strips = {};
  }

  const scene::SceneItem& m_item;
  const BuildLimits& m_limits;
  const std::function<bool()>& m_keepOn;
  std::shared_ptr<PreparedItem> m_made;
  view::VertexArrays m_arrays;  // of the current chunk
  HeldTriangles m_triangles;
  std::vector<std::uint32_t> m_indices;
  std::vector<Strip> m_strips;
  std::uint64_t m_met = 0, m_lines = 0, m_stride = 1;  // lines seen, and held: one in m_stride
  bool m_inPieces = false;
  std::optional<std::array<double, 3>> m_end;  // of the last line of the chunk before
};

}  // namespace

PreparedItemPtr buildItem(const scene::SceneItem& item, const BuildLimits& limits,
                          const std::function<bool()>& keepOn) {
  Builder builder(item, limits, keepOn);
  if (item.lines)
    item.lines->visit([&](const scene::LineChunk& chunk) { builder.add(chunk); });
  else if (item.triangles)
    item.triangles->visit([&](const scene::TriangleChunk& chunk) { builder.add(chunk); });
  return builder.finish();
}

Look lookOf(const scene::SceneItem& item) {
  return {.colored = item.colored,
          .visible = true,
          .dashed = item.dashed,
          .lighting = item.lighting,
          .map = item.colored ? item.scale.map : scene::MapChoice("grey"),
          .color = item.color,
          .nanColor = item.scale.nanColor,
          .belowColor = item.scale.below.value_or(kNoColor),
          .aboveColor = item.scale.above.value_or(kNoColor),
          .opacity = item.opacity,
          .widthPixels = item.widthPixels,
          .bandLines = item.scale.bandLines,
          .clipped = item.clipped};
}

}  // namespace farfield::qt3d
