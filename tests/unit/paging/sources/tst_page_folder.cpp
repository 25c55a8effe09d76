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

std::vector<std::filesystem::path> pagesBelow(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().filename().string().find('.') != std::string::npos)
      found.push_back(entry.path());
  return found;
}

}  // namespace

class TestPageFolder : public QObject {
  Q_OBJECT
 private slots:
  void findsWhatWasKept();
  void othersFindIt();
  void whatIsDamagedIsNoPage();
  void whatIsHalfWrittenIsNoPage();
  void pagesThatContradictTheirChecksum();
  void dataSetsAreApart();
  void staysBelowItsSize();
  void nobodyElseReadsIt();
  void aFolderThatCannotBeMade();

 private:
  std::vector<std::byte> m_buffer = std::vector<std::byte>(PageFolder::kHeadBytes + 100'000);
};

void TestPageFolder::findsWhatWasKept() {
  const TemporaryFolder folder;
  const PageFolder pages({.folder = folder / "cache"});
  const auto set = pages.folderOf("far://host/a\n1");
  QVERIFY(!set.empty());
  QVERIFY(!pages.read(set, 2, 7, m_buffer));
  const auto bytes = bytesOf(1000, 1);
  pages.keep(set, 2, 7, pageOf(bytes));
  QVERIFY(pages.mayHave(set, 2, 7) && !pages.mayHave(set, 2, 8) && !pages.mayHave(set, 7, 2));
  const auto found = pages.read(set, 2, 7, m_buffer);
  QVERIFY(found);
  QVERIFY(std::equal(bytes.begin(), bytes.end(), found->bytes.begin(), found->bytes.end()));
  QCOMPARE(found->codec, Codec::Lz4);
  QVERIFY(found->padded && found->hasChecksum);
  QCOMPARE(found->checksum, checksum(bytes));
  // A page without a checksum is checked as well, and found without one.
  pages.keep(set, 2, 9, {.bytes = bytes});
  const auto plain = pages.read(set, 2, 9, m_buffer);
  QVERIFY(plain && !plain->hasChecksum && !plain->padded && plain->codec == Codec::None);
}

void TestPageFolder::othersFindIt() {
  const TemporaryFolder folder;
  const PageFolder one({.folder = folder.path()}), other({.folder = folder.path()});
  const auto set = one.folderOf("x");
  QCOMPARE(other.folderOf("x"), set);
  const auto bytes = bytesOf(500, 3);
  one.keep(set, 0, 0, pageOf(bytes));
  other.keep(set, 0, 0, pageOf(bytes));
  QVERIFY(other.read(set, 0, 0, m_buffer));
}

void TestPageFolder::whatIsDamagedIsNoPage() {
  const TemporaryFolder folder;
  const PageFolder pages({.folder = folder.path()});
  const auto set = pages.folderOf("x");
  const auto bytes = bytesOf(300, 3);
  for (std::size_t where = 0; where < PageFolder::kHeadBytes + bytes.size(); where += 3) {
    pages.keep(set, 0, where, pageOf(bytes));
    const auto files = pagesBelow(folder.path());
    QCOMPARE(files.size(), std::size_t{1});
    std::fstream file(files[0], std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(where));
    const char was = static_cast<char>(file.get());
    file.seekp(static_cast<std::streamoff>(where));
    file.put(static_cast<char>(was ^ 4));
    file.close();
    QVERIFY2(!pages.read(set, 0, where, m_buffer), std::to_string(where).c_str());
    std::filesystem::remove(files[0]);
  }
  // Another page's bytes under a wrong name.
  pages.keep(set, 0, 1, pageOf(bytes));
  std::filesystem::rename(set / "0.1", set / "0.2");
  QVERIFY(!pages.read(set, 0, 2, m_buffer));
  // One that is larger than any page can be.
  pages.keep(set, 0, 3, pageOf(bytes));
  QVERIFY(!pages.read(set, 0, 3, std::span(m_buffer).first(PageFolder::kHeadBytes + 299)));
}

void TestPageFolder::whatIsHalfWrittenIsNoPage() {
  const TemporaryFolder folder;
  const PageFolder pages({.folder = folder.path()});
  const auto set = pages.folderOf("x");
  const auto bytes = bytesOf(300, 3);
  for (const std::size_t length : {0, 1, 39, 40, 41, 339}) {
    pages.keep(set, 0, 0, pageOf(bytes));
    const auto file = set / "0.0";
    std::filesystem::resize_file(file, length);
    QVERIFY(!pages.read(set, 0, 0, m_buffer));
    // It may be in the making; after a minute it is what a killed program left, and goes.
    QVERIFY(std::filesystem::exists(file));
    std::filesystem::last_write_time(file,
                                     std::filesystem::file_time_type::clock::now() - std::chrono::minutes(2));
    QVERIFY(!pages.read(set, 0, 0, m_buffer));
    QVERIFY(!std::filesystem::exists(file));
    pages.keep(set, 0, 0, pageOf(bytes));
    QVERIFY(pages.read(set, 0, 0, m_buffer));
    std::filesystem::remove(file);
  }
}

void TestPageFolder::pagesThatContradictTheirChecksum() {
  const TemporaryFolder folder;
  const PageFolder pages({.folder = folder.path()});
  const auto set = pages.folderOf("x");
  const auto bytes = bytesOf(300, 3);
  StoredPage page = pageOf(bytes);
  page.checksum ^= 1;
  pages.keep(set, 0, 0, page);
  QVERIFY(!pages.mayHave(set, 0, 0));
}

void TestPageFolder::dataSetsAreApart() {
  const TemporaryFolder folder;
  const PageFolder pages({.folder = folder.path()});
  const auto one = pages.folderOf("far://host/a\n1"), other = pages.folderOf("far://host/a\n2");
  QVERIFY(one != other);
  pages.keep(one, 0, 0, pageOf(bytesOf(300, 3)));
  QVERIFY(!pages.read(other, 0, 0, m_buffer));
  // A folder that says to be another's is left alone; a name that was cut is mended.
  std::ofstream(one / "name") << "somebody else's";
  QVERIFY(pages.folderOf("far://host/a\n1").empty());
  std::ofstream(one / "name") << "far://ho";
  QVERIFY(pages.folderOf("far://host/a\n1").empty());
  QCOMPARE(pages.folderOf("far://host/a\n1"), one);
}

void TestPageFolder::staysBelowItsSize() {
  const TemporaryFolder folder;
  constexpr std::uint64_t kMost = 1'000'000;
  const auto bytes = bytesOf(10'000, 3);
  const auto sizeNow = [&] {
    std::uint64_t all = 0;
    for (const auto& file : pagesBelow(folder.path())) all += std::filesystem::file_size(file);
    return all;
  };
  for (int program = 0; program < 4; ++program) {
    const PageFolder pages({.folder = folder.path(), .mostBytes = kMost});
    const auto set = pages.folderOf("x");
    for (std::uint64_t n = 0; n < 60; ++n) {
      const std::uint64_t page = static_cast<std::uint64_t>(program) * 60 + n;
      pages.keep(set, 0, page, pageOf(bytes));
      // Pages kept in one second are told apart by hand.
      std::filesystem::last_write_time(
          set / ("0." +
                 [&] {
                   char t[20];
                   std::snprintf(t, sizeof t, "%llx", static_cast<unsigned long long>(page));
                   return std::string(t);
                 }()),
          std::filesystem::file_time_type::clock::now() - std::chrono::hours(1000 - static_cast<int>(page)));
    }
    QVERIFY(sizeNow() <= kMost + kMost / 16 + 20'000);
  }
  QVERIFY(sizeNow() <= kMost && sizeNow() > kMost / 2);
  const PageFolder pages({.folder = folder.path(), .mostBytes = kMost});
  const auto set = pages.folderOf("x");
  QVERIFY(pages.read(set, 0, 239, m_buffer));  // the last
  QVERIFY(!pages.read(set, 0, 0, m_buffer));   // the first
}

void TestPageFolder::nobodyElseReadsIt() {
  const TemporaryFolder folder;
  const PageFolder pages({.folder = folder.path()});
  const auto set = pages.folderOf("x");
  pages.keep(set, 0, 0, pageOf(bytesOf(300, 3)));
  struct stat status {};
  QCOMPARE(::stat(set.c_str(), &status), 0);
  QCOMPARE(status.st_mode & 077, 0u);
  QCOMPARE(::stat((set / "0.0").c_str(), &status), 0);
  QCOMPARE(status.st_mode & 077, 0u);
}

void TestPageFolder::aFolderThatCannotBeMade() {
  const PageFolder pages({.folder = "/proc/nothing"});
  QVERIFY(pages.folderOf("x").empty());
}

}  // namespace farfield::test

QTEST_APPLESS_MAIN(farfield::test::TestPageFolder)
#include "tst_page_folder.moc"
