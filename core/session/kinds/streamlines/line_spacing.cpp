#include "core/session/kinds/streamlines/line_spacing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <optional>

#include "core/base/error.h"
#include "core/session/run/near_places.h"

namespace farfield::session {
namespace {

constexpr double kTooNear = 0.5;    // of the spacing: where a line ends
constexpr double kFineness = 0.25;  // of the spacing: between places of a line that are kept

constexpr std::size_t kSide = 3;  // values of a vertex

struct SidedPlace {
  Vec3 place, side;
};

constexpr const char* kWhat = "places of lines that keep their distance, of which a larger spacing has fewer";

/// After so many places it is time to look at the clock, and whether to go on at all.
constexpr std::uint64_t kPlacesPerLook = 1024;

/// Places of one seed's lines, in order, until they keep others away.
class PlacesOfSeed {
 public:
  explicit PlacesOfSeed(MemoryAccount& account) : m_account(account) {}
  void add(const SidedPlace& place) {
    if (m_places.size() == m_room) {
      const std::uint64_t bytes = m_claims.empty() ? kBytesAtFirst : kBytesPerClaim;
      m_claims.push_back(m_account.claim(Purpose::Results, bytes, kWhat));
      m_room += bytes / kBytesPerPlace;
    }
    m_places.push_back(place);
  }
  const SidedPlace& last() const { return m_places.back(); }
  const std::deque<SidedPlace>& places() const { return m_places; }
  /// Throws OverBudget where the budget could not hold so many, as if they had been added.
  void expect(double count) const {
    const double bytes = count * static_cast<double>(kBytesPerPlace);
    if (bytes > static_cast<double>(m_account.budgetBytes()))
      m_account.refuse(static_cast<std::uint64_t>(std::min(bytes, kMostBytes)), kWhat);
  }
  void clear() {
    m_places.clear();
    m_places.shrink_to_fit();
    m_claims.clear();
    m_room = 0;
  }

 private:
  static constexpr std::uint64_t kBytesPerPlace = 64, kBytesAtFirst = 1024, kBytesPerClaim = 8 * 1024;
  static constexpr double kMostBytes = 1e18;  // so that sums with it do not overflow
  MemoryAccount& m_account;
  std::deque<SidedPlace> m_places;  // which never moves those that it has
  std::vector<MemoryClaim> m_claims;
  std::uint64_t m_room = 0;
};

/// Takes the vertices of all lines in order.
class Chooser {
 public:
  Chooser(double spacing, bool haveSides, const ObjectSurroundings& surroundings, const TimeBudget& budget,
          PolylineSpool& out)
      : m_spacing(spacing),
        m_haveSides(haveSides),
        m_stop(surroundings.stop),
        m_budget(budget),
        m_places(spacing, surroundings.account, kWhat),
        m_out(out),
        m_ofSeed(surroundings.account) {}

  /// `vertex` as the next: the first of the seed's first line.
  void beginSeed(std::span<const double> vertex) {
    for (const SidedPlace& each : m_ofSeed.places()) m_places.add(each.place, each.side);
    m_ofSeed.clear();
    const SidedPlace seed = placeOf(vertex);
    m_taken = !m_places.isNear(seed.place, m_spacing, seed.side);
  }
  void beginLine() {
    m_kept = 0;
    m_cut = !m_taken;
  }
  void vertex(std::span<const double> vertex) {
    if (m_cut || isOutOfTime()) return;
    const SidedPlace here = placeOf(vertex);
    if (m_kept > 0 && m_places.isNear(here.place, kTooNear * m_spacing, here.side)) {
      m_cut = true;
      return;
    }
    // The first is a line only once there is a second. Alone it is nothing that others could cover.
    if (m_kept == 0) {
      m_first.assign(vertex.begin(), vertex.end());
    } else {
      if (m_kept == 1) {
        m_out.addVertex(m_first);
        m_ofSeed.add(m_last);
      }
      m_out.addVertex(vertex);
      const Vec3 way = here.place - m_last.place;
      const double pieces = std::ceil(length(way) / (0.5 * kFineness * m_spacing));
      m_ofSeed.expect(pieces / 3 - 1);  // those that are kept are less than three pieces apart
      for (double n = 1; n < pieces && !isOutOfTime(); ++n)
        remember({m_last.place + n / pieces * way, here.side});
      remember(here);
    }
    m_last = here;
    ++m_kept;
  }
  void endLine(std::span<const double> cells) {
    if (m_kept > 1) m_out.endLine(cells);
  }
  /// The time was up in the middle of the line that was begun last, which ends there.
  bool endedEarly() const { return m_endedEarly; }

