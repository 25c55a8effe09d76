#pragma once
// What is said of lines whose velocity is in units other than those of the axes and the steps (app/first/line_units.h).

#include <QString>

#include "app/first/data_summary.h"
#include "core/session/session.h"

namespace farfield::app {

/// Empty: nothing, as of objects that follow no velocity.
QString wordsOfUnits(const session::Object& object, const DataSummary& data);

}  // namespace farfield::app
