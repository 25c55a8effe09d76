// Objects of data that only a renderer has: what farfield-slabd's ranks compute of them is, to the byte, what the program
// computes of the data themselves, in files and in pictures, whatever the number of ranks.

#include <signal.h>

#include <QDir>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <memory>
#include <stop_token>
#include <thread>

#include "core/base/error.h"
#include "remote/slabs/slab_viewer.h"
#include "tests/cli/program.h"
#include "tests/support/test_data.h"
#include "tests/system/slab_renderer.h"

namespace farfield::test {
namespace {

constexpr const char* kSurface =
    "\"type\": \"isosurface\", \"by\": \"velocity-magnitude\", \"value\": [0.6, 1.1], \"color\": { \"by\": "
    "\"vorticity-magnitude\" }";

constexpr const char* kBoxes = "data/amr/HierarchicalBoxDataset.v1.1.vthb";

/// A session of one object.
QByteArray sessionOf(const QByteArray& source, const QByteArray& object, const QByteArray& more = {}) {
  return "{ \"farfield\": 1, \"data\": { \"flow\": { \"source\": \"" + source +
         "\" } },\n  \"objects\": [ { \"name\": \"it\", " + object +
         " } ],\n  \"image\": { \"size\": [240, 200] }" + more + " }\n";
}

/// Counts what comes of a result.
struct CountingSink final : session::ResultSink {
  std::atomic<std::size_t> parts{0}, nodes{0};
  void line(const session::LinePart& part) override { ++parts, nodes += part.vertices.size(); }
  void patch(std::uint64_t, const extract::SurfacePatch& patch) override {
    ++parts, nodes += patch.points.size() / 3;
  }
};

}  // namespace

class TestSlabObjects : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void areThoseOfTheData_data();
  void areThoseOfTheData();
  void blocksAndBoxesHaveOutlines_data();
  void blocksAndBoxesHaveOutlines();
  void stepsAreThoseThatAreShown();
  void composeWithSlabs();
  void whatIsNotWantedAnyMoreIsLeft();
  void othersTakeOverForAKilledRank();
  void refusals();

 private:
  QString at(const QString& name) const { return m_folder.filePath(name); }
  QByteArray urlOf(const Renderer& renderer) const { return "slab://" + renderer.address.toUtf8(); }
  Outcome run(const QString& folder, const QByteArray& session, const QStringList& words = {});
  /// Both folders have the same files, at least `least` of them.
  void compare(const QString& one, const QString& other, int least);

  QTemporaryDir m_folder;
  std::unique_ptr<Renderer> m_one, m_three;
};

Outcome TestSlabObjects::run(const QString& folder, const QByteArray& session, const QStringList& words) {
  QDir(m_folder.path()).mkpath(folder);
  QFile file(at(folder + ".json"));
  if (!file.open(QIODevice::WriteOnly)) return {};
  file.write(session);
  file.close();
  QProcess process;
  QProcessEnvironment environment = environmentOf({});
  environment.insert("HOME", m_folder.path());
  process.setProcessEnvironment(environment);
  process.setWorkingDirectory(m_folder.path());
  process.start(programPath(),
                QStringList{"batchvis", folder + ".json", "-o", folder, "--overwrite"} + words);
  return outcomeOf(process);
}

void TestSlabObjects::compare(const QString& one, const QString& other, int least) {
  const QStringList names = QDir(at(one)).entryList(QDir::Files, QDir::Name);
  // pictures are named after their session
  const auto same = [&](QString name) { return name.replace(one, other); };
  QVERIFY2(names.size() >= least, qPrintable(names.join(' ')));
  QCOMPARE(QDir(at(other)).entryList(QDir::Files).size(), names.size());
  for (const QString& name : names) {
    const QByteArray here = contents(at(one + '/' + name)), there = contents(at(other + '/' + same(name)));
    QVERIFY2(!here.isEmpty() && here == there, qPrintable(name + " differs"));
  }
}

void TestSlabObjects::initTestCase() {
  if (QStandardPaths::findExecutable("mpirun").isEmpty()) QSKIP("there is no mpirun");
  SUCCEEDS(runFarfield({"sample", "turbulence", "-o", at("flow.h5"), "--size", "40,36,32", "--steps", "3",
                        "--format", "farfield"}));
  SUCCEEDS(runFarfield({"sample", "cylinder", "-o", at("parts.h5"), "--size", "24,20,6", "--blocks", "3"}));
  m_one = std::make_unique<Renderer>(1, QStringList{at("flow.h5"), "--listen", "127.0.0.1:0"});
  m_three = std::make_unique<Renderer>(3, QStringList{at("flow.h5"), "--listen", "127.0.0.1:0"});
  QVERIFY2(!m_one->address.isEmpty(), m_one->errors().constData());
  QVERIFY2(!m_three->address.isEmpty(), m_three->errors().constData());
}

