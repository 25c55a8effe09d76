// VTKHDF files of overlapping AMR: boxes of all levels have the values that were written for them, in chunks or in a row; lists that do not fit,
// steps and values of points are refused or left out by name.

#include <QTest>

#include <cmath>

#include "core/base/error.h"
#include "core/paging/pages/amr_boxes.h"
#include "plugins/hdf5/hdf5_data.h"
#include "plugins/vtkhdf/vtkhdf_amr.h"
#include "plugins/vtkhdf/vtkhdf_data.h"
#include "tests/support/amr_checks.h"
#include "tests/support/error_words.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/hdf5/hdf5_maker.h"

using namespace farfield;
using namespace farfield::test;

namespace {

struct Layout {
  bool chunks = true;
  std::size_t missing = 0;   ///< cells at the end of level 1 that are not there
  bool flowIsShort = false;  ///< level 2 has none
  double lastOfBox = 0;      ///< added to the last number of the first box
  double spacing = 1;        ///< of level 1, times what it must be
  int steps = 0;
};

void writeAmr(const std::string& path, const Layout& layout) {
  const AmrSample sample;
  Hdf5Maker file(path);
  file.group("VTKHDF");
  file.text("VTKHDF", "Type", "OverlappingAMR");
  file.text("VTKHDF", "GridDescription", "XYZ");
  file.numbers("VTKHDF", "Version", {2, 2}, H5T_STD_I64LE);
  file.numbers("VTKHDF", "Origin", {sample.origin.x, sample.origin.y, sample.origin.z});
  if (layout.steps > 0) {
    file.group("VTKHDF/Steps");
    file.numbers("VTKHDF/Steps", "NSteps", {static_cast<double>(layout.steps)}, H5T_STD_I64LE);
  }
  for (std::size_t level = 0; level < sample.levels.size(); ++level) {
    const std::string group = "VTKHDF/Level" + std::to_string(level);
    file.group(group);
    const Vec3 h = (level == 1 ? layout.spacing : 1.0) * sample.spacingOf(level);
    file.numbers(group, "Spacing", {h.x, h.y, h.z});
    file.group(group + "/CellData");
    file.group(group + "/PointData");
    std::vector<double> boxes, linear, flow;
    for (const IndexBox& box : sample.levels[level]) {
      for (std::size_t a = 0; a < 3; ++a) {
        boxes.push_back(static_cast<double>(box.first[a]));
        boxes.push_back(static_cast<double>(box.first[a] + box.size[a] - 1));
      }
      for (std::int64_t n = 0; n < product(box.size); ++n) {
        Index3 cell = unlinear(n, box.size);
        for (std::size_t a = 0; a < 3; ++a) cell[a] += box.first[a];
        const double value = AmrSample::linear(sample.centre(level, cell));
        linear.push_back(value);
        flow.insert(flow.end(), {value, -value, 2 * value});
      }
    }
    if (level == 0) boxes[5] += layout.lastOfBox;
    if (level == 1) linear.resize(linear.size() - layout.missing);
    const auto put = [&](const std::string& name, const std::vector<double>& values, hsize_t components,
                         hid_t type) {
      DatasetOptions options{.dims = {values.size() / components}};
      if (components > 1) options.dims.push_back(components);
      if (layout.chunks) {
        options.chunks = {std::min<hsize_t>(options.dims[0], 100)};
        if (components > 1) options.chunks.push_back(components);
        options.gzip = 1;
      }
      options.type = type;
      file.make(group + "/" + name, options);
      file.write(group + "/" + name, values);
    };
    put("AMRBox", boxes, 6, H5T_STD_I32LE);
    put("CellData/linear", linear, 1, H5T_IEEE_F64LE);
    if (!layout.flowIsShort || level < 2) put("CellData/flow", flow, 3, H5T_IEEE_F32LE);
    put("PointData/nodes", linear, 1, H5T_IEEE_F32LE);
  }
}

}  // namespace

