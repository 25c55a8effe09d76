// A store's pages in several files: the same pages from the set as from the store, of any number of parts; what is
// missing, damaged or of another set is named; and whoever writes leaves all or nothing.

#include <QTest>

#include <fstream>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/paging/bytes/local_file.h"
#include "core/paging/store/catalog.h"
#include "core/paging/store/partial_store.h"
#include "core/paging/store/store_check.h"
#include "core/paging/store/store_file.h"
#include "core/paging/writing/store_writer.h"
#include "core/paging/writing/stripe_writer.h"
#include "tests/contract/sample_data.h"
#include "tests/contract/sample_store.h"
#include "tests/support/memory_object.h"
#include "tests/support/temporary_folder.h"

namespace farfield::paging {
namespace {

namespace fs = std::filesystem;

std::vector<std::byte> pageBytes(const StoreFile& store, std::uint32_t array, std::uint64_t page) {
  const PagePlace place = store.place(array, page);
  std::vector<std::byte> bytes(place.bytes);
  store.pageObjects()[store.stripes().partOf(page)]->readAt(place.offset, bytes);
  return bytes;
}

std::size_t filesIn(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

/// What opening it says; empty: it opens.
std::string errorOf(const fs::path& set) {
  MemoryAccount account(std::uint64_t{64} << 20);
  try {
    StoreFile::open(set, account);
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace

class TestStripedSet : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void hasTheSamePages_data();
  void hasTheSamePages();
  void namesWhatIsMissing();
  void refusesOtherParts();
  void finishesOrLeavesNothing();
  void fewerPartsLeaveNoOthers();
  void catalogsThatNameOtherFiles();

 private:
  fs::path make(const std::string& folder, std::uint32_t parts);
  test::TemporaryFolder m_folder;
  fs::path m_store;
  MemoryAccount m_account{std::uint64_t{256} << 20};
};

void TestStripedSet::initTestCase() {
  m_store = test::writeSampleStore(m_folder / "store.h5");
}

fs::path TestStripedSet::make(const std::string& folder, std::uint32_t parts) {
  fs::create_directory(m_folder / folder);
  const fs::path set = m_folder / folder / "set.stripes";
  writeStripes(*LocalFile::open(m_store), set, {.parts = parts}, m_account);
  return set;
}

void TestStripedSet::hasTheSamePages_data() {
  QTest::addColumn<int>("parts");
  for (const int parts : {1, 2, 3, 7, 100}) QTest::addRow("%d", parts) << parts;
}

void TestStripedSet::hasTheSamePages() {
  QFETCH(int, parts);
  const auto count = static_cast<std::uint32_t>(parts);
  const fs::path set = make("same" + std::to_string(parts), count);
  QCOMPARE(filesIn(set.parent_path()), static_cast<std::size_t>(parts) + 1);
  const auto plain = StoreFile::open(m_store, m_account), striped = StoreFile::open(set, m_account);
  QCOMPARE(descriptionText(striped->description()), descriptionText(plain->description()));
  QVERIFY(StoreFile::looksLikeStore(set));
  for (std::uint32_t n = 0; n < plain->description().arrays.size(); ++n) {
    QVERIFY(striped->arraySummary(n) == plain->arraySummary(n));
    for (std::int64_t page = 0; page < plain->description().arrays[n].pageCount(); ++page) {
      const auto its = static_cast<std::uint64_t>(page);
      QVERIFY(pageBytes(*striped, n, its) == pageBytes(*plain, n, its));
      QCOMPARE(striped->place(n, its).checksum, plain->place(n, its).checksum);
      QVERIFY(striped->summary(n, its) == plain->summary(n, its));
    }
  }
  QVERIFY(checkStore(*striped->object(), m_account).empty());
  striped->checkUnchanged();
  // The same store makes the same files.
  const fs::path again = make("again" + std::to_string(parts), count);
  const std::vector<fs::path> ours = filesOfSet(set, count), theirs = filesOfSet(again, count);
  for (std::size_t n = 0; n < ours.size(); ++n) {
    const auto one = LocalFile::open(ours[n]), other = LocalFile::open(theirs[n]);
    QCOMPARE(one->size(), other->size());
    std::vector<std::byte> a(one->size()), b(other->size());
    one->readAt(0, a);
    other->readAt(0, b);
    QVERIFY(a == b);
  }
}

void TestStripedSet::namesWhatIsMissing() {
  const fs::path set = make("missing", 4);
  fs::remove(set.parent_path() / "set.3.stripe");
  const std::string error = errorOf(set);
  QVERIFY2(error.find("part 3 of 4, set.3.stripe, is missing") != std::string::npos, error.c_str());
  QVERIFY2(error.find("set.stripes") != std::string::npos, error.c_str());
  // Whoever can do without says so.
  StoreFileOptions options;
  options.openPart = [&](std::size_t part, const std::string& name) -> std::shared_ptr<const ByteObject> {
    return part == 2 ? nullptr : LocalFile::open(set.parent_path() / name);
  };
  const auto striped = StoreFile::open(LocalFile::open(set), m_account, options);
  QVERIFY(!striped->pageObjects()[2] && striped->pageObjects()[3]);
  QVERIFY_EXCEPTION_THROWN(StoreFile::open(LocalFile::open(set), m_account), Unsupported);
}

void TestStripedSet::refusesOtherParts() {
  const fs::path set = make("other", 3), two = make("two", 2);
  const fs::path part = set.parent_path() / "set.2.stripe";
  const auto with = [&](const fs::path& other) {
    fs::copy_file(part, m_folder / "kept", fs::copy_options::overwrite_existing);
    fs::copy_file(other, part, fs::copy_options::overwrite_existing);
    const std::string error = errorOf(set);
    fs::copy_file(m_folder / "kept", part, fs::copy_options::overwrite_existing);
    return error;
  };
  for (const fs::path& other :
       {set.parent_path() / "set.1.stripe", two.parent_path() / "set.2.stripe", m_store}) {
    const std::string error = with(other);
    QVERIFY2(error.find("set.2.stripe") != std::string::npos, error.c_str());
  }
  // A head in which any byte is another, and a part that is cut short.
  for (const std::uint64_t at :
       {std::uint64_t{0}, std::uint64_t{12}, std::uint64_t{30}, std::uint64_t{4095}}) {
    fs::copy_file(part, m_folder / "damaged", fs::copy_options::overwrite_existing);
    File file = File::openForWriting(m_folder / "damaged", false);
    std::byte byte;
    file.readAt(at, {&byte, 1});
    byte ^= std::byte{4};
    file.writeAt(at, {&byte, 1});
    file.close();
    QVERIFY(!with(m_folder / "damaged").empty());
  }
  fs::copy_file(part, m_folder / "damaged", fs::copy_options::overwrite_existing);
  fs::resize_file(m_folder / "damaged", fs::file_size(part) - 1);
  QVERIFY(with(m_folder / "damaged").find("bytes instead of") != std::string::npos);
  QCOMPARE(errorOf(set), std::string());
}

void TestStripedSet::finishesOrLeavesNothing() {
  const fs::path folder = m_folder / "nothing";
  fs::create_directory(folder);
  // Stopped at some page.
  std::stop_source stop;
  StripeOptions options{.parts = 3, .stop = stop.get_token()};
  options.progress = [&](std::uint64_t done, std::uint64_t) {
    if (done == 5) stop.request_stop();
  };
  QVERIFY_EXCEPTION_THROWN(
      writeStripes(*LocalFile::open(m_store), folder / "set.stripes", options, m_account), Cancelled);
  QCOMPARE(filesIn(folder), std::size_t{0});
  // A page that is damaged.
  fs::copy_file(m_store, m_folder / "flipped.h5");
  {
    const std::uint64_t where = StoreFile::open(m_store, m_account)->place(0, 1).offset + 3;
    File file = File::openForWriting(m_folder / "flipped.h5", false);
    std::byte byte;
    file.readAt(where, {&byte, 1});
    byte ^= std::byte{1};
    file.writeAt(where, {&byte, 1});
  }
  try {
    writeStripes(*LocalFile::open(m_folder / "flipped.h5"), folder / "set.stripes", {.parts = 2}, m_account);
    QFAIL("a damaged page was copied");
  } catch (const Corrupt& error) {
    QVERIFY2(std::string(error.what()).find("page 1 of array") != std::string::npos, error.what());
  }
  QCOMPARE(filesIn(folder), std::size_t{0});
  // What is striped is not striped again; what is no store is none.
  const fs::path set = make("once", 2);
  QVERIFY_EXCEPTION_THROWN(
      writeStripes(*LocalFile::open(set), folder / "set.stripes", {.parts = 2}, m_account), Unsupported);
  MemoryAccount small(1 << 20);
  QVERIFY_EXCEPTION_THROWN(
      writeStripes(*LocalFile::open(m_store), folder / "set.stripes", {.parts = 2}, small), OverBudget);
  QCOMPARE(filesIn(folder), std::size_t{0});
  // What another process writes is left to it.
  {
    const File held = detail::openLocked(folder / ".set.stripes.new", folder / "set.stripes");
    QVERIFY_EXCEPTION_THROWN(
        writeStripes(*LocalFile::open(m_store), folder / "set.stripes", {.parts = 2}, m_account), Invalid);
    QCOMPARE(filesIn(folder), std::size_t{1});
  }
  // It was killed: of what it left nothing stays behind the new one.
  fs::resize_file(folder / ".set.stripes.new", 1 << 24);
  writeStripes(*LocalFile::open(m_store), folder / "set.stripes", {.parts = 2}, m_account);
  QVERIFY(fs::file_size(folder / "set.stripes") < 1 << 24);
  QCOMPARE(filesIn(folder), std::size_t{3});
}

/// Of a set that had more of them; what is no part stays, whatever it is called.
void TestStripedSet::fewerPartsLeaveNoOthers() {
  const fs::path set = make("fewer", 5);
  const std::vector<fs::path> before = filesOfSet(set, 5);
  std::ofstream(before[4], std::ios::trunc) << "notes";
  QCOMPARE(make("fewer", 2), set);
  for (std::size_t n = 0; n < before.size(); ++n) QCOMPARE(fs::exists(before[n]), n <= 2 || n == 4);
  QVERIFY(checkStore(*StoreFile::open(set, m_account)->object(), m_account).empty());
}

void TestStripedSet::catalogsThatNameOtherFiles() {
  Catalog catalog;
  catalog.description = test::sampleDescription(8);
  catalog.description.codec = nameOf(catalog.codec);
  for (const ArrayDescription& array : catalog.description.arrays)
    catalog.indices.push_back({{4096, 100, 1}, PageSummary(array.components)});
  const auto parses = [&](const std::string& name, std::uint64_t bytes) {
    catalog.stripes = {7, {{name, bytes}}};
    try {
      return catalogFromText(catalogText(catalog)).stripes.parts == catalog.stripes.parts;
    } catch (const Corrupt&) {
      return false;
    }
  };
  QVERIFY(parses("set.1.stripe", 4096));
  for (const char* const name : {"", ".", "..", "../x", "/etc/passwd", "a/b", ".hidden"})
    QVERIFY2(!parses(name, 4096), name);
  QVERIFY(!parses(std::string("a\0b", 3), 4096));
  QVERIFY(!parses("x", 4095));
  QVERIFY(!parses("x", ~std::uint64_t{0}));
}

}  // namespace farfield::paging

QTEST_APPLESS_MAIN(farfield::paging::TestStripedSet)
#include "tst_striped_set.moc"
