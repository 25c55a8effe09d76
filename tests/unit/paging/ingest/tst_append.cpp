// Stores that get more steps: what they hold, for readers before, meanwhile and after; what an interruption leaves; what is refused.

#include <hdf5.h>

#include <QTest>

#include <cmath>
#include <functional>
#include <thread>

#include "core/paging/bytes/local_file.h"
#include "core/paging/ingest/converter.h"
#include "core/paging/location/box_pyramid.h"
#include "core/paging/pages/role_names.h"
#include "core/paging/store/growth_note.h"
#include "core/paging/store/store_check.h"
#include "core/paging/writing/store_writer.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/paging/ingest/convert_in.h"
#include "tests/unit/paging/ingest/formula_reader.h"
#include "tests/unit/paging/ingest/open_store.h"

using namespace farfield;
using namespace farfield::paging;
using namespace farfield::paging::test;
using farfield::test::TemporaryFolder;

namespace {

/// Some steps of other data.
class StepsOf final : public BoxReader {
 public:
  StepsOf(const FormulaReader& all, std::int64_t first, std::int64_t count)
      : m_all(all), m_first(first), m_description(all.description()) {
    const auto& times = all.description().times;
    m_description.times.assign(times.begin() + first, times.begin() + first + count);
    for (ArrayDescription& array : m_description.arrays)
      if (array.steps > 1) array.steps = count;
  }
  const DatasetDescription& description() const override { return m_description; }
  void read(std::uint32_t array, std::int64_t step, const IndexBox& box,
            std::span<std::byte> out) const override {
    if (onRead) onRead();
    const bool moves = m_all.description().arrays[array].steps > 1;
    m_all.read(array, moves ? m_first + step : 0, box, out);
  }
  DatasetDescription& change() { return m_description; }
  std::function<void()> onRead;

 private:
  const FormulaReader& m_all;
  std::int64_t m_first;
  DatasetDescription m_description;
};

FormulaOptions fiveSteps(bool moving = false) {
  return {.dims = {{37, 20, 13}, {9, 8, 30}}, .steps = 5, .moving = moving};
}

/// Name of what the store's first `steps` steps have otherwise than the reader's; empty when all are equal, bit by bit.
std::string firstDifference(const FormulaReader& reader, const OpenStore& store, std::int64_t steps) {
  if (store.data().steps() != steps) return std::to_string(store.data().steps()) + " steps";
  for (std::int64_t step = 0; step < steps; ++step)
    if (store.data().times[static_cast<std::size_t>(step)] !=
        reader.description().times[static_cast<std::size_t>(step)])
      return "time of step " + std::to_string(step);
  const DatasetDescription& input = reader.description();
  for (std::size_t a = 0; a < input.arrays.size(); ++a) {
    const ArrayDescription& array = input.arrays[a];
    const Index3& dims = array.layout.dims();
    std::vector<std::byte> wanted(static_cast<std::size_t>(product(dims) * array.nodeBytes()));
    for (std::int64_t step = 0; step < (array.steps > 1 ? steps : 1); ++step) {
      reader.read(static_cast<std::uint32_t>(a), step, {{0, 0, 0}, dims}, wanted);
      const int whole = store.data().find(array.block, array.name);
      if (whole >= 0) {
        if (store.nodes(whole, step) != wanted) return array.name + " of step " + std::to_string(step);
        continue;
      }
      const auto each = static_cast<std::size_t>(sizeOf(array.type));
      for (std::size_t c = 0; c < array.componentNames.size(); ++c) {
        const int one = store.data().find(array.block, array.componentNames[c]);
        if (one < 0) return array.componentNames[c] + " is not there";
        const std::vector<std::byte> got = store.nodes(one, step);
        for (std::size_t n = 0; n * each < got.size(); ++n)
          if (std::memcmp(&got[n * each], &wanted[(n * array.componentNames.size() + c) * each], each) != 0)
            return array.componentNames[c] + " of step " + std::to_string(step);
      }
    }
  }
  return {};
}

/// Number of steps of the first block's `array` as HDF5 has it, and its first value at the last step; (0, 0) where HDF5 cannot read it.
std::pair<hsize_t, double> asHdf5(const std::filesystem::path& path, const std::string& array) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) return {};
  const hid_t dataset = H5Dopen2(file, ("/farfield/blocks/0000/" + array).c_str(), H5P_DEFAULT);
  const hid_t space = H5Dget_space(dataset);
  hsize_t dims[5]{}, count[5] = {1, 1, 1, 1, 1};
  H5Sget_simple_extent_dims(space, dims, nullptr);
  const hsize_t start[5] = {dims[0] - 1, 0, 0, 0, 0};
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr);
  const hid_t one = H5Screate_simple(5, count, nullptr);
  double value = 0;
  const herr_t status = H5Dread(dataset, H5T_NATIVE_DOUBLE, one, space, H5P_DEFAULT, &value);
  H5Sclose(one);
  H5Sclose(space);
  H5Dclose(dataset);
  H5Fclose(file);
  return status < 0 ? std::pair<hsize_t, double>{} : std::pair{dims[0], value};
}