class TestVtkHdfAmr : public QObject {
  Q_OBJECT
 private slots:
  void init() { m_path = (m_folder.path() / "a.vtkhdf").string(), std::filesystem::remove(m_path); }
  void valuesAreWhereTheyBelong_data();
  void valuesAreWhereTheyBelong();
  void whatDoesNotFitIsSaid();
  void placesAreClaimed();

 private:
  std::unique_ptr<fields::OpenData> open() {
    const vtkhdf::VtkHdfDataReader reader(std::make_shared<paging::ByteStores>());
    if (!reader.recognizes(m_path)) throw Invalid("not recognized");
    return reader.open({.sources = {m_path}}, m_account);
  }
  std::string refusal(const Layout& layout) {
    std::filesystem::remove(m_path);
    writeAmr(m_path, layout);
    return errorOf<Error>([&] { open(); });
  }

  TemporaryFolder m_folder;
  std::string m_path;
  MemoryAccount m_account{std::uint64_t{64} << 20};
};

void TestVtkHdfAmr::valuesAreWhereTheyBelong_data() {
  QTest::addColumn<bool>("chunks");
  QTest::newRow("chunks") << true;
  QTest::newRow("in a row") << false;
}

void TestVtkHdfAmr::valuesAreWhereTheyBelong() {
  QFETCH(bool, chunks);
  writeAmr(m_path, {.chunks = chunks});
  const AmrSample sample;
  const auto data = open();
  const paging::DatasetDescription& description = data->description();
  QCOMPARE(paging::amrOf(description)->boxes, (std::vector<std::int64_t>{2, 4, 1}));
  QVERIFY(description.find(0, "nodes") < 0);
  QVERIFY(nodesThatAgree(*data, sample, "linear", AmrSample::linear) > 2000);
  for (int b = 0; b < 7; ++b) {
    const std::vector<double> values = blockValues(*data, b, "linear"), flow = blockValues(*data, b, "flow");
    QCOMPARE(flow.size(), 3 * values.size());
    for (std::size_t n = 0; n < values.size(); ++n)
      QVERIFY(std::abs(flow[3 * n + 2] - 2 * values[n]) < 1e-4 &&
              std::abs(flow[3 * n + 1] + values[n]) < 1e-4);
  }
}

void TestVtkHdfAmr::whatDoesNotFitIsSaid() {
  QCOMPARE(refusal({}), std::string());
  QVERIFY(contains(refusal({.missing = 1}), "too few"));
  QVERIFY(contains(refusal({.lastOfBox = -100}), "is none"));
  QVERIFY(contains(refusal({.lastOfBox = 1e8}), "too few"));
  QVERIFY(contains(refusal({.spacing = 0.7}), "divide"));
  QVERIFY(contains(refusal({.spacing = 0}), "divide"));
  QVERIFY(contains(refusal({.steps = 3}), "steps"));
  QCOMPARE(refusal({.steps = 1}), std::string());
  QCOMPARE(refusal({.flowIsShort = true}), std::string());
  const auto data = open();
  QVERIFY(data->description().find(0, "flow") < 0);
  const auto said = data->explanation();
  QVERIFY(std::any_of(said.begin(), said.end(),
                      [](const std::string& line) { return contains(line, "left out: flow"); }));
}

/// Of every variable of every box, as long as they are there.
void TestVtkHdfAmr::placesAreClaimed() {
  writeAmr(m_path, {.chunks = false});
  const paging::ByteStores stores;
  const hdf5::OpenedHdf5 opened = hdf5::openFile(m_path, stores.open(m_path), m_account);
  const auto caches = std::make_shared<chunks::ChunkCaches>(m_account);
  const std::uint64_t before = m_account.usedBytes();
  {
    const amr::AmrInput input = vtkhdf::amrOf(opened, caches, m_account);
    QCOMPARE(input.variables.size(), std::size_t{2});
    QVERIFY(m_account.usedBytes() >= before + amr::claimBoxes(7, input.variables.size(), m_account).bytes());
  }
  QCOMPARE(m_account.usedBytes(), before);
}

QTEST_GUILESS_MAIN(TestVtkHdfAmr)
#include "tst_vtkhdf_amr.moc"