void TestSlabObjects::areThoseOfTheData_data() {
  QTest::addColumn<QByteArray>("object");
  QTest::addColumn<int>("files");
  const QByteArray lines =
      "\"type\": \"streamlines\", \"seeds\": { \"type\": \"line\", \"from\": [0.5, 0.5, 0.5], \"to\": [5.5, 5.5, 5.5], "
      "\"count\": 41 }, \"color\": { \"by\": \"velocity-magnitude\" }";
  QTest::addRow("streamlines") << lines << 2;
  QTest::addRow("tubes") << lines + ", \"as\": \"tubes\"" << 2;
  QTest::addRow("with a spacing") << lines + ", \"spacing\": 0.3" << 2;
  QTest::addRow("from all over")
      << QByteArray(
             "\"type\": \"streamlines\", \"seeds\": { \"type\": \"spread\", \"count\": 300 }, \"direction\": \"forward\"")
      << 2;
  QTest::addRow("isosurface") << QByteArray(kSurface) << 2;
  QTest::addRow("with edges") << QByteArray(kSurface) + ", \"edges\": true" << 2;
  QTest::addRow("slice") << QByteArray(
                                "\"type\": \"slice\", \"normal\": [1, 0.3, 0.2], \"color\": { \"by\": "
                                "\"vorticity-magnitude\" }")
                         << 2;
  QTest::addRow("grid surface")
      << QByteArray("\"type\": \"grid-surface\", \"color\": { \"by\": \"velocity-magnitude\" }") << 2;
  QTest::addRow("outline") << QByteArray("\"type\": \"outline\"") << 2;
  const QByteArray plane = "{ \"type\": \"slice\", \"normal\": [1, 0.3, 0.2] }",
                   bent = "{ \"type\": \"isosurface\", \"by\": \"velocity-magnitude\", \"value\": 0.9 }";
  const auto isolines = [](const QByteArray& on, const QByteArray& more) {
    return "\"type\": \"isolines\", \"by\": \"vorticity-magnitude\", \"on\": " + on + more;
  };
  QTest::addRow("isolines of values")
      << isolines(plane, ", \"value\": [1, 2, 3], \"color\": { \"by\": \"velocity-magnitude\" }") << 2;
  QTest::addRow("isolines of the range on the surface") << isolines(plane, ", \"count\": 6") << 2;
  QTest::addRow("isolines of a range") << isolines(bent, ", \"count\": 5, \"range\": [0.5, 4]") << 2;
  QTest::addRow("isolines on another object")
      << QByteArray(kSurface) + " }, { \"name\": \"on it\", " + isolines("\"it\"", ", \"count\": 4") << 3;
  const QByteArray arrows = "\"type\": \"arrows\", \"color\": { \"by\": \"velocity-magnitude\" }, \"on\": ";
  QTest::addRow("arrows") << arrows + plane << 2;
  QTest::addRow("arrows on an isosurface")
      << arrows + bent + ", \"spacing\": 0.3, \"tangential\": true, \"length\": \"equal\"" << 2;
  QTest::addRow("arrows on a grid surface")
      << arrows + "{ \"type\": \"grid-surface\" }, \"spacing\": 0.4" << 2;
}

void TestSlabObjects::areThoseOfTheData() {
  QFETCH(QByteArray, object);
  QFETCH(int, files);
  const QByteArray step = ", \"time\": { \"steps\": 1 }";
  SUCCEEDS(run("here", sessionOf("flow.h5", object, step)));
  SUCCEEDS(run("one", sessionOf(urlOf(*m_one), object, step)));
  compare("here", "one", files);
  SUCCEEDS(run("three", sessionOf(urlOf(*m_three), object, step), {"--stats", "stats.json"}));
  compare("here", "three", files);
  const QByteArray stats = contents(at("stats.json"));
  QVERIFY2(stats.contains("\"ranks\": 3") && stats.contains("\"bytesReceived\""), stats.constData());
  for (const char* const folder : {"here", "one", "three"}) QDir(at(folder)).removeRecursively();
}

