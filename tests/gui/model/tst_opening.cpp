// From files that somebody picked to data, and what a window knows beside them.

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTest>
#include <QUndoStack>
#include <semaphore>

#include "app/first/first_objects.h"
#include "app/model/app_model.h"
#include "app/model/batch_command.h"
#include "app/model/files/data_files.h"
#include "app/model/files/name_problem.h"
#include "app/model/files/plain_numbers.h"
#include "app/model/files/series_names.h"
#include "app/model/settings/settings.h"
#include "app/model/workshop/watchdog.h"
#include "core/session/json/session_json.h"
#include "tests/gui/model/theatre.h"

using namespace farfield;
using namespace farfield::app;
using namespace farfield::test;

namespace {

struct Files {
  explicit Files(const QStringList& names) {
    for (const QString& name : names) {
      QFile file(path(name));
      if (file.open(QIODevice::WriteOnly)) file.write("x");
    }
  }
  QString path(const QString& name) const {
    return QString::fromStdString(folder.path().string()) + '/' + name;
  }
  TemporaryFolder folder;
};

AppParts partsOf(const Files& files) {
  AppParts parts;
  parts.readers = sampleReaders();
  parts.settingsFile = files.path("settings.ini");
  parts.dataFolder = files.path("data");
  parts.cacheFolder = files.path("cache");
  return parts;
}

}  // namespace

class TestOpening : public QObject {
  Q_OBJECT
 private slots:
  void partnersAreFound_data();
  void partnersAreFound();
  void lonersStayAlone();
  void severalSolutionsAreSteps();
  void aSeriesBesideAGridIsItsSteps();
  void numberedSolutionsFindTheirGrid();
  void filesThatDifferByNumbersAreSteps();
  void namesOfData_data();
  void namesOfData();
  void namesOfSeries();
  void optionsStayWhatTheySay();
  void filesThatNobodyKnowsAreOneVolume();
  void patternsStandForTheirFiles();
  void kindsOfFiles();
  void foldersStandForWhatIsInThem();
  void batchCommands();
  void settingsAreRemembered();
  void lateSessionsAsk();
  void namesMayChangeWhileDataAreOpened();
  void whatIsOpenCanBeOpenedOnceMore();
  void stallsAreMeasured();
};

void TestOpening::partnersAreFound_data() {
  QTest::addColumn<QString>("grid");
  QTest::addColumn<QString>("solution");
  const std::pair<const char*, const char*> kPairs[] = {{"bluntfinxyz.bin", "bluntfinq.bin"},
                                                        {"wing.xyz", "wing.q"},
                                                        {"wing.x", "wing.q"},
                                                        {"wing.g", "wing.q"},
                                                        {"grid.in", "q.in"},
                                                        {"multi-bin.xyz", "multi-bin.q"},
                                                        {"xyz.dat", "q.dat"},
                                                        {"case_grid.p3d", "case_sol.p3d"},
                                                        {"WING.XYZ", "WING.Q"},
                                                        {"a.b_xyz.bin", "a.b_q.bin"}};
  for (const auto& [grid, solution] : kPairs) QTest::newRow(grid) << grid << solution;
}

void TestOpening::partnersAreFound() {
  QFETCH(QString, grid);
  QFETCH(QString, solution);
  const Files files({grid, solution, "other.xyz", "other.q", "readme.txt"});
  const std::vector<DataFiles> expected{{files.path(grid), {files.path(solution)}}};
  QCOMPARE(pairFiles({files.path(grid)}), expected);
  QCOMPARE(pairFiles({files.path(grid), files.path(solution)}), expected);
  QCOMPARE(pairFiles({files.path(solution), files.path(grid)}), expected);
  if (solution != "q.in" && solution != "case_sol.p3d") QCOMPARE(pairFiles({files.path(solution)}), expected);
}

