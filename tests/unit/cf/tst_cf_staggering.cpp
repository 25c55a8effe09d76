// Variables of staggered grids at the centres of cells, against means computed here and, of a real ocean, by numpy.

#include <QTest>

#include <algorithm>
#include <array>
#include <limits>

#include "core/base/error.h"
#include "plugins/hdf5/hdf5_reader.h"
#include "tests/support/array_checks.h"
#include "tests/support/made_cf_file.h"

using namespace farfield;
using test::allValues;
using test::errorOf;

namespace {

enum Dims { Time, S, SW, Eta, EtaV, Xi, XiU };

/// Numbers that tell their place.
std::vector<double> numbers(std::int64_t count, double seed) {
  std::vector<double> result;
  for (std::int64_t n = 0; n < count; ++n) result.push_back(seed + static_cast<double>(n * n % 97) / 8);
  return result;
}

/// Dimensions of five by four by three centres under the given names, with temp, u, v and w, two steps. `numbersOf` are those of the dimensions SW, EtaV, XiU.
class Ocean : public test::MadeCfFile {
 public:
  Ocean(const std::array<std::string, 6>& names, std::array<std::int64_t, 3> numbersOf = {4, 3, 4},
        bool withCentres = true)
      : MadeCfFile({{"time", 2, true},
                    {names[0], 3},
                    {names[1], numbersOf[0]},
                    {names[2], 4},
                    {names[3], numbersOf[1]},
                    {names[4], 5},
                    {names[5], numbersOf[2]}}) {
    add("time", {Time}, {0, 10}, {{"axis", "T"}});
    if (withCentres) {
      add("temp", {Time, S, Eta, Xi}, numbers(120, 1));
      add("salt", {Time, S, Eta, Xi}, numbers(120, 2));
    }
    add("u", {Time, S, Eta, XiU}, numbers(2 * 12 * numbersOf[2], 3), {{"units", "m s-1"}});
    add("v", {Time, S, EtaV, Xi}, numbers(2 * 15 * numbersOf[1], 4));
    add("w", {Time, SW, Eta, Xi}, numbers(2 * 20 * numbersOf[0], 5));
  }
};

const std::array<std::string, 6> kRoms{"s_rho", "s_w", "eta_rho", "eta_v", "xi_rho", "xi_u"};
const std::array<std::string, 6> kOthers{"k", "kw", "j", "jv", "i", "iu"};

/// Means at 5 x 4 x 3 centres of numbers along `axis`, of the second step: of the numbers `lower` + n and the one after it.
std::vector<double> means(const cf::File& file, const std::string& name, std::size_t axis,
                          std::int64_t lower) {
  const cf::Variable& variable = *file.variable(name);
  const Index3 nodes{5, 4, 3};
  Index3 dims = nodes;
  dims[axis] = file.sizeOf(variable.dims[3 - axis]);
  std::vector<double> stored(static_cast<std::size_t>(product(dims)));
  variable.bytes->readAt(stored.size() * sizeof(double), std::as_writable_bytes(std::span(stored)));
  std::vector<double> result;
  Index3 at;
  for (at[2] = 0; at[2] < nodes[2]; ++at[2])
    for (at[1] = 0; at[1] < nodes[1]; ++at[1])
      for (at[0] = 0; at[0] < nodes[0]; ++at[0]) {
        double sum = 0;
        for (const std::int64_t side : {0, 1}) {
          Index3 number = at;
          number[axis] = std::clamp<std::int64_t>(at[axis] + lower + side, 0, dims[axis] - 1);
          sum += stored[static_cast<std::size_t>(linear(number, dims))];
        }
        result.push_back(sum / 2);
      }
  return result;
}

bool has(const paging::BoxReader& reader, const std::string& name) {
  return reader.description().find(0, name) >= 0;
}

}  // namespace

class TestCfStaggering : public QObject {
  Q_OBJECT
 private slots:
  void dimensionsOfRoms();
  void paddings_data();
  void paddings();
  void shiftsOfAxes();
  void dimensionsOfWrf();
  void anyBoxHasTheSame();
  void nothingOnTheCentres();
  void aNamedGridIsAsItIs();
  void axesThatDescend();
  void vectorsOfThem();
  void whatHasNoValue();
  void wholeNumbersBecomeReal();
  void whatDoesNotFitIsLeftOut();
  void masksAreNoVariables();
  void realOceans();
};

