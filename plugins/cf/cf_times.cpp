#include "plugins/cf/cf_times.h"

#include "core/fields/words/dates.h"

namespace farfield::cf {

bool timesIn(const Variable& wanted, const Variable& theirs, std::vector<double>& times) {
  const std::string units = wanted.textOf("units"), its = theirs.textOf("units"),
                    calendar = wanted.textOf("calendar"), itsCalendar = theirs.textOf("calendar");
  if (units == its && calendar == itsCalendar) return true;
  const auto from = fields::Dates::of(its, itsCalendar), to = fields::Dates::of(units, calendar);
  if (!from || !to || !from->timeIn(*to, 0)) return false;
  for (double& time : times) time = *from->timeIn(*to, time);
  return true;
}

}  // namespace farfield::cf
