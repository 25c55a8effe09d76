// Renderers in the window: one is started by File ▸ Connect to renderer…, what it renders is edited in the panels, and it computes
// objects of its data, whose values are dragged on meanwhile.

#include <signal.h>

#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QStandardPaths>
#include <QStatusBar>
#include <QToolButton>

#include "app/model/document/volume_looks.h"
#include "app/model/own_functions.h"
#include "app/model/renderers/renderer_start.h"
#include "app/ui/dialogs/calculator.h"
#include "app/ui/dialogs/renderer_dialog.h"
#include "app/ui/panels/property_editor.h"
#include "app/ui/panels/renderer_lines_view.h"
#include "app/ui/panels/renderer_panel.h"
#include "app/ui/view/view_controller.h"
#include "tests/gui/window/support/slab_studio.h"
#include "tests/system/slab_renderer.h"

using namespace farfield;
using namespace farfield::test;

namespace {

struct Dialog {
  explicit Dialog(Studio& studio) {
    studio.trigger("renderer");
    self = studio.window.findChild<ui::RendererDialog*>();
  }
  template <class Widget>
  Widget* child(const char* name) const {
    return self->findChild<Widget*>(name);
  }
  QString text() const { return child<QLabel>("renderer.text")->text(); }
  void type(const char* name, const QString& text) const {
    auto* const line = child<QLineEdit>(name);
    line->setFocus();
    line->selectAll();
    QTest::keyClicks(line, text);
  }
  void press(const char* name) const { QTest::mouseClick(child<QAbstractButton>(name), Qt::LeftButton); }
  QPointer<ui::RendererDialog> self;
};

}  // namespace

class TestSlabWindow : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void init();
  void oneIsStartedHere();
  void livesAreSeen();
  void oneIsStartedBySsh();
  void errorsSayWhatToDo();
  void anotherTakesThePlaceOfOneThatIsGone();
  void oneThatEndedIsStartedAgain();

 private:
  QString at(const char* name) const { return QString::fromStdString((m_folder / name).string()); }
  static void keep(Studio& studio, QWidget* what, const char* name) {
    Q_UNUSED(studio);
    const QString folder = qEnvironmentVariable("FARFIELD_SCREENSHOTS");
    if (folder.isEmpty()) return;
    QVERIFY(QDir().mkpath(folder));
    QVERIFY(what->grab().save(folder + '/' + name + ".png"));
  }
  static std::unique_ptr<Studio> studio() { return slabStudio(); }
  /// One that the properties offer; null: they do not.
  static QPushButton* offer(Studio& studio, const char* text) {
    for (QPushButton* const each :
         studio.window.findChild<ui::PropertyEditor*>()->findChildren<QPushButton*>())
      if (each->text() == QString::fromUtf8(text) && each->isVisible()) return each;
    return nullptr;
  }
  /// Waits for the outline and the volume of a renderer's data; returns the volume.
  static app::ObjectId openedIn(Studio& studio, const char* text = "2 ranks") {
    [&] {
      QTRY_COMPARE_WITH_TIMEOUT(studio.session().objects.size(), 2U, kPatienceMs);
      QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
      QTRY_VERIFY_WITH_TIMEOUT(studio.child<QLabel>("volume.sight")->text().contains(text), kPatienceMs);
    }();
    return studio.newest();
  }

  TemporaryFolder m_folder;
  QByteArray m_path;
};

void TestSlabWindow::initTestCase() {
  if (QStandardPaths::findExecutable("mpirun").isEmpty()) QSKIP("there is no mpirun");
  qputenv("OMPI_ALLOW_RUN_AS_ROOT", "1");
  qputenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
  m_path = QFileInfo(programPath()).dir().path().toLocal8Bit() + ':' + qgetenv("PATH");
  SUCCEEDS(runFarfield({"sample", "turbulence", "-o", at("flow.h5"), "--size", "40,36,32", "--steps", "2",
                        "--format", "farfield"}));
  Studio none;
  none.model.open({at("flow.h5")});
  QTRY_VERIFY_WITH_TIMEOUT(none.rests() && !none.session().objects.empty(), kPatienceMs);
  if (none.picture().isNull()) QSKIP("no OpenGL on this display");
}

