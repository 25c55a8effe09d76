// Heights and pressures by the formulas of the CF conventions, against numbers that were computed elsewhere; what formulas lack is said.

#include <QTest>

#include <algorithm>
#include <cstring>
#include <limits>

#include "core/base/error.h"
#include "plugins/hdf5/hdf5_reader.h"
#include "tests/support/array_checks.h"
#include "tests/support/made_cf_file.h"

using namespace farfield;
using test::allValues;
using test::errorOf;

namespace {

enum Dims { Time, Layer, Y, X, X1, Elsewhere };

/// Two steps of two by two places with three layers.
class Sea : public test::MadeCfFile {
 public:
  Sea() : MadeCfFile({{"time", 2, true}, {"s", 3}, {"y", 2}, {"x", 2}, {"x1", 3}, {"z", 2}}) {
    add("time", {Time}, {0, 1}, {{"axis", "T"}});
    add("x", {X}, {10, 20}, {{"axis", "X"}});
    add("y", {Y}, {5, 6}, {{"axis", "Y"}});
    add("temp", {Time, Layer, Y, X}, std::vector<double>(24, 4.0));
    add("C", {Layer}, {-0.8, -0.3, -0.02});
    add("hc", {}, {30});
    add("five", {}, {5});
    add("share", {}, {0.4});
    add("h", {Y, X}, {100, 50, 20, 10}, {{"units", "m"}});
    add("zeta", {Time, Y, X}, {1, 0.5, 0, -0.5, 2, 1.5, 1, 0.5}, {{"units", "m"}});
    add("around", {Y, X1}, {90, 110, -10, 15, 25, -5});
    add("elsewhere", {Y, Elsewhere}, {1, 2, 3, 4});
  }
  void layers(const std::string& formula, const std::string& terms) {
    add("s", {Layer}, {-0.9, -0.5, -0.1}, {{"standard_name", formula}, {"formula_terms", terms}});
  }
  arrays::ArrayReader open(const arrays::Options& options = {{"vertical", "computed"}}, int files = 1) {
    return MadeCfFile::open(options, files);
  }
};

double heightIn(const std::vector<double>& xyz, int i, int j, int k) {
  return xyz[static_cast<std::size_t>(3 * (i + 2 * (j + 2 * k)) + 2)];
}

}  // namespace

class TestCfHeights : public QObject {
  Q_OBJECT
 private slots:
  void oceans_data();
  void oceans();
  void atmospheres();
  void termsBetweenNodesAreMeans();
  void placesWithoutValues();
  void filesInARow();
  void asItIsUnlessAsked();
  void whatIsMissingIsSaid();
  void otherGridsAreReadAsTheyAre();
  void realOcean();
};

void TestCfHeights::oceans_data() {
  QTest::addColumn<std::string>("formula");
  QTest::addColumn<std::string>("terms");
  QTest::addColumn<std::vector<double>>("heights");
  QTest::newRow("sigma") << std::string("ocean_sigma_coordinate")
                         << std::string("sigma: s eta: zeta depth: h")
                         << std::vector<double>{-24.75, -24.25, -18, -8.2};
  QTest::newRow("s") << std::string("ocean_s_coordinate")
                     << std::string("s: s eta: zeta depth: h a: five b: share depth_c: hc")
                     << std::vector<double>{-19.728427391579867, -19.228427391579867, -19.40688626505149,
                                            -1.815451071840256};
  QTest::newRow("g1") << std::string("ocean_s_coordinate_g1")
                      << std::string("s: s C: C eta: zeta depth: h depth_c: hc")
                      << std::vector<double>{-20.71, -20.13, -19, -2.488};
  QTest::newRow("g2") << std::string("ocean_s_coordinate_g2")
                      << std::string("s: s C: C eta: zeta depth: h depth_c: hc")
                      << std::vector<double>{-18.4375, -17.8125, -17.2, -1.923076923076923};
}

void TestCfHeights::oceans() {
  QFETCH(const std::string, formula);
  QFETCH(const std::string, terms);
  QFETCH(const std::vector<double>, heights);
  Sea sea;
  sea.layers(formula, terms);
  const auto reader = sea.open();
  const auto& data = reader.description();
  QVERIFY(data.blocks[0].kind == paging::GridKind::Curvilinear);
  QCOMPARE(data.attributes.at("axis.z"), std::string("height computed from s (m), positive up"));
  const auto before = allValues(reader, "xyz", 0), after = allValues(reader, "xyz", 1);
  // the third place is (1, 2): x 10, y 6
  QCOMPARE(before[3 * 2], 10.0);
  QCOMPARE(before[3 * 2 + 1], 6.0);
  const auto near = [](double is, double should) { return std::abs(is - should) < 1e-12 * std::abs(should); };
  QVERIFY(near(heightIn(before, 1, 0, 1), heights[0]));
  QVERIFY(near(heightIn(after, 1, 0, 1), heights[1]));
  QVERIFY(near(heightIn(before, 0, 1, 0), heights[2]));
  QVERIFY(near(heightIn(after, 0, 0, 2), heights[3]));
  // any box has the same numbers
  std::vector<std::byte> one(3 * sizeof(double));
  reader.read(static_cast<std::uint32_t>(data.find(0, "xyz")), 1, {{1, 0, 1}, {1, 1, 1}}, one);
  double z = 0;
  std::memcpy(&z, one.data() + 2 * sizeof z, sizeof z);
  QCOMPARE(z, heightIn(after, 1, 0, 1));
}

