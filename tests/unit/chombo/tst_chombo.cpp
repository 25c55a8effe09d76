// Files laid out as Chombo and AMReX lay them out: boxes with and without ghost cells, with and without offsets, in two and three
// dimensions, have their values where they belong; lists that do not fit are refused. The files are written here, after the
// formats' descriptions: no file of these programs is among the test data.

#include <QTest>

#include <cmath>

#include "core/base/error.h"
#include "core/paging/pages/amr_boxes.h"
#include "plugins/amr/amr_dataset.h"
#include "plugins/chombo/chombo_data.h"
#include "plugins/hdf5/hdf5_file.h"
#include "tests/support/amr_checks.h"
#include "tests/support/error_words.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/hdf5/record_maker.h"

using namespace farfield;
using namespace farfield::test;

namespace {

struct Layout {
  std::int64_t ghosts = 0, ghostsSaid = -1;  ///< around each box, and what the file says; -1: the same
  bool offsets = true, isAmrex = false;
  std::int64_t missing = 0;  ///< numbers at the end of level 1 that are not there
  int levels = 3;            ///< that the file says it has
};

double valueAt(Vec3 at, int component) {
  return component == 0 ? AmrSample::linear(at) : 10 * at.x - at.z;
}

/// The sample has spacings that differ by axis, which only AMReX can say.
AmrSample cubes(bool isAmrex) {
  AmrSample sample;
  if (!isAmrex) sample.spacing = {0.5, 0.5, 0.5}, sample.origin = {0, 0, 0};
  return sample;
}

void writeChombo(const std::string& path, const Layout& layout) {
  const AmrSample sample = cubes(layout.isAmrex);
  Hdf5Maker file(path);
  file.group("Chombo_global");
  file.numbers("Chombo_global", "SpaceDim", {3}, H5T_STD_I32LE);
  file.numbers("/", "num_levels", {static_cast<double>(layout.levels)}, H5T_STD_I32LE);
  file.numbers("/", "num_components", {2}, H5T_STD_I32LE);
  file.text("/", "component_0", "density");
  file.text("/", "component_1", "x-momentum");
  file.numbers("/", "time", {2.5});
  for (std::size_t level = 0; level < sample.levels.size(); ++level) {
    const std::string group = "level_" + std::to_string(level);
    file.group(group);
    const Vec3 h = sample.spacingOf(level);
    if (layout.isAmrex) {
      writeRecord(file, group, "Vec_dx", {"x", "y", "z"}, {h.x, h.y, h.z});
      writeRecord(file, group, "prob_lo", {"x", "y", "z"},
                  {sample.origin.x, sample.origin.y, sample.origin.z});
    } else {
      file.numbers(group, "dx", {h.x});
    }
    file.numbers(group, "ref_ratio", {2}, H5T_STD_I32LE);
    const std::int64_t said = layout.ghostsSaid < 0 ? layout.ghosts : layout.ghostsSaid;
    file.group(group + "/data_attributes");
    writeRecord(file, group + "/data_attributes", "outputGhost", {"intvecti", "intvectj", "intvectk"},
                std::vector<double>(3, static_cast<double>(said)));
    std::vector<std::int32_t> boxes;
    std::vector<double> values, offsets;
    for (const IndexBox& box : sample.levels[level]) {
      for (std::size_t a = 0; a < 3; ++a) boxes.push_back(static_cast<std::int32_t>(box.first[a]));
      for (std::size_t a = 0; a < 3; ++a)
        boxes.push_back(static_cast<std::int32_t>(box.first[a] + box.size[a] - 1));
      offsets.push_back(static_cast<double>(values.size()));
      IndexBox grown = box;
      for (std::size_t a = 0; a < 3; ++a) {
        grown.first[a] -= layout.ghosts;
        grown.size[a] += 2 * layout.ghosts;
      }
      for (int c = 0; c < 2; ++c)
        for (std::int64_t n = 0; n < product(grown.size); ++n) {
          Index3 cell = unlinear(n, grown.size);
          for (std::size_t a = 0; a < 3; ++a) cell[a] += grown.first[a];
          values.push_back(box.contains(cell) ? valueAt(sample.centre(level, cell), c) : -1e9);
        }
      // where offsets say so there may be something between
      if (layout.offsets) values.push_back(-1e9);
    }
    offsets.push_back(static_cast<double>(values.size()));
    if (level == 1) values.resize(values.size() - static_cast<std::size_t>(layout.missing));
    writeRecords(file, group + "/boxes", {"lo_i", "lo_j", "lo_k", "hi_i", "hi_j", "hi_k"}, boxes);
    DatasetOptions options{.dims = {values.size()}};
    options.type = H5T_IEEE_F64LE;
    file.make(group + "/data:datatype=0", options);
    file.write(group + "/data:datatype=0", values);
    if (!layout.offsets) continue;
    options.dims = {offsets.size()};
    options.type = H5T_STD_I64LE;
    file.make(group + "/data:offsets=0", options);
    file.write(group + "/data:offsets=0", offsets);
  }
}

}  // namespace

class TestChombo : public QObject {
  Q_OBJECT
 private slots:
  void init() { m_path = (m_folder.path() / "a.hdf5").string(), std::filesystem::remove(m_path); }
  void valuesAreWhereTheyBelong_data();
  void valuesAreWhereTheyBelong();
  void planes();
  void listsThatDoNotFitAreRefused();
  void otherFilesAreNotTaken();
  void everyStepHoldsItsMemory();

