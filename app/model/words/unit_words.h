#pragma once
// What is said of units: of lines whose velocity is in others than those of the axes and the steps (app/first/line_units.h), and of lengths; and of directions (plugins/cf/cf_turned.h).

#include <QString>

#include "app/first/data_summary.h"
#include "core/session/session.h"

namespace farfield::app {

/// Empty: nothing, as of objects that follow no velocity.
QString wordsOfUnits(const session::Object& object, const DataSummary& data);
/// Of an object whose vector has components along the lines of a turned grid, which are not to the east and to the north. Empty: of any other.
QString wordsOfTurn(const session::Object& object, const DataSummary& data);
/// "m" of lengths through these data, "m²" with `power` 2, of areas: where all axes along which they reach are in one unit, which is no
/// angle. Else empty.
QString lengthUnits(const DataSummary& data, int power = 1);
/// "length [m]", or `what` alone.
QString withLengthUnits(const QString& what, const DataSummary& data, int power = 1);

}  // namespace farfield::app