void TestCfHeights::atmospheres() {
  Sea hills;
  hills.add("a", {Layer}, {20, 100, 500});
  hills.add("b", {Layer}, {0.9, 0.5, 0});
  hills.layers("atmosphere_hybrid_height_coordinate", "a: a b: b orog: h");
  const auto heights = hills.open();
  QCOMPARE(heights.description().arrays[static_cast<std::size_t>(heights.description().find(0, "xyz"))].steps,
           std::int64_t{1});
  QCOMPARE(heightIn(allValues(heights, "xyz"), 1, 0, 0), 20 + 0.9 * 50);

  Sea sigma;
  sigma.layers("atmosphere_sigma_coordinate", "sigma: s ps: zeta ptop: five");
  QCOMPARE(heightIn(allValues(sigma.open(), "xyz", 1), 0, 0, 1), 5 + -0.5 * (2 - 5));

  Sea hybrid;
  hybrid.add("b", {Layer}, {0.9, 0.5, 0});
  hybrid.layers("atmosphere_hybrid_sigma_pressure_coordinate", "a: C b: b ps: zeta p0: hc");
  const auto pressures = hybrid.open();
  QCOMPARE(heightIn(allValues(pressures, "xyz", 1), 0, 0, 1), -0.3 * 30 + 0.5 * 2);
  QVERIFY(pressures.description().attributes.at("axis.z").starts_with("pressure computed from s"));

  Sea given;
  given.add("b", {Layer}, {0.9, 0.5, 0});
  given.layers("atmosphere_hybrid_sigma_pressure_coordinate", "ap: C b: b ps: zeta");
  QCOMPARE(heightIn(allValues(given.open(), "xyz", 1), 0, 0, 1), -0.3 + 0.5 * 2);
}

void TestCfHeights::termsBetweenNodesAreMeans() {
  Sea sea;
  sea.layers("ocean_sigma_coordinate", "sigma: s eta: zeta depth: around");
  const auto xyz = allValues(sea.open(), "xyz", 0);
  QCOMPARE(heightIn(xyz, 0, 0, 1), 1 - 0.5 * (100 + 1));
  QCOMPARE(heightIn(xyz, 1, 1, 1), -0.5 - 0.5 * (10 - 0.5));
}

// A term without a value is 0; coordinates without one stay so, as in grids that are shown as they are.
void TestCfHeights::placesWithoutValues() {
  const double none = std::numeric_limits<double>::quiet_NaN();
  Sea sea;
  sea.layers("ocean_sigma_coordinate", "sigma: s eta: zeta depth: floor");
  sea.add("floor", {Y, X}, {100, none, 20, 10});
  sea.add("lon", {Y, X}, {1, 2, none, 4}, {{"units", "degrees_east"}});
  sea.add("lat", {Y, X}, {1, 2, 3, 4}, {{"units", "degrees_north"}});
  sea.add("salt", {Time, Layer, Y, X}, std::vector<double>(24, 1.0), {{"coordinates", "lon lat"}});
  const auto xyz = allValues(sea.open({{"vertical", "computed"}, {"variable", "salt"}}), "xyz", 0);
  QCOMPARE(heightIn(xyz, 1, 0, 1), 0.5 - 0.5 * 0.5);
  QVERIFY(std::isnan(xyz[3 * 2]));
  QCOMPARE(xyz[3 * 3], 4.0);
}

void TestCfHeights::filesInARow() {
  Sea sea;
  sea.layers("ocean_sigma_coordinate", "sigma: s eta: zeta depth: h");
  const auto once = sea.open(), twice = sea.open({{"vertical", "computed"}}, 2);
  QCOMPARE(twice.description().steps(), std::int64_t{4});
  for (const std::int64_t step : {0, 1}) {
    QCOMPARE(allValues(twice, "xyz", step), allValues(once, "xyz", step));
    QCOMPARE(allValues(twice, "xyz", step + 2), allValues(once, "xyz", step));
  }
}

