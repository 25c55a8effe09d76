// Whole jobs through the built program: make data, convert, draw, interrupt.

#include <signal.h>

#include <QFileInfo>
#include <QProcess>
#include <QTest>

#include <QDir>
#include <QFile>
#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <cmath>

#include "bench/policies/page_trace_reader.h"
#include "core/fields/samples/sample.h"
#include "tests/cli/program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_data.h"

using farfield::test::contents;
using farfield::test::Outcome;
using farfield::test::runFarfield;
using farfield::test::write;

namespace {

#define RUNS(arguments)                                     \
  do {                                                      \
    const Outcome outcome = runFarfield(arguments, m_path); \
    QVERIFY2(outcome.status == 0, outcome.errors);          \
  } while (false)

const QByteArray kSession = R"({"farfield":1,"data":{"flow":{"source":"cylinder.h5"}},"objects":[
  {"name":"lines","type":"streamlines","seeds":{"type":"line","from":[-4,-1.5,1],"to":[-4,1.5,1],"count":12},
   "integrator":{"maxLength":30},"color":{"by":"pressure"}},
  {"name":"wall","type":"grid-surface","range":{"j":0},"color":{"by":"pressure"}},
  {"name":"edges","type":"outline"}],
  "image":{"size":[160,120]},"output":{"images":false}})";

}  // namespace

class TestCliJobs : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void samples_data();
  void samples();
  void samplesOfWholeNumbers();
  void samplesAreTheSameWhateverTheSlab();
  void convertsFromPlot3d();
  void pageEdgesSuitTheData();
  void levelsOfDetail();
  void sameBytesHoweverItIsRun_data();
  void sameBytesHoweverItIsRun();
  void statistics();
  void timeBudget();
  void steps();
  void pictures();
  void quietAndVerbose();
  void info();
  void infoRanges();
  void probe();
  void verifyData();
  void verifySession_data();
  void verifySession();
  void openForOthers();
  void interrupted_data();
  void interrupted();

 private:
  farfield::test::TemporaryFolder m_folder;
  QString m_path;
  QByteArray m_lines, m_wall, m_edges;
};

void TestCliJobs::initTestCase() {
  m_path = QString::fromStdString(m_folder.path().string()) + "/";
  RUNS((QStringList{"sample", "cylinder", "-o", "cylinder", "--format", "plot3d"}));
  RUNS((QStringList{"convert", "cylinder.xyz", "--solution", "cylinder.q", "-o", "cylinder.h5", "--page-edge",
                    "8"}));
  write(m_path + "session.json", kSession);
  RUNS((QStringList{"batchvis", "session.json", "-o", "reference"}));
  m_lines = contents(m_path + "reference/lines.vtp");
  m_wall = contents(m_path + "reference/wall.vtp");
  m_edges = contents(m_path + "reference/edges.vtp");
  QVERIFY(m_lines.size() > 10'000 && m_wall.size() > 10'000 && m_edges.size() > 1'000);
}

void TestCliJobs::samples_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<QStringList>("files");
  QTest::newRow("plot3d in time") << QStringList{"tornado", "--format", "plot3d", "--size",
                                                 "9,8,7",   "--steps",  "2"}
                                  << QStringList{"s.xyz", "s_0000.q", "s_0001.q"};
  QTest::newRow("raw blocks") << QStringList{"abc", "--format", "raw", "--size", "9,8,7", "--blocks", "2"}
                              << QStringList{"s_b0_velocity.raw", "s_b0_pressure.raw", "s_b1_velocity.raw",
                                             "s_b1_pressure.raw"};
  for (const char* const type : {"u8", "i8", "u16", "i16", "f64"})
    QTest::addRow("raw %s", type) << QStringList{"marschner-lobb", "--format", "raw", "--size",
                                                 "9,8,7",          "--type",   type}
                                  << QStringList{"s_density.raw"};
  QTest::newRow("store") << QStringList{"turbulence", "--size", "17"} << QStringList{"s"};
  QTest::newRow("hdf5") << QStringList{"marschner-lobb", "--size", "17,17,17", "--format", "hdf5"}
                        << QStringList{"s"};
}