void TestSlabWindow::init() {
  qputenv("PATH", m_path);
  qunsetenv("FARFIELD_SSH");
}

void TestSlabWindow::oneIsStartedHere() {
  const auto made = studio();
  Studio& studio = *made;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  const Dialog dialog(studio);
  QVERIFY(!dialog.child<QPushButton>("renderer.start")->isEnabled());
  dialog.type("renderer.data", at("flow.h5"));
  dialog.child<QSpinBox>("renderer.ranks")->setValue(2);
  const QString command = dialog.child<QLineEdit>("renderer.command")->text();
  QVERIFY2(command.startsWith("mpirun -n 2 ") && command.contains("farfield-slabd") &&
               command.contains(at("flow.h5")),
           qPrintable(command));
  keep(studio, dialog.self, "connect-to-renderer");
  dialog.press("renderer.start");
  const app::ObjectId volume = openedIn(studio);
  QVERIFY(
      QString::fromStdString(studio.session().data.front().source.front()).startsWith("slab://127.0.0.1:"));
  QCOMPARE(studio.session().data.front().name, std::string("flow"));  // as the file, not the address
  // It ends with the window, and nobody can open it afterwards.
  QCOMPARE(studio.model.settings().recent(), QStringList());
  const QSize view = studio.window.viewport().size();
  const QRect central(view.width() / 3, view.height() / 3, view.width() / 3, view.height() / 3);
  QTRY_VERIFY_WITH_TIMEOUT(colouredPixels(studio.picture(), central) > 3000, kPatienceMs);
  // What comes are pictures, of which no store can be made.
  auto* const convert = studio.child<QAction>("convert");
  QVERIFY(!convert->isEnabled());
  QVERIFY2(convert->toolTip().contains("A renderer gives pictures"), qPrintable(convert->toolTip()));

  // The panel of volumes edits it, and each change is seen.
  studio.child<QDockWidget>("dock.volume")->raise();
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QWidget>("volume.opacity")->isVisible(), kPatienceMs);
  const auto shape = [&] { return *app::volumeIn(*studio.model.document().object(volume)); };
  QImage before = studio.picture();
  const auto changes = [&] {
    const bool changed =
        QTest::qWaitFor([&] { return studio.rests() && studio.picture() != before; }, kPatienceMs);
    before = studio.picture();
    return changed;
  };
  studio.model.document().edit("Opacity", [&](app::Draft& draft) {
    app::volumeIn(draft.object(volume))->look.opacity = {{0, 0}, {1, 0.02}, {2, 0.6}};
  });
  QVERIFY(changes());
  auto* const quality = studio.child<QSlider>("volume.quality");
  quality->setValue(app::kQualitySteps - 1);
  QVERIFY(shape().saysQuality);
  studio.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  studio.model.document().edit("Cut", [&](app::Draft& draft) {
    app::volumeIn(draft.object(volume))->look.clipBox = {Vec3{0, 0, 0}, Vec3{3, 6.3, 6.3}};
  });
  QVERIFY(changes());
  studio.trigger("undo");

  // Its ranks compute objects; one whose value is dragged is the last one's.
  studio.trigger("addIsosurface");
  const app::ObjectId surface = studio.newest();
  // it begins in the middle of the values, where there is something to see
  const double first =
      std::get<session::Isosurface>(studio.model.document().object(surface)->shape).values.at(0);
  QVERIFY2(first > 0.2, qPrintable(QString::number(first)));
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(surface), app::ObjectState::Done, kPatienceMs);
  const auto points = [&] { return studio.model.stage().status(surface).stats.points; };
  const auto setValue = [&](double value) {
    studio.model.document().edit("Value", [&](app::Draft& draft) {
      std::get<session::Isosurface>(draft.object(surface).shape).values = {value};
    });
  };
  const auto waitFor = [&] {
    return QTest::qWaitFor(
        [&] { return studio.rests() && studio.stateOf(surface) == app::ObjectState::Done; }, kPatienceMs);
  };
  studio.model.document().edit("By", [&](app::Draft& draft) {
    std::get<session::Isosurface>(draft.object(surface).shape).by = "velocity-magnitude";
  });
  setValue(1.2);
  QVERIFY(waitFor());
  const std::uint64_t wanted = points();
  QVERIFY(wanted > 100);
  for (int n = 0; n < 12; ++n) {
    setValue(0.4 + 0.06 * n);
    QTest::qWait(7);
  }
  setValue(1.2);
  QVERIFY(waitFor());
  QCOMPARE(points(), wanted);
  studio.trigger("addStreamlines");
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(studio.newest()), app::ObjectState::Done, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  keep(studio, &studio.window, "slab-window");
  // what it does not compute is not offered
  QVERIFY(!studio.action("addPathlines")->isEnabled());
  studio.window.pipeline().select(surface);
  for (const char* const name : {"addProbe", "plotLine", "plotTime", "plotValues"}) {
    QVERIFY2(!studio.action(name)->isEnabled(), name);
    QVERIFY2(studio.action(name)->toolTip().contains("A renderer gives pictures, not values"), name);
  }
  // A probe that is pinned where the cursor is would have no values either.
  const std::size_t objects = studio.session().objects.size();
  studio.window.findChild<ui::ViewController*>()->pinProbe(
      ui::ViewController::Hovered{{3, 3, 3}, "flow", {"velocity-magnitude"}});
  QCOMPARE(studio.session().objects.size(), objects);
  QVERIFY2(studio.window.statusBar()->currentMessage().contains("A renderer gives pictures, not values"),
           qPrintable(studio.window.statusBar()->currentMessage()));
  // It knows no functions of one's own, so the calculator says that, keeps none, and all stays open.
  studio.window.pipeline().selectData("flow");
  const auto hasPage = [&] {
    const auto labels = studio.window.findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(),
                       [](const QLabel* label) { return label->text() == "Functions"; });
  };
  QTRY_VERIFY_WITH_TIMEOUT(hasPage(), kPatienceMs);
  QVERIFY(!studio.child<QPushButton>("data.calculator"));
  studio.trigger("calculator");
  auto* const calculator = studio.window.findChild<ui::Calculator*>();
  QVERIFY(calculator);
  const auto* const said = calculator->findChild<QLabel*>("calculator.problem");
  QVERIFY2(said->text().startsWith("A renderer does not know functions of your own"),
           qPrintable(said->text()));
  calculator->findChild<QLineEdit*>("calculator.name")->setText("twice");
  QLineEdit* const line = calculator->findChild<QComboBox*>("calculator.expression")->lineEdit();
  line->setText("{velocity-magnitude}*2");
  QVERIFY2(said->text().startsWith("A renderer does not know functions of your own"),
           qPrintable(said->text()));
  QVERIFY(!calculator->findChild<QPushButton*>("calculator.keep")->isEnabled());
  QTest::keyClick(line, Qt::Key_Return);
  QVERIFY(app::ownFunctions(studio.session(), "flow").empty());
  QCOMPARE(studio.model.stage().dataStatus("flow").state, app::DataState::Open);
  QCOMPARE(studio.stateOf(surface), app::ObjectState::Done);
  calculator->close();
  // It ends with the window, which is said where it matters.
  studio.model.save(at("here.json"));
  QTRY_VERIFY_WITH_TIMEOUT(
      studio.window.statusBar()->currentMessage().startsWith("Saved. The renderer of flow ends"),
      kPatienceMs);
}

