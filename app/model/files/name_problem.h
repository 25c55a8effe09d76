#pragma once
// What names of data, objects and views can be.

#include <QString>

namespace farfield::app {

/// What is wrong with `name` as the name of an object or a data set; empty: nothing.
QString nameProblem(const QString& name);

}  // namespace farfield::app
