// Probes of bodies whose nodes move from step to step: they go with the cell or the face in which they lie, in the view, in the list, in
// plots over time, as long as somebody wants that. While what they show is being read anew, nothing old stands there. Needs no OpenGL.

#include <QComboBox>
#include <QFile>
#include <QStandardPaths>
#include <QTableWidget>
#include <cmath>
#include <fstream>

#include "app/model/document/plot_line.h"
#include "app/model/probes.h"
#include "app/ui/panels/pipeline_panel.h"
#include "app/ui/panels/probe_panel.h"
#include "app/ui/plots/plot_panel.h"
#include "app/ui/view/object_handles.h"
#include "core/session/json/session_json.h"
#include "plugins/vtkfile/vtk_data.h"
#include "remote/client/remote_data.h"
#include "tests/gui/window/support/studio.h"
#include "tests/remote/server_process.h"

using namespace farfield;
using namespace farfield::test;

namespace {

constexpr int kSteps = 3;

std::shared_ptr<const fields::ReaderRegistry> vtkReaders() {
  auto readers = std::make_shared<fields::ReaderRegistry>();
  readers->add(std::make_unique<samples::SampleDataReader>());
  readers->add(std::make_unique<remote::RemoteDataReader>(
      nullptr, remote::RemoteDataOptions{.patience = std::chrono::hours(24)}));
  readers->add(std::make_unique<vtkfile::VtkDataReader>());
  return readers;
}

std::string dataArray(const std::string& name, const std::string& type, const std::string& values,
                      int components = 1) {
  return "<DataArray type=\"" + type + "\" Name=\"" + name + "\" NumberOfComponents=\"" +
         std::to_string(components) + "\" format=\"ascii\">" + values + "</DataArray>";
}

/// A series: at each step the body, from (0, 0, 0) to (1, 1, 1), or its lower face, is lifted by 10 and twice as long along x as before.
/// `heat` is x + 2 y as it was at the first step, and 100 more at each.
void writeLifted(const std::filesystem::path& folder, bool isSurface) {
  const std::string name = isSurface ? "sheet" : "block", suffix = isSurface ? ".vtp" : ".vtu";
  std::ofstream list(folder / (name + ".pvd"));
  list << "<VTKFile type=\"Collection\" version=\"0.1\"><Collection>\n";
  for (int step = 0; step < kSteps; ++step) {
    const std::string file = name + "_" + std::to_string(step) + suffix;
    list << "<DataSet timestep=\"" << step << "\" file=\"" << file << "\"/>\n";
    std::string points, heat;
    const int nodes = isSurface ? 4 : 8;
    for (int n = 0; n < nodes; ++n) {
      const int x = n % 4 == 1 || n % 4 == 2 ? 1 : 0, y = n % 4 > 1 ? 1 : 0, z = n / 4;
      points +=
          std::to_string(x << step) + ' ' + std::to_string(y) + ' ' + std::to_string(z + 10 * step) + ' ';
      heat += std::to_string(x + 2 * y + 100 * step) + ' ';
    }
    const std::string kind = isSurface ? "PolyData" : "UnstructuredGrid";
    const std::string connectivity = isSurface ? "0 1 2 3" : "0 1 2 3 4 5 6 7";
    const std::string cells = dataArray("connectivity", "Int32", connectivity) +
                              dataArray("offsets", "Int32", std::to_string(nodes)) +
                              (isSurface ? std::string() : dataArray("types", "UInt8", "12"));
    std::ofstream(folder / file) << "<VTKFile type=\"" << kind
                                 << "\" version=\"0.1\" byte_order=\"LittleEndian\"><" << kind
                                 << "><Piece NumberOfPoints=\"" << nodes << "\" "
                                 << (isSurface ? "NumberOfPolys" : "NumberOfCells") << "=\"1\"><Points>"
                                 << dataArray("points", "Float64", points, 3) << "</Points>"
                                 << (isSurface ? "<Polys>" : "<Cells>") << cells
                                 << (isSurface ? "</Polys>" : "</Cells>") << "<PointData>"
                                 << dataArray("heat", "Float64", heat) << "</PointData></Piece></" << kind
                                 << "></VTKFile>\n";
  }
  list << "</Collection></VTKFile>\n";
}

/// The same body as a structured grid.
void writeLiftedGrid(const std::filesystem::path& folder) {
  std::ofstream list(folder / "grid.pvd");
  list << "<VTKFile type=\"Collection\" version=\"0.1\"><Collection>\n";
  for (int step = 0; step < kSteps; ++step) {
    const std::string file = "grid_" + std::to_string(step) + ".vts";
    list << "<DataSet timestep=\"" << step << "\" file=\"" << file << "\"/>\n";
    std::string points, heat;
    for (int n = 0; n < 8; ++n) {
      const int x = n % 2, y = n / 2 % 2, z = n / 4;
      points +=
          std::to_string(x << step) + ' ' + std::to_string(y) + ' ' + std::to_string(z + 10 * step) + ' ';
      heat += std::to_string(x + 2 * y + 100 * step) + ' ';
    }
    std::ofstream(folder / file)
        << "<VTKFile type=\"StructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\"><StructuredGrid "
           "WholeExtent=\"0 1 0 1 0 1\"><Piece Extent=\"0 1 0 1 0 1\"><Points>"
        << dataArray("points", "Float64", points, 3) << "</Points><PointData>"
        << dataArray("heat", "Float64", heat) << "</PointData></Piece></StructuredGrid></VTKFile>\n";
  }
  list << "</Collection></VTKFile>\n";
}

struct Lifted : Studio {
  Lifted() : Studio({1280, 800}, {}, {}, vtkReaders()) {
    for (const bool isSurface : {false, true}) writeLifted(folder.path(), isSurface);
    writeLiftedGrid(folder.path());
  }
  bool open(const QString& what) {
    model.open({what});
    return QTest::qWaitFor([&] { return rests() && !session().objects.empty() && !session().data.empty(); },
                           kPatienceMs);
  }
  std::string data() { return session().data[0].name; }
  /// As P does under the cursor.
  app::ObjectId pin(Vec3 place) {
    window.findChild<ui::ViewController*>()->pinProbe(
        ui::ViewController::Hovered{place, data(), {"heat"}, {}, true});
    return newest();
  }
  const app::ProbeRow& row(std::size_t n = 0) {
    static const app::ProbeRow none;
    const std::vector<app::ProbeRow>& rows = window.findChild<ui::ProbePanel*>()->rows();
    return n < rows.size() ? rows[n] : none;
  }
  /// At the step that is shown.
  bool isAt(Vec3 place, double heat, std::size_t n = 0) {
    return row(n).known && row(n).found && row(n).values.size() == 1 && length(row(n).place - place) < 1e-9 &&
           std::abs(row(n).values[0].second[0] - heat) < 1e-9;
  }
  bool isOutside() { return row().known && !row().found; }
  session::Probe probe(app::ObjectId id) {
    return std::get<session::Probe>(model.document().object(id)->shape);
  }
  const std::vector<double>& curve() { return window.findChild<ui::PlotPanel*>()->curve().curve().values; }
  QComboBox* goes(app::ObjectId id) {
    window.pipeline().select(id);
    QComboBox* list = nullptr;
    (void)QTest::qWaitFor([&] { return (list = child<QComboBox>("goes")) != nullptr; }, kPatienceMs);
    return list;
  }
};

}  // namespace

