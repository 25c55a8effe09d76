// Pages kept on disk: what was kept is found as it was, by other programs, too; what is damaged, cut or another data
// set's is not; the folder stays below its size.

#include <sys/stat.h>

#include <QTest>
#include <fstream>

#include "core/paging/sources/page_folder.h"
#include "tests/support/temporary_folder.h"

namespace farfield::test {
namespace {

using namespace paging;

const std::vector<std::uint64_t> kPages = {10, 10, 10};

std::vector<std::byte> bytesOf(std::size_t count, int seed) {
  std::vector<std::byte> bytes(count);
  for (std::size_t n = 0; n < count; ++n)
    bytes[n] = static_cast<std::byte>(n * 7 + static_cast<std::size_t>(seed));
  return bytes;
}

StoredPage pageOf(const std::vector<std::byte>& bytes) {
  return {
      .bytes = bytes, .codec = Codec::Lz4, .hasChecksum = true, .checksum = checksum(bytes), .padded = true};
}

std::vector<std::filesystem::path> segmentsBelow(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".pages") found.push_back(entry.path());
  return found;
}

void flip(const std::filesystem::path& path, std::uint64_t where) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(static_cast<std::streamoff>(where));
  const char was = static_cast<char>(file.get());
  file.seekp(static_cast<std::streamoff>(where));
  file.put(static_cast<char>(was ^ 4));
}

bool isSame(const std::optional<StoredPage>& page, const std::vector<std::byte>& bytes) {
  return page && std::equal(bytes.begin(), bytes.end(), page->bytes.begin(), page->bytes.end());
}

}  // namespace

class TestPageFolder : public QObject {
  Q_OBJECT
 private slots:
  void findsWhatWasKept();
  void othersFindIt();
  void whatIsDamagedIsNoPage();
  void whatIsCutIsNoPage();
  void pagesThatAreNone();
  void dataSetsAreApart();
  void staysBelowItsSize();
  void nobodyElseReadsIt();
  void aFolderThatCannotBeMade();