void TestOpening::lonersStayAlone() {
  const Files files({"wing.xyz", "fin.q", "flow.h5", "box.xyz"});
  QCOMPARE(pairFiles({files.path("wing.xyz")}), (std::vector<DataFiles>{{files.path("wing.xyz"), {}}}));
  QCOMPARE(pairFiles({files.path("flow.h5")}), (std::vector<DataFiles>{{files.path("flow.h5"), {}}}));
  QCOMPARE(pairFiles({files.path("fin.q")}), (std::vector<DataFiles>{{files.path("fin.q"), {}}}));
  QCOMPARE(pairFiles({"sample://abc?size=9"}), (std::vector<DataFiles>{{"sample://abc?size=9", {}}}));
  // Picked together they belong together, whatever they are called.
  QCOMPARE(pairFiles({files.path("wing.xyz"), files.path("fin.q")}),
           (std::vector<DataFiles>{{files.path("wing.xyz"), {files.path("fin.q")}}}));
  QCOMPARE(pairFiles({files.path("wing.xyz"), files.path("box.xyz")}).size(), 2u);
}

void TestOpening::severalSolutionsAreSteps() {
  const Files files({"grid.xyz", "q_9.q", "q_10.q", "q_100.q"});
  const std::vector<DataFiles> found =
      pairFiles({files.path("q_100.q"), files.path("q_9.q"), files.path("grid.xyz"), files.path("q_10.q")});
  QCOMPARE(found.size(), 1u);
  QCOMPARE(found[0].solutions,
           (QStringList{files.path("q_9.q"), files.path("q_10.q"), files.path("q_100.q")}));
}

void TestOpening::aSeriesBesideAGridIsItsSteps() {
  const Files files({"grid2d.xyz", "q2d_009.q", "q2d_010.q", "q2d_100.q", "q3d_001.q", "q2d_last.q",
                     "wing.xyz", "wing.q", "wing_1.q", "fin.xyz"});
  const auto found = pairFiles({files.path("grid2d.xyz")});
  QCOMPARE(found.size(), 1u);
  QCOMPARE(found[0].solutions,
           (QStringList{files.path("q2d_009.q"), files.path("q2d_010.q"), files.path("q2d_100.q")}));
  // The one of the grid's own name goes before; nothing is found for others.
  QCOMPARE(pairFiles({files.path("wing.xyz")})[0].solutions, QStringList{files.path("wing.q")});
  QVERIFY(pairFiles({files.path("fin.xyz")})[0].solutions.isEmpty());
  // what only the grid's name says of how it is written or how fine it is does not count, if nothing has the whole name
  const Files more({"grid3d_le_f4_ib.xyz", "q3d_000.q", "q3d_001.q", "q2d_000.q", "wing_fine.xyz",
                    "wing_001.q", "fin_grid.x", "fin_1.q", "tail_grid_b.x", "tail_q_1.q", "tail_q_b_7.x"});
  QCOMPARE(pairFiles({more.path("grid3d_le_f4_ib.xyz")})[0].solutions,
           (QStringList{more.path("q3d_000.q"), more.path("q3d_001.q")}));
  QVERIFY(pairFiles({more.path("wing_fine.xyz")})[0].solutions.isEmpty());
  QVERIFY(pairFiles({more.path("fin_grid.x")})[0].solutions.isEmpty());
  QCOMPARE(pairFiles({more.path("tail_grid_b.x")})[0].solutions, QStringList{more.path("tail_q_b_7.x")});
  // Of several grids that are opened together, as with a folder, each has its own steps, of those that were picked.
  const Files both({"grid2d.xyz", "grid3d_le_f4.xyz", "q2d_0.q", "q2d_1.q", "q2d_2.q", "q3d_0.q", "q3d_1.q"});
  QStringList picked;
  for (const char* const name :
       {"grid2d.xyz", "grid3d_le_f4.xyz", "q2d_0.q", "q2d_2.q", "q3d_0.q", "q3d_1.q"})
    picked.append(both.path(name));
  QCOMPARE(pairFiles(picked),
           (std::vector<DataFiles>{
               {both.path("grid2d.xyz"), {both.path("q2d_0.q"), both.path("q2d_2.q")}},
               {both.path("grid3d_le_f4.xyz"), {both.path("q3d_0.q"), both.path("q3d_1.q")}}}));
}