class TestMovingProbes : public QObject {
  Q_OBJECT
 private slots:
  void theyGoWithTheBody_data();
  void theyGoWithTheBody();
  void theyStayWhereSomebodyWantsThat();
  void theyArePutAnewAtTheStepThatIsShown();
  void valuesAreNotThoseOfOneThatIsRemoved();
  void whatIsReadAnewIsAwaited();
  void gridsThatMoveHaveTheChoice();
  void theChoiceIsOfTheStepThatIsShown();
  void linesOfPlotsStay();
  void linesBetweenTwoGoWithThem();
  void gridsThatStandHaveNoChoice();
};

void TestMovingProbes::theyGoWithTheBody_data() {
  QTest::addColumn<QString>("file");
  QTest::addColumn<double>("above");
  QTest::newRow("cells") << "block.pvd" << 0.5;
  QTest::newRow("faces") << "sheet.pvd" << 0.0;
}

void TestMovingProbes::theyGoWithTheBody() {
  QFETCH(const QString, file);
  QFETCH(const double, above);
  Lifted lifted;
  QVERIFY(lifted.open(lifted.at(qPrintable(file))));
  app::Stage& stage = lifted.model.stage();
  QTRY_COMPARE_WITH_TIMEOUT(stage.steps(), kSteps, kPatienceMs);
  stage.setStep(1);
  QTRY_VERIFY_WITH_TIMEOUT(lifted.rests(), kPatienceMs);
  // A quarter of the way along x, at a half of y.
  const app::ObjectId id = lifted.pin({0.5, 0.5, 10 + above});
  QCOMPARE(lifted.probe(id).goesFrom, std::vector<std::int64_t>{1});
  for (const int step : {1, 0, 2}) {
    stage.setStep(step);
    QTRY_VERIFY_WITH_TIMEOUT(lifted.isAt({0.25 * (1 << step), 0.5, 10.0 * step + above}, 1.25 + 100 * step),
                             kPatienceMs);
  }
  // What the document has of it is the same at all steps.
  QCOMPARE(lifted.probe(id).points, (std::vector<Vec3>{{0.5, 0.5, 10 + above}}));
  // The same over time.
  lifted.trigger("plotTime");
  QTRY_COMPARE_WITH_TIMEOUT(lifted.curve().size(), std::size_t(kSteps), kPatienceMs);
  for (int step = 0; step < kSteps; ++step)
    QTRY_VERIFY_WITH_TIMEOUT(std::abs(lifted.curve()[std::size_t(step)] - (1.25 + 100 * step)) < 1e-9,
                             kPatienceMs);
  const session::Session saved = session::parseSession(session::toJson(lifted.session()));
  QVERIFY(saved.objects.back().shape == lifted.session().objects.back().shape);
  lifted.trigger("undo");
  lifted.trigger("undo");
  QVERIFY(!lifted.model.document().object(id));
}

