#pragma once
// What is said of units: of lines whose velocity is in others than those of the axes and the steps (app/first/line_units.h), and of lengths.

#include <QString>

#include "app/first/data_summary.h"
#include "core/session/session.h"

namespace farfield::app {

/// Empty: nothing, as of objects that follow no velocity.
QString wordsOfUnits(const session::Object& object, const DataSummary& data);
/// "length [m]" of a length through these data, `power` 2 of an area: where all axes along which they reach are in one unit, which is no
/// angle. Else `what` alone.
QString withLengthUnits(const QString& what, const DataSummary& data, int power = 1);

}  // namespace farfield::app
