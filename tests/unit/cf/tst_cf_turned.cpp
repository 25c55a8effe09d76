// Components of velocities along the lines of turned grids, to the east and to the north, against what is computed here and, of a real ocean, by numpy.

#include <QTest>

#include <array>
#include <cmath>
#include <numbers>

#include "core/fields/functions/functions.h"
#include "core/fields/functions/vector_parts.h"
#include "plugins/hdf5/hdf5_reader.h"
#include "tests/support/array_checks.h"
#include "tests/support/made_cf_file.h"

using namespace farfield;
using test::allValues;

namespace {

enum Dims { Time, S, Eta, Xi, EtaV, XiU };

std::vector<double> numbers(std::int64_t count, double first, double step) {
  std::vector<double> result;
  for (std::int64_t n = 0; n < count; ++n) result.push_back(first + step * static_cast<double>(n));
  return result;
}

using Attributes = std::vector<std::pair<std::string, std::string>>;

/// Five by four by three centres, two steps; all of u is 3 and all of v is 1.
class Ocean : public test::MadeCfFile {
 public:
  explicit Ocean(const std::string& lonUnits = "degree_east", const Attributes& ofU = {}, bool isWrf = false)
      : MadeCfFile({{"time", 2, true},
                    {isWrf ? "bottom_top" : "s_rho", 3},
                    {isWrf ? "south_north" : "eta_rho", 4},
                    {isWrf ? "west_east" : "xi_rho", 5},
                    {isWrf ? "south_north_stag" : "eta_v", isWrf ? 5 : 3},
                    {isWrf ? "west_east_stag" : "xi_u", isWrf ? 6 : 4}}) {
    add("time", {Time}, {0, 10}, {{"axis", "T"}});
    add("lon", {Eta, Xi}, numbers(20, 0, 1), {{"units", lonUnits}, {"standard_name", "longitude"}});
    add("lat", {Eta, Xi}, numbers(20, 50, 1), {{"units", "degree_north"}, {"standard_name", "latitude"}});
    add("temp", {Time, S, Eta, Xi}, numbers(120, 1, 1), {{"coordinates", "lon lat"}});
    const auto u = file.sizeOf(XiU), v = file.sizeOf(EtaV);
    Attributes attributes = ofU;
    attributes.emplace_back("units", "m s-1");
    add(isWrf ? "U" : "u", {Time, S, Eta, XiU}, numbers(24 * u, 3, 0), attributes);
    add(isWrf ? "V" : "v", {Time, S, EtaV, Xi}, numbers(30 * v, 1, 0), {{"units", "m s-1"}});
  }
};

/// Angles of 20 nodes, from 30 degrees on.
std::vector<double> degrees() {
  return numbers(20, 30, 2);
}
std::vector<double> radians() {
  std::vector<double> result = degrees();
  for (double& angle : result) angle *= std::numbers::pi / 180;
  return result;
}

std::string definition(const arrays::ArrayReader& reader, const std::string& name = "flow") {
  const auto& attributes = reader.description().attributes;
  const auto found = attributes.find("function." + name);
  return found == attributes.end() ? std::string() : found->second;
}

/// What `function` is at a node, of the step and of one value or three.
std::vector<double> valuesAt(const arrays::ArrayReader& reader, const std::string& function,
                             std::int64_t step, const Index3& node) {
  const paging::DatasetDescription& data = reader.description();
  const fields::FunctionPlan plan(data, {function});
  std::vector<double> inputs, outputs(static_cast<std::size_t>(plan.outputCount()));
  for (const std::string& name : plan.arrays()) {
    const int number = data.find(0, name);
    const Index3& dims = data.blocks[0].dims;
    const std::int64_t its = data.arrays[static_cast<std::size_t>(number)].steps > 1 ? step : 0;
    inputs.push_back(allValues(
        reader, name, its)[static_cast<std::size_t>(node[0] + dims[0] * (node[1] + dims[1] * node[2]))]);
  }
  plan.computeNode(inputs, outputs);
  return outputs;
}

bool near(double is, double should, double slack = 1e-12) {
  return std::abs(is - should) < slack;
}

}  // namespace

class TestCfTurned : public QObject {
  Q_OBJECT
 private slots:
  void byAnAngle_data();
  void byAnAngle();
  void theAngleIsOnAllLayers();
  void byCosineAndSine();
  void isNotTurnedTwice();
  void onlyBesideDegrees();
  void namesThatAreTaken();
  void realOceans();
};

