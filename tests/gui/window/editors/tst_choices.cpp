// What is typed and chosen in the window: functions and expressions, what is said of wrong ones, and seeds that lie outside.

#include <QAbstractItemView>
#include <QComboBox>
#include <QCompleter>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QStandardPaths>
#include <QTreeWidget>

#include "app/first/first_objects.h"
#include "app/ui/dialogs/calculator.h"
#include "app/ui/widgets/name_completer.h"
#include "app/ui/widgets/number_edit.h"
#include "core/session/json/session_json.h"
#include "tests/gui/window/support/studio.h"
#include "tests/system/plot3d_file.h"

using namespace farfield;
using namespace farfield::test;

class TestChoices : public QObject {
  Q_OBJECT
 private slots:
  void lastNames();
  void expressionsAreTyped();
  void whatIsWrongIsSaidAndMovesNothing();
  void namesAreCompleted();
  void vectorsOfThree();
  void functionsAreDefined();
  void isosurfacesOfExpressions();
  void volumesOfExpressions();
  void probesOfExpressions();
  void dataWithoutFunctionsHaveOneColour();
  void keysOfTheSessionAreNotShown();
  void seedsOutsideAreCounted();
  void seedsAreMarkedAndHeld();
  void handlesKeepToTheViewOrToAnAxis_data();
  void handlesKeepToTheViewOrToAnAxis();
  void whatWasRemovedIsSelectedAgain();
  void whatWasUnderTheCursorGoesWithIt();

 private:
  /// The sample with a slice that is selected.
  std::unique_ptr<Studio> open(const char* action,
                               const QString& source = "sample://cylinder?size=17,13,5&blocks=1");
  static void type(Studio& studio, const char* field, const QString& text);
  const session::Object& newest(Studio& studio) { return *studio.model.document().object(studio.newest()); }
};

std::unique_ptr<Studio> TestChoices::open(const char* action, const QString& source) {
  auto studio = std::make_unique<Studio>();
  studio->model.open({source});
  if (!QTest::qWaitFor([&] { return studio->session().objects.size() == 2 && studio->rests(); }, kPatienceMs))
    return studio;
  studio->trigger(action);
  if (!QTest::qWaitFor([&] { return studio->rests(); }, kPatienceMs)) qWarning("the studio does not rest");
  return studio;
}

void TestChoices::type(Studio& studio, const char* field, const QString& text) {
  QLineEdit* const line = studio.child<QComboBox>(field)->lineEdit();
  QVERIFY(line);
  line->setFocus();
  line->selectAll();
  QTest::keyClicks(line, text);
}

void TestChoices::lastNames() {
  QCOMPARE(ui::lengthOfLastName("pres"), 4);
  QCOMPARE(ui::lengthOfLastName("density*velocity-m"), 10);
  QCOMPARE(ui::lengthOfLastName("2*"), 0);
  // Numbers have no names.
  QCOMPARE(ui::lengthOfLastName("pressure*2"), 0);
  QCOMPARE(ui::lengthOfLastName("2e"), 0);
  QCOMPARE(ui::lengthOfLastName("1.5e-"), 0);
  QCOMPARE(ui::lengthOfLastName(""), 0);
}

void TestChoices::expressionsAreTyped() {
  const auto studio = open("addSlice");
  type(*studio, "color.by", "pressure/density^1.4");
  // When typing pauses, without Return.
  QTRY_COMPARE_WITH_TIMEOUT(newest(*studio).color.by, std::string("pressure/density^1.4"), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio->rests(), kPatienceMs);
  QCOMPARE(studio->stateOf(studio->newest()), app::ObjectState::Done);
  QVERIFY(studio->model.stage().status(studio->newest()).shownRange.has_value());
  // The list goes on to have what it has.
  auto* const list = studio->child<QComboBox>("color.by");
  QVERIFY(list->findText("density") > 0);
  type(*studio, "color.by", "density");
  QTest::keyClick(list->lineEdit(), Qt::Key_Return);
  QTRY_COMPARE_WITH_TIMEOUT(newest(*studio).color.by, std::string("density"), kPatienceMs);
  // One undo takes an expression back as a whole.
  type(*studio, "color.by", "density*2");
  QTest::keyClick(list->lineEdit(), Qt::Key_Return);
  QTRY_COMPARE_WITH_TIMEOUT(newest(*studio).color.by, std::string("density*2"), kPatienceMs);
  studio->trigger("undo");
  QCOMPARE(newest(*studio).color.by, std::string("density"));
}

