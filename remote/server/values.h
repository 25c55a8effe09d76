#pragma once
// A hyperslab of values for a client: start, count and stride along step, k, j and i.

#include <stop_token>

#include "remote/server/page_desk.h"

namespace farfield::remote {

/// count[0]·count[1]·count[2]·count[3] nodes, i fastest, in the array's own type. Waits. Throws Invalid if it
/// is not inside the array, is more than kMostValueBytes, or lies in more than some thousands of pages or a gigabyte of
/// values, in all its steps together; Cancelled soon after `stop` is asked for; what reading throws.
Bytes valuesOf(PageDesk& desk, const std::shared_ptr<ServedSet>& set, const ValuesRequest& request,
               const std::stop_token& stop);

}  // namespace farfield::remote