void TestCfTurned::byAnAngle_data() {
  QTest::addColumn<std::string>("attribute");
  QTest::addColumn<std::string>("said");
  QTest::addColumn<std::string>("units");
  const std::string roms = "angle between XI-axis and EAST", croco = "angle between xi axis and east",
                    standard = "angle_of_rotation_from_east_to_x";
  QTest::newRow("ROMS") << std::string("long_name") << roms << std::string("radians");
  QTest::newRow("CROCO") << std::string("long_name") << croco << std::string("radian");
  QTest::newRow("standard name") << std::string("standard_name") << standard << std::string("degree");
}

void TestCfTurned::byAnAngle() {
  QFETCH(const std::string, attribute);
  QFETCH(const std::string, said);
  QFETCH(const std::string, units);
  Ocean ocean;
  ocean.add("angle", {Eta, Xi}, units == "degree" ? degrees() : radians(),
            {{attribute, said}, {"units", units}, {"coordinates", "lon lat"}});
  const auto reader = ocean.open();
  const auto& data = reader.description();
  for (const Index3& node : {Index3{0, 0, 0}, Index3{3, 2, 1}, Index3{4, 3, 2}}) {
    const double angle = radians()[static_cast<std::size_t>(node[0] + 5 * node[1])];
    const auto flow = valuesAt(reader, "flow", 1, node);
    QCOMPARE(flow.size(), std::size_t{3});
    QVERIFY(near(flow[0], 3 * std::cos(angle) - std::sin(angle)));
    QVERIFY(near(flow[1], 3 * std::sin(angle) + std::cos(angle)));
    QCOMPARE(flow[2], 0.0);
  }
  QCOMPARE(data.attributes.at(fields::kUsualVectorKey), std::string("flow"));
  for (const char* const name : {"flow", "flow-x", "flow-magnitude"})
    QCOMPARE(fields::unitsOf(data, name), std::string("m s-1"));
  QVERIFY(ocean.explain.find("u and v are along the lines of the grid, which is turned (angle)") !=
          std::string::npos);
  QCOMPARE(
      data.attributes.at("means.v"),
      std::string(
          "of the values around each node, along the lines of the turned grid; flow is to the east and to "
          "the north"));
  QVERIFY(ocean.explain.find("left out") == std::string::npos);
}

void TestCfTurned::theAngleIsOnAllLayers() {
  Ocean ocean;
  ocean.add("angle", {Eta, Xi}, radians(),
            {{"long_name", "angle between XI-axis and EAST"}, {"units", "radians"}});
  ocean.add("w", {Time, S, Eta, Xi}, numbers(120, 7, 0), {{"coordinates", "lon lat"}});
  const auto reader = ocean.open();
  QVERIFY(definition(reader).ends_with(", w"));
  QCOMPARE(fields::unitsOf(reader.description(), "angle"), std::string("radians"));
  const int number = reader.description().find(0, "angle");
  QVERIFY(number >= 0);
  QCOMPARE(reader.description().arrays[static_cast<std::size_t>(number)].steps, std::int64_t{1});
  const auto all = allValues(reader, "angle", 0);
  QCOMPARE(all.size(), std::size_t{60});
  for (std::size_t n = 0; n < all.size(); ++n) QCOMPARE(all[n], radians()[n % 20]);
  std::vector<double> some(8);
  reader.read(static_cast<std::uint32_t>(number), 0, {{1, 2, 1}, {2, 2, 2}},
              std::as_writable_bytes(std::span(some)));
  for (std::size_t n = 0; n < 8; ++n) QCOMPARE(some[n], all[1 + (n & 1) + 5 * (2 + (n >> 1 & 1))]);
  // A series has it as its first file does.
  const auto series = ocean.open({}, 2);
  QVERIFY(!definition(series).empty());
  QCOMPARE(allValues(series, "angle", 0), all);
  // Of a vector that was asked for, the parts are turned.
  const auto asked = ocean.open({{"vectors", "velocity=u,v,w"}});
  QVERIFY(near(valuesAt(reader, "flow", 0, {0, 0, 0})[0], 3 * std::sqrt(0.75) - 0.5));
  QVERIFY(!definition(asked).empty());
  fields::FunctionPlan(asked.description(), {"flow"});
}

