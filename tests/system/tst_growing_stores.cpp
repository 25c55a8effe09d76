// Stores that grow, through the whole program: by processes that are killed at any moment, and under a run that follows them.

#include <QTest>

#include <chrono>
#include <optional>
#include <thread>

#include "tests/remote/server_process.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/web_folder.h"
#include "tests/system/session_text.h"

using namespace farfield;
using namespace farfield::test;

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr int kSteps = 6;

std::string stepName(int step) {
  return "flow_000" + std::to_string(step) + ".q";
}

/// Objects that carry state and one that does not.
std::string session(const std::string& data) {
  const std::string seeds = R"("seeds":{"type":"line","from":[-4,-1,1],"to":[-4,1,1],"count":10})";
  return sessionText(
      data, R"({"name":"paths","type":"pathlines",)" + seeds + R"(,"release":{"steps":"0:-1"}},)" +
                R"({"name":"streaks","type":"streaklines",)" + seeds + "}," +
                R"({"name":"wall","type":"grid-surface","range":{"j":0},"color":{"by":"pressure"}})");
}

}  // namespace

class TestGrowingStores : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void stepsAreAppended();
  void whatIsKilledIsAppendedAgain();
  void followsAStore_data();
  void followsAStore();
  void wrongUsage_data();
  void wrongUsage();

 private:
  static Words append(int first, int last, const std::string& store = "store.h5") {
    Words words{"convert", "flow.xyz", "-o", store, "--append", "--quiet"};
    for (int n = first; n <= last; ++n) words.insert(words.end(), {"--solution", stepName(n)});
    return words;
  }
  /// The first `steps` steps.
  void makeStore(const std::string& name, int steps) {
    Words words{"convert", "flow.xyz", "-o", name, "--page-edge", "8", "--quiet"};
    for (int n = 0; n < steps; ++n) words.insert(words.end(), {"--solution", stepName(n)});
    const RunResult made = run(words);
    QVERIFY2(made.status == 0, made.errors.c_str());
  }
  RunResult run(const Words& words) { return runProgram(words, {.folder = m_folder.path()}); }
  /// -1 where it cannot be opened.
  int stepsOf(const std::string& store) {
    const RunResult info = run({"info", store, "--json"});
    const std::size_t at = info.out.find("\"steps\":");
    return info.status != 0 || at == std::string::npos ? -1 : std::atoi(info.out.c_str() + at + 8);
  }
  void compareFolders(const fs::path& one, const fs::path& other) {
    QCOMPARE(namesIn(one), namesIn(other));
    for (const std::string& name : namesIn(one))
      QVERIFY2(fileContents(one / name) == fileContents(other / name), name.c_str());
  }
  TemporaryFolder m_folder;
};

void TestGrowingStores::initTestCase() {
  const RunResult made = run({"sample", "cylinder", "-o", "flow", "--size", "33,33,9", "--steps",
                              std::to_string(kSteps), "--format", "plot3d", "--quiet"});
  QVERIFY2(made.status == 0, made.errors.c_str());
  writeFile(m_folder / "files.json", session(R"("source":"flow.xyz","solution":"flow_*.q")"));
  const RunResult shown = run({"batchvis", "files.json", "-o", "whole", "--quiet"});
  QVERIFY2(shown.status == 0, shown.errors.c_str());
}

void TestGrowingStores::stepsAreAppended() {
  makeStore("store.h5", 2);
  QCOMPARE(stepsOf("store.h5"), 2);
  for (int n = 2; n < kSteps; ++n) {
    const RunResult more = run(append(n, n));
    QVERIFY2(more.status == 0, more.errors.c_str());
    QCOMPARE(stepsOf("store.h5"), n + 1);
    const RunResult sound = run({"verify", "store.h5", "--quiet"});
    QVERIFY2(sound.status == 0, sound.errors.c_str());
  }
  // Once more changes nothing.
  const std::string bytes = fileContents(m_folder / "store.h5");
  const RunResult again =
      run({"convert", "flow.xyz", "--solution", "flow_*.q", "-o", "store.h5", "--append"});
  QVERIFY2(again.status == 0, again.errors.c_str());
  QVERIFY2(again.errors.find("all of these steps already") != std::string::npos, again.errors.c_str());
  QVERIFY(fileContents(m_folder / "store.h5") == bytes);
  writeFile(m_folder / "store.json", session(R"("source":"store.h5")"));
  const RunResult shown = run({"batchvis", "store.json", "-o", "shown", "--quiet"});
  QVERIFY2(shown.status == 0, shown.errors.c_str());
  compareFolders(m_folder / "shown", m_folder / "whole");
}