std::string whatIsWrong(const std::filesystem::path& path) {
  try {
    MemoryAccount account(kPlenty);
    const std::vector<std::string> unchecked = checkStore(*LocalFile::open(path), account);
    return unchecked.empty() ? "" : unchecked.front();
  } catch (const std::exception& error) {
    return error.what();
  }
}

ConvertResult appendTo(const std::filesystem::path& path, const BoxReader& reader) {
  return convertIn(kPlenty, reader, path, {.append = true, .processors = 2});
}

}  // namespace

class TestAppend : public QObject {
  Q_OBJECT
 private slots:
  void stepsAreAdded_data();
  void stepsAreAdded();
  void bytesDoNotDependOnMemoryAndProcessors();
  void aSingleStepBecomesASeries_data();
  void aSingleStepBecomesASeries();
  void stepsThatAreThereArePassedOver();
  void whoHasItOpenReadsOn();
  void failureLeavesWhatWasThere();
  void whatAKillLeavesIsWhatWasThere();
  void twoAtATimeAreRefused();
  void damageIsSeen();
  void otherDataAreRefused_data();
  void otherDataAreRefused();
};

void TestAppend::stepsAreAdded_data() {
  QTest::addColumn<bool>("moving");
  QTest::addColumn<bool>("split");
  QTest::addColumn<int>("levels");
  QTest::addColumn<int>("codec");
  QTest::newRow("grid stands still") << false << false << 1 << static_cast<int>(Codec::Zstd);
  QTest::newRow("grid moves") << true << false << 1 << static_cast<int>(Codec::Gzip);
  QTest::newRow("arrays of one variable") << false << true << 1 << static_cast<int>(Codec::Lz4);
  QTest::newRow("levels of detail") << true << false << 2 << static_cast<int>(Codec::None);
}

void TestAppend::stepsAreAdded() {
  QFETCH(bool, moving);
  QFETCH(bool, split);
  QFETCH(int, levels);
  QFETCH(int, codec);
  const FormulaReader all(fiveSteps(moving));
  TemporaryFolder folder;
  const auto path = folder / "a.h5";
  convertIn(kPlenty, StepsOf(all, 0, 2), path,
            {.pageEdge = 8, .codec = static_cast<Codec>(codec), .split = split, .levels = levels});
  const std::string before = fileContents(path);
  std::int64_t steps = 2;
  for (const std::int64_t more : {1, 2}) {
    const ConvertResult result = appendTo(path, StepsOf(all, steps, more));
    QVERIFY(result.pagesBefore > 0 && result.pagesBefore < result.pages);
    steps += more;
    const OpenStore store(path);
    QCOMPARE(QString::fromStdString(firstDifference(all, store, steps)), QString());
    QCOMPARE(result.storedBytes, store.data().storedBytes);
    QCOMPARE(QString::fromStdString(whatIsWrong(path)), QString());
    // HDF5 has no other codecs by itself, and one variable has no axis of components.
    if (split || (static_cast<Codec>(codec) != Codec::Gzip && static_cast<Codec>(codec) != Codec::None))
      continue;
    const auto [axis, value] = asHdf5(path, "q");
    QCOMPARE(axis, static_cast<hsize_t>(steps));
    QCOMPARE(static_cast<float>(value), static_cast<float>(all.value("q", 0, steps - 1, {0, 0, 0}, 0)));
  }
  // What was there is where it was, but for what leads HDF5 to its structures.
  QVERIFY(fileContents(path).substr(kPayloadStart, before.size() - kPayloadStart) ==
          before.substr(kPayloadStart));
  QVERIFY(!std::filesystem::exists(StoreWriter::fileOfGrowth(path)));
  if (levels > 1) {
    // The same as of the whole series at once.
    convertIn(kPlenty, all, folder / "whole.h5",
              {.pageEdge = 8, .codec = static_cast<Codec>(codec), .levels = levels});
    const OpenStore coarse(path, 1), whole(folder / "whole.h5", 1);
    QCOMPARE(coarse.data().steps(), 5);
    QCOMPARE(coarse.data().arrays.size(), whole.data().arrays.size());
    for (int n = 0; n < static_cast<int>(whole.data().arrays.size()); ++n)
      for (std::int64_t step = 0; step < whole.array(n).steps; ++step)
        QVERIFY(coarse.nodes(n, step) == whole.nodes(n, step));
  }
  if (moving && levels == 1) {
    convertIn(kPlenty, all, folder / "whole.h5", {.pageEdge = 8, .codec = static_cast<Codec>(codec)});
    const OpenStore store(path), whole(folder / "whole.h5");
    for (int n = 0; n < static_cast<int>(whole.data().arrays.size()); ++n)
      for (std::int64_t step = 0; step < whole.array(n).steps; ++step)
        QVERIFY2(store.nodes(n, step) == whole.nodes(n, step), whole.array(n).name.c_str());
    QVERIFY(store.data().blocks[0].bounds.min == whole.data().blocks[0].bounds.min);
    QVERIFY(store.data().blocks[0].bounds.max == whole.data().blocks[0].bounds.max);
  }
}

