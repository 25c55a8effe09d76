// Errors, units, the machine, the memory account and files that appear whole or not at all.

#include <QTest>

#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <memory>
#include <thread>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/float_digits.h"
#include "core/base/followed_path.h"
#include "core/base/machine.h"
#include "core/base/memory_account.h"
#include "core/base/printable.h"
#include "core/base/small_pages.h"
#include "core/base/temporary_file.h"
#include "core/base/units.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;

class TestBase : public QObject {
  Q_OBJECT
 private slots:
  void temporaryFilesHaveTheirPlaceAndRoom();
  void errorIsOneLine();
  void textIsMadePrintable();
  void pathsFollowLinks();
  void bytesParse();
  void bytesRefuseNonsense();
  void floatsHaveTheDigitsTheyWereWrittenWith();
  void accountNeverPassesItsBudget();
  void claimGivesBack();
  void budgetsCanChange();
  void anAccountThatOnlyCountsRefusesNothing();
  void newFileAppearsOnlyByCommit();
  void newFilesKeepLinksAndDevices();
  void readPastTheEndIsCorrupt();
  void directoryIsNotAFile();
  void productRefusesHugeSizes();
  void processorsAreThoseThatAreAllowed();
  void theMachineHasMoreMemoryThanThisTest();
  void hugePagesAreForbiddenForAWhile();
};

void TestBase::hugePagesAreForbiddenForAWhile() {
  const auto areForbidden = [] { return ::prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0); };
  if (areForbidden() != 0) QSKIP("there are none here");
  auto first = std::make_unique<SmallPages>();
  if (areForbidden() != 1) QSKIP("the system does not let them be forbidden");
  {
    const SmallPages second;
    first.reset();
    QCOMPARE(areForbidden(), 1);
  }
  QCOMPARE(areForbidden(), 0);
}

void TestBase::errorIsOneLine() {
  Corrupt error("page is\nbroken", "convert again");
  error.at("array q").at("file flow.h5");
  QCOMPARE(std::string(error.what()), std::string("file flow.h5: array q: page is broken; convert again"));
}

/// As the system has it, which the names of files below show.
void TestBase::pathsFollowLinks() {
  const test::TemporaryFolder folder;
  const std::filesystem::path root = std::filesystem::canonical(folder.path());
  std::filesystem::create_directories(root / "real" / "deep" / "runs");
  std::filesystem::create_directories(root / "use");
  std::filesystem::create_directory_symlink("../real/deep/runs", root / "use" / "link");
  std::filesystem::create_directory_symlink("nothing", root / "use" / "broken");
  const std::vector<std::pair<std::string, std::string>> all{{"use/link/../x", "real/deep/x"},
                                                             {"use/link/./../../x", "real/x"},
                                                             {"use/../use/link/..//x/", "real/deep/x"},
                                                             {"use/link/x", "use/link/x"},
                                                             {"use/link/sub/../x", "use/link/x"},
                                                             {"use/../real/x", "real/x"},
                                                             {"use/broken/../x", "use/x"},
                                                             {"absent/../x", "x"}};
  for (const auto& [path, wanted] : all)
    QCOMPARE(followedPath(root / path).string(), (root / wanted).string());
  QCOMPARE(followedPath("a/../../b/.").string(), std::string("../b"));
  QCOMPARE(followedPath("a/..").string(), std::string("."));
  QCOMPARE(followedPath("/../a").string(), std::string("/a"));
  QCOMPARE(followedPath("").string(), std::string());
}

void TestBase::textIsMadePrintable() {
  QCOMPARE(printable("a\tb\x7f \xc3\xa9 \xc2\x9b \xe2\x80\xae %s"),
           std::string("a b\\x7f \xc3\xa9 \\u009b \\u202e %s"));
  // Bytes that are no UTF-8: alone, cut short, longer than need be, half of a pair.
  QCOMPARE(printable("\xff \xe2\x82"), std::string("\\xff \\xe2\\x82"));
  QCOMPARE(printable("\xc0\xaf \xed\xa0\x80"), std::string("\\xc0\\xaf \\xed\\xa0\\x80"));
  // A long text loses its middle, and no half of a character stays.
  for (std::size_t n = 0; n < 4; ++n) {
    std::string text(n, 'a');
    for (int times = 0; times < 1000; ++times) text += "\xe2\x82\xac";
    const std::string cut = printable(text + "end");
    QVERIFY(cut.size() < 1300 && cut.ends_with("end") && cut.find('\\') == std::string::npos);
    QCOMPARE(printable(cut).size(), cut.size());
  }
}

