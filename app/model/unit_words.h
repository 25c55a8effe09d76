#pragma once
// What is said of units: of lines whose velocity is in others than those of the axes and the steps (app/first/line_units.h), and of lengths.

#include <QString>

#include "app/first/data_summary.h"
#include "core/session/session.h"

namespace farfield::app {

/// Empty: nothing, as of objects that follow no velocity.
QString wordsOfUnits(const session::Object& object, const DataSummary& data);
/// "m" of lengths through these data, "m²" with `power` 2, of areas: where all axes along which they reach are in one unit, which is no
/// angle. Else empty.
QString lengthUnits(const DataSummary& data, int power = 1);
/// "length [m]", or `what` alone.
QString withLengthUnits(const QString& what, const DataSummary& data, int power = 1);

}  // namespace farfield::app
