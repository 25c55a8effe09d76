// Sets of files of Cactus/Carpet: components of several processes on two levels are one adaptive grid without ghost zones and without
// gaps, whichever file or folder is named; iterations are steps; what does not fit is left out and said, what is damaged refused.

#include <QTest>

#include <cmath>

#include "core/base/error.h"
#include "core/paging/pages/amr_boxes.h"
#include "plugins/carpet/carpet_data.h"
#include "plugins/carpet/carpet_files.h"
#include "plugins/carpet/carpet_name.h"
#include "tests/support/array_checks.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/hdf5/hdf5_maker.h"

using namespace farfield;
using namespace farfield::test;

namespace {

double valueAt(Vec3 at, int iteration) {
  return 1 + at.x - 2 * at.y + 3 * at.z + iteration;
}

/// A component with nodes `box` of a level, ghost zones included, of a field that is linear in space.
struct Part {
  int level = 0, component = 0;
  IndexBox box;
  std::array<int, 6> ends;  ///< cctk_bbox
};

const Vec3 kOrigin{-1, 0, 2};

void writePart(Hdf5Maker& file, const Part& part, const std::string& variable, int iteration,
               double offset = 0) {
  const double delta = part.level == 0 ? 0.5 : 0.25;
  const std::string name = variable + " it=" + std::to_string(iteration) +
                           " tl=0 rl=" + std::to_string(part.level) + " c=" + std::to_string(part.component);
  const Index3 n = part.box.size;
  DatasetOptions options{
      .dims = {static_cast<hsize_t>(n[2]), static_cast<hsize_t>(n[1]), static_cast<hsize_t>(n[0])}};
  options.type = H5T_IEEE_F64LE;
  file.make(name, options);
  std::vector<double> values;
  Vec3 first;
  for (int a = 0; a < 3; ++a)
    first[a] = kOrigin[a] + delta * static_cast<double>(part.box.first[static_cast<std::size_t>(a)]);
  for (std::int64_t k = 0; k < n[2]; ++k)
    for (std::int64_t j = 0; j < n[1]; ++j)
      for (std::int64_t i = 0; i < n[0]; ++i)
        values.push_back(valueAt(first + delta * toVec3({i, j, k}), iteration) + offset);
  file.write(name, values);
  file.numbers(name, "origin", {first.x, first.y, first.z});
  file.numbers(name, "delta", {delta, delta, delta});
  file.numbers(name, "cctk_nghostzones", {1, 1, 1}, H5T_STD_I32LE);
  file.numbers(name, "cctk_bbox", {part.ends.begin(), part.ends.end()}, H5T_STD_I32LE);
  file.numbers(name, "time", {0.125 * iteration});
  file.numbers(name, "level", {static_cast<double>(part.level)}, H5T_STD_I32LE);
}

/// Two processes, each with half of the coarse level (nodes 0 to 8, divided after 4) and half of a fine one.
const Part kParts[2][2] = {{{0, 0, {{0, 0, 0}, {6, 9, 9}}, {1, 0, 1, 1, 1, 1}},
                            {1, 0, {{3, 3, 3}, {7, 11, 11}}, {0, 0, 0, 0, 0, 0}}},
                           {{0, 1, {{4, 0, 0}, {5, 9, 9}}, {0, 1, 1, 1, 1, 1}},
                            {1, 1, {{8, 3, 3}, {6, 11, 11}}, {0, 0, 0, 0, 0, 0}}}};

std::vector<double> allOf(const paging::BoxReader& reader, int block, const std::string& name,
                          std::int64_t step) {
  const auto number = static_cast<std::uint32_t>(reader.description().find(block, name));
  const auto& array = reader.description().arrays[number];
  std::vector<std::byte> bytes(static_cast<std::size_t>(product(array.layout.dims()) * array.nodeBytes()));
  reader.read(number, step, {{0, 0, 0}, array.layout.dims()}, bytes);
  std::vector<double> numbers(static_cast<std::size_t>(product(array.layout.dims())));
  toDouble(bytes.data(), array.type, 0, static_cast<std::int64_t>(numbers.size()), numbers.data());
  return numbers;
}

}  // namespace

