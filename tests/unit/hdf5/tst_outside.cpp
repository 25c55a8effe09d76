// What the program does about the processes that look into HDF5 files: which it keeps, asks once more, believes, and does without.

#include <QTest>

#include <sys/wait.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "core/base/error.h"
#include "plugins/hdf5/library_dataset.h"
#include "plugins/hdf5/outside.h"
#include "tests/support/error_words.h"
#include "tests/support/file_contents.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using hdf5::LookKind;
using hdf5::Outside;
using test::contains;

namespace {

/// Without bytes: only its name matters.
class Named final : public paging::ByteObject {
 public:
  Named(const std::string& name, const std::string& tag) : ByteObject(name, {0, tag}) {}
  std::size_t readSomeAt(std::uint64_t, std::span<std::byte>, std::size_t) const override { return 0; }
  void checkUnchanged() const override {}
};

}  // namespace

class TestOutside : public QObject {
  Q_OBJECT
 private slots:
  void init() { std::filesystem::remove(m_log); }
  void answersAreKept();
  void keptOnesAreNotBelieved_data();
  void keptOnesAreNotBelieved();
  void failuresAreRemembered_data();
  void failuresAreRemembered();
  void othersAreAskedAgain();
  void answersAreNoLongerThanTheyMayBe();
  void valuesAreReadThere();
  void doesWithoutOne_data();
  void doesWithoutOne();
  void isFoundWhereItIsInstalled();

 private:
  std::filesystem::path stub() const { return FARFIELD_STUB_LOOKER; }
  Named file(const std::string& word, const std::string& tag = "1") const {
    return {m_log.string() + "|" + word, tag};
  }
  /// The jobs that were begun.
  std::string log() const { return std::filesystem::exists(m_log) ? test::fileContents(m_log) : ""; }
  /// Has a process that was kept.
  void warm(Outside& outside) const { outside.look(hdf5::LookJob(LookKind::Record), file("answer")); }

  test::TemporaryFolder m_folder;
  std::filesystem::path m_log = m_folder.path() / "log";
};

void TestOutside::answersAreKept() {
  Outside outside(stub());
  QVERIFY(outside.whyNot().empty());
  for (int n = 0; n < 3; ++n) QVERIFY(outside.head(file("answer")) != nullptr);
  QCOMPARE(log(), std::string("n"));
  // a later file of that name is another one; of what cannot say so nothing is remembered
  outside.head(file("answer", "2"));
  QCOMPARE(log(), std::string("nk"));
  for (int n = 0; n < 2; ++n) outside.head(file("answer", ""));
  QCOMPARE(log(), std::string("nkkk"));
}

void TestOutside::keptOnesAreNotBelieved_data() {
  QTest::addColumn<QString>("word");
  for (const char* const word : {"crash", "take long", "be killed", "take all"})
    QTest::newRow(word) << QString(word);
}

/// What an earlier file left in them may be at fault.
void TestOutside::keptOnesAreNotBelieved() {
  QFETCH(QString, word);
  Outside outside(stub());
  warm(outside);
  const auto bytes = outside.look(hdf5::LookJob(LookKind::Record), file(word.toStdString() + " if kept"));
  QVERIFY(bytes.has_value());
  QCOMPARE(log(), std::string("nkn"));
}

void TestOutside::failuresAreRemembered_data() {
  QTest::addColumn<QString>("word");
  QTest::addColumn<QString>("said");
  const auto row = [](const char* word, const char* said) { QTest::newRow(word) << word << said; };
  row("crash", "a damaged HDF5 file: the HDF5 library crashes on it (SIGSEGV)");
  row("take long", "has not come to an end with it in 30 s");
  row("take all", "needs more than 2.0 GiB to be looked into");
}

/// A file that ends one process is given to no other.
void TestOutside::failuresAreRemembered() {
  QFETCH(QString, word);
  QFETCH(QString, said);
  Outside outside(stub());
  const Named damaged = file(word.toStdString());
  for (const LookKind kind : {LookKind::Contents, LookKind::Record, LookKind::Head}) {
    const std::string words = test::errorOf<Corrupt>([&] { outside.look(hdf5::LookJob(kind), damaged); });
    QVERIFY2(words.find(said.toStdString()) != std::string::npos, words.c_str());
  }
  QCOMPARE(log(), std::string("n"));
  test::errorOf<Corrupt>([&] { outside.head(damaged); });
  QCOMPARE(log(), std::string("n"));
  // mended, it has another generation
  test::errorOf<Corrupt>([&] { outside.head(file(word.toStdString(), "2")); });
  QCOMPARE(log(), std::string("nn"));
}