/// As the grid finds them: what is opened are those that were picked.
void TestOpening::numberedSolutionsFindTheirGrid() {
  const Files files({"grid2d.xyz", "q2d_000.q", "q2d_001.q", "q2d_002.q", "grid3d_le_f4_ib.xyz", "q3d_003.q",
                     "wing.xyz", "wing_002.q", "fin_grid_le.x", "fin_q_1.q", "tail_grid_le.x",
                     "tail_grid_be.x", "tail_q_1.q", "tail_q_2.q", "8.q"});
  const auto of = [&](const QString& grid, const QStringList& names) {
    QStringList solutions;
    for (const QString& name : names) solutions.append(files.path(name));
    return std::vector<DataFiles>{{files.path(grid), solutions}};
  };
  QCOMPARE(pairFiles({files.path("q2d_001.q")}), of("grid2d.xyz", {"q2d_001.q"}));
  QCOMPARE(pairFiles({files.path("q2d_002.q"), files.path("q2d_000.q")}),
           of("grid2d.xyz", {"q2d_000.q", "q2d_002.q"}));
  QCOMPARE(pairFiles({files.path("q3d_003.q")}), of("grid3d_le_f4_ib.xyz", {"q3d_003.q"}));
  QCOMPARE(pairFiles({files.path("wing_002.q")}), of("wing.xyz", {"wing_002.q"}));
  QCOMPARE(pairFiles({files.path("fin_q_1.q")}), of("fin_grid_le.x", {"fin_q_1.q"}));
  // Two grids are as likely, so that somebody has to choose: what was picked stays together until then.
  QCOMPARE(pairFiles({files.path("tail_q_2.q"), files.path("tail_q_1.q")}),
           (std::vector<DataFiles>{{files.path("tail_q_1.q"), {}, {}, {files.path("tail_q_2.q")}}}));
  QCOMPARE(pairFiles({files.path("8.q")}), (std::vector<DataFiles>{{files.path("8.q"), {}}}));
}

void TestOpening::filesThatDifferByNumbersAreSteps() {
  const auto sets =
      pairFiles({"/d/flow_10.vtu", "/d/flow_2.vtu", "/d/wall.vtu", "/d1/flow_3.vtu", "/d/flow_2.nc"});
  const std::vector<DataFiles> wanted{{"/d/flow_2.vtu", {}, {}, {"/d/flow_10.vtu"}},
                                      {"/d/wall.vtu", {}},
                                      {"/d1/flow_3.vtu", {}},
                                      {"/d/flow_2.nc", {}}};
  QVERIFY(sets == wanted);
  const session::DataSource source = dataSource(sets.front(), "flow");
  QCOMPARE(source.source, (std::vector<std::string>{"/d/flow_2.vtu", "/d/flow_10.vtu"}));
  // Grids of PLOT3D are data sets each.
  QCOMPARE(pairFiles({"/d/wing_1.xyz", "/d/wing_2.xyz"}).size(), 2u);
}

/// Slices of a volume are told from what the formats know, whatever it is called.
void TestOpening::optionsStayWhatTheySay() {
  QCOMPARE(std::get<double>(optionOf("12")), 12.0);
  QCOMPARE(std::get<bool>(optionOf("true")), true);
  // Names of groups and arrays may be digits, too, and what is typed may have any number of them.
  for (const std::string text :
       {std::string("0012"), std::string("12345678901234567890"), std::string(400, '7'), std::string("1e3")})
    QCOMPARE(session::textOf(optionOf(text)), text);
}

