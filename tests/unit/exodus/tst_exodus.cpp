// Exodus II: a small file with a hexahedron, a tetrahedron and a shell, two times, values on nodes and elements and a side
// set is what was written; changed and cut files are refused or read; real files are what is known of them; and the same files
// written as NetCDF-4 hold the same.

#include <QTest>

#include <cmath>
#include <fstream>

#include "core/base/error.h"
#include "core/fields/functions/reading_choices.h"
#include "core/fields/paged/paged_data.h"
#include "plugins/exodus/exodus_data.h"
#include "tests/support/array_checks.h"
#include "tests/support/error_words.h"
#include "tests/support/netcdf4_copy.h"
#include "tests/support/one_task.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_data.h"

using namespace farfield;
using namespace farfield::test;

namespace {

std::string contents() {
  std::ifstream in(FARFIELD_EXODUS_FILE, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::unique_ptr<fields::OpenData> open(const std::string& file, MemoryAccount& account) {
  return exodus::ExodusDataReader().open({.sources = {file}}, account);
}

}  // namespace

class TestExodus : public QObject {
  Q_OBJECT
 private slots:
  void theFileIsWhatWasWritten();
  void bodiesAreMovedIfAsked();
  void valuesOfElementsAtNodes();
  void shellsAlone();
  void damagedFilesAreRefusedOrRead();
  void manyNamesAndBlocks();
  void realFiles_data();
  void realFiles();
  void netcdf4IsTheSame_data();
  void netcdf4IsTheSame();
  void stepsThatAreNotWhole();
  void cutNetcdf4IsRefused();
};

void TestExodus::theFileIsWhatWasWritten() {
  QVERIFY(exodus::ExodusDataReader().recognizes(FARFIELD_EXODUS_FILE));
  MemoryAccount account(64 << 20);
  const auto data = open(FARFIELD_EXODUS_FILE, account);
  const paging::DatasetDescription& description = data->description();
  QCOMPARE(description.times, (std::vector<double>{0, 0.5}));
  QCOMPARE(description.blocks.front().dims, (Index3{9, 1, 1}));
  QCOMPARE(description.blocks.front().cells, 2);
  QCOMPARE(description.surfaces.size(), std::size_t{2});
  QCOMPARE(description.surfaces[1].name, std::string("floor"));
  QCOMPARE(description.surfaces[1].nodes.size[0], 2);
  fields::PagedDataOptions options;
  const std::vector<std::string> names{"s", "vel", "stress", "element_block"};
  options.arrays = names;
  fields::PagedData paged(*data, account, options);
  runOneTask(paged, [&](tasks::TaskContext& context) {
    const auto sampler =
        paged.makeSampler(context, std::make_shared<fields::FunctionPlan>(paged.description(), names));
    struct Known {
      Vec3 point;
      double stress, block;
    };
    for (const Known& known : {Known{{0.3, 0.4, 0.5}, 100, 10}, {{1.3, 0.55, 0.5}, 200, 20}})
      for (const std::int64_t step : {0, 1}) {
        fields::Location place;
        QVERIFY(sampler->locate(known.point, {step}, place));
        std::vector<double> values(6);
        sampler->evaluate(place, {step}, values);
        const Vec3& p = known.point;
        const auto later = static_cast<double>(step);
        const double wanted[] = {
            p.x + 2 * p.y + 3 * p.z + later, 1 + p.x, p.y, p.z, known.stress + later, known.block};
        for (std::size_t n = 0; n < values.size(); ++n) QVERIFY(std::abs(values[n] - wanted[n]) < 1e-12);
      }
  });
}

/// The same file, whose velocities (1 + x, y, z) are called displacements; the body at rest unless it is asked for.
void TestExodus::bodiesAreMovedIfAsked() {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "moved.exo").string();
  std::string bytes = contents();
  for (std::size_t at = 0; (at = bytes.find("vel", at)) != std::string::npos;) bytes.replace(at, 3, "dis");
  std::ofstream(path, std::ios::binary) << bytes;
  MemoryAccount account(64 << 20);
  const auto openAs = [&](const std::map<std::string, std::string>& options) {
    return exodus::ExodusDataReader().open({.sources = {path}, .options = options}, account);
  };
  const auto rest = openAs({}), moved = openAs({{"shape", "displaced"}});
  const auto choicesOf = [](const fields::OpenData& data) { return fields::readingChoicesOf(data); };
  QCOMPARE(choicesOf(*rest).size(), std::size_t{2});
  QCOMPARE(choicesOf(*rest).back().option, std::string("on"));
  QCOMPARE(choicesOf(*rest).front().now, std::size_t{0});
  QCOMPARE(choicesOf(*rest).front().atFirst, std::optional<std::size_t>(1));
  QCOMPARE(choicesOf(*moved).front().now, std::size_t{1});
  QCOMPARE(choicesOf(*open(FARFIELD_EXODUS_FILE, account)).size(),
           std::size_t{1});  // of its elements' values
  QVERIFY(!errorOf<Invalid>([&] { openAs({{"shape", "bent"}}); }).empty());
  QVERIFY(!errorOf<Invalid>([&] { openAs({{"form", "stored"}}); }).empty());
  // Of a body that nothing moves, who asks for that is told.
  const auto openAtRest = [&](const std::string& shape) {
    return exodus::ExodusDataReader().open({.sources = {FARFIELD_EXODUS_FILE}, .options = {{"shape", shape}}},
                                           account);
  };
  QVERIFY(errorOf<Invalid>([&] { openAtRest("displaced"); }).find("begins with 'dis'") != std::string::npos);
  QVERIFY(openAtRest("stored") != nullptr);

  fields::PagedDataOptions options;
  options.arrays = {"s"};
  fields::PagedData paged(*moved, account, options);
  runOneTask(paged, [&](tasks::TaskContext& context) {
    const auto sampler = paged.makeSampler(
        context, std::make_shared<fields::FunctionPlan>(paged.description(), std::vector<std::string>{"s"}));
    for (const Vec3 p : {Vec3{0.3, 0.4, 0.5}, {1.3, 0.55, 0.5}})
      for (const std::int64_t step : {0, 1}) {
        fields::Location place;
        QVERIFY(sampler->locate({2 * p.x + 1, 2 * p.y, 2 * p.z}, {step}, place));
        double value = 0;
        sampler->evaluate(place, {step}, {&value, 1});
        QVERIFY(std::abs(value - (p.x + 2 * p.y + 3 * p.z + static_cast<double>(step))) < 1e-12);
        QVERIFY(!sampler->locate({0.5, 0.4, 0.5}, {step}, place));
      }
  });
}

/// Those of each step, of the hexahedron, of the tetrahedron, and where they meet the mean.
void TestExodus::valuesOfElementsAtNodes() {
  MemoryAccount account(64 << 20);
  const auto data = exodus::ExodusDataReader().open(
      {.sources = {FARFIELD_EXODUS_FILE}, .options = {{"on", "cells-at-nodes"}}}, account);
  for (const std::int64_t step : {0, 1}) {
    const std::vector<double> values = allValues(*data->boxReader(), "stress", step);
    QCOMPARE(values.size(), std::size_t{9});
    const auto have = [&](double wanted) {
      return std::count(values.begin(), values.end(), wanted + static_cast<double>(step));
    };
    QVERIFY(have(100) > 0 && have(150) > 0 && have(200) > 0);
    QCOMPARE(have(100) + have(150), std::ptrdiff_t{8});
    QCOMPARE(have(150) + have(200), std::ptrdiff_t{4});
  }
}

/// The same file, with a quadrilateral in place of the hexahedron and a triangle in place of the tetrahedron; then in a plane.
void TestExodus::shellsAlone() {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "shells.exo").string();
  std::string bytes = contents();
  const auto change = [&](const std::string& from, const std::string& to) {
    const std::size_t at = bytes.find(from);
    if (at == std::string::npos) return false;
    bytes.replace(at, to.size(), to);
    return true;
  };
  QVERIFY(change("HEX8", "QUAD") && change("TET", "TRI"));
  const auto write = [&] { std::ofstream(path, std::ios::binary) << bytes; };
  write();
  MemoryAccount account(64 << 20);
  const auto says = [](const fields::OpenData& data, const std::string& words) {
    const std::vector<std::string> lines = data.explanation();
    return std::any_of(lines.begin(), lines.end(),
                       [&](const std::string& line) { return line.find(words) != std::string::npos; });
  };
  const auto inSpace = open(path, account);
  QVERIFY(says(*inSpace, "a surface in space"));
  QVERIFY(says(*inSpace, "3 triangles and quadrilaterals"));
  QCOMPARE(inSpace->description().surfaces.size(), std::size_t{1});
  QVERIFY(change(std::string("num_dim\0\0\0\0\3", 12), std::string("num_dim\0\0\0\0\2", 12)));
  write();
  QVERIFY(says(*open(path, account), "in a plane across z"));
}

