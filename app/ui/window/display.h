#pragma once
// The display that a window needs: whether there is one, and what draws on it.

#include "app/doctor/check.h"

namespace farfield::ui {

/// Throws Unsupported where there is none. Qt ends the program with a page of advice then; a sentence is
/// better.
void requireDisplay();

/// Opens no window but makes what one needs: the program's last act, as Qt can be started once. Throws
/// Unsupported where there is no display, or no OpenGL 3.3 on it.
doctor::DrawingDevice describeDisplay();

}  // namespace farfield::ui