void TestMovingProbes::theyStayWhereSomebodyWantsThat() {
  Lifted lifted;
  QVERIFY(lifted.open(lifted.at("block.pvd")));
  app::Stage& stage = lifted.model.stage();
  QTRY_COMPARE_WITH_TIMEOUT(stage.steps(), kSteps, kPatienceMs);
  const app::ObjectId id = lifted.pin({0.25, 0.5, 0.5});
  QTRY_VERIFY_WITH_TIMEOUT(lifted.isAt({0.25, 0.5, 0.5}, 1.25), kPatienceMs);
  QComboBox* const goes = lifted.goes(id);
  QVERIFY(goes);
  QCOMPARE(goes->currentText(), QString("Goes with the body"));
  goes->setCurrentText("Stays");
  emit goes->activated(goes->currentIndex());
  QTRY_VERIFY_WITH_TIMEOUT(lifted.probe(id).goesFrom.empty(), kPatienceMs);
  stage.setStep(2);
  QTRY_VERIFY_WITH_TIMEOUT(lifted.isOutside(), kPatienceMs);
  QCOMPARE(lifted.row().place, (Vec3{0.25, 0.5, 0.5}));
  lifted.trigger("plotTime");
  QTRY_COMPARE_WITH_TIMEOUT(lifted.curve().size(), std::size_t(kSteps), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(std::isfinite(lifted.curve()[0]) && std::isnan(lifted.curve()[2]), kPatienceMs);
  lifted.trigger("undo");  // the plot
  lifted.trigger("undo");
  QCOMPARE(lifted.probe(id).goesFrom, std::vector<std::int64_t>{0});
  QTRY_VERIFY_WITH_TIMEOUT(lifted.isAt({1, 0.5, 20.5}, 201.25), kPatienceMs);
}

/// A handle is dragged where it is seen.
void TestMovingProbes::theyArePutAnewAtTheStepThatIsShown() {
  Lifted lifted;
  QVERIFY(lifted.open(lifted.at("block.pvd")));
  app::Stage& stage = lifted.model.stage();
  QTRY_COMPARE_WITH_TIMEOUT(stage.steps(), kSteps, kPatienceMs);
  const app::ObjectId id = lifted.pin({0.25, 0.5, 0.5});
  QCOMPARE(lifted.pin({0.5, 0.5, 0.5}), id);
  lifted.window.pipeline().select(id);
  stage.setStep(2);
  QTRY_VERIFY_WITH_TIMEOUT(lifted.isAt({1, 0.5, 20.5}, 201.25), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(lifted.isAt({2, 0.5, 20.5}, 201.5, 1), kPatienceMs);
  const QString handle = "0/probe" + ui::ViewController::idText(id);
  emit lifted.window.viewport().handleMoved(handle, {{3, 0.5, 20.5}}, true);
  QTRY_VERIFY_WITH_TIMEOUT(lifted.isAt({3, 0.5, 20.5}, 201.75), kPatienceMs);
  QCOMPARE(lifted.probe(id).goesFrom, (std::vector<std::int64_t>{2, 0}));
  stage.setStep(0);
  QTRY_VERIFY_WITH_TIMEOUT(lifted.isAt({0.75, 0.5, 0.5}, 1.75), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(lifted.isAt({0.5, 0.5, 0.5}, 1.5, 1), kPatienceMs);
  app::unpinProbe(lifted.model.document(), id, 0);
  QCOMPARE(lifted.probe(id).goesFrom, std::vector<std::int64_t>{0});
  QCOMPARE(lifted.probe(id).points.size(), std::size_t(1));
}

/// Not for a moment, nor until all is computed again where that waits.
void TestMovingProbes::valuesAreNotThoseOfOneThatIsRemoved() {
  Lifted lifted;
  QVERIFY(lifted.open(lifted.at("block.pvd")));
  const app::ObjectId id = lifted.pin({0.25, 0.5, 0.5});
  QCOMPARE(lifted.pin({0.5, 0.5, 0.5}), id);
  std::vector<scene::PlaceMark> read(2);
  for (std::size_t n = 0; n < 2; ++n) {
    read[n].place = lifted.probe(id).points[n];
    read[n].found = true;
  }
  const app::Document& document = lifted.model.document();
  QVERIFY(app::probeRows(document, {{id, read}}).at(1).known);
  app::unpinProbe(lifted.model.document(), id, 0);
  QCOMPARE(app::probeRows(document, {{id, read}}).size(), std::size_t(1));
  QVERIFY(!app::probeRows(document, {{id, read}}).at(0).known);
}

/// At another step, and at another place: its server is away, and neither the view nor the list has what was read before.
void TestMovingProbes::whatIsReadAnewIsAwaited() {
  Lifted lifted;
  QVERIFY(QDir().mkpath(lifted.at("server")));
  const auto begin = [&](const QString& address) {
    return std::make_unique<ServerProcess>(
        QStringList{"--root", QString::fromStdString(lifted.folder.path().string()), "--listen", address},
        lifted.at("server"));
  };
  auto server = begin("127.0.0.1:0");
  QVERIFY2(!server->address.isEmpty(), server->errors());
  const QString address = server->address;
  QVERIFY(lifted.open("far://" + address + "/block.pvd"));
  app::Stage& stage = lifted.model.stage();
  QTRY_COMPARE_WITH_TIMEOUT(stage.steps(), kSteps, kPatienceMs);
  const app::ObjectId id = lifted.pin({0.25, 0.5, 0.5});
  QTRY_VERIFY_WITH_TIMEOUT(lifted.isAt({0.25, 0.5, 0.5}, 1.25), kPatienceMs);
  std::vector<scene::PlaceMark> seen;
  connect(&stage, &app::Stage::itemReady, this, [&](app::ObjectId its, const scene::SceneItem& item) {
    if (its == id) seen = item.marks;
  });
  auto* const table = lifted.window.findChild<ui::ProbePanel*>()->findChild<QTableWidget*>();
  QVERIFY(table && table->rowCount() == 1 && table->columnCount() == 5);
  const auto isAwaitedAt = [&](Vec3 place) {
    return table->columnCount() == 5 && table->item(0, 4)->text() == "…" && !lifted.row().known &&
           length(lifted.row().place - place) < 1e-9 && seen.size() == 1 &&
           length(seen[0].place - place) < 1e-9 && seen[0].values.size() == 1 &&
           seen[0].values[0].first == "heat" && seen[0].values[0].second.empty();
  };
  server->kill();
  stage.setStep(2);
  // Where the body has taken it is not known yet.
  QTRY_VERIFY_WITH_TIMEOUT(isAwaitedAt({0.25, 0.5, 0.5}), kPatienceMs);
  const QString handle = "0/probe" + ui::ViewController::idText(id);
  lifted.window.pipeline().select(id);
  emit lifted.window.viewport().handleMoved(handle, {{3, 0.5, 20.5}}, true);
  QTRY_VERIFY_WITH_TIMEOUT(isAwaitedAt({3, 0.5, 20.5}), kPatienceMs);
  server = begin(address);
  QVERIFY2(!server->address.isEmpty(), server->errors());
  QTRY_VERIFY_WITH_TIMEOUT(lifted.isAt({3, 0.5, 20.5}, 201.75), kPatienceMs);
  QCOMPARE(table->item(0, 4)->text(), QString("201.75"));
  QVERIFY(seen.size() == 1 && seen[0].values[0].second == std::vector<double>{201.75});
  // One that stays is no other.
  app::Document& document = lifted.model.document();
  document.edit(
      "Stays", [&](app::Draft& draft) { std::get<session::Probe>(draft.object(id).shape).goesFrom.clear(); });
  QTRY_VERIFY_WITH_TIMEOUT(lifted.rests() && lifted.isAt({3, 0.5, 20.5}, 201.75), kPatienceMs);
  server->kill();
  stage.setStep(1);
  QTRY_VERIFY_WITH_TIMEOUT(isAwaitedAt({3, 0.5, 20.5}), kPatienceMs);
}

/// As of a flow: probes stay at first. Those that go do so from where they are put, at whichever step.
void TestMovingProbes::gridsThatMoveHaveTheChoice() {
  Lifted lifted;
  QVERIFY(lifted.open(lifted.at("grid.pvd")));
  app::Stage& stage = lifted.model.stage();
  QTRY_COMPARE_WITH_TIMEOUT(stage.steps(), kSteps, kPatienceMs);
  const app::ObjectId id = lifted.pin({0.25, 0.5, 0.5});
  QVERIFY(lifted.probe(id).goesFrom.empty());
  QComboBox* const goes = lifted.goes(id);
  QVERIFY(goes);
  QCOMPARE(goes->currentText(), QString("Stays"));
  goes->setCurrentText("Goes with the grid");
  emit goes->activated(goes->currentIndex());
  QTRY_COMPARE_WITH_TIMEOUT(lifted.probe(id).goesFrom, std::vector<std::int64_t>{0}, kPatienceMs);
  stage.setStep(2);
  QTRY_VERIFY_WITH_TIMEOUT(lifted.isAt({1, 0.5, 20.5}, 201.25), kPatienceMs);
  QCOMPARE(lifted.pin({2, 0.5, 20.5}), id);
  QCOMPARE(lifted.probe(id).goesFrom, (std::vector<std::int64_t>{0, 2}));
  QTRY_VERIFY_WITH_TIMEOUT(lifted.isAt({2, 0.5, 20.5}, 201.5, 1), kPatienceMs);
}

/// Also where they were selected at another.
void TestMovingProbes::theChoiceIsOfTheStepThatIsShown() {
  Lifted lifted;
  QVERIFY(lifted.open(lifted.at("grid.pvd")));
  app::Stage& stage = lifted.model.stage();
  QTRY_COMPARE_WITH_TIMEOUT(stage.steps(), kSteps, kPatienceMs);
  const app::ObjectId id = lifted.pin({0.25, 0.5, 0.5});
  QComboBox* const goes = lifted.goes(id);
  QVERIFY(goes);
  QTRY_VERIFY_WITH_TIMEOUT(lifted.rests(), kPatienceMs);
  stage.setStep(1);
  goes->setCurrentText("Goes with the grid");
  emit goes->activated(goes->currentIndex());
  QTRY_COMPARE_WITH_TIMEOUT(lifted.probe(id).goesFrom, std::vector<std::int64_t>{1}, kPatienceMs);
}

/// Also where two places that went were made one.
void TestMovingProbes::linesOfPlotsStay() {
  Lifted lifted;
  QVERIFY(lifted.open(lifted.at("block.pvd")));
  const app::ObjectId id = lifted.pin({0.25, 0.5, 0.5});
  QCOMPARE(lifted.pin({0.5, 0.5, 0.5}), id);
  app::Document& document = lifted.model.document();
  session::Object line = *document.object(id);
  std::get<session::Probe>(line.shape).look.texts = false;
  QVERIFY(app::isPlotLine(line));
  const Vec3 from{0, 0, 0}, to{1, 1, 1};
  const session::Object dragged = ui::withHandleAt(line, {from, to}, 0);
  QCOMPARE(std::get<session::Probe>(dragged.shape).points, (std::vector<Vec3>{from, to}));
  QVERIFY(std::get<session::Probe>(dragged.shape).goesFrom.empty());
  document.setObject(id, line, "texts", {});
  QCOMPARE(app::putPlotLine(document, lifted.data(), from, to), id);
  QCOMPARE(lifted.probe(id).points, (std::vector<Vec3>{from, to}));
  QVERIFY(lifted.probe(id).goesFrom.empty());
  QTRY_VERIFY_WITH_TIMEOUT(lifted.rests(), kPatienceMs);
}

/// And so does what is plotted along them, and its table.
void TestMovingProbes::linesBetweenTwoGoWithThem() {
  Lifted lifted;
  QVERIFY(lifted.open(lifted.at("block.pvd")));
  app::Stage& stage = lifted.model.stage();
  QTRY_COMPARE_WITH_TIMEOUT(stage.steps(), kSteps, kPatienceMs);
  const app::ObjectId id = lifted.pin({0.25, 0.5, 0.5});
  QCOMPARE(lifted.pin({0.75, 0.5, 0.5}), id);
  lifted.model.document().edit("No texts", [&](app::Draft& draft) {
    std::get<session::Probe>(draft.object(id).shape).look.texts = false;
  });
  QCOMPARE(lifted.probe(id).goesFrom, (std::vector<std::int64_t>{0, 0}));
  lifted.window.pipeline().select(id);
  lifted.trigger("plotLine");
  auto* const panel = lifted.window.findChild<ui::PlotPanel*>();
  QCOMPARE(panel->place(), id);
  for (const int step : {0, 2, 1}) {
    stage.setStep(step);
    // Of the places in the body that were a quarter and three quarters of the way along it.
    const double least = 1.25 + 100 * step, greatest = 1.75 + 100 * step, way = 0.5 * (1 << step);
    QTRY_VERIFY_WITH_TIMEOUT(lifted.curve().size() == 401 &&
                                 std::abs(lifted.curve().front() - least) < 1e-9 &&
                                 std::abs(lifted.curve().back() - greatest) < 1e-9,
                             kPatienceMs);
    QVERIFY(std::abs(panel->curve().curve().ends[1] - way) < 1e-9);
    QVERIFY(panel->writeCsv(lifted.at("line.csv")));
    QFile table(lifted.at("line.csv"));
    QVERIFY(table.open(QIODevice::ReadOnly));
    const QList<QByteArray> last = table.readAll().trimmed().split('\n').back().split(',');
    QVERIFY(std::abs(last[1].toDouble() - 0.75 * (1 << step)) < 1e-9);
    QVERIFY(std::abs(last[3].toDouble() - (0.5 + 10 * step)) < 1e-9);
  }
}

void TestMovingProbes::gridsThatStandHaveNoChoice() {
  Lifted lifted;
  QVERIFY(lifted.open("sample://taylor-green?size=9&steps=3"));
  const app::ObjectId id = lifted.pin({1, 1, 0.5});
  QVERIFY(lifted.probe(id).goesFrom.empty());
  lifted.window.pipeline().select(id);
  QTRY_VERIFY_WITH_TIMEOUT(lifted.child<QWidget>("texts"), kPatienceMs);
  QVERIFY(!lifted.child<QComboBox>("goes"));
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestMovingProbes test;
  return QTest::qExec(&test, count, words);
}
#include "tst_moving_probes.moc"