void TestAppend::bytesDoNotDependOnMemoryAndProcessors() {
  const FormulaReader all(fiveSteps(true));
  TemporaryFolder folder;
  std::string first;
  for (const int processors : {1, 3}) {
    const auto path = folder / ("a" + std::to_string(processors) + ".h5");
    convertIn(kPlenty, StepsOf(all, 0, 2), path, {.pageEdge = 8});
    convertIn(processors == 1 ? kPlenty : std::uint64_t{16} << 20, StepsOf(all, 2, 3), path,
              {.append = true, .processors = processors});
    if (first.empty()) first = fileContents(path);
    QVERIFY(fileContents(path) == first);
  }
}

void TestAppend::aSingleStepBecomesASeries_data() {
  QTest::addColumn<bool>("moving");
  QTest::newRow("grid stands still") << false;
  QTest::newRow("grid moves") << true;
}

/// Nobody knows yet what changes: variables do, the grid where it differs.
void TestAppend::aSingleStepBecomesASeries() {
  QFETCH(bool, moving);
  const FormulaReader all(fiveSteps(moving));
  TemporaryFolder folder;
  const auto path = folder / "a.h5";
  StepsOf first(all, 0, 1), second(all, 1, 1);
  convertIn(kPlenty, first, path, {.pageEdge = 8});
  appendTo(path, second);
  appendTo(path, StepsOf(all, 2, 3));
  const OpenStore store(path);
  QCOMPARE(QString::fromStdString(firstDifference(all, store, 5)), QString());
  QCOMPARE(store.array(store.data().find(0, "xyz")).steps, moving ? 5 : 1);
  QCOMPARE(store.array(store.data().find(0, "iblank")).steps, 1);
  QCOMPARE(QString::fromStdString(whatIsWrong(path)), QString());
}

void TestAppend::stepsThatAreThereArePassedOver() {
  const FormulaReader all(fiveSteps());
  TemporaryFolder folder;
  const auto path = folder / "a.h5";
  convertIn(kPlenty, StepsOf(all, 0, 2), path, {.pageEdge = 8});
  appendTo(path, StepsOf(all, 1, 3));
  QCOMPARE(QString::fromStdString(firstDifference(all, OpenStore(path), 4)), QString());
  const std::string bytes = fileContents(path);
  const ConvertResult none = appendTo(path, StepsOf(all, 0, 4));
  QCOMPARE(none.pages, none.pagesBefore);
  QVERIFY(fileContents(path) == bytes);
}