void TestCliJobs::samples() {
  QFETCH(QStringList, arguments);
  QFETCH(QStringList, files);
  const farfield::test::TemporaryFolder folder;
  const QString path = QString::fromStdString(folder.path().string());
  const Outcome outcome = runFarfield(QStringList{"sample", "-o", "s"} + arguments, path);
  QVERIFY2(outcome.status == 0, outcome.errors);
  QVERIFY2(outcome.errors.isEmpty(), outcome.errors);
  QCOMPARE(QString(outcome.out).trimmed().split('\n'), files);
  files.sort();
  QCOMPARE(QDir(path).entryList(QDir::Files | QDir::Hidden, QDir::Name), files);
  for (const QString& file : files)
    if (file.endsWith("velocity.raw")) QCOMPARE(QFileInfo(path + "/" + file).size(), 9 * 8 * 7 * 3 * 4);
}

namespace {
template <class T>
QByteArray numbersTo(double greatest) {
  QByteArray all;
  for (int k = 0; k < 5; ++k)
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i < 7; ++i) {
        const farfield::Vec3 at{-1 + 2 * i / 6.0, -1 + 2 * j / 5.0, -1 + 2 * k / 4.0};
        const double exact = farfield::samples::exactScalar("marschner-lobb", "density", at, 0);
        const auto number = static_cast<T>(std::lround(greatest * exact));
        all.append(reinterpret_cast<const char*>(&number), sizeof number);
      }
  return all;
}
}  // namespace

/// Each number is the formula's, scaled and rounded; what is not to be had in whole numbers is refused.
void TestCliJobs::samplesOfWholeNumbers() {
  const std::vector<std::pair<QString, QByteArray>> types{{"u8", numbersTo<std::uint8_t>(255)},
                                                          {"i8", numbersTo<std::int8_t>(127)},
                                                          {"u16", numbersTo<std::uint16_t>(65535)},
                                                          {"i16", numbersTo<std::int16_t>(32767)}};
  for (const auto& [type, numbers] : types) {
    RUNS((QStringList{"sample", "marschner-lobb", "-o", type, "--format", "raw", "--size", "7,6,5", "--type",
                      type}));
    QVERIFY(contents(m_path + type + "_density.raw") == numbers);
  }
  const Outcome refused =
      runFarfield({"sample", "abc", "-o", "no", "--format", "raw", "--type", "u8"}, m_path);
  QCOMPARE(refused.status, 1);
  QVERIFY2(refused.errors.contains("use f32 or f64"), refused.errors);
  QVERIFY(QDir(m_path).entryList({"no*"}).isEmpty());
  QCOMPARE(runFarfield({"sample", "marschner-lobb", "-o", "no", "--type", "i32"}, m_path).status, 2);
}

void TestCliJobs::samplesAreTheSameWhateverTheSlab() {
  // Larger than a slab of 4 MiB in rows and layers; compared with the store, which is read in other boxes.
  RUNS((QStringList{"sample", "taylor-green", "-o", "big", "--format", "raw", "--size", "700,650,3"}));
  const QByteArray velocity = contents(m_path + "big_velocity.raw");
  QCOMPARE(velocity.size(), 700 * 650 * 3 * 3 * 4);
  RUNS((QStringList{"sample", "taylor-green", "-o", "small", "--format", "raw", "--size", "700,650,3",
                    "--steps", "1"}));
  QVERIFY(velocity == contents(m_path + "small_velocity.raw"));
}

void TestCliJobs::convertsFromPlot3d() {
  // In place and converted are the same data.
  RUNS((QStringList{"batchvis", "session.json", "-o", "inplace", "--set", "data.flow.source=cylinder.xyz",
                    "--set", "data.flow.solution=cylinder.q"}));
  QVERIFY(contents(m_path + "inplace/lines.vtp") == m_lines);
  QVERIFY(contents(m_path + "inplace/wall.vtp") == m_wall);
  QVERIFY(contents(m_path + "inplace/edges.vtp") == m_edges);
  // A finished store is not overwritten by accident.
  const Outcome again =
      runFarfield({"convert", "cylinder.xyz", "--solution", "cylinder.q", "-o", "cylinder.h5"}, m_path);
  QVERIFY2(again.status == 1 && again.errorLines().size() == 1, again.errors);
}

