// Times as dates, in all calendars of the CF conventions.

#include <QTest>
#include <array>
#include <cmath>
#include <limits>

#include "core/fields/words/dates.h"

using namespace farfield;
using fields::Dates;

namespace {

QString said(const char* units, const char* calendar, double time) {
  const auto dates = Dates::of(units, calendar);
  if (!dates) return "no dates";
  return QString::fromStdString(dates->said(time).value_or("no date"));
}

paging::DatasetDescription data(const char* units, const char* calendar, std::vector<double> times) {
  paging::DatasetDescription made;
  made.times = std::move(times);
  made.attributes["time.units"] = units;
  if (*calendar) made.attributes["time.calendar"] = calendar;
  return made;
}

}  // namespace

class TestDates : public QObject {
  Q_OBJECT
 private slots:
  void numbersAreDates_data();
  void numbersAreDates();
  void daysFollowOneAnother_data();
  void daysFollowOneAnother();
  void hostileNumbersAreNone();
  void stepsAreSaidAlike();
  void unitsBecomeOthers();
};

void TestDates::numbersAreDates_data() {
  QTest::addColumn<QByteArray>("units");
  QTest::addColumn<QByteArray>("calendar");
  QTest::addColumn<double>("time");
  QTest::addColumn<QString>("date");
  auto row = [n = 0](const char* units, const char* calendar, double time, const char* date) mutable {
    QTest::addRow("%d %s", n++, units) << QByteArray(units) << QByteArray(calendar) << time << QString(date);
  };
  row("seconds since 1970-01-01 00:00:00", "gregorian", 1454414400, "2016-02-02 12:00");
  row("seconds since 1970-01-01", "", 1454414401, "2016-02-02 12:00:01");
  row("seconds since 1970-01-01", "", 0.25, "1970-01-01 00:00:00.250");
  row("seconds since 1970-01-01", "", -1, "1969-12-31 23:59:59");
  row("milliseconds since 1970-01-01", "", 1454414400123, "2016-02-02 12:00:00.123");
  row("microseconds since 1970-01-01", "", 1454414400000001, "2016-02-02 12:00:00.000001");
  row("nanoseconds since 1970-01-01", "", 1, "1970-01-01 00:00:00.000000001");
  row("days since 2001-1-1", "360_day", 15, "2001-01-16 00:00");
  row("days since 2001-1-1", "360_day", 59, "2001-02-30 00:00");
  row("days since 2001-1-1", "360_day", 705, "2002-12-16 00:00");
  row("months since 2001-1-1", "360_day", 13.5, "2002-02-16 00:00");
  row("years since 2001-1-1", "360_day", -0.5, "2000-07-01 00:00");
  row("common_years since 2001-1-1", "noleap", 100, "2101-01-01 00:00");
  row("days since 2000-02-28", "noleap", 1, "2000-03-01 00:00");
  row("days since 2000-02-28", "365_day", 365, "2001-02-28 00:00");
  row("days since 2001-02-28", "all_leap", 1, "2001-02-29 00:00");
  row("days since 2001-02-28", "366_day", 366, "2002-02-28 00:00");
  row("days since 1900-02-28", "julian", 1, "1900-02-29 00:00");
  row("days since 1900-02-28", "proleptic_gregorian", 1, "1900-03-01 00:00");
  row("days since 1582-10-04", "standard", 1, "1582-10-15 00:00");
  row("days since 1582-10-15", "GREGORIAN", -1, "1582-10-04 00:00");
  row("days since 1582-10-04", "proleptic_gregorian", 1, "1582-10-05 00:00");
  // as the same number is a date of two days less in the calendar that is Gregorian from the beginning
  row("days since 1-1-1 00:00:0.0", "standard", 730121, "2000-01-01 00:00");
  row("days since 1-1-1", "proleptic_gregorian", 730119, "2000-01-01 00:00");
  // midday of the day that Julian day numbers begin with
  row("days since -4712-01-01 12:00", "standard", 2451545, "2000-01-01 12:00");
  row("days since 0000-01-01 00:00:00", "noleap", 15.5, "0000-01-16 12:00");
  row("hours since 1800-01-01 00:00:0.0", "", 1893408, "2016-01-01 00:00");
  row("Hours Since 1900-1-1T06:30Z", "", 0.5, "1900-01-01 07:00");
  row("minutes since 1990-01-01 12:00 -06:00", "", 1, "1990-01-01 18:01");
  row("minutes since 1990-01-01 00:00:00 +0530", "", 0, "1989-12-31 18:30");
  row("weeks since 1990-01-01 UTC", "", 1, "1990-01-08 00:00");
  row("days since 2000-01-01", "", 1.0 / 3, "2000-01-01 08:00");
  row("days since 2000-01-01", "", 366 - 1e-9, "2001-01-01 00:00");
  // what is no date
  row("second", "", 1, "no dates");
  row("", "", 1, "no dates");
  row("months since 2001-1-1", "gregorian", 1, "no dates");
  row("years since 2001-1-1", "", 1, "no dates");
  row("days since 2001-1-1", "none", 1, "no dates");
  row("days since 2001-1-1", "tai", 1, "no dates");
  row("days since 2001-02-29", "", 1, "no dates");
  row("days since 2001-02-31", "360_day", 1, "no dates");
  row("days since 1582-10-10", "standard", 1, "no dates");
  row("days since 2001-13-01", "", 1, "no dates");
  row("days since 2001-00-01", "", 1, "no dates");
  row("days since 2001-1-1 12:00 and more", "", 1, "no dates");
  row("days since 2001-1-1 25:00", "", 1, "no dates");
  row("days since yesterday", "", 1, "no dates");
  row("days since 20010101", "", 1, "no dates");
  row("parsecs since 2001-1-1", "", 1, "no dates");
}

