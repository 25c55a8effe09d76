#include "app/model/fields/known_values.h"

#include <algorithm>
#include <cmath>

#include "app/first/first_objects.h"
#include "app/model/fields/field_maker.h"
#include "core/base/float_digits.h"

namespace farfield::app {
namespace {

QString numberText(double number) {
  return QString::number(withFloatDigits(number), 'g', 5);
}

}  // namespace

std::optional<std::array<double, 2>> knownValues(const FieldSurroundings& surroundings,
                                                 const std::string& function) {
  const WholeRange& whole = surroundings.wholeRange;
  if (whole.isWhole) return whole.ends;
  auto range = surroundings.data ? usualRange(*surroundings.data, function) : std::nullopt;
  for (const auto& more : {whole.ends, surroundings.shownValues})
    if (more && std::isfinite((*more)[0]) && std::isfinite((*more)[1]))
      range =
          range ? std::array{std::min((*range)[0], (*more)[0]), std::max((*range)[1], (*more)[1])} : *more;
  return range;
}

QString knownValuesText(const FieldSurroundings& surroundings, const std::string& function) {
  const WholeRange& whole = surroundings.wholeRange;
  const auto range = knownValues(surroundings, function);
  QString text;
  if (!range)
    text = whole.isWhole ? tr("none: it has no value anywhere") : tr("none");
  else if ((*range)[0] == (*range)[1])
    text = whole.isWhole ? tr("%1 everywhere").arg(numberText((*range)[0])) : numberText((*range)[0]);
  else if (isOneFloat((*range)[0], (*range)[1]))
    text = tr("%1, but for rounding").arg(numberText(0.5 * (*range)[0] + 0.5 * (*range)[1]));
  else
    text = tr("%1 to %2").arg(numberText((*range)[0]), numberText((*range)[1]));
  if (whole.isWhole) return text;
  if (whole.isLooking)
    return tr("%1 so far (%2 % looked through)").arg(text).arg(std::floor(100 * whole.part), 0, 'f', 0);
  return range ? tr("%1 at least").arg(text) : tr("none before all are read: the value has no slider");
}

}  // namespace farfield::app