void TestCliJobs::pageEdgesSuitTheData() {
  for (const auto& [sample, edge] : {std::pair{"marschner-lobb", 32}, std::pair{"tornado", 16}}) {
    RUNS((QStringList{"convert", QString("sample://%1?size=40,33,20").arg(sample), "-o", "suited.h5",
                      "--overwrite"}));
    const Outcome outcome = runFarfield({"info", "suited.h5", "--json"}, m_path);
    const QJsonObject info = QJsonDocument::fromJson(outcome.out).object();
    QCOMPARE(info["pageEdge"].toInt(), edge);
    // The store says how it was made, as one would say it to get the same.
    const QString command = info["attributes"].toObject()["command"].toString();
    QVERIFY2(command.contains(QString("--page-edge %1 ").arg(edge)), qPrintable(command));
  }
}

void TestCliJobs::levelsOfDetail() {
  const QStringList convert{"convert", "cylinder.xyz", "--solution", "cylinder.q"};
  RUNS((convert + QStringList{"-o", "levels.h5", "--page-edge", "8", "--levels", "3", "--memory", "64M"}));
  const auto infoOf = [&](const QStringList& more) {
    return QJsonDocument::fromJson(runFarfield(QStringList{"info", "--json"} + more, m_path).out).object();
  };
  const QJsonObject all = infoOf({"levels.h5"}), plain = infoOf({"cylinder.h5"});
  QCOMPARE(all["levels"].toInt(), 3);
  QCOMPARE(plain["levels"].toInt(), 1);
  qint64 pages = all["pages"].toInt();
  for (int level = 1; level < 3; ++level) {
    const QJsonObject coarse = infoOf({"levels.h5", "--option", QString("level=%1").arg(level)});
    QCOMPARE(coarse["levels"].toInt(), 3);
    pages += coarse["pages"].toInt();
    QCOMPARE(coarse["variables"], all["variables"]);
    const QJsonArray blocks = coarse["blocks"].toArray();
    QCOMPARE(blocks.size(), all["blocks"].toArray().size());
    for (qsizetype b = 0; b < blocks.size(); ++b) {
      const QJsonArray fine = all["blocks"][b]["dims"].toArray();
      for (int a = 0; a < 3; ++a)
        QCOMPARE(blocks[b]["dims"][a].toInt(), (fine[a].toInt() - 2 + (1 << level)) / (1 << level) + 1);
      QCOMPARE(blocks[b]["bounds"], all["blocks"][b]["bounds"]);
    }
  }
  // Every page of every level.
  const Outcome verified = runFarfield({"verify", "levels.h5"}, m_path);
  QVERIFY2(verified.status == 0 && verified.out.startsWith(QByteArray::number(pages) + " pages"),
           verified.out);
  // All of the data are as without levels; a level gives lines of its own.
  RUNS((QStringList{"batchvis", "session.json", "-o", "levels", "--set", "data.flow.source=levels.h5"}));
  QVERIFY(contents(m_path + "levels/lines.vtp") == m_lines);
  RUNS((QStringList{"batchvis", "session.json", "-o", "level1", "--set", "data.flow.source=levels.h5",
                    "--set", "data.flow.options.level=1"}));
  QVERIFY(contents(m_path + "level1/lines.vtp") != m_lines);
  QVERIFY(contents(m_path + "level1/wall.vtp").size() < m_wall.size());

  for (const char* level : {"3", "-1", "x"}) {
    const Outcome none = runFarfield({"info", "levels.h5", "--option", QString("level=") + level}, m_path);
    QVERIFY2(none.status == 1 && none.errorLines().size() == 1, none.errors);
  }
  for (const char* levels : {"0", "17", "some"})
    QCOMPARE(runFarfield(convert + QStringList{"-o", "none.h5", "--levels", levels}, m_path).status, 2);
}

