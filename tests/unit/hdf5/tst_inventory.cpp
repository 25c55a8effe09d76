// Every dataset of real HDF5 files beside what another program found in it: its extents, its type, its chunks, and the
// least and the largest of its numbers.

#include <QTest>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "plugins/arrays/axes.h"
#include "plugins/hdf5/hdf5_reader.h"
#include "tests/support/error_words.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_data.h"

using namespace farfield;
using Json = nlohmann::json;

class TestInventory : public QObject {
  Q_OBJECT
 private slots:
  void everyDataset();
  void whatIsCutOffSaysSo();

 private:
  std::vector<double> numbersOf(const hdf5::OpenedHdf5& opened, const hdf5::Dataset& data,
                                const std::shared_ptr<chunks::ChunkCaches>& caches) {
    std::int64_t count = 1;
    for (const std::int64_t dim : data.dims) count *= dim;
    arrays::PlacedArray row;
    row.type = data.type;
    row.bigEndian = data.bigEndian;
    row.steps.push_back({arrays::densePiece({count, 1, 1}, data.type, 1, false,
                                            hdf5::bytesOf(opened.file, data, caches), 0)});
    return arrays::readAxis(row, count, m_account);
  }
  /// What differs; empty: nothing.
  std::string differenceOf(const Json& wanted, const hdf5::OpenedHdf5& opened,
                           const std::shared_ptr<chunks::ChunkCaches>& caches) {
    const hdf5::Dataset* const found = opened.contents.dataset("/" + wanted["path"].get<std::string>());
    if (!found) return "is not found";
    if (found->dims != wanted["shape"].get<std::vector<std::int64_t>>()) return "has other extents";
    if (wanted["dtype"] == "object") return found->isText ? "" : "is no text";
    if (!wanted.contains("min"))
      return found->why == "has no numbers" ? "" : "has numbers (" + found->why + ")";
    if (!found->why.empty()) return found->why;
    const auto type = arrays::numberTypeNamed(wanted["dtype"].get<std::string>());
    if (!type || *type != found->type) return "has another type";
    if (!wanted["chunks"].is_null() && found->chunks != wanted["chunks"].get<std::vector<std::int64_t>>())
      return "has other chunks";
    const std::vector<double> numbers = numbersOf(opened, *found, caches);
    const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end());
    ++m_compared;
    return *least == wanted["min"] && *most == wanted["max"] ? "" : "has another range";
  }

  MemoryAccount m_account{std::uint64_t{64} << 20};
  int m_compared = 0;
};

void TestInventory::everyDataset() {
  NEEDS_DATA("refs/hdf5_inventory.json");
  NEEDS_DATA("data/hdf");
  std::ifstream in(test::dataPath("refs/hdf5_inventory.json"));
  int datasets = 0;
  for (const Json& file : Json::parse(in)) {
    const std::string path = test::dataPath("data/hdf/" + file["file"].get<std::string>()).string();
    const hdf5::OpenedHdf5 opened = hdf5::openFile(path, paging::ByteStores().open(path), m_account);
    const auto caches = std::make_shared<chunks::ChunkCaches>(m_account);
    for (const Json& wanted : file["datasets"]) {
      ++datasets;
      const std::string difference = differenceOf(wanted, opened, caches);
      QVERIFY2(difference.empty(),
               (path + ": " + wanted["path"].get<std::string>() + " " + difference).c_str());
    }
  }
  QCOMPARE(datasets, 1285);
  QCOMPARE(m_compared, 1278);
}

/// Not in the words of the library.
void TestInventory::whatIsCutOffSaysSo() {
  NEEDS_DATA("data/hdf/can-vtu.hdf");
  const test::TemporaryFolder folder;
  const std::string whole = test::dataPath("data/hdf/can-vtu.hdf").string(),
                    cut = (folder / "cut.hdf").string();
  std::filesystem::copy_file(whole, cut);
  std::filesystem::permissions(cut, std::filesystem::perms::owner_write, std::filesystem::perm_options::add);
  std::filesystem::resize_file(cut, 1'000'000);
  const std::string said =
      test::errorOf<Corrupt>([&] { hdf5::openFile(cut, paging::ByteStores().open(cut), m_account); });
  QVERIFY2(said.find("is cut off: it has 1000000 of " + std::to_string(std::filesystem::file_size(whole)) +
                     " bytes") != std::string::npos,
           said.c_str());
}

QTEST_GUILESS_MAIN(TestInventory)
#include "tst_inventory.moc"