void TestSlabWindow::livesAreSeen() {
  const auto made = studio();
  Studio& studio = *made;
  auto* const panel = studio.window.findChild<ui::RendererPanel*>();
  auto* const hold = studio.child<QToolButton>("renderer.hold");
  QVERIFY(panel && hold);
  const Renderer renderer(3, {at("flow.h5"), "--listen", "127.0.0.1:0", "--input-ranks", "1"});
  QVERIFY(!renderer.address.isEmpty());
  studio.model.open({"slab://" + renderer.address});
  openedIn(studio, "ranks");
  QCOMPARE(studio.model.settings().recent(), QStringList{"slab://" + renderer.address});
  QVERIFY(panel->shown().lives.empty());  // nobody looks
  auto* const dock = studio.child<QDockWidget>("dock.renderer");
  dock->toggleViewAction()->trigger();
  dock->raise();
  QTRY_VERIFY_WITH_TIMEOUT(panel->isVisible() && hold->isEnabled(), kPatienceMs);
  const auto spans = [&](std::size_t process, remote::LifeWhat what) {
    const auto& lives = panel->shown().lives;
    return process < lives.size() && std::any_of(lives[process].spans.begin(), lives[process].spans.end(),
                                                 [&](const auto& span) { return span.what == what; });
  };
  // steps to and fro, until all have said what they do
  const auto allTold = [&] {
    const std::int64_t step = studio.model.stage().step();
    studio.model.stage().expectStep(step);  // as when it plays to and fro
    studio.model.stage().setStep(1 - step);
    using remote::LifeWhat;
    return QTest::qWaitFor([&] { return studio.rests(); }, kPatienceMs) && panel->shown().lives.size() == 4 &&
           spans(0, LifeWhat::Frame) && spans(0, LifeWhat::HeavyPayload) && spans(1, LifeWhat::Render) &&
           spans(2, LifeWhat::Render) && spans(1, LifeWhat::HeavySend) && spans(3, LifeWhat::Load) &&
           panel->shown().lives[3].roundTripSeconds >= 0 && panel->shown().lives[3].amounts[0] >= 0;
  };
  QTRY_VERIFY_WITH_TIMEOUT(allTold(), kPatienceMs);
  QVERIFY(panel->shown().problem.isEmpty());
  auto* const lines = studio.child<ui::RendererLinesView>("renderer.lines");
  QVERIFY(lines->accessibleDescription().contains("rank 2: processors:"));
  QVERIFY(!hold->whatsThis().isEmpty() && !lines->whatsThis().isEmpty());
  // There is room for more than a line or two.
  auto* const area = panel->findChild<QScrollArea*>();
  QTRY_VERIFY_WITH_TIMEOUT(area->viewport()->height() >= 10 * lines->fontMetrics().height(), kPatienceMs);
  // and, where there is room, for all of them
  area->setMinimumHeight(lines->sizeHint().height());
  studio.child<QComboBox>("renderer.last")->setCurrentIndex(1);
  for (int n = 0; n < 16; ++n) allTold();
  keep(studio, dock, "renderer-lives");
  // Held, by key, they stand still, while what happens is told on.
  QSignalSpy told(panel->findChild<app::RendererWatch*>(), &app::RendererWatch::told);
  hold->setFocus();
  QTest::keyClick(hold, Qt::Key_Space);
  QVERIFY(hold->isChecked());
  const std::int64_t held = panel->shown().now;
  told.clear();
  QTRY_VERIFY_WITH_TIMEOUT(told.size() > 3, kPatienceMs);
  QCOMPARE(panel->shown().now, held);
  QTest::keyClick(hold, Qt::Key_Space);
  QTRY_VERIFY_WITH_TIMEOUT(panel->shown().now > held, kPatienceMs);
  // Hidden it watches nothing.
  dock->close();
  QTRY_VERIFY_WITH_TIMEOUT(panel->findChild<app::RendererWatch*>()->url().isEmpty(), kPatienceMs);
}

