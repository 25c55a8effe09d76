// Places of chunks read from HDF5's structures, beside those that the library gives.

#include <QTest>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "core/base/error.h"
#include "plugins/hdf5/chunk_index.h"
#include "plugins/hdf5/hdf5_contents.h"
#include "tests/support/array_checks.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/hdf5/hdf5_maker.h"

using namespace farfield;
using test::DatasetOptions;
using test::Hdf5Maker;
using test::StructureOptions;

namespace {

/// What was compared in a file.
struct Compared {
  int datasets = 0, read = 0;  ///< in chunks, and those whose index is read here
  std::int64_t chunks = 0, stored = 0;
  std::string difference;
};

/// Chunks of a dataset that are compared, at most: the library looks through all of them for each.
constexpr std::int64_t kMostChunks = 3000;

void compare(const hdf5::Dataset& dataset, const hdf5::File::Sizes& sizes, const std::string& path,
             hid_t library, Compared& compared) {
  hdf5::IndexedDataset indexed;
  indexed.object = paging::ByteStores().open(path);
  indexed.base = sizes.base;
  indexed.addressBytes = sizes.address;
  indexed.lengthBytes = sizes.length;
  indexed.treeEntries = sizes.treeEntries;
  indexed.header = dataset.address;
  indexed.dims = dataset.dims;
  indexed.chunks = dataset.chunks;
  indexed.hasFixedDims = dataset.hasFixedDims;
  indexed.elementBytes = arrays::bytesOf(dataset.type);
  ++compared.datasets;
  const auto index = hdf5::chunkIndexOf(indexed);
  if (!index) return;
  ++compared.read;
  const test::Hid data(H5Dopen2(library, dataset.path.c_str(), H5P_DEFAULT), H5Dclose);
  std::int64_t count = 1;
  for (std::size_t d = 0; d < dataset.dims.size(); ++d)
    count *= (dataset.dims[d] - 1) / dataset.chunks[d] + 1;
  const std::int64_t step = (count - 1) / kMostChunks + 1;
  for (std::int64_t chunk = 0; chunk < count && compared.difference.empty(); chunk += step) {
    std::vector<hsize_t> first(dataset.dims.size());
    std::int64_t left = chunk;
    for (std::size_t d = dataset.dims.size(); d-- > 0;) {
      const std::int64_t along = (dataset.dims[d] - 1) / dataset.chunks[d] + 1;
      first[d] = static_cast<hsize_t>(left % along * dataset.chunks[d]);
      left /= along;
    }
    unsigned mask = 0;
    haddr_t address = HADDR_UNDEF;
    hsize_t bytes = 0;
    H5Dget_chunk_info_by_coord(data, first.data(), &mask, &address, &bytes);
    index->expect(chunk);
    const auto place = index->place(chunk);
    const bool isStored = address != HADDR_UNDEF && bytes > 0;
    const bool same =
        isStored ? place.offset == address + sizes.base && place.bytes == bytes && place.skipped == mask
                 : place.bytes == 0;
    if (!same)
      compared.difference = dataset.path + " chunk " + std::to_string(chunk) + ": " +
                            std::to_string(place.bytes) + " at " + std::to_string(place.offset) +
                            ", the library " + std::to_string(bytes) + " at " + std::to_string(address);
    const auto known = index->placeIfKnown(chunk);
    if (!known || known->offset != place.offset) compared.difference = dataset.path + " is not kept";
    ++compared.chunks;
    compared.stored += isStored;
  }
}

/// All chunks of a file.
Compared compareFile(const std::string& path) {
  Compared compared;
  hdf5::File file(paging::ByteStores().open(path));
  const hdf5::Contents contents = hdf5::contentsHere(file);
  const auto sizes = file.sizes();
  const hdf5::Quiet quiet;
  const test::Hid library(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  for (const hdf5::Dataset& dataset : contents.datasets)
    if (!dataset.chunks.empty() && dataset.storage == hdf5::Storage::Chunks)
      compare(dataset, sizes, path, library, compared);
  return compared;
}

}  // namespace

class TestChunkIndex : public QObject {
  Q_OBJECT
 private slots:
  void init() { m_path = (m_folder.path() / "a.h5").string(); }
  void everyKindOfIndex_data();
  void everyKindOfIndex();
  void deepTreesInAnyOrder_data();
  void deepTreesInAnyOrder();
  void pagesOfAFixedArray();
  void datasetsThatShrank();
  void layoutsThatLieFar();
  void damagedTreesAreErrors();
  void realFiles();