class TestCarpet : public QObject {
  Q_OBJECT
 private slots:
  void names();
  void anyFileOrFolderIsTheSet();
  void componentsAreOneGrid();
  void foldersDivideASet();
  void boxesChange();
  void whatDoesNotFitIsLeftOut();
  void partsWrittenTwiceAreOne();
  void damageIsRefused();
  void filesAreAskedForByName();
  void realSets();

 private:
  std::string path(const std::string& name) const { return (m_folder.path() / name).string(); }
  void writeSet(const std::string& folder, const std::vector<std::string>& places) {
    for (int process = 0; process < 2; ++process) {
      std::filesystem::create_directories(m_folder.path() / folder /
                                          places[static_cast<std::size_t>(process)]);
      Hdf5Maker file(path(folder + "/" + places[static_cast<std::size_t>(process)] + "/phi.file_" +
                          std::to_string(process) + ".h5"));
      file.group("Parameters and Global Attributes");
      file.numbers("Parameters and Global Attributes", "nioprocs", {2}, H5T_STD_I32LE);
      for (const Part& part : kParts[process])
        for (const int iteration : {0, 2, 10}) writePart(file, part, "WAVE::phi", iteration);
    }
  }
  std::unique_ptr<fields::OpenData> open(const std::string& source, fields::OpenRequest request = {}) {
    const carpet::CarpetDataReader reader(std::make_shared<paging::ByteStores>());
    if (!reader.recognizes(source)) throw Invalid("not recognized");
    request.sources = {source};
    return reader.open(request, m_account);
  }

  TemporaryFolder m_folder;
  MemoryAccount m_account{std::uint64_t{64} << 20};
};

void TestCarpet::names() {
  const auto name = carpet::datasetName("WAVETOY::phi[2] it=64 tl=1 m=3 rl=2 c=15");
  QVERIFY(name.has_value());
  QCOMPARE(name->variable, std::string("WAVETOY::phi[2]"));
  QCOMPARE(name->iteration, std::int64_t{64});
  QCOMPARE(name->timeLevel, std::int64_t{1});
  QCOMPARE(name->map, std::int64_t{3});
  QCOMPARE(name->level, std::int64_t{2});
  QCOMPARE(name->component, std::int64_t{15});
  for (const char* const wrong :
       {"phi it=1 tl=0 rl=0", "A::b it= tl=0 rl=0", "A::b it=1 tl=0", "A::b it=1 rl=x",
        "A::b it=1 tl=0 rl=0 d=1", "A::b it=99999999999999999999 tl=0 rl=0", "", "A::b it=-1 tl=0 rl=0"})
    QVERIFY2(!carpet::datasetName(wrong), wrong);
  QCOMPARE(carpet::fileName("a.b.file_12.h5")->process, std::int64_t{12});
  QCOMPARE(carpet::fileName("a.b.file_12.h5")->set, std::string("a.b"));
  QVERIFY(!carpet::fileName("a.file_.h5") && !carpet::fileName("a.h5") && !carpet::fileName("a.file_1.h5x"));
  QVERIFY(carpet::isPartOfSet("level_0.group_12") && carpet::isPartOfSet("proc_3"));
  QVERIFY(!carpet::isPartOfSet("level_0") && !carpet::isPartOfSet("levels") &&
          !carpet::isPartOfSet("proc_") && !carpet::isPartOfSet(""));
}

void TestCarpet::anyFileOrFolderIsTheSet() {
  writeSet("set", {"", ""});
  for (const char* const source : {"set/phi.file_0.h5", "set/phi.file_1.h5", "set"}) {
    const auto data = open(path(source));
    QCOMPARE(data->description().blocks.size(), std::size_t{4});
    QCOMPARE(data->description().times, (std::vector<double>{0, 0.25, 1.25}));
    QCOMPARE(data->files().size(), std::size_t{2});
  }
}