void TestChoices::whatIsWrongIsSaidAndMovesNothing() {
  const auto studio = open("addSlice");
  const std::string before = newest(*studio).color.by;
  auto* const opacity = studio->child<QWidget>("field.opacity");
  const QPoint place = opacity->mapTo(&studio->window, QPoint(0, 0));
  type(*studio, "color.by", "pressure/densty");
  QLabel* error = nullptr;
  QTRY_VERIFY_WITH_TIMEOUT((error = studio->child<QLabel>("color.by.error")) && error->isVisible(),
                           kPatienceMs);
  QVERIFY2(error->text().contains("densty"), error->text().toUtf8());
  QTest::qWait(2 * QApplication::keyboardInputInterval());
  QCOMPARE(newest(*studio).color.by, before);
  QCOMPARE(opacity->mapTo(&studio->window, QPoint(0, 0)), place);
  // A vector is no colour.
  type(*studio, "color.by", "velocity");
  QTRY_VERIFY2_WITH_TIMEOUT(error->text().contains("vector"), error->text().toUtf8(), kPatienceMs);
  // Left as it is, the field shows again what counts.
  studio->child<QComboBox>("color.by")->lineEdit()->completer()->popup()->hide();
  studio->window.viewport().setFocus();
  QTRY_COMPARE_WITH_TIMEOUT(QApplication::focusWidget(), &studio->window.viewport(), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(!error->isVisible(), kPatienceMs);
  QCOMPARE(studio->child<QComboBox>("color.by")->currentText(), QString::fromStdString(before));
  QCOMPARE(newest(*studio).color.by, before);
  // And so it does by Esc.
  type(*studio, "color.by", "densty");
  QTRY_VERIFY_WITH_TIMEOUT(error->isVisible(), kPatienceMs);
  studio->child<QComboBox>("color.by")->lineEdit()->completer()->popup()->hide();
  QTest::keyClick(studio->child<QComboBox>("color.by"), Qt::Key_Escape);
  QVERIFY(!error->isVisible());
  QCOMPARE(studio->child<QComboBox>("color.by")->currentText(), QString::fromStdString(before));
}

void TestChoices::namesAreCompleted() {
  const auto studio = open("addSlice");
  type(*studio, "color.by", "2*dens");
  QLineEdit* line = studio->child<QComboBox>("color.by")->lineEdit();
  QTRY_VERIFY_WITH_TIMEOUT(line->completer()->popup()->isVisible(), kPatienceMs);
  QCOMPARE(line->completer()->currentCompletion(), "2*density");
  QTest::keyClick(line->completer()->popup(), Qt::Key_Down);
  QTest::keyClick(line->completer()->popup(), Qt::Key_Return);
  QTRY_COMPARE_WITH_TIMEOUT(newest(*studio).color.by, std::string("2*density"), kPatienceMs);
  // The only one that is left need not be chosen; the keyboard stays for what follows it.
  const auto now = [&] {
    return studio->child<QComboBox>("color.by")->lineEdit();
  };  // other fields may have come
  const auto isOpen = [&] { return now()->completer()->popup()->isVisible(); };
  const auto press = [&](Qt::Key key) { QTest::keyClick(now()->completer()->popup(), key); };
  for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Tab}) {
    const QString begun = key == Qt::Key_Tab ? "4*" : "3*";
    type(*studio, "color.by", begun + "density-g");
    QTRY_VERIFY_WITH_TIMEOUT(isOpen(), kPatienceMs);
    press(key);
    QVERIFY(!isOpen());
    QCOMPARE(now()->text(), begun + "density-gradient-magnitude");
    QVERIFY(now()->hasFocus());
    QTRY_COMPARE_WITH_TIMEOUT(newest(*studio).color.by, (begun + "density-gradient-magnitude").toStdString(),
                              kPatienceMs);
  }
  // Of two, none is taken: that is no name yet. A name that is whole is what was typed, whatever else begins so.
  type(*studio, "color.by", "velocity-");
  QTRY_VERIFY_WITH_TIMEOUT(isOpen(), kPatienceMs);
  press(Qt::Key_Return);
  QCOMPARE(now()->text(), QString("velocity-"));
  type(*studio, "color.by", "pressure");
  QTRY_VERIFY_WITH_TIMEOUT(isOpen(), kPatienceMs);
  press(Qt::Key_Return);
  QCOMPARE(newest(*studio).color.by, std::string("pressure"));
  // Who goes down the list sees each in place of the one before.
  type(*studio, "color.by", "2*s");
  QTRY_VERIFY_WITH_TIMEOUT(isOpen(), kPatienceMs);
  for (int down = 0; down < 20 && now()->text() != "2*sqrt("; ++down) press(Qt::Key_Down);
  QCOMPARE(now()->text(), QString("2*sqrt("));
  press(Qt::Key_Return);
  QCOMPARE(now()->text(), QString("2*sqrt("));
  type(*studio, "color.by", "2*density");
  QTRY_COMPARE_WITH_TIMEOUT(newest(*studio).color.by, std::string("2*density"), kPatienceMs);
  line = now();
  // Where no name is being typed there is no list of them.
  const auto listOver = [&](const char* keys) {
    QTest::keyClicks(line, keys);
    QCoreApplication::processEvents();
    return line->completer()->popup()->isVisible();
  };
  type(*studio, "color.by", "");
  line->clear();
  QVERIFY(listOver("pres"));
  QVERIFY(!listOver("sure*"));
  QVERIFY(!listOver("2"));
  QVERIFY(!listOver("e-3*"));
  QVERIFY(listOver("d"));
}