/// With a real ssh alone: FARFIELD_TEST_SSH ("ssh -F FILE"), FARFIELD_TEST_SSH_HOST.
void TestSlabWindow::oneIsStartedBySsh() {
  if (!qEnvironmentVariableIsSet("FARFIELD_TEST_SSH")) QSKIP("no ssh is named (FARFIELD_TEST_SSH)");
  const QString host = qEnvironmentVariable("FARFIELD_TEST_SSH_HOST");
  qputenv("FARFIELD_SSH", qgetenv("FARFIELD_TEST_SSH"));
  const auto made = studio();
  const Dialog dialog(*made);
  dialog.press("renderer.ssh");
  QVERIFY(!dialog.child<QPushButton>("renderer.start")->isEnabled());
  dialog.type("renderer.host", host);
  dialog.type("renderer.data", at("flow.h5"));
  dialog.child<QSpinBox>("renderer.ranks")->setValue(2);
  QVERIFY(dialog.child<QLineEdit>("renderer.command")->text().contains("-- " + host));
  dialog.press("renderer.start");
  openedIn(*made);
  QVERIFY(made->window.findChild<app::RendererStart*>());
}

void TestSlabWindow::errorsSayWhatToDo() {
  const auto made = studio();
  const Dialog dialog(*made);
  dialog.type("renderer.data", at("none.h5"));
  dialog.press("renderer.start");
  QTRY_VERIFY_WITH_TIMEOUT(dialog.text().contains("none.h5"), kPatienceMs);
  QVERIFY2(dialog.text().contains("does not start"), qPrintable(dialog.text()));
  QVERIFY(dialog.child<QPushButton>("renderer.start")->isEnabled());
  qputenv("PATH", "/nowhere");
  dialog.press("renderer.start");
  QTRY_VERIFY_WITH_TIMEOUT(dialog.text().contains("no mpirun"), kPatienceMs);
  QVERIFY2(dialog.text().contains("openmpi-bin"), qPrintable(dialog.text()));
  keep(*made, dialog.self, "renderer-missing");
  dialog.press("renderer.running");
  dialog.type("renderer.address", "slab://");
  dialog.press("renderer.start");
  QVERIFY(!dialog.text().isEmpty() && dialog.self);
  dialog.press("renderer.ssh");
  dialog.type("renderer.host", "-oProxyCommand=x");
  dialog.press("renderer.start");
  QVERIFY2(dialog.text().contains("no machine"), qPrintable(dialog.text()));
}