 private:
  SidedPlace placeOf(std::span<const double> vertex) const {
    SidedPlace its{{vertex[0], vertex[1], vertex[2]}, {}};
    if (m_haveSides) {
      const std::span<const double> side = vertex.last(kSide);
      its.side = {side[0], side[1], side[2]};
    }
    return its;
  }
  void remember(const SidedPlace& here) {
    if (length(here.place - m_ofSeed.last().place) >= kFineness * m_spacing) m_ofSeed.add(here);
  }
  /// Looked at now and then.
  bool isOutOfTime() {
    if (m_endedEarly) return true;
    if (++m_sinceLook < kPlacesPerLook) return false;
    m_sinceLook = 0;
    if (m_stop.stop_requested()) throw Cancelled();
    return m_endedEarly = m_budget.isSpent();
  }
  double m_spacing;
  bool m_haveSides;
  const std::stop_token m_stop;
  const TimeBudget& m_budget;
  NearPlaces m_places;
  PolylineSpool& m_out;
  PlacesOfSeed m_ofSeed;
  bool m_taken = false, m_cut = true, m_endedEarly = false;
  std::uint64_t m_kept = 0, m_sinceLook = 0;
  std::vector<double> m_first;
  SidedPlace m_last;
};

}  // namespace

std::shared_ptr<const PolylineSpool> spacedLines(const LineSpool& lines, const std::vector<int>& directions,
                                                 double spacing, const ObjectSurroundings& surroundings,
                                                 const TimeBudget& budget, double& kept, bool haveSides) {
  const auto out = std::make_shared<PolylineSpool>(surroundings.spoolFolder, lines.doubles(), 4);
  Chooser chooser(spacing, haveSides, surroundings, budget, *out);
  const auto width = static_cast<std::size_t>(lines.doubles());
  std::optional<LineSummary> current;
  std::uint64_t seen = 0, looked = 0, number = 0;
  const auto end = [&] {
    if (!current) return;
    const std::uint64_t its = current->number;
    const auto reason = chooser.endedEarly() ? flow::Termination::OutOfTime : current->termination;
    chooser.endLine(std::array<double, 4>{static_cast<double>(its / directions.size()),
                                          static_cast<double>(directions[its % directions.size()]),
                                          static_cast<double>(reason), static_cast<double>(current->block)});
  };
  lines.visitVertices([&](const LineSummary& line, std::span<const double> run) {
    if (run.empty()) return;
    if (seen == 0 || number != line.number) {
      if (surroundings.stop.stop_requested()) throw Cancelled();
      number = line.number;
      // those that come too late are counted
      const bool isInTime = looked == seen && !chooser.endedEarly() && !budget.isSpent();
      ++seen;
      if (!isInTime) return;
      ++looked;
      end();
      if (!current || current->number / directions.size() != line.number / directions.size())
        chooser.beginSeed(run.first(width));
      current = line;
      chooser.beginLine();
    }
    if (looked < seen) return;
    for (std::size_t at = 0; at < run.size(); at += width) chooser.vertex(run.subspan(at, width));
  });
  end();
  out->finish();
  const std::uint64_t whole = looked - (chooser.endedEarly() ? 1 : 0);
  kept = seen > 0 ? static_cast<double>(whole) / static_cast<double>(seen) : 1;
  return out;
}

}  // namespace farfield::session