/// In the calculator: what is kept there is a function of the data, in every list and in the session.
void TestChoices::functionsAreDefined() {
  const auto studio = open("addSlice");
  const std::string data = newest(*studio).data;
  studio->trigger("calculator");
  auto* const dialog = studio->window.findChild<ui::Calculator*>();
  QVERIFY(dialog && dialog->isVisible());
  QCOMPARE(dialog->findChild<QComboBox*>("calculator.data")->currentText().toStdString(), data);
  auto* const list = dialog->findChild<QTreeWidget*>("calculator.functions");
  auto* const name = dialog->findChild<QLineEdit*>("calculator.name");
  auto* const keep = dialog->findChild<QPushButton*>("calculator.keep");
  auto* const problem = dialog->findChild<QLabel*>("calculator.problem");
  const auto line = [&] { return dialog->findChild<QComboBox*>("calculator.expression")->lineEdit(); };
  const auto rowOf = [&](const QString& function) -> QTreeWidgetItem* {
    const auto found = list->findItems(function, Qt::MatchExactly);
    return found.isEmpty() ? nullptr : found.front();
  };
  QVERIFY(rowOf("pressure") && !rowOf("pressure")->text(1).isEmpty());
  QVERIFY(!keep->isEnabled());
  // A name from the list goes into the expression. From the name Tab goes there, too.
  name->setFocus();
  QTest::keyClicks(name, "polytropic");
  QTest::keyClick(name, Qt::Key_Tab);
  QTRY_VERIFY_WITH_TIMEOUT(line()->hasFocus(), kPatienceMs);
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Backtab);
  QTRY_VERIFY_WITH_TIMEOUT(name->hasFocus(), kPatienceMs);
  list->setCurrentItem(rowOf("pressure"));
  dialog->findChild<QPushButton*>("calculator.insert")->click();
  QCOMPARE(line()->text(), QString("pressure"));
  QTest::keyClicks(line(), "/densty");
  QVERIFY2(problem->text().contains("densty") && !keep->isEnabled(), problem->text().toUtf8());
  line()->setText("pressure/polytropic");
  QVERIFY2(problem->text().contains("itself") && !keep->isEnabled(), problem->text().toUtf8());
  line()->setText("pressure/density^1.4");
  QVERIFY2(keep->isEnabled(), problem->text().toUtf8());
  const int steps = studio->model.document().undoStack().index();
  keep->click();
  QCOMPARE(studio->model.document().undoStack().index(), steps + 1);
  QTRY_VERIFY_WITH_TIMEOUT(rowOf("polytropic") && studio->rests(), kPatienceMs);
  // It is chosen like any other.
  studio->window.pipeline().select(studio->newest());
  QTRY_VERIFY_WITH_TIMEOUT(studio->child<QComboBox>("color.by")->findText("polytropic") > 0, kPatienceMs);
  type(*studio, "color.by", "polytropic");
  QTest::keyClick(studio->child<QComboBox>("color.by")->lineEdit(), Qt::Key_Return);
  QTRY_COMPARE_WITH_TIMEOUT(newest(*studio).color.by, std::string("polytropic"), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio->rests(), kPatienceMs);
  QCOMPARE(studio->stateOf(studio->newest()), app::ObjectState::Done);
  QCOMPARE(studio->model.stage().status(studio->newest()).scale.title, std::string("polytropic"));
  // The session has it.
  const session::Session read = session::parseSession(session::toJson(studio->session()));
  QCOMPARE(read.find(data)->options.at("function.polytropic"),
           session::OptionValue(std::string("pressure/density^1.4")));
  // Taken away, and back.
  list->setFocus();
  list->setCurrentItem(rowOf("polytropic"));
  QCOMPARE(name->text(), QString("polytropic"));
  dialog->findChild<QPushButton*>("calculator.remove")->click();
  auto* const question = dialog->findChild<QMessageBox*>("removeFunction");
  QVERIFY(question);  // it is in use
  for (QAbstractButton* const button : question->buttons())
    if (question->buttonRole(button) == QMessageBox::DestructiveRole) button->click();
  QTRY_VERIFY_WITH_TIMEOUT(!rowOf("polytropic") && studio->rests(), kPatienceMs);
  QCOMPARE(studio->stateOf(studio->newest()), app::ObjectState::Failed);
  studio->trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(rowOf("polytropic") && studio->rests(), kPatienceMs);
  QCOMPARE(studio->stateOf(studio->newest()), app::ObjectState::Done);
}