void TestOpening::filesThatNobodyKnowsAreOneVolume() {
  const Files files({});
  const auto write = [&](const QStringList& names, const QByteArray& bytes) {
    QStringList paths;
    for (const QString& name : names) {
      paths.append(files.path(name));
      QFile file(paths.back());
      if (file.open(QIODevice::WriteOnly)) file.write(bytes);
    }
    return paths;
  };
  const QByteArray numbers = QByteArray("\x9c\x40\xf1\x07", 4).repeated(72);
  const QStringList slices = write({"head.10", "head.1", "head.2"}, numbers);
  const std::vector<DataFiles> volume{{slices[1], {}, {}, {slices[2], slices[0]}}};
  QVERIFY(pairFiles(slices) == volume);
  QVERIFY(isStack(volume.front()));
  const Picked picked = PathSorter::sort({files.path("head.*")});
  QCOMPARE(picked.data.size(), 1U);
  QCOMPARE(dataSource(picked.data.front(), "head").source,
           std::vector{files.path("head.[0-9]*").toStdString()});
  QCOMPARE(nameForSteps(slices), QString("head"));
  const auto sizes = sizesOf({files.path("head.[0-9]*")});
  QVERIFY(sizes && sizes->count == 3 && sizes->least == numbers.size() && sizes->bytes == 3 * numbers.size());
  QVERIFY(!sizesOf({files.path("none.1")}));
  // One that is cut off is none of them; nor is one of another name, or alone.
  QCOMPARE(pairFiles(slices + write({"head.11"}, numbers.left(100))).size(), 2U);
  QCOMPARE(pairFiles({slices[0], write({"tail.2"}, numbers)[0]}).size(), 2U);
  QVERIFY(!isStack(pairFiles({slices[0]}).front()));
  // Grids by their size, text, pictures, what has a mark of a format, and what is empty are what they were.
  QByteArray grid;
  for (const char count : {2, 3, 2}) grid.append(count).append(QByteArray(3, '\0'));
  grid.append(QByteArray("\0\0\x80\x3f", 4).repeated(36));
  const std::pair<const char*, QByteArray> others[] = {
      {"grid", grid},
      {"text", "Some words, and more of them.\n"},
      {"numbers", "2 2 2\n0 1 0 1 0 1 0 1 0 0 1 1 0 0 1 1 0 0 0 0 1 1 1 1\n"},
      {"picture", QByteArray("\x89PNG\r\n\x1a\n", 8) + numbers},
      {"hdf", QByteArray("\x89HDF\r\n\x1a\n", 8) + numbers},
      {"nrrd", "NRRD0004\n" + numbers},
      {"cdf", "CDF\x01" + numbers},
      {"empty", {}}};
  for (const auto& [name, bytes] : others) {
    const QStringList two = write({name + QString("_1.bin"), name + QString("_2.bin")}, bytes);
    QVERIFY2(pairFiles(two).size() == 2, name);
    QVERIFY2(!mayBePlainNumbers(two[0]), name);
  }
}

void TestOpening::namesOfData_data() {
  QTest::addColumn<QString>("source");
  QTest::addColumn<QString>("name");
  QTest::newRow("grid") << "/a/bluntfinxyz.bin"
                        << "bluntfin";
  QTest::newRow("xyz alone") << "/a/xyz.bin"
                             << "xyz";
  QTest::newRow("dots") << "/a/wing.2.h5"
                        << "wing_2";
  QTest::newRow("folder of a version") << "/a/simple_0.4"
                                       << "simple_0_4";
  QTest::newRow("folder, named as one") << "/a/simple_0.5/"
                                        << "simple_0_5";
  QTest::newRow("version and ending") << "/a/simple_0.4.h5"
                                      << "simple_0_4";
  QTest::newRow("folder with an ending") << "/a/image.zarr/"
                                         << "image";
  QTest::newRow("step") << "/a/plt.00010"
                        << "plt_00010";
  QTest::newRow("url of a version") << "https://a.org/b/simple_0.4"
                                    << "simple_0_4";
  QTest::newRow("url of a folder") << "https://a.org/b/image.zarr/?x=1.h5"
                                   << "image";
  QTest::newRow("url") << "sample://tornado?size=9"
                       << "tornado";
  QTest::newRow("host") << "slab://127.0.0.1:4791"
                        << "127_0_0_1_4791";
  QTest::newRow("nothing") << "/"
                           << "data";
}

void TestOpening::namesOfData() {
  QFETCH(QString, source);
  QFETCH(QString, name);
  QCOMPARE(nameForData(source), name);
  QVERIFY(nameProblem(nameForData(source)).isEmpty());
}

