// What opening found out is taken from where it was kept, is the same, and belongs to files as they were;
// whatever is wrong with it is not used.

#include <QTest>

#include <atomic>
#include <chrono>
#include <cmath>
#include <fstream>
#include <random>

#include "core/fields/data/box_data.h"
#include "core/paging/location/kept_scans.h"
#include "core/paging/sources/computed_reader.h"
#include "core/paging/sources/source_wait.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using namespace farfield::fields;
using namespace farfield::paging;

namespace {

/// Two curved blocks whose reads are counted, said to be in a file.
class Scene {
 public:
  explicit Scene(std::uint64_t leastBytes = 0, std::uint64_t mostBytes = 1 << 20)
      : m_kept(std::make_shared<KeptScans>(KeptScans::Options{
            .folder = m_folder / "places", .leastCoordinateBytes = leastBytes, .mostBytes = mostBytes})) {
    change("as it was");
    m_description.format = "test";
    m_description.times = {0};
    for (int block = 0; block < 2; ++block) {
      paging::BlockDescription grid;
      grid.dims = {20 + block, 18, 17};
      m_description.blocks.push_back(grid);
      m_description.arrays.push_back({"xyz",
                                      block,
                                      paging::PageLayout::even(grid.dims, 8),
                                      1,
                                      3,
                                      ScalarType::F32,
                                      {},
                                      paging::ArrayRole::Coordinates});
    }
    m_description.surfaces.push_back({"wall", 1, {{0, 0, 0}, {4, 5, 1}}, "wall", "iblank"});
  }

  void change(const char* text) const { std::ofstream(file()) << text; }
  std::filesystem::path file() const { return m_folder / "grid.x"; }
  std::filesystem::path places() const { return m_folder / "places"; }
  const KeptScans& kept() const { return *m_kept; }
  const std::vector<paging::BlockDescription>& blocks() const { return m_description.blocks; }
  std::string identity() const { return m_kept->identityOf({file()}, m_description); }
  int reads() const { return m_reads; }
  /// As if what was kept had been kept an hour earlier.
  void age() const {
    for (const auto& entry : std::filesystem::directory_iterator(places()))
      std::filesystem::last_write_time(entry, entry.last_write_time() - std::chrono::hours(1));
  }
  std::filesystem::path onlyFile() const { return std::filesystem::directory_iterator(places())->path(); }

  struct Opened {
    std::vector<paging::BlockDescription> blocks;
    std::vector<std::vector<std::byte>> boxes;
    std::vector<paging::NamedSurface> surfaces;
    int reads = 0;
  };
  Opened open() {
    m_reads = 0;
    Opened opened;
    MemoryAccount account(64 << 20);
    BoxDataOptions options{.name = "grid.x", .kept = m_kept, .identity = identity()};
    if (auto found = m_kept->find(options.identity, blocks()))
      options.found = std::make_shared<const KeptScans::Kept>(std::move(*found));
    if (options.found) opened.surfaces = options.found->description().surfaces;
    const auto reader = std::make_shared<paging::ComputedReader>(
        m_description,
        [this](std::uint32_t array, std::int64_t, const IndexBox& box, std::span<std::byte> out) {
          ++m_reads;
          auto* xyz = reinterpret_cast<float*>(out.data());
          for (std::int64_t n = 0; n < product(box.size); ++n) {
            const Index3 in = unlinear(n, box.size);
            const double i = static_cast<double>(box.first[0] + in[0]);
            const double j = static_cast<double>(box.first[1] + in[1]);
            const double k = static_cast<double>(box.first[2] + in[2]);
            *xyz++ = static_cast<float>((10 + i) * std::cos(0.1 * j) + 30.0 * array);
            *xyz++ = static_cast<float>((10 + i) * std::sin(0.1 * j));
            *xyz++ = static_cast<float>(k + 0.01 * i * j);
          }
        });
    const auto data = openBoxes(reader, options, {}, account);
    opened.reads = m_reads;
    opened.blocks = data->description().blocks;
    const auto sources = data->makeSources(account, {.stagingBytes = 4 << 20, .readers = 1});
    paging::PageSource& boxes = *sources.at(1);
    for (std::uint32_t array = 0; array < boxes.description().arrays.size(); ++array)
      for (std::int64_t page = 0; page < boxes.description().arrays[array].pageCount(); ++page)
        opened.boxes.push_back(paging::fetchNodes(boxes, array, static_cast<std::uint64_t>(page)));
    return opened;
  }