void TestExodus::damagedFilesAreRefusedOrRead() {
  const TemporaryFolder folder;
  const std::string whole = contents(), path = (folder / "file").string();
  QVERIFY(whole.size() > 2000);
  const auto tryIt = [&](const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
    MemoryAccount account(8 << 20);
    try {
      open(path, account);
    } catch (const Error&) {
    }
  };
  for (std::size_t length = 0; length < whole.size(); length += 11) tryIt(whole.substr(0, length));
  for (std::size_t at = 0; at < whole.size(); at += 3)
    for (const char byte : {'\x7f', '\xff', '\0'}) {
      std::string text = whole;
      text[at] = byte;
      tryIt(text);
    }
}

/// A header of a megabyte may say that there are a hundred thousand element blocks and a thousand variables on each: it took hours.
void TestExodus::manyNamesAndBlocks() {
  const auto word = [](std::uint32_t number) {
    std::string bytes(4, '\0');
    for (std::size_t n = 0; n < 4; ++n) bytes[n] = static_cast<char>(number >> (24 - 8 * n) & 0xff);
    return bytes;
  };
  const auto text = [&](const std::string& name) {
    return word(static_cast<std::uint32_t>(name.size())) + name +
           std::string((4 - name.size() % 4) % 4, '\0');
  };
  constexpr std::uint32_t kDimensions = 10, kVariables = 11, kText = 2, kFloat = 5, kDouble = 6;
  constexpr std::uint32_t kNodes = 4, kNames = 1000, kSteps = 0, kOthers = 50000;
  std::string dimensions = text("num_nodes") + word(kNodes) + text("num_elem_var") + word(kNames) +
                           text("len_string") + word(1) + text("time_step") + word(kSteps) +
                           text("num_el_blk") + word(100000) + text("num_el_in_blk1") + word(1) +
                           text("num_nod_per_el1") + word(4);
  for (std::uint32_t n = 0; n < kOthers; ++n) dimensions += text("d" + std::to_string(n)) + word(1);
  std::string variables;
  std::uint32_t count = 0;
  const auto add = [&](const std::string& name, const std::vector<std::uint32_t>& dims, std::uint32_t type) {
    ++count;
    variables += text(name) + word(static_cast<std::uint32_t>(dims.size()));
    for (const std::uint32_t dimension : dims) variables += word(dimension);
    variables += word(0) + word(0) + word(type) + word(0) + word(0);
  };
  for (const char* const name : {"coordx", "coordy", "coordz"}) add(name, {0}, kFloat);
  add("name_elem_var", {1, 2}, kText);
  add("time_whole", {3}, kDouble);
  for (std::uint32_t n = 0; n < 3000; ++n) add("v" + std::to_string(n), {2}, kText);
  const TemporaryFolder folder;
  const std::string path = (folder / "file").string();
  std::ofstream(path, std::ios::binary)
      << std::string("CDF\x01") + word(1) + word(kDimensions) + word(7 + kOthers) + dimensions + word(0) +
             word(0) + word(kVariables) + word(count) + variables + std::string(4096, '\0');
  MemoryAccount account(64 << 20);
  const std::string error = errorOf<Error>([&] { open(path, account); });
  QVERIFY2(error.find("no cell with a volume") != std::string::npos, error.c_str());
}

