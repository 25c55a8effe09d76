// Work that is stopped half way: nothing half-written on Ctrl-C, and a killed conversion goes on to the same
// bytes.

#include <QTest>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/vtp_file.h"
#include "tests/system/session_text.h"

using namespace farfield::test;
using Words = std::vector<std::string>;

namespace {

/// Computed data are slow to make, which gives time to interrupt them.
const char* const kLarge = "sample://turbulence?size=200,200,160&curvilinear=true";
const char* const kMedium = "sample://turbulence?size=90,80,80&curvilinear=true&blocks=2";

/// Only how long a failure takes: the machine may have other things to do.
constexpr int kPatienceMs = 60'000;

bool appears(const std::filesystem::path& path) {
  return QTest::qWaitFor([&] { return std::filesystem::exists(path); }, kPatienceMs);
}

/// Waits until `path` holds at least `bytes`.
bool growsTo(const std::filesystem::path& path, std::uintmax_t bytes) {
  const auto grown = [&] {
    std::error_code missing;
    const auto size = std::filesystem::file_size(path, missing);
    return !missing && size >= bytes;
  };
  return QTest::qWaitFor(grown, kPatienceMs);
}

/// It is the program by now, which leaves SIGQUIT to the system, and not yet a copy of the test, which catches all.
bool canBeStopped(const RunningProgram& program) {
  return QTest::qWaitFor([&] { return program.catches(SIGINT) && !program.catches(SIGQUIT); }, kPatienceMs);
}

}  // namespace

class TestInterrupt : public QObject {
  Q_OBJECT
 private slots:
  void convertIsInterrupted_data();
  void convertIsInterrupted();
  void batchvisIsInterrupted_data();
  void batchvisIsInterrupted();
  void longWorkEnds_data();
  void longWorkEnds();
  void mostWorkIsLongHere();
  void emptyFilesAreNotThere();
  void whatIsAskedForCanBeStopped();
  void worksOnWithoutATerminal();
  void twoSignalsEndAtOnce();
  void killedConversionsResumeToTheSameBytes_data();
  void killedConversionsResumeToTheSameBytes();
  void existingStores();
  void twoConversionsOfOneName();

 private:
  RunSettings here() const { return {.folder = m_folder.path()}; }
  /// Interrupts `program`, which must end soon with status 130 and the one line that says so.
  static void interrupted(RunningProgram& program, int number);
  TemporaryFolder m_folder;
  int m_longWorks = 0, m_doneBefore = 0;  ///< of longWorkEnds()
};

void TestInterrupt::interrupted(RunningProgram& program, int number) {
  program.signal(number);
  // It does not do all of its work first, which the status says, nor hang.
  QVERIFY2(program.endsWithin(kPatienceMs), "goes on after it was interrupted");
  const RunResult result = program.wait();
  QVERIFY2(result.status == 130, (std::to_string(result.status) + ": " + result.errors).c_str());
  const auto lines = result.errorLines();
  QVERIFY2(!lines.empty() && lines.back() == "farfield: interrupted", result.errors.c_str());
}

void TestInterrupt::convertIsInterrupted_data() {
  QTest::addColumn<int>("signalNumber");
  QTest::addColumn<qulonglong>("bytes");
  QTest::newRow("SIGINT at the start") << SIGINT << 0ull;
  QTest::newRow("SIGINT on its way") << SIGINT << 3'000'000ull;
  QTest::newRow("SIGTERM on its way") << SIGTERM << 2'000'000ull;
  QTest::newRow("SIGHUP on its way") << SIGHUP << 2'000'000ull;
}

void TestInterrupt::convertIsInterrupted() {
  QFETCH(int, signalNumber);
  QFETCH(qulonglong, bytes);
  std::filesystem::create_directory(m_folder / "out");
  RunSettings settings = here();
  // The test itself may be run without a terminal.
  settings.prepare = [] { return ::signal(SIGHUP, SIG_DFL) != SIG_ERR; };
  RunningProgram program(builtProgram(), {"convert", kLarge, "-o", "out/new.h5"}, settings);
  QVERIFY(growsTo(m_folder / "out/new.h5.part", std::max<std::uintmax_t>(bytes, 1)));
  interrupted(program, signalNumber);
  for (const std::string& name : namesIn(m_folder / "out"))
    QVERIFY2(name == "new.h5.part" || name == "new.h5.part.journal", name.c_str());
  // What is there is never taken for a store.
  for (const std::string& name : namesIn(m_folder / "out")) {
    writeFile(m_folder / "part.json",
              sessionText(R"("source":"out/)" + name + "\"", R"({"name":"edges","type":"outline"})"));
    const RunResult opened = runProgram({"batchvis", "part.json", "-o", "results"}, here());
    QCOMPARE(opened.status, 1);
    QVERIFY2(opened.errors.find(name) != std::string::npos, opened.errors.c_str());
    if (name == "new.h5.part")
      QVERIFY2(opened.errors.find("--resume") != std::string::npos, opened.errors.c_str());
  }
  std::filesystem::remove_all(m_folder / "out");
}