void TestOpening::namesOfSeries() {
  const QStringList steps{"/a/w_8.vtu", "/a/w_9.vtu", "/a/w_10.vtu"};
  QCOMPARE(nameOfSeries(steps), "w_*.vtu");
  QCOMPARE(nameForSteps(steps), "w");
  // Numbers are told apart as a whole, and what follows them stays.
  QCOMPARE(nameOfSeries({"q010_le.nc", "q011_le.nc"}), "q*_le.nc");
  QCOMPARE(nameForSteps(QStringList{"q010_le.nc", "q011_le.nc"}), "q_le");
  QCOMPARE(nameForSteps(QStringList{"run 1.0.nc", "run 1.5.nc"}), "run 1");
  QCOMPARE(nameForSteps(QStringList{"day-2016-01.nc", "day-2017-12.nc"}), "day");
  // No series, and nothing to call one by.
  QCOMPARE(nameOfSeries({"wing.xyz", "wing.q"}), QString());
  QCOMPARE(nameOfSeries({"wing_1.vtu"}), QString());
  QCOMPARE(nameForSteps(QStringList{"a/1.vtu", "a/2.vtu"}), "1");
}

/// A series is opened as a pattern where this finds what was picked and nothing else.
void TestOpening::patternsStandForTheirFiles() {
  const Files files({"w_8.vtu", "w_9.vtu", "w_10.vtu", "w_mean.vtu", "grid2d.xyz", "q2d_000.q", "q2d_001.q",
                     "a[1]_1.vtu", "a[1]_2.vtu", "b_1.vtu", "b_2.vtu", "b_2_old.vtu", "c_7.vtu"});
  const auto paths = [&](const QStringList& names) {
    QStringList all;
    for (const QString& name : names) all.append(files.path(name));
    return all;
  };
  const QString pattern = files.path("w_[0-9]*.vtu");
  const QStringList steps = paths({"w_8.vtu", "w_9.vtu", "w_10.vtu"});
  QCOMPARE(patternThatFinds(steps), pattern);
  QCOMPARE(filesOf(pattern), steps);
  QCOMPARE(shownPattern(pattern), files.path("w_*.vtu"));
  // Some of them are those that somebody chose, in the order chosen.
  QCOMPARE(patternThatFinds(paths({"w_8.vtu", "w_10.vtu"})), QString());
  QCOMPARE(patternThatFinds(paths({"w_9.vtu", "w_8.vtu", "w_10.vtu"})), QString());
  // Other files that begin with a number are no steps.
  QCOMPARE(patternThatFinds(paths({"b_1.vtu", "b_2.vtu"})), files.path("b_[0-9]*.vtu"));
  QCOMPARE(filesOf(files.path("b_[0-9]*.vtu")), paths({"b_1.vtu", "b_2.vtu"}));
  // One file is itself; a pattern of such a name would be another one.
  QCOMPARE(patternThatFinds(paths({"c_7.vtu"})), QString());
  QCOMPARE(patternThatFinds(paths({"a[1]_1.vtu", "a[1]_2.vtu"})), QString());
  QCOMPARE(patternThatFinds({"far://host/w_1.vtu", "far://host/w_2.vtu"}), QString());
  // What finds nothing is itself, of which opening says so.
  QCOMPARE(filesOf(files.path("z_*.vtu")), QStringList{files.path("z_*.vtu")});
  QCOMPARE(filesOf(files.path("a[1]_1.vtu")), QStringList{files.path("a[1]_1.vtu")});

  const auto sourceOf = [&](const QStringList& picked) {
    const std::vector<DataFiles> data = PathSorter::sort(picked).data;
    return data.size() == 1 ? dataSource(data.front(), "w") : session::DataSource();
  };
  const std::string found = pattern.toStdString();
  QCOMPARE(sourceOf({steps[2], steps[0], steps[1]}).source, std::vector{found});
  QCOMPARE(sourceOf({pattern}).source, std::vector{found});
  QCOMPARE(sourceOf({steps[2], steps[1]}).source,
           (std::vector{steps[1].toStdString(), steps[2].toStdString()}));
  // Of a grid its solutions are.
  const session::DataSource grid = sourceOf(paths({"grid2d.xyz"}));
  QCOMPARE(grid.source, std::vector{files.path("grid2d.xyz").toStdString()});
  QCOMPARE(grid.solution, std::vector{files.path("q2d_[0-9]*.q").toStdString()});
  QCOMPARE(sourceOf(paths({"grid2d.xyz", "q2d_001.q"})).solution,
           std::vector{files.path("q2d_001.q").toStdString()});
}