void TestGrowingStores::whatIsKilledIsAppendedAgain() {
  makeStore("killed.h5", 2);
  fs::copy_file(m_folder / "killed.h5", m_folder / "whole.h5");
  const RunResult whole = run(append(2, kSteps - 1, "whole.h5"));
  QVERIFY2(whole.status == 0, whole.errors.c_str());
  int killed = 0;
  for (int n = 0; n < 24 && stepsOf("killed.h5") == 2; ++n) {
    {
      RunningProgram program(builtProgram(), append(2, kSteps - 1, "killed.h5"), {.folder = m_folder.path()});
      // From before it does anything to after its end, closer where it works.
      program.endsWithin(n * n / 2);
      program.signal(SIGKILL);
      program.wait();
    }
    const int steps = stepsOf("killed.h5");
    QVERIFY2(steps == 2 || steps == kSteps, std::to_string(steps).c_str());
    const RunResult sound = run({"verify", "killed.h5", "--quiet"});
    QVERIFY2(sound.status == 0, sound.errors.c_str());
    killed += steps == 2;
  }
  QVERIFY(killed > 0);
  const RunResult last = run(append(2, kSteps - 1, "killed.h5"));
  QVERIFY2(last.status == 0, last.errors.c_str());
  QCOMPARE(stepsOf("killed.h5"), kSteps);
  QVERIFY(fileContents(m_folder / "killed.h5") == fileContents(m_folder / "whole.h5"));
}

void TestGrowingStores::followsAStore_data() {
  QTest::addColumn<QString>("where");
  QTest::newRow("on this machine") << "";
#ifdef FARFIELD_HTTP
  QTest::newRow("on the web") << "http";
#endif
  QTest::newRow("on a paging server") << "far";
  QTest::newRow("by ssh") << "far+ssh";
}

/// A run that has the store open while it grows goes on with the steps that come.
void TestGrowingStores::followsAStore() {
  QFETCH(QString, where);
  const std::string name = "grows" + where.toStdString() + ".h5";
  const fs::path out = m_folder / ("followed" + where.toStdString());
  makeStore(name, 1);
  std::optional<WebFolder> web;
  std::optional<ServerProcess> server;
  std::string source = name;
  if (where == "http") {
    web.emplace(m_folder.path());
    source = web->url(name);
  } else if (where == "far") {
    fs::create_directories(m_folder / "home");
    server.emplace(QStringList{"--root", QString::fromStdString(m_folder.path().string())},
                   QString::fromStdString((m_folder / "home").string()));
    QVERIFY2(!server->address.isEmpty(), server->errors());
    source = "far://" + server->address.toStdString() + "/" + name;
  } else if (where == "far+ssh") {
    // The server on this machine, in place of ssh.
    const fs::path script = m_folder / "ssh";
    writeFile(script, "#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done\nPATH=" +
                          QFileInfo(serverPath()).path().toStdString() + ":$PATH exec sh -c \"$3\"\n");
    fs::permissions(script, fs::perms::owner_all);
    qputenv("FARFIELD_SSH", script.c_str());
    source = "far+ssh://host" + fs::canonical(m_folder / name).string();
  }
  writeFile(m_folder / "grows.json", session(R"("source":")" + source + '"'));
  RunningProgram program(builtProgram(),
                         {"batchvis", "grows.json", "-o", out.string(), "--follow", "--idle", "30"},
                         {.folder = m_folder.path(), .timeoutMs = 600'000});
  qunsetenv("FARFIELD_SSH");
  for (int n = 1; n < kSteps; ++n) {
    const RunResult more = run(append(n, n, name));
    QVERIFY2(more.status == 0, more.errors.c_str());
    // Some come one by one, the last ones together.
    const auto seen = out / ("streaks_000" + std::to_string(n) + ".vtp");
    for (int look = 0; n < 4 && look < 2400 && !fs::exists(seen); ++look)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    QVERIFY2(n >= 4 || fs::exists(seen), seen.c_str());
  }
  const RunResult result = program.wait();
  QVERIFY2(result.status == 0, result.errors.c_str());
  compareFolders(out, m_folder / "whole");
}

void TestGrowingStores::wrongUsage_data() {
  QTest::addColumn<QStringList>("more");
  QTest::addColumn<int>("status");
  QTest::addColumn<QString>("said");
  QTest::newRow("resume") << QStringList{"--resume"} << 2 << "exclude each other";
  QTest::newRow("overwrite") << QStringList{"--overwrite"} << 2 << "replaces nothing";
  QTest::newRow("codec") << QStringList{"--codec", "gzip"} << 2 << "goes on as the store was made";
  QTest::newRow("page edge") << QStringList{"--page-edge", "16"} << 2 << "goes on as the store was made";
  QTest::newRow("an earlier step") << QStringList{} << 1 << "is not after the last one of the store";
}

void TestGrowingStores::wrongUsage() {
  QFETCH(QStringList, more);
  QFETCH(int, status);
  QFETCH(QString, said);
  makeStore("wrong.h5", 3);
  const std::string before = fileContents(m_folder / "wrong.h5");
  Words words = append(1, 1, "wrong.h5");
  for (const QString& word : more) words.push_back(word.toStdString());
  const RunResult result = run(words);
  QCOMPARE(result.status, status);
  QCOMPARE(result.errorLines().size(), std::size_t{1});
  QVERIFY2(QString::fromStdString(result.errors).contains(said), result.errors.c_str());
  QVERIFY(fileContents(m_folder / "wrong.h5") == before);
  fs::remove(m_folder / "wrong.h5");
}

QTEST_GUILESS_MAIN(TestGrowingStores)
#include "tst_growing_stores.moc"