void TestSlabObjects::blocksAndBoxesHaveOutlines_data() {
  QTest::addColumn<QString>("data");
  QTest::addRow("blocks") << at("parts.h5");
  QTest::addRow("blocks opened in place") << QStringLiteral("sample://cylinder?size=9,13,5&blocks=4");
  if (hasData(kBoxes)) QTest::addRow("boxes of levels") << QString::fromStdString(dataPath(kBoxes).string());
}

void TestSlabObjects::blocksAndBoxesHaveOutlines() {
  QFETCH(QString, data);
  const Renderer renderer(2, {data, "--listen", "127.0.0.1:0"});
  QVERIFY(!renderer.address.isEmpty());
  // and where blocks overlap, places of arrows keep apart
  const QByteArray objects =
      "\"type\": \"outline\" }, { \"name\": \"arrows\", \"type\": \"arrows\", \"on\": { \"type\": \"slice\" }";
  const QByteArray shown = data == at("parts.h5") ? objects : QByteArray("\"type\": \"outline\"");
  SUCCEEDS(run("here", sessionOf(data.toUtf8(), shown)));
  SUCCEEDS(run("there", sessionOf(urlOf(renderer), shown)));
  compare("here", "there", shown == objects ? 3 : 2);
  for (const char* const folder : {"here", "there"}) QDir(at(folder)).removeRecursively();
}

void TestSlabObjects::stepsAreThoseThatAreShown() {
  // steps 2 and 0 … of the data are 1 and 0 of the renderer
  const Renderer some(2, {at("flow.h5"), "--listen", "127.0.0.1:0", "--steps", "0:2:2"});
  QVERIFY(!some.address.isEmpty());
  SUCCEEDS(run("here", sessionOf("flow.h5", kSurface, ", \"time\": { \"steps\": 2 }")));
  SUCCEEDS(run("there", sessionOf(urlOf(some), kSurface, ", \"time\": { \"steps\": 1 }")));
  QCOMPARE(contents(at("there/it.vtp")), contents(at("here/it.vtp")));
  for (const char* const folder : {"here", "there"}) QDir(at(folder)).removeRecursively();
}

/// Slabs and objects of one renderer in a picture, and the same of the data with slabs: equal pictures.
void TestSlabObjects::composeWithSlabs() {
  const QByteArray slabs = "\"type\": \"slabs\", \"by\": \"velocity-magnitude\", \"source\": \"" +
                           urlOf(*m_three) + "\" }, { \"name\": \"surface\", " + kSurface;
  SUCCEEDS(run("here", sessionOf("flow.h5", slabs)));
  SUCCEEDS(run("there", sessionOf(urlOf(*m_three), slabs)));
  compare("here", "there", 6);
  for (const char* const folder : {"here", "there"}) QDir(at(folder)).removeRecursively();
}

/// As when a value is dragged: each request is given up for the next one, whose result is whole and its own.
void TestSlabObjects::whatIsNotWantedAnyMoreIsLeft() {
  remote::SlabViewer viewer(urlOf(*m_three).toStdString(), {});
  MemoryAccount account(std::uint64_t{64} << 20);
  const auto ask = [&](double value, std::stop_token stop, CountingSink& sink) {
    const QByteArray object =
        "\"type\": \"isosurface\", \"by\": \"velocity-magnitude\", \"value\": " + QByteArray::number(value);
    const auto counted = std::shared_ptr<session::ResultSink>(&sink, [](auto*) {});
    return viewer.results(
        {.source = viewer.url(),
         .document = sessionOf("flow.h5", object).toStdString(),
         .step = 0,
         .account = account,
         .stop = std::move(stop),
         .begin = [&](const session::ResultFacts&, std::int64_t, bool) { return counted; }});
  };
  CountingSink alone;
  const session::ResultCounts counts = ask(0.8, {}, alone);
  QCOMPARE(counts.ranks, std::uint64_t{3});
  QVERIFY(alone.nodes > 1000 && counts.bytesReceived > 1000);
  int given = 0;
  for (int n = 0; n < 10; ++n) {
    std::stop_source stop;
    CountingSink other;
    std::jthread stopper([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(2 * n));
      stop.request_stop();
    });
    try {
      ask(0.3 + 0.05 * n, stop.get_token(), other);
    } catch (const Cancelled&) {
      ++given;
    }
    const std::size_t seen = other.nodes;
    CountingSink again;
    ask(0.8, {}, again);
    QCOMPARE(again.nodes.load(), alone.nodes.load());
    // nothing came for what was given up
    QCOMPARE(other.nodes.load(), seen);
  }
  QVERIFY(given > 0);
  QCOMPARE(account.usedBytes(), std::uint64_t{0});
}

