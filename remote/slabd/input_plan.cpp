#include "remote/slabd/input_plan.h"

#include <algorithm>
#include <cmath>

namespace farfield::remote {
namespace {

/// Times are measured: what lies so little above a whole number is that number.
constexpr double kSlack = 0.05;

std::uint32_t roundedUp(double number) {
  return static_cast<std::uint32_t>(std::clamp(std::ceil(number - kSlack), 1.0, double{kMostRanks}));
}

std::uint32_t groupsOf(const InputPlan& plan) {
  return static_cast<std::uint32_t>(plan.ranks.size()) / plan.together;
}

std::uint32_t groupOf(const InputPlan& plan, std::int64_t step, std::int64_t stride) {
  const std::int64_t turn = step / std::max<std::int64_t>(1, std::abs(stride));
  return static_cast<std::uint32_t>(turn % static_cast<std::int64_t>(groupsOf(plan)));
}

}  // namespace

InputNeed inputNeed(const StepTimes& times) {
  const double read = times.fetch + times.prepare;
  const double slower = std::max(times.send, times.render);
  if (!(slower > 0)) return {};
  InputNeed need;
  if (times.send > times.render && times.render > 0) need.together = roundedUp(times.send / times.render);
  need.groups = roundedUp(read / slower + 1);
  return need;
}

InputNeed bestInputs(const StepTimes& times, double work, std::uint32_t ranks) {
  InputNeed found{0, 1};
  if (times.fetch <= work) return found;
  double best = INFINITY;
  for (std::uint32_t inputs = 1; inputs < ranks; ++inputs) {
    const double interval =
        std::max(work / (ranks - inputs), (times.fetch + times.prepare + times.send) / inputs);
    if (interval >= best) continue;
    best = interval;
    found.groups = inputs;
  }
  return found;
}

InputPlan inputPlan(const std::vector<std::uint32_t>& alive, const InputNeed& need) {
  InputPlan plan;
  if (alive.size() < 2 || need.ranks() == 0) return plan;
  const auto most = static_cast<std::uint32_t>(alive.size()) - 1;
  plan.together = std::min(need.together, most);
  const std::uint32_t count = std::min(need.groups, most / plan.together) * plan.together;
  plan.ranks.assign(alive.end() - count, alive.end());
  return plan;
}

std::uint32_t inputOf(const InputPlan& plan, std::int64_t step, std::int64_t stride, std::int64_t brick,
                      std::int64_t bricks) {
  const std::int64_t member =
      bricks > 0 ? std::clamp<std::int64_t>(brick * plan.together / bricks, 0, plan.together - 1) : 0;
  return plan.ranks[groupOf(plan, step, stride) * plan.together + static_cast<std::size_t>(member)];
}

std::vector<std::int64_t> stepsAhead(const InputPlan& plan, const ShowRequest& request, std::int64_t steps) {
  std::vector<std::int64_t> ahead;
  if (plan.ranks.empty() || request.nextStep < 0 || request.nextStep == request.step) return ahead;
  const std::int64_t stride = strideOf(request);
  for (std::uint32_t n = 1; n <= groupsOf(plan); ++n) {
    const std::int64_t step = request.step + stride * n;
    if (step < 0 || step >= steps) break;
    ahead.push_back(step);
  }
  return ahead;
}

bool readsStep(const InputPlan& plan, std::uint32_t rank, std::int64_t step, std::int64_t stride) {
  if (plan.ranks.empty()) return false;
  const auto first = plan.ranks.begin() + groupOf(plan, step, stride) * plan.together;
  return std::find(first, first + plan.together, rank) != first + plan.together;
}

}  // namespace farfield::remote