void TestAppend::whoHasItOpenReadsOn() {
  const FormulaReader all(fiveSteps());
  TemporaryFolder folder;
  const auto path = folder / "a.h5";
  convertIn(kPlenty, StepsOf(all, 0, 2), path, {.pageEdge = 8});
  MemoryAccount account(kPlenty);
  const auto object = LocalFile::open(path);
  const auto before = StoreFile::open(object, account);
  const PagePlace place = before->place(0, 0);
  std::vector<std::byte> page(place.bytes), again(place.bytes);
  object->readAt(place.offset, page);

  StepsOf more(all, 2, 2);
  std::string wrong;
  int looks = 0;
  more.onRead = [&] {
    try {
      // Longer than files are looked at again.
      std::this_thread::sleep_for(std::chrono::milliseconds(6));
      object->readAt(place.offset, again);
      before->checkUnchanged();
      if (again != page) throw Invalid("other bytes");
      // Whoever opens it now sees what was there, and can tell that it is sound.
      if (const std::string difference = firstDifference(all, OpenStore(path), 2); !difference.empty())
        throw Invalid(difference);
      if (!StoreFile::looksLikeStore(path)) throw Invalid("is no store");
      if (const std::string problem = whatIsWrong(path); !problem.empty()) throw Invalid(problem);
      ++looks;
    } catch (const std::exception& error) {
      wrong = error.what();
    }
  };
  appendTo(path, more);
  QCOMPARE(QString::fromStdString(wrong), QString());
  QVERIFY(looks > 3);
  object->readAt(place.offset, again);
  QVERIFY(again == page);
  before->checkUnchanged();
  QCOMPARE(before->description().steps(), 2);
  QVERIFY(before->summary(0, 0).components.size() == 3);
  QCOMPARE(QString::fromStdString(firstDifference(all, OpenStore(path), 4)), QString());
  // A file of the same size in its place is another one.
  std::filesystem::remove(path);
  convertIn(kPlenty, StepsOf(all, 0, 4), path, {.pageEdge = 8});
  QVERIFY_THROWS_EXCEPTION(Corrupt, before->checkUnchanged());
}

void TestAppend::failureLeavesWhatWasThere() {
  FormulaReader all(fiveSteps());
  TemporaryFolder folder;
  const auto path = folder / "a.h5";
  convertIn(kPlenty, StepsOf(all, 0, 2), path, {.pageEdge = 8});
  const std::string before = fileContents(path);
  const StepsOf more(all, 2, 2);
  int failures = 0;
  for (int reads = 4; reads < 40; reads += 3) {
    all.failAfter(reads);
    try {
      appendTo(path, more);
      break;
    } catch (const Io&) {
      ++failures;
      all.failAfter(-1);
      QCOMPARE(std::filesystem::file_size(path), before.size());
      QCOMPARE(QString::fromStdString(firstDifference(all, OpenStore(path), 2)), QString());
      QCOMPARE(QString::fromStdString(whatIsWrong(path)), QString());
      QVERIFY(!std::filesystem::exists(StoreWriter::fileOfGrowth(path)));
    }
  }
  all.failAfter(-1);
  QVERIFY(failures > 0);
  appendTo(path, more);
  QCOMPARE(QString::fromStdString(firstDifference(all, OpenStore(path), 4)), QString());
}

/// Copies of the file while it grows, and of each moment at the end, are what a kill would have left.
void TestAppend::whatAKillLeavesIsWhatWasThere() {
  const FormulaReader all(fiveSteps());
  TemporaryFolder folder;
  const auto path = folder / "a.h5";
  convertIn(kPlenty, StepsOf(all, 0, 2), path, {.pageEdge = 8, .codec = Codec::None});
  const std::string before = fileContents(path);
  StepsOf more(all, 2, 2);
  std::vector<std::filesystem::path> left;
  more.onRead = [&] {
    left.push_back(folder / ("left" + std::to_string(left.size()) + ".h5"));
    std::filesystem::copy_file(path, left.back());
  };
  appendTo(path, more);
  const std::string whole = fileContents(path);
  // Behind the pages: parts of index and structures; all but the trailer, with HDF5's superblock already there or not.
  for (const std::size_t bytes :
       {whole.size() - 3 * 64, whole.size() - 65, whole.size() - 64, whole.size() - 1})
    for (const bool superblock : {false, true}) {
      if (superblock && bytes < whole.size() - 64) continue;  // it comes once all before it is there
      std::string part = whole.substr(0, bytes);
      if (!superblock) part.replace(0, 96, before, 0, 96);
      left.push_back(folder / ("end" + std::to_string(left.size()) + ".h5"));
      farfield::test::writeFile(left.back(), part);
    }
  QVERIFY(left.size() > 10);
  for (const auto& file : left) {
    QVERIFY2(StoreFile::looksLikeStore(file), file.c_str());
    QCOMPARE(QString::fromStdString(firstDifference(all, OpenStore(file), 2)), QString());
    QCOMPARE(QString::fromStdString(whatIsWrong(file)), QString());
    const auto [axis, value] = asHdf5(file, "q");
    QVERIFY2(axis == 2 || axis == 4, file.c_str());
    appendTo(file, StepsOf(all, 2, 2));
    QVERIFY2(fileContents(file) == whole, file.c_str());
  }
}

