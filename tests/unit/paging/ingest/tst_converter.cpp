// Conversion: what comes out is what went in, whatever the memory, the processors and the interruptions.

#include <QTest>

#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <fstream>
#include <future>
#include <iterator>
#include <stop_token>
#include <thread>

#include "core/base/stoppable_waits.h"
#include "core/paging/ingest/converter.h"
#include "core/paging/location/box_pyramid.h"
#include "core/paging/pages/role_names.h"
#include "core/paging/store/store_file.h"
#include "core/paging/writing/store_writer.h"
#include "plugins/plot3d/plot3d_reader.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_data.h"
#include "tests/unit/paging/ingest/convert_in.h"
#include "tests/unit/paging/ingest/formula_reader.h"
#include "tests/unit/paging/ingest/open_store.h"

using namespace farfield;
using namespace farfield::paging;
using namespace farfield::paging::test;
using farfield::test::TemporaryFolder;

namespace {

/// Name of the first array of the input that the store has otherwise; empty when all are equal, bit by bit.
std::string firstDifference(const BoxReader& reader, const std::filesystem::path& path) {
  const OpenStore store(path);
  const DatasetDescription& input = reader.description();
  for (std::size_t a = 0; a < input.arrays.size(); ++a) {
    const ArrayDescription& array = input.arrays[a];
    const int number = store.data().find(array.block, array.name);
    if (number < 0) return array.name + " is not there";
    const Index3& dims = array.layout.dims();
    std::vector<std::byte> wanted(static_cast<std::size_t>(product(dims) * array.nodeBytes()));
    for (std::int64_t step = 0; step < array.steps; ++step) {
      reader.read(static_cast<std::uint32_t>(a), step, {{0, 0, 0}, dims}, wanted);
      if (store.nodes(number, step) != wanted) return array.name + " of block " + std::to_string(array.block);
    }
  }
  return {};
}

/// The same for the location pyramids.
std::string firstWrongBoxes(const BoxReader& reader, const std::filesystem::path& path) {
  const OpenStore store(path);
  const DatasetDescription& input = reader.description();
  MemoryAccount account(kPlenty);
  tasks::LoopThreads threads(3);
  for (int block = 0; block < static_cast<int>(input.blocks.size()); ++block) {
    const ArrayDescription& xyz = input.arrays[static_cast<std::size_t>(input.find(block, "xyz"))];
    for (std::int64_t step = 0; step < xyz.steps; ++step) {
      const BoxPyramid pyramid = buildBoxPyramid(reader, block, step, account, threads);
      for (std::size_t level = 0; level < pyramid.levels.size(); ++level) {
        const std::string name = boundsName(static_cast<int>(level));
        const int number = store.data().find(block, name);
        if (number < 0) return name + " is not there";
        const ArrayDescription& array = store.array(number);
        if (array.layout.dims() != pyramid.dims[level] || array.components != 6 || array.steps != xyz.steps)
          return name + " has another shape";
        const auto wanted = std::as_bytes(std::span(pyramid.levels[level]));
        const std::vector<std::byte> got = store.nodes(number, step);
        if (!std::equal(got.begin(), got.end(), wanted.begin(), wanted.end()))
          return name + " of block " + std::to_string(block);
      }
      if (store.data().find(block, boundsName(static_cast<int>(pyramid.levels.size()))) >= 0)
        return "a level too many";
    }
  }
  return {};
}

FormulaOptions mixed() {
  return {.dims = {{70, 41, 33}, {9, 8, 50}, {2, 2, 2}}, .steps = 2, .moving = false};
}

}  // namespace

class TestConverter : public QObject {
  Q_OBJECT
 private slots:
  void storeHoldsTheInput_data();
  void storeHoldsTheInput();
  void splitMakesArraysOfVariables();
  void summariesCoverTheCellsOwned();
  void memoryAndProcessorsChangeNoByte();
  void interruptedGoesOn_data();
  void interruptedGoesOn();
  void whatIsFarAwayHoldsNobodyUp();
  void readErrorLeavesAResumableStore();
  void fullDiskIsAnError();
  void tooSmallABudgetNamesAWayOut();
  void theAdvisedBudgetHoldsTheLocationPyramids();
  void blocksWithoutCellsConvertWithoutBoxes();
  void levelsOfTheInputAreMadeAnew();
  void wrongEdgeIsRefused();
  void realFilesConvert();
};

