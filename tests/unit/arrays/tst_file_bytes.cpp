// Files whose numbers are read where they lie: what another program writes into them while they are open is noticed, whether the file is
// still open here or was closed meanwhile, and what only became longer is read on, where its format allows that.

#include <QTest>
#include <chrono>
#include <fstream>

#include "core/base/error.h"
#include "plugins/arrays/byte_source.h"
#include "tests/support/error_words.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using namespace farfield::arrays;

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kBytes = 1000;
/// More files than are kept open.
constexpr int kMany = 40;

std::string lettersFrom(char first, std::size_t count = kBytes) {
  std::string text(count, ' ');
  for (std::size_t n = 0; n < count; ++n) text[n] = static_cast<char>(first + n % 20);
  return text;
}

/// A file that is open, and what another program does with it. Its time of the last change is one that a file system of any clock tells
/// from the one before.
class Found {
 public:
  explicit Found(Growth growth, std::uint64_t counted = kBytes) : m_counted(counted), m_pool(makeFilePool()) {
    write(lettersFrom('a'));
    m_source = fileBytes(path(), m_pool, growth, counted);
    read();
  }
  fs::path path() const { return m_folder / "f"; }
  void write(const std::string& text) {
    std::ofstream(path(), std::ios::binary) << text;
    fs::last_write_time(path(), fs::file_time_type::clock::now() + std::chrono::seconds(++m_written));
  }
  /// As programs do that write beside and rename.
  void replace(const std::string& text) {
    std::ofstream(m_folder / "new", std::ios::binary) << text;
    fs::rename(m_folder / "new", path());
  }
  void readOthers() {
    for (int n = 0; n < kMany; ++n) {
      const fs::path other = m_folder / std::to_string(n);
      std::ofstream(other) << "x";
      std::byte one;
      fileBytes(other, m_pool)->readAt(0, {&one, 1});
    }
  }
  std::string read() const {
    std::string text(static_cast<std::size_t>(std::min(m_source->size(), m_counted)), ' ');
    m_source->readAt(0, std::as_writable_bytes(std::span(text)));
    return text;
  }
  std::string whyNotRead() const {
    return test::errorOf<Corrupt>([&] { read(); });
  }
  std::string whyChanged() const {
    return test::errorOf<Corrupt>([&] { m_source->checkUnchanged(); });
  }
  std::string changedWords() const {
    return "file " + path().string() + ": has changed since it was opened; open the data again";
  }

 private:
  test::TemporaryFolder m_folder;
  const std::uint64_t m_counted;
  int m_written = 0;
  std::shared_ptr<FilePool> m_pool;
  std::shared_ptr<const ByteSource> m_source;
};

}  // namespace

class TestFileBytes : public QObject {
  Q_OBJECT
 private slots:
  void writtenAnew_data();
  void writtenAnew();
  void onlyLonger_data();
  void onlyLonger();
  void whatIsNotCountedYet();
  void deletedFilesAreRead();
};

void TestFileBytes::writtenAnew_data() {
  QTest::addColumn<Growth>("growth");
  QTest::addColumn<bool>("isReplaced");
  QTest::addColumn<bool>("isClosed");
  const std::pair<const char*, Growth> kGrowths[] = {
      {"never longer", Growth::None}, {"longer", Growth::Behind}, {"longer within", Growth::Within}};
  for (const auto& [name, growth] : kGrowths)
    for (const bool isReplaced : {false, true})
      for (const bool isClosed : {false, true})
        QTest::addRow("%s%s%s", name, isReplaced ? ", replaced" : "", isClosed ? ", closed" : "")
            << growth << isReplaced << isClosed;
}

