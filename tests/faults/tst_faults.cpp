// What the program does when the system fails it: whichever call fails, it ends with status 0 and the right
// bytes, or with status 1 and a line that says what; it does not hang or crash, and nothing half-written has
// a result's name. Faults come one at a time at every place in turn, and at random.
//
// FARFIELD_TEST_FAULTS: how many random runs (60 unless set). Set, every place is tried, too, not a choice of
// them. FARFIELD_TEST_SEED: the first seed of the random runs.

#include <QTest>

#include <algorithm>
#include <map>
#include <string>

#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/system/session_text.h"

using namespace farfield::test;
using Words = std::vector<std::string>;

namespace {

/// A run of the program that writes into the folder out/.
struct Job {
  const char* name;
  Words arguments;
};

const std::vector<Job>& jobs() {
  static const std::vector<Job> s_jobs = {
      {"convert", {"convert", "flow.xyz", "--solution", "flow.q", "-o", "out/flow.h5", "--memory", "8M"}},
      {"levels",
       {"convert", "flow.xyz", "--solution", "flow.q", "-o", "out/flow.h5", "--levels", "2", "--codec",
        "none"}},
      {"store", {"batchvis", "store.json", "-o", "out", "--memory", "2M"}},
      {"in place", {"batchvis", "plot3d.json", "-o", "out", "--processors", "1"}},
      {"sample", {"sample", "abc", "-o", "out/abc.h5", "--size", "9,9,9"}},
      {"write plot3d", {"sample", "cylinder", "-o", "out/c", "--size", "9,9,5", "--format", "plot3d"}},
      {"info", {"info", "flow.h5", "--ranges", "--json"}},
      {"probe", {"probe", "flow.h5", "--function", "pressure", "--at", "2,1,1", "--json"}},
      {"verify", {"verify", "flow.h5"}},
  };
  return s_jobs;
}

const char* const kKinds[] = {"open",   "read", "write", "sync", "close",
                              "rename", "map",  "new",   "ring", "submit"};

int fromEnvironment(const char* name, int otherwise) {
  const char* const text = std::getenv(name);
  return text ? std::atoi(text) : otherwise;
}

/// All files of a folder with their bytes.
std::map<std::string, std::string> filesOf(const std::filesystem::path& folder) {
  std::map<std::string, std::string> files;
  for (const std::string& name : namesIn(folder)) files[name] = fileContents(folder / name);
  return files;
}

}  // namespace

class TestFaults : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void resultsAreOnTheDiskBeforeTheirName();
  void oneFault_data();
  void oneFault();
  void manyFaults();

 private:
  struct Right {
    std::string out;
    std::map<std::string, std::string> files;
  };
  /// Runs `job` with `fault`, reading pages by io_uring (where the system grants it) or by threads; false
  /// where the fault did not come about. Fails the test where the program does not behave.
  bool run(const Job& job, const std::string& fault, bool uring);
  void judge(const Job& job, const RunResult& result, const std::string& what);
  TemporaryFolder m_folder;
  std::map<std::string, Right> m_right;  ///< by job
  int m_failed = 0, m_withstood = 0;     ///< runs with status 1, and 0
};

void TestFaults::initTestCase() {
#ifdef __SANITIZE_THREAD__
  QSKIP("the thread sanitizer's library admits no other before it");
#endif
  const RunSettings here{.folder = m_folder.path()};
  const std::string objects =
      R"({"name":"lines","type":"streamlines","seeds":{"type":"box","min":[-3,-2,0.5],"max":[3,2,1.5],"counts":[3,3,2]},
          "color":{"by":"pressure"}},{"name":"wall","type":"grid-surface","block":0,"range":{"k":[0,0]}})";
  writeFile(m_folder / "plot3d.json", sessionText(R"("source":"flow.xyz","solution":"flow.q")", objects));
  writeFile(m_folder / "store.json", sessionText(R"("source":"flow.h5")", objects));
  for (const Words& arguments :
       {Words{"sample", "cylinder", "-o", "flow", "--format", "plot3d", "--size", "17,13,9", "--blocks", "4"},
        Words{"convert", "flow.xyz", "--solution", "flow.q", "-o", "flow.h5", "--page-edge", "8"}}) {
    const RunResult made = runProgram(arguments, here);
    QVERIFY2(made.status == 0, made.errors.c_str());
  }
  for (const Job& job : jobs()) {
    std::filesystem::create_directory(m_folder / "out");
    const RunResult result = runProgram(job.arguments, here);
    QVERIFY2(result.status == 0, (std::string(job.name) + ": " + result.errors).c_str());
    m_right[job.name] = {result.out, filesOf(m_folder / "out")};
    std::filesystem::remove_all(m_folder / "out");
  }
}

