#pragma once
// Numbers and words as files of comma-separated values have them, with all digits that it takes to read the same number back.

#include <QLocale>
#include <QString>
#include <cmath>

namespace farfield::app {

/// Empty where it is not finite.
inline QString csvNumber(double value) {
  return std::isfinite(value) ? QString::number(value, 'g', QLocale::FloatingPointShortest) : QString();
}

/// In quotes where it has to be.
inline QString csvText(QString text, QChar separator = ',') {
  if (!text.contains(separator) && !text.contains('"') && !text.contains('\n')) return text;
  return '"' + text.replace('"', "\"\"") + '"';
}

}  // namespace farfield::app