 private:
  std::unique_ptr<fields::OpenData> open(std::size_t steps = 1) {
    const chombo::ChomboDataReader reader(std::make_shared<paging::ByteStores>());
    if (!reader.recognizes(m_path)) throw Invalid("not recognized");
    return reader.open({.sources = std::vector<std::string>(steps, m_path)}, m_account);
  }

  TemporaryFolder m_folder;
  std::string m_path;
  MemoryAccount m_account{std::uint64_t{64} << 20};
};

void TestChombo::valuesAreWhereTheyBelong_data() {
  QTest::addColumn<int>("ghosts");
  QTest::addColumn<int>("said");
  QTest::addColumn<bool>("offsets");
  QTest::addColumn<bool>("isAmrex");
  QTest::newRow("plain") << 0 << -1 << true << false;
  QTest::newRow("ghosts") << 2 << -1 << true << false;
  QTest::newRow("no offsets") << 1 << -1 << false << false;
  QTest::newRow("AMReX") << 0 << 3 << true << true;
  QTest::newRow("AMReX without offsets") << 0 << 1 << false << true;
}

void TestChombo::valuesAreWhereTheyBelong() {
  QFETCH(int, ghosts);
  QFETCH(int, said);
  QFETCH(bool, offsets);
  QFETCH(bool, isAmrex);
  writeChombo(m_path, {.ghosts = ghosts, .ghostsSaid = said, .offsets = offsets, .isAmrex = isAmrex});
  const AmrSample sample = cubes(isAmrex);
  const auto data = open();
  const paging::DatasetDescription& description = data->description();
  QCOMPARE(paging::amrOf(description)->boxes, (std::vector<std::int64_t>{2, 4, 1}));
  QCOMPARE(description.times, (std::vector<double>{2.5}));
  for (const int component : {0, 1})
    QVERIFY(nodesThatAgree(*data, sample, component == 0 ? "density" : "x-momentum",
                           [&](Vec3 at) { return valueAt(at, component); }) > 1000);
}

void TestChombo::planes() {
  {
    Hdf5Maker file(m_path);
    file.group("Chombo_global");
    file.numbers("Chombo_global", "SpaceDim", {2}, H5T_STD_I32LE);
    file.numbers("/", "num_levels", {1}, H5T_STD_I32LE);
    file.numbers("/", "num_components", {1}, H5T_STD_I32LE);
    file.text("/", "component_0", "phi");
    file.group("level_0");
    file.numbers("level_0", "dx", {0.5});
    writeRecords(file, "level_0/boxes", {"lo_i", "lo_j", "hi_i", "hi_j"}, {0, 0, 3, 1, 4, 0, 5, 1});
    DatasetOptions options{.dims = {12}};
    file.makeNumbered("level_0/data:datatype=0", options);
  }
  const auto data = open();
  QCOMPARE(data->description().blocks.size(), std::size_t{2});
  QCOMPARE(data->description().blocks[0].dims, (Index3{6, 4, 1}));
  std::vector<float> values(24);
  const auto number = static_cast<std::uint32_t>(data->description().find(0, "phi"));
  data->boxReader()->read(number, 0, {{0, 0, 0}, {6, 4, 1}}, std::as_writable_bytes(std::span(values)));
  QCOMPARE(values[7], 0.0F);   // the first centre
  QCOMPARE(values[10], 3.0F);  // the last one of its row
  QCOMPARE(values[11], 5.5F);  // the end towards the second box, whose first value is 8
}

void TestChombo::listsThatDoNotFitAreRefused() {
  const auto refusal = [&](const Layout& layout) {
    std::filesystem::remove(m_path);
    writeChombo(m_path, layout);
    return errorOf<Error>([&] { open(); });
  };
  QCOMPARE(refusal({}), std::string());
  QVERIFY(contains(refusal({.missing = 100}), "level_1"));
  QVERIFY(contains(refusal({.offsets = false, .missing = 100}), "too few"));
  QVERIFY(contains(refusal({.ghosts = 0, .ghostsSaid = 1000}), "outputGhost"));
  QVERIFY(contains(refusal({.levels = 0}), "num_levels"));
  QVERIFY(contains(refusal({.levels = 1 << 20}), "num_levels"));
  // cut short, also within its values
  std::filesystem::resize_file(m_path, std::filesystem::file_size(m_path) / 2);
  QVERIFY(!errorOf<Error>([&] { open(); }).empty());
}

void TestChombo::otherFilesAreNotTaken() {
  {
    Hdf5Maker file(m_path);
    file.group("Chombo_global");
  }
  const chombo::ChomboDataReader reader(std::make_shared<paging::ByteStores>());
  QVERIFY(!reader.recognizes(m_path));
  QVERIFY(!reader.recognizes(m_path + ".not-there"));
}

/// The places of the values of a step stay until the data are closed, also where its boxes are those of the step before.
void TestChombo::everyStepHoldsItsMemory() {
  writeChombo(m_path, {});
  std::uint64_t used[2];
  for (const std::size_t steps : {std::size_t{1}, std::size_t{4}}) {
    const auto data = open(steps);
    used[steps > 1] = m_account.usedBytes() - steps * hdf5::File::kOpenBytes;
  }
  QVERIFY(used[1] >= used[0] + 3 * amr::claimBoxes(7, 2, m_account).bytes());
}

QTEST_GUILESS_MAIN(TestChombo)
#include "tst_chombo.moc"
