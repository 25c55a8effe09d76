// One flipped bit anywhere in a store: either nobody needed that byte and the results are what they were, or
// the program ends with status 1 and one line that names the file and what in it is damaged. Never anything
// else.

#include <QTest>

#include <map>

#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/system/session_text.h"
#include "tests/system/store_bytes.h"

using namespace farfield::test;

class TestDamage : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void flippedBits_data();
  void flippedBits();
  void zeroedPages();
  void swappedPages();

 private:
  RunSettings here() const { return {.folder = m_folder.path(), .timeoutMs = 60'000}; }
  /// Runs the session on `store`. True where it was refused as it must be; fails where it was neither refused
  /// nor gave the results of the undamaged store.
  bool refused(const std::string& store, const std::string& what);
  TemporaryFolder m_folder;
  std::string m_store;
  std::map<std::string, std::string> m_results;
};

void TestDamage::initTestCase() {
  const RunResult made = runProgram(
      {"convert", "sample://cylinder?size=16,17,9&blocks=4", "-o", "whole.h5", "--page-edge", "8", "--quiet"},
      here());
  QVERIFY2(made.status == 0, made.errors.c_str());
  m_store = fileContents(m_folder / "whole.h5");
  std::filesystem::copy_file(m_folder / "whole.h5", m_folder / "damaged.h5");
  writeFile(m_folder / "session.json",
            sessionText(R"("source":"damaged.h5")",
                        R"({"name":"wall","type":"grid-surface","color":{"by":"pressure"}},
    {"name":"cut","type":"slice","normal":[1,0.2,0.5],"color":{"by":"pressure"}},
    {"name":"lines","type":"streamlines","seeds":{"type":"line","from":[-5,-2,1],"to":[-5,2,3],"count":6}})"));
  const RunResult run = runProgram({"batchvis", "session.json", "-o", "out", "--quiet"}, here());
  QVERIFY2(run.status == 0, run.errors.c_str());
  for (const std::string& name : namesIn(m_folder / "out"))
    m_results[name] = fileContents(m_folder / "out" / name);
  QCOMPARE(m_results.size(), std::size_t(3));
}

bool TestDamage::refused(const std::string& store, const std::string& what) {
  writeFile(m_folder / "damaged.h5", store);
  std::filesystem::remove_all(m_folder / "out");
  const RunResult run = runProgram({"batchvis", "session.json", "-o", "out", "--quiet"}, here());
  const std::string said = what + ": " + std::to_string(run.status) + ": " + run.errors;
  // What an object before the damage wrote is whole and right.
  for (const std::string& name : namesIn(m_folder / "out"))
    if (m_results.count(name) == 0 || fileContents(m_folder / "out" / name) != m_results[name])
      QTest::qFail(("wrong results in " + name + " after " + said).c_str(), __FILE__, __LINE__);
  if (run.status == 0) {
    if (namesIn(m_folder / "out").size() != m_results.size())
      QTest::qFail(("results are missing after " + said).c_str(), __FILE__, __LINE__);
    return false;
  }
  const bool good = run.status == 1 && run.errorLines().size() == 1 && run.errors.starts_with("farfield: ") &&
                    run.errors.find("damaged.h5") != std::string::npos &&
                    run.errors.find("; ") != std::string::npos;
  if (!good) QTest::qFail(said.c_str(), __FILE__, __LINE__);
  return true;
}

void TestDamage::flippedBits_data() {
  QTest::addColumn<qulonglong>("first");
  QTest::addColumn<qulonglong>("end");
  QTest::addColumn<int>("places");
  QTest::addColumn<int>("leastRefused");
  const StoreBytes store(m_store);
  const qulonglong catalog = store.catalogOffset(), behind = catalog + store.catalogBytes(),
                   trailer = m_store.size() - StoreBytes::kTrailerBytes;
  // The index lies right before the catalog; some of its records nobody asks for.
  QTest::newRow("superblock") << 0ull << 96ull << 8 << 0;
  QTest::newRow("pages") << qulonglong(StoreBytes::kFirstPage) << catalog - 8000 << 60 << 25;
  QTest::newRow("index") << catalog - 8000 << catalog << 40 << 1;
  QTest::newRow("catalog") << catalog << behind << 30 << 30;
  QTest::newRow("HDF5's own") << behind << trailer << 10 << 0;
  QTest::newRow("trailer") << trailer << qulonglong(m_store.size()) << 64 << 64;
}

void TestDamage::flippedBits() {
  QFETCH(qulonglong, first);
  QFETCH(qulonglong, end);
  QFETCH(int, places);
  QFETCH(int, leastRefused);
  int count = 0;
  for (int n = 0; n < places; ++n) {
    const qulonglong at =
        first + (end - first) * static_cast<qulonglong>(n) / static_cast<qulonglong>(places);
    std::string store = m_store;
    store[at] = static_cast<char>(store[at] ^ (1 << n % 8));
    count += refused(store, "byte " + std::to_string(at));
    if (QTest::currentTestFailed()) return;
  }
  QVERIFY2(count >= leastRefused, qPrintable(QString("%1 of %2 refused").arg(count).arg(places)));
}

void TestDamage::zeroedPages() {
  // As file systems leave them after a crash.
  int count = 0;
  for (std::size_t at = StoreBytes::kFirstPage; at + 4096 < StoreBytes(m_store).catalogOffset(); at += 8192) {
    std::string store = m_store;
    std::fill_n(store.begin() + static_cast<std::ptrdiff_t>(at), 4096, '\0');
    count += refused(store, "zeros from byte " + std::to_string(at));
    if (QTest::currentTestFailed()) return;
  }
  QVERIFY(count > 5);
}

void TestDamage::swappedPages() {
  // Two stretches of good bytes in each other's place.
  std::string store = m_store;
  std::swap_ranges(store.begin() + 4096, store.begin() + 8192, store.begin() + 16384);
  QVERIFY(refused(store, "swapped stretches"));
}

QTEST_GUILESS_MAIN(TestDamage)
#include "tst_damage.moc"