void TestChoices::vectorsOfThree() {
  const auto studio = open("addStreamlines");
  type(*studio, "vector", "velocity-x, velocity-y, 0*velocity-z");
  QTRY_COMPARE_WITH_TIMEOUT(std::get<session::Streamlines>(newest(*studio).shape).vector,
                            (std::vector<std::string>{"velocity-x", "velocity-y", "0*velocity-z"}),
                            kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio->rests(), kPatienceMs);
  QCOMPARE(studio->stateOf(studio->newest()), app::ObjectState::Done);
  type(*studio, "vector", "density");
  QLabel* error = nullptr;
  QTRY_VERIFY_WITH_TIMEOUT((error = studio->child<QLabel>("vector.error")) && error->isVisible(),
                           kPatienceMs);
  QVERIFY2(error->text().contains("three"), error->text().toUtf8());
}

void TestChoices::isosurfacesOfExpressions() {
  const auto studio = open("addIsosurface");
  type(*studio, "by", "sqrt(velocity-x^2+velocity-y^2)");
  QTRY_COMPARE_WITH_TIMEOUT(std::get<session::Isosurface>(newest(*studio).shape).by,
                            std::string("sqrt(velocity-x^2+velocity-y^2)"), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio->rests(), kPatienceMs);
  QCOMPARE(studio->stateOf(studio->newest()), app::ObjectState::Done);
}

void TestChoices::volumesOfExpressions() {
  const auto studio = open("addVolume");
  type(*studio, "by", "pressure/density^1.4");
  QTRY_COMPARE_WITH_TIMEOUT(newest(*studio).color.by, std::string("pressure/density^1.4"), kPatienceMs);
  type(*studio, "by", "velocity");
  QLabel* error = nullptr;
  QTRY_VERIFY_WITH_TIMEOUT((error = studio->child<QLabel>("by.error")) && error->isVisible(), kPatienceMs);
  QCOMPARE(newest(*studio).color.by, std::string("pressure/density^1.4"));
}