void TestConverter::storeHoldsTheInput_data() {
  QTest::addColumn<int>("edge");
  QTest::addColumn<int>("codec");
  QTest::addColumn<bool>("doubles");
  QTest::addColumn<bool>("moving");
  QTest::addColumn<bool>("iblank");
  QTest::newRow("f32") << 16 << static_cast<int>(Codec::Zstd) << false << false << true;
  QTest::newRow("f64 moving") << 8 << static_cast<int>(Codec::Lz4) << true << true << true;
  QTest::newRow("no iblank") << 32 << static_cast<int>(Codec::Gzip) << false << true << false;
  QTest::newRow("one page") << 128 << static_cast<int>(Codec::None) << true << false << false;
}

void TestConverter::storeHoldsTheInput() {
  QFETCH(int, edge);
  QFETCH(int, codec);
  QFETCH(bool, doubles);
  QFETCH(bool, moving);
  QFETCH(bool, iblank);
  FormulaOptions options = mixed();
  options.type = doubles ? ScalarType::F64 : ScalarType::F32;
  options.moving = moving;
  options.iblank = iblank;
  const FormulaReader reader(options);
  TemporaryFolder folder;
  std::uint64_t lastDone = 0, total = 0;
  const ConvertResult result = convertIn(kPlenty, reader, folder / "out.farfield",
                                         {.pageEdge = edge,
                                          .codec = static_cast<Codec>(codec),
                                          .processors = 2,
                                          .attributes = {{"command", "a test"}},
                                          .progress = [&](std::uint64_t done, std::uint64_t all) {
                                            if (done < lastDone) throw Invalid("progress goes back");
                                            lastDone = done;
                                            total = all;
                                          }});
  QCOMPARE(lastDone, total);
  QCOMPARE(total, result.pages);
  QVERIFY(result.bytesRead > 0 && result.storedBytes > 0);
  const std::string difference = firstDifference(reader, folder / "out.farfield");
  QVERIFY2(difference.empty(), difference.c_str());
  const std::string boxes = firstWrongBoxes(reader, folder / "out.farfield");
  QVERIFY2(boxes.empty(), boxes.c_str());
  const OpenStore store(folder / "out.farfield");
  QCOMPARE(store.data().pageEdge, edge);
  QCOMPARE(store.data().times, reader.description().times);
  QCOMPARE(store.data().attributes.at("gamma"), std::string("1.4"));
  QCOMPARE(store.data().attributes.at("command"), std::string("a test"));
  QVERIFY(store.data().blocks[0].bounds.max.x > 68 && store.data().blocks[0].bounds.max.x < 70);
  QCOMPARE(std::distance(std::filesystem::directory_iterator(folder.path()), {}),
           1);  // no partial file is left
}

void TestConverter::splitMakesArraysOfVariables() {
  const FormulaReader reader(mixed());
  TemporaryFolder folder;
  convertIn(kPlenty, reader, folder / "whole", {.pageEdge = 16});
  convertIn(kPlenty, reader, folder / "split", {.pageEdge = 16, .split = true});
  const OpenStore whole(folder / "whole"), split(folder / "split");
  QCOMPARE(split.data().find(0, "q"), -1);
  for (int block = 0; block < 3; ++block) {
    const int q = whole.data().find(block, "q");
    for (int c = 0; c < 5; ++c) {
      const int number = split.data().find(block, whole.array(q).componentNames[static_cast<std::size_t>(c)]);
      QVERIFY(number >= 0);
      QCOMPARE(split.array(number).components, 1);
      for (std::int64_t step = 0; step < 2; ++step) {
        const auto all = whole.nodes(q, step), one = split.nodes(number, step);
        for (std::size_t n = 0; n < one.size() / 4; ++n)
          QCOMPARE(load<std::uint32_t>(&one[n * 4]),
                   load<std::uint32_t>(&all[(n * 5 + static_cast<std::size_t>(c)) * 4]));
      }
    }
    QVERIFY(split.nodes(split.data().find(block, "boxes0"), 0) ==
            whole.nodes(whole.data().find(block, "boxes0"), 0));
  }
}

