#pragma once
// The picture of life lines: a row for each thread, in which each column says how the thread spent that time;
// how many tasks were in flight and waited, and how many reads were on their way; and the lives of a few
// tasks, one below the other.

#include <functional>
#include <memory>
#include <string>

#include "app/lifelines/canvas.h"
#include "app/lifelines/life_lines.h"

namespace farfield::lifelines {

/// Columns that a picture `width` pixels wide has room for.
int columnsOf(int width);

/// Makes a canvas as high as is needed and draws `lines`, which have columnsOf(width) columns, on it.
std::unique_ptr<Canvas> drawLifeLines(const LifeLines& lines, const std::string& title, int width,
                                      const std::function<std::unique_ptr<Canvas>(int, int)>& makeCanvas);

}  // namespace farfield::lifelines