void TestChoices::probesOfExpressions() {
  const auto studio = open("addProbe");
  // It comes once a place in the data is found.
  QTRY_VERIFY_WITH_TIMEOUT(std::holds_alternative<session::Probe>(newest(*studio).shape), kPatienceMs);
  const auto shown = [&] { return std::get<session::Probe>(newest(*studio).shape).show; };
  const std::vector<std::string> before = shown();
  const auto with = [&](const char* one) {
    std::vector<std::string> all = before;
    all.push_back(one);
    return all;
  };
  studio->child<QDockWidget>("dock.probes")->show();
  studio->child<QDockWidget>("dock.probes")->raise();
  // In the panel of probes as a column of its own.
  QTRY_VERIFY_WITH_TIMEOUT(studio->child<QComboBox>("probes.add"), kPatienceMs);
  type(*studio, "probes.add", "pressure/densit");
  QLabel* error = nullptr;
  QTRY_VERIFY_WITH_TIMEOUT((error = studio->child<QLabel>("probes.add.error")) && error->isVisible(),
                           kPatienceMs);
  QTest::keyClicks(studio->child<QComboBox>("probes.add")->lineEdit(), "y^1.4");
  QTest::keyClick(studio->child<QComboBox>("probes.add")->lineEdit(), Qt::Key_Return);
  QTRY_COMPARE_WITH_TIMEOUT(shown(), with("pressure/density^1.4"), kPatienceMs);
  QTRY_COMPARE_WITH_TIMEOUT(studio->child<QComboBox>("probes.add")->currentText(), QString(), kPatienceMs);
  QVERIFY(!error->isVisible());
  studio->trigger("undo");
  QTRY_COMPARE_WITH_TIMEOUT(shown(), before, kPatienceMs);
  // Several as the properties have them, in one step.
  type(*studio, "probes.add", "max(pressure, density), density");
  QTest::keyClick(studio->child<QComboBox>("probes.add")->lineEdit(), Qt::Key_Return);
  auto several = with("max(pressure, density)");
  std::erase(several, "density");
  several.push_back("density");
  QTRY_COMPARE_WITH_TIMEOUT(shown(), several, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio->rests(), kPatienceMs);
  QCOMPARE(studio->stateOf(studio->newest()), app::ObjectState::Done);
  studio->trigger("undo");
  QTRY_COMPARE_WITH_TIMEOUT(shown(), before, kPatienceMs);
  // In the properties with names that are completed, and what is wrong below.
  auto* const line = studio->child<QLineEdit>("show");
  QVERIFY(line && line->completer());
  studio->child<QDockWidget>("dock.properties")->raise();
  line->setFocus();
  line->selectAll();
  QTest::keyClicks(line, "pressure, densit");
  QTRY_VERIFY_WITH_TIMEOUT((error = studio->child<QLabel>("show.error")) && error->isVisible(), kPatienceMs);
  QCOMPARE(line->completer()->currentCompletion(), QString("pressure, density"));
  line->selectAll();
  QTest::keyClicks(line, "density*2");
  QVERIFY(!error->isVisible());
  QTest::keyClick(line, Qt::Key_Return);
  QTRY_COMPARE_WITH_TIMEOUT(shown(), std::vector<std::string>{"density*2"}, kPatienceMs);
}

/// What showed a function of other data is not lost where there is none; where it stays, no empty list is offered.
void TestChoices::dataWithoutFunctionsHaveOneColour() {
  const TemporaryFolder folder;
  Plot3dBlock block;
  block.dims = {5, 5, 5};
  for (int c = 0; c < 3; ++c)
    for (std::int64_t n = 0; n < product(block.dims); ++n)
      block.xyz.push_back(double(unlinear(n, block.dims)[c]));
  block.q.assign(5 * static_cast<std::size_t>(product(block.dims)), 1);
  writePlot3d(folder / "bare.xyz", folder / "other.q", {block});
  std::filesystem::remove(folder / "other.q");
  const std::unique_ptr<Studio> studio = open("addSurface");
  const app::ObjectId id = studio->newest();
  const auto color = [&] { return studio->model.document().object(id)->color; };
  const std::string by = color().by;
  QVERIFY(!by.empty());
  studio->model.open({QString::fromStdString((folder / "bare.xyz").string())});
  QTRY_VERIFY_WITH_TIMEOUT(studio->session().data.size() == 2 && studio->rests(), kPatienceMs);
  const auto bare = studio->model.stage().summary("bare");
  QVERIFY(bare && bare->functions.empty());
  studio->window.pipeline().select(id);
  auto* const data = studio->child<QComboBox>("data");
  QVERIFY(data && data->findText("bare") >= 0);
  data->setCurrentIndex(data->findText("bare"));
  emit data->activated(data->currentIndex());
  QVERIFY(color().by.empty() && color().solid == app::kSurfaceColor);
  QTRY_COMPARE_WITH_TIMEOUT(studio->stateOf(id), app::ObjectState::Done, kPatienceMs);
  QVERIFY(studio->model.stage().status(id).stats.points > 0);
  studio->trigger("undo");
  QCOMPARE(color().by, by);
  // Asked for all the same, it is said that there are none.
  studio->model.document().edit("Both", [&](app::Draft& draft) { draft.object(id).data = "bare"; });
  QTRY_COMPARE_WITH_TIMEOUT(studio->stateOf(id), app::ObjectState::Failed, kPatienceMs);
  const app::Problem problem = studio->model.stage().status(id).problem;
  const std::string why = problem.message + "; " + problem.advice;
  QVERIFY2(why.find("one colour") != std::string::npos && why.find("use one of") == std::string::npos,
           why.c_str());
}