void TestBase::bytesParse() {
  QCOMPARE(parseBytes("200M"), std::uint64_t{200} << 20);
  QCOMPARE(parseBytes("1.5k"), std::uint64_t{1536});
  QCOMPARE(parseBytes("2GiB"), std::uint64_t{2} << 30);
  QCOMPARE(parseBytes("4096"), std::uint64_t{4096});
  QCOMPARE(formatBytes(1536), std::string("1.5 KiB"));
  QCOMPARE(formatSeconds(4e-5), std::string("40 µs"));
  QCOMPARE(formatSeconds(9.6e-4), std::string("1 ms"));
  QCOMPARE(formatSeconds(0), std::string("0 ms"));
  QCOMPARE(formatSeconds(7384), std::string("2 h 3 min"));
  QCOMPARE(formatSeconds(3.6e15), std::string("1000000000000 h 0 min"));
}

void TestBase::bytesRefuseNonsense() {
  for (const char* text : {"", "M", "-1M", "12Q", "1e400", "nan", "9999999999T", "1 M"})
    QVERIFY_EXCEPTION_THROWN(parseBytes(text), Invalid);
}

void TestBase::floatsHaveTheDigitsTheyWereWrittenWith() {
  QCOMPARE(withFloatDigits(423.2F), 423.2);
  QCOMPARE(withFloatDigits(-1e-7F), -1e-7);
  QCOMPARE(withFloatDigits(13.717F), 13.717);
  QCOMPARE(withFloatDigits(std::numeric_limits<float>::denorm_min()), 1e-45);
  // What has more, or is whole, stays as it is.
  for (const double value : {423.2, 1.0 / 3, 0.0, 0.5, 1.0, 1e6, 123456792.0, 1e300, 16777217.0})
    QCOMPARE(withFloatDigits(value), value);
  QVERIFY(std::isnan(withFloatDigits(std::nan(""))));
  QVERIFY(std::isinf(withFloatDigits(-std::numeric_limits<double>::infinity())));
}

void TestBase::accountNeverPassesItsBudget() {
  MemoryAccount account(1000);
  std::atomic<bool> passed{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int n = 0; n < 20000; ++n) {
        auto claim = account.tryClaim(Purpose::Frames, 300);
        if (account.usedBytes() > 1000) passed = true;
      }
    });
  for (auto& thread : threads) thread.join();
  QVERIFY(!passed);
  QCOMPARE(account.usedBytes(), std::uint64_t{0});
  QVERIFY(account.peakBytes() <= 1000 && account.peakBytes() >= 300);
}

void TestBase::budgetsCanChange() {
  MemoryAccount account(100);
  MemoryClaim claim = account.claim(Purpose::Index, 80, "index");
  account.setBudgetBytes(50);
  QCOMPARE(account.freeBytes(), std::uint64_t{0});
  QVERIFY(!account.tryClaim(Purpose::Work, 1));
  claim.shrink(30);
  QCOMPARE(account.freeBytes(), std::uint64_t{20});
  QVERIFY(account.tryClaim(Purpose::Work, 20));
  account.setBudgetBytes(200);
  QCOMPARE(account.freeBytes(), std::uint64_t{170});
}

void TestBase::claimGivesBack() {
  MemoryAccount account(100);
  MemoryClaim claim = account.claim(Purpose::Index, 80, "index");
  QVERIFY_EXCEPTION_THROWN(account.claim(Purpose::Work, 21, "work"), OverBudget);
  claim.shrink(10);
  QCOMPARE(account.usedBytes(Purpose::Index), std::uint64_t{10});
  MemoryClaim moved = std::move(claim);
  moved.release();
  QCOMPARE(account.usedBytes(), std::uint64_t{0});
}

void TestBase::anAccountThatOnlyCountsRefusesNothing() {
  MemoryAccount account(100, MemoryAccount::Mode::Counts);
  QVERIFY(account.onlyCounts());
  {
    const MemoryClaim kept = account.claim(Purpose::Work, 250, "work");
    account.claim(Purpose::Work, 500, "for a moment").release();
    QCOMPARE(account.usedBytes(), std::uint64_t{250});
    QCOMPARE(account.freeBytes(), std::uint64_t{0});
    QVERIFY_EXCEPTION_THROWN(account.claimInEarnest(Purpose::Work, 101, "allocated"), OverBudget);
    account.claimInEarnest(Purpose::Work, 100, "allocated").release();
  }
  QCOMPARE(account.usedBytes(), std::uint64_t{0});
  QCOMPARE(account.peakBytes(), std::uint64_t{750});
}

void TestBase::newFileAppearsOnlyByCommit() {
  test::TemporaryFolder folder;
  const auto path = folder / "result.txt";
  {
    NewFile file(path);
    file.write("half of it");
  }
  QVERIFY(std::filesystem::is_empty(folder.path()));
  {
    NewFile file(path);
    const std::string big(1000000, 'x');
    file.write(big);
    file.write("end");
    file.commit();
  }
  QCOMPARE(std::filesystem::file_size(path), std::uintmax_t{1000003});
}