void TestAppend::twoAtATimeAreRefused() {
  const FormulaReader all(fiveSteps());
  TemporaryFolder folder;
  const auto path = folder / "a.h5";
  convertIn(kPlenty, StepsOf(all, 0, 2), path, {.pageEdge = 8});
  StepsOf more(all, 2, 2);
  std::string refused;
  more.onRead = [&] {
    if (!refused.empty() || !std::filesystem::exists(StoreWriter::fileOfGrowth(path))) return;
    try {
      appendTo(path, StepsOf(all, 2, 1));
    } catch (const Invalid& error) {
      refused = error.what();
    }
  };
  appendTo(path, more);
  QVERIFY2(refused.find("being written by another process") != std::string::npos, refused.c_str());
  QCOMPARE(QString::fromStdString(firstDifference(all, OpenStore(path), 4)), QString());
}

/// Also of the note, and of what nobody reads any more.
void TestAppend::damageIsSeen() {
  const FormulaReader all(fiveSteps());
  TemporaryFolder folder;
  const auto path = folder / "a.h5";
  convertIn(kPlenty, StepsOf(all, 0, 2), path, {.pageEdge = 8});
  const std::size_t shorter = std::filesystem::file_size(path);
  appendTo(path, StepsOf(all, 2, 1));
  const std::string sound = fileContents(path);
  QCOMPARE(QString::fromStdString(whatIsWrong(path)), QString());
  std::vector<std::size_t> places;
  for (std::size_t at = kGrowthNoteAt; at < kPayloadStart; at += 7) places.push_back(at);
  for (std::size_t at = shorter - 3000; at < shorter; at += 41) places.push_back(at);
  for (std::size_t at = sound.size() - 3000; at < sound.size(); at += 41) places.push_back(at);
  for (const std::size_t at : places) {
    std::string bad = sound;
    bad[at] = static_cast<char>(bad[at] ^ (1 << at % 8));
    farfield::test::writeFile(folder / "bad.h5", bad);
    QVERIFY2(!whatIsWrong(folder / "bad.h5").empty(), std::to_string(at).c_str());
  }
}

void TestAppend::otherDataAreRefused_data() {
  QTest::addColumn<QString>("what");
  QTest::addColumn<QString>("said");
  QTest::newRow("time goes back") << "time"
                                  << "not after the last one";
  QTest::newRow("a time between") << "between"
                                  << "not after the last one";
  QTest::newRow("other dimensions") << "dims"
                                    << "37 x 20 x 13 nodes and that of the input 36 x 20 x 13";
  QTest::newRow("a block less") << "blocks"
                                << "2 blocks and the input 1";
  QTest::newRow("another variable") << "variable"
                                    << "'q' of block 0";
  QTest::newRow("the grid moves") << "grid"
                                  << "'xyz' of block 0 has other values";
  QTest::newRow("no store") << "none"
                            << "there is no such store";
  QTest::newRow("another file") << "text"
                                << "is not a Farfield store";
}

void TestAppend::otherDataAreRefused() {
  QFETCH(QString, what);
  QFETCH(QString, said);
  const FormulaReader all(fiveSteps());
  TemporaryFolder folder;
  const auto path = folder / "a.h5";
  convertIn(kPlenty, StepsOf(all, 0, 2), path, {.pageEdge = 8});
  if (what == "none") std::filesystem::remove(path);
  if (what == "text") farfield::test::writeFile(path, std::string(10000, 'x'));
  const std::string before = what == "none" ? "" : fileContents(path);
  FormulaOptions options = fiveSteps(what == "grid");
  if (what == "dims") options.dims[0] = {36, 20, 13};
  if (what == "blocks") options.dims.pop_back();
  const FormulaReader others(options);
  StepsOf more(others, what == "time" ? 1 : 2, 1);
  if (what == "between") more.change().times = {0.25};
  if (what == "variable") more.change().arrays[2].componentNames = {"a", "b", "c", "d", "e"};
  try {
    appendTo(path, more);
    QFAIL("nothing was refused");
  } catch (const Error& error) {
    QVERIFY2(QString(error.what()).contains(said), error.what());
  }
  if (what != "none") QVERIFY(fileContents(path) == before);
}

QTEST_GUILESS_MAIN(TestAppend)
#include "tst_append.moc"
