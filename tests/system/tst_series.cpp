// Series of steps through the whole program: steps that are bad, steps that come while the run goes on, and what is made of
// all steps together, a video or a turn.

#include <QTest>

#include <chrono>
#include <thread>

#include "tests/support/file_contents.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/system/session_text.h"

using namespace farfield;
using namespace farfield::test;

namespace {

const char* const kSeeds = R"("seeds":{"type":"line","from":[-4,-1,1],"to":[-4,1,1],"count":10})";
constexpr int kSteps = 6;

std::string stepName(int step) {
  return "flow_000" + std::to_string(step) + ".q";
}

/// Objects that carry state and one that does not, over the files of a flow around a cylinder.
std::string session(const std::string& options = "") {
  const std::string data = R"("source":"flow.xyz","solution":"flow_*.q")" + options;
  return sessionText(
      data, R"({"name":"paths","type":"pathlines",)" + std::string(kSeeds) +
                R"(,"release":{"steps":"0:-1"}},)" + R"({"name":"streaks","type":"streaklines",)" + kSeeds +
                "}," + R"({"name":"wall","type":"grid-surface","range":{"j":0},"color":{"by":"pressure"}})");
}

bool hasFfmpeg() {
  return std::system("ffmpeg -version >/dev/null 2>&1 && ffprobe -version >/dev/null 2>&1") == 0;
}

}  // namespace

class TestSeries : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void badStepsAreNamed_data();
  void badStepsAreNamed();
  void badStepsAreLeftOut_data() { badStepsAreNamed_data(); }
  void badStepsAreLeftOut();
  void stepsThatAPatternLacks();
  void followsWhatComes();
  void followsAgainAfterAnInterruption();
  void videos();
  void videosThatBeginCovered();
  void turns();
  void wrongUsage_data();
  void wrongUsage();

 private:
  std::filesystem::path folderWithSteps(const std::string& name, int steps) {
    const std::filesystem::path folder = m_folder / name;
    std::filesystem::create_directories(folder);
    std::filesystem::copy(m_folder / "made" / "flow.xyz", folder / "flow.xyz");
    for (int n = 0; n < steps; ++n) copyStep(folder, n);
    return folder;
  }
  void copyStep(const std::filesystem::path& folder, int step) {
    std::filesystem::copy(m_folder / "made" / stepName(step), folder / stepName(step));
  }
  RunResult run(const std::filesystem::path& folder, const std::string& text,
                std::vector<std::string> more = {}) {
    writeFile(folder / "session.json", text);
    std::vector<std::string> arguments{"batchvis", "session.json", "-o", "out"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return runProgram(arguments, {.folder = folder});
  }
  void compareFolders(const std::filesystem::path& one, const std::filesystem::path& other) {
    QCOMPARE(namesIn(one), namesIn(other));
    for (const std::string& name : namesIn(one))
      QVERIFY2(fileContents(one / name) == fileContents(other / name), name.c_str());
  }
  TemporaryFolder m_folder;
};

void TestSeries::initTestCase() {
  std::filesystem::create_directories(m_folder / "made");
  const RunResult made = runProgram({"sample", "cylinder", "-o", "flow", "--size", "17,17,5", "--steps",
                                     std::to_string(kSteps), "--format", "plot3d", "--quiet"},
                                    {.folder = m_folder / "made"});
  QVERIFY2(made.status == 0, made.errors.c_str());
  // One of other dimensions, and one of an earlier time.
  const RunResult other =
      runProgram({"sample", "cylinder", "-o", "other", "--size", "17,17,6", "--format", "plot3d", "--quiet"},
                 {.folder = m_folder / "made"});
  QVERIFY2(other.status == 0, other.errors.c_str());
}

void TestSeries::badStepsAreNamed_data() {
  QTest::addColumn<QString>("damage");
  for (const char* const damage : {"missing", "truncated", "other dimensions", "time goes back"})
    QTest::newRow(damage) << damage;
}

namespace {

/// Step 3 is bad.
void spoil(const QString& damage, const std::filesystem::path& folder, const std::filesystem::path& made) {
  const std::filesystem::path file = folder / stepName(3);
  const auto replace = std::filesystem::copy_options::overwrite_existing;
  if (damage == "missing") std::filesystem::remove(file);
  if (damage == "truncated") std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
  if (damage == "other dimensions") std::filesystem::copy_file(made / "other.q", file, replace);
  if (damage == "time goes back") std::filesystem::copy_file(made / stepName(1), file, replace);
}

std::string listOfSteps() {
  std::string list;
  for (int n = 0; n < kSteps; ++n) list += (n > 0 ? ",\"" : "\"") + stepName(n) + "\"";
  return "[" + list + "]";
}

}  // namespace