void TestChoices::keysOfTheSessionAreNotShown() {
  QCOMPARE(app::windowMessage("color.by: 'velocity' is a vector"), "Colour by: 'velocity' is a vector");
  QCOMPARE(app::windowMessage("objects.lines.seeds.from: is no point"), "Seeds: is no point");
  QCOMPARE(app::windowMessage("file wing.xyz: is cut off"), "file wing.xyz: is cut off");
  const auto studio = open("addSlice");
  session::Object object = newest(*studio);
  object.color.by = "velocity";
  studio->model.document().setObject(studio->newest(), object, "Colour");
  QTRY_COMPARE_WITH_TIMEOUT(studio->stateOf(studio->newest()), app::ObjectState::Failed, kPatienceMs);
  const QString text = app::stateText(studio->model.stage().status(studio->newest()));
  QVERIFY2(!text.contains("color.") && text.startsWith("Colour by"), text.toUtf8());
}

void TestChoices::seedsOutsideAreCounted() {
  const auto studio = open("addStreamlines", "sample://abc?size=9");
  const Bounds bounds = studio->model.stage().dataBounds();
  session::Object object = newest(*studio);
  auto& lines = std::get<session::Streamlines>(object.shape);
  // The first quarter of the way lies outside: of 8 seeds, at 0, 1/7, …, the first two.
  Vec3 from = bounds.min, to = bounds.max;
  from.x -= (to.x - from.x) / 3;
  from.y = to.y = bounds.center().y;
  from.z = to.z = bounds.center().z;
  // With all of them inside nothing is said.
  lines.seeds = session::LineSeeds{bounds.center(), to - Vec3{1e-3, 0, 0}, 8};
  studio->model.document().setObject(studio->newest(), object, "Seeds");
  const auto* const note = studio->child<QLabel>("properties.note");
  QTRY_VERIFY_WITH_TIMEOUT(studio->rests() && !note->isVisible(), kPatienceMs);
  QWidget* const field = studio->child<QWidget>("seeds.count");
  const QPoint place = field->mapTo(&studio->window, QPoint(0, 0));
  lines.seeds = session::LineSeeds{from, to - Vec3{1e-3, 0, 0}, 8};
  for (const session::Direction direction : {session::Direction::Both, session::Direction::Forward}) {
    lines.direction = direction;
    studio->model.document().setObject(studio->newest(), object, "Seeds");
    QTRY_VERIFY_WITH_TIMEOUT(studio->rests(), kPatienceMs);
    const QString text = app::stateText(studio->model.stage().status(studio->newest()));
    QVERIFY2(text.startsWith("2 of 8 seeds lie outside"), text.toUtf8());
  }
  // It stands in the properties, too, and moves no field away from under the hand.
  QTRY_VERIFY_WITH_TIMEOUT(note->isVisible() && note->text().startsWith("2 of 8 seeds"), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(note->height() >= note->fontMetrics().height(), kPatienceMs);
  QCOMPARE(field->mapTo(&studio->window, QPoint(0, 0)), place);
}

/// Marks of seeds are there, those outside hollow; with Ctrl an end of the rake goes onto the surface under the cursor; numbers that are
/// typed move it.
void TestChoices::seedsAreMarkedAndHeld() {
  view::Handle rake;
  rake.kind = view::HandleKind::Line;
  rake.positions = {{0, 0, 0}, {4, 0, 0}};
  rake.seeds = {5, 0, 0};
  const std::vector<Vec3> seeds = view::seedsOf(rake);
  QCOMPARE(seeds.size(), std::size_t(5));
  QVERIFY(length(seeds[1] - Vec3{1, 0, 0}) < 1e-12 && length(seeds[4] - Vec3{4, 0, 0}) < 1e-12);

  const auto studio = open("addSlice", "sample://abc?size=17");
  if (studio->picture().isNull()) QSKIP("no OpenGL on this display");
  const session::Slice slice = std::get<session::Slice>(newest(*studio).shape);
  studio->trigger("addStreamlines");
  const app::ObjectId lines = studio->newest();
  const Bounds bounds = studio->model.stage().dataBounds();
  const auto seedsNow = [&] {
    return std::get<session::LineSeeds>(
        std::get<session::Streamlines>(studio->model.document().object(lines)->shape).seeds);
  };
  session::Object object = *studio->model.document().object(lines);
  const Vec3 high = bounds.center() + Vec3{0, 0, 0.4 * (bounds.max.z - bounds.min.z)};
  std::get<session::Streamlines>(object.shape).seeds =
      session::LineSeeds{high, high + Vec3{0.2 * (bounds.max.x - bounds.min.x), 0, 0}, 6};
  studio->model.document().setObject(lines, object, "Seeds");
  studio->window.pipeline().select(lines);
  QTRY_VERIFY_WITH_TIMEOUT(studio->viewRests(), kPatienceMs);
  const QPoint from = studio->pixelOf(seedsNow().from), to = studio->pixelOf(bounds.center());
  QWidget* const view = &studio->window.viewport();
  const auto move = [&](QPoint now, Qt::MouseButtons held) {
    QMouseEvent event(QEvent::MouseMove, now, view->mapToGlobal(now), Qt::NoButton, held,
                      Qt::ControlModifier);
    QApplication::sendEvent(view, &event);
  };
  move(from, Qt::NoButton);
  QTest::mousePress(view, Qt::LeftButton, {}, from);
  for (int step = 1; step <= 4; ++step) move(from + (to - from) * step / 4, Qt::LeftButton);
  const double plane = slice.origin.value_or(bounds.center()).z;
  QTRY_VERIFY_WITH_TIMEOUT(std::abs(seedsNow().from.z - plane) < 1e-6 * bounds.diagonal(), kPatienceMs);
  QTest::mouseRelease(view, Qt::LeftButton, Qt::ControlModifier, to);
  QTRY_VERIFY_WITH_TIMEOUT(std::abs(seedsNow().from.z - plane) < 1e-6 * bounds.diagonal() && studio->rests(),
                           kPatienceMs);
  QVERIFY(length(seedsNow().from - bounds.center()) < 0.05 * bounds.diagonal());
  studio->trigger("undo");
  QVERIFY(length(seedsNow().from - high) < 1e-12);
  // Typing a number drags: lines and handle follow before Return.
  move({2, 2}, Qt::NoButton);
  auto* const first = studio->child<QWidget>("field.seeds.from")->findChild<ui::NumberEdit*>();
  QVERIFY(first);
  first->setFocus();
  first->selectAll();
  const double typed = std::floor(100 * (bounds.center().x - 0.1 * (bounds.max.x - bounds.min.x))) / 100;
  QTest::keyClicks(first, QString::number(typed));
  QTRY_VERIFY_WITH_TIMEOUT(std::abs(seedsNow().from.x - typed) < 1e-9, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio->viewRests(), kPatienceMs);
  const QPoint knob = studio->pixelOf(seedsNow().from);
  const QColor seen = studio->picture().pixelColor(knob);
  QVERIFY2(seen.red() > 200 && seen.blue() < 90, qPrintable(seen.name()));
}

void TestChoices::handlesKeepToTheViewOrToAnAxis_data() {
  QTest::addColumn<bool>("shift");
  QTest::newRow("parallel to the screen") << false;
  QTest::newRow("along an axis") << true;
}

/// As they are dragged with the mouse; dotted lines say meanwhile how deep in the data that is.
void TestChoices::handlesKeepToTheViewOrToAnAxis() {
  QFETCH(bool, shift);
  const auto studio = open("addStreamlines", "sample://abc?size=17");
  if (studio->picture().isNull()) QSKIP("no OpenGL on this display");
  const app::ObjectId lines = studio->newest();
  const Bounds bounds = studio->model.stage().dataBounds();
  const auto seedsNow = [&] {
    return std::get<session::LineSeeds>(
        std::get<session::Streamlines>(studio->model.document().object(lines)->shape).seeds);
  };
  session::Object object = *studio->model.document().object(lines);
  const Vec3 right = bounds.center() + Vec3{0.3 * (bounds.max.x - bounds.min.x), 0, 0};
  std::get<session::Streamlines>(object.shape).seeds = session::LineSeeds{bounds.center(), right, 6};
  studio->model.document().setObject(lines, object, "Seeds");
  studio->window.pipeline().select(lines);
  QTRY_VERIFY_WITH_TIMEOUT(studio->viewRests(), kPatienceMs);
  const scene::Camera camera = studio->window.viewport().camera();
  const Vec3 was = seedsNow().from;
  const QPoint from = studio->pixelOf(was), to = from + QPoint(70, -50);
  QWidget* const view = &studio->window.viewport();
  const Qt::KeyboardModifiers held = shift ? Qt::ShiftModifier : Qt::NoModifier;
  const auto move = [&](QPoint now, Qt::MouseButtons buttons, Qt::KeyboardModifiers keys) {
    QMouseEvent event(QEvent::MouseMove, now, view->mapToGlobal(now), Qt::NoButton, buttons, keys);
    QApplication::sendEvent(view, &event);
  };
  move(from, Qt::NoButton, {});
  QTest::mousePress(view, Qt::LeftButton, {}, from);
  for (int step = 1; step <= 4; ++step) move(from + (to - from) * step / 4, Qt::LeftButton, held);
  QTest::mouseRelease(view, Qt::LeftButton, held, to);
  const Vec3 moved = seedsNow().from - was;
  QVERIFY2(length(moved) > 0.02 * bounds.diagonal(), qPrintable(QString::number(length(moved))));
  QVERIFY(seedsNow().to == right);
  QVERIFY(ui::sameCamera(studio->window.viewport().camera(), camera));
  if (shift) {
    int along = 0;
    for (int axis = 0; axis < 3; ++axis) along += moved[axis] != 0;
    QCOMPARE(along, 1);
  } else {
    // Where it is let go is where it is seen, and as deep as before; but for digits that nobody would type.
    const Vec3 sight = camera.target - camera.position;
    QVERIFY(std::abs(dot(moved, sight)) < 0.01 * bounds.diagonal() * length(sight));
    const QPoint off = studio->pixelOf(seedsNow().from) - to;
    QVERIFY2(off.manhattanLength() < 6, qPrintable(QString("%1, %2").arg(off.x()).arg(off.y())));
  }
  studio->trigger("undo");
  QVERIFY(seedsNow().from == was);
}

void TestChoices::whatWasRemovedIsSelectedAgain() {
  const auto studio = open("addSlice");
  const app::ObjectId slice = studio->newest();
  const std::string data = newest(*studio).data;
  ui::PipelinePanel& pipeline = studio->window.pipeline();
  pipeline.select(slice);
  studio->trigger("remove");
  QVERIFY(pipeline.selectedObject() != slice);
  pipeline.select(studio->model.document().objectIds().front());
  studio->trigger("undo");
  QCOMPARE(pipeline.selectedObject(), slice);
  pipeline.selectData(data);
  studio->trigger("remove");
  QVERIFY(pipeline.selectedData().empty());
  studio->trigger("undo");
  QVERIFY(pipeline.isDataSelected() && pipeline.selectedData() == data);
}

void TestChoices::whatWasUnderTheCursorGoesWithIt() {
  const auto studio = open("addSlice");
  QLabel* probe = nullptr;
  for (QLabel* const label : studio->window.findChildren<QLabel*>())
    if (label->accessibleName() == "Under the cursor") probe = label;
  QVERIFY(probe);
  probe->setText("x = 1, pressure = 2");
  studio->model.document().removeData(studio->session().data.front().name);
  QVERIFY(probe->text().isEmpty());
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestChoices test;
  return QTest::qExec(&test, count, words);
}
#include "tst_choices.moc"