void TestCfStaggering::dimensionsOfRoms() {
  Ocean ocean(kRoms);
  const auto reader = ocean.open();
  const auto& data = reader.description();
  QCOMPARE(data.blocks[0].dims, (Index3{5, 4, 3}));
  QCOMPARE(allValues(reader, "u", 1), means(ocean.file, "u", 0, -1));
  QCOMPARE(allValues(reader, "v", 1), means(ocean.file, "v", 1, -1));
  QCOMPARE(allValues(reader, "w", 1), means(ocean.file, "w", 2, 0));
  QCOMPARE(data.attributes.at("units.u"), std::string("m s-1"));
  QVERIFY(data.attributes.contains("means.u") && !data.attributes.contains("means.temp"));
  QVERIFY(ocean.explain.find("means of the values around: u, v, w;") != std::string::npos);
  QVERIFY(ocean.explain.find("left out") == std::string::npos);
  // it can be chosen
  QCOMPARE(ocean.choices.size(), std::size_t{1});
  QCOMPARE(ocean.choices[0].values.size(), std::size_t{5});
  QCOMPARE(ocean.choices[0].values[0].value, std::string("centres"));
  QCOMPARE(ocean.choices[0].values[0].text, std::string("temp, salt, u, v, w: 5 x 4 x 3, at the centres"));
  QCOMPARE(ocean.choices[0].now, std::size_t{0});
  QCOMPARE(ocean.choices[0].byDefault, std::size_t{0});
  QCOMPARE(allValues(ocean.open({{"variable", "centres"}}), "w", 1), means(ocean.file, "w", 2, 0));
  // as many places of each as of the centres, as cut by index
  Ocean cut(kRoms, {3, 4, 5});
  const auto same = cut.open();
  QCOMPARE(allValues(same, "u", 1), means(cut.file, "u", 0, -1));
  QCOMPARE(allValues(same, "v", 1), means(cut.file, "v", 1, -1));
  QCOMPARE(allValues(same, "w", 1), means(cut.file, "w", 2, 0));
}

void TestCfStaggering::paddings_data() {
  QTest::addColumn<std::string>("padding");
  QTest::addColumn<int>("more");  // numbers than centres
  QTest::addColumn<int>("lower");
  QTest::newRow("none") << std::string("none") << 1 << 0;
  QTest::newRow("low") << std::string("low") << 0 << -1;
  QTest::newRow("high") << std::string("high") << 0 << 0;
  QTest::newRow("both") << std::string("both") << -1 << -1;
}

void TestCfStaggering::paddings() {
  QFETCH(const std::string, padding);
  QFETCH(const int, more);
  QFETCH(const int, lower);
  Ocean ocean(kOthers, {3 + more, 4 + more, 5 + more});
  const std::string of = " (padding: " + padding + ")";
  ocean.add("topology", {}, {0},
            {{"cf_role", "grid_topology"},
             {"node_dimensions", "inode jnode"},
             {"face_dimensions", "i: inode" + of + " j:jnode" + of},
             {"edge1_dimensions", "iu: inode j: jnode" + of},
             {"edge2_dimensions", "i: inode" + of + " jv: jnode"},
             {"vertical_dimensions", "k: kw" + of}});
  const auto reader = ocean.open();
  QCOMPARE(reader.description().blocks[0].dims, (Index3{5, 4, 3}));
  QCOMPARE(allValues(reader, "u", 1), means(ocean.file, "u", 0, lower));
  QCOMPARE(allValues(reader, "v", 1), means(ocean.file, "v", 1, lower));
  QCOMPARE(allValues(reader, "w", 1), means(ocean.file, "w", 2, lower));
}

