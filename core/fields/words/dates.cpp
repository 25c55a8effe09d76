#include "core/fields/words/dates.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <compare>
#include <cstdio>
#include <vector>

#include "core/base/units.h"

namespace farfield::fields {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000, kMinute = 60 * kSecond, kHour = 60 * kMinute,
                       kDay = 24 * kHour;
/// Beyond, nobody means dates; and products of what is within stay far below 64 bits.
constexpr std::int64_t kMostYears = 999'999, kMostDays = 366 * kMostYears;

using Calendar = Dates::Calendar;

std::int64_t floorDivided(std::int64_t number, std::int64_t by) {
  return number / by - (number % by < 0 ? 1 : 0);
}

/// Days from year 0 of a calendar of whole cycles to the first day of `year`.
std::int64_t daysBefore(Calendar calendar, std::int64_t year) {
  const std::int64_t before = year - 1;
  switch (calendar) {
    case Calendar::Days360:
      return 360 * year;
    case Calendar::NoLeap:
      return 365 * year;
    case Calendar::AllLeap:
      return 366 * year;
    case Calendar::Julian:
      return 365 * year + floorDivided(before, 4) + 1;
    case Calendar::Standard:
    case Calendar::Gregorian:
      break;
  }
  return 365 * year + floorDivided(before, 4) - floorDivided(before, 100) + floorDivided(before, 400) + 1;
}

std::int64_t daysOfMonth(Calendar calendar, std::int64_t year, int month) {
  constexpr std::array<std::int64_t, 12> kDays{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (calendar == Calendar::Days360) return 30;
  const bool isLeap = daysBefore(calendar, year + 1) - daysBefore(calendar, year) == 366;
  return kDays[static_cast<std::size_t>(month - 1)] + (month == 2 && isLeap ? 1 : 0);
}

struct Date {
  std::int64_t year = 0;
  int month = 1;
  std::int64_t day = 1;
  auto operator<=>(const Date&) const = default;
};

/// The calendars of the standard one: what was the 5th of October of 1582 in one was the 15th in the other.
constexpr Date kFirstGregorian{1582, 10, 15}, kFirstLeftOut{1582, 10, 5};
/// Both count days from year 0, whose first day differs by two.
constexpr std::int64_t kJulianAhead = -2;

std::int64_t dayOfCycles(Calendar calendar, const Date& date) {
  std::int64_t day = daysBefore(calendar, date.year) + date.day - 1;
  for (int month = 1; month < date.month; ++month) day += daysOfMonth(calendar, date.year, month);
  return day;
}

Date dateOfCycles(Calendar calendar, std::int64_t day) {
  Date date{floorDivided(day, 366)};
  // most years are a little shorter than that: what is left over, counted so again, is off by one year at most
  const auto at = [&] { return daysBefore(calendar, date.year); };
  date.year += floorDivided(day - at(), 366);
  while (at() > day) --date.year;
  while (daysBefore(calendar, date.year + 1) <= day) ++date.year;
  std::int64_t left = day - at();
  for (; left >= daysOfMonth(calendar, date.year, date.month); ++date.month)
    left -= daysOfMonth(calendar, date.year, date.month);
  date.day = left + 1;
  return date;
}

/// None if the calendar has no such date.
std::optional<std::int64_t> dayOf(Calendar calendar, const Date& date) {
  const bool isStandard = calendar == Calendar::Standard;
  const bool isEarly = isStandard && date < kFirstGregorian;
  if (isEarly && date >= kFirstLeftOut) return std::nullopt;
  const Calendar cycles = isEarly ? Calendar::Julian : calendar;
  if (date.month < 1 || date.month > 12 || date.day < 1 ||
      date.day > daysOfMonth(cycles, date.year, date.month))
    return std::nullopt;
  return dayOfCycles(cycles, date) + (isEarly ? kJulianAhead : 0);
}

Date dateOf(Calendar calendar, std::int64_t day) {
  if (calendar != Calendar::Standard) return dateOfCycles(calendar, day);
  const Date date = dateOfCycles(Calendar::Gregorian, day);
  return date < kFirstGregorian ? dateOfCycles(Calendar::Julian, day - kJulianAhead) : date;
}

std::string lower(std::string_view text) {
  std::string made(text);
  std::transform(made.begin(), made.end(), made.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return made;
}

std::optional<Calendar> calendarNamed(std::string_view name) {
  const std::string known = lower(name);
  if (known.empty() || known == "standard" || known == "gregorian") return Calendar::Standard;
  if (known == "proleptic_gregorian") return Calendar::Gregorian;
  if (known == "julian") return Calendar::Julian;
  if (known == "noleap" || known == "365_day") return Calendar::NoLeap;
  if (known == "all_leap" || known == "366_day") return Calendar::AllLeap;
  if (known == "360_day") return Calendar::Days360;
  return std::nullopt;
}

/// Nanoseconds; or days, from one day on.
struct Unit {
  std::int64_t days = 0, nanoseconds = 0;
};

/// By the names of UDUNITS.
std::optional<Unit> unitNamed(const std::string& name, Calendar calendar) {
  const auto is = [&](std::initializer_list<const char*> names) {
    return std::any_of(names.begin(), names.end(), [&](const char* known) { return name == known; });
  };
  if (is({"day", "days", "d"})) return Unit{1, 0};
  if (is({"hour", "hours", "hr", "hrs", "h"})) return Unit{0, kHour};
  if (is({"minute", "minutes", "min", "mins"})) return Unit{0, kMinute};
  if (is({"second", "seconds", "sec", "secs", "s"})) return Unit{0, kSecond};
  if (is({"millisecond", "milliseconds", "millisec", "millisecs", "msec", "msecs", "ms"}))
    return Unit{0, 1'000'000};
  if (is({"microsecond", "microseconds", "microsec", "microsecs", "us"})) return Unit{0, 1'000};
  if (is({"nanosecond", "nanoseconds", "nsec", "nsecs", "ns"})) return Unit{0, 1};
  if (is({"week", "weeks"})) return Unit{7, 0};
  // elsewhere they are means of unequal lengths
  const bool isMonth = is({"month", "months"}), isYear = is({"year", "years", "yr", "yrs"});
  if (calendar == Calendar::Days360 && (isMonth || isYear)) return Unit{isMonth ? 30 : 360, 0};
  if (calendar == Calendar::NoLeap && is({"common_year", "common_years"})) return Unit{365, 0};
  return std::nullopt;
}

/// Reads a text from its beginning on.
class Words {
 public:
  explicit Words(std::string_view text) : m_text(text) {}

  bool isAtEnd() const { return m_text.empty(); }
  bool take(char letter) {
    if (m_text.empty() || m_text.front() != letter) return false;
    m_text.remove_prefix(1);
    return true;
  }
  bool isAtDigit() const {
    return !m_text.empty() && std::isdigit(static_cast<unsigned char>(m_text.front()));
  }
  bool takeBlanks() {
    const std::size_t blanks = std::min(m_text.find_first_not_of(' '), m_text.size());
    m_text.remove_prefix(blanks);
    return blanks > 0;
  }
  bool takeWord(std::string_view word) {
    if (!m_text.starts_with(word)) return false;
    m_text.remove_prefix(word.size());
    return true;
  }
  /// A whole number of at most `digits` digits.
  std::optional<std::int64_t> number(std::size_t digits) {
    std::size_t count = 0;
    std::int64_t value = 0;
    for (; count < m_text.size() && std::isdigit(static_cast<unsigned char>(m_text[count])); ++count) {
      if (count == digits) return std::nullopt;
      value = 10 * value + (m_text[count] - '0');
    }
    if (count == 0) return std::nullopt;
    m_text.remove_prefix(count);
    return value;
  }
  /// Digits behind a point, as nanoseconds; what is smaller is left out.
  std::int64_t parts() {
    std::int64_t value = 0, place = kSecond / 10;
    for (; !m_text.empty() && std::isdigit(static_cast<unsigned char>(m_text.front())); place /= 10) {
      value += (m_text.front() - '0') * place;
      m_text.remove_prefix(1);
    }
    return value;
  }

 private:
  std::string_view m_text;
};

struct Reading {
  Date date;
  std::int64_t nanoseconds =
      0;  ///< from the date's midnight of Greenwich; of a zone also below 0 or beyond a day
};

/// "12:30:00.5"; a time that ends before it is one of whole minutes or hours.
std::optional<std::int64_t> timeOfDay(Words& words) {
  const auto hour = words.number(2);
  if (!hour || *hour > 24) return std::nullopt;
  std::int64_t time = *hour * kHour;
  for (const std::int64_t unit : {kMinute, kSecond}) {
    if (!words.take(':')) break;
    const auto number = words.number(2);
    if (!number || *number > 60) return std::nullopt;
    time += *number * unit;
    if (unit == kSecond && words.take('.')) time += words.parts();
  }
  return time;
}

/// "+01:00", "-6", "+0530": how far clocks are ahead of those of Greenwich.
std::optional<std::int64_t> zoneOf(Words& words) {
  if (words.takeWord("utc") || words.takeWord("gmt") || words.take('z') || words.isAtEnd()) return 0;
  const bool isBehind = words.take('-');
  if (!isBehind) words.take('+');
  auto hours = words.number(4);
  if (!hours) return std::nullopt;
  std::int64_t minutes = 0;
  if (words.take(':')) {
    const auto said = words.number(2);
    if (!said) return std::nullopt;
    minutes = *said;
  } else if (*hours >= 100) {
    minutes = *hours % 100;
    hours = *hours / 100;
  }
  if (*hours > 24 || minutes > 59) return std::nullopt;
  const std::int64_t zone = *hours * kHour + minutes * kMinute;
  return isBehind ? -zone : zone;
}

/// "1970-01-01", "2001-1-1 0:0:0", "1950-01-01T00:00:00Z", "1990-1-1 12:00 -6:00".
std::optional<Reading> readingOf(const std::string& text) {
  Words words(text);
  Reading reading;
  const bool isEarly = words.take('-');
  const auto year = words.number(6);
  if (!year || !words.take('-')) return std::nullopt;
  const auto month = words.number(2);
  if (!month || !words.take('-')) return std::nullopt;
  const auto day = words.number(2);
  if (!day) return std::nullopt;
  reading.date = {isEarly ? -*year : *year, static_cast<int>(*month), *day};
  const bool isParted = words.take('t') || words.takeBlanks();
  if (isParted && words.isAtDigit()) {
    const auto time = timeOfDay(words);
    if (!time) return std::nullopt;
    reading.nanoseconds = *time;
  }
  words.takeBlanks();
  const auto zone = zoneOf(words);
  if (!zone) return std::nullopt;
  reading.nanoseconds -= *zone;
  words.takeBlanks();
  if (!words.isAtEnd()) return std::nullopt;
  return reading;
}

}  // namespace

std::optional<Dates> Dates::of(std::string_view units, std::string_view calendar) {
  const std::string text = lower(units);
  constexpr std::string_view kSince = " since ";
  const std::size_t since = text.find(kSince);
  const auto known = calendarNamed(calendar);
  if (since == std::string::npos || !known) return std::nullopt;
  const auto unit = unitNamed(text.substr(0, since), *known);
  const auto from = readingOf(text.substr(since + kSince.size()));
  if (!unit || !from) return std::nullopt;
  const auto day = dayOf(*known, from->date);
  if (!day) return std::nullopt;
  Dates dates;
  dates.m_calendar = *known;
  dates.m_origin = {*day, from->nanoseconds};
  dates.m_unitDays = unit->days;
  dates.m_unitNanoseconds = unit->nanoseconds;
  return dates;
}

std::optional<Dates> Dates::of(const paging::DatasetDescription& data) {
  const auto said = [&](const char* name) {
    const auto found = data.attributes.find(name);
    return found == data.attributes.end() ? std::string_view() : std::string_view(found->second);
  };
  return of(said("time.units"), said("time.calendar"));
}

std::optional<Dates::Moment> Dates::momentOf(double time) const {
  const double inDays = m_unitDays > 0 ? static_cast<double>(m_unitDays)
                                       : static_cast<double>(m_unitNanoseconds) / static_cast<double>(kDay);
  constexpr double kMostUnits = 9e18;  // what 64 bits hold
  if (!(std::abs(time) <= kMostUnits) || !(std::abs(time) * inDays <= static_cast<double>(kMostDays)))
    return std::nullopt;
  const auto whole = static_cast<std::int64_t>(std::floor(time));
  const double part = time - std::floor(time);
  Moment moment = m_origin;
  if (m_unitDays > 0) {
    moment.day += whole * m_unitDays;
    moment.nanoseconds += std::llround(part * static_cast<double>(m_unitDays * kDay));
  } else {
    const std::int64_t perDay = kDay / m_unitNanoseconds, days = floorDivided(whole, perDay);
    moment.day += days;
    moment.nanoseconds += (whole - days * perDay) * m_unitNanoseconds +
                          std::llround(part * static_cast<double>(m_unitNanoseconds));
  }
  // A third of a day is eight hours, though no number says it to the nanosecond.
  const std::int64_t grain = m_unitDays > 0 || m_unitNanoseconds > kSecond
                                 ? kSecond
                                 : std::max<std::int64_t>(1, m_unitNanoseconds / 1000);
  moment.nanoseconds = floorDivided(moment.nanoseconds + grain / 2, grain) * grain;
  const std::int64_t days = floorDivided(moment.nanoseconds, kDay);
  moment.day += days;
  moment.nanoseconds -= days * kDay;
  return moment;
}

std::optional<double> Dates::timeIn(const Dates& others, double time) const {
  // those that leap alike number days alike, whatever they call the early ones
  const auto days = [](Calendar calendar) {
    return calendar == Calendar::Gregorian ? Calendar::Standard : calendar;
  };
  if (days(m_calendar) != days(others.m_calendar)) return std::nullopt;
  const auto unit = [](const Dates& dates) {
    return dates.m_unitDays > 0 ? static_cast<long double>(dates.m_unitDays) * static_cast<long double>(kDay)
                                : static_cast<long double>(dates.m_unitNanoseconds);
  };
  const long double from =
      static_cast<long double>(m_origin.day - others.m_origin.day) * static_cast<long double>(kDay) +
      static_cast<long double>(m_origin.nanoseconds - others.m_origin.nanoseconds);
  const long double all = static_cast<long double>(time) * unit(*this) + from;
  return static_cast<double>(all / unit(others));
}

Dates::Digits Dates::digitsOf(double time) const {
  const auto moment = momentOf(time);
  if (!moment || moment->nanoseconds % kMinute == 0) return Digits::Minutes;
  return moment->nanoseconds % kSecond == 0 ? Digits::Seconds : Digits::Parts;
}

std::optional<std::string> Dates::said(double time, Digits least) const {
  const auto moment = momentOf(time);
  if (!moment) return std::nullopt;
  const Date date = dateOf(m_calendar, moment->day);
  const Digits digits = std::max(least, digitsOf(time));
  const auto number = [](std::int64_t value, int width) {
    char text[32];
    std::snprintf(text, sizeof text, "%0*lld", width, static_cast<long long>(value));
    return std::string(text);
  };
  const std::int64_t inDay = moment->nanoseconds, parts = inDay % kSecond;
  std::string text = (date.year < 0 ? "-" : "") + number(std::abs(date.year), 4) + "-" +
                     number(date.month, 2) + "-" + number(date.day, 2) + " " + number(inDay / kHour, 2) +
                     ":" + number(inDay % kHour / kMinute, 2);
  if (digits == Digits::Minutes) return text;
  text += ":" + number(inDay % kMinute / kSecond, 2);
  if (digits == Digits::Seconds) return text;
  constexpr std::int64_t kThousand = 1000, kMillion = kThousand * kThousand;
  if (parts % kMillion == 0) return text + "." + number(parts / kMillion, 3);
  return text + "." + (parts % kThousand == 0 ? number(parts / kThousand, 6) : number(parts, 9));
}

std::optional<std::string> saidDate(const paging::DatasetDescription& data, std::int64_t step) {
  const auto dates = Dates::of(data);
  const std::vector<double>& times = data.times;
  if (!dates || times.empty()) return std::nullopt;
  // Of some for all: they are to be alike, and one that has more is said as it is.
  const auto digits = std::max({dates->digitsOf(times.front()), dates->digitsOf(times[times.size() / 2]),
                                dates->digitsOf(times.back())});
  return dates->said(times[static_cast<std::size_t>(step)], digits);
}

std::string saidTime(const paging::DatasetDescription& data, std::int64_t step) {
  if (auto date = saidDate(data, step)) return *date;
  const auto units = data.attributes.find("time.units");
  return formatRounded(data.times.empty() ? static_cast<double>(step)
                                          : data.times[static_cast<std::size_t>(step)]) +
         (units == data.attributes.end() ? "" : " " + units->second);
}

std::string saidTimes(const paging::DatasetDescription& data) {
  const std::string last = saidTime(data, data.steps() - 1);
  if (data.steps() < 2) return last;
  if (saidDate(data, 0)) return saidTime(data, 0) + " … " + last;
  return formatRounded(data.times.front()) + " … " + last;
}

}  // namespace farfield::fields