void TestOutside::othersAreAskedAgain() {
  Outside outside(stub());
  // what was ended from outside says nothing of the file
  for (const char* const jobs : {"nn", "nnnn"}) {
    test::errorOf<Io>([&] { outside.look(hdf5::LookJob(LookKind::Contents), file("be killed")); });
    QCOMPARE(log(), std::string(jobs));
  }
  // a refusal is one of what was asked, but of a file that cannot be opened nothing can be asked
  std::filesystem::remove(m_log);
  for (int n = 0; n < 2; ++n)
    test::errorOf<Unsupported>([&] { outside.look(hdf5::LookJob(LookKind::Contents), file("refuse")); });
  QCOMPARE(log(), std::string("nn"));
  for (int n = 0; n < 2; ++n) test::errorOf<Unsupported>([&] { outside.head(file("refuse")); });
  test::errorOf<Unsupported>([&] { outside.look(hdf5::LookJob(LookKind::Contents), file("refuse")); });
  QCOMPARE(log(), std::string("nnn"));
}

/// Nothing is received of one that says it has more, and there is no memory for it.
void TestOutside::answersAreNoLongerThanTheyMayBe() {
  Outside outside(stub());
  hdf5::LookJob records(LookKind::Records);
  records.members = {"a", "b"};
  records.most = 3;
  QCOMPARE(hdf5::mostAnswerBytes(records), std::uint64_t{8 + 2 * 3 * 8});
  QVERIFY(hdf5::mostAnswerBytes(hdf5::LookJob(LookKind::Contents)) <= std::uint64_t{256} << 20);
  bool announced = false;
  test::errorOf<Corrupt>([&] { outside.look(records, file("promise"), {[&](auto) { announced = true; }}); });
  QVERIFY(!announced);
  // what the memory is refused for is not asked again
  std::filesystem::remove(m_log);
  QVERIFY_THROWS_EXCEPTION(OverBudget, outside.look(hdf5::LookJob(LookKind::Contents), file("answer"),
                                                    {[](auto) { throw OverBudget("no memory"); }}));
  QCOMPARE(log(), std::string("n"));
}

/// What only the library reads: what is damaged ends its process, and is a page that cannot be read.
void TestOutside::valuesAreReadThere() {
  Outside outside(stub());
  const auto datasetOf = [&](const char* word) {
    return std::make_unique<hdf5::LibraryDataset>(
        std::make_shared<hdf5::File>(std::make_shared<Named>(file(word)), outside),
        hdf5::LibraryLayout{"/values", {4, 6}, {2, 3}, 2});
  };
  std::vector<std::byte> values(12);
  const auto good = datasetOf("answer");
  QCOMPARE(good->count(), std::int64_t{4});
  good->read(3, values);
  QVERIFY(values == std::vector<std::byte>(12, std::byte{5}));
  const auto places = good->places(1, 4);
  QVERIFY(places.size() == 3 && places[2].offset == 7 && places[2].bytes == 7 && places[2].skipped == 7);
  QCOMPARE(log(), std::string("nkk"));
  std::filesystem::remove(m_log);
  const auto damaged = datasetOf("crash at values");
  for (int n = 0; n < 2; ++n) {
    QVERIFY(contains(test::errorOf<Corrupt>([&] { damaged->read(0, values); }), "crashes on it (SIGSEGV)"));
    QVERIFY(contains(test::errorOf<Corrupt>([&] { damaged->places(0, 4); }), "crashes on it (SIGSEGV)"));
  }
  QCOMPARE(log(), std::string("kkn"));
  // too short an answer is none
  const auto wrong = datasetOf("say less");
  QVERIFY(!test::errorOf<Protocol>([&] { wrong->places(0, 4); }).empty());
}

void TestOutside::doesWithoutOne_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QString>("why");
  QTest::newRow("nowhere") << ""
                           << "farfield-hdf5 is not there";
  QTest::newRow("older") << "older"
                         << "is of another version than this program";
  QTest::newRow("ends") << "ends"
                        << "ended when it was started";
}

/// This process looks then, and why is known.
void TestOutside::doesWithoutOne() {
  QFETCH(QString, name);
  QFETCH(QString, why);
  const std::filesystem::path program = m_folder.path() / name.toStdString();
  if (!name.isEmpty()) std::filesystem::create_symlink(stub(), program);
  Outside outside(name.isEmpty() ? std::filesystem::path() : program);
  QVERIFY(outside.head(file("answer")) == nullptr);
  QVERIFY(!outside.look(hdf5::LookJob(LookKind::Contents), file("answer")));
  QVERIFY2(outside.whyNot().find(why.toStdString()) != std::string::npos, outside.whyNot().c_str());
  QCOMPARE(log(), std::string());
  QVERIFY(::waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD);
}

void TestOutside::isFoundWhereItIsInstalled() {
  const auto made = [&](const std::filesystem::path& path) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << "#!/bin/sh\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
  };
  const std::filesystem::path bin = m_folder.path() / "usr/bin", program = bin / "farfield";
  QCOMPARE(Outside::programFor(program), std::filesystem::path());
  const auto installed = made(m_folder.path() / "usr/libexec/farfield/farfield-hdf5");
  QCOMPARE(Outside::programFor(program), installed);
  // as Linux names one that was replaced while it runs
  QCOMPARE(Outside::programFor(program.string() + " (deleted)"), installed);
  const auto beside = made(bin / "farfield-hdf5");
  QCOMPARE(Outside::programFor(program), beside);
}

QTEST_GUILESS_MAIN(TestOutside)
#include "tst_outside.moc"