void TestExodus::realFiles_data() {
  QTest::addColumn<QString>("file");
  QTest::addColumn<int>("cells");
  QTest::addColumn<int>("steps");
  QTest::addColumn<int>("surfaces");
  QTest::newRow("mug") << "data/unstructured/mug.e" << 2476 << 21 << 3;
  QTest::newRow("block_crush") << "data/unstructured/block_crush_1.ex2" << 131 << 11 << 5;
}

void TestExodus::realFiles() {
  QFETCH(QString, file);
  QFETCH(int, cells);
  QFETCH(int, steps);
  QFETCH(int, surfaces);
  NEEDS_DATA(file.toStdString());
  MemoryAccount account(64 << 20);
  const auto data = open(dataPath(file.toStdString()).string(), account);
  QCOMPARE(data->description().blocks.front().cells, cells);
  QCOMPARE(data->description().steps(), steps);
  QCOMPARE(data->description().surfaces.size(), static_cast<std::size_t>(surfaces));
}

void TestExodus::netcdf4IsTheSame_data() {
  QTest::addColumn<QString>("file");
  QTest::addColumn<bool>("inChunks");
  QTest::addColumn<bool>("shortScales");
  for (const char* const name :
       {FARFIELD_EXODUS_FILE, "data/unstructured/mug.e", "data/unstructured/block_crush_1.ex2",
        "data/unstructured/more/4-block.es"}) {
    QTest::addRow("%s in rows", name) << name << false << false;
    QTest::addRow("%s in chunks", name) << name << true << true;
  }
}