void TestSlabWindow::anotherTakesThePlaceOfOneThatIsGone() {
  write(at("gone.json"), R"({"farfield": 1, "data": {"flow": {"source": "slab://127.0.0.1:1"}},
      "objects": [{"name": "edges", "type": "outline", "data": "flow"},
                  {"name": "named", "type": "slabs", "data": "flow", "source": "slab://127.0.0.1:1",
                   "by": "velocity-magnitude"}]})");
  const auto made = studio();
  Studio& studio = *made;
  studio.window.openPaths({at("gone.json")});
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.stage().dataStatus("flow").state, app::DataState::Failed,
                            kPatienceMs);
  studio.window.pipeline().selectData("flow");
  const auto offered = [&] { return offer(studio, "Connect to renderer …"); };
  QTRY_VERIFY_WITH_TIMEOUT(offered(), kPatienceMs);
  QVERIFY(!studio.child<QPushButton>("plot3d.read"));
  const Renderer renderer(2, {at("flow.h5"), "--listen", "127.0.0.1:0"});
  QVERIFY(!renderer.address.isEmpty());
  offered()->click();
  QTRY_VERIFY_WITH_TIMEOUT(studio.window.findChild<ui::RendererDialog*>(), kPatienceMs);
  auto* const dialog = studio.window.findChild<ui::RendererDialog*>();
  dialog->choose(ui::RendererDialog::Way::Running);
  dialog->findChild<QLineEdit*>("renderer.address")->setText(renderer.address);
  QTest::mouseClick(dialog->findChild<QPushButton*>("renderer.start"), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(studio.model.stage().summary("flow") && studio.rests(), kPatienceMs);
  QCOMPARE(studio.session().data.size(), 1U);
  QCOMPARE(studio.stateOf(studio.model.document().idNamed("edges")), app::ObjectState::Done);
  // What names the renderer itself is the new one's, too.
  QCOMPARE(std::get<session::Slabs>(studio.session().objects.back().shape).source,
           "slab://" + renderer.address.toStdString());
  QCOMPARE(studio.stateOf(studio.model.document().idNamed("named")), app::ObjectState::Done);
}

