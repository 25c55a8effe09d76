#include "render/volume/value_counts.h"

#include <algorithm>
#include <cmath>

namespace farfield::volume {
namespace {

constexpr std::size_t kBins = 256;
/// Of the rows of a brick along i every so many-th counts, unless there are few.
constexpr std::int64_t kStride = 9, kFewRows = 81;

template <class Value>
void countRow(const Brick& brick, std::size_t first, std::int64_t count, std::array<double, 2> range,
              std::vector<std::uint32_t>& counts) {
  const auto* const values = reinterpret_cast<const Value*>(brick.data()) + first;
  const double scale = static_cast<double>(kBins) / (range[1] - range[0]);
  const double factor = brick.format().factor * scale, offset = (brick.format().offset - range[0]) * scale;
  for (std::int64_t n = 0; n < count; ++n) {
    const double bin = static_cast<double>(values[n]) * factor + offset;
    if (bin >= 0 && bin <= static_cast<double>(kBins))
      ++counts[std::min(static_cast<std::size_t>(bin), kBins - 1)];
  }
}

}  // namespace

ValueCounts::ValueCounts(const BrickSource& source, std::array<double, 2> range, MemoryAccount& account)
    : m_source(source), m_range(range), m_counts(kBins), m_changes(kBins + 1) {
  const std::int64_t bricks = source.grid().brickCount();
  m_claim =
      account.claim(Purpose::Work, static_cast<std::uint64_t>(bricks) / 8 + 1, "which values were seen");
  m_seen.resize(static_cast<std::size_t>(bricks));
  for (std::int64_t n = 0; n < bricks; ++n) {
    const Index3 at = unlinear(n, source.grid().bricks());
    const auto known = source.range(at);
    if (!known) return;  // nor is any other
    addEvenly(*known, static_cast<double>(product(source.grid().cellsOf(at))));
  }
  m_knowsRest = true;
}

double ValueCounts::binOf(double value) const {
  const double bin = (value - m_range[0]) / (m_range[1] - m_range[0]) * static_cast<double>(kBins);
  return std::clamp(bin, 0.0, static_cast<double>(kBins - 1));
}

/// As if all values of the range were as frequent.
void ValueCounts::addEvenly(const paging::ValueRange& range, double weight) {
  if (range.empty()) return;
  const auto from = static_cast<std::size_t>(binOf(range.min)),
             to = static_cast<std::size_t>(binOf(range.max));
  const double each = weight / static_cast<double>(to - from + 1);
  m_changes[from] += each;
  m_changes[to + 1] -= each;
}

void ValueCounts::add(std::int64_t number, const Brick& brick) {
  {
    const std::lock_guard lock(m_mutex);
    if (m_seen[static_cast<std::size_t>(number)]) return;
  }
  const Index3 at = unlinear(number, m_source.grid().bricks());
  const Index3& cells = brick.cells();
  // Nodes that bricks share count once; those in the last faces are of the last bricks.
  Index3 last = cells;
  for (std::size_t a = 0; a < 3; ++a) last[a] += at[a] + 1 == m_source.grid().bricks()[a];
  const std::int64_t stride = last[1] * last[2] > kFewRows ? kStride : 1;
  std::vector<std::uint32_t> counts(kBins);
  std::int64_t nodes = 0;
  for (std::int64_t k = 1; k <= last[2]; ++k)
    for (std::int64_t j = 1; j <= last[1]; ++j) {
      // Through all layers along j and along k: of a flat grid the first one may lie outside of the data.
      if ((j + 2 * k) % stride != 0) continue;
      nodes += last[0];
      const auto first = static_cast<std::size_t>(1 + kBrickSide * (j + kBrickSide * k));
      switch (brick.format().type) {
        case BrickType::U8:
          countRow<std::uint8_t>(brick, first, last[0], m_range, counts);
          break;
        case BrickType::U16:
          countRow<std::uint16_t>(brick, first, last[0], m_range, counts);
          break;
        case BrickType::F32:
          countRow<float>(brick, first, last[0], m_range, counts);
          break;
      }
    }
  const double weight = static_cast<double>(product(cells)) / static_cast<double>(nodes);
  const auto known = m_source.range(at);
  const std::lock_guard lock(m_mutex);
  if (m_seen[static_cast<std::size_t>(number)]) return;
  m_seen[static_cast<std::size_t>(number)] = true;
  ++m_seenCount;
  for (std::size_t bin = 0; bin < kBins; ++bin) m_counts[bin] += weight * static_cast<double>(counts[bin]);
  if (known) addEvenly(*known, -static_cast<double>(product(cells)));
}

std::size_t ValueCounts::seen() const {
  const std::lock_guard lock(m_mutex);
  return m_seenCount;
}

scene::VolumeHistogram ValueCounts::histogram() const {
  scene::VolumeHistogram histogram{m_range, std::vector<std::uint64_t>(kBins)};
  const std::lock_guard lock(m_mutex);
  double told = 0;
  for (std::size_t bin = 0; bin < kBins; ++bin) {
    told += m_changes[bin];
    histogram.counts[bin] = static_cast<std::uint64_t>(std::max(0.0, std::round(m_counts[bin] + told)));
  }
  return histogram;
}

}  // namespace farfield::volume