void TestConverter::summariesCoverTheCellsOwned() {
  const FormulaOptions options{.dims = {{37, 20, 13}}};
  const FormulaReader reader(options);
  TemporaryFolder folder;
  convertIn(3'000'000, reader, folder / "out", {.pageEdge = 8});
  const OpenStore store(folder / "out");
  for (const char* name : {"xyz", "q"}) {
    const int number = store.data().find(0, name);
    const ArrayDescription& array = store.array(number);
    for (std::int64_t page = 0; page < array.layout.pageCount(); ++page) {
      const IndexBox box = array.layout.box(page);
      PageSummary wanted(array.components);
      for (std::int64_t k = box.first[2]; k <= std::min(box.first[2] + box.size[2], options.dims[0][2] - 1);
           ++k)
        for (std::int64_t j = box.first[1]; j <= std::min(box.first[1] + box.size[1], options.dims[0][1] - 1);
             ++j)
          for (std::int64_t i = box.first[0];
               i <= std::min(box.first[0] + box.size[0], options.dims[0][0] - 1); ++i)
            for (int c = 0; c < array.components; ++c) {
              const auto value = static_cast<float>(reader.value(name, 0, 0, {i, j, k}, c));
              if (!std::isfinite(value)) {
                wanted.hasNonFinite = true;
                continue;
              }
              ValueRange& range = wanted.components[static_cast<std::size_t>(c)];
              range.min = std::min<double>(range.min, value);
              range.max = std::max<double>(range.max, value);
            }
      QVERIFY(store.file->summary(static_cast<std::uint32_t>(number), array.pageNumber(0, page)) == wanted);
    }
  }
}