void TestInterrupt::batchvisIsInterrupted_data() {
  QTest::addColumn<std::string>("scheduler");
  for (const char* const scheduler : {"serial", "threads", "fibers"})
    QTest::newRow(scheduler) << std::string(scheduler);
}

void TestInterrupt::batchvisIsInterrupted() {
  QFETCH(std::string, scheduler);
  writeFile(m_folder / "long.json",
            sessionText(R"("source":"sample://abc?size=33&steps=40")",
                        R"({"name":"edges","type":"outline"},{"name":"lines","type":"streamlines",
    "seeds":{"type":"box","min":[0.1,0.1,0.1],"max":[6.1,6.1,6.1],"counts":[40,40,40]},"integrator":{"tolerance":1e-7}})"));
  // As it begins, and when it has written something.
  for (const char* const first : {"out", "out/edges_0000.vtp"}) {
    RunningProgram program(builtProgram(), {"batchvis", "long.json", "-o", "out", "--scheduler", scheduler},
                           here());
    QVERIFY(appears(m_folder / first));
    interrupted(program, SIGINT);
    for (const std::string& name : namesIn(m_folder / "out")) {
      QVERIFY2(name.ends_with(".vtp") && !name.starts_with("."), name.c_str());
      // Whatever has its name is whole; reading it throws where it is not.
      const VtpFile whole(m_folder / "out" / name);
      QVERIFY(whole.pointCount() > 0);
    }
    std::filesystem::remove_all(m_folder / "out");
  }
}

void TestInterrupt::longWorkEnds_data() {
  QTest::addColumn<Words>("words");
  const char* const large = "sample://turbulence?size=400,400,300&curvilinear=true";
  const auto row = [](const char* name, const Words& words) { QTest::newRow(name) << words; };
  for (const char* const bench :
       {"hits", "volume", "remote", "slab-ranks", "slab-viewer", "paths", "isosurface"})
    row((std::string("bench ") + bench).c_str(),
        {"bench", bench, "--extent", "full", "--folder", "work", "--memory", "512M"});
  row("convert", {"convert", large, "-o", "work/new.h5"});
  row("convert, resampled", {"convert", large, "-o", "work/new.h5", "--resample", "300"});
  row("info", {"info", large, "--ranges", "--json"});
  row("probe", {"probe", large, "--function", "pressure", "--line", "0,0,0", "1,1,1", "--count", "1000000"});
  row("integrate", {"integrate", "sample://taylor-green?size=200&steps=400", "--slice", "3,3,3:1,1,1",
                    "--function", "velocity", "--steps", "all"});
  row("verify", {"verify", large});
  row("sample, raw", {"sample", "turbulence", "-o", "work/new", "--size", "600,600,600", "--format", "raw"});
  row("sample, PLOT3D",
      {"sample", "turbulence", "-o", "work/new", "--size", "600,600,600", "--format", "plot3d"});
  row("thumbnail", {"info", large, "--thumbnail", "work/new.png", "--time-limit", "600"});
}

