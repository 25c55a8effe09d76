#pragma once
// Reading from a source without tasks, by blocking the calling thread: for loading everything, for single
// look-ups and for tests.

#include <cstdint>
#include <functional>
#include <vector>

#include "core/paging/pages/page_source.h"

namespace farfield::paging {

/// Handles completions, or sleeps where there are none, until done() returns true.
void reapUntil(tasks::Reaper& reaper, const std::function<bool()>& done);

/// The real nodes of one page, checked and decoded. Throws what the source reports, Corrupt.
std::vector<std::byte> fetchNodes(PageSource& source, std::uint32_t array, std::uint64_t page);

}  // namespace farfield::paging