void TestCfStaggering::shiftsOfAxes() {
  Ocean ocean(kOthers, {3, 4, 5});
  const auto axis = [&](int dimension, const std::string& name, const char* letter, double shift) {
    std::vector<double> places;
    for (std::int64_t n = 0; n < ocean.file.sizeOf(dimension); ++n)
      places.push_back(static_cast<double>(n) + shift);
    cf::Variable& variable = ocean.add(name, {dimension}, places, {{"axis", letter}});
    if (shift != 0) variable.attributes.push_back({"c_grid_axis_shift", "", {shift}});
  };
  axis(Xi, "i", "X", 0);
  axis(XiU, "iu", "X", 0.5);
  axis(Eta, "j", "Y", 0);
  axis(EtaV, "jv", "Y", -0.5);
  axis(S, "k", "Z", 0);
  axis(SW, "kw", "Z", -0.5);
  const auto reader = ocean.open();
  QVERIFY(reader.description().blocks[0].kind == paging::GridKind::Rectilinear);
  QCOMPARE(allValues(reader, "u", 1), means(ocean.file, "u", 0, -1));
  QCOMPARE(allValues(reader, "v", 1), means(ocean.file, "v", 1, 0));
  QCOMPARE(allValues(reader, "w", 1), means(ocean.file, "w", 2, 0));
}

void TestCfStaggering::dimensionsOfWrf() {
  Ocean ocean(
      {"bottom_top", "bottom_top_stag", "south_north", "south_north_stag", "west_east", "west_east_stag"},
      {4, 5, 6});
  const auto reader = ocean.open();
  QCOMPARE(allValues(reader, "u", 1), means(ocean.file, "u", 0, 0));
  QCOMPARE(allValues(reader, "v", 1), means(ocean.file, "v", 1, 0));
  QCOMPARE(allValues(reader, "w", 1), means(ocean.file, "w", 2, 0));
}

void TestCfStaggering::anyBoxHasTheSame() {
  Ocean ocean(kRoms);
  ocean.add("psi", {Time, SW, EtaV, XiU}, numbers(2 * 4 * 3 * 4, 6));
  const auto reader = ocean.open();
  for (const std::string name : {"u", "v", "w", "psi"}) {
    const auto all = allValues(reader, name, 1);
    for (const IndexBox& box : {IndexBox{{0, 0, 0}, {1, 1, 1}}, IndexBox{{4, 3, 2}, {1, 1, 1}},
                                IndexBox{{1, 0, 1}, {3, 4, 2}}, IndexBox{{2, 1, 0}, {3, 2, 3}}}) {
      std::vector<double> some(static_cast<std::size_t>(product(box.size)));
      reader.read(static_cast<std::uint32_t>(reader.description().find(0, name)), 1, box,
                  std::as_writable_bytes(std::span(some)));
      std::size_t n = 0;
      for (std::int64_t k = box.first[2]; k < box.first[2] + box.size[2]; ++k)
        for (std::int64_t j = box.first[1]; j < box.first[1] + box.size[1]; ++j)
          for (std::int64_t i = box.first[0]; i < box.first[0] + box.size[0]; ++i)
            QCOMPARE(some[n++], all[static_cast<std::size_t>(i + 5 * (j + 4 * k))]);
    }
  }
  // along three axes at once: the mean of eight numbers inside
  const cf::Variable& psi = *ocean.file.variable("psi");
  std::vector<double> stored(96);
  psi.bytes->readAt(0, std::as_writable_bytes(std::span(stored)));
  double sum = 0;
  for (int n = 0; n < 8; ++n)
    sum += stored[static_cast<std::size_t>(48 + 1 + (n & 1) + 4 * (0 + (n >> 1 & 1) + 3 * (1 + (n >> 2))))];
  QCOMPARE(allValues(reader, "psi", 1)[static_cast<std::size_t>(2 + 5 * (1 + 4 * 1))], sum / 8);
}