/// Wherever it is: it takes less time to end than it has worked, and nothing but what a conversion goes on with is left.
void TestInterrupt::longWorkEnds() {
  QFETCH(Words, words);
  ++m_longWorks;
  constexpr double kWorked = 4;
  std::filesystem::create_directory(m_folder / "work");
  RunningProgram program(builtProgram(), words, here());
  QVERIFY2(
      QTest::qWaitFor([&] { return program.cpuSeconds() > kWorked || program.endsWithin(0); }, kPatienceMs),
      "does nothing");
  if (program.endsWithin(0)) {
    const RunResult ended = program.wait();
    QVERIFY2(ended.status == 0, ended.errors.c_str());
    ++m_doneBefore;
    QSKIP("is done before it can be interrupted");
  }
  const double before = program.cpuSeconds();
  program.signal(SIGINT);
  QVERIFY2(program.endsWithin(kPatienceMs), "goes on after it was interrupted");
  const RunResult result = program.wait();
  QVERIFY2(result.status == 130, (std::to_string(result.status) + ": " + result.errors).c_str());
  QVERIFY2(result.errorLines().back() == "farfield: interrupted", result.errors.c_str());
  QVERIFY2(result.cpuSeconds - before < before,
           qPrintable(QString("%1 s, after %2 s").arg(result.cpuSeconds - before).arg(before)));
  for (const std::string& name : namesIn(m_folder / "work"))
    QVERIFY2(name == "new.h5.part" || name == "new.h5.part.journal", name.c_str());
  // These two say each row as it is known.
  QVERIFY(result.out.empty() || words[0] == "probe" || words[0] == "integrate");
  std::filesystem::remove_all(m_folder / "work");
}

/// Else nothing has been seen.
void TestInterrupt::mostWorkIsLongHere() {
  QVERIFY2(2 * m_doneBefore <= m_longWorks,
           qPrintable(QString("%1 of %2 were done before").arg(m_doneBefore).arg(m_longWorks)));
}

