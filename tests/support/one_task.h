#pragma once
// Calls that only a task may make, in tests.

#include "core/fields/paged/paged_data.h"
#include "core/tasks/scheduler.h"

namespace farfield::test {

/// Runs `work(context)` as the only task over `paged`. Throws what it throws.
template <class Work>
void runOneTask(fields::PagedData& paged, const Work& work) {
  tasks::TaskGroup group;
  group.name = "test";
  group.count = 1;
  group.admission = &paged.admission();
  group.run = [&](std::size_t, tasks::TaskContext& context) { work(context); };
  paged.makeScheduler()->run(group, {});
}

}  // namespace farfield::test
