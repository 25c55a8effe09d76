// What is kept of pages' ranges is what was found, of files as they were and no others; what is damaged is not known;
// there is room for so much.

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

#include "core/paging/location/kept_ranges.h"

using namespace farfield;
using namespace farfield::paging;

namespace {

DatasetDescription description(std::int64_t steps = 2) {
  DatasetDescription data;
  data.format = "test";
  for (std::int64_t step = 0; step < steps; ++step) data.times.push_back(static_cast<double>(step));
  data.blocks.resize(1);
  data.blocks[0].dims = {40, 30, 20};
  const PageLayout layout = PageLayout::even({40, 30, 20}, 8);
  data.arrays.push_back({"xyz", 0, layout, 1, 3, ScalarType::F32, {}, ArrayRole::Coordinates});
  data.arrays.push_back({"q", 0, layout, steps, 5, ScalarType::F32, {}, ArrayRole::Variable});
  data.arrays.push_back({"f", 0, layout, 1, 1, ScalarType::F32, {}, ArrayRole::Variable});
  return data;
}

PageSummary ranges(int components, double low) {
  PageSummary its(components);
  for (int c = 0; c < components; ++c) its.components[static_cast<std::size_t>(c)] = {low + c, low + c + 0.5};
  return its;
}

class Scene {
 public:
  explicit Scene(std::uint64_t mostBytes = std::uint64_t{1} << 20)
      : m_kept({.folder = path() / "ranges", .leastBytes = 1, .mostBytes = mostBytes}) {
    write("data");
  }
  std::filesystem::path path() const { return m_folder.path().toStdString(); }
  std::filesystem::path file() const { return path() / "data"; }
  void write(const char* text) const { std::ofstream(file()) << text; }
  std::shared_ptr<RangeTable> table(std::int64_t steps = 2) const {
    return m_kept.tableOf({file()}, description(steps));
  }
  std::vector<std::filesystem::path> files() const {
    std::vector<std::filesystem::path> all;
    for (const auto& each : std::filesystem::directory_iterator(path() / "ranges"))
      all.push_back(each.path());
    return all;
  }

 private:
  QTemporaryDir m_folder;
  KeptRanges m_kept;
};

}  // namespace

class TestKeptRanges : public QObject {
  Q_OBJECT
 private slots:
  void whatWasFoundIsKnown();
  void otherFilesAreOthers();
  void whatIsDamagedIsNotKnown();
  void theOldestMakeRoom();
  void smallDataAreNotKept();
  void nothingDependsOnTheFolder();
  void groupsAreKeptToo();
  void withoutAFolderNothingStays();
};

void TestKeptRanges::whatWasFoundIsKnown() {
  const Scene scene;
  const auto table = scene.table();
  QVERIFY(table);
  QVERIFY(!table->find(1, 0));
  PageSummary odd = ranges(5, 3);
  odd.hasNonFinite = true;
  odd.components[2] = {};  // no finite value at all
  table->put(1, 100, odd);
  table->put(2, 0, ranges(1, 7));
  QVERIFY(table->find(1, 100) == odd);
  for (const auto& again : {table, scene.table()}) {
    QVERIFY(again->find(1, 100) == odd);
    QVERIFY(again->find(2, 0) == ranges(1, 7));
    QVERIFY(!again->find(1, 99) && !again->find(1, 101) && !again->find(2, 1));
    // Of the grid nothing is kept, nor of pages that there are not.
    QVERIFY(!again->find(0, 0) && !again->find(1, 1u << 20));
  }
}

void TestKeptRanges::otherFilesAreOthers() {
  const Scene scene;
  scene.table()->put(2, 5, ranges(1, 7));
  QVERIFY(scene.table()->find(2, 5));
  QVERIFY(!scene.table(3)->find(2, 5));  // described otherwise
  scene.write("other data");
  QVERIFY(!scene.table()->find(2, 5));
}

