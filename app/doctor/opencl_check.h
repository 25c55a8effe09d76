#pragma once
// OpenCL's platforms and devices, asked through the library that is loaded if it is there: the program needs
// none to run.

#include "app/doctor/check.h"

namespace farfield::doctor {

Finding checkOpenCl();

}  // namespace farfield::doctor