 private:
  test::TemporaryFolder m_folder;
  std::string m_path;
};

void TestChunkIndex::everyKindOfIndex_data() {
  QTest::addColumn<int>("read");
  QTest::newRow("tree") << 1;
  QTest::newRow("tree, packed") << 1;
  QTest::newRow("tree, one dimension") << 1;
  QTest::newRow("tree, four dimensions") << 1;
  QTest::newRow("tree, nothing stored") << 1;
  QTest::newRow("tree, user block") << 1;
  QTest::newRow("tree, short addresses") << 1;
  QTest::newRow("latest: one chunk") << 1;
  QTest::newRow("latest: one chunk, packed") << 1;
  QTest::newRow("latest: implicit") << 1;
  QTest::newRow("latest: implicit, user block") << 1;
  QTest::newRow("latest: fixed array") << 1;
  QTest::newRow("latest: fixed array, packed") << 1;
  QTest::newRow("latest: fixed array, nothing stored") << 1;
  QTest::newRow("latest: fixed array, may grow") << 0;
  QTest::newRow("latest: extensible array") << 0;
  QTest::newRow("latest: B-tree") << 0;
}

void TestChunkIndex::everyKindOfIndex() {
  QFETCH(int, read);
  const std::string name = QTest::currentDataTag();
  const auto has = [&](const char* words) { return name.find(words) != std::string::npos; };
  DatasetOptions options{.dims = {9, 10, 13}, .chunks = {4, 4, 5}};
  if (has("packed")) options.shuffle = true;
  if (has("packed")) options.gzip = 4;
  if (has("one dimension")) options = {.dims = {1000}, .chunks = {7}};
  if (has("four dimensions")) options = {.dims = {3, 9, 10, 13}, .chunks = {1, 4, 4, 5}};
  if (has("one chunk")) options.chunks = options.dims;
  options.early = has("implicit");
  if (has("may grow")) options.most = {20, 10, 13};
  if (has("extensible")) options.most = {H5S_UNLIMITED, 10, 13};
  if (has("B-tree")) options.most = {H5S_UNLIMITED, H5S_UNLIMITED, 13};
  {
    Hdf5Maker file(m_path, StructureOptions{.latest = has("latest"),
                                            .userBlock = has("user block") ? 2048u : 0u,
                                            .addressBytes = has("short addresses") ? 4u : 8u});
    if (has("nothing stored"))
      file.make("values", options);
    else
      file.makeNumbered("values", options);
    // some of the chunks are not stored
    DatasetOptions some = options;
    some.early = false;
    if (!has("one chunk") && options.dims.size() == 3) {
      file.make("some", some);
      if (!has("nothing stored")) file.writeBox("some", {4, 4, 0}, {5, 2, 10}, std::vector<double>(100, 7));
    }
  }
  const Compared compared = compareFile(m_path);
  QVERIFY2(compared.difference.empty(), compared.difference.c_str());
  QVERIFY(compared.datasets > 0);
  QCOMPARE(compared.read, read * compared.datasets);
  if (read && !has("nothing stored")) QVERIFY(compared.stored > 0);
}

void TestChunkIndex::deepTreesInAnyOrder_data() {
  QTest::addColumn<int>("half");
  for (const int half : {1, 2, 5, 32}) QTest::newRow(std::to_string(half).c_str()) << half;
}

void TestChunkIndex::deepTreesInAnyOrder() {
  QFETCH(int, half);
  {
    Hdf5Maker file(m_path, StructureOptions{.userBlock = 512, .treeHalf = static_cast<unsigned>(half)});
    file.make("values", {.dims = {12, 11, 10}, .chunks = {1, 1, 2}, .gzip = 1});
    std::vector<int> order(660);
    for (int n = 0; n < 660; ++n) order[static_cast<std::size_t>(n)] = n;
    std::shuffle(order.begin(), order.end(), std::mt19937(5));
    for (const int n : order) {
      const auto number = static_cast<hsize_t>(n);
      if (n % 7 != 3)
        file.writeBox("values", {number / 55, number / 5 % 11, number % 5 * 2}, {1, 1, 2},
                      {number * 1.0, 7.5});
    }
  }
  const Compared compared = compareFile(m_path);
  QVERIFY2(compared.difference.empty(), compared.difference.c_str());
  QCOMPARE(compared.chunks, std::int64_t{660});
  QCOMPARE(compared.stored, std::int64_t{660 - 94});
}

/// More than 1,024 entries lie in pages, of which those without chunks were not written.
void TestChunkIndex::pagesOfAFixedArray() {
  for (const bool isPacked : {false, true}) {
    {
      Hdf5Maker file(m_path, true);
      file.make("values", {.dims = {70, 60}, .chunks = {1, 1}, .gzip = isPacked ? 1 : -1});
      file.writeBox("values", {0, 0}, {3, 60}, std::vector<double>(180, 1));
      file.writeBox("values", {69, 0}, {1, 60}, std::vector<double>(60, 2));
    }
    const Compared compared = compareFile(m_path);
    QVERIFY2(compared.difference.empty(), compared.difference.c_str());
    QCOMPARE(compared.read, 1);
    QVERIFY(compared.stored > 0);
  }
}

void TestChunkIndex::datasetsThatShrank() {
  {
    Hdf5Maker file(m_path);
    file.makeNumbered("values", {.dims = {12, 12, 12}, .chunks = {4, 4, 4}, .most = {12, 20, 12}});
    const test::Hid set(H5Dopen2(file.file(), "values", H5P_DEFAULT), H5Dclose);
    const hsize_t now[] = {12, 5, 12};
    H5Dset_extent(set, now);
  }
  const Compared compared = compareFile(m_path);
  QVERIFY2(compared.difference.empty(), compared.difference.c_str());
  QCOMPARE(compared.stored, std::int64_t{18});
}

/// Headers in several parts, of both kinds.
void TestChunkIndex::layoutsThatLieFar() {
  for (const bool latest : {false, true}) {
    {
      Hdf5Maker file(m_path, latest);
      file.makeNumbered("values", {.dims = {8, 8, 8}, .chunks = {4, 4, 4}});
      for (int n = 0; n < 40; ++n) {
        file.text("values", ("words" + std::to_string(n)).c_str(), std::string(100, 'x'));
        file.makeNumbered("other" + std::to_string(n), {.dims = {4, 4}, .chunks = {2, 2}});
      }
    }
    const Compared compared = compareFile(m_path);
    QVERIFY2(compared.difference.empty(), compared.difference.c_str());
    QCOMPARE(compared.read, 41);
  }
}

/// A tree that leads back to itself, or to a node that is none, ends as an error.
void TestChunkIndex::damagedTreesAreErrors() {
  {
    Hdf5Maker file(m_path, StructureOptions{.treeHalf = 1});
    file.makeNumbered("values", {.dims = {16}, .chunks = {2}});
  }
  std::fstream file(m_path, std::ios::in | std::ios::out | std::ios::binary);
  const std::string all(std::istreambuf_iterator<char>(file), {});
  constexpr std::size_t kHead = 24, kKey = 8 + 2 * 8;
  int levels = 0;
  for (std::size_t node = all.find(std::string("TREE\x01", 5)); node != std::string::npos;
       node = all.find(std::string("TREE\x01", 5), node + 1)) {
    const int level = static_cast<unsigned char>(all[node + 5]);
    if (level == 0) continue;
    ++levels;
    const auto address = static_cast<std::uint64_t>(node);
    std::string back(8, '\0');
    std::memcpy(back.data(), &address, 8);
    for (const auto& [at, bytes] :
         {std::pair{node + kHead + kKey, back}, std::pair{node + 5, std::string(1, '\x7f')},
          std::pair{node + 6, std::string("\xff\xff", 2)}}) {
      file.seekp(static_cast<std::streamoff>(at));
      file << bytes << std::flush;
      hdf5::File opened(paging::ByteStores().open(m_path));
      const auto sizes = opened.sizes();
      hdf5::IndexedDataset indexed;
      indexed.object = opened.object();
      indexed.treeEntries = sizes.treeEntries;
      indexed.header = hdf5::contentsHere(opened).datasets.front().address;
      indexed.dims = {16};
      indexed.chunks = {2};
      indexed.elementBytes = 4;
      const auto index = hdf5::chunkIndexOf(indexed);
      QVERIFY(index);
      int errors = 0;
      for (std::int64_t chunk = 0; chunk < 8; ++chunk) try {
          index->place(chunk);
        } catch (const Corrupt&) {
          ++errors;
        }
      QVERIFY2(errors > 0, qPrintable(QString::number(at - node)));
      file.seekp(static_cast<std::streamoff>(at));
      file << all.substr(at, bytes.size()) << std::flush;
    }
  }
  QVERIFY(levels > 1);
}

void TestChunkIndex::realFiles() {
  NEEDS_DATA("data/hdf/can-vtu.hdf");
  int files = 0, datasets = 0, read = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(test::dataPath("data"))) {
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    std::string head(8, '\0');
    if (!in.read(head.data(), 8) || head != "\x89HDF\r\n\x1a\n") continue;
    const Compared compared = compareFile(entry.path().string());
    QVERIFY2(compared.difference.empty(), (entry.path().string() + ": " + compared.difference).c_str());
    ++files;
    datasets += compared.datasets;
    read += compared.read;
  }
  qInfo("%d files, %d datasets in chunks, %d read", files, datasets, read);
  QVERIFY(files > 5);
  QCOMPARE(read, datasets);
}

QTEST_GUILESS_MAIN(TestChunkIndex)
#include "tst_chunk_index.moc"