void TestCliJobs::sameBytesHoweverItIsRun_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::newRow("512K") << QStringList{"--memory", "512K"};
  QTest::newRow("serial") << QStringList{"--scheduler", "serial", "--memory", "2M"};
  QTest::newRow("threads") << QStringList{"--scheduler", "threads", "--workers", "4", "--memory", "16M"};
  QTest::newRow("one processor") << QStringList{"--processors", "1", "--workers", "3", "--readers", "1"};
  QTest::newRow("three processors") << QStringList{"--processors", "3", "--workers", "100", "--memory", "4M"};
}

void TestCliJobs::sameBytesHoweverItIsRun() {
  QFETCH(QStringList, arguments);
  const farfield::test::TemporaryFolder out;
  const QString path = QString::fromStdString(out.path().string());
  RUNS((QStringList{"batchvis", "session.json", "-o", path} + arguments));
  QVERIFY(contents(path + "/lines.vtp") == m_lines);
  QVERIFY(contents(path + "/wall.vtp") == m_wall);
  QVERIFY(contents(path + "/edges.vtp") == m_edges);
  QCOMPARE(QDir(path).entryList(QDir::Files | QDir::Hidden).size(), 3);
}

void TestCliJobs::statistics() {
  RUNS((QStringList{"batchvis", "session.json", "-o", "stats", "--memory", "512K", "--stats", "stats.json",
                    "--trace", "trace.json", "--page-trace", "pages", "--set", "objects.lines.seeds.count=20",
                    "objects.edges.visible=false"}));
  const QJsonObject stats = QJsonDocument::fromJson(contents(m_path + "stats.json")).object();
  const QJsonObject paging = stats["paging"].toObject();
  QCOMPARE(paging["budgetBytes"].toInt(), 512 * 1024);
  QVERIFY(paging["peakBytes"].toInt() <= 512 * 1024);
  QVERIFY(paging["evictions"].toInt() > 0);
  QCOMPARE(paging["requests"].toInt(), paging["hits"].toInt() + paging["misses"].toInt());
  QVERIFY(stats["wallSeconds"].toDouble() > 0);
  const QJsonArray objects = stats["objects"].toArray();
  QCOMPARE(objects.size(), 2);
  QCOMPARE(objects[0].toObject()["count"].toInt(), 40);
  int lines = 0;
  for (const QJsonValue& count : objects[0].toObject()["terminations"].toObject()) lines += count.toInt();
  QCOMPARE(lines, 40);
  QVERIFY(!QJsonDocument::fromJson(contents(m_path + "trace.json")).isNull());
  farfield::paging::PageTraceReader pages((m_path + "pages").toStdString());
  int requests = 0;
  while (pages.next()) ++requests;
  QCOMPARE(requests, paging["requests"].toInt());
  QVERIFY(!QFile::exists(m_path + "stats/edges.vtp"));
}

