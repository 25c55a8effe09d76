// Data of any grid on a regular one: the values are those of the field at the nodes, NaN and blank where no cell is; and the same
// bytes however the boxes are cut and whoever computes them.

#include <QTest>
#include <cmath>

#include "core/fields/resampled/resampled_reader.h"
#include "core/fields/samples/sample_data.h"

using namespace farfield;
using namespace farfield::fields;

namespace {

constexpr std::uint64_t kBudget = std::uint64_t{64} << 20;

struct Opened {
  explicit Opened(const std::string& url) {
    OpenRequest request;
    request.sources = {url};
    data = samples::SampleDataReader().open(request, account);
  }
  ResampledReader resampled(int alongLongest, int processors = 1) {
    return {*data, account, {.alongLongest = alongLongest, .processors = processors}};
  }
  MemoryAccount account{kBudget};
  std::unique_ptr<OpenData> data;
};

std::vector<std::byte> readBox(const ResampledReader& reader, std::uint32_t array, const IndexBox& box) {
  std::vector<std::byte> out(static_cast<std::size_t>(product(box.size)) *
                             static_cast<std::size_t>(reader.description().arrays[array].nodeBytes()));
  reader.read(array, 0, box, out);
  return out;
}

std::vector<std::byte> readAll(const ResampledReader& reader, std::uint32_t array) {
  return readBox(reader, array, {{0, 0, 0}, reader.description().blocks.front().dims});
}

std::uint32_t arrayNamed(const ResampledReader& reader, const char* name) {
  return static_cast<std::uint32_t>(reader.description().find(0, name));
}

}  // namespace

class TestResampled : public QObject {
  Q_OBJECT
 private slots:
  void nodesOfTheSameGrid();
  void valuesAreTheFields();
  void sameBytesInAnyBoxes_data();
  void sameBytesInAnyBoxes();
  void overlappingBlocks();
  void whatIsNoVolume();
  void axesOfOtherUnitsAreSeen();
  void numbersOfNodes();
};

/// A regular grid on nodes of its own is itself.
void TestResampled::nodesOfTheSameGrid() {
  Opened opened("sample://marschner-lobb?size=17");
  const ResampledReader reader = opened.resampled(17);
  const paging::BlockDescription& block = reader.description().blocks.front();
  QVERIFY(block.dims == (Index3{17, 17, 17}));
  QVERIFY(block.kind == paging::GridKind::Regular);
  const std::uint32_t density = arrayNamed(reader, "density");
  QVERIFY(reader.description().arrays[density].type == ScalarType::F32);
  const std::vector<std::byte> sampled = readAll(reader, density);
  std::vector<std::byte> itself(sampled.size());
  const paging::BoxReader& from = *opened.data->boxReader();
  from.read(static_cast<std::uint32_t>(from.description().find(0, "density")), 0, {{0, 0, 0}, block.dims},
            itself);
  for (std::int64_t n = 0; n < product(block.dims); ++n)
    QVERIFY(std::abs(valueAt(sampled.data(), ScalarType::F32, n) -
                     valueAt(itself.data(), ScalarType::F32, n)) < 1e-6);
}

void TestResampled::valuesAreTheFields() {
  Opened opened("sample://abc?size=21&curvilinear=true&blocks=2");
  const ResampledReader reader = opened.resampled(30);
  const paging::DatasetDescription& made = reader.description();
  const std::uint32_t q = arrayNamed(reader, "q");
  QCOMPARE(made.arrays[q].components, 5);
  const std::vector<std::byte> values = readAll(reader, q);
  // The same by a sampler that knows nothing of rows.
  const std::vector<std::string> names = made.arrays[q].componentNames;
  const auto plan = std::make_shared<const FunctionPlan>(opened.data->description(), names);
  PagedDataOptions options;
  options.arrays = plan->arrays();
  options.shareOfFree = 0.5;
  PagedData paged(*opened.data, opened.account, options);
  int compared = 0;
  tasks::TaskGroup group;
  group.count = 1;
  group.run = [&](std::size_t, tasks::TaskContext& context) {
    const auto sampler = paged.makeSampler(context, plan);
    const paging::BlockDescription& block = made.blocks.front();
    std::vector<double> exact(5);
    for (std::int64_t n = 0; n < product(block.dims); n += 7) {
      const Index3 node = unlinear(n, block.dims);
      Vec3 point;
      for (int a = 0; a < 3; ++a)
        point[a] =
            block.origin[a] + block.spacing[a] * static_cast<double>(node[static_cast<std::size_t>(a)]);
      Location location;
      if (!sampler->locate(point, {0}, location)) continue;
      sampler->evaluate(location, {0}, exact);
      for (int c = 0; c < 5; ++c) {
        const double found = valueAt(values.data(), made.arrays[q].type, 5 * n + c);
        QVERIFY2(std::abs(found - exact[static_cast<std::size_t>(c)]) <= 1e-6 * (1 + std::abs(found)),
                 qPrintable(QString::number(n)));
      }
      ++compared;
    }
  };
  paged.makeScheduler()->run(group, {});
  QVERIFY2(compared > product(made.blocks.front().dims) / 10, qPrintable(QString::number(compared)));
}