void TestCfStaggering::nothingOnTheCentres() {
  Ocean ocean(kRoms, {4, 3, 4}, false);
  ocean.add("lon_rho", {Eta, Xi}, numbers(20, 0), {{"units", "degree_east"}});
  ocean.add("lat_rho", {Eta, Xi}, numbers(20, 1), {{"units", "degree_north"}});
  ocean.add("zeta", {Time, Eta, Xi}, numbers(40, 1), {{"coordinates", "lat_rho lon_rho"}});
  const auto reader = ocean.open();
  QCOMPARE(reader.description().blocks[0].dims, (Index3{5, 4, 3}));
  QVERIFY(reader.description().blocks[0].kind == paging::GridKind::Curvilinear);
  QCOMPARE(reader.description().times, (std::vector<double>{0, 10}));
  QCOMPARE(allValues(reader, "u", 1), means(ocean.file, "u", 0, -1));
  QVERIFY(has(reader, "v") && has(reader, "w") && !has(reader, "zeta"));
  QVERIFY(ocean.explain.find("left out, on other grids: zeta;") != std::string::npos);
}

void TestCfStaggering::aNamedGridIsAsItIs() {
  Ocean ocean(kRoms);
  const auto onFaces = ocean.open({{"variable", "u"}});
  QCOMPARE(onFaces.description().blocks[0].dims, (Index3{4, 4, 3}));
  QVERIFY(has(onFaces, "u") && !has(onFaces, "v") && !has(onFaces, "temp"));
  QCOMPARE(ocean.choices[0].values[ocean.choices[0].now].value, std::string("u"));
  const auto alone = ocean.open({{"variable", "temp"}});
  QVERIFY(has(alone, "temp") && has(alone, "salt") && !has(alone, "u"));
  QVERIFY(ocean.explain.find("left out, on other grids: u, v, w;") != std::string::npos);
  QVERIFY(errorOf<Invalid>([&] { ocean.open({{"variable", "none"}}); }).find("'none'") != std::string::npos);
  Ocean plain(kOthers);
  QVERIFY(errorOf<Invalid>([&] {
            plain.open({{"variable", "centres"}});
          }).find("'centres'") != std::string::npos);
}

void TestCfStaggering::axesThatDescend() {
  Ocean ocean(kRoms);
  ocean.add("s_rho", {S}, {3, 2, 1}, {{"axis", "Z"}});
  ocean.add("xi_rho", {Xi}, {50, 40, 30, 20, 10}, {{"axis", "X"}});
  const auto reader = ocean.open();
  const auto turned = [](const std::vector<double>& values) {
    std::vector<double> result;
    for (int k = 2; k >= 0; --k)
      for (int j = 0; j < 4; ++j)
        for (int i = 4; i >= 0; --i) result.push_back(values[static_cast<std::size_t>(i + 5 * (j + 4 * k))]);
    return result;
  };
  QCOMPARE(allValues(reader, "u", 1), turned(means(ocean.file, "u", 0, -1)));
  QCOMPARE(allValues(reader, "v", 1), turned(means(ocean.file, "v", 1, -1)));
  QCOMPARE(allValues(reader, "w", 1), turned(means(ocean.file, "w", 2, 0)));
}

void TestCfStaggering::vectorsOfThem() {
  Ocean ocean(kRoms);
  const auto reader = ocean.open({{"vectors", "velocity=u,v,w"}});
  const int number = reader.description().find(0, "velocity");
  QVERIFY(number >= 0);
  QCOMPARE(reader.description().arrays[static_cast<std::size_t>(number)].components, 3);
  const auto velocity = allValues(reader, "velocity", 1), u = means(ocean.file, "u", 0, -1),
             w = means(ocean.file, "w", 2, 0);
  for (std::size_t n = 0; n < u.size(); ++n) {
    QCOMPARE(velocity[3 * n], u[n]);
    QCOMPARE(velocity[3 * n + 2], w[n]);
  }
}

void TestCfStaggering::whatHasNoValue() {
  Ocean ocean(kRoms);
  ocean.file.variables.clear();
  std::vector<double> temp(120, 1), u(96, 2);
  temp[60 + 7] = -1;  // node (2, 1, 0) of the second step
  u[48] = -1;         // beside nodes (0, 0, 0) and (1, 0, 0)
  for (auto [name, dims, values] : {std::tuple{"temp", std::vector<int>{Time, S, Eta, Xi}, temp},
                                    std::tuple{"u", std::vector<int>{Time, S, Eta, XiU}, u}})
    ocean.add(name, dims, values).attributes.push_back({"_FillValue", "", {-1}});
  const auto reader = ocean.open();
  const auto means = allValues(reader, "u", 1);
  QVERIFY(std::isnan(means[0]) && std::isnan(means[1]) && means[2] == 2);
  // only values on nodes say which are blank
  const auto blanks = allValues(reader, "iblank", 1);
  QVERIFY(blanks[0] == 1 && blanks[1] == 1 && blanks[7] == 0);
}

