#include "app/first/flow_at_rest.h"

#include <algorithm>
#include <array>

#include "core/fields/functions/vector_parts.h"

namespace farfield::app {
namespace {

bool isSeenAsZero(const DataSummary& data, const std::string& function) {
  constexpr std::array<double, 2> kZero{0, 0};
  if (const auto known = data.seenRanges.find(function); known != data.seenRanges.end())
    return known->second == kZero;
  const auto seen = fields::seenRangeOf(data.seenNodes, data.description, function);
  return seen && seen->all == kZero;
}

}  // namespace

bool restsAtFirst(const DataSummary& data, const std::vector<std::string>& vector) {
  if (vector.size() == 1)
    return isSeenAsZero(data, vector.front() + "-magnitude") ||
           isSeenAsZero(data, fields::magnitudeOf(vector.front()));
  return !vector.empty() && std::all_of(vector.begin(), vector.end(), [&](const std::string& part) {
    return part == "0" || isSeenAsZero(data, part);
  });
}

}  // namespace farfield::app