void TestCarpet::componentsAreOneGrid() {
  writeSet("grid", {"", ""});
  const auto data = open(path("grid"));
  const paging::DatasetDescription& description = data->description();
  const auto levels = paging::amrOf(description);
  QVERIFY(levels && !levels->onCells);
  QCOMPARE(levels->boxes, (std::vector<std::int64_t>{2, 2}));
  // without ghosts nodes 0 … 4 and the first one of the neighbour, 5 … 8; of the fine level 4 … 12, on coarse nodes
  QCOMPARE(description.blocks[0].dims, (Index3{6, 9, 9}));
  QCOMPARE(description.blocks[1].dims, (Index3{4, 9, 9}));
  QCOMPARE(description.blocks[2].bounds.min, (Vec3{0, 1, 3}));
  QCOMPARE(description.blocks[3].bounds.max, (Vec3{2, 3, 5}));
  double volume = 0;
  for (int b = 0; b < 4; ++b) {
    const auto& block = description.blocks[static_cast<std::size_t>(b)];
    const std::vector<double> values = allOf(*data->boxReader(), b, "WAVE::phi", 1);
    const bool blanks = block.hasIblank;
    const std::vector<double> iblank =
        blanks ? allOf(*data->boxReader(), b, "iblank", 0) : std::vector<double>(values.size(), 1);
    for (std::int64_t n = 0; n < product(block.dims); ++n) {
      const Vec3 i = toVec3(unlinear(n, block.dims));
      const Vec3 at{block.origin.x + i.x * block.spacing.x, block.origin.y + i.y * block.spacing.y,
                    block.origin.z + i.z * block.spacing.z};
      QVERIFY(std::abs(values[static_cast<std::size_t>(n)] - valueAt(at, 2)) < 1e-12);
    }
    Index3 at;
    for (at[2] = 0; at[2] + 1 < block.dims[2]; ++at[2])
      for (at[1] = 0; at[1] + 1 < block.dims[1]; ++at[1])
        for (at[0] = 0; at[0] + 1 < block.dims[0]; ++at[0]) {
          bool blank = false;
          for (std::size_t corner = 0; corner < 8; ++corner) {
            Index3 node = at;
            for (std::size_t a = 0; a < 3; ++a) node[a] += corner >> a & 1;
            blank = blank || iblank[static_cast<std::size_t>(linear(node, block.dims))] == 0;
          }
          if (!blank) volume += block.spacing.x * block.spacing.y * block.spacing.z;
        }
  }
  QVERIFY(std::abs(volume - 64) < 1e-9);  // each place once
}

void TestCarpet::foldersDivideASet() {
  writeSet("deep", {"level_0.group_0/level_1.group_0", "level_0.group_0/level_1.group_1"});
  for (const char* const source : {"deep/level_0.group_0/level_1.group_1/phi.file_1.h5",
                                   "deep/level_0.group_0/level_1.group_0/phi.file_0.h5", "deep"})
    QCOMPARE(open(path(source))->description().blocks.size(), std::size_t{4});
}

/// A fine level that is not there at one iteration.
void TestCarpet::boxesChange() {
  {
    std::filesystem::create_directories(m_folder.path() / "changing");
    Hdf5Maker file(path("changing/phi.file_0.h5"));
    for (const auto& parts : kParts)
      for (const Part& part : parts)
        for (const int iteration : {0, 2, 10})
          if (part.level == 0 || iteration != 2) writePart(file, part, "WAVE::phi", iteration);
  }
  const auto data = open(path("changing"));
  QCOMPARE(data->description().steps(), std::int64_t{3});
  QVERIFY(paging::boxesChange(data->description()));
  std::size_t own = 0;
  for (const char* const iteration : {"0", "2", "10"})
    own += open(path("changing"), {.sources = {}, .options = {{"iteration", iteration}}})
               ->description()
               .blocks.size();
  QCOMPARE(data->description().blocks.size(), own);
}