/// What a link leads to is written, be it there or not; what is no file is not replaced by one.
void TestBase::newFilesKeepLinksAndDevices() {
  test::TemporaryFolder folder;
  namespace fs = std::filesystem;
  fs::create_directory(folder / "far");
  std::ofstream(folder / "far" / "real") << "before";
  const auto written = [](const fs::path& path) {
    NewFile file(path);
    file.write("after");
    file.commit();
    return fs::is_symlink(path) && fs::is_regular_file(path) && fs::file_size(path) == 5;
  };
  fs::create_symlink("far/real", folder / "link");
  fs::create_symlink(folder / "link", folder / "link of a link");
  fs::create_symlink("far/new", folder / "dangling");
  for (const char* const name : {"link of a link", "dangling"}) QVERIFY2(written(folder / name), name);
  QCOMPARE(fs::file_size(folder / "far" / "real"), std::uintmax_t{5});
  QVERIFY(fs::is_regular_file(folder / "far" / "new"));

  QCOMPARE(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  fs::create_symlink("/dev/null", folder / "null");
  for (const fs::path& path : {folder / "pipe", folder / "null", fs::path("/dev/null")})
    QVERIFY_EXCEPTION_THROWN(NewFile{path}, Io);
  QVERIFY(fs::is_fifo(folder / "pipe") && fs::is_symlink(folder / "null") &&
          fs::is_character_file("/dev/null"));
}

void TestBase::readPastTheEndIsCorrupt() {
  test::TemporaryFolder folder;
  std::ofstream(folder / "short") << "12345";
  const File file = File::openForReading(folder / "short");
  std::byte out[8];
  QVERIFY_EXCEPTION_THROWN(file.readAt(0, out), Corrupt);
  QCOMPARE(file.readSomeAt(3, out), std::size_t{2});
}

void TestBase::directoryIsNotAFile() {
  test::TemporaryFolder folder;
  QVERIFY_EXCEPTION_THROWN(File::openForReading(folder.path()), Io);
  QVERIFY_EXCEPTION_THROWN(File::openForReading(folder / "nothing"), NotFound);
  QVERIFY_EXCEPTION_THROWN(NewFile(folder.path()), Io);
}

void TestBase::productRefusesHugeSizes() {
  QCOMPARE(checkedProduct({3, 4, 5}), std::int64_t{60});
  QVERIFY_EXCEPTION_THROWN(checkedProduct({std::int64_t{1} << 40, std::int64_t{1} << 40}), Corrupt);
  QVERIFY_EXCEPTION_THROWN(checkedProduct({-1, 4}), Corrupt);
}

void TestBase::processorsAreThoseThatAreAllowed() {
  QVERIFY(availableProcessors() >= 1);
  int confined = 0;
  std::thread([&] {
    cpu_set_t allowed;
    if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
    cpu_set_t first;
    CPU_ZERO(&first);
    for (std::size_t n = 0; n < CPU_SETSIZE && CPU_COUNT(&first) == 0; ++n)
      if (CPU_ISSET(n, &allowed)) CPU_SET(n, &first);
    if (::sched_setaffinity(0, sizeof first, &first) == 0) confined = availableProcessors();
  }).join();
  QCOMPARE(confined, 1);
}

void TestBase::theMachineHasMoreMemoryThanThisTest() {
  rusage used{};
  QCOMPARE(::getrusage(RUSAGE_SELF, &used), 0);
  QVERIFY(machineMemoryBytes() > static_cast<std::uint64_t>(used.ru_maxrss) * 1024);
  QVERIFY(machineMemoryBytes() < std::uint64_t{1} << 50);
}

void TestBase::temporaryFilesHaveTheirPlaceAndRoom() {
  const QByteArray named = qgetenv("TMPDIR");
  const test::TemporaryFolder folder;
  qputenv("TMPDIR", QByteArray::fromStdString(folder.path().string()));
  QCOMPARE(temporaryFolder(), folder.path());
  qputenv("TMPDIR", "");
  const bool isFit = ::access("/var/tmp", W_OK) == 0;
  QCOMPARE(temporaryFolder(), std::filesystem::path(isFit ? "/var/tmp" : "/tmp"));
  qputenv("TMPDIR", named);
  if (named.isEmpty()) qunsetenv("TMPDIR");
  File file = makeTemporaryFile(folder.path());
  takeRoom(file, 0);
  takeRoom(file, 100'000);
  QCOMPARE(file.size(), std::uint64_t{0});
  for (const std::uint64_t bytes :
       {2 * std::filesystem::space(folder.path()).capacity, std::uint64_t{1} << 62, ~std::uint64_t{0}}) {
    try {
      takeRoom(file, bytes);
      QFAIL("there is no such room");
    } catch (const Io& error) {
      const std::string said = error.what();
      QVERIFY2(said.starts_with("folder " + folder.path().string() + ": a temporary copy needs ") &&
                   said.find("TMPDIR") != std::string::npos,
               said.c_str());
    }
  }
  QVERIFY(std::filesystem::is_empty(folder.path()));
}

QTEST_APPLESS_MAIN(TestBase)
#include "tst_base.moc"
