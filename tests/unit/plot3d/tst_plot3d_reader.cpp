// Reading boxes of nodes from PLOT3D files whose every value is known.

#include <QTest>

#include <bit>
#include <limits>
#include <random>
#include <thread>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "plugins/plot3d/plot3d_reader.h"
#include "tests/support/error_words.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/plot3d/box_checks.h"

using namespace farfield;
using namespace farfield::plot3d;
using namespace farfield::plot3d::test;
using farfield::test::errorOf;

class TestPlot3dReader : public QObject {
  Q_OBJECT
 private slots:
  void everyVariantReadsEveryBox();
  void longRowsAreReadInPieces();
  void descriptionTellsTheData();
  void seriesHasSteps();
  void timesMayBeGiven();
  void movingGridHasSteps();
  void wrongSeriesIsRefused();
  void boundsLeaveOutWhatIsNotFinite();
  void notANumberKeepsItsBits();
  void threadsReadAtTheSameTime();
  void changedFileIsAnError();
  void uncommittedWriterLeavesNothing();
};

void TestPlot3dReader::everyVariantReadsEveryBox() {
  farfield::test::TemporaryFolder folder;
  std::mt19937 random(3);
  for (const std::vector<Index3>& dims :
       {std::vector<Index3>{{9, 7, 5}}, std::vector<Index3>{{9, 7, 5}, {1, 4, 6}, {33, 5, 2}}})
    for (const Format& format : allFormats(dims.size())) {
      const Plot3dReader reader(
          {{writeGrid(folder / "grid", format, dims)}, {writeSolution(folder / "q", format, dims)}});
      const std::string wrong = firstWrongBox(reader, random, 8);
      QVERIFY2(wrong.empty(), wrong.c_str());
    }
}