void TestResampled::sameBytesInAnyBoxes_data() {
  QTest::addColumn<QString>("url");
  QTest::newRow("two blocks") << "sample://abc?size=21&curvilinear=true&blocks=2";
  QTest::newRow("overlapping, blanked") << "sample://cylinder?size=33,25,9&blocks=4";
}

/// Boxes that begin anywhere, also within a piece of a row and past its middle.
void TestResampled::sameBytesInAnyBoxes() {
  QFETCH(QString, url);
  Opened opened(url.toStdString());
  const ResampledReader one = opened.resampled(150);
  const Index3 dims = one.description().blocks.front().dims;
  const std::vector<std::byte> all = readAll(one, 1);
  {
    Opened again(url.toStdString());
    QVERIFY(readAll(again.resampled(150, 2), 1) == all);
  }
  const auto bytes = static_cast<std::size_t>(one.description().arrays[1].nodeBytes());
  for (const IndexBox& box : {IndexBox{{70, 3, 1}, {50, 20, 3}}, IndexBox{{5, 0, 0}, {1, dims[1], 2}},
                              IndexBox{{63, 7, 2}, {2, 2, 2}}}) {
    const std::vector<std::byte> part = readBox(one, 1, box);
    for (std::int64_t n = 0; n < product(box.size); ++n) {
      const Index3 at = unlinear(n, box.size);
      const std::int64_t node =
          linear({box.first[0] + at[0], box.first[1] + at[1], box.first[2] + at[2]}, dims);
      QVERIFY(std::memcmp(part.data() + static_cast<std::size_t>(n) * bytes,
                          all.data() + static_cast<std::size_t>(node) * bytes, bytes) == 0);
    }
  }
}

/// Inside of the cylinder nothing flows; outside of it and inside of the mesh something does.
void TestResampled::overlappingBlocks() {
  Opened opened("sample://cylinder?size=33,25,9&blocks=4");
  const ResampledReader reader = opened.resampled(64);
  const paging::DatasetDescription& made = reader.description();
  QVERIFY(made.arrays[0].role == paging::ArrayRole::Blanking);
  QCOMPARE(made.arrays[0].steps, 1);
  const std::vector<std::byte> blanking = readAll(reader, 0), values = readAll(reader, 1);
  const paging::BlockDescription& block = made.blocks.front();
  const int components = made.arrays[1].components;
  int inside = 0, blank = 0;
  for (std::int64_t n = 0; n < product(block.dims); ++n) {
    const Index3 node = unlinear(n, block.dims);
    const double x = block.origin.x + block.spacing.x * static_cast<double>(node[0]);
    const double y = block.origin.y + block.spacing.y * static_cast<double>(node[1]);
    const bool there = valueAt(blanking.data(), ScalarType::I16, n) != 0;
    QCOMPARE(std::isnan(valueAt(values.data(), made.arrays[1].type, components * n)), !there);
    if (std::hypot(x, y) < 0.9) QVERIFY(!there);
    ++(there ? inside : blank);
  }
  QVERIFY(inside > 1000);
  QVERIFY(blank > 0);
}

void TestResampled::whatIsNoVolume() {
  Opened opened("sample://abc?size=9");
  QVERIFY_EXCEPTION_THROWN(regularGridOver(opened.data->description(), Bounds{{0, 0, 1}, {2, 2, 1}}, 9),
                           Unsupported);
  const RegularGrid flat = regularGridOver(opened.data->description(), Bounds{{0, 0, 1}, {2, 1, 1.01}}, 9);
  QVERIFY(flat.nodes == (Index3{9, 5, 2}));
}

/// An ocean in degrees and metres: cubes of ten metres would be two along each degree.
void TestResampled::axesOfOtherUnitsAreSeen() {
  Opened opened("sample://abc?size=33");
  const auto nodes = [&](Vec3 size, int along = 0) {
    return regularGridOver(opened.data->description(), Bounds{{0, 0, 0}, size}, along).nodes;
  };
  QVERIFY(nodes({3.4, 1.3, 297}) == (Index3{66, 66, 512}));
  QVERIFY(nodes({3.4, 1.3, 297}, 1024) == (Index3{132, 132, 1024}));
  QVERIFY(nodes({1, 1, 1}) == (Index3{66, 66, 66}));
  QVERIFY(nodes({8, 1, 1}) == (Index3{264, 34, 34}));  // nearly cubes
  // Also where there are as many as there may be.
  Opened many("sample://abc?size=400");
  QVERIFY(regularGridOver(many.data->description(), Bounds{{0, 0, 0}, {4, 1, 1}}).nodes ==
          (Index3{512, 129, 129}));
}

void TestResampled::numbersOfNodes() {
  QCOMPARE(nodesAlongLongest("auto", "it"), 0);
  QCOMPARE(nodesAlongLongest("2", "it"), 2);
  for (const char* wrong : {"", "1", "0", "-3", "2.5", "7x", "1048577", "99999999999999999999"})
    QVERIFY_EXCEPTION_THROWN(nodesAlongLongest(wrong, "it"), Invalid);
}

QTEST_APPLESS_MAIN(TestResampled)
#include "tst_resampled.moc"
