#include "render/volume/enhanced_bricks.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace farfield::volume {
namespace {

template <class Value>
void enhance(const Brick& before, double times, std::size_t at, std::size_t count, Brick& brick) {
  for (std::size_t n = at; n < at + count; ++n) {
    Value now, then;
    std::memcpy(&now, brick.data() + n * sizeof(Value), sizeof(Value));
    std::memcpy(&then, before.data() + n * sizeof(Value), sizeof(Value));
    double value = static_cast<double>(now) + times * (static_cast<double>(now) - static_cast<double>(then));
    // a factor and an offset of the raw values go through: it is linear, and its weights sum to one
    if constexpr (std::is_integral_v<Value>)
      value = std::round(std::clamp<double>(value, 0, std::numeric_limits<Value>::max()));
    now = static_cast<Value>(value);
    std::memcpy(brick.raw() + n * sizeof(Value), &now, sizeof(Value));
  }
}

}  // namespace

EnhancedBricks::EnhancedBricks(std::unique_ptr<BrickSource> now, std::unique_ptr<BrickSource> before,
                               double times)
    : m_now(std::move(now)), m_before(std::move(before)), m_times(times) {}

std::optional<paging::ValueRange> EnhancedBricks::enhanced(
    const std::optional<paging::ValueRange>& now, const std::optional<paging::ValueRange>& before) const {
  if (!now || !before) return std::nullopt;
  if (now->empty() || before->empty()) return paging::ValueRange{};
  return paging::ValueRange{(1 + m_times) * now->min - m_times * before->max,
                            (1 + m_times) * now->max - m_times * before->min};
}

std::optional<paging::ValueRange> EnhancedBricks::range(const Index3& brick) const {
  return enhanced(m_now->range(brick), m_before->range(brick));
}

std::optional<paging::ValueRange> EnhancedBricks::wholeRange() const {
  return enhanced(m_now->wholeRange(), m_before->wholeRange());
}

std::uint64_t EnhancedBricks::readBytes() const {
  return std::max(m_now->readBytes(), m_before->readBytes()) + Brick::bytesOf(format());
}

void EnhancedBricks::read(const Index3& brick, tasks::TaskContext& context, Brick& out) {
  m_now->read(brick, context, out);
  Brick before(out.format(), out.cells());
  m_before->read(brick, context, before);
  IndexBox all;
  for (std::size_t a = 0; a < 3; ++a) {
    all.first[a] = 0;
    all.size[a] = out.cells()[a] + 3;
  }
  for (std::int64_t k = 0; k < all.size[2]; ++k)
    for (std::int64_t j = 0; j < all.size[1]; ++j) {
      const auto at = static_cast<std::size_t>(kBrickSide * (j + kBrickSide * k));
      const auto count = static_cast<std::size_t>(all.size[0]);
      switch (out.format().type) {
        case BrickType::U8:
          enhance<std::uint8_t>(before, m_times, at, count, out);
          break;
        case BrickType::U16:
          enhance<std::uint16_t>(before, m_times, at, count, out);
          break;
        case BrickType::F32:
          enhance<float>(before, m_times, at, count, out);
          break;
      }
    }
  out.finish(all);
}

}  // namespace farfield::volume