void TestCarpet::whatDoesNotFitIsLeftOut() {
  writeSet("more", {"", ""});
  {
    Hdf5Maker file(path("more/other.file_0.h5"));
    // another variable on other boxes, an iteration with fewer, an older time, a scalar, a table
    writePart(file, {0, 0, {{0, 0, 0}, {3, 3, 3}}, {1, 1, 1, 1, 1, 1}}, "WAVE::small", 0);
    writePart(file, kParts[0][0], "WAVE::phi", 4);
    file.make("WAVE::scalar it=0 tl=0 rl=0", {.dims = {1}});
    file.make("WAVE::table it=0 tl=0 rl=0", {.dims = {2, 2, 2}});
    writePart(file, kParts[0][0], "WAVE::phi", 2);
  }
  const auto data = open(path("more"));
  QCOMPARE(data->description().steps(), std::int64_t{3});
  QVERIFY(data->description().find(0, "WAVE::small") < 0);
  std::string said;
  for (const std::string& line : data->explanation()) said += line + "\n";
  for (const char* const part :
       {"WAVE::small", "1 iteration ", "WAVE::scalar", "WAVE::table", "another file has"})
    QVERIFY2(contains(said, part), said.c_str());
  const auto one = open(path("more"), {.sources = {}, .options = {{"iteration", "10"}}});
  QCOMPARE(one->description().times, (std::vector<double>{1.25}));
  QVERIFY(contains(errorOf<Error>([&] {
                     open(path("more"), {.sources = {}, .options = {{"iteration", "11"}}});
                   }),
                   "no iteration 11"));
  QVERIFY(contains(errorOf<Error>([&] {
                     open(path("more"), {.sources = {}, .options = {{"level", "1"}}});
                   }),
                   "level"));
}

/// Processes on both sides of a slice's plane write the same nodes, under two numbers.
void TestCarpet::partsWrittenTwiceAreOne() {
  {
    Hdf5Maker file(path("twice.h5"));
    for (const auto& parts : kParts)
      for (Part part : parts) {
        writePart(file, part, "WAVE::phi", 0);
        part.component += 2;
        writePart(file, part, "WAVE::phi", 0, 100);
      }
  }
  const auto data = open(path("twice.h5"));
  QCOMPARE(data->description().blocks.size(), std::size_t{4});
  for (const double value : allOf(*data->boxReader(), 0, "WAVE::phi", 0)) QVERIFY(value < 50);
  std::string said;
  for (const std::string& line : data->explanation()) said += line + "\n";
  QVERIFY2(contains(said, "4 datasets of nodes that another component has"), said.c_str());
}

