#pragma once
// What becomes of an object that is given to other data.

#include "app/first/data_summary.h"
#include "core/session/session.h"

namespace farfield::app {

/// Makes `object`, which showed `before`, suit `after`: what it began with gives way to what a new one begins with there. What somebody
/// chose stays.
void suitOtherData(session::Object& object, const DataSummary& before, const DataSummary& after);

}  // namespace farfield::app