void TestExodus::netcdf4IsTheSame() {
  QFETCH(QString, file);
  QFETCH(bool, inChunks);
  QFETCH(bool, shortScales);
  if (file.startsWith("data/")) {
    NEEDS_DATA(file.toStdString());
    file = dataPath(file.toStdString()).c_str();
  }
  const TemporaryFolder folder;
  const std::string copy = (folder / "copy.exo").string();
  Netcdf4Copy(file.toStdString(), copy,
              {.gzip = inChunks ? 1 : -1, .inChunks = inChunks, .shortScales = shortScales});
  QVERIFY(exodus::ExodusDataReader().recognizes(copy));
  MemoryAccount account(128 << 20);
  const auto data = open(file.toStdString(), account), same = open(copy, account);
  const paging::DatasetDescription &its = data->description(), &others = same->description();
  QCOMPARE(others.times, its.times);
  QCOMPARE(others.blocks.front().dims, its.blocks.front().dims);
  QCOMPARE(others.blocks.front().cells, its.blocks.front().cells);
  QCOMPARE(others.surfaces.size(), its.surfaces.size());
  for (std::size_t n = 0; n < its.surfaces.size(); ++n) {
    QCOMPARE(others.surfaces[n].name, its.surfaces[n].name);
    QCOMPARE(others.surfaces[n].nodes, its.surfaces[n].nodes);
  }
  QCOMPARE(others.arrays.size(), its.arrays.size());
  QVERIFY(same->explanation() == data->explanation());
  for (const paging::ArrayDescription& array : its.arrays) {
    if (data->boxReader()->description().find(0, array.name) < 0) continue;  // bounds made on opening
    for (std::int64_t step = 0; step < array.steps; ++step) {
      const std::vector<double> values = allValues(*data->boxReader(), array.name, step),
                                copied = allValues(*same->boxReader(), array.name, step);
      QVERIFY(!values.empty());
      QCOMPARE(copied.size(), values.size());
      for (std::size_t n = 0; n < values.size(); ++n)
        QVERIFY2(copied[n] == values[n] || (std::isnan(copied[n]) && std::isnan(values[n])),
                 array.name.c_str());
    }
  }
}

/// Of a program that still runs: the time of a step is there before its values.
void TestExodus::stepsThatAreNotWhole() {
  const TemporaryFolder folder;
  const std::string path = (folder / "file").string();
  Netcdf4Copy(FARFIELD_EXODUS_FILE, path);
  MemoryAccount account(8 << 20);
  const std::vector<double> times = open(path, account)->description().times;
  {
    const Hid file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    const Hid set(H5Dopen2(file, "time_whole", H5P_DEFAULT), H5Dclose);
    const hsize_t longer = times.size() + 1;
    QVERIFY(H5Dset_extent(set, &longer) >= 0);
  }
  const auto data = open(path, account);
  QCOMPARE(data->description().times, times);
  bool isSaid = false;
  for (const std::string& line : data->explanation())
    isSaid = isSaid || line == "left out: steps after the first " + std::to_string(times.size()) +
                                   ", at which not all variables have values";
  QVERIFY(isSaid);
}

void TestExodus::cutNetcdf4IsRefused() {
  const TemporaryFolder folder;
  const std::string path = (folder / "file").string();
  Netcdf4Copy(FARFIELD_EXODUS_FILE, path);
  std::ifstream in(path, std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  in.close();
  for (std::size_t length = 0; length < whole.size(); length += whole.size() / 37) {
    std::ofstream(path, std::ios::binary) << whole.substr(0, length);
    MemoryAccount account(8 << 20);
    QVERIFY_EXCEPTION_THROWN(open(path, account), Error);
  }
}

QTEST_APPLESS_MAIN(TestExodus)
#include "tst_exodus.moc"
