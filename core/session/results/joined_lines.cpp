#include "core/session/results/joined_lines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <unordered_map>

namespace farfield::session {
namespace {

/// Of the extent of all: ends that are equal but for rounding meet without a tolerance as well.
constexpr double kLeastTolerance = 1e-14;

using Cell = std::array<std::int64_t, 3>;

struct HashOfCell {
  std::size_t operator()(const Cell& cell) const {
    std::uint64_t hash = 0;
    for (const std::int64_t each : cell)
      hash = (hash ^ static_cast<std::uint64_t>(each)) * 0x9e3779b97f4a7c15u + (hash >> 29);
    return static_cast<std::size_t>(hash);
  }
};

/// Tells places apart that are further from each other than a tolerance.
class Places {
 public:
  Places(Vec3 origin, double tolerance) : m_origin(origin), m_tolerance(tolerance) {}

  std::uint32_t of(Vec3 point) {
    const Cell cell = cellOf(point);
    for (std::int64_t i = -1; i <= 1; ++i)
      for (std::int64_t j = -1; j <= 1; ++j)
        for (std::int64_t k = -1; k <= 1; ++k) {
          const auto [from, to] = m_byCell.equal_range({cell[0] + i, cell[1] + j, cell[2] + k});
          for (auto known = from; known != to; ++known)
            if (length(m_points[known->second] - point) <= m_tolerance) return known->second;
        }
    const auto number = static_cast<std::uint32_t>(m_points.size());
    m_points.push_back(point);
    m_byCell.emplace(cell, number);
    return number;
  }
  std::size_t count() const { return m_points.size(); }

 private:
  Cell cellOf(Vec3 point) const {
    Cell cell{};
    for (int axis = 0; axis < 3; ++axis)
      cell[static_cast<std::size_t>(axis)] =
          static_cast<std::int64_t>(std::floor((point[axis] - m_origin[axis]) / m_tolerance));
    return cell;
  }

  Vec3 m_origin;
  double m_tolerance;
  std::vector<Vec3> m_points;
  std::unordered_multimap<Cell, std::uint32_t, HashOfCell> m_byCell;
};

struct Piece {
  std::array<std::uint32_t, 2> places{};  ///< of its first and its last vertex
  bool used = false;
};

/// The pieces that end at a place.
struct Meeting {
  int count = 0;
  std::array<std::uint32_t, 2> pieces{};
};

/// The piece that goes on where `from` leaves a place at its end (`last`) or its beginning; none where the line ends.
std::optional<LinePiece> nextOf(std::uint32_t from, bool last, const std::vector<Piece>& pieces,
                                const std::vector<Meeting>& meetings) {
  const std::uint32_t place = pieces[from].places[last ? 1 : 0];
  const Meeting& meeting = meetings[place];
  if (meeting.count != 2) return {};
  const std::uint32_t next = meeting.pieces[0] == from ? meeting.pieces[1] : meeting.pieces[0];
  if (next == from) return {};  // closed by itself
  return LinePiece{next, pieces[next].places[1] == place};
}

}  // namespace

std::vector<std::vector<LinePiece>> joinedLines(std::span<const Vec3> points,
                                                std::span<const std::uint32_t> lengths, double tolerance) {
  Bounds bounds;
  for (const Vec3& point : points)
    if (isFinite(point)) bounds.add(point);
  if (!(bounds.diagonal() > 0)) return {};
  Places places(bounds.min, std::max(tolerance, kLeastTolerance * bounds.diagonal()));
  std::vector<Piece> pieces(lengths.size());
  for (std::size_t n = 0, at = 0; n < lengths.size(); at += lengths[n++]) {
    const std::span<const Vec3> its = points.subspan(at, lengths[n]);
    pieces[n].used =
        std::all_of(its.begin(), its.end(),
                    [&](const Vec3& point) { return length(point - its.front()) <= tolerance; }) ||
        !std::all_of(its.begin(), its.end(), isFinite);
    if (!pieces[n].used) pieces[n].places = {places.of(its.front()), places.of(its.back())};
  }
  std::vector<Meeting> meetings(places.count());
  for (std::uint32_t n = 0; n < pieces.size(); ++n)
    for (const std::uint32_t place : pieces[n].places) {
      if (pieces[n].used) continue;  // it is left out
      Meeting& meeting = meetings[place];
      if (meeting.count < 2) meeting.pieces[static_cast<std::size_t>(meeting.count)] = n;
      ++meeting.count;
    }
  std::vector<std::vector<LinePiece>> lines;
  for (std::uint32_t first = 0; first < pieces.size(); ++first) {
    if (pieces[first].used) continue;
    pieces[first].used = true;
    std::vector<LinePiece> before, line{{first, false}};
    const auto follow = [&](bool forth, std::vector<LinePiece>& out) {
      LinePiece at{first, false};
      while (const auto next = nextOf(at.number, forth != at.backward, pieces, meetings)) {
        if (pieces[next->number].used) break;  // it is closed
        pieces[next->number].used = true;
        // nextOf() has it go away from the place; backwards it comes from there
        at = forth ? *next : LinePiece{next->number, !next->backward};
        out.push_back(at);
      }
    };
    follow(true, line);
    follow(false, before);
    // What lies before was found from the first piece outwards.
    line.insert(line.begin(), before.rbegin(), before.rend());
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace farfield::session
