#include "plugins/cf/cf_series.h"

#include <algorithm>
#include <limits>

#include "core/base/printable.h"
#include "core/base/stoppable_waits.h"
#include "plugins/cf/cf_packing.h"

namespace farfield::cf {
namespace {

/// What a step of one of several files takes in an array's list.
constexpr std::uint64_t kStepBytes = sizeof(arrays::Piece) + 2 * sizeof(std::vector<arrays::Piece>) +
                                     sizeof(std::shared_ptr<const arrays::Unpacking>) + 32;

/// Whatever is stored is no value.
std::shared_ptr<const arrays::Unpacking> noValues(const arrays::PlacedArray& its) {
  auto none = std::make_shared<arrays::Unpacking>();
  none->type = its.unpacking ? its.unpacking->type : realTypeOf(its.type);
  none->least = std::numeric_limits<double>::max();
  none->greatest = -none->least;
  return none;
}

}  // namespace

void Series::addFile(std::int64_t steps) {
  m_stepsOf.push_back(steps);
  m_steps += steps;
}

void Series::add(std::size_t file, const arrays::Piece& piece, std::int64_t stride,
                 const arrays::PlacedArray& its, arrays::PlacedArray& to, std::int64_t records) {
  const std::int64_t steps = m_stepsOf[file], there = records < 0 ? steps : std::min(records, steps);
  if (m_stepsOf.size() == 1 && there == steps) {
    to.steps.push_back({piece});
    to.stepStride = steps > 1 ? stride : 0;
    return arrays::checkPlaces(to, steps);
  }
  arrays::PlacedArray own = its;
  own.steps = {{piece}};
  own.stepStride = stride;
  arrays::checkPlaces(own, std::max<std::int64_t>(1, there));
  claim(static_cast<std::uint64_t>(std::max<std::int64_t>(0, steps)));
  const auto none = there < steps ? noValues(its) : nullptr;
  for (std::int64_t n = 0; n < steps; ++n) {
    to.steps.push_back({piece});
    if (n < there) to.steps.back().front().offset += static_cast<std::uint64_t>(n * stride);
    to.unpackings.push_back(n < there ? its.unpacking : none);
  }
}

void Series::claim(std::uint64_t steps) {
  StoppableWaits::throwIfStopped();
  m_claims.push_back(m_account.claimInEarnest(Purpose::Index, steps * kStepBytes, "the steps of all files"));
}

void requireStoredAlike(const Variable& variable, const arrays::PlacedArray& its,
                        const arrays::PlacedArray& first) {
  if (its.type != first.type || its.bigEndian != first.bigEndian || its.components != first.components)
    throw Unsupported("stores " + printable(variable.name) +
                          " in another way (type, byte order or components) than the first of the files",
                      "open the files one at a time, or rewrite them alike");
}

void settlePackings(arrays::PlacedArray& array) {
  auto& all = array.unpackings;
  if (all.empty()) return;
  const auto isAsFirst = [&](const std::shared_ptr<const arrays::Unpacking>& its) {
    return its == all.front() || (its && all.front() && *its == *all.front());
  };
  if (std::all_of(all.begin(), all.end(), isAsFirst)) {
    array.unpacking = all.front();
    all.clear();
    return;
  }
  const bool isWide = std::any_of(all.begin(), all.end(),
                                  [](const auto& its) { return its && its->type == ScalarType::F64; });
  std::shared_ptr<const arrays::Unpacking> last, settled;
  for (auto& its : all) {
    // the steps of a file share one
    if (!settled || its != last) {
      auto own = its ? std::make_shared<arrays::Unpacking>(*its) : std::make_shared<arrays::Unpacking>();
      own->type = isWide ? ScalarType::F64 : ScalarType::F32;
      last = its;
      settled = std::move(own);
    }
    its = settled;
  }
  array.unpacking = all.front();
}

}  // namespace farfield::cf