 private:
  test::TemporaryFolder m_folder;
  std::shared_ptr<const KeptScans> m_kept;
  paging::DatasetDescription m_description;
  std::atomic<int> m_reads{0};
};

bool same(const Scene::Opened& a, const Scene::Opened& b) {
  for (std::size_t n = 0; n < a.blocks.size(); ++n)
    for (int axis = 0; axis < 3; ++axis)
      if (a.blocks[n].bounds.min[axis] != b.blocks[n].bounds.min[axis] ||
          a.blocks[n].bounds.max[axis] != b.blocks[n].bounds.max[axis])
        return false;
  return a.boxes == b.boxes;
}

}  // namespace

class TestKeptScans : public QObject {
  Q_OBJECT
 private slots:
  void theSecondTimeNothingIsRead();
  void changedFilesAreOthers();
  void solutionsShareTheirGrid();
  void whatIsDamagedIsNotUsed();
  void whatBelongsToOtherBlocksIsNotUsed();
  void smallDataAreNotKept();
  void theOldestMakeRoom();
  void whatWasLeftHalfWrittenGoes();
  void nothingDependsOnTheFolder();
};

void TestKeptScans::theSecondTimeNothingIsRead() {
  Scene scene;
  const Scene::Opened first = scene.open();
  QVERIFY(first.reads > 0);
  QVERIFY(!first.boxes.empty());
  QVERIFY(!first.blocks[0].bounds.empty());
  const Scene::Opened second = scene.open();
  QCOMPARE(second.reads, 0);
  QVERIFY(same(first, second));
  QCOMPARE(second.surfaces.size(), std::size_t{1});
  QCOMPARE(second.surfaces[0].nodes.size[1], std::int64_t{5});
}

void TestKeptScans::changedFilesAreOthers() {
  Scene scene;
  scene.open();
  const std::string before = scene.identity();
  const auto time = std::filesystem::last_write_time(scene.file());
  scene.change("as it is");  // as long, and the time of the contents' change set back
  std::filesystem::last_write_time(scene.file(), time);
  QVERIFY(scene.identity() != before);
  QVERIFY(scene.open().reads > 0);
  std::filesystem::remove(scene.file());
  QVERIFY(scene.identity().empty());
}

void TestKeptScans::solutionsShareTheirGrid() {
  const Scene scene;
  paging::DatasetDescription data;
  data.format = "test";
  data.times = {0};
  data.blocks.resize(1);
  data.blocks[0].dims = {4, 4, 4};
  data.arrays.push_back({"xyz",
                         0,
                         paging::PageLayout::even({4, 4, 4}, 4),
                         1,
                         3,
                         ScalarType::F32,
                         {},
                         paging::ArrayRole::Coordinates});
  paging::DatasetDescription withSolution = data;
  withSolution.times = {0.5, 1.5};
  withSolution.attributes["mach.0"] = "0.8";
  withSolution.arrays.push_back({"q", 0, data.arrays[0].layout, 2, 5, ScalarType::F32, {}});
  QCOMPARE(scene.kept().identityOf({scene.file()}, withSolution),
           scene.kept().identityOf({scene.file()}, data));
  paging::DatasetDescription other = data;
  other.arrays[0].type = ScalarType::F64;
  QVERIFY(scene.kept().identityOf({scene.file()}, other) != scene.kept().identityOf({scene.file()}, data));
}