void TestSeries::badStepsAreNamed() {
  QFETCH(QString, damage);
  const auto folder = folderWithSteps("named " + damage.toStdString(), kSteps);
  spoil(damage, folder, m_folder / "made");
  for (const char* const object :
       {R"({"name":"it","type":"pathlines",)", R"({"name":"it","type":"streaklines",)",
        R"({"name":"it","type":"streamlines",)"}) {
    const RunResult result = run(
        folder,
        sessionText(R"("source":"flow.xyz","solution":)" + listOfSteps(), object + std::string(kSeeds) + "}"),
        {"--quiet"});
    QCOMPARE(result.status, 1);
    QVERIFY2(result.errors.find("step 3") != std::string::npos, result.errors.c_str());
    QCOMPARE(result.errorLines().size(), std::size_t{1});
    QVERIFY(!std::filesystem::exists(folder / "out"));
  }
}

/// The same as of a series without the step.
void TestSeries::badStepsAreLeftOut() {
  QFETCH(QString, damage);
  const auto folder = folderWithSteps("left " + damage.toStdString(), kSteps);
  spoil(damage, folder, m_folder / "made");
  const auto without = folderWithSteps("without " + damage.toStdString(), kSteps);
  std::filesystem::remove(without / stepName(3));
  std::string text = session(R"(,"options":{"badSteps":"skip"})");
  text.replace(text.find("\"flow_*.q\""), 10, listOfSteps());
  const RunResult result = run(folder, text);
  QVERIFY2(result.status == 0, result.errors.c_str());
  QVERIFY2(result.errors.find("step 3 is left out: ") != std::string::npos, result.errors.c_str());
  QCOMPARE(run(without, session(), {"--quiet"}).status, 0);
  compareFolders(folder / "out", without / "out");
}

/// A file that is not there is seen by the numbers of the others.
void TestSeries::stepsThatAPatternLacks() {
  const auto folder = folderWithSteps("lacks", kSteps);
  std::filesystem::remove(folder / stepName(3));
  for (const char* const options : {"", R"(,"options":{"badSteps":"skip"})"}) {
    const RunResult result = run(folder, session(options), {"--overwrite"});
    QVERIFY2(result.status == 0, result.errors.c_str());
    QVERIFY2(result.errors.find("step 3 is left out: no file") != std::string::npos, result.errors.c_str());
    QVERIFY2(result.errors.find(stepName(3)) != std::string::npos, result.errors.c_str());
  }
  std::filesystem::remove_all(folder / "out");
  const RunResult refused = run(folder, session(R"(,"options":{"badSteps":"stop"})"), {"--quiet"});
  QCOMPARE(refused.status, 1);
  QCOMPARE(refused.errorLines().size(), std::size_t{1});
  QVERIFY2(refused.errors.find("step 3: file ") != std::string::npos, refused.errors.c_str());
  QVERIFY2(refused.errors.find(stepName(3)) != std::string::npos, refused.errors.c_str());
  QVERIFY(!std::filesystem::exists(folder / "out"));
}

