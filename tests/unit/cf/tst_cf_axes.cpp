// Layers without heights, which are numbered, and steps of many files: memory for them is claimed before they are listed. What stored
// numbers stand for.

#include <QTest>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "core/base/error.h"
#include "core/base/stoppable_waits.h"
#include "tests/support/array_checks.h"
#include "tests/support/made_cf_file.h"

using namespace farfield;
using test::allValues;
using test::errorOf;

namespace {

/// Of which nothing was ever written, as in a sparse file.
class Zeros final : public arrays::ByteSource {
 public:
  explicit Zeros(std::uint64_t bytes) : m_bytes(bytes) {}
  std::uint64_t size() const override { return m_bytes; }
  void readAt(std::uint64_t, std::span<std::byte> out) const override {
    std::fill(out.begin(), out.end(), std::byte{0});
  }

 private:
  const std::uint64_t m_bytes;
};

/// Two by two columns at their longitudes and latitudes, of so many layers, whose heights nothing says.
class Columns : public test::MadeCfFile {
 public:
  explicit Columns(std::int64_t layers) : MadeCfFile({{"k", layers}, {"j", 2}, {"i", 2}}) {
    add("lon", {1, 2}, {0, 1, 0, 1}, {{"units", "degrees_east"}});
    add("lat", {1, 2}, {0, 0, 1, 1}, {{"units", "degrees_north"}});
    add("heat", {0, 1, 2}, {}, {{"coordinates", "lon lat"}}).bytes =
        std::make_shared<Zeros>(4 * sizeof(double) * static_cast<std::uint64_t>(layers));
  }
};

/// A plane of two by two nodes at two times.
struct TwoTimes : test::MadeCfFile {
  TwoTimes(const char* units, const char* calendar, std::vector<double> times)
      : MadeCfFile({{"time", 2, true}, {"y", 2}, {"x", 2}}) {
    add("time", {0}, std::move(times), {{"units", units}, {"calendar", calendar}});
    add("heat", {0, 1, 2}, std::vector<double>(8, 1));
  }
};

/// As WRF writes them: coordinates have the time before y and x. `west`: the longitude of the first column at each time.
struct Weather : test::MadeCfFile {
  explicit Weather(const std::vector<double>& west)
      : MadeCfFile(
            {{"Time", static_cast<std::int64_t>(west.size()), true}, {"south_north", 2}, {"west_east", 3}}) {
    std::vector<double> lon, lat, heat;
    for (const double first : west)
      for (int n = 0; n < 6; ++n) {
        lon.push_back(first + n % 3);
        lat.push_back(40 + n / 3);
        heat.push_back(static_cast<double>(heat.size()));
      }
    add("XLAT", {0, 1, 2}, lat, {{"units", "degree_north"}, {"coordinates", "XLONG XLAT"}});
    add("XLONG", {0, 1, 2}, lon, {{"units", "degree_east"}, {"coordinates", "XLONG XLAT"}});
    add("T2", {0, 1, 2}, heat, {{"coordinates", "XLONG XLAT XTIME"}});
  }
};

std::int64_t stepsOfGrid(const arrays::ArrayReader& reader) {
  const int grid = reader.description().find(0, paging::ArrayRole::Coordinates);
  return grid < 0 ? 0 : reader.description().arrays[static_cast<std::size_t>(grid)].steps;
}

}  // namespace

class TestCfAxes : public QObject {
  Q_OBJECT
 private slots:
  void layersAreNumbered();
  void tooManyLayersAreRefused();
  void stepsOfManyFilesAreClaimed();
  void signsThatAreNone();
  void limitsAreRoundedAsTheValues();
  void filesCountFromTheirOwnDates();
  void filesWithOtherAxesAreRefused();
  void fillsThatAreNoNumbersAreAlike();
  void coordinatesAtEachTime();
  void gridsThatMove();
};

void TestCfAxes::layersAreNumbered() {
  Columns columns(5);
  const arrays::ArrayReader reader = columns.open();
  QCOMPARE(reader.description().blocks[0].dims, (Index3{2, 2, 5}));
  const int nodes = reader.description().find(0, paging::ArrayRole::Coordinates);
  QVERIFY(nodes >= 0);
  std::array<double, 3> last{};
  reader.read(static_cast<std::uint32_t>(nodes), 0, {{1, 1, 4}, {1, 1, 1}},
              std::as_writable_bytes(std::span(last)));
  QCOMPARE(last, (std::array<double, 3>{1, 1, 4}));
}

/// A few bytes of a file may say that there are more layers than there is memory.
void TestCfAxes::tooManyLayersAreRefused() {
  QVERIFY_EXCEPTION_THROWN(Columns(std::int64_t{1} << 40).open(), OverBudget);
}

