#pragma once
// A hyperslab of values for a client: start, count and stride along step, k, j and i.

#include "remote/server/page_desk.h"

namespace farfield::remote {

/// count[0]·count[1]·count[2]·count[3] nodes, i fastest, in the array's own type. Waits. Throws Invalid if it
/// is not inside the array, or more than kMostValueBytes or some thousands of pages; what reading throws.
Bytes valuesOf(PageDesk& desk, const std::shared_ptr<ServedSet>& set, const ValuesRequest& request);

}  // namespace farfield::remote