void TestOpening::kindsOfFiles() {
  const Files files({"a.json", "b.json"});
  QFile session(files.path("a.json"));
  QVERIFY(session.open(QIODevice::WriteOnly));
  session.write(" \n{ \"farfield\": 1 }");
  session.close();
  QVERIFY(kindOf(files.path("a.json")) == FileKind::Session);
  QVERIFY(kindOf(files.path("b.json")) == FileKind::Data);
  QVERIFY(kindOf("/nowhere/c.json") == FileKind::Session);  // its error says more as a session's
  QFile foreign(files.path("b.json"));
  QVERIFY(foreign.open(QIODevice::WriteOnly));
  foreign.write("{ \"name\": \"something else\" }");
  foreign.close();
  QVERIFY(kindOf(files.path("b.json")) == FileKind::Foreign);
  QVERIFY(QDir().mkdir(files.path("folder.json")));
  QVERIFY(kindOf(files.path("folder.json")) == FileKind::Folder);
  QVERIFY(kindOf("wing.xyz") == FileKind::Data);
  QVERIFY(kindOf("sample://abc") == FileKind::Data);
}

void TestOpening::foldersStandForWhatIsInThem() {
  const Files files({"readme.txt"});
  const auto write = [&](const QString& name, const QByteArray& text = "x") {
    const QFileInfo info(files.path(name));
    QFile file(info.filePath());
    return QDir().mkpath(info.path()) && file.open(QIODevice::WriteOnly) && file.write(text) > 0;
  };
  const auto sorted = [&](const QStringList& names) {
    QStringList paths;
    for (const QString& name : names) paths.append(files.path(name));
    return PathSorter::sort(paths);
  };
  constexpr const char *kSession = R"({"farfield": 1})", *kForeign = R"({"name": "something else"})";
  QVERIFY(write("case/wing.xyz") && write("case/wing.q") && write("case/fin.h5") && write("case/notes.txt"));
  QVERIFY(write("case/package.json", kForeign) && write("case/case.json", kSession));
  QVERIFY(write("foreign.json/package.json", kForeign) && write("foreign.json/notes.txt"));
  QVERIFY(write("one/a.json", kSession) && write("one/b.json", kForeign));
  QVERIFY(write("two/a.json", kSession) && write("two/b.json", kSession));
  for (int n = 0; n < 30; ++n) QVERIFY(write(QString("many/%1wing.h5").arg(n)));

  Picked picked = sorted({"case"});
  QVERIFY(picked.session.isEmpty() && picked.remarks.isEmpty());
  QCOMPARE(picked.data.size(), 2u);
  QVERIFY(std::find(picked.data.begin(), picked.data.end(),
                    DataFiles{files.path("case/wing.xyz"), {files.path("case/wing.q")}}) !=
          picked.data.end());
  picked = sorted({"one"});
  QCOMPARE(picked.session, files.path("one/a.json"));
  QVERIFY(picked.data.empty() && picked.remarks.isEmpty());
  for (const char* const folder : {"foreign.json", "two", "many"}) {
    picked = sorted({folder});
    QVERIFY2(picked.isEmpty(), folder);
    QCOMPARE(picked.remarks.size(), 1);
    QVERIFY(picked.remarks[0].contains(files.path(folder)));
  }
  picked = sorted({"foreign.json/package.json"});
  QVERIFY(picked.isEmpty());
  QVERIFY(picked.remarks.value(0).startsWith("package.json is a JSON file, but no Farfield session"));
  // What can be opened is, whatever lies beside it.
  picked = sorted({"case/package.json", "case/wing.xyz", "foreign.json"});
  QCOMPARE(picked.data.size(), 1u);
  QCOMPARE(picked.remarks.size(), 2);
  // Folders that are data sets, alone and in another one.
  QVERIFY(write("field.zarr/.zgroup") && write("run/field.zarr/zarr.json") && write("run/plt00010/Header") &&
          write("run/plt00010/Level_0/Cell_H") && write("run/notes.txt"));
  picked = sorted({"field.zarr"});
  QCOMPARE(picked.data, (std::vector{DataFiles{files.path("field.zarr"), {}}}));
  // A file of such a folder stands for it, whatever JSON it is; several are of one.
  QVERIFY(write("ome/zarr.json", kForeign) && write("ome/scale0/zarr.json", kForeign) &&
          write("old/.zarray", kForeign) &&
          write("big/zarr.json", QByteArray("{\"metadata\": \"" + QByteArray(100'000, 'x') + "\"}")));
  QVERIFY(kindOf(files.path("ome/zarr.json")) == FileKind::Data);
  QCOMPARE(sorted({"ome/zarr.json"}).data, (std::vector{DataFiles{files.path("ome"), {}}}));
  QCOMPARE(sorted({"ome/zarr.json", "old/.zarray"}).data,
           (std::vector{DataFiles{files.path("ome"), {}}, DataFiles{files.path("old"), {}}}));
  QCOMPARE(sorted({"big/zarr.json"}).data, (std::vector{DataFiles{files.path("big"), {}}}));
  QCOMPARE(sorted({"run/plt00010/Header", "run/plt00010/Header"}).data,
           (std::vector{DataFiles{files.path("run/plt00010"), {}}}));
  picked = sorted({"run"});
  QCOMPARE(picked.data, (std::vector{DataFiles{files.path("run/field.zarr"), {}},
                                     DataFiles{files.path("run/plt00010"), {}}}));
  // Pieces are part of what names them.
  QVERIFY(write("vtk/all.pvd") && write("vtk/a_0.vtu") && write("vtk/a_1.vtu") && write("vtk/wing.h5"));
  picked = sorted({"vtk"});
  QCOMPARE(picked.data.size(), 2u);
  QCOMPARE(picked.data[0].source, files.path("vtk/all.pvd"));
  QVERIFY(write("lone/a.vtu"));
  QCOMPARE(sorted({"lone"}).data.size(), 1u);
  // A session is not opened behind the back of who picked data first.
  picked = sorted({"case/wing.xyz", "case/case.json"});
  QCOMPARE(picked.session, files.path("case/case.json"));
  QVERIFY(picked.data.empty());
  QCOMPARE(picked.remarks.size(), 1);
}

void TestOpening::batchCommands() {
  QCOMPARE(batchCommand("wing.json", 512 * kMiB), "farfield batchvis wing.json --memory 512M -o .");
  QCOMPARE(batchCommand("my wing's.json", 512 * kMiB),
           "farfield batchvis 'my wing'\\''s.json' --memory 512M -o .");
  QCOMPARE(batchCommand("wing.json", 512 * kMiB, {"time.steps=3", "image.orientation=true"}),
           "farfield batchvis wing.json --memory 512M -o . --set time.steps=3 --set image.orientation=true");
  // Words that a shell would read otherwise.
  QCOMPARE(batchCommand("wing.json", 512 * kMiB, {"image.size=[3,2]"}, 1.5),
           "farfield batchvis wing.json --memory 512M -o . --set 'image.size=[3,2]' --line-scale 1.5");
  // An object may be called like the place of another.
  const char* const session = R"({"farfield":1,"data":{"flow":{"source":"sample://abc"}},"objects":[
    {"name":"1","type":"outline"},{"name":"02","type":"outline"},{"name":"2","type":"outline"}]})";
  const std::vector<session::Object> objects = session::parseSession(session).objects;
  for (std::size_t place = 0; place < objects.size(); ++place) {
    const session::Session changed =
        session::parseSession(session, {pathOfObject(objects, place) + ".visible=false"});
    for (std::size_t each = 0; each < objects.size(); ++each)
      QCOMPARE(changed.objects[each].visible, each != place);
  }
}

void TestOpening::settingsAreRemembered() {
  const TemporaryFolder folder;
  const QString file = QString::fromStdString((folder / "settings.ini").string());
  {
    Settings settings(file);
    QVERIFY(settings.memoryBytes() >= 256 * kMiB);
    QVERIFY(settings.processors() >= 1);
    settings.setMemoryBytes(300 * kMiB);
    settings.setTheme(Theme::Dark);
    for (int n = 0; n < 30; ++n) settings.addRecent(QString::number(n));
    settings.addRecent("25");
    settings.setMemoryBytes(1);  // less than anything works with
  }
  Settings settings(file);
  QCOMPARE(settings.memoryBytes(), kLeastMemoryBytes);
  QVERIFY(settings.theme() == Theme::Dark);
  QCOMPARE(settings.recent().size(), 12);
  QCOMPARE(settings.recent().mid(0, 3), (QStringList{"25", "29", "28"}));
  settings.removeRecent("29");
  QCOMPARE(settings.recent().value(1), "28");
}

/// What is done while a session file is long in coming is not thrown away for it.
void TestOpening::lateSessionsAsk() {
  const Files files({});
  AppParts parts;
  parts.readers = sampleReaders();
  parts.settingsFile = files.path("settings.ini");
  parts.dataFolder = files.path("data");
  parts.cacheFolder = files.path("cache");
  AppModel model(std::move(parts));
  const auto addOutline = [&] {
    session::Object outline;
    outline.name = "outline";
    outline.data = "abc";
    outline.shape = session::Outline{};
    model.document().addObject(outline);
  };
  model.open({"sample://abc?size=9"});
  const QString path = files.path("work.json");
  QSignalSpy saved(&model, &AppModel::saved), loaded(&model, &AppModel::sessionLoaded);
  model.save(path);
  QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, kPatienceMs);
  std::function<void()> open;
  QObject::connect(&model, &AppModel::changedMeanwhile, &model,
                   [&](const QString&, const std::function<void()>& its) { open = its; });
  // What was there before was asked about.
  addOutline();
  model.openSession(path);
  QTRY_COMPARE_WITH_TIMEOUT(loaded.size(), 1, kPatienceMs);
  QVERIFY(!open);
  std::binary_semaphore letOn(0);
  model.files().run([&] { letOn.acquire(); });
  model.openSession(path);
  addOutline();
  letOn.release();
  QTRY_VERIFY_WITH_TIMEOUT(open, kPatienceMs);
  QCOMPARE(loaded.size(), 1);
  QVERIFY(model.document().isModified() && model.document().undoStack().canUndo());
  open();
  QCOMPARE(loaded.size(), 2);
  QVERIFY(!model.document().isModified());
}