/// Each step of each file has its place, though a few bytes of a file may say how many there are.
void TestCfAxes::stepsOfManyFilesAreClaimed() {
  constexpr std::int64_t kSteps = 10000;
  test::MadeCfFile made({{"t", kSteps, true}, {"j", 2}, {"i", 2}});
  made.add("heat", {0, 1, 2}, {}).bytes =
      std::make_shared<Zeros>(4 * sizeof(double) * static_cast<std::uint64_t>(kSteps));
  QCOMPARE(made.open().description().steps(), kSteps);
  QVERIFY_EXCEPTION_THROWN(made.open({}, 20), OverBudget);
  std::stop_source stop;
  stop.request_stop();
  const StoppableWaits waits(stop.get_token());
  QVERIFY_EXCEPTION_THROWN(made.open({}, 2), Cancelled);
}

/// Formats without unsigned numbers store them as signed ones, and so their fill values and limits.
void TestCfAxes::signsThatAreNone() {
  test::MadeCfFile made({{"y", 2}, {"x", 2}});
  // of 16 bits: 42000, 7, 65535, 65001
  const double stored = std::bit_cast<double>(std::uint64_t{0xfde9'ffff'0007'a410});
  for (const char* const sign : {"true", "True", "false"}) {
    const bool isUnsigned = std::string(sign) != "false";
    cf::Variable& heat = made.add("heat", {0, 1}, {stored, 0, 0, 0}, {{"_Unsigned", sign}});
    heat.type = arrays::NumberType::I16;
    cf::setDenseStrides(made.file, heat);
    heat.attributes.push_back({"_FillValue", {}, {-1}});
    heat.attributes.push_back({"scale_factor", {}, {0.5}});
    heat.attributes.push_back({"add_offset", {}, {10}});
    if (isUnsigned) heat.attributes.push_back({"valid_range", {}, {0, -536}});  // up to 65000
    const auto values = allValues(made.open(), "heat");
    QCOMPARE(values[0], isUnsigned ? 21010.0 : -11758.0);
    QCOMPARE(values[1], 13.5);
    QVERIFY(std::isnan(values[2]));
    QCOMPARE(std::isnan(values[3]), isUnsigned);
    made.file.variables.clear();
  }
}

/// A value at a limit of more digits than it has is within.
void TestCfAxes::limitsAreRoundedAsTheValues() {
  for (const bool isRange : {true, false}) {
    test::MadeCfFile made({{"y", 2}, {"x", 2}});
    const std::array<float, 4> stored{0.1F, 0.7F, 0.6F, 0.75F};
    const auto all = std::bit_cast<std::array<double, 2>>(stored);
    cf::Variable& heat = made.add("heat", {0, 1}, {all[0], all[1]});
    heat.type = arrays::NumberType::F32;
    cf::setDenseStrides(made.file, heat);
    if (isRange) {
      heat.attributes.push_back({"valid_range", {}, {0.1, 0.7}, true, true});
    } else {
      heat.attributes.push_back({"valid_min", {}, {0.7}, true, true});
      heat.attributes.push_back({"valid_max", {}, {1e300}, true, true});
    }
    const auto values = allValues(made.open(), "heat");
    for (std::size_t n = 0; n < 4; ++n) {
      const bool isValid = isRange ? n < 3 : n == 1 || n == 3;
      QCOMPARE(values[n], isValid ? static_cast<double>(stored[n]) : NAN);
    }
  }
}

/// Times of the later files become those of the first; where they cannot, steps have numbers, and no dates.
void TestCfAxes::filesCountFromTheirOwnDates() {
  TwoTimes first("hours since 2020-01-01", "", {0, 3});
  for (const char* const units : {"hours since 2020-01-10 00:00", "minutes since 2020-01-09T18:00Z"}) {
    const bool isHours = units[0] == 'h';
    const TwoTimes second(units, "", isHours ? std::vector<double>{6, 9} : std::vector<double>{720, 900});
    const auto both = first.openWith(second);
    QCOMPARE(both.description().times, (std::vector<double>{0, 3, 222, 225}));
    QCOMPARE(both.description().attributes.at("time.units"), std::string("hours since 2020-01-01"));
    QVERIFY(first.explain.find("numbered") == std::string::npos);
  }
  const std::vector<std::pair<const char*, const char*>> others{
      {"hours since 2020-01-10", "noleap"}, {"months since 2020-01-10", ""}, {"", ""}};
  for (const auto& [units, calendar] : others) {
    const auto numbered = first.openWith(TwoTimes(units, calendar, {6, 9}));
    QCOMPARE(numbered.description().times, (std::vector<double>{0, 1, 2, 3}));
    QVERIFY(!numbered.description().attributes.contains("time.units"));
    QVERIFY(first.explain.find("in different units: steps are numbered") != std::string::npos);
  }
  // those that say the same are what they are
  TwoTimes plain("s", "", {0, 3});
  QCOMPARE(plain.openWith(TwoTimes("s", "", {6, 9})).description().times, (std::vector<double>{0, 3, 6, 9}));
}

/// Values of a file whose axis runs the other way, or lies elsewhere, would be shown at the wrong nodes.
void TestCfAxes::filesWithOtherAxesAreRefused() {
  struct Map : test::MadeCfFile {
    explicit Map(std::vector<double> lat) : MadeCfFile({{"lat", 3}, {"lon", 2}}) {
      add("lon", {1}, {0, 1}, {{"units", "degrees_east"}});
      if (!lat.empty()) add("lat", {0}, std::move(lat), {{"units", "degrees_north"}});
      add("heat", {0, 1}, std::vector<double>(6, 1));
    }
  };
  Map first({10, 20, 30});
  const std::vector<std::vector<double>> others{{30, 20, 10}, {10, 20, 31}, {11, 21, 31}};
  for (const std::vector<double>& lat : others) {
    const std::string error = errorOf<Invalid>([&] { (void)first.openWith(Map(lat)); });
    QVERIFY2(error.find("other.nc") != std::string::npos && error.find("axis lat") != std::string::npos,
             error.c_str());
  }
  // rounded ones are the same, and what a file does not say is as in the first
  QCOMPARE(first.openWith(Map({10, 20.000001, 30})).description().steps(), std::int64_t{2});
  QCOMPARE(first.openWith(Map({})).description().steps(), std::int64_t{2});
}

/// Xarray gives every real variable a fill value that is not a number: files with it are a series like others.
void TestCfAxes::fillsThatAreNoNumbersAreAlike() {
  test::MadeCfFile made({{"y", 2}, {"x", 2}}), other({{"y", 2}, {"x", 2}});
  for (test::MadeCfFile* const file : {&made, &other})
    file->add("heat", {0, 1}, {1, NAN, 3, 4}).attributes.push_back({"_FillValue", {}, {NAN}, true, true});
  QCOMPARE(made.openWith(other).description().steps(), std::int64_t{2});
}

void TestCfAxes::coordinatesAtEachTime() {
  Weather first({10, 10});
  const std::vector<double> nodes{10, 40, 0, 11, 40, 0, 12, 40, 0, 10, 41, 0, 11, 41, 0, 12, 41, 0};
  const auto one = first.open();
  QVERIFY(one.description().blocks[0].kind == paging::GridKind::Curvilinear);
  QCOMPARE(one.description().arrays.size(), std::size_t{2});
  QCOMPARE(one.description().steps(), std::int64_t{2});
  QCOMPARE(stepsOfGrid(one), std::int64_t{1});
  QCOMPARE(allValues(one, "xyz"), nodes);
  QCOMPARE(allValues(one, "T2", 1).front(), 6.0);
  QCOMPARE(one.description().times, (std::vector<double>{0, 1}));
  first.add("XTIME", {0}, {30, 90}, {{"units", "minutes since 2020-01-01"}});
  const auto dated = first.open();
  QCOMPARE(dated.description().times, (std::vector<double>{30, 90}));
  QCOMPARE(dated.description().attributes.at("time.units"), std::string("minutes since 2020-01-01"));
  // rounded ones are the same, and what a file does not say is as in the first
  Weather later({10.000001});
  QCOMPARE(stepsOfGrid(first.openWith(later)), std::int64_t{1});
  later.file.variables.erase(later.file.variables.begin(), later.file.variables.begin() + 2);
  later.file.variables[0].attributes.clear();
  const auto less = first.openWith(later);
  QCOMPARE(less.description().steps(), std::int64_t{3});
  QCOMPARE(stepsOfGrid(less), std::int64_t{1});
}

/// Nests that follow a storm.
void TestCfAxes::gridsThatMove() {
  Weather first({10, 10, 11});
  const auto one = first.open();
  QCOMPARE(stepsOfGrid(one), std::int64_t{3});
  QVERIFY(first.explain.find("the grid moves") != std::string::npos);
  for (const std::int64_t step : {0, 1, 2})
    QCOMPARE(allValues(one, "xyz", step).front(), step < 2 ? 10.0 : 11.0);
  // files that are still written
  Weather cut({10, 11, 12});
  cut.file.variables[0].records = 2;  // XLAT, which is the same at each
  QCOMPARE(stepsOfGrid(cut.open()), std::int64_t{3});
  cut.file.variables[1].records = 2;
  QVERIFY(!errorOf<Unsupported>([&] { (void)cut.open(); }).empty());
  Weather still({10, 10});
  const auto both = still.openWith(Weather({12}));
  QCOMPARE(stepsOfGrid(both), std::int64_t{3});
  for (const std::int64_t step : {0, 1, 2})
    QCOMPARE(allValues(both, "xyz", step).front(), step < 2 ? 10.0 : 12.0);
}

QTEST_GUILESS_MAIN(TestCfAxes)
#include "tst_cf_axes.moc"
