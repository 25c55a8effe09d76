// batchvis --dry-run: what it says beforehand against what the run then does.

#include <QTest>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "tests/support/pages_stay.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/system/face_files.h"
#include "tests/system/session_text.h"

using namespace farfield::test;
using Words = std::vector<std::string>;

namespace {

const std::string kWall =
    R"({"name":"wall","type":"grid-surface","range":{"j":[0,0]},"color":{"by":"pressure"}})";
const std::string kShell = R"({"name":"shell","type":"grid-surface","block":1})";
const std::string kEdges = R"({"name":"edges","type":"outline"})";

QJsonObject parsed(const std::string& text) {
  return QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
}

}  // namespace

class TestPreview : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void pagesOfSurfacesAreExact_data();
  void pagesOfSurfacesAreExact();
  void linesAreEstimated_data();
  void linesAreEstimated();
  void linesOnFacesAreEstimated();
  void stepsAreCounted();
  void memoryIsThatOfTheRun();
  void whatCannotRunIsRefused();

 private:
  RunSettings here() const { return {.folder = m_folder.path()}; }
  QJsonObject preview(const std::string& session, const Words& more = {});
  QJsonObject statsOf(const std::string& session, const Words& more = {});
  TemporaryFolder m_folder;
};

void TestPreview::initTestCase() {
  for (const Words& words :
       {Words{"sample", "cylinder", "-o", "c", "--format", "plot3d", "--size", "40,33,25", "--blocks", "5"},
        Words{"convert", "c.xyz", "--solution", "c.q", "-o", "zstd.h5", "--page-edge", "8"},
        Words{"convert", "c.xyz", "--solution", "c.q", "-o", "none.h5", "--page-edge", "16", "--codec",
              "none"},
        Words{"convert", "sample://abc?size=60&curvilinear=true", "-o", "abc.h5", "--page-edge", "8"}}) {
    const RunResult made = runProgram(words, here());
    QVERIFY2(made.status == 0, made.errors.c_str());
  }
}

QJsonObject TestPreview::preview(const std::string& session, const Words& more) {
  const std::vector<std::string> before = namesIn(m_folder.path());
  Words words{"batchvis", session, "-o", "preview", "--dry-run", "--json"};
  words.insert(words.end(), more.begin(), more.end());
  const RunResult result = runProgram(words, here());
  if (result.status != 0 || !result.errors.empty()) qWarning("%d %s", result.status, result.errors.c_str());
  if (namesIn(m_folder.path()) != before) qWarning("something was written");
  return result.status == 0 && namesIn(m_folder.path()) == before ? parsed(result.out) : QJsonObject();
}

QJsonObject TestPreview::statsOf(const std::string& session, const Words& more) {
  Words words{"batchvis", session, "-o", "out", "--quiet", "--stats", "stats.json"};
  words.insert(words.end(), more.begin(), more.end());
  const RunResult result = runProgram(words, here());
  if (result.status != 0) qWarning("%d %s", result.status, result.errors.c_str());
  const QJsonObject stats = parsed(fileContents(m_folder / "stats.json"));
  std::filesystem::remove_all(m_folder / "out");
  std::filesystem::remove(m_folder / "stats.json");
  return stats;
}

void TestPreview::pagesOfSurfacesAreExact_data() {
  QTest::addColumn<std::string>("data");
  QTest::addColumn<std::string>("objects");
  QTest::addColumn<bool>("gaps");
  for (const auto& [name, data, gaps] :
       {std::tuple{"in place", R"("source":"c.xyz","solution":"c.q")", false},
        std::tuple{"zstd", R"("source":"zstd.h5")", true},
        std::tuple{"no codec", R"("source":"none.h5")", true}}) {
    QTest::addRow("%s, a surface", name) << std::string(data) << kWall << gaps;
    QTest::addRow("%s, six faces", name) << std::string(data) << kShell << gaps;
    QTest::addRow("%s, edges", name) << std::string(data) << kEdges << gaps;
    QTest::addRow("%s, all of them", name)
        << std::string(data) << kWall + "," + kShell + "," + kEdges << gaps;
  }
}

