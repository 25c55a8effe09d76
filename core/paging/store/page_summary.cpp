#include "core/paging/store/page_summary.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <type_traits>

namespace farfield::paging {
namespace {

/// Elements are read in rounds of a whole number of nodes, so that lane n always gets component n %
/// components, and compilers vectorize the inner loop over lanes.
constexpr std::size_t kLanes = 64;

template <class T>
void addElements(const std::byte* from, std::size_t count, std::vector<ValueRange>& ranges, bool& nonFinite) {
  using Limits = std::numeric_limits<T>;
  const std::size_t components = ranges.size();
  const auto addOne = [&](std::size_t n) {
    T value;
    std::memcpy(&value, from + n * sizeof(T), sizeof(T));
    if constexpr (std::is_floating_point_v<T>) {
      if (!std::isfinite(value)) {
        nonFinite = true;
        return;
      }
    }
    ValueRange& range = ranges[n % components];
    range.min = std::min(range.min, static_cast<double>(value));
    range.max = std::max(range.max, static_cast<double>(value));
  };

  std::size_t done = 0;
  if (components <= kLanes) {
    const std::size_t lanes = kLanes / components * components;
    T low[kLanes], high[kLanes], values[kLanes];
    std::fill_n(low, kLanes, Limits::max());
    std::fill_n(high, kLanes, Limits::lowest());
    T poison[kLanes] = {};
    for (; done + lanes <= count; done += lanes) {
      std::memcpy(values, from + done * sizeof(T), lanes * sizeof(T));
      for (std::size_t n = 0; n < lanes; ++n) {
        low[n] = values[n] < low[n] ? values[n] : low[n];
        high[n] = values[n] > high[n] ? values[n] : high[n];
        // x - x is 0 for finite x and NaN otherwise.
        if constexpr (std::is_floating_point_v<T>) poison[n] += values[n] - values[n];
      }
    }
    bool finite = true;
    for (std::size_t n = 0; n < lanes; ++n) finite = finite && poison[n] == T(0);
    if (!finite) {
      done = 0;  // rare: check each value
    } else if (done > 0) {
      for (std::size_t n = 0; n < lanes; ++n) {
        ValueRange& range = ranges[n % components];
        range.min = std::min(range.min, static_cast<double>(low[n]));
        range.max = std::max(range.max, static_cast<double>(high[n]));
      }
    }
  }
  for (; done < count; ++done) addOne(done);
}

}  // namespace

void PageSummary::add(std::span<const std::byte> nodes, ScalarType type) {
  const std::size_t count = nodes.size() / static_cast<std::size_t>(sizeOf(type));
  assert(!components.empty() && count % components.size() == 0);
  switch (type) {
    case ScalarType::F32:
      return addElements<float>(nodes.data(), count, components, hasNonFinite);
    case ScalarType::F64:
      return addElements<double>(nodes.data(), count, components, hasNonFinite);
    case ScalarType::U8:
      return addElements<std::uint8_t>(nodes.data(), count, components, hasNonFinite);
    case ScalarType::I8:
      return addElements<std::int8_t>(nodes.data(), count, components, hasNonFinite);
    case ScalarType::U16:
      return addElements<std::uint16_t>(nodes.data(), count, components, hasNonFinite);
    case ScalarType::I16:
      return addElements<std::int16_t>(nodes.data(), count, components, hasNonFinite);
    case ScalarType::I32:
      return addElements<std::int32_t>(nodes.data(), count, components, hasNonFinite);
  }
}

bool ValueRange::isValid() const {
  return empty() ? *this == ValueRange{} : std::isfinite(min) && std::isfinite(max);
}

bool PageSummary::isWithin(const PageSummary& all) const {
  for (std::size_t c = 0; c < components.size(); ++c) {
    const ValueRange &own = components[c], &wide = all.components[c];
    if (!own.isValid() || (!own.empty() && !(own.min >= wide.min && own.max <= wide.max))) return false;
  }
  return true;
}

void PageSummary::merge(const PageSummary& other) {
  assert(components.size() == other.components.size());
  for (std::size_t c = 0; c < components.size(); ++c) {
    components[c].min = std::min(components[c].min, other.components[c].min);
    components[c].max = std::max(components[c].max, other.components[c].max);
  }
  hasNonFinite = hasNonFinite || other.hasNonFinite;
}

}  // namespace farfield::paging