void TestCfTurned::byCosineAndSine() {
  Ocean wrf("degree_east", {}, true);
  std::vector<double> cosine, sine;
  for (int step = 0; step < 2; ++step)
    for (const double angle : radians()) {
      cosine.push_back(std::cos(angle));
      sine.push_back(std::sin(angle));
    }
  wrf.add("COSALPHA", {Time, Eta, Xi}, cosine, {{"coordinates", "lon lat"}});
  wrf.add("SINALPHA", {Time, Eta, Xi}, sine, {{"coordinates", "lon lat"}});
  const auto reader = wrf.open();
  const auto flow = valuesAt(reader, "flow", 1, {3, 2, 1});
  QVERIFY(near(flow[0], 3 * cosine[13] - sine[13]));
  QVERIFY(near(flow[1], 3 * sine[13] + cosine[13]));
  QVERIFY(wrf.explain.find("U and V are along the lines of the grid, which is turned (COSALPHA, SINALPHA)") !=
          std::string::npos);
}

void TestCfTurned::isNotTurnedTwice() {
  Ocean ocean("degree_east", {{"standard_name", "eastward_sea_water_velocity"}});
  ocean.add("angle", {Eta, Xi}, radians(),
            {{"long_name", "angle between XI-axis and EAST"}, {"units", "radians"}});
  const auto reader = ocean.open();
  QVERIFY(definition(reader).empty());
  QVERIFY(!reader.description().attributes.contains(fields::kUsualVectorKey));
}

// Components are along x and y there.
void TestCfTurned::onlyBesideDegrees() {
  Ocean flat("meter");
  flat.add("angle", {Eta, Xi}, radians(),
           {{"long_name", "angle between XI-axis and EAST"}, {"units", "radians"}});
  QVERIFY(definition(flat.open()).empty());
  Ocean other;
  other.add("slope", {Eta, Xi}, radians(), {{"long_name", "angle of the slope"}, {"units", "radians"}});
  QVERIFY(definition(other.open()).empty());
  Ocean unsaid;
  unsaid.add("angle", {Eta, Xi}, radians(), {{"long_name", "angle between XI-axis and EAST"}});
  QVERIFY(definition(unsaid.open()).empty());
}

void TestCfTurned::namesThatAreTaken() {
  Ocean ocean;
  ocean.add("flow", {Time, S, Eta, Xi}, numbers(120, 1, 1), {{"coordinates", "lon lat"}});
  ocean.add("the-angle", {Eta, Xi}, radians(),
            {{"long_name", "angle between XI-axis and EAST"}, {"units", "radians"}});
  const auto reader = ocean.open();
  QCOMPARE(reader.description().attributes.at(fields::kUsualVectorKey), std::string("flow_2"));
  QVERIFY(near(valuesAt(reader, "flow_2", 0, {0, 0, 0})[0], 3 * std::sqrt(0.75) - 0.5));
}

// The numbers were computed by numpy from what netCDF4 reads.
void TestCfTurned::realOceans() {
  NEEDS_DATA("data/series/ocean/Nordic_subset.nc");
  MemoryAccount account{std::uint64_t{64} << 20};
  const auto caches = std::make_shared<chunks::ChunkCaches>(account);
  const std::string path = test::dataPath("data/series/ocean/Nordic_subset.nc").string();
  std::vector<hdf5::OpenedHdf5> files;
  files.push_back(hdf5::openFile(path, paging::ByteStores{}.open(path), account));
  cf::CfData data = hdf5::describeHdf5(files, {}, caches, account);
  const arrays::ArrayReader reader{std::move(data.description), std::move(data.places),
                                   std::move(data.claims)};
  struct Known {
    Index3 node;
    std::array<double, 2> flow;
  };
  for (const Known& known :
       {Known{{15, 10, 0}, {-0.01681719, 0.19020944}}, Known{{0, 3, 34}, {-0.07112775, 0.04484071}},
        Known{{1, 20, 7}, {-0.11381452, -0.03954099}}}) {
    const auto flow = valuesAt(reader, "flow", 0, known.node);
    QVERIFY(near(flow[0], known.flow[0], 1e-6));
    QVERIFY(near(flow[1], known.flow[1], 1e-6));
    QCOMPARE(flow[2], 0.0);
  }
}

QTEST_APPLESS_MAIN(TestCfTurned)
#include "tst_cf_turned.moc"
