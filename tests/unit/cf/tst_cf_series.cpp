// Files of a series that store a variable in ways of their own: each is read by what it says itself.

#include <QTest>

#include <bit>
#include <cmath>

#include "core/base/error.h"
#include "tests/support/array_checks.h"
#include "tests/support/made_cf_file.h"

using namespace farfield;
using test::allValues;
using test::errorOf;

namespace {

/// Four nodes, of whole numbers of 16 bits.
struct Packed : test::MadeCfFile {
  explicit Packed(std::int64_t times = 1) : MadeCfFile({{"time", times, true}, {"x", 4}}) {
    std::vector<double> hours;
    for (std::int64_t n = 0; n < times; ++n) hours.push_back(static_cast<double>(n));
    add("time", {0}, hours, {{"axis", "T"}});
    // 1, 2, 3, -1 at each time
    const double stored = std::bit_cast<double>(std::uint64_t{0xffff'0003'0002'0001});
    heat = &add("heat", {0, 1}, std::vector<double>(static_cast<std::size_t>(times), stored));
    heat->type = arrays::NumberType::I16;
    cf::setDenseStrides(file, *heat);
  }
  Packed& with(const char* name, std::vector<double> numbers, bool isDouble = false) {
    heat->attributes.push_back({name, {}, std::move(numbers), isDouble, isDouble});
    return *this;
  }
  cf::Variable* heat;
};

}  // namespace

class TestCfSeries : public QObject {
  Q_OBJECT
 private slots:
  void eachFileHasItsPacking();
  void packedBesideUnpacked();
  void fillsOfEachFile();
  void otherNumbersAreRefused();
};

/// As the files of reanalyses have them, which are packed each for the values that they hold.
void TestCfSeries::eachFileHasItsPacking() {
  Packed first(2);
  first.with("scale_factor", {0.5}).with("add_offset", {10});
  const auto alike = first.openWith(first);
  QCOMPARE(alike.description().arrays[0].type, ScalarType::F32);
  for (const bool isDouble : {false, true}) {
    const auto both =
        first.openWith(Packed().with("scale_factor", {2}, isDouble).with("add_offset", {100}, isDouble));
    QCOMPARE(both.description().arrays[0].type, isDouble ? ScalarType::F64 : ScalarType::F32);
    QCOMPARE(both.description().arrays[0].steps, std::int64_t{3});
    QCOMPARE(allValues(both, "heat"), (std::vector<double>{10.5, 11, 11.5, 9.5}));
    QCOMPARE(allValues(both, "heat", 1), (std::vector<double>{10.5, 11, 11.5, 9.5}));
    QCOMPARE(allValues(both, "heat", 2), (std::vector<double>{102, 104, 106, 98}));
  }
}

void TestCfSeries::packedBesideUnpacked() {
  Packed plain, packed;
  packed.with("scale_factor", {0.25});
  const auto later = plain.openWith(packed), before = packed.openWith(plain);
  QCOMPARE(allValues(later, "heat", 0), (std::vector<double>{1, 2, 3, -1}));
  QCOMPARE(allValues(later, "heat", 1), (std::vector<double>{0.25, 0.5, 0.75, -0.25}));
  QCOMPARE(allValues(before, "heat", 0), (std::vector<double>{0.25, 0.5, 0.75, -0.25}));
  QCOMPARE(allValues(before, "heat", 1), (std::vector<double>{1, 2, 3, -1}));
}

/// Blank is what the file of the step says to have no value.
void TestCfSeries::fillsOfEachFile() {
  Packed first, second;
  first.with("_FillValue", {-1});
  second.with("_FillValue", {2}).with("scale_factor", {10});
  const auto both = first.openWith(second);
  QVERIFY(both.description().blocks[0].hasIblank);
  QVERIFY(std::isnan(allValues(both, "heat", 0)[3]));
  const std::vector<double> later = allValues(both, "heat", 1);
  QVERIFY(later[0] == 10 && std::isnan(later[1]) && later[2] == 30 && later[3] == -10);
  QCOMPARE(allValues(both, "iblank", 0), (std::vector<double>{1, 1, 1, 0}));
  QCOMPARE(allValues(both, "iblank", 1), (std::vector<double>{1, 0, 1, 1}));
}

void TestCfSeries::otherNumbersAreRefused() {
  Packed first, other;
  other.heat->bigEndian = true;
  const std::string error = errorOf<Unsupported>([&] { (void)first.openWith(other); });
  QVERIFY2(error.find("other.nc") != std::string::npos && error.find("byte order") != std::string::npos,
           error.c_str());
}

QTEST_GUILESS_MAIN(TestCfSeries)
#include "tst_cf_series.moc"