void TestCfHeights::asItIsUnlessAsked() {
  Sea sea;
  sea.layers("ocean_sigma_coordinate", "sigma: s eta: zeta depth: h");
  const auto reader = sea.open({});
  QVERIFY(reader.description().blocks[0].kind == paging::GridKind::Rectilinear);
  QVERIFY(sea.explain.find("--option vertical=computed shows heights") != std::string::npos);
  QVERIFY(sea.open({{"vertical", "stored"}}).description().blocks[0].kind == paging::GridKind::Rectilinear);
  QVERIFY(!errorOf<Invalid>([&] { sea.open({{"vertical", "up"}}); }).empty());
}

void TestCfHeights::whatIsMissingIsSaid() {
  const auto refused = [](const std::string& formula, const std::string& terms) {
    Sea sea;
    sea.layers(formula, terms);
    return errorOf<Error>([&] { sea.open(); });
  };
  QVERIFY(refused("ocean_double_sigma_coordinate", "sigma: s").find("standard_name") != std::string::npos);
  QVERIFY(refused("ocean_sigma_coordinate", "sigma: s eta: zeta").find("'depth:'") != std::string::npos);
  QVERIFY(refused("ocean_sigma_coordinate", "sigma: s eta: zeta depth: nowhere").find("nowhere") !=
          std::string::npos);
  QVERIFY(refused("ocean_sigma_coordinate", "sigma: s eta: zeta depth: elsewhere").find("does not lie") !=
          std::string::npos);
  QVERIFY(refused("ocean_sigma_coordinate", "sigma: h eta: zeta depth: h").find("4 numbers") !=
          std::string::npos);
  Sea flat;
  QVERIFY(errorOf<Invalid>([&] { flat.open(); }).find("no formula") != std::string::npos);
}

// The option is for the grids of the file that have heights: who asks for another grid gets it, and is not offered what it cannot have.
void TestCfHeights::otherGridsAreReadAsTheyAre() {
  Sea sea;
  sea.layers("ocean_sigma_coordinate", "sigma: s eta: zeta depth: h");
  sea.add("wide", {Layer, Y, X1}, std::vector<double>(18, 1.0));
  const auto offers = [&](const char* value) {
    const auto found = std::find_if(sea.choices.begin(), sea.choices.end(),
                                    [](const auto& choice) { return choice.option == "vertical"; });
    return found != sea.choices.end() && std::any_of(found->values.begin(), found->values.end(),
                                                     [&](const auto& each) { return each.value == value; });
  };
  sea.open();
  QVERIFY(offers("computed"));
  const auto heights = sea.open({{"vertical", "computed"}, {"variable", "temp"}});
  QVERIFY(heights.description().blocks[0].kind == paging::GridKind::Curvilinear);
  // no layers
  const auto floor = sea.open({{"vertical", "computed"}, {"variable", "h"}});
  QVERIFY(floor.description().blocks[0].kind == paging::GridKind::Rectilinear);
  QVERIFY(!offers("computed"));
  // the same layers, where the depth is not known
  for (const arrays::Options& options :
       {arrays::Options{{"vertical", "computed"}, {"variable", "wide"}}, {{"variable", "wide"}}}) {
    const auto wide = sea.open(options);
    QVERIFY(wide.description().blocks[0].kind == paging::GridKind::Rectilinear);
    QVERIFY(!offers("computed"));
    QVERIFY(sea.explain.find("its heights cannot be computed: zeta ('eta:') does not lie") !=
            std::string::npos);
  }
}

// The numbers were computed by numpy from what h5py reads.
void TestCfHeights::realOcean() {
  NEEDS_DATA("data/series/ocean/Nordic_subset.nc");
  MemoryAccount account{std::uint64_t{64} << 20};
  const auto caches = std::make_shared<chunks::ChunkCaches>(account);
  const std::string path = test::dataPath("data/series/ocean/Nordic_subset.nc").string();
  std::vector<hdf5::OpenedHdf5> files;
  files.push_back(hdf5::openFile(path, paging::ByteStores{}.open(path), account));
  cf::CfData data = hdf5::describeHdf5(files, {{"vertical", "computed"}}, caches, account);
  const arrays::ArrayReader reader{std::move(data.description), std::move(data.places),
                                   std::move(data.claims)};
  QCOMPARE(reader.description().blocks[0].dims, (Index3{31, 21, 35}));
  const auto at = [&](std::int64_t step, std::int64_t i, std::int64_t j, std::int64_t k) {
    return allValues(reader, "xyz", step)[static_cast<std::size_t>(3 * (i + 31 * (j + 21 * k)) + 2)];
  };
  const auto near = [](double is, double should) { return std::abs(is - should) < 1e-6; };
  QVERIFY(near(at(0, 15, 10, 0), -194.15884054942074));
  QVERIFY(near(at(1, 15, 10, 0), -194.16808911904957));
  QVERIFY(near(at(2, 15, 10, 0), -194.1758389690194));
}

QTEST_APPLESS_MAIN(TestCfHeights)
#include "tst_cf_heights.moc"
