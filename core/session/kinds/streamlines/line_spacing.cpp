#include "core/session/kinds/streamlines/line_spacing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/base/error.h"
#include "core/session/run/near_places.h"

namespace farfield::session {
namespace {

constexpr double kTooNear = 0.5;    // of the spacing: where a line ends
constexpr double kFineness = 0.25;  // of the spacing: between places of a line that are kept

/// Takes the vertices of all lines in order.
class Chooser {
 public:
  Chooser(double spacing, MemoryAccount& account, PolylineSpool& out)
      : m_spacing(spacing),
        m_places(spacing, account, "places of lines that keep their distance"),
        m_out(out) {}

  void beginSeed(Vec3 seed) {
    for (const Vec3& place : m_ofSeed) m_places.add(place);
    m_ofSeed.clear();
    m_taken = !m_places.isNear(seed, m_spacing);
  }
  void beginLine() {
    m_kept = 0;
    m_cut = !m_taken;
  }
  void vertex(std::span<const double> vertex) {
    if (m_cut) return;
    const Vec3 place{vertex[0], vertex[1], vertex[2]};
    if (m_kept > 0 && m_places.isNear(place, kTooNear * m_spacing)) {
      m_cut = true;
      return;
    }
    // The first is a line only once there is a second. Alone it is nothing that others could cover.
    if (m_kept == 0) {
      m_first.assign(vertex.begin(), vertex.end());
    } else {
      if (m_kept == 1) {
        m_out.addVertex(m_first);
        m_ofSeed.push_back(m_last);
      }
      m_out.addVertex(vertex);
      const Vec3 way = place - m_last;
      const double pieces = std::ceil(length(way) / (0.5 * kFineness * m_spacing));
      for (double n = 1; n < pieces; ++n) remember(m_last + n / pieces * way);
      remember(place);
    }
    m_last = place;
    ++m_kept;
  }
  void endLine(std::span<const double> cells) {
    if (m_kept > 1) m_out.endLine(cells);
  }

 private:
  void remember(Vec3 place) {
    if (length(place - m_ofSeed.back()) >= kFineness * m_spacing) m_ofSeed.push_back(place);
  }
  double m_spacing;
  NearPlaces m_places;
  PolylineSpool& m_out;
  std::vector<Vec3> m_ofSeed;
  bool m_taken = false, m_cut = true;
  std::uint64_t m_kept = 0;
  std::vector<double> m_first;
  Vec3 m_last;
};

}  // namespace

std::shared_ptr<const PolylineSpool> spacedLines(const LineSpool& lines, const std::vector<int>& directions,
                                                 double spacing, const ObjectSurroundings& surroundings,
                                                 const TimeBudget& budget, double& kept) {
  const auto out = std::make_shared<PolylineSpool>(surroundings.spoolFolder, lines.doubles(), 4);
  Chooser chooser(spacing, surroundings.account, *out);
  const auto width = static_cast<std::size_t>(lines.doubles());
  std::optional<LineSummary> current;
  std::uint64_t seen = 0, looked = 0, number = 0;
  const auto end = [&] {
    if (!current) return;
    const std::uint64_t its = current->number;
    chooser.endLine(std::array<double, 4>{static_cast<double>(its / directions.size()),
                                          static_cast<double>(directions[its % directions.size()]),
                                          static_cast<double>(current->termination),
                                          static_cast<double>(current->block)});
  };
  lines.visitVertices([&](const LineSummary& line, std::span<const double> run) {
    if (run.empty()) return;
    if (seen == 0 || number != line.number) {
      if (surroundings.stop.stop_requested()) throw Cancelled();
      number = line.number;
      // those that come too late are counted
      const bool isInTime = looked == seen && !budget.isSpent();
      ++seen;
      if (!isInTime) return;
      ++looked;
      end();
      if (!current || current->number / directions.size() != line.number / directions.size())
        chooser.beginSeed({run[0], run[1], run[2]});
      current = line;
      chooser.beginLine();
    }
    if (looked < seen) return;
    for (std::size_t at = 0; at < run.size(); at += width) chooser.vertex(run.subspan(at, width));
  });
  end();
  out->finish();
  kept = seen > 0 ? static_cast<double>(looked) / static_cast<double>(seen) : 1;
  return out;
}

}  // namespace farfield::session