void TestCliJobs::timeBudget() {
  // Far more lines than fit into the time: those whose turn never came are there all the same.
  RUNS((QStringList{"batchvis", "session.json", "-o", "budget", "--stats", "budget.json", "--set",
                    "objects.lines.seeds.count=100000", "objects.lines.budget.milliseconds=100"}));
  const QJsonObject lines =
      QJsonDocument::fromJson(contents(m_path + "budget.json")).object()["objects"].toArray()[0].toObject();
  const QJsonObject ends = lines["terminations"].toObject();
  QCOMPARE(lines["count"].toInt(), 200'000);
  QVERIFY(ends["out-of-time"].toInt() > 0);
  int sum = 0;
  for (const QJsonValue& count : ends) sum += count.toInt();
  QCOMPARE(sum, 200'000);
  QVERIFY(lines["points"].toInt() >= 200'000);
}

void TestCliJobs::steps() {
  write(m_path + "time.json",
        R"({"farfield":1,"data":{"flow":{"source":"sample://tornado?size=17&steps=5"}},"objects":[
    {"name":"lines","type":"streamlines","seeds":{"type":"points","points":[[0.2,0.1,0.5]]}}],
    "time":{"steps":[0,-1,2]},"output":{"images":false}})");
  RUNS((QStringList{"batchvis", "time.json", "-o", "time"}));
  const QDir out(m_path + "time");
  QCOMPARE(out.entryList(QDir::Files | QDir::Hidden, QDir::Name),
           (QStringList{"lines_0000.vtp", "lines_0002.vtp", "lines_0004.vtp"}));
  const QByteArray last = contents(m_path + "time/lines_0004.vtp");
  QVERIFY(last != contents(m_path + "time/lines_0000.vtp"));
  // Only what is missing is made again.
  write(m_path + "time/lines_0000.vtp", "kept");
  QVERIFY(QFile::remove(m_path + "time/lines_0004.vtp"));
  RUNS((QStringList{"batchvis", "time.json", "-o", "time", "--resume"}));
  QCOMPARE(contents(m_path + "time/lines_0000.vtp"), QByteArray("kept"));
  QVERIFY(contents(m_path + "time/lines_0004.vtp") == last);
  // With nothing missing it says so.
  const Outcome nothing =
      runFarfield({"batchvis", "time.json", "-o", "time", "--resume", "--stats", "nothing.json"}, m_path);
  QCOMPARE(nothing.status, 0);
  QVERIFY2(nothing.errors.contains("nothing to do: the files of all 3 steps are there"), nothing.errors);
  const QJsonObject stats = QJsonDocument::fromJson(contents(m_path + "nothing.json")).object();
  QCOMPARE(stats["steps"].toInt(), 3);
  QCOMPARE(stats["stepsLeftOut"].toInt(), 3);
  QCOMPARE(stats["boundBy"].toString(), QString("nothing"));
  // Another object's name may look like a name with its step.
  RUNS((QStringList{"batchvis", "time.json", "-o", "twins", "--set",
                    R"(objects=[{"name":"a","type":"outline"},{"name":"a_0002","type":"outline"}])"}));
  QCOMPARE(QDir(m_path + "twins").entryList(QDir::Files | QDir::Hidden, QDir::Name),
           (QStringList{"a_0000.vtp", "a_0002.vtp", "a_0002_0000.vtp", "a_0002_0002.vtp", "a_0002_0004.vtp",
                        "a_0004.vtp"}));
  // A single step that is not there.
  const Outcome wrong =
      runFarfield({"batchvis", "session.json", "-o", "wrong", "--set", "time.steps=3"}, m_path);
  QVERIFY2(wrong.errors.contains("the data have one step, 0"), wrong.errors);
}

void TestCliJobs::pictures() {
  const Outcome outcome =
      runFarfield({"batchvis", "session.json", "-o", "pictures", "--set", "output.images=true"}, m_path);
  if (outcome.status == 1 && (outcome.errors.contains("OpenGL") || outcome.errors.contains("EGL") ||
                              outcome.errors.contains("build")))
    QSKIP("no pictures here");
  QVERIFY2(outcome.status == 0, outcome.errors);
  const QByteArray png = contents(m_path + "pictures/session.png");
  QVERIFY(png.startsWith("\x89PNG"));
  // Width and height in the header.
  QCOMPARE(int(quint8(png[18])) * 256 + quint8(png[19]), 160);
  QCOMPARE(int(quint8(png[22])) * 256 + quint8(png[23]), 120);
}

void TestCliJobs::quietAndVerbose() {
  const Outcome quiet = runFarfield({"batchvis", "session.json", "-o", "quiet", "--quiet"}, m_path);
  QCOMPARE(quiet.status, 0);
  QVERIFY(quiet.out.isEmpty() && quiet.errors.isEmpty());
  const Outcome verbose = runFarfield({"batchvis", "session.json", "-o", "verbose", "--verbose"}, m_path);
  QVERIFY2(verbose.errors.contains("lines: 24 lines"), verbose.errors);
}

void TestCliJobs::info() {
  const Outcome text = runFarfield({"info", "cylinder.h5"}, m_path);
  QVERIFY2(text.status == 0 && text.out.contains("edge 8, codec zstd") && text.out.contains("momentum-x"),
           text.errors);
  // Numbers to be read have some six digits; JSON has all.
  const Outcome ranges = runFarfield({"info", "cylinder.h5", "--ranges"}, m_path);
  QVERIFY2(ranges.status == 0, ranges.errors);
  for (const QByteArray& word : ranges.out.simplified().split(' '))
    QVERIFY2(word.contains('=') || word.size() <= 12 ||
                 !QRegularExpression("^-?[0-9.e+-]+$").match(word).hasMatch(),
             word);
  const Outcome outcome = runFarfield({"info", "cylinder.h5", "--json"}, m_path);
  QVERIFY2(outcome.status == 0, outcome.errors);
  const QJsonObject info = QJsonDocument::fromJson(outcome.out).object();
  QCOMPARE(info["format"].toString(), "farfield");
  QCOMPARE(info["steps"].toInt(), 1);
  QCOMPARE(info["bytes"].toInteger(), QFileInfo(m_path + "cylinder.h5").size());
  QCOMPARE(info["pageEdge"].toInt(), 8);
  QCOMPARE(info["codec"].toString(), "zstd");
  QVERIFY(info["pages"].toInt() > 100 && info["storedBytes"].toInt() > 100'000 && info.contains("levels"));
  const QJsonArray blocks = info["blocks"].toArray();
  QCOMPARE(blocks.size(), 4);
  QCOMPARE(blocks[0].toObject()["dims"].toArray().size(), 3);
  QVERIFY(blocks[0].toObject()["iblank"].toBool());
  QCOMPARE(blocks[0].toObject()["bounds"].toArray()[1].toArray()[2].toDouble(), 4.0);
  const QJsonArray variables = info["variables"].toArray();
  QCOMPARE(variables.size(), 5);
  QCOMPARE(variables[0].toObject()["name"].toString(), "density");
  QCOMPARE(variables[0].toObject()["type"].toString(), "f32");
  QVERIFY(!variables[0].toObject().contains("min"));
}

void TestCliJobs::infoRanges() {
  // The same whether the ranges come from an index or from reading everything.
  QHash<QString, QPair<double, double>> first;
  for (const QStringList& data :
       {QStringList{"cylinder.h5"}, QStringList{"cylinder.xyz", "--solution", "cylinder.q"}}) {
    const Outcome outcome = runFarfield(
        QStringList{"info"} + data +
            QStringList{"--json", "--ranges", "--function", "pressure", "--function", "pressure/density",
                        "--function", "153", "--function", "mach", "--memory", "1M"},
        m_path);
    QVERIFY2(outcome.status == 0, outcome.errors);
    QHash<QString, QPair<double, double>> ranges;
    for (const QJsonValue& value : QJsonDocument::fromJson(outcome.out).object()["variables"].toArray()) {
      const QJsonObject variable = value.toObject();
      // Of what is derived only the ranges asked for, which take a pass over the data.
      if (variable.contains("min"))
        ranges[variable["name"].toString()] = {variable["min"].toDouble(), variable["max"].toDouble()};
      else
        QVERIFY(variable["derived"].toBool());
    }
    QVERIFY(ranges.contains("pressure") && ranges.contains("pressure/density") &&
            !ranges.contains("temperature"));
    QCOMPARE(ranges.size(), 9);
    QCOMPARE(ranges["density"], (QPair<double, double>{1, 1}));
    QVERIFY(ranges["mach"].second > 0.2);
    if (first.isEmpty()) first = ranges;
    QCOMPARE(ranges, first);
  }
}

void TestCliJobs::probe() {
  // Where the formula is known: free stream 1 along x, no circulation at t = 0.
  const Outcome text =
      runFarfield({"probe", "cylinder.h5", "--function", "velocity", "--at", "-5,0.5,1", "0,0,1"}, m_path);
  QVERIFY2(text.status == 0, text.errors);
  const QList<QByteArray> lines = text.out.trimmed().split('\n');
  QCOMPARE(lines.size(), 2);
  const QList<QByteArray> words = lines[0].split(' ');
  QCOMPARE(words.size(), 4);
  QCOMPARE(words[0], "-5,0.5,1");
  QVERIFY(std::abs(words[1].toDouble() - 0.96) < 0.01);
  QCOMPARE(lines[1], "0,0,1 outside");
  const Outcome json =
      runFarfield({"probe", "cylinder.h5", "--function", "110", "--at", "-5,0.5,1", "--json"}, m_path);
  const QJsonObject answer = QJsonDocument::fromJson(json.out).object();
  QCOMPARE(answer["function"].toString(), "pressure");
  QVERIFY(answer["points"].toArray()[0].toObject()["value"].isDouble());
  QVERIFY(answer["points"].toArray()[0].toObject()["block"].toInt(-1) >= 0);
  // In a file, in place, the same value to the last digit.
  const Outcome place = runFarfield({"probe", "cylinder.xyz", "--solution", "cylinder.q", "--function",
                                     "velocity", "--at", "-5,0.5,1", "0,0,1"},
                                    m_path);
  QCOMPARE(place.out, text.out);
  // Several functions at once: the same values, in the order asked for.
  const Outcome both = runFarfield(
      {"probe", "cylinder.h5", "--function", "velocity", "--function", "110", "--at", "-5,0.5,1", "0,0,1"},
      m_path);
  QVERIFY2(both.status == 0, both.errors);
  const QList<QByteArray> rows = both.out.trimmed().split('\n');
  QCOMPARE(rows.size(), 3);
  QCOMPARE(rows[0], "# x,y,z velocity[3] pressure");
  QVERIFY(rows[1].startsWith(lines[0] + " ") && rows[1].split(' ').size() == 5);
  QCOMPARE(rows[2], lines[1]);
  const Outcome bothJson = runFarfield({"probe", "cylinder.h5", "--function", "velocity", "--function", "110",
                                        "--at", "-5,0.5,1", "0,0,1", "--json"},
                                       m_path);
  const QJsonObject values = QJsonDocument::fromJson(bothJson.out).object();
  QCOMPARE(values["functions"].toArray(), (QJsonArray{"velocity", "pressure"}));
  const QJsonObject point = values["points"].toArray()[0].toObject()["values"].toObject();
  QCOMPARE(point["velocity"].toArray().size(), 3);
  QCOMPARE(point["pressure"], answer["points"].toArray()[0].toObject()["value"]);
  QCOMPARE(point["pressure"].toDouble(), rows[1].split(' ')[4].toDouble());
  QVERIFY(values["points"].toArray()[1].toObject()["values"].isNull());
  QCOMPARE(runFarfield({"probe", "cylinder.h5", "--function", "velocity", "--at", "1,2"}, m_path).status, 2);
  QCOMPARE(runFarfield({"probe", "cylinder.h5", "--function", "smoke", "--at", "1,2,3"}, m_path).status, 1);
  QCOMPARE(runFarfield({"probe", "cylinder.h5", "--function", "mach", "--at", "1,2,3", "--step", "1"}, m_path)
               .status,
           1);
}

void TestCliJobs::verifyData() {
  const Outcome good = runFarfield({"verify", "cylinder.h5", "--memory", "512K"}, m_path);
  QVERIFY2(good.status == 0 && good.out.contains("every checksum is right"), good.errors);
  // A byte in the middle of the pages.
  QByteArray bytes = contents(m_path + "cylinder.h5");
  bytes[bytes.size() / 3] = static_cast<char>(~bytes[bytes.size() / 3]);
  write(m_path + "damaged.h5", bytes);
  const Outcome bad = runFarfield({"verify", "damaged.h5"}, m_path);
  QVERIFY2(bad.status == 1 && bad.errorLines().size() == 1, bad.errors);
  QVERIFY2(bad.errors.contains("damaged.h5") && bad.errors.contains("page"), bad.errors);
}

/// Of data as they are, and with functions of one's own.
void TestCliJobs::verifySession_data() {
  QTest::addColumn<QByteArray>("more");
  QTest::newRow("plain") << QByteArray();
  QTest::newRow("own function") << QByteArray(R"(,"options":{"function.twice":"2*density"})");
}

void TestCliJobs::verifySession() {
  QFETCH(QByteArray, more);
  QByteArray session =
      QByteArray(kSession).replace("\"cylinder.h5\"", "\"cylinder.xyz\",\"solution\":\"cylinder.q\"" + more);
  if (!more.isEmpty()) session.replace("\"by\":\"pressure\"", "\"by\":\"twice\"");
  write(m_path + "verify.json", session);
  const Outcome outcome = runFarfield({"verify", "verify.json"}, m_path);
  QVERIFY2(outcome.status == 0, outcome.errors);
  QCOMPARE(outcome.out.count("same\n"), 8);
}

void TestCliJobs::openForOthers() {
  const QStringList convert{"convert", "cylinder.xyz", "--solution", "cylinder.q", "-o", "open.h5", "--open"};
  const Outcome made = runFarfield(convert, m_path);
  QVERIFY2(made.status == 0, made.errors);
  QVERIFY2(made.errors.contains("open.xmf is XDMF, for ParaView 5.11"), made.errors);
  QVERIFY(contents(m_path + "open.xmf").contains("open.h5"));
  const Outcome info = runFarfield({"info", "open.h5"}, m_path);
  QVERIFY(info.out.contains("codec gzip"));
  QCOMPARE(runFarfield({"convert", "cylinder.xyz", "-o", "x.h5", "--open", "--codec", "lz4"}, m_path).status,
           2);
}

void TestCliJobs::interrupted_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::newRow("convert") << QStringList{
      "convert", "sample://turbulence?size=400&curvilinear=true", "-o", "out/big.h5", "--processors", "1"};
  QTest::newRow("sample") << QStringList{"sample", "turbulence", "-o",       "out/big",
                                         "--size", "400",        "--format", "raw"};
  QTest::newRow("batchvis") << QStringList{"batchvis", "session.json", "-o",
                                           "out",      "--set",        "objects.lines.seeds.count=2000000"};
}

namespace {
/// Before it does, the signal would end it in the way that needs no program.
bool catchesInterrupts(const QProcess& process) {
  const QByteArray status = contents(QString("/proc/%1/status").arg(process.processId()));
  const qsizetype at = status.indexOf("SigCgt:");
  return at >= 0 &&
         (status.mid(at + 7, 30).split('\n').first().trimmed().toULongLong(nullptr, 16) >> (SIGINT - 1) &
          1) != 0;
}
/// Processor time, in hundredths of a second.
qulonglong processorTicks(const QProcess& process) {
  const QByteArray stat = contents(QString("/proc/%1/stat").arg(process.processId()));
  const QList<QByteArray> fields = stat.mid(stat.lastIndexOf(')') + 2).split(' ');
  return fields.value(11).toULongLong() + fields.value(12).toULongLong();
}
}  // namespace

void TestCliJobs::interrupted() {
  QFETCH(QStringList, arguments);
  QDir(m_path).mkdir("out");
  QProcess process;
  process.setWorkingDirectory(m_path);
  process.start(farfield::test::programPath(), arguments);
  QVERIFY(process.waitForStarted());
  QTRY_VERIFY_WITH_TIMEOUT(process.state() == QProcess::NotRunning || catchesInterrupts(process), 60'000);
  // Starting takes a tenth of that.
  QTRY_VERIFY_WITH_TIMEOUT(process.state() == QProcess::NotRunning || processorTicks(process) >= 10, 60'000);
  QVERIFY(process.state() == QProcess::Running);
  ::kill(static_cast<pid_t>(process.processId()), SIGINT);
  const Outcome outcome = farfield::test::outcomeOf(process);
  QVERIFY2(outcome.status == 130, outcome.errors);
  QVERIFY2(outcome.errors.endsWith("farfield: interrupted\n"), outcome.errors);
  // Nothing that looks finished, except what a conversion goes on from.
  for (const QString& file : QDir(m_path + "out").entryList(QDir::Files | QDir::Hidden))
    QVERIFY2(file.startsWith("big.h5.part"), qPrintable(file));
  QVERIFY(QDir(m_path + "out").removeRecursively());
}

QTEST_GUILESS_MAIN(TestCliJobs)
#include "tst_cli_jobs.moc"