 private:
  std::vector<std::byte> m_buffer = std::vector<std::byte>(100'000);
};

void TestPageFolder::findsWhatWasKept() {
  const TemporaryFolder folder;
  const PageFolder pages({.folder = folder / "cache"});
  const auto set = pages.open("far://host/a\n1", kPages);
  QVERIFY(set);
  QVERIFY(!set->read(2, 7, m_buffer));
  const auto bytes = bytesOf(1000, 1), others = bytesOf(700, 2);
  set->keep(2, 7, pageOf(bytes));
  set->keep(0, 0, pageOf(others));
  QVERIFY(set->mayHave(2, 7) && !set->mayHave(2, 8) && !set->mayHave(1, 7));
  const auto found = set->read(2, 7, m_buffer);
  QVERIFY(isSame(found, bytes));
  QCOMPARE(found->codec, Codec::Lz4);
  QVERIFY(found->padded && found->hasChecksum);
  QCOMPARE(found->checksum, checksum(bytes));
  QVERIFY(isSame(set->read(0, 0, m_buffer), others));
  // A page without a checksum is checked as well, and found without one.
  StoredPage plain;
  plain.bytes = bytes;
  set->keep(2, 9, plain);
  const auto again = set->read(2, 9, m_buffer);
  QVERIFY(isSame(again, bytes) && !again->hasChecksum && !again->padded && again->codec == Codec::None);
}

void TestPageFolder::othersFindIt() {
  const TemporaryFolder folder;
  const PageFolder one({.folder = folder.path()}), other({.folder = folder.path()});
  const auto set = one.open("x", kPages), its = other.open("x", kPages);
  QVERIFY(set && its);
  const auto bytes = bytesOf(500, 3), more = bytesOf(400, 4);
  set->keep(0, 0, pageOf(bytes));
  its->keep(0, 1, pageOf(more));
  QVERIFY(isSame(its->read(0, 0, m_buffer), bytes));
  QVERIFY(isSame(set->read(0, 1, m_buffer), more));
}

void TestPageFolder::whatIsDamagedIsNoPage() {
  const auto bytes = bytesOf(300, 3);
  for (std::uint64_t where = 0; where < 340; where += 3) {
    const TemporaryFolder folder;
    const PageFolder pages({.folder = folder.path()});
    const auto set = pages.open("x", kPages);
    set->keep(0, 0, pageOf(bytes));
    if (where < 40)
      flip(set->path() / "index", where);
    else
      flip(segmentsBelow(folder.path()).at(0), where - 40);
    QVERIFY2(!set->read(0, 0, m_buffer), std::to_string(where).c_str());
    set->keep(0, 0, pageOf(bytes));
    QVERIFY(isSame(set->read(0, 0, m_buffer), bytes));
  }
  // The record of another page.
  const TemporaryFolder folder;
  const PageFolder pages({.folder = folder.path()});
  const auto set = pages.open("x", kPages);
  set->keep(0, 0, pageOf(bytes));
  std::fstream index(set->path() / "index", std::ios::in | std::ios::out | std::ios::binary);
  char record[40];
  index.read(record, sizeof record);
  index.seekp(40);
  index.write(record, sizeof record);
  index.close();
  QVERIFY(!set->read(0, 1, m_buffer));
  // One that is larger than any page can be.
  QVERIFY(!set->read(0, 0, std::span(m_buffer).first(299)));
}

void TestPageFolder::whatIsCutIsNoPage() {
  const auto bytes = bytesOf(300, 3);
  for (const std::uint64_t length : {0, 1, 299}) {
    const TemporaryFolder folder;
    const PageFolder pages({.folder = folder.path()});
    const auto set = pages.open("x", kPages);
    set->keep(0, 0, pageOf(bytes));
    std::filesystem::resize_file(segmentsBelow(folder.path()).at(0), length);
    QVERIFY(!set->read(0, 0, m_buffer));
  }
  for (const std::uint64_t length : {0, 1, 39}) {
    const TemporaryFolder folder;
    const PageFolder pages({.folder = folder.path()});
    const auto set = pages.open("x", kPages);
    set->keep(0, 0, pageOf(bytes));
    std::filesystem::resize_file(set->path() / "index", length);
    QVERIFY(!set->read(0, 0, m_buffer));
  }
  // Let go by another program.
  const TemporaryFolder folder;
  const PageFolder pages({.folder = folder.path()}), other({.folder = folder.path()});
  pages.open("x", kPages)->keep(0, 0, pageOf(bytes));
  std::filesystem::remove(segmentsBelow(folder.path()).at(0));
  QVERIFY(!other.open("x", kPages)->read(0, 0, m_buffer));
}

void TestPageFolder::pagesThatAreNone() {
  const TemporaryFolder folder;
  const PageFolder pages({.folder = folder.path()});
  const auto set = pages.open("x", kPages);
  const auto bytes = bytesOf(300, 3);
  StoredPage wrong = pageOf(bytes);
  wrong.checksum ^= 1;
  set->keep(0, 0, wrong);
  QVERIFY(!set->mayHave(0, 0));
  set->keep(0, 10, pageOf(bytes));
  set->keep(3, 0, pageOf(bytes));
  QVERIFY(!set->mayHave(0, 10) && !set->mayHave(3, 0) && !set->mayHave(1, 0));
  QVERIFY(!set->read(7, 1, m_buffer));
}

void TestPageFolder::dataSetsAreApart() {
  const TemporaryFolder folder;
  const PageFolder pages({.folder = folder.path()});
  const auto one = pages.open("far://host/a\n1", kPages), other = pages.open("far://host/a\n2", kPages);
  QVERIFY(one && other);
  one->keep(0, 0, pageOf(bytesOf(300, 3)));
  QVERIFY(!other->read(0, 0, m_buffer));
  // A folder that says to be another's is left alone; a name that was cut is mended.
  std::ofstream(one->path() / "name") << "somebody else's";
  QVERIFY(!pages.open("far://host/a\n1", kPages));
  std::ofstream(one->path() / "name") << "far://ho";
  QVERIFY(!pages.open("far://host/a\n1", kPages));
  QVERIFY(pages.open("far://host/a\n1", kPages));
}

void TestPageFolder::staysBelowItsSize() {
  const TemporaryFolder folder;
  constexpr std::uint64_t kMost = 1'000'000, kEach = 60;
  const auto bytes = bytesOf(10'000, 3);
  const auto sizeNow = [&] {
    std::uint64_t all = 0;
    for (const auto& file : segmentsBelow(folder.path())) all += std::filesystem::file_size(file);
    return all;
  };
  for (std::uint64_t program = 0; program < 4; ++program) {
    {
      const PageFolder pages({.folder = folder.path(), .mostBytes = kMost});
      const auto set = pages.open("x", {4 * kEach});
      for (std::uint64_t n = 0; n < kEach; ++n) set->keep(0, program * kEach + n, pageOf(bytes));
      QVERIFY(sizeNow() <= kMost + kMost / 8);
    }
    // Files of one second are told apart by hand.
    for (const auto& file : segmentsBelow(folder.path()))
      std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) - std::chrono::hours(1));
  }
  QVERIFY(sizeNow() <= kMost && sizeNow() > kMost / 2);
  const PageFolder pages({.folder = folder.path(), .mostBytes = kMost});
  const auto set = pages.open("x", {4 * kEach});
  QVERIFY(set->read(0, 4 * kEach - 1, m_buffer));  // the last
  QVERIFY(!set->read(0, 0, m_buffer));             // the first
}

void TestPageFolder::nobodyElseReadsIt() {
  const TemporaryFolder folder;
  const PageFolder pages({.folder = folder.path()});
  const auto set = pages.open("x", kPages);
  set->keep(0, 0, pageOf(bytesOf(300, 3)));
  for (const auto& path :
       {set->path(), set->path() / "index", set->path() / "name", segmentsBelow(folder.path()).at(0)}) {
    struct stat status {};
    QCOMPARE(::stat(path.c_str(), &status), 0);
    QCOMPARE(status.st_mode & 077, 0u);
  }
}

void TestPageFolder::aFolderThatCannotBeMade() {
  const PageFolder pages({.folder = "/proc/nothing"});
  QVERIFY(!pages.open("x", kPages));
}

}  // namespace farfield::test

QTEST_APPLESS_MAIN(farfield::test::TestPageFolder)
#include "tst_page_folder.moc"