void TestConverter::memoryAndProcessorsChangeNoByte() {
  for (const bool moving : {false, true}) {
    FormulaOptions formula = mixed();
    formula.moving = moving;
    const FormulaReader reader(formula);
    TemporaryFolder folder;
    ConvertOptions options{.pageEdge = 8, .codec = Codec::Lz4};
    convertIn(kPlenty, reader, folder / "first", options);
    const std::string wanted = fileContents(folder / "first");
    // The smallest budget is what the error asks for.
    std::uint64_t smallest = 0;
    for (std::uint64_t budget = 64 << 10; smallest == 0; budget += 32 << 10) try {
        convertIn(budget, reader, folder / "smallest", options);
        smallest = budget;
      } catch (const OverBudget&) {
      }
    QVERIFY(fileContents(folder / "smallest") == wanted);
    QVERIFY(smallest < 3'000'000);
    for (const std::uint64_t budget : {smallest, smallest + 200'000, smallest * 2, smallest * 6, kPlenty})
      for (const int processors : {1, 2, 5}) {
        options.processors = processors;
        options.overwrite = true;
        convertIn(budget, reader, folder / "again", options);
        QVERIFY2(fileContents(folder / "again") == wanted, std::to_string(budget).c_str());
      }
  }
}

void TestConverter::interruptedGoesOn_data() {
  QTest::addColumn<qint64>("budget");
  QTest::newRow("in windows of a few pages") << qint64{5'000'000};
  QTest::newRow("in windows of whole blocks") << (qint64{1} << 30);
}

void TestConverter::interruptedGoesOn() {
  QFETCH(qint64, budget);
  FormulaOptions formula = mixed();
  formula.moving = true;
  const FormulaReader reader(formula);
  TemporaryFolder folder;
  const auto path = folder / "out";
  ConvertOptions options{.pageEdge = 8, .codec = Codec::Lz4, .processors = 2};
  convertIn(kPlenty, reader, folder / "whole", options);
  const std::string wanted = fileContents(folder / "whole");

  // A little further each time, until it is done; each stop comes in the middle of a window.
  options.resume = true;
  int stops = 0;
  for (std::uint64_t pages = 0;;) {
    std::stop_source stop;
    options.stop = stop.get_token();
    options.progress = [&](std::uint64_t done, std::uint64_t) {
      if (done > pages + 60) stop.request_stop();
    };
    try {
      const ConvertResult result = convertIn(static_cast<std::uint64_t>(budget), reader, path, options);
      QVERIFY(result.pagesBefore >= pages);
      break;
    } catch (const Cancelled&) {
      ++stops;
      QVERIFY(StoreWriter::hasPartial(path));
      QVERIFY(!std::filesystem::exists(path));
      pages += 60;
    }
  }
  QVERIFY(stops > 1);
  QVERIFY(fileContents(path) == wanted);
  QCOMPARE(convertIn(kPlenty, reader, path, options).pagesBefore,
           convertIn(kPlenty, reader, path, options).pages);
}

/// Values that never come: whoever stops the conversion does not wait for them.
void TestConverter::whatIsFarAwayHoldsNobodyUp() {
  class FarReader final : public FormulaReader {
   public:
    using FormulaReader::FormulaReader;
    void read(std::uint32_t array, std::int64_t step, const IndexBox& box,
              std::span<std::byte> out) const override {
      isAsked = true;
      // Who never stops it is found out in the end.
      for (const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
           std::chrono::steady_clock::now() < end; std::this_thread::yield())
        StoppableWaits::throwIfStopped();
      wasStopped = false;
      FormulaReader::read(array, step, box, out);
    }
    mutable std::atomic<bool> isAsked{false}, wasStopped{true};
  };
  const FarReader reader(mixed());
  TemporaryFolder folder;
  std::stop_source stop;
  std::future<bool> isCancelled = std::async(std::launch::async, [&] {
    try {
      convertIn(kPlenty, reader, folder / "out",
                {.pageEdge = 8, .codec = Codec::Lz4, .processors = 2, .stop = stop.get_token()});
    } catch (const Cancelled&) {
      return true;
    }
    return false;
  });
  while (!reader.isAsked && isCancelled.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    std::this_thread::yield();
  stop.request_stop();
  QVERIFY(isCancelled.get() && reader.wasStopped);
}

void TestConverter::readErrorLeavesAResumableStore() {
  const FormulaOptions formula = mixed();
  TemporaryFolder folder;
  const FormulaReader good(formula);
  convertIn(kPlenty, good, folder / "whole", {.pageEdge = 8});
  const std::string wanted = fileContents(folder / "whole");
  for (const int reads : {0, 1, 3, 8}) {
    FormulaReader bad(formula);
    bad.failAfter(reads);
    const auto path = folder / ("out" + std::to_string(reads));
    QVERIFY_EXCEPTION_THROWN(convertIn(3'000'000, bad, path, {.pageEdge = 8}), Io);
    QVERIFY(!std::filesystem::exists(path));
    convertIn(5'000'000, good, path, {.pageEdge = 8, .resume = true, .processors = 2});
    QVERIFY(fileContents(path) == wanted);
  }
}

void TestConverter::fullDiskIsAnError() {
  const FormulaReader reader(mixed());
  TemporaryFolder folder;
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{300'000, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  bool failed = false;
  try {
    convertIn(kPlenty, reader, folder / "out", {.pageEdge = 16, .processors = 2});
  } catch (const Io&) {
    failed = true;
  }
  ::setrlimit(RLIMIT_FSIZE, &before);
  QVERIFY(failed);
  QVERIFY(!std::filesystem::exists(folder / "out"));
  convertIn(kPlenty, reader, folder / "out", {.pageEdge = 16, .resume = true});
  QVERIFY(firstDifference(reader, folder / "out").empty());
}

void TestConverter::tooSmallABudgetNamesAWayOut() {
  const FormulaReader reader({.dims = {{80, 75, 70}}});
  TemporaryFolder folder;
  std::string words;
  try {
    convertIn(3'000'000, reader, folder / "out", {.pageEdge = 64});
  } catch (const OverBudget& error) {
    words = error.what();
  }
  QVERIFY2(words.find("--memory") != std::string::npos && words.find("--page-edge 32") != std::string::npos,
           words.c_str());
  QVERIFY(std::filesystem::is_empty(folder.path()));
  convertIn(3'000'000, reader, folder / "out", {.pageEdge = 32, .processors = 2});
  QVERIFY(firstDifference(reader, folder / "out").empty());
}

void TestConverter::theAdvisedBudgetHoldsTheLocationPyramids() {
  // Of a block that is only described: the levels above the lowest take more than everything else.
  const FormulaReader reader({.dims = {{1500, 1500, 1500}}});
  TemporaryFolder folder;
  std::uint64_t advised = 0;
  try {
    convertIn(10'000, reader, folder / "out", {.pageEdge = 8});
  } catch (const OverBudget& error) {
    advised = 1024 * std::stoull(error.action().substr(error.action().find("--memory ") + 9));
  }
  const Index3 cells = cellDims({1500, 1500, 1500});
  const std::int64_t upper = pyramidEntries(cells) - product(levelDims(cells, 0));
  QVERIFY(advised > static_cast<std::uint64_t>(upper) * sizeof(CellBox));
}

void TestConverter::blocksWithoutCellsConvertWithoutBoxes() {
  const FormulaReader reader({.dims = {{40, 30, 1}, {1, 1, 1}, {1, 20, 30}, {12, 12, 12}, {1, 1, 20}}});
  TemporaryFolder folder;
  convertIn(kPlenty, reader, folder / "out", {.pageEdge = 8});
  QVERIFY(firstDifference(reader, folder / "out").empty());
  const OpenStore store(folder / "out");
  for (int block = 0; block < 5; ++block)
    QCOMPARE(store.data().find(block, "boxes0") >= 0, block == 0 || block == 2 || block == 3);
}

void TestConverter::levelsOfTheInputAreMadeAnew() {
  class Named : public FormulaReader {
   public:
    explicit Named(const FormulaOptions& options)
        : FormulaReader(options), m_description(FormulaReader::description()) {
      ArrayDescription array = m_description.arrays.front();
      array.name = boundsName(0);
      array.role = ArrayRole::LocationBounds;
      m_description.arrays.push_back(array);
    }
    const DatasetDescription& description() const override { return m_description; }

   private:
    DatasetDescription m_description;
  };
  TemporaryFolder folder;
  convertIn(kPlenty, Named({}), folder / "named", {.pageEdge = 8});
  convertIn(kPlenty, FormulaReader({}), folder / "plain", {.pageEdge = 8});
  QVERIFY(fileContents(folder / "named") == fileContents(folder / "plain"));
}

void TestConverter::wrongEdgeIsRefused() {
  TemporaryFolder folder;
  for (const int edge : {-1, 0, 1, 5000})
    QVERIFY_EXCEPTION_THROWN(convertIn(kPlenty, FormulaReader({}), folder / "out", {.pageEdge = edge}),
                             Invalid);
}

void TestConverter::realFilesConvert() {
  NEEDS_DATA("data/plot3d/bluntfin_8blk_le_f8_mk_ib.xyz");
  const auto data = [](const char* name) {
    return farfield::test::dataPath(std::string("data/plot3d/") + name);
  };
  TemporaryFolder folder;
  const plot3d::Plot3dReader blocks(
      {{data("bluntfin_8blk_le_f8_mk_ib.xyz")}, {data("bluntfin_8blk_le_f8_mk_ib.q")}});
  const plot3d::Plot3dReader one({{data("bluntfinxyz.bin")}, {data("bluntfinq.bin")}});
  for (const auto* reader : {&blocks, &one}) {
    const auto path = folder / (reader == &one ? "one" : "blocks");
    convertIn(20'000'000, *reader, path, {.pageEdge = 16, .processors = 2});
    QVERIFY(firstDifference(*reader, path).empty());
    QVERIFY(firstWrongBoxes(*reader, path).empty());
  }
  // A variable read alone is the variable read with the others.
  convertIn(20'000'000, one, folder / "split", {.pageEdge = 16, .split = true});
  const OpenStore split(folder / "split"), whole(folder / "one");
  const auto energy = split.nodes(split.data().find(0, "energy"), 0),
             q = whole.nodes(whole.data().find(0, "q"), 0);
  for (std::size_t n = 0; n < energy.size() / 4; ++n)
    QCOMPARE(load<std::uint32_t>(&energy[n * 4]), load<std::uint32_t>(&q[(n * 5 + 4) * 4]));
}

QTEST_APPLESS_MAIN(TestConverter)
#include "tst_converter.moc"