void TestPlot3dReader::longRowsAreReadInPieces() {
  farfield::test::TemporaryFolder folder;
  // Rows longer than the scratch buffer, rows too far apart to be read together, and many short ones.
  for (const Index3& dims : {Index3{100'003, 3, 2}, Index3{4000, 12, 5}, Index3{130, 90, 40}}) {
    const Format format{.byteOrder = ByteOrder::Big, .precision = ScalarType::F64, .iblank = true};
    const Plot3dReader reader(
        {{writeGrid(folder / "grid", format, {dims})}, {writeSolution(folder / "q", format, {dims})}});
    std::mt19937 random(5);
    for (int round = 0; round < 12; ++round) {
      const IndexBox box = round == 0 ? whole(dims) : randomBox(random, dims);
      for (const char* name : {"xyz", "q", "iblank"}) {
        const std::string wrong = firstWrong(reader, 0, name, 0, box);
        QVERIFY2(wrong.empty(), wrong.c_str());
      }
    }
  }
}

void TestPlot3dReader::descriptionTellsTheData() {
  farfield::test::TemporaryFolder folder;
  const std::vector<Index3> dims = {{5, 4, 3}, {2, 7, 6}};
  const Format grid{.multiGrid = true, .precision = ScalarType::F64, .iblank = true};
  const Format flow{.byteOrder = ByteOrder::Big, .markerBytes = 4, .multiGrid = true};
  const Plot3dReader reader(
      {{writeGrid(folder / "grid", grid, dims)}, {writeSolution(folder / "q", flow, dims)}},
      {{"gamma", "1.33"}});
  const paging::DatasetDescription& data = reader.description();
  QCOMPARE(data.format, std::string("plot3d"));
  QCOMPARE(data.blocks.size(), std::size_t{2});
  QCOMPARE(data.arrays.size(), std::size_t{6});
  QVERIFY(data.blocks[1].dims == dims[1] && data.blocks[1].hasIblank);
  QVERIFY(data.blocks[1].kind == paging::GridKind::Curvilinear);
  const auto& xyz = data.arrays[static_cast<std::size_t>(data.find(1, "xyz"))];
  QVERIFY(xyz.type == ScalarType::F64 && xyz.components == 3 && xyz.steps == 1 &&
          xyz.layout.dims() == dims[1]);
  const auto& q = data.arrays[static_cast<std::size_t>(data.find(1, "q"))];
  QVERIFY(q.type == ScalarType::F32 && q.components == 5);
  QVERIFY((q.componentNames ==
           std::vector<std::string>{"density", "momentum-x", "momentum-y", "momentum-z", "energy"}));
  QVERIFY(data.arrays[static_cast<std::size_t>(data.find(1, "iblank"))].type == ScalarType::I16);
  QCOMPARE(data.times, std::vector<double>{3.5});
  QCOMPARE(data.attributes.at("gamma"), std::string("1.33"));
  QCOMPARE(data.attributes.at("R"), std::string("1"));
  QCOMPARE(data.attributes.at("mach.0"), std::string("2"));
  QCOMPARE(std::stod(data.attributes.at("reynolds.0")), 100'000.0);
  QVERIFY(!reader.explain().empty());
}

void TestPlot3dReader::seriesHasSteps() {
  farfield::test::TemporaryFolder folder;
  const std::vector<Index3> dims = {{5, 4, 3}};
  Plot3dFiles files{{writeGrid(folder / "grid", {}, dims)}, {}};
  for (int s = 0; s < 40; ++s)  // more than the reader keeps open
    files.solutions.push_back(
        writeSolution(folder / ("q" + std::to_string(s)), {}, dims, {.time = 10.0 + s}));
  const Plot3dReader reader(files);
  QCOMPARE(reader.description().steps(), std::int64_t{40});
  QCOMPARE(reader.description().times[39], 49.0);
  QCOMPARE(reader.description().arrays[1].steps, std::int64_t{40});
  QCOMPARE(reader.description().arrays[0].steps, std::int64_t{1});
  for (const int step : {0, 39, 7, 0}) QVERIFY(firstWrong(reader, 0, "q", step, whole(dims[0])).empty());

  std::swap(files.solutions[3], files.solutions[4]);  // time runs backwards
  QVERIFY(errorOf<Invalid>([&] {
            Plot3dReader refused(files);
          }).starts_with("step 4: is at the time 13, not after step 3 at 14"));
  QCOMPARE(Plot3dReader(files, {{"badSteps", "number"}}).description().times[39], 39.0);
  const Plot3dReader without(files, {{"badSteps", "skip"}});
  QCOMPARE(without.description().steps(), std::int64_t{39});
  QCOMPARE(without.description().times[4], 15.0);
  for (auto& solution : files.solutions) writeSolution(solution, {}, dims, {.time = 7});  // it says nothing
  QCOMPARE(Plot3dReader(files).description().times[39], 39.0);
}

void TestPlot3dReader::timesMayBeGiven() {
  farfield::test::TemporaryFolder folder;
  const std::vector<Index3> dims = {{5, 4, 3}};
  Plot3dFiles files{{writeGrid(folder / "grid", {}, dims)}, {}};
  for (int s = 0; s < 3; ++s)
    files.solutions.push_back(
        writeSolution(folder / ("q" + std::to_string(s)), {}, dims, {.time = 10.0 + s}));
  const auto timesWith = [&](const std::map<std::string, std::string>& options) {
    return Plot3dReader(files, options).description().times;
  };
  QCOMPARE(timesWith({{"times", "[0, 0.5,2e1]"}}), (std::vector<double>{0, 0.5, 20}));
  QCOMPARE(timesWith({{"timeStep", "0.25"}}), (std::vector<double>{0, 0.25, 0.5}));
  QCOMPARE(timesWith({{"timeStep", "2"}, {"firstTime", "-1"}}), (std::vector<double>{-1, 1, 3}));
  const auto refusal = [&](const std::map<std::string, std::string>& options) {
    return errorOf<Invalid>([&] { timesWith(options); });
  };
  QVERIFY(refusal({{"times", "0,1"}}).starts_with("times: there are 2 times for 3 steps"));
  QVERIFY(refusal({{"times", "0,1,x"}}).starts_with("times: 'x' is not a time"));
  QVERIFY(refusal({{"times", "0,nan,2"}}).starts_with("times: 'nan' is not a time"));
  QVERIFY(refusal({{"times", "[]"}}).starts_with("times: there is no number in it"));
  QVERIFY(refusal({{"times", "0,2,1"}}).starts_with("step 2: is at the time 1, not after step 1 at 2"));
  QVERIFY(refusal({{"times", "0,1,2"}, {"timeStep", "1"}}).starts_with("times: times are given twice"));
  QVERIFY(refusal({{"timeStep", "0"}}).starts_with("timeStep: is not above 0"));
  // a step that is left out takes its time with it
  std::filesystem::remove(files.solutions[1]);
  QCOMPARE(timesWith({{"times", "4,5,7"}, {"badSteps", "skip"}}), (std::vector<double>{4, 7}));
}

void TestPlot3dReader::movingGridHasSteps() {
  farfield::test::TemporaryFolder folder;
  const std::vector<Index3> dims = {{5, 4, 3}};
  Plot3dWriter moved = Plot3dWriter::grid(folder / "g1", {}, dims);
  moved.write(0, whole(dims[0]), std::vector<double>(60 * 3, 9.0));
  moved.commit();
  Plot3dReader reader({{writeGrid(folder / "g0", {}, dims), folder / "g1"},
                       {writeSolution(folder / "q0", {}, dims, {.time = 1}),
                        writeSolution(folder / "q1", {}, dims, {.time = 2})}});
  QCOMPARE(reader.description().arrays[0].steps, std::int64_t{2});
  QVERIFY(firstWrong(reader, 0, "xyz", 0, whole(dims[0])).empty());
  float value[3];
  reader.read(0, 1, {{2, 2, 2}, {1, 1, 1}}, std::as_writable_bytes(std::span(value)));
  QCOMPARE(value[1], 9.0f);
  QCOMPARE(boundsOf(reader, 0).max.y, 3009.0);
}

void TestPlot3dReader::wrongSeriesIsRefused() {
  farfield::test::TemporaryFolder folder;
  const auto grid = writeGrid(folder / "grid", {}, {{5, 4, 3}});
  const auto other = writeGrid(folder / "other", {}, {{5, 4, 4}});
  const auto q = writeSolution(folder / "q", {}, {{5, 4, 3}});
  const auto q64 = writeSolution(folder / "q64", {.precision = ScalarType::F64}, {{5, 4, 3}});
  QVERIFY_EXCEPTION_THROWN(Plot3dReader({{grid, other}, {q, q}}), Invalid);
  QVERIFY_EXCEPTION_THROWN(Plot3dReader({{grid, grid}, {q, q, q}}), Invalid);
  QVERIFY_EXCEPTION_THROWN(Plot3dReader({{grid}, {q, q64}}), Invalid);
  QVERIFY_EXCEPTION_THROWN(Plot3dReader({{}, {q}}), Invalid);
  QVERIFY_EXCEPTION_THROWN(Plot3dReader({{grid}, {folder / "none"}}), NotFound);
}

void TestPlot3dReader::boundsLeaveOutWhatIsNotFinite() {
  farfield::test::TemporaryFolder folder;
  const Index3 dims{300, 200, 40};  // several pieces
  Plot3dWriter writer = Plot3dWriter::grid(folder / "grid", {}, {dims});
  fill(writer, 0);
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInf = std::numeric_limits<double>::infinity();
  writer.write(0, {{0, 0, 0}, {2, 1, 1}}, std::vector<double>{kNan, 0, -1e9, 0, kInf, 0});
  writer.commit();
  Plot3dReader reader({{folder / "grid"}, {}});
  QVERIFY(reader.description().blocks[0].bounds.empty());
  const Bounds bounds = boundsOf(reader, 0);
  QCOMPARE(bounds.min.x, 0.0 - 0.25 * 39);
  QCOMPARE(bounds.max.x, 0.5 * 299 + 199'000);
  QCOMPARE(bounds.min.z, 14 - 0.25 * 39);
  std::stop_source stop;
  stop.request_stop();
  QVERIFY_EXCEPTION_THROWN(boundsOf(reader, 0, stop.get_token()), Cancelled);
}

void TestPlot3dReader::notANumberKeepsItsBits() {
  farfield::test::TemporaryFolder folder;
  const auto path = writeGrid(folder / "grid", {.byteOrder = ByteOrder::Big}, {{5, 4, 3}});
  constexpr std::uint32_t kSignalling = 0x7fa12345;
  const std::uint32_t bigEndian = byteSwapped(kSignalling);
  File::openForWriting(path, false).writeAt(12 + 7 * 4, std::as_bytes(std::span(&bigEndian, 1)));
  const Plot3dReader reader({{path}, {}});
  std::uint32_t bits[3];
  reader.read(0, 0, {{2, 1, 0}, {1, 1, 1}}, std::as_writable_bytes(std::span(bits)));
  QCOMPARE(bits[0], kSignalling);
}

void TestPlot3dReader::threadsReadAtTheSameTime() {
  farfield::test::TemporaryFolder folder;
  const Index3 dims{40, 30, 20};
  const Plot3dReader reader(
      {{writeGrid(folder / "grid", {.iblank = true}, {dims})}, {writeSolution(folder / "q", {}, {dims})}});
  std::atomic<int> wrong{0};
  std::vector<std::jthread> threads;
  for (unsigned t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      std::mt19937 random(t);
      for (int round = 0; round < 50; ++round)
        for (const char* name : {"xyz", "q", "iblank"})
          if (!firstWrong(reader, 0, name, 0, randomBox(random, dims)).empty()) ++wrong;
    });
  threads.clear();
  QCOMPARE(wrong.load(), 0);
}

void TestPlot3dReader::changedFileIsAnError() {
  farfield::test::TemporaryFolder folder;
  const auto path = writeGrid(folder / "grid", {}, {{5, 4, 3}});
  const Plot3dReader reader({{path}, {}});
  std::filesystem::resize_file(path, 100);
  std::vector<std::byte> nodes(60 * 12);
  QVERIFY_EXCEPTION_THROWN(reader.read(0, 0, whole({5, 4, 3}), nodes), Corrupt);
}

void TestPlot3dReader::uncommittedWriterLeavesNothing() {
  farfield::test::TemporaryFolder folder;
  { Plot3dWriter writer = Plot3dWriter::grid(folder / "grid", {}, {{5, 4, 3}}); }
  QVERIFY(std::filesystem::is_empty(folder.path()));
  QVERIFY_EXCEPTION_THROWN(Plot3dWriter::grid(folder / "grid", {}, {{5, 4, 3}, {5, 4, 3}}), Invalid);
  QVERIFY_EXCEPTION_THROWN(Plot3dWriter::grid(folder / "grid", {.markerBytes = 4}, {{1000, 1000, 1000}}),
                           Invalid);
  QVERIFY_EXCEPTION_THROWN(Plot3dWriter::grid(folder / "no" / "grid", {}, {{5, 4, 3}}), Io);
}

QTEST_APPLESS_MAIN(TestPlot3dReader)
#include "tst_plot3d_reader.moc"
