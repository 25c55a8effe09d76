#include "render/volume/cell_thickness.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <vector>

#include "core/fields/groups/cell_groups.h"
#include "core/tasks/scheduler.h"

namespace farfield::volume {
namespace {

// Some ten thousand cells, of which a twentieth is told well.
constexpr std::size_t kMostTasks = 32, kMostGroupsOfTask = 8, kMostGroups = 256;
constexpr std::size_t kOneOf = 20;

/// The least of the mean lengths of the edges along i, j and k. Edges without a length are of corners that have come together.
double thicknessOf(const fields::GroupReader& group, const fields::GroupCell& cell) {
  double least = INFINITY;
  for (unsigned along = 1; along < fields::GroupCell::kMostCorners; along <<= 1) {
    double sum = 0;
    int edges = 0;
    for (unsigned corner = 0; corner < fields::GroupCell::kMostCorners; ++corner) {
      if (corner & along) continue;
      const double edge = length(group.point(cell.nodes[corner | along]) - group.point(cell.nodes[corner]));
      if (edge > 0) sum += edge, ++edges;
    }
    if (edges > 0) least = std::min(least, sum / edges);
  }
  return least;
}

}  // namespace

double thicknessOfFineCells(fields::PagedData& data, const fields::FunctionPlan& functions, std::int64_t step,
                            MemoryAccount& account, const std::stop_token& stop) {
  const fields::CellTasks cells(data.description());
  std::vector<std::size_t> numbers;
  for (std::size_t task = 0; task < cells.count(); ++task)
    if (cells.isThere(task, step)) numbers.push_back(task);
  const std::size_t tasks = std::min(numbers.size(), kMostTasks);
  if (tasks == 0) return 0;
  const std::size_t mostGroups = std::max(kMostGroupsOfTask, kMostGroups / tasks);
  const std::uint64_t bytes = fields::CellTasks::groupBytes() + fields::GroupReader::bytesFor(functions) +
                              mostGroups * fields::GroupReader::kMostNodes * sizeof(float);
  std::mutex mutex;
  std::vector<float> thickness;
  MemoryClaim kept =
      account.claim(Purpose::Work, 2 * kMostGroups * fields::GroupReader::kMostNodes * sizeof(float),
                    "seeing how thick cells are");
  tasks::TaskGroup group;
  group.name = "volume";
  group.count = tasks;
  group.admission = &data.admission();
  group.run = [&](std::size_t n, tasks::TaskContext& context) {
    const MemoryClaim claim = account.claim(Purpose::Work, bytes, "seeing how thick cells are");
    const std::size_t task = numbers[(2 * n + 1) * numbers.size() / (2 * tasks)];
    const std::vector<fields::CellGroup> groups = cells.allGroups(task, data.description());
    const std::size_t some = std::min(groups.size(), mostGroups);
    std::vector<float> its;
    fields::GroupReader reader(cells.blockOf(task), data, context, functions, step);
    for (std::size_t g = 0; g < some; ++g) {
      context.throwIfGivenUp();
      reader.open(groups[(2 * g + 1) * groups.size() / (2 * some)]);
      reader.forEachCell(reader.whole(), [&](const fields::GroupCell& cell) {
        const double thick = thicknessOf(reader, cell);
        if (std::isfinite(thick)) its.push_back(static_cast<float>(thick));
      });
    }
    const std::lock_guard lock(mutex);
    thickness.insert(thickness.end(), its.begin(), its.end());
  };
  data.makeScheduler()->run(group, stop);
  if (thickness.empty()) return 0;
  const auto fine = thickness.begin() + static_cast<std::ptrdiff_t>(thickness.size() / kOneOf);
  std::nth_element(thickness.begin(), fine, thickness.end());
  return static_cast<double>(*fine);
}

}  // namespace farfield::volume