/// With the same size.
void TestFileBytes::writtenAnew() {
  QFETCH(Growth, growth);
  QFETCH(bool, isReplaced);
  QFETCH(bool, isClosed);
  Found found(growth);
  QCOMPARE(found.whyChanged(), std::string());
  if (isReplaced)
    found.replace(lettersFrom('b'));
  else
    found.write(lettersFrom('b'));
  if (isClosed) found.readOthers();
  QCOMPARE(found.whyChanged(), found.changedWords());
  // A file of another name is what it was for who has it open; the name is looked at with the results.
  if (isReplaced && !isClosed)
    QCOMPARE(found.read(), lettersFrom('a'));
  else
    QTRY_COMPARE(found.whyNotRead(), found.changedWords());
}

void TestFileBytes::onlyLonger_data() {
  QTest::addColumn<Growth>("growth");
  QTest::addColumn<QString>("now");
  QTest::addColumn<bool>("isSame");
  const auto text = [](std::string all) { return QString::fromStdString(all + lettersFrom('c', 300)); };
  const std::string was = lettersFrom('a');
  std::string counted = was, other = was, ended = was, within = was;
  counted.replace(4, 8, "COUNTING");
  other[20] = 'X';
  ended[kBytes - 5] = 'X';
  within[500] = 'X';
  QTest::newRow("never longer") << Growth::None << text(was) << false;
  QTest::newRow("longer") << Growth::Behind << text(was) << true;
  QTest::newRow("with a count") << Growth::Behind << text(counted) << true;
  QTest::newRow("another head") << Growth::Behind << text(other) << false;
  QTest::newRow("another end") << Growth::Behind << text(ended) << false;
  QTest::newRow("longer within") << Growth::Within << text(within) << true;
  QTest::newRow("another kind") << Growth::Within << text("XX" + was.substr(2)) << false;
  QTest::newRow("shorter") << Growth::Within << QString::fromStdString(was.substr(0, 900)) << false;
}

void TestFileBytes::onlyLonger() {
  QFETCH(Growth, growth);
  QFETCH(QString, now);
  QFETCH(bool, isSame);
  for (const bool isClosed : {false, true}) {
    Found found(growth);
    found.write(now.toStdString());
    if (isClosed) found.readOthers();
    // One that has become shorter at once: while a program writes it anew.
    if (now.size() < qsizetype(kBytes)) QCOMPARE(found.whyNotRead(), found.changedWords());
    QCOMPARE(found.whyChanged(), isSame ? std::string() : found.changedWords());
    if (isSame)
      QCOMPARE(found.read(), now.toStdString().substr(0, kBytes));
    else
      QTRY_COMPARE(found.whyNotRead(), found.changedWords());
  }
}

/// A program makes its file longer, writes what comes there, and then counts it: it is the same file all the while.
void TestFileBytes::whatIsNotCountedYet() {
  constexpr std::uint64_t kCounted = 700;
  std::string now = lettersFrom('a');
  now.replace(4, 8, "COUNTING");
  now.replace(kCounted, 300, lettersFrom('c', 300));
  std::string other = now;
  other[kCounted - 5] = 'X';
  for (const bool isClosed : {false, true}) {
    Found found(Growth::Behind, kCounted);
    found.write(now);
    if (isClosed) found.readOthers();
    QCOMPARE(found.whyChanged(), std::string());
    QCOMPARE(found.read(), now.substr(0, kCounted));
    found.write(other);
    if (isClosed) found.readOthers();
    QCOMPARE(found.whyChanged(), found.changedWords());
    QTRY_COMPARE(found.whyNotRead(), found.changedWords());
  }
  // Where all is counted, nothing is to be written.
  std::string counted = lettersFrom('a');
  counted.replace(4, 8, "COUNTING");
  Found whole(Growth::Behind);
  whole.write(counted);
  QCOMPARE(whole.whyChanged(), whole.changedWords());
}

/// As long as they are open.
void TestFileBytes::deletedFilesAreRead() {
  const Found found(Growth::None);
  fs::remove(found.path());
  QCOMPARE(found.read(), lettersFrom('a'));
  QCOMPARE(found.whyChanged(), std::string());
}

QTEST_GUILESS_MAIN(TestFileBytes)
#include "tst_file_bytes.moc"