void TestCarpet::damageIsRefused() {
  const auto refusal = [&](const std::vector<Part>& parts, const char* attribute,
                           const std::vector<double>& values) {
    std::filesystem::remove(path("bad.h5"));
    {
      Hdf5Maker file(path("bad.h5"));
      for (const Part& part : parts) writePart(file, part, "WAVE::phi", 0);
      if (attribute) {
        H5Adelete_by_name(file.file(), "WAVE::phi it=0 tl=0 rl=0 c=0", attribute, H5P_DEFAULT);
        file.numbers("WAVE::phi it=0 tl=0 rl=0 c=0", attribute, values);
      }
    }
    return errorOf<Error>([&] { open(path("bad.h5")); });
  };
  const Part whole{0, 0, {{0, 0, 0}, {4, 4, 4}}, {1, 1, 1, 1, 1, 1}};
  QCOMPARE(refusal({whole}, nullptr, {}), std::string());
  QVERIFY(contains(refusal({whole}, "delta", {0.5, 0, 0.5}), "no place"));
  QVERIFY(contains(refusal({whole}, "delta", {0.5, NAN, 0.5}), "no place"));
  QVERIFY(contains(refusal({whole}, "origin", {1e300, 0, 0}), "bad.h5"));
  QVERIFY(contains(refusal({whole}, "origin", {1, 2}), "no grid functions"));
  QVERIFY(contains(refusal({{0, 0, {{0, 0, 0}, {2, 4, 4}}, {0, 0, 1, 1, 1, 1}}}, nullptr, {}),
                   "ghost zones only"));
  QVERIFY(contains(refusal({whole, {0, 1, {{1, 0, 0}, {4, 4, 4}}, {1, 1, 1, 1, 1, 1}}}, nullptr, {}),
                   "overlaps"));
  const Part between{1, 0, {{1, 1, 1}, {4, 4, 4}}, {1, 1, 1, 1, 1, 1}};
  QCOMPARE(refusal({whole, between}, nullptr, {}), std::string());
  QVERIFY(contains(refusal({whole, between}, "origin", {-1.1, 0, 2}), "cells"));
  // cut short: HDF5 itself says so
  const auto size = std::filesystem::file_size(path("bad.h5"));
  std::filesystem::resize_file(path("bad.h5"), size - 100);
  QVERIFY(!errorOf<Error>([&] { open(path("bad.h5")); }).empty());
}

void TestCarpet::filesAreAskedForByName() {
  writeSet("served", {"", ""});
  std::vector<std::string> asked;
  fields::OpenRequest request;
  request.findNamed = [&](const std::string& file, const std::string& named) {
    asked.push_back(named);
    return (std::filesystem::path(file).parent_path() / named).string();
  };
  QCOMPARE(open(path("served/phi.file_1.h5"), request)->description().blocks.size(), std::size_t{4});
  QCOMPARE(asked, (std::vector<std::string>{"phi.file_0.h5"}));
}

void TestCarpet::realSets() {
  NEEDS_DATA("data/amr/carpet");
  const std::string folder = dataPath("data/amr/carpet").string();
  const auto processes =
      open(folder + "/level_0.group_0/level_1.group_2/CarpetWaveToyCheckpointSubdirs_test.it_64.file_3.h5");
  QCOMPARE(processes->files().size(), std::size_t{5});
  QVERIFY(paging::amrOf(processes->description())->levels() > 1);
  const auto two = open(folder + "/newsep/grid.coordinates.file_1.h5");
  QCOMPARE(two->description().blocks.size(), std::size_t{2});
  QCOMPARE(two->description().steps(), std::int64_t{11});
  // a grid function that is the coordinate: values say where they are
  for (int b = 0; b < 2; ++b) {
    const auto& block = two->description().blocks[static_cast<std::size_t>(b)];
    const std::vector<double> x = allOf(*two->boxReader(), b, "GRID::x", 0),
                              z = allOf(*two->boxReader(), b, "GRID::z", 3);
    for (std::int64_t n = 0; n < product(block.dims); ++n) {
      const Index3 node = unlinear(n, block.dims);
      QVERIFY(std::abs(x[static_cast<std::size_t>(n)] -
                       (block.origin.x + static_cast<double>(node[0]) * block.spacing.x)) < 1e-12);
      QVERIFY(std::abs(z[static_cast<std::size_t>(n)] -
                       (block.origin.z + static_cast<double>(node[2]) * block.spacing.z)) < 1e-12);
    }
  }
  QCOMPARE(open(folder + "/nobuffers/x.xy.h5")->description().blocks.size(), std::size_t{4});
  QCOMPARE(open(folder + "/nobuffers/x.xz.h5")->description().blocks.size(), std::size_t{2});
  QCOMPARE(paging::amrOf(open(folder + "/CarpetWaveToyCheckpoint_test.it_64.h5")->description())->levels(),
           4);
  QVERIFY(open(folder + "/input_initial_data")->description().find(0, "WAVETOYMOL::phi") >= 0);
}

QTEST_GUILESS_MAIN(TestCarpet)
#include "tst_carpet.moc"