/// Steps that are written while the run waits for them, one of them slowly.
void TestSeries::followsWhatComes() {
  const auto whole = folderWithSteps("whole", kSteps);
  QCOMPARE(run(whole, session(), {"--quiet"}).status, 0);
  const auto folder = folderWithSteps("grows", 1);
  writeFile(folder / "session.json", session());
  RunningProgram program(builtProgram(), {"batchvis", "session.json", "-o", "out", "--follow", "--idle", "8"},
                         {.folder = folder});
  for (int n = 1; n < kSteps; ++n) {
    const std::string bytes = fileContents(m_folder / "made" / stepName(n));
    if (n == 3) {
      writeFile(folder / stepName(n), bytes.substr(0, bytes.size() / 3));
      std::this_thread::sleep_for(std::chrono::milliseconds(2500));
    }
    writeFile(folder / stepName(n), bytes);
    // It is seen before the next one comes, but for the last ones.
    const auto seen = folder / "out" / ("streaks_000" + std::to_string(n) + ".vtp");
    for (int look = 0; n < 4 && look < 2400 && !std::filesystem::exists(seen); ++look)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  QVERIFY(std::filesystem::exists(folder / "out" / "streaks_0003.vtp"));
  QVERIFY(!std::filesystem::exists(folder / "out" / "paths.vtp"));
  const RunResult result = program.wait();
  QVERIFY2(result.status == 0, result.errors.c_str());
  QVERIFY2(result.errors.find("waiting for more") != std::string::npos, result.errors.c_str());
  QVERIFY2(result.errors.find("nothing to do") == std::string::npos, result.errors.c_str());
  compareFolders(folder / "out", whole / "out");
}

void TestSeries::followsAgainAfterAnInterruption() {
  const auto whole = m_folder / "whole";
  const auto folder = folderWithSteps("stopped", 2);
  writeFile(folder / "session.json", session());
  {
    RunningProgram program(builtProgram(), {"batchvis", "session.json", "-o", "out", "--follow", "--quiet"},
                           {.folder = folder});
    const auto seen = folder / "out" / "streaks_0001.vtp";
    for (int look = 0; look < 2400 && !std::filesystem::exists(seen); ++look)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    program.signal(SIGINT);
    QCOMPARE(program.wait().status, 130);
  }
  QVERIFY(std::filesystem::exists(folder / "out" / "paths.checkpoint"));
  for (int n = 2; n < kSteps; ++n) copyStep(folder, n);
  {
    const auto kept = folder / "out" / "paths.checkpoint";
    const std::string good = test::fileContents(kept);
    std::string bad = good;
    bad[bad.size() / 2] = static_cast<char>(bad[bad.size() / 2] ^ 1);
    writeFile(kept, bad);
    const RunResult refused =
        runProgram({"batchvis", "session.json", "-o", "out", "--resume", "--quiet"}, {.folder = folder});
    QCOMPARE(refused.status, 1);
    QVERIFY2(refused.errors.find("paths.checkpoint: is damaged") != std::string::npos,
             refused.errors.c_str());
    writeFile(kept, good);
  }
  const RunResult result =
      runProgram({"batchvis", "session.json", "-o", "out", "--resume", "--quiet"}, {.folder = folder});
  QVERIFY2(result.status == 0, result.errors.c_str());
  compareFolders(folder / "out", whole / "out");
}

void TestSeries::videos() {
  const auto folder = folderWithSteps("video", 3);
  const std::string text = session();
  if (!hasFfmpeg()) {
    const RunResult result =
        run(folder, text, {"--set", "output.images=true", "--video", "film.mp4", "--quiet"});
    QCOMPARE(result.status, 1);
    QVERIFY2(result.errors.find("FFmpeg") != std::string::npos, result.errors.c_str());
    QSKIP("ffmpeg is not installed");
  }
  for (const char* const name : {"film.mp4", "film.webm"}) {
    const RunResult result = run(folder, text,
                                 {"--set", "output.images=true", "--set", "image.size=[321,200]", "--video",
                                  name, "--frame-rate", "10", "--quiet", "--resume"});
    if (result.errors.find("pictures cannot be drawn") != std::string::npos) QSKIP("no pictures here");
    QVERIFY2(result.status == 0, result.errors.c_str());
    const RunResult told = [&] {
      RunningProgram probe("/bin/sh",
                           {"-c",
                            "ffprobe -v error -count_frames -select_streams v -show_entries "
                            "stream=width,height,nb_read_frames,r_frame_rate -of csv=p=0 " +
                                std::string(name)},
                           {.folder = folder});
      return probe.wait();
    }();
    QCOMPARE(QString::fromStdString(told.out).trimmed(), QString("322,200,10/1,3"));
  }
  // A video has no transparency: what lies behind the picture is the background's colour.
  const RunResult clear =
      run(folder, text,
          {"--set", "output.images=true", "--set", "image.size=[63,63]", "--set",
           "image.background=#ff000000", "--video", "clear.mp4", "--quiet", "--overwrite"});
  QVERIFY2(clear.status == 0, clear.errors.c_str());
  // In the last row and column as well, which are there to have even numbers.
  for (const char* const at : {"2:2", "63:63"}) {
    RunningProgram corner("/bin/sh",
                          {"-c", "ffmpeg -v error -i clear.mp4 -frames:v 1 -vf format=rgb24,crop=1:1:" +
                                     std::string(at) + " -pix_fmt rgb24 -f rawvideo - | od -An -tu1"},
                          {.folder = folder});
    const QStringList rgb = QString::fromStdString(corner.wait().out).simplified().split(' ');
    QVERIFY2(rgb.size() == 3 && rgb[0].toInt() > 240 && rgb[1].toInt() < 15 && rgb[2].toInt() < 15,
             qPrintable(at + QString(": ") + rgb.join(' ')));
  }
  // It is the user's, whoever made it.
  const RunResult again =
      run(folder, text, {"--set", "output.images=true", "--video", "film.mp4", "--quiet"});
  QCOMPARE(again.status, 1);
  QVERIFY2(again.errors.find("film.mp4") != std::string::npos, again.errors.c_str());
}

/// The first picture is covered all over, and has no channel of opacity; the others have.
void TestSeries::videosThatBeginCovered() {
  if (!hasFfmpeg()) QSKIP("ffmpeg is not installed");
  const auto folder = folderWithSteps("covered", 1);
  const RunResult result =
      run(folder,
          R"({"farfield":1,"data":{"flow":{"source":"sample://abc?size=9"}},"output":{"geometry":false},)"
          R"("objects":[{"name":"cut","type":"slice","origin":[3.14,3.14,3.14],"normal":[0,0,1],)"
          R"("color":{"by":"velocity-magnitude"}}],)"
          R"("camera":{"position":[3.14,3.14,20],"target":[3.14,3.14,3.14],"up":[0,1,0],"orthographic":3},)"
          R"("image":{"size":[96,64],"legend":false,"background":"#ff000000"}})",
          {"--turn", "6", "--video", "turn.mp4", "--quiet"});
  if (result.errors.find("pictures cannot be drawn") != std::string::npos) QSKIP("no pictures here");
  QVERIFY2(result.status == 0, result.errors.c_str());
  RunningProgram side(
      "/bin/sh",
      {"-c",
       "ffmpeg -v error -i turn.mp4 -vf format=rgb24,crop=1:1:4:32 -pix_fmt rgb24 -f rawvideo - | od -An -v -tu1 -w3"},
      {.folder = folder});
  const QStringList rgb = QString::fromStdString(side.wait().out).trimmed().split('\n');
  QCOMPARE(rgb.size(), 6);
  const QStringList second = rgb[1].simplified().split(' ');
  QVERIFY2(second[0].toInt() > 240 && second[1].toInt() < 15 && second[2].toInt() < 15, qPrintable(rgb[1]));
}

void TestSeries::turns() {
  const auto folder = folderWithSteps("turn", 2);
  const std::vector<std::string> asked{"--set", "output.images=true",   "--set",   "output.geometry=false",
                                       "--set", "image.size=[160,100]", "--quiet", "--turn",
                                       "5"};
  std::vector<std::string> one = asked;
  one.insert(one.end(), {"--set", "time.steps=1"});
  const RunResult result = run(folder, session(), one);
  if (result.errors.find("pictures cannot be drawn") != std::string::npos) QSKIP("no pictures here");
  QVERIFY2(result.status == 0, result.errors.c_str());
  std::vector<std::string> pictures;
  for (const std::string& name : namesIn(folder / "out"))
    if (name.ends_with(".png")) pictures.push_back(name);
  QCOMPARE(pictures.size(), std::size_t{5});
  QCOMPARE(pictures.back(), std::string("session_turn_0004.png"));
  QVERIFY(fileContents(folder / "out" / pictures[0]) != fileContents(folder / "out" / pictures[2]));
  // Those that are missing alone are drawn again.
  const std::string second = fileContents(folder / "out" / pictures[1]);
  std::filesystem::remove(folder / "out" / pictures[1]);
  one.push_back("--resume");
  QCOMPARE(run(folder, session(), one).status, 0);
  QVERIFY(fileContents(folder / "out" / pictures[1]) == second);
  const RunResult many = run(folder, session(), asked);
  QCOMPARE(many.status, 1);
  QVERIFY2(many.errors.find("a turn is of one step") != std::string::npos, many.errors.c_str());
}

void TestSeries::wrongUsage_data() {
  QTest::addColumn<QStringList>("options");
  QTest::newRow("idle alone") << QStringList{"--idle", "3"};
  QTest::newRow("turn and follow") << QStringList{"--turn", "3", "--follow"};
  QTest::newRow("dry run and follow") << QStringList{"--dry-run", "--follow"};
  QTest::newRow("video of nothing") << QStringList{"--video", "film.mp4"};
  QTest::newRow("video that nothing ends") << QStringList{"--follow", "--video", "film.mp4"};
  QTest::newRow("frame rate of no video") << QStringList{"--frame-rate", "10"};
}

void TestSeries::wrongUsage() {
  QFETCH(QStringList, options);
  const auto folder = m_folder / "made";
  std::vector<std::string> more;
  for (const QString& option : options) more.push_back(option.toStdString());
  const RunResult result = run(folder, session(), more);
  QCOMPARE(result.status, 2);
}

QTEST_APPLESS_MAIN(TestSeries)
#include "tst_series.moc"