void TestKeptScans::whatIsDamagedIsNotUsed() {
  Scene scene;
  const Scene::Opened right = scene.open();
  std::string whole;
  {
    std::ifstream in(scene.onlyFile(), std::ios::binary);
    whole.assign(std::istreambuf_iterator<char>(in), {});
  }
  const auto write = [&](const std::string& bytes) {
    std::ofstream(scene.onlyFile(), std::ios::binary) << bytes;
  };
  std::mt19937 random(7);
  int refused = 0;
  for (int n = 0; n < 200; ++n) {
    std::string damaged = whole;
    if (n % 4 == 0)
      damaged.resize(random() % whole.size());
    else if (n % 4 == 1)
      damaged += "more";
    else
      damaged[n < 100 ? static_cast<std::size_t>(n) % 48 : random() % whole.size()] ^=
          static_cast<char>(1 << random() % 8);
    write(damaged);
    const Scene::Opened opened = scene.open();
    QVERIFY(same(opened, right));
    refused += opened.reads > 0;
  }
  QCOMPARE(refused, 200);
  write(whole);
  QCOMPARE(scene.open().reads, 0);
}

void TestKeptScans::whatBelongsToOtherBlocksIsNotUsed() {
  Scene scene;
  const Scene::Opened right = scene.open();
  paging::DatasetDescription forged;
  forged.format = "test";
  forged.times = {0};
  for (int block = 0; block < 2; ++block) {
    forged.blocks.emplace_back().dims = {200, 180, 170};
    forged.arrays.push_back({"xyz",
                             block,
                             paging::PageLayout::even({200, 180, 170}, 8),
                             1,
                             3,
                             ScalarType::F32,
                             {},
                             paging::ArrayRole::Coordinates});
  }
  forged.surfaces.push_back({"wall", 1, {{0, 100, 0}, {4, 5, 1}}, "wall", "iblank"});
  MemoryAccount account(1 << 20);
  paging::DatasetDescription none = forged;
  none.arrays.clear();
  scene.kept().keep(scene.identity(), forged, MemoryReader(none, account, "boxes"));
  const Scene::Opened opened = scene.open();
  QVERIFY(opened.reads > 0 && opened.surfaces.empty());
  QVERIFY(same(opened, right));
}

void TestKeptScans::smallDataAreNotKept() {
  Scene scene(1 << 20);
  QVERIFY(scene.identity().empty());
  scene.open();
  QVERIFY(!std::filesystem::exists(scene.places()));
}

void TestKeptScans::theOldestMakeRoom() {
  std::uintmax_t each = 0;
  {
    Scene scene;
    scene.open();
    each = std::filesystem::file_size(scene.onlyFile());
  }
  Scene scene(0, 2 * each + each / 2);
  std::vector<std::string> identities;
  for (const char* text : {"a", "bb", "ccc"}) {
    scene.change(text);
    identities.push_back(scene.identity());
    scene.open();
    scene.age();
    // The first is in use.
    if (identities.size() == 2) QVERIFY(scene.kept().find(identities[0], scene.blocks()).has_value());
    scene.age();
  }
  QVERIFY(scene.kept().find(identities[0], scene.blocks()).has_value());
  QVERIFY(!scene.kept().find(identities[1], scene.blocks()).has_value());
  QVERIFY(scene.kept().find(identities[2], scene.blocks()).has_value());
}

void TestKeptScans::whatWasLeftHalfWrittenGoes() {
  Scene scene;
  std::filesystem::create_directories(scene.places());
  const std::filesystem::path old = scene.places() / ".a.places.1.part",
                              fresh = scene.places() / ".b.places.2.part";
  for (const auto& path : {old, fresh}) std::ofstream(path) << "half";
  std::filesystem::last_write_time(old,
                                   std::filesystem::file_time_type::clock::now() - std::chrono::hours(2));
  scene.open();
  QVERIFY(!std::filesystem::exists(old));
  QVERIFY(std::filesystem::exists(fresh));
}

void TestKeptScans::nothingDependsOnTheFolder() {
  Scene scene;
  std::ofstream(scene.places()) << "in the way";
  const Scene::Opened first = scene.open();
  QVERIFY(first.reads > 0);
  QVERIFY(same(first, scene.open()));
}

QTEST_GUILESS_MAIN(TestKeptScans)
#include "tst_kept_scans.moc"
