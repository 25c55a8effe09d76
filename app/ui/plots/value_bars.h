#pragma once
// How often values occur, as bars of a curve view.

#include <QString>

#include "app/model/workshop/value_histogram.h"
#include "app/ui/plots/curve_view.h"

namespace farfield::ui {

/// As many digits as a sentence has.
QString shortNumber(double value);

/// Bars from `least` to `greatest`. What is one value is one bar, in the middle of an axis around it.
void setBars(Curve& curve, const app::ValueHistogram& found, double least, double greatest);

}  // namespace farfield::ui