/// As they may be after a machine went down: they are made, and not taken for done.
void TestInterrupt::emptyFilesAreNotThere() {
  writeFile(m_folder / "few.json",
            sessionText(R"("source":"sample://abc?size=9&steps=3")", R"({"name":"edges","type":"outline"})"));
  const auto run = [&](const Words& more) {
    Words words{"batchvis", "few.json", "-o", "few"};
    words.insert(words.end(), more.begin(), more.end());
    return runProgram(words, here());
  };
  QCOMPARE(run({}).status, 0);
  const std::filesystem::path file = m_folder / "few" / "edges_0001.vtp";
  const std::string whole = fileContents(file);
  writeFile(file, "");
  const RunResult resumed = run({"--resume"});
  QVERIFY2(resumed.status == 0, resumed.errors.c_str());
  QVERIFY(fileContents(file) == whole);
}

/// Who is to type something, or to pipe it in, may think better of it.
void TestInterrupt::whatIsAskedForCanBeStopped() {
  std::array<int, 2> input{};
  QVERIFY(::pipe2(input.data(), O_CLOEXEC) == 0);
  RunSettings settings = here();
  settings.environment = {{"FARFIELD_TOKEN", ""},
                          {"FARFIELD_TOKEN_FILE", ""},
                          {"HOME", m_folder.path().string()},
                          {"XDG_CONFIG_HOME", ""}};
  settings.prepare = [from = input[0]] { return ::dup2(from, 0) == 0; };
  RunningProgram program(builtProgram(), {"login", "far://127.0.0.1:1"}, settings);
  ::close(input[0]);
  // The half of a line is none.
  QCOMPARE(::write(input[1], "abc", 3), 3);
  QVERIFY(canBeStopped(program));
  interrupted(program, SIGINT);
  ::close(input[1]);
}

void TestInterrupt::worksOnWithoutATerminal() {
  RunSettings settings = here();
  settings.prepare = [] { return ::signal(SIGHUP, SIG_IGN) != SIG_ERR; };  // as nohup does
  RunningProgram program(builtProgram(), {"convert", "sample://abc?size=60", "-o", "on.h5"}, settings);
  QVERIFY(canBeStopped(program));
  program.signal(SIGHUP);
  const RunResult result = program.wait();
  QVERIFY2(result.status == 0, result.errors.c_str());
}

void TestInterrupt::twoSignalsEndAtOnce() {
  RunningProgram program(builtProgram(), {"convert", kLarge, "-o", "twice.h5"}, here());
  QVERIFY(growsTo(m_folder / "twice.h5.part", 1));
  program.signal(SIGINT);
  // From the first on, the system ends it at the next.
  QVERIFY(QTest::qWaitFor([&] { return !program.catches(SIGINT); }, kPatienceMs));
  program.signal(SIGINT);
  QVERIFY(program.endsWithin(kPatienceMs));
  const RunResult result = program.wait();
  QVERIFY2(result.status == 130 || result.status == 128 + SIGINT, result.errors.c_str());
}

void TestInterrupt::killedConversionsResumeToTheSameBytes_data() {
  QTest::addColumn<Words>("how");
  QTest::newRow("zstd") << Words{"--page-edge", "16"};
  QTest::newRow("gzip, small budget") << Words{"--page-edge", "16", "--codec", "gzip", "--memory", "4M"};
  QTest::newRow("split") << Words{"--page-edge", "16", "--split", "--codec", "lz4"};
}

void TestInterrupt::killedConversionsResumeToTheSameBytes() {
  QFETCH(Words, how);
  const auto convert = [&](const std::string& store, const Words& more) {
    Words words{"convert", kMedium, "-o", store, "--quiet"};
    words.insert(words.end(), how.begin(), how.end());
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  // The command is part of the provenance that a store keeps, so it is the same from the start.
  const RunResult straight = runProgram(convert("same.h5", {"--resume"}), here());
  QVERIFY2(straight.status == 0, straight.errors.c_str());
  const std::string wanted = fileContents(m_folder / "same.h5");
  std::filesystem::remove(m_folder / "same.h5");
  const auto all = static_cast<double>(wanted.size());
  // Places that no two runs share: what is interrupted is not known in advance, only how far it was.
  std::uint32_t state = 7;
  int killed = 0;
  for (int round = 0; round < 6; ++round) {
    state = state * 1664525u + 1013904223u;
    const double share = round == 5 ? 0.999 : 0.02 + 0.96 * (state >> 8) / double(1 << 24);
    RunningProgram program(builtProgram(), convert("same.h5", {"--resume"}), here());
    const bool there = growsTo(m_folder / "same.h5.part", static_cast<std::uintmax_t>(share * all));
    program.signal(SIGKILL);
    killed += program.wait().status == 128 + SIGKILL;
    if (!there || std::filesystem::exists(m_folder / "same.h5")) break;
  }
  QVERIFY(killed > 0);
  const RunResult resumed = runProgram(convert("same.h5", {"--resume"}), here());
  QVERIFY2(resumed.status == 0, resumed.errors.c_str());
  QVERIFY(fileContents(m_folder / "same.h5") == wanted);
  for (const std::string& name : namesIn(m_folder.path()))
    QVERIFY2(!name.starts_with("same.h5."), name.c_str());
  std::filesystem::remove(m_folder / "same.h5");
}

void TestInterrupt::existingStores() {
  const auto convert = [&](const Words& more) {
    Words words{"convert", "sample://abc?size=20", "-o", "there.h5", "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return runProgram(words, here());
  };
  QCOMPARE(convert({}).status, 0);
  const std::string first = fileContents(m_folder / "there.h5");
  const RunResult refused = convert({});
  QVERIFY2(refused.status == 1 && refused.errorLines().size() == 1, refused.errors.c_str());
  QVERIFY2(refused.errors.find("there.h5") != std::string::npos, refused.errors.c_str());
  QVERIFY(fileContents(m_folder / "there.h5") == first);
  // Nothing to go on with: it is finished.
  QCOMPARE(convert({"--resume"}).status, 0);
  QVERIFY(fileContents(m_folder / "there.h5") == first);
  QCOMPARE(convert({"--overwrite", "--codec", "none"}).status, 0);
  QVERIFY(fileContents(m_folder / "there.h5") != first);
  // An overwriting conversion that fails leaves what was there.
  const std::string second = fileContents(m_folder / "there.h5");
  const RunResult failed = runProgram(
      {"convert", "sample://abc?size=20", "-o", "there.h5", "--overwrite", "--memory", "1K"}, here());
  QCOMPARE(failed.status, 1);
  QVERIFY(fileContents(m_folder / "there.h5") == second);
  for (const std::string& name : namesIn(m_folder.path()))
    QVERIFY2(!name.starts_with("there.h5."), name.c_str());
}

void TestInterrupt::twoConversionsOfOneName() {
  RunningProgram first(builtProgram(), {"convert", kLarge, "-o", "one.h5", "--quiet"}, here());
  QVERIFY(growsTo(m_folder / "one.h5.part", 1));
  for (const Words& more : {Words{}, Words{"--resume"}}) {
    Words words{"convert", kLarge, "-o", "one.h5", "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    const RunResult second = runProgram(words, here());
    QVERIFY2(second.status == 1 && second.errorLines().size() == 1, second.errors.c_str());
    QVERIFY2(second.errors.find("another process") != std::string::npos, second.errors.c_str());
  }
  QVERIFY(!first.endsWithin(0));
}

QTEST_GUILESS_MAIN(TestInterrupt)
#include "tst_interrupt.moc"
