// From files that somebody picked to data and first objects.

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTest>

#include "app/first/first_objects.h"
#include "app/first/first_places.h"
#include "app/first/first_view.h"
#include "app/model/data_files.h"
#include "app/model/document.h"
#include "app/model/place.h"
#include "app/model/series_names.h"
#include "app/model/settings.h"
#include "app/model/watchdog.h"
#include "app/model/window_kinds.h"
#include "core/session/kinds/slabs/slabs_run.h"
#include "core/session/run/object_run.h"
#include "core/session/session_json.h"
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

}  // namespace

class TestOpening : public QObject {
  Q_OBJECT
 private slots:
  void partnersAreFound_data();
  void partnersAreFound();
  void lonersStayAlone();
  void severalSolutionsAreSteps();
  void aSeriesBesideAGridIsItsSteps();
  void filesThatDifferByNumbersAreSteps();
  void namesOfData_data();
  void namesOfData();
  void namesOfSeries();
  void kindsOfFiles();
  void foldersStandForWhatIsInThem();
  void firstObjectsCanBeComputed_data();
  void firstObjectsCanBeComputed();
  void whatARendererHasIsShown();
  void flatDataAreSeenFromAbove();
  void axesOfOtherUnitsAreStretched();
  void firstObjectsSuitTheData();
  void numbersOfNodesAreNotShownFirst();
  void whatIsConstantIsNotShownFirst();
  void vectorsAreSeenByTheirLength();
  void chosenValuesHaveFewDigits();
  void vectorsAreFoundByTheirParts();
  void isosurfacesAreOfWhatIsSmooth();
  void sheetsHaveNoInside();
  void batchCommands();
  void settingsAreRemembered();
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

void TestOpening::firstObjectsCanBeComputed_data() {
  QTest::addColumn<QString>("sample");
  for (const char* name : {"tornado?size=17", "abc?size=17", "taylor-green?size=17", "cylinder?size=33,17,5",
                           "cylinder?size=17,17,9&blocks=7", "marschner-lobb?size=17", "turbulence?size=17"})
    QTest::newRow(name) << QString("sample://") + name;
}

void TestOpening::firstObjectsCanBeComputed() {
  QFETCH(QString, sample);
  Theatre theatre;
  theatre.document.edit("Open", [&](Draft& draft) {
    draft.frame().data.push_back({"flow", {sample.toStdString()}, {}, {}, {}});
  });
  QTRY_VERIFY_WITH_TIMEOUT(theatre.stage.summary("flow") != nullptr, kPatienceMs);
  const DataSummary& data = *theatre.stage.summary("flow");
  std::vector<session::Object> objects = firstObjects(data, "flow");
  QVERIFY(objects.size() >= 2);
  QVERIFY(objects[0].type() == session::kTypeOf<session::Outline>);
  // A scalar alone is seen as a volume, though its gradient is a vector; casting it is the window's.
  const bool isScalar = sample.contains("marschner-lobb");
  QCOMPARE(objects[1].type() == session::kTypeOf<session::Volume>, isScalar);
  if (isScalar) objects.pop_back();
  // Those that can be added must be computable, too, with every kind of seeds.
  using session::ObjectType;
  for (const ObjectType type : {session::kTypeOf<session::GridSurface>, session::kTypeOf<session::Outline>})
    objects.push_back(newObject(type, data, "flow"));
  if (!vectorFunctions(data).empty())
    for (std::size_t kind = 0; kind < std::variant_size_v<session::Seeds>; ++kind) {
      session::Object lines = newObject(session::kTypeOf<session::Streamlines>, data, "flow");
      auto& shape = std::get<session::Streamlines>(lines.shape);
      shape.seeds = newSeeds(kind, data);
      QCOMPARE(shape.seeds.index(), kind);
      shape.integrator.maxSteps = 500;
      objects.push_back(lines);
    }
  std::vector<ObjectId> ids;
  theatre.document.edit("Add", [&](Draft& draft) {
    for (const session::Object& object : objects) ids.push_back(draft.add(object));
  });
  for (const ObjectId id : ids) {
    QTRY_VERIFY_WITH_TIMEOUT(
        theatre.stateOf(id) == ObjectState::Done || theatre.stateOf(id) == ObjectState::Failed, kPatienceMs);
    const ObjectStatus status = theatre.stage.status(id);
    QVERIFY2(status.state == ObjectState::Done,
             (theatre.document.object(id)->name + ": " + status.problem.message).c_str());
  }
  // What opens by itself shows something: most of the seeds lie in the data.
  if (!vectorFunctions(data).empty() && !isScalar) {
    const session::ObjectStats stats = theatre.stage.status(ids[1]).stats;
    const auto outside = stats.terminations.find("seed-outside");
    QVERIFY(stats.count >= 20);
    QVERIFY(outside == stats.terminations.end() || outside->second < stats.count / 2);
    // And they show all of the data, however many blocks there are.
    const Vec3 seen = theatre.stage.status(ids[1]).bounds.max - theatre.stage.status(ids[1]).bounds.min;
    const Vec3 size = data.bounds.max - data.bounds.min;
    QVERIFY(seen.x > 0.6 * size.x && seen.y > 0.6 * size.y);
    QVERIFY(seen.z > 0.45 * size.z);  // few nodes, none on faces, and some flows stay in their plane
  }
  // And all of it can be saved.
  QCOMPARE(session::parseSession(session::toJson(theatre.document.session())).objects.size(), objects.size());
}

void TestOpening::whatARendererHasIsShown() {
  DataSummary data;
  data.description.attributes[session::kRendererAttribute] = "slab://cluster:4790";
  data.description.attributes[session::kRendererFunctions] = "pressure\nvelocity-magnitude";
  const std::vector<session::Object> objects = firstObjects(data, "run");
  QCOMPARE(objects.size(), 2u);
  QVERIFY(objects[1].type() == session::kTypeOf<session::Slabs>);
  QCOMPARE(objects[1].color.by, std::string("velocity-magnitude"));
  QCOMPARE(objects[1].data, std::string("run"));
  QVERIFY(std::get<session::Slabs>(objects[1].shape).source.empty());  // that of the data
  for (const WindowKind& kind : windowKinds())
    QCOMPARE(canAdd(kind, data), kind.type == session::kTypeOf<session::Outline>);
  const Place place("slab://cluster:4790");
  QVERIFY2(place.canBeOpened() && !place.canBeListed(), qPrintable(place.problem()));
  QCOMPARE(place.toKeep(), "slab://cluster:4790");
  QVERIFY(!Place("slab://cluster:4790/path").canBeOpened());
  QVERIFY(!Place("slab://").problem().isEmpty());
}

void TestOpening::flatDataAreSeenFromAbove() {
  DataSummary data;
  QVERIFY(!firstView(data));
  data.bounds.add(Vec3{-1, -1, 2});
  data.bounds.add(Vec3{5, 3, 2});
  QVERIFY(firstView(data) && firstView(data)->direction == (Vec3{0, 0, 1}));
  data.bounds.add(Vec3{0, 0, 3});
  QVERIFY(!firstView(data));
  // Whichever way they lie.
  DataSummary upright;
  upright.bounds.add(Vec3{0, 2, 0});
  upright.bounds.add(Vec3{5, 2, 3});
  QVERIFY(firstView(upright) && firstView(upright)->direction == (Vec3{0, -1, 0}));
  DataSummary across;
  across.bounds.add(Vec3{4, 0, 0});
  across.bounds.add(Vec3{4, 2, 3});
  QVERIFY(firstView(across) && firstView(across)->direction == (Vec3{1, 0, 0}));
}

/// Depths in metres over degrees have no proportions; of one unit, what is long is left as it is.
void TestOpening::axesOfOtherUnitsAreStretched() {
  DataSummary ocean;
  ocean.description.blocks.emplace_back().dims = {360, 180, 20};
  ocean.bounds.add(Vec3{20.5, -89.5, -5000});
  ocean.bounds.add(Vec3{379.5, 89.5, 0});
  QVERIFY(!unevenSides(ocean, ocean.bounds) && !firstView(ocean));
  auto& said = ocean.description.attributes;
  said = {{"axisUnits.x", "degrees_east"}, {"axisUnits.y", "degrees_north"}, {"axisUnits.z", "METERS"}};
  const auto sides = unevenSides(ocean, ocean.bounds);
  QVERIFY(sides && sides->longest == 2 && sides->shortest == 1 && sides->differ());
  QCOMPARE(sides->shortestUnits, std::string("degrees"));
  session::AutoCamera view;
  view.stretch = {1, 1, 0.04};
  QVERIFY(firstView(ocean) == view);
  // degrees to the east are as long as those to the north
  ocean.bounds = {};
  ocean.bounds.add(Vec3{0, 0, 0});
  ocean.bounds.add(Vec3{60, 1, 10});
  QVERIFY(unevenSides(ocean, ocean.bounds) && !unevenSides(ocean, ocean.bounds)->differ());
  QVERIFY(!firstView(ocean));
  // as far apart as is seen well
  ocean.bounds = {};
  ocean.bounds.add(Vec3{0, 0, 0});
  ocean.bounds.add(Vec3{5, 4, 1});
  QVERIFY(!unevenSides(ocean, ocean.bounds));
}

/// What is shown first can be shown: no surface of a row of nodes, no lines in a sheet that has no places, none of what is no flow.
void TestOpening::firstObjectsSuitTheData() {
  using session::ObjectType;
  const auto firstOf = [](Index3 dims, const char* vector) {
    DataSummary data;
    data.bounds.add(Vec3{0, 0, 0});
    data.bounds.add(Vec3{1, 1, 1});
    paging::BlockDescription block;
    block.kind = paging::GridKind::Curvilinear;
    block.dims = dims;
    data.description.blocks = {block};
    data.functions = {{"value", 0, 1, {}}};
    if (*vector) data.functions.push_back({vector, 0, 3, {}});
    const std::vector<session::Object> objects = firstObjects(data, "d");
    return objects.size() < 2 ? ObjectType{} : objects.back().type();
  };
  const ObjectType nothing{}, surface = session::kTypeOf<session::GridSurface>,
                              lines = session::kTypeOf<session::Streamlines>;
  QVERIFY(firstOf({1, 1, 1}, "") == nothing);
  QVERIFY(firstOf({27, 1, 1}, "") == nothing);
  QVERIFY(firstOf({27, 5, 1}, "") == surface);
  QVERIFY(firstOf({27, 5, 1}, "momentum") == lines);
  QVERIFY(firstOf({1, 27, 5}, "momentum") == surface);
  QVERIFY(firstOf({9, 8, 7}, "momentum") == lines);
  for (const char* const moved : {"DISPL", "Dof-Displacement", "displ_"})
    QVERIFY2(firstOf({9, 8, 7}, moved) == surface, moved);
}

void TestOpening::numbersOfNodesAreNotShownFirst() {
  DataSummary data;
  for (const char* const name : {"GlobalNodeId", "strain", "PedigreeNodeId"}) {
    fields::FunctionInfo function;
    function.name = name;
    function.components = 1;
    data.functions.push_back(function);
  }
  data.bounds.add(Vec3{0, 0, 0});
  data.bounds.add(Vec3{1, 1, 1});
  QCOMPARE(usualScalar(data), std::string("strain"));
  const session::Object surface = newIsosurface(data);
  QCOMPARE(std::get<session::Isosurface>(surface.shape).by, std::string("strain"));
  QVERIFY2(surface.color.by.empty(), surface.color.by.c_str());
}

/// Where another is known to vary: in the stored ranges, or at the nodes that were looked at.
void TestOpening::whatIsConstantIsNotShownFirst() {
  const auto made = [](const char* first, std::map<std::string, std::array<double, 2>> ranges, bool seen) {
    DataSummary data;
    for (const char* const name : {first, "u", "salt", "mask_id"}) data.functions.push_back({name, 0, 1, {}});
    data.bounds.add(Vec3{0, 0, 0});
    data.bounds.add(Vec3{1, 1, 1});
    (seen ? data.seenRanges : data.ranges) = std::move(ranges);
    return data;
  };
  for (const char* const first : {"Temperature", "pressure", "velocity-magnitude"})
    for (const bool seen : {false, true}) {
      const DataSummary still = made(first, {{first, {0, 0}}, {"u", {0, 0}}, {"salt", {34, 36}}}, seen);
      QCOMPARE(usualScalar(still), std::string("salt"));
      QCOMPARE(wallScalar(still), std::string("salt"));
      QCOMPARE(newSliceObject(still).color.by, std::string("salt"));
      const session::Object surface = newIsosurface(still);
      QCOMPARE(std::get<session::Isosurface>(surface.shape).by, std::string("salt"));
      QVERIFY2(surface.color.by.empty(), surface.color.by.c_str());
      // Not for what nothing is known of, nor for numbers of nodes.
      const DataSummary others = made(first, {{first, {0, 0}}, {"mask_id", {1, 9}}}, seen);
      QCOMPARE(usualScalar(others), std::string(first));
      QCOMPARE(usualScalar(made(first, {{first, {0, 1}}, {"salt", {34, 36}}}, seen)), std::string(first));
      QCOMPARE(usualScalar(made(first, {}, seen)), std::string(first));
    }
}

/// A volume of a vector, too.
void TestOpening::vectorsAreSeenByTheirLength() {
  DataSummary data;
  paging::ArrayDescription velocity;
  velocity.name = "velocity";
  velocity.components = 3;
  velocity.componentNames = {"velocity-x", "velocity-y", "velocity-z"};
  data.description.arrays = {velocity};
  for (const char* const name : {"velocity-x", "velocity-y", "velocity-z", "velocity-magnitude"})
    data.functions.push_back({name, 0, 1, {}});
  QCOMPARE(newVolume(data).color.by, std::string("velocity-magnitude"));
  // A scalar that is stored comes before all that is computed.
  paging::ArrayDescription density;
  density.name = "density";
  data.description.arrays.insert(data.description.arrays.begin(), density);
  data.functions.push_back({"density", 0, 1, {}});
  QCOMPARE(newVolume(data).color.by, std::string("density"));
}

void TestOpening::chosenValuesHaveFewDigits() {
  DataSummary data;
  fields::FunctionInfo function;
  function.name = "TEMP";
  function.components = 1;
  data.functions.push_back(function);
  data.bounds.add(Vec3{0, 0, 0});
  data.bounds.add(Vec3{1, 1, 1});
  data.ranges["TEMP"] = {double(-2.29f), double(29.724f)};
  QCOMPARE(std::get<session::Isosurface>(newIsosurface(data).shape).values, std::vector<double>{13.72});
}

/// What lines follow is a vector, or functions that are named as the parts of one.
void TestOpening::vectorsAreFoundByTheirParts() {
  using Names = std::vector<std::string>;
  const auto vectorOf = [](const Names& scalars, const Names& vectors = {}) {
    DataSummary data;
    paging::BlockDescription block;
    block.dims = {9, 8, 7};
    data.description.blocks = {block};
    for (const std::string& name : scalars) data.functions.push_back({name, 0, 1, {}});
    for (const std::string& name : vectors) data.functions.push_back({name, 0, 3, {}});
    const Names vector = usualVector(data);
    // What is offered can be made, and what is made has it.
    if (canAdd(windowKind(session::kTypeOf<session::Streamlines>), data) == vector.empty())
      return Names{"wrong"};
    if (const session::Object arrows = newArrows(data);
        !vector.empty() && std::get<session::Arrows>(arrows.shape).vector != vector)
      return Names{"wrong"};
    return vector;
  };
  QCOMPARE(vectorOf({"temp", "salt", "u", "v"}), (Names{"u", "v", "0"}));
  QCOMPARE(vectorOf({"v", "w", "u", "p"}), (Names{"u", "v", "w"}));
  QCOMPARE(vectorOf({"Vx", "Vy", "Vz"}), (Names{"Vx", "Vy", "Vz"}));
  QCOMPARE(vectorOf({"U_0", "U_1", "U_2"}), (Names{"U_0", "U_1", "U_2"}));
  QCOMPARE(vectorOf({"u", "v"}, {"B"}), Names{"B"});
  QCOMPARE(vectorOf({"u", "v"}, {"B", "velocity"}), Names{"velocity"});
  QCOMPARE(vectorOf({"convected", "diffused", "aux_elem", "element_block"}), Names{});
  QCOMPARE(vectorOf({"x", "y", "z"}), Names{});
  QCOMPARE(vectorOf({"temp1", "temp2", "temp3"}), Names{});
  QCOMPARE(vectorOf({"u", "p", "q"}), Names{});
  // The gradient of a scalar is better than nothing, and worse than what flows.
  DataSummary data;
  for (const char* const name : {"density", "u", "v"}) data.functions.push_back({name, 0, 1, {}});
  data.functions.push_back({"density-gradient", 211, 3, "grad"});
  QCOMPARE(usualVector(data), (Names{"u", "v", "0"}));
  data.functions.erase(data.functions.begin() + 1);
  QCOMPARE(usualVector(data), Names{"density-gradient"});
}

/// No surface has one of the values of cells, which jump.
void TestOpening::isosurfacesAreOfWhatIsSmooth() {
  DataSummary data;
  paging::ArrayDescription strain, displacement;
  strain.name = "EQPS";
  strain.onCells = true;
  displacement.name = "DISPL";
  displacement.components = 3;
  data.description.arrays = {strain, displacement};
  data.functions = {{"EQPS", 0, 1, {}}, {"DISPL", 0, 3, {}}};
  data.parts = {{"DISPL-magnitude", 0, 1, {}}};
  QCOMPARE(std::get<session::Isosurface>(newIsosurface(data).shape).by, std::string("DISPL-magnitude"));
  QCOMPARE(std::get<session::Isolines>(newIsolines(data).shape).by, std::string("DISPL-magnitude"));
  QCOMPARE(newSliceObject(data).color.by, std::string("EQPS"));
  // Where there is nothing else, it is said when it is tried.
  data.functions.pop_back();
  data.parts.clear();
  QCOMPARE(std::get<session::Isosurface>(newIsosurface(data).shape).by, std::string("EQPS"));
}

void TestOpening::sheetsHaveNoInside() {
  DataSummary data;
  data.functions = {{"tos", 0, 1, {}}};
  paging::BlockDescription block;
  block.dims = {180, 170, 1};
  data.description.blocks = {block};
  const auto offered = [&](session::ObjectType type) { return canAdd(windowKind(type), data); };
  QVERIFY(!hasInside(data));
  for (const session::ObjectType type :
       {session::kTypeOf<session::Slice>, session::kTypeOf<session::Isosurface>,
        session::kTypeOf<session::Volume>})
    QVERIFY(!offered(type));
  QVERIFY(offered(session::kTypeOf<session::GridSurface>) && offered(session::kTypeOf<session::Isolines>));
  block.dims[2] = 2;
  data.description.blocks.push_back(block);
  QVERIFY(hasInside(data) && offered(session::kTypeOf<session::Slice>));
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