/// They show what they would have shown.
void TestOpening::namesMayChangeWhileDataAreOpened() {
  const Files files({});
  AppModel model(partsOf(files));
  model.open({"sample://abc?size=9"});
  // What comes of it is heard of later.
  QCOMPARE(model.document().renameData("abc", "flow"), QString());
  QTRY_VERIFY_WITH_TIMEOUT(model.stage().summary("flow"), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(!model.document().session().objects.empty(), kPatienceMs);
  QCOMPARE(model.document().session().objects.front().data, std::string("flow"));
}

/// It shows as much as the first time, and one step takes it back.
void TestOpening::whatIsOpenCanBeOpenedOnceMore() {
  const Files files({});
  AppModel model(partsOf(files));
  const auto count = [&] { return model.document().session().objects.size(); };
  model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(count() > 0, kPatienceMs);
  const std::size_t first = count();
  model.open({"sample://abc?size=9"});
  QTRY_COMPARE_WITH_TIMEOUT(count(), 2 * first, kPatienceMs);
  const session::Session& session = model.document().session();
  QCOMPARE(session.data.size(), std::size_t{2});
  QCOMPARE(session.objects.back().data, session.data.back().name);
  model.document().undoStack().undo();
  QVERIFY(session.data.size() == 1 && count() == first);
}

void TestOpening::stallsAreMeasured() {
  Watchdog watchdog;
  watchdog.start();
  QTRY_VERIFY_WITH_TIMEOUT(watchdog.report().samples > 10, kPatienceMs);
  QTest::qSleep(300);  // this is what a stall is
  QTRY_VERIFY_WITH_TIMEOUT(watchdog.report().worstMs > 200, kPatienceMs);
  const Watchdog::Report report = watchdog.report();
  QVERIFY(report.over50Ms >= 1);
  QVERIFY(report.medianMs < report.worstMs);
  QVERIFY(report.p999Ms <= report.worstMs && report.p999Ms > 200);
  watchdog.reset();
  QVERIFY(watchdog.report().worstMs < 200);
}

QTEST_MAIN(TestOpening)
#include "tst_opening.moc"
