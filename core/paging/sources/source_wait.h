#pragma once
// Reading from a source without tasks, by blocking the calling thread: for loading everything, single
// look-ups and tests.

#include <cstdint>
#include <functional>
#include <vector>

#include "core/paging/pages/page_source.h"

namespace farfield::paging {

/// Reaps, and sleeps when there is nothing to reap, until done() returns true.
void reapUntil(tasks::Reaper& reaper, const std::function<bool()>& done);

/// The same for requests of `sink`; where the waits of the calling thread are stopped (StoppableWaits), those that have not started end
/// with Cancelled.
void reapUntil(PageSource& source, const PageSink& sink, const std::function<bool()>& done);

/// The nodes of one page, checked and decoded, without padding. Throws what the source reports, Corrupt. Its wait is stopped as that of
/// reapUntil().
std::vector<std::byte> fetchNodes(PageSource& source, std::uint32_t array, std::uint64_t page);

}  // namespace farfield::paging