void TestPreview::pagesOfSurfacesAreExact() {
  QFETCH(std::string, data);
  QFETCH(std::string, objects);
  QFETCH(bool, gaps);
  writeFile(m_folder / "surfaces.json", sessionText(data, objects));
  const QJsonObject found = preview("surfaces.json");
  const double expected = found["bytesToRead"].toDouble();
  QVERIFY(expected > 0);
  for (const QJsonValue& object : found["objects"].toArray()) QVERIFY(object["pagesAreKnown"].toBool());
  if (!kPagesStay) QSKIP("this build reads pages again each time");
  const double actual = statsOf("surfaces.json")["paging"].toObject()["bytesRead"].toDouble();
  // Neighbours in a store are read together, with what little lies between them.
  if (gaps)
    QVERIFY2(actual >= expected && actual <= 1.5 * expected,
             qPrintable(QString("%1 expected, %2 read").arg(expected).arg(actual)));
  else
    QCOMPARE(actual, expected);
}

void TestPreview::linesAreEstimated_data() {
  QTest::addColumn<int>("count");
  QTest::addColumn<double>("factor");
  QTest::newRow("all tried") << 4 << 1.6;
  QTest::newRow("a tenth tried") << 11 << 2.0;
}

void TestPreview::linesAreEstimated() {
  QFETCH(int, count);
  QFETCH(double, factor);
  const std::string n = std::to_string(count);
  writeFile(m_folder / "lines.json",
            sessionText(R"("source":"abc.h5")", R"({"name":"lines","type":"streamlines","direction":"both",
    "seeds":{"type":"box","min":[0.3,0.3,0.3],"max":[3.5,3.5,3.5],"counts":[)" +
                                                    n + "," + n + "," + n +
                                                    R"(]},"integrator":{"maxLength":2,"tolerance":1e-4}})"));
  const QJsonObject found = preview("lines.json");
  const QJsonObject lines = found["objects"].toArray()[0].toObject();
  QCOMPARE(lines["tasks"].toInt(), 2 * count * count * count);
  QVERIFY(!lines["pagesAreKnown"].toBool());
  QVERIFY(lines["tried"].toInt() > 0 && lines["tried"].toInt() <= lines["tasks"].toInt());
  QVERIFY(found["seconds"].toDouble() > 0 && lines["cpuSeconds"].toDouble() > 0);
  if (!kPagesStay) QSKIP("this build reads pages again each time");
  const double actual = statsOf("lines.json")["paging"].toObject()["bytesRead"].toDouble();
  const double expected = lines["bytes"].toDouble();
  const QString text =
      QString("%1 expected from %2 lines, %3 read").arg(expected).arg(lines["tried"].toInt()).arg(actual);
  // On a machine so slow that hardly any line was tried nothing can be said.
  if (lines["tried"].toInt() < 64) QSKIP(qPrintable("too few lines were tried: " + text));
  QVERIFY2(expected < factor * actual && actual < factor * expected, qPrintable(text));
}

/// Which faces meet is found out once, before any line, and is no part of what each of them costs.
void TestPreview::linesOnFacesAreEstimated() {
  writeSphere(m_folder / "sphere.vtk", 5);
  const auto oil = [&](int count) {
    writeFile(
        m_folder / "oil.json",
        sessionText(R"("source":"sphere.vtk")",
                    R"({"name":"oil","type":"surface-lines","on":{"type":"grid-surface","surface":"boundary"},
    "vector":"shear","maxLength":0.1,"count":)" +
                        std::to_string(count) + "}"));
    return preview("oil.json")["objects"].toArray()[0].toObject();
  };
  const QJsonObject few = oil(10), many = oil(100'000);
  if (few["isLeast"].toBool()) QSKIP("there was not the time to find out which faces meet");
  QCOMPARE(few["tried"].toInt(), 20);
  QCOMPARE(many["tasks"].toInt(), 200'000);
  // short lines: what comes before them is most of what there is to do for few
  QVERIFY(few["cpuSeconds"].toDouble() > 0);
  if (!kPagesStay) QSKIP("this build reads pages again each time");
  oil(10);
  const double actual = statsOf("oil.json")["paging"].toObject()["bytesRead"].toDouble();
  const double expected = few["bytes"].toDouble();
  QVERIFY2(expected < 2 * actual && actual < 2 * expected,
           qPrintable(QString("%1 expected, %2 read").arg(expected).arg(actual)));
}

void TestPreview::stepsAreCounted() {
  writeFile(m_folder / "time.json",
            sessionText(R"("source":"sample://taylor-green?size=33&steps=7")", kWall));
  const QJsonObject all = preview("time.json"), one = preview("time.json", {"--set", "time.steps=2"});
  QCOMPARE(all["steps"].toInt(), 7);
  if (!kPagesStay) QSKIP("this build reads pages again each time");
  QCOMPARE(all["bytesToRead"].toDouble(), statsOf("time.json")["paging"].toObject()["bytesRead"].toDouble());
  QVERIFY(one["bytesToRead"].toDouble() * 7 >= all["bytesToRead"].toDouble());
}

void TestPreview::memoryIsThatOfTheRun() {
  writeFile(m_folder / "memory.json", sessionText(R"("source":"zstd.h5")", kWall + "," + kEdges));
  const QJsonObject little = preview("memory.json", {"--memory", "300K"})["memory"].toObject();
  QCOMPARE(little["budgetBytes"].toInt(), 300 * 1024);
  QVERIFY(little["readsMoreThanOnce"].toBool());
  QVERIFY(little["frameBytes"].toInt() > 0 && little["expectedBytes"].toInt() <= 300 * 1024);
  // The least that it names is what an error names.
  const RunResult refused = runProgram({"batchvis", "memory.json", "-o", "out", "--memory", "1K"}, here());
  const std::string advised =
      "--memory " + std::to_string(little["smallestBudgetBytes"].toInt() / 1024) + "K";
  QVERIFY2(refused.errors.find(advised) != std::string::npos, (advised + ": " + refused.errors).c_str());
  // And what the run uses at most stays within what was expected of pages that all fit.
  const QJsonObject much = preview("memory.json", {"--memory", "64M"})["memory"].toObject();
  QVERIFY(!much["readsMoreThanOnce"].toBool());
  QVERIFY(much["expectedBytes"].toDouble() < 64e6);
#ifndef FARFIELD_SANITIZED  // sanitizers take memory of their own
  const double rss = statsOf("memory.json", {"--memory", "64M"})["peakRssBytes"].toDouble();
  const double expectedRss = much["expectedRssBytes"].toDouble();
  QVERIFY2(rss < 2 * expectedRss && expectedRss < 2 * rss,
           qPrintable(QString("%1 expected, %2 taken").arg(expectedRss).arg(rss)));
#endif
}

void TestPreview::whatCannotRunIsRefused() {
  writeFile(m_folder / "bad.json", sessionText(R"("source":"zstd.h5")", R"({"name":"v","type":"volume"})"));
  QCOMPARE(runProgram({"batchvis", "bad.json", "--dry-run"}, here()).status, 1);
  writeFile(m_folder / "good.json", sessionText(R"("source":"zstd.h5")", kWall));
  QCOMPARE(runProgram({"batchvis", "good.json", "--dry-run", "--memory", "1K"}, here()).status, 1);
  QCOMPARE(runProgram({"batchvis", "good.json", "--dry-run", "--stats", "s.json"}, here()).status, 2);
  QCOMPARE(runProgram({"batchvis", "good.json", "--json"}, here()).status, 2);
  // For people: a line per object, and what it comes to.
  const RunResult text = runProgram({"batchvis", "good.json", "--dry-run"}, here());
  QVERIFY2(text.status == 0, text.errors.c_str());
  for (const char* const part : {"wall ", "patches", "to read", "memory", "time"})
    QVERIFY2(text.out.find(part) != std::string::npos, text.out.c_str());
}

QTEST_GUILESS_MAIN(TestPreview)
#include "tst_preview.moc"