void TestDates::numbersAreDates() {
  QFETCH(QByteArray, units);
  QFETCH(QByteArray, calendar);
  QFETCH(double, time);
  QTEST(said(units.constData(), calendar.constData(), time), "date");
}

void TestDates::daysFollowOneAnother_data() {
  QTest::addColumn<QString>("calendar");
  for (const char* const calendar :
       {"standard", "proleptic_gregorian", "julian", "noleap", "all_leap", "360_day"})
    QTest::newRow(calendar) << calendar;
}

/// Two thousand years and more, counted by hand from year -10 on.
void TestDates::daysFollowOneAnother() {
  QFETCH(QString, calendar);
  const QByteArray name = calendar.toLatin1();
  const auto dates = Dates::of("days since -0010-01-01", name.constData());
  QVERIFY(dates);
  int year = -10, month = 1, day = 1;
  const auto isLeap = [&] {
    const bool everyFourth = year % 4 == 0;
    if (calendar == "all_leap") return true;
    if (calendar == "noleap") return false;
    if (calendar == "julian" || (calendar == "standard" && year < 1582)) return everyFourth;
    return everyFourth && (year % 100 != 0 || year % 400 == 0);
  };
  for (int n = 0; n < 800'000; ++n) {
    char text[32];
    std::snprintf(text, sizeof text, "%s%04d-%02d-%02d 00:00", year < 0 ? "-" : "", std::abs(year), month,
                  day);
    const auto found = dates->said(n);
    if (!found || *found != text) QCOMPARE(QString::fromStdString(found.value_or("none")), QString(text));
    std::array<int, 12> days{31, isLeap() ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (calendar == "360_day") days.fill(30);
    ++day;
    if (calendar == "standard" && year == 1582 && month == 10 && day == 5) day = 15;
    if (day > days[static_cast<std::size_t>(month - 1)]) day = 1, ++month;
    if (month > 12) month = 1, ++year;
  }
}

void TestDates::hostileNumbersAreNone() {
  using Limits = std::numeric_limits<double>;
  for (const char* const units : {"nanoseconds since 2000-01-01", "seconds since 2000-01-01",
                                  "days since 999999-12-31 24:60:60 -24", "weeks since -999999-01-01"})
    for (const char* const calendar : {"standard", "proleptic_gregorian", "julian", "noleap", "360_day"})
      for (const double time : {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(), Limits::max(),
                                Limits::lowest(), 1e19, -1e19, 1e16, -1e16})
        if (const QString date = said(units, calendar, time); date != "no date")
          QVERIFY2(date.size() < 40, qPrintable(date));
  QCOMPARE(said("days since 2000-01-01", "", 1e300), QString("no date"));
  QCOMPARE(said("days since 2000-01-01", "", std::nan("")), QString("no date"));
  QCOMPARE(said("days since 2000-01-01", "", Limits::denorm_min()), QString("2000-01-01 00:00"));
  // of the ends
  QCOMPARE(said("days since -999999-12-31", "noleap", -1), QString("-999999-12-30 00:00"));
  QCOMPARE(said("seconds since 999999-12-31 23:59:59", "", 1), QString("1000000-01-01 00:00"));
}

void TestDates::stepsAreSaidAlike() {
  const auto hours = data("days since 2001-01-01", "", {0, 0.25, 0.5});
  QCOMPARE(fields::saidTime(hours, 1), std::string("2001-01-01 06:00"));
  QCOMPARE(fields::saidTimes(hours), std::string("2001-01-01 00:00 … 2001-01-01 12:00"));
  const auto seconds = data("seconds since 2001-01-01", "", {0, 30, 60});
  QCOMPARE(fields::saidTime(seconds, 0), std::string("2001-01-01 00:00:00"));
  QCOMPARE(fields::saidTime(seconds, 2), std::string("2001-01-01 00:01:00"));
  // a number is said with its units
  const auto months = data("months since 1990-01-01", "", {0.5, 5.5});
  QVERIFY(!fields::saidDate(months, 1));
  QCOMPARE(fields::saidTime(months, 1), std::string("5.5 months since 1990-01-01"));
  QCOMPARE(fields::saidTimes(months), std::string("0.5 … 5.5 months since 1990-01-01"));
  paging::DatasetDescription plain;
  plain.times = {0, 1.25};
  QCOMPARE(fields::saidTime(plain, 1), std::string("1.25"));
  QCOMPARE(fields::saidTimes(plain), std::string("0 … 1.25"));
  plain.times = {3};
  QCOMPARE(fields::saidTimes(plain), std::string("3"));
}

void TestDates::unitsBecomeOthers() {
  const auto become = [](const char* from, const char* calendar, double time, const char* to,
                         const char* its) {
    return Dates::of(from, calendar)->timeIn(*Dates::of(to, its), time);
  };
  QCOMPARE(become("hours since 2020-01-10", "", 9, "hours since 2020-01-01 00:00", ""), std::optional(225.0));
  QCOMPARE(become("days since 2020-03-01", "", 0.5, "seconds since 2020-02-28", ""), std::optional(216000.0));
  QCOMPARE(become("hours since 2020-01-01 06:00", "", 0, "days since 2020-01-01 12:00", ""),
           std::optional(-0.25));
  QCOMPARE(become("days since 2001-03-01", "360_day", 0, "days since 2001-02-01", "360_day"),
           std::optional(30.0));
  // The standard calendar left out ten days of 1582.
  QCOMPARE(become("days since 1582-10-15", "proleptic_gregorian", 0, "days since 1582-10-04", ""),
           std::optional(1.0));
  QVERIFY(!become("days since 2001-1-1", "noleap", 0, "days since 2001-1-1", ""));
}

QTEST_APPLESS_MAIN(TestDates)
#include "tst_dates.moc"