void TestCfStaggering::wholeNumbersBecomeReal() {
  Ocean ocean(kRoms);
  class Shorts final : public arrays::ByteSource {
   public:
    std::uint64_t size() const override { return 2 * 48 * 2; }
    void readAt(std::uint64_t offset, std::span<std::byte> out) const override {
      for (std::size_t n = 0; n < out.size(); ++n)
        out[n] = static_cast<std::byte>((offset + n) % 2 == 0 ? (offset + n) / 2 : 0);
    }
  };
  cf::Variable& packed = ocean.add("steps", {Time, S, Eta, XiU}, {});
  packed.type = arrays::NumberType::I16;
  packed.bytes = std::make_shared<Shorts>();
  cf::setDenseStrides(ocean.file, packed);
  const auto reader = ocean.open();
  const auto values = allValues(reader, "steps", 0);
  QCOMPARE(values[0], 0.0);
  QCOMPARE(values[1], 0.5);
  QCOMPARE(values[4], 3.0);
}

void TestCfStaggering::whatDoesNotFitIsLeftOut() {
  Ocean ocean(kRoms, {33, 3, 1});
  const auto reader = ocean.open();
  QVERIFY(has(reader, "temp") && has(reader, "v") && !has(reader, "u") && !has(reader, "w"));
  QVERIFY(ocean.explain.find("left out, on other grids: u, w;") != std::string::npos);
  Ocean plain(kOthers);
  const auto others = plain.open();
  QVERIFY(!has(others, "u") && !has(others, "v"));
}

void TestCfStaggering::masksAreNoVariables() {
  test::MadeCfFile grid({{"eta_rho", 4}, {"xi_rho", 5}, {"xi_u", 4}});
  grid.add("h", {0, 1}, numbers(20, 1));
  grid.add("mask_u", {0, 2}, numbers(16, 1));
  const auto reader = grid.open();
  QVERIFY(has(reader, "h") && !has(reader, "mask_u"));
}

// The numbers were computed by numpy from what h5py reads.
void TestCfStaggering::realOceans() {
  NEEDS_DATA("data/series/ocean/Nordic_subset.nc");
  MemoryAccount account{std::uint64_t{64} << 20};
  const auto caches = std::make_shared<chunks::ChunkCaches>(account);
  const std::string path = test::dataPath("data/series/ocean/Nordic_subset.nc").string();
  std::vector<hdf5::OpenedHdf5> files;
  files.push_back(hdf5::openFile(path, paging::ByteStores{}.open(path), account));
  cf::CfData data = hdf5::describeHdf5(files, {}, caches, account);
  const arrays::ArrayReader reader{std::move(data.description), std::move(data.places),
                                   std::move(data.claims)};
  QCOMPARE(reader.description().blocks[0].dims, (Index3{31, 21, 35}));
  const auto u = allValues(reader, "u", 0), v = allValues(reader, "v", 0);
  const auto at = [](std::int64_t k, std::int64_t j, std::int64_t i) {
    return static_cast<std::size_t>(i + 31 * (j + 21 * k));
  };
  const auto near = [](double is, double should) { return std::abs(is - should) < 1e-7; };
  QVERIFY(near(u[at(0, 10, 15)], 0.11997703));
  QVERIFY(near(v[at(0, 10, 15)], 0.1485529));
  QVERIFY(near(u[at(34, 3, 0)], -0.019252311));
  QVERIFY(near(v[at(34, 3, 0)], 0.081848614));
  QVERIFY(near(u[at(7, 20, 1)], -0.10787334));
  QVERIFY(near(v[at(7, 20, 1)], 0.053670995));
}

QTEST_APPLESS_MAIN(TestCfStaggering)
#include "tst_cf_staggering.moc"