/// With its data and ranks, by one button: where it ends while they are open, and where a session is opened later.
void TestSlabWindow::oneThatEndedIsStartedAgain() {
  const QString settings = at("kept.ini");
  auto made = slabStudio(settings);
  QVERIFY(QTest::qWaitForWindowExposed(&made->window));
  {
    const Dialog dialog(*made);
    QVERIFY(!dialog.child<QWidget>("renderer.instead")->isVisible());
    dialog.type("renderer.data", at("flow.h5"));
    dialog.child<QSpinBox>("renderer.ranks")->setValue(2);
    dialog.press("renderer.start");
  }
  openedIn(*made);
  made->trigger("addIsosurface");
  QTRY_COMPARE_WITH_TIMEOUT(made->stateOf(made->newest()), app::ObjectState::Done, kPatienceMs);
  const auto source = [&] { return made->session().data.front().source.front(); };
  const auto isWhole = [&] {
    const auto ids = made->model.document().objectIds();
    return made->rests() && ids.size() == 3 && made->session().data.size() == 1 &&
           std::all_of(ids.begin(), ids.end(),
                       [&](app::ObjectId id) { return made->stateOf(id) == app::ObjectState::Done; });
  };
  const std::string first = source();
  // mpirun, which this program has started, and no other program is running here
  const QList<QByteArray> children =
      contents(QString("/proc/%1/task/%1/children").arg(QCoreApplication::applicationPid())).split(' ');
  QCOMPARE(children.size(), 2);  // and what follows the last space
  QCOMPARE(::kill(children.front().toInt(), SIGTERM), 0);
  const auto isGone = [&] { return !made->model.stage().dataStatus("flow").problem.message.empty(); };
  QTRY_VERIFY_WITH_TIMEOUT(isGone(), kPatienceMs);
  made->window.pipeline().selectData("flow");
  QTRY_VERIFY_WITH_TIMEOUT(offer(*made, "Start it again"), kPatienceMs);
  keep(*made, &made->window, "renderer-ended");
  // The dialog has it all filled in, too.
  offer(*made, "Connect to renderer …")->click();
  QTRY_VERIFY_WITH_TIMEOUT(made->window.findChild<ui::RendererDialog*>(), kPatienceMs);
  const QPointer dialog = made->window.findChild<ui::RendererDialog*>();
  QCOMPARE(dialog->findChild<QLineEdit*>("renderer.data")->text(), at("flow.h5"));
  QCOMPARE(dialog->findChild<QSpinBox*>("renderer.ranks")->value(), 2);
  QCOMPARE(dialog->focusWidget(), dialog->findChild<QPushButton*>("renderer.start"));
  dialog->reject();
  QTRY_VERIFY_WITH_TIMEOUT(!dialog, kPatienceMs);
  QTest::mouseClick(offer(*made, "Start it again"), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(source() != first && isWhole(), kPatienceMs);
  QVERIFY(!isGone());
  const std::string second = source();
  // It takes the place of what is not there any more: no step of its own. What was done before can be taken back, and is of the new one.
  const app::ObjectId surface = made->newest();
  made->trigger("undo");
  QVERIFY(!made->model.document().object(surface));
  QCOMPARE(source(), second);
  QCOMPARE(made->model.stage().dataStatus("flow").state, app::DataState::Open);
  made->trigger("undo");  // opening
  QVERIFY(made->session().data.empty());
  made->trigger("redo");
  QCOMPARE(source(), second);
  made->trigger("redo");
  QTRY_VERIFY_WITH_TIMEOUT(isWhole(), kPatienceMs);
  QCOMPARE(source(), second);
  made->model.save(at("again.json"));
  QTRY_VERIFY_WITH_TIMEOUT(!made->model.document().isModified(), kPatienceMs);
  made.reset();  // and with it the renderer

  made = slabStudio(settings);
  made->window.openPaths({at("again.json")});
  QTRY_COMPARE_WITH_TIMEOUT(made->model.stage().dataStatus("flow").state, app::DataState::Failed,
                            kPatienceMs);
  QCOMPARE(source(), second);
  made->window.pipeline().selectData("flow");
  QTRY_VERIFY_WITH_TIMEOUT(offer(*made, "Start it again"), kPatienceMs);
  QTest::mouseClick(offer(*made, "Start it again"), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(source() != second && isWhole(), kPatienceMs);
}

QTEST_MAIN(TestSlabWindow)
#include "tst_slab_window.moc"