void TestFaults::judge(const Job& job, const RunResult& result, const std::string& what) {
  const auto left = filesOf(m_folder / "out");
  const Right& right = m_right[job.name];
  QVERIFY2(result.status == 0 || result.status == 1,
           (what + ": status " + std::to_string(result.status) + "\n" + result.errors).c_str());
  for (const auto& [name, bytes] : left) {
    // A conversion that was begun stays, so that --resume can go on, and cannot be taken for a store.
    const bool unfinished = result.status == 1 && job.arguments[0] == "convert" &&
                            (name.ends_with(".part") || name.ends_with(".part.journal"));
    if (unfinished) continue;
    QVERIFY2(right.files.contains(name), (what + " left " + name).c_str());
    QVERIFY2(right.files.at(name) == bytes, (what + ": " + name + " has other bytes").c_str());
  }
  if (result.status == 0) {
    ++m_withstood;
    QVERIFY2(left.size() == right.files.size(), (what + ": files are missing").c_str());
    QVERIFY2(result.out == right.out || job.arguments[0] == "verify",
             (what + " says something else").c_str());
    return;
  }
  ++m_failed;
  const auto lines = result.errorLines();
  QVERIFY2(!lines.empty() && lines.back().starts_with("farfield: ") && lines.back().size() > 20,
           (what + " says: " + result.errors).c_str());
}

bool TestFaults::run(const Job& job, const std::string& fault, bool uring) {
  std::filesystem::remove(m_folder / "report");
  std::filesystem::create_directory(m_folder / "out");
  RunSettings settings{.folder = m_folder.path(),
                       .environment = {{"LD_PRELOAD", FARFIELD_FAULT_PRELOAD},
                                       {"FARFIELD_FAULT", fault},
                                       {"FARFIELD_FAULT_REPORT", (m_folder / "report").string()}},
                       .timeoutMs = 60'000};
  if (uring) settings.environment.push_back({"FARFIELD_FAULT_URING", "1"});
  const RunResult result = runProgram(job.arguments, settings);
  judge(job, result, std::string(job.name) + " with " + fault + (uring ? ", io_uring" : ""));
  std::filesystem::remove_all(m_folder / "out");
  return std::filesystem::exists(m_folder / "report");
}

/// Or a power cut leaves empty files with their names.
void TestFaults::resultsAreOnTheDiskBeforeTheirName() {
  int runs = 0;
  for (const Job& job : jobs()) {
    if (job.arguments[0] != "batchvis") continue;
    ++runs;
    const int failed = m_failed;
    QVERIFY2(run(job, "sync:1", false), "nothing is synced");
    QCOMPARE(m_failed, failed + 1);
  }
  QVERIFY(runs > 0);
}

void TestFaults::oneFault_data() {
  QTest::addColumn<int>("job");
  QTest::addColumn<std::string>("kind");
  for (std::size_t n = 0; n < jobs().size(); ++n)
    for (const char* const kind : kKinds)
      QTest::addRow("%s, %s", jobs()[n].name, kind) << static_cast<int>(n) << std::string(kind);
}

void TestFaults::oneFault() {
  QFETCH(int, job);
  QFETCH(std::string, kind);
  const bool everywhere = std::getenv("FARFIELD_TEST_FAULTS") != nullptr;
  const bool uring = kind == "ring" || kind == "submit";
  int place = 1;
  // The first places one by one, later ones further and further apart.
  while (run(jobs()[static_cast<std::size_t>(job)], kind + ":" + std::to_string(place), uring) &&
         !QTest::currentTestFailed())
    place += everywhere ? 1 : 1 + place / 2;
}

void TestFaults::manyFaults() {
  const int runs = fromEnvironment("FARFIELD_TEST_FAULTS", 60);
  const int seed = fromEnvironment("FARFIELD_TEST_SEED", 1);
  int faults = 0;
  for (int n = 0; n < runs && !QTest::currentTestFailed(); ++n) {
    const Job& job = jobs()[static_cast<std::size_t>(n) % jobs().size()];
    const int oneIn = n % 3 == 0 ? 20 : n % 3 == 1 ? 100 : 400;
    const bool uring = n / static_cast<int>(jobs().size()) % 2 == 1;
    if (run(job, "random:" + std::to_string(seed + n) + ":" + std::to_string(oneIn), uring))
      faults += static_cast<int>(fileContents(m_folder / "report").size());
  }
  qInfo(
      "%d random faults in %d runs from seed %d; of all runs %d ended with an error, %d with the right "
      "result",
      faults, runs, seed, m_failed, m_withstood);
  QVERIFY(faults > 0 && m_failed > 0 && m_withstood > 0);
}

QTEST_APPLESS_MAIN(TestFaults)
#include "tst_faults.moc"
