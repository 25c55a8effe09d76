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

/// The nodes of one page, checked and decoded, without padding. Throws what the source reports, Corrupt.
std::vector<std::byte> fetchNodes(PageSource& source, std::uint32_t array, std::uint64_t page);

}  // namespace farfield::paging