void TestSlabObjects::othersTakeOverForAKilledRank() {
  const Renderer renderer(3, {at("flow.h5"), "--listen", "127.0.0.1:0"});
  QVERIFY(!renderer.address.isEmpty());
  const QByteArray more = ", \"time\": { \"steps\": \"all\" }";
  SUCCEEDS(run("whole", sessionOf("flow.h5", kSurface, more)));
  // While it goes through the steps, again and again, a rank dies.
  QProcess running;
  QProcessEnvironment environment = environmentOf({});
  environment.insert("HOME", m_folder.path());
  running.setProcessEnvironment(environment);
  running.setWorkingDirectory(m_folder.path());
  QDir(m_folder.path()).mkpath("left");
  write(at("left.json"), sessionOf(urlOf(renderer), kSurface, more));
  running.start(programPath(), {"batchvis", "left.json", "-o", "left", "--overwrite"});
  QVERIFY(running.waitForStarted());
  QTRY_VERIFY_WITH_TIMEOUT(!QDir(at("left")).entryList({"*.vtp"}).isEmpty(), 60000);
  const qint64 process = renderer.processOf(1);
  QVERIFY(process > 0);
  QCOMPARE(::kill(static_cast<pid_t>(process), SIGKILL), 0);
  SUCCEEDS(outcomeOf(running));
  compare("whole", "left", 6);
  SUCCEEDS(run("after", sessionOf(urlOf(renderer), kSurface, more), {"--stats", "stats.json"}));
  compare("whole", "after", 6);
  QVERIFY2(contents(at("stats.json")).contains("\"ranks\": 2"), contents(at("stats.json")).constData());
}

void TestSlabObjects::refusals() {
  const QByteArray url = urlOf(*m_one);
  REFUSED(run("no", sessionOf(url, "\"type\": \"isosurface\", \"by\": \"phlogiston\", \"value\": 1")),
          "phlogiston");
  REFUSED(
      run("no",
          sessionOf(
              url,
              "\"type\": \"pathlines\", \"seeds\": { \"type\": \"line\", \"from\": [1, 1, 1], \"to\": [2, 2, 2], "
              "\"count\": 3 }")),
      "not computed by renderers");
  REFUSED(
      run("no",
          sessionOf(url,
                    "\"type\": \"outline\" }, { \"name\": \"s\", \"type\": \"slice\", \"color\": { \"by\": "
                    "\"vorticity-magnitude\", \"range\": \"data\" }")),
      "give a range");
  for (const QStringList& words : {QStringList{"integrate", url, "--surface", "0:kmin"},
                                   {"probe", url, "--function", "velocity", "--at", "1,1,1"}})
    REFUSED(runFarfield(words, m_folder.path()), "a renderer gives pictures, not values");
  QVERIFY(QDir(at("no")).entryList(QDir::Files).isEmpty());
  // what a viewer of another kind might ask
  remote::SlabViewer viewer(url.toStdString(), {});
  MemoryAccount account(std::uint64_t{16} << 20);
  const auto ask = [&](const QByteArray& document, std::int64_t step) {
    viewer.results({.source = viewer.url(),
                    .document = document.toStdString(),
                    .step = step,
                    .account = account,
                    .begin = [](const session::ResultFacts&, std::int64_t, bool) {
                      return std::shared_ptr<session::ResultSink>();
                    }});
  };
  QVERIFY_EXCEPTION_THROWN(ask("no document", 0), Error);
  QVERIFY_EXCEPTION_THROWN(ask(sessionOf("flow.h5", kSurface), 99), Error);
  QVERIFY_EXCEPTION_THROWN(
      ask(sessionOf("flow.h5", QByteArray(kSurface) + " }, { \"name\": \"two\", \"type\": \"outline\""), 0),
      Error);
  QVERIFY_EXCEPTION_THROWN(ask(sessionOf("flow.h5", "\"type\": \"outline\", \"block\": 9"), 0), Error);
  SUCCEEDS(run("yes", sessionOf(url, kSurface)));
}

}  // namespace farfield::test

QTEST_GUILESS_MAIN(farfield::test::TestSlabObjects)
#include "tst_slab_objects.moc"