void TestKeptRanges::whatIsDamagedIsNotKnown() {
  const Scene scene;
  scene.table()->put(2, 5, ranges(1, 7));
  const std::filesystem::path file = scene.files().front();
  const auto size = std::filesystem::file_size(file);
  for (std::uintmax_t at = size - 32; at < size; ++at) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(at));
    const auto byte = static_cast<char>(stream.get());
    stream.seekp(static_cast<std::streamoff>(at));
    stream.put(static_cast<char>(byte ^ 16));
    stream.close();
    QVERIFY(!scene.table()->find(2, 5));
    std::fstream back(file, std::ios::in | std::ios::out | std::ios::binary);
    back.seekp(static_cast<std::streamoff>(at));
    back.put(byte);
  }
  QVERIFY(scene.table()->find(2, 5));
  // A head that is another's: the file is made anew.
  std::fstream(file, std::ios::in | std::ios::out | std::ios::binary) << "rubbish";
  QVERIFY(!scene.table()->find(2, 5));
  scene.table()->put(2, 5, ranges(1, 7));
  QVERIFY(scene.table()->find(2, 5));
}

void TestKeptRanges::theOldestMakeRoom() {
  // One file has 300 pages of 96 bytes each and more, but takes of the disk what was written.
  const Scene scene(std::uint64_t{40} << 10);
  for (int n = 0; n < 6; ++n) {
    scene.write(std::string(static_cast<std::size_t>(n + 1), 'x').c_str());
    const auto table = scene.table();
    QVERIFY(table);
    for (std::uint64_t page = 0; page < 100; ++page) table->put(1, page, ranges(5, n));
  }
  scene.table();
  QVERIFY(scene.files().size() < 6 && !scene.files().empty());
  // The last one is there.
  QVERIFY(scene.table()->find(1, 50) == ranges(5, 5));
  // More than there may be in all is not begun.
  const Scene tight(4096);
  QVERIFY(!tight.table());
}

void TestKeptRanges::smallDataAreNotKept() {
  const Scene scene;
  const KeptRanges kept({.folder = scene.path() / "ranges", .leastBytes = std::uint64_t{1} << 30});
  QVERIFY(!kept.tableOf({scene.file()}, description()));
  QVERIFY(!kept.tableOf({scene.path() / "missing"}, description()));
}

void TestKeptRanges::nothingDependsOnTheFolder() {
  const Scene scene;
  std::ofstream(scene.path() / "occupied") << "a file";
  const KeptRanges kept({.folder = scene.path() / "occupied", .leastBytes = 1});
  QVERIFY(!kept.tableOf({scene.file()}, description()));
}

void TestKeptRanges::groupsAreKeptToo() {
  const Scene scene;
  GroupExtremes groups;
  for (std::size_t n = 0; n < GroupExtremes::kCount; ++n) {
    groups.low[n] = static_cast<float>(n);
    groups.high[n] = static_cast<float>(n) + 0.5F;
  }
  const auto table = scene.table();
  QVERIFY(!table->findGroups(2, 1));
  table->put(2, 59, ranges(1, 7));
  // 40 x 30 x 20 nodes are two boxes of 32 cells along i
  table->putGroups(2, 1, groups);
  for (const auto& again : {table, scene.table()}) {
    QVERIFY(again->findGroups(2, 1) == groups);
    QVERIFY(again->find(2, 59) == ranges(1, 7));
    QVERIFY(!again->findGroups(2, 0) && !again->findGroups(2, 2));
  }
  // two steps of five components
  table->putGroups(1, 19, groups);
  table->putGroups(1, 20, groups);
  QVERIFY(table->findGroups(1, 19) == groups && !table->findGroups(1, 18) && !table->findGroups(1, 20));
  QVERIFY(table->findGroups(2, 1) == groups);
}

void TestKeptRanges::withoutAFolderNothingStays() {
  const Scene scene;
  const KeptRanges kept({.folder = {}, .leastBytes = 1});
  const auto table = kept.tableOf({scene.file()}, description());
  QVERIFY(table);
  table->put(2, 5, ranges(1, 7));
  QVERIFY(table->find(2, 5) == ranges(1, 7));
  QVERIFY(!kept.tableOf({scene.file()}, description())->find(2, 5));
}

QTEST_GUILESS_MAIN(TestKeptRanges)
#include "tst_kept_ranges.moc"
