#pragma once
// Times as dates: what numbers mean in units such as "seconds since 1970-01-01", by the calendars of the CF conventions
// (cfconventions.org, chapter 4.4). For people: sessions, statistics and tables for programs keep the numbers.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/paging/pages/description.h"

namespace farfield::fields {

class Dates {
 public:
  /// Of units that count from a date, in a calendar that has such a date; empty calendars are the standard one. None of anything else: of
  /// "month" and "year", too, where these are means of unequal lengths (a number of them is no date), and of unknown calendars.
  static std::optional<Dates> of(std::string_view units, std::string_view calendar);
  /// By the attributes "time.units" and "time.calendar".
  static std::optional<Dates> of(const paging::DatasetDescription& data);

  /// Whether dates of these are written to the minute, the second, or in parts of it.
  enum class Digits : std::uint8_t { Minutes, Seconds, Parts };

  /// "2016-02-02 12:00", to the second or a part of it where there are any, or where `least` wants them. Times of day are those of
  /// Greenwich, as a zone of the units is taken into account. Nothing of a number that is beyond all dates, or none.
  std::optional<std::string> said(double time, Digits least = Digits::Minutes) const;
  Digits digitsOf(double time) const;

  /// What `others` count to the moment at which these count to `time`. None if the two calendars number days in different ways.
  std::optional<double> timeIn(const Dates& others, double time) const;

  enum class Calendar : std::uint8_t { Standard, Gregorian, Julian, NoLeap, AllLeap, Days360 };

 private:
  struct Moment {
    std::int64_t day = 0;          ///< from year 0 of the calendar on
    std::int64_t nanoseconds = 0;  ///< of the day
  };
  std::optional<Moment> momentOf(double time) const;

  Calendar m_calendar = Calendar::Standard;
  Moment m_origin;
  std::int64_t m_unitDays = 0, m_unitNanoseconds = 0;  ///< one of them is 0
};

/// The date of `step`, with as many digits as those of other steps; nothing where times are no dates. `step` must be one of the data.
std::optional<std::string> saidDate(const paging::DatasetDescription& data, std::int64_t step);
/// The date; or the number, rounded, with the units that the data name.
std::string saidTime(const paging::DatasetDescription& data, std::int64_t step);
/// "2001-01-16 00:00 … 2002-12-16 00:00", of all steps.
std::string saidTimes(const paging::DatasetDescription& data);

}  // namespace farfield::fields
