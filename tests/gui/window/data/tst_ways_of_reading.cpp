// How files are read, where somebody has to say it: PLOT3D by its options, one grid of several, plain numbers, and what is no data.
// Needs no OpenGL.

#include <QComboBox>
#include <QFileDialog>
#include <QGroupBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStandardPaths>
#include <QTextEdit>
#include <algorithm>

#include "app/first/first_objects.h"
#include "app/ui/editors/raw_options.h"
#include "app/ui/widgets/message_list.h"
#include "core/session/json/session_json.h"
#include "plugins/netcdf3/nc_data.h"
#include "plugins/vtkfile/vtk_data.h"
#include "tests/gui/window/support/studio.h"
#include "tests/support/raw_volume.h"
#include "tests/support/test_data.h"

using namespace farfield;
using namespace farfield::test;

class TestWaysOfReading : public QObject {
  Q_OBJECT
 private slots:
  void plot3dIsReadAsOneSays();
  void anotherGridOfTheFile();
  void landIsBlankAtFirst();
  void valuesOfCellsInPlaceOfThoseOfNodes();
  void coloursStandInForWhatIsNotThere();
  void theGridAlone();
  void openOffersHowFilesWereWritten();
  void plainNumbersAreDescribed();
  void plainNumbersInNames();
  void aLoneSolutionGetsItsGrid();
  void severalSolutionsStayStepsOfTheirGrid();
  void textIsCalledText();
  void formatsThatAreTextSayWhatIsWrong();
};

/// Values of nodes and of cells, of which one kind is read.
static void writeBoth(const QString& path) {
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(
      "# vtk DataFile Version 3.0\nboth\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS 3 3 3\nORIGIN 0 0 0\nSPACING 1 1 1\n"
      "CELL_DATA 8\nSCALARS load double 1\nLOOKUP_TABLE default\n1 2 3 4 5 6 7 8\n"
      "POINT_DATA 27\nSCALARS heat double 1\nLOOKUP_TABLE default\n");
  for (int n = 0; n < 27; ++n) file.write(QByteArray::number(n) + '\n');
}

void TestWaysOfReading::plot3dIsReadAsOneSays() {
  Studio studio;
  const QString grid = studio.at("wing");
  QCOMPARE(runFarfield(
               {"sample", "cylinder", "-o", grid, "--size", "17,13,5", "--blocks", "1", "--format", "plot3d"})
               .status,
           0);
  // Told wrongly, it cannot be read.
  studio.window.openPaths({grid + ".xyz", grid + ".q"}, {{"byteOrder", "big"}});
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.stage().dataStatus("wing").state, app::DataState::Failed,
                            kPatienceMs);
  // The error has the controls that mend it.
  QComboBox* order = nullptr;
  QTRY_VERIFY_WITH_TIMEOUT((order = studio.child<QComboBox>("plot3d.byteOrder")), kPatienceMs);
  QCOMPARE(order->currentData().toString(), "big");
  order->setCurrentIndex(order->findData("little"));
  QTest::mouseClick(studio.child<QPushButton>("plot3d.read"), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(studio.model.stage().summary("wing"), kPatienceMs);
  QTRY_COMPARE_WITH_TIMEOUT(studio.session().objects.size(), 2U, kPatienceMs);
  const auto& options = studio.session().data.front().options;
  QCOMPARE(session::textOf(options.at("byteOrder")), std::string("little"));
  QCOMPARE(session::textOf(options.at("solution.byteOrder")), std::string("little"));
}

// A file of several grids: the data's page lists them, another one is opened as a step that can be undone.
void TestWaysOfReading::anotherGridOfTheFile() {
  auto readers = std::make_shared<fields::ReaderRegistry>();
  readers->add(std::make_unique<netcdf3::NetcdfDataReader>());
  Studio studio({1280, 800}, {}, {}, readers);
  const QString file = studio.at("sea.nc");
  QVERIFY(QFile::copy(QStringLiteral(FARFIELD_NETCDF_FILES "/packed"), file));
  studio.window.openPaths({file});
  QTRY_VERIFY_WITH_TIMEOUT(studio.model.stage().summary("sea"), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  studio.window.findChild<ui::PipelinePanel*>()->selectData("sea");
  QComboBox* grids = nullptr;
  QTRY_VERIFY_WITH_TIMEOUT((grids = studio.child<QComboBox>("data.choice.variable")), kPatienceMs);
  QCOMPARE(grids->currentText(), QString("temp, salt: 3 x 2 x 2"));
  const int flag = grids->findText("flag", Qt::MatchStartsWith);
  QVERIFY(flag > 0);
  // as chosen from the list that opens
  grids->setCurrentIndex(flag);
  emit grids->activated(flag);
  const auto shows = [&](const char* variable) {
    const auto summary = studio.model.stage().summary("sea");
    return summary && std::any_of(summary->functions.begin(), summary->functions.end(),
                                  [&](const auto& function) { return function.name == variable; });
  };
  QTRY_VERIFY_WITH_TIMEOUT(shows("flag"), kPatienceMs);
  QVERIFY(!shows("temp"));
  QCOMPARE(session::textOf(studio.session().data.front().options.at("variable")), std::string("flag"));
  QTRY_COMPARE_WITH_TIMEOUT(studio.child<QComboBox>("data.choice.variable")->currentText().left(4), "flag",
                            kPatienceMs);
  while (studio.session().data.front().options.contains("variable")) {
    QVERIFY(studio.action("undo")->isEnabled());
    studio.trigger("undo");
  }
  QTRY_VERIFY_WITH_TIMEOUT(shows("temp"), kPatienceMs);
}

/// An ocean with its mask, in new data; who wants the numbers on land gets them, and sessions that were made before have them.
void TestWaysOfReading::landIsBlankAtFirst() {
  NEEDS_DATA("data/series/ocean/croco_his.nc");
  auto readers = std::make_shared<fields::ReaderRegistry>();
  readers->add(std::make_unique<netcdf3::NetcdfDataReader>());
  Studio studio({1280, 800}, {}, {}, readers);
  const QString file = QString::fromStdString(dataPath("data/series/ocean/croco_his.nc").string());
  studio.window.openPaths({file});
  QTRY_COMPARE_WITH_TIMEOUT(studio.session().data.size(), 1U, kPatienceMs);
  const auto land = [&] {
    const auto& options = studio.session().data.front().options;
    const auto found = options.find("land");
    return found == options.end() ? std::string() : session::textOf(found->second);
  };
  QTRY_COMPARE_WITH_TIMEOUT(land(), std::string("blank"), kPatienceMs);
  const auto isBlank = [&] {
    const auto summary = studio.model.stage().summary(studio.session().data.front().name);
    return summary && std::any_of(summary->explanation.begin(), summary->explanation.end(),
                                  [](const auto& line) { return line == "land is blank, by mask_rho"; });
  };
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && isBlank(), kPatienceMs);
  studio.window.pipeline().selectData(studio.session().data.front().name);
  QComboBox* list = nullptr;
  QTRY_VERIFY_WITH_TIMEOUT((list = studio.child<QComboBox>("data.choice.land")), kPatienceMs);
  QCOMPARE(list->currentText(), QString("blank, by mask_rho"));
  list->setCurrentIndex(0);
  emit list->activated(0);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !isBlank() && land().empty(), kPatienceMs);
  session::Session old = studio.session();
  old.data.front().options.clear();
  studio.model.document().replace(old, {}, true);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.model.stage().summary(old.data.front().name),
                           kPatienceMs);
  QVERIFY(!isBlank());
}

/// What is not read is said in the window's words, and a choice from a list reads it.
void TestWaysOfReading::valuesOfCellsInPlaceOfThoseOfNodes() {
  auto readers = std::make_shared<fields::ReaderRegistry>();
  readers->add(std::make_unique<vtkfile::VtkDataReader>());
  Studio studio({1280, 800}, {}, {}, readers);
  writeBoth(studio.at("both.vtk"));
  studio.window.openPaths({studio.at("both.vtk")});
  QTRY_VERIFY_WITH_TIMEOUT(studio.model.stage().summary("both"), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  studio.window.findChild<ui::PipelinePanel*>()->selectData("both");
  QComboBox* values = nullptr;
  QTRY_VERIFY_WITH_TIMEOUT((values = studio.child<QComboBox>("data.choice.on")), kPatienceMs);
  QCOMPARE(values->currentText(), QString("of nodes: heat"));
  const auto says = [&](const QString& text) {
    const QList<QLabel*> labels = studio.window.findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(), [&](QLabel* label) { return label->text() == text; });
  };
  QVERIFY(says("the values of cells (load)"));
  values->setCurrentIndex(1);
  emit values->activated(1);
  const auto shows = [&](const char* variable) {
    const auto summary = studio.model.stage().summary("both");
    return summary && std::any_of(summary->functions.begin(), summary->functions.end(),
                                  [&](const auto& function) { return function.name == variable; });
  };
  QTRY_VERIFY_WITH_TIMEOUT(shows("load") && !shows("heat"), kPatienceMs);
  QCOMPARE(session::textOf(studio.session().data.front().options.at("on")), std::string("cells"));
  QTRY_VERIFY_WITH_TIMEOUT(says("the values of nodes (heat)"), kPatienceMs);
  // The grid is the file's own, and what its nodes are here is said.
  QVERIFY(says("at their centres and, as those beside, at the ends of blocks"));
  QVERIFY(says("27") && says("8") && says("4 × 4 × 4"));
  const Bounds bounds = studio.model.stage().summary("both")->bounds;
  QCOMPARE(bounds.min, (Vec3{0, 0, 0}));
  QCOMPARE(bounds.max, (Vec3{2, 2, 2}));
  // The usual way needs no word in the session.
  values = studio.child<QComboBox>("data.choice.on");
  values->setCurrentIndex(0);
  emit values->activated(0);
  QTRY_VERIFY_WITH_TIMEOUT(shows("heat"), kPatienceMs);
  QVERIFY(!studio.session().data.front().options.contains("on"));
}

/// What is coloured by values of nodes takes colours of those of cells where these are read, and its own again with them.
void TestWaysOfReading::coloursStandInForWhatIsNotThere() {
  auto readers = std::make_shared<fields::ReaderRegistry>();
  readers->add(std::make_unique<vtkfile::VtkDataReader>());
  Studio studio({1280, 800}, {}, {}, readers);
  writeBoth(studio.at("both.vtk"));
  studio.window.openPaths({studio.at("both.vtk")});
  QTRY_VERIFY_WITH_TIMEOUT(studio.model.stage().summary("both") && studio.rests(), kPatienceMs);
  app::Document& document = studio.model.document();
  // The volume that comes first is one *of* a function, and says itself that it is not there.
  document.edit("Remove", [&](app::Draft& draft) {
    for (const app::ObjectId id : document.objectIds()) draft.remove(id);
  });
  studio.trigger("addSlice");
  const app::ObjectId slice = studio.newest();
  studio.trigger("addSlice");
  const app::ObjectId other = studio.newest();
  document.edit("Colour", [&](app::Draft& draft) {
    draft.object(slice).color.by = "heat";
    draft.object(slice).color.map.name = "plasma";
    draft.object(slice).color.range = {{1, 5}};
    draft.object(other).color.by = "2*heat";
  });
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  const session::Coloring before = document.object(slice)->color;
  const auto by = [&](app::ObjectId id) { return document.object(id)->color.by; };
  const auto shown = [&](app::ObjectId id) { return studio.model.stage().status(id).scale.title; };
  const auto* const messages = studio.window.findChild<ui::MessageList*>();
  const auto choose = [&](int number) {
    studio.window.pipeline().selectData("both");
    auto* const values = studio.child<QComboBox>("data.choice.on");
    if (!values) return false;
    values->setCurrentIndex(number);
    emit values->activated(number);
    return true;
  };
  const int steps = document.undoStack().index();
  QVERIFY(choose(1));
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && shown(slice) == "load" && shown(other) == "load", kPatienceMs);
  QCOMPARE(document.undoStack().index(), steps + 1);
  QCOMPARE(by(slice), std::string("load"));
  QVERIFY(!document.object(slice)->color.range);  // of other values
  QCOMPARE(document.object(slice)->color.map.name, document.object(other)->color.map.name);  // one quantity
  QVERIFY2(messages->allText().contains("Coloured by “load” until there is: slice"),
           qPrintable(messages->allText()));
  QVERIFY2(!messages->allText().contains("there is no function"), qPrintable(messages->allText()));
  // Undone and done again whole.
  studio.trigger("undo");
  QCOMPARE(document.object(slice)->color, before);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && shown(slice) == "heat", kPatienceMs);
  studio.trigger("redo");
  QCOMPARE(by(other), std::string("load"));
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && shown(slice) == "load", kPatienceMs);
  // Back: what they had.
  QTRY_VERIFY_WITH_TIMEOUT(choose(0), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && shown(slice) == "heat" && shown(other) == "2*heat", kPatienceMs);
  QCOMPARE(document.object(slice)->color, before);
  QCOMPARE(document.undoStack().index(), steps + 2);
  QVERIFY(messages->allText().contains("Coloured by “heat” again: slice"));
  studio.trigger("undo");
  QCOMPARE(by(slice), std::string("load"));
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && shown(slice) == "load", kPatienceMs);
  // What somebody has chosen meanwhile stays as long as it is there.
  document.edit("Colour", [&](app::Draft& draft) { draft.object(other).color.by.clear(); });
  QTRY_VERIFY_WITH_TIMEOUT(choose(0), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && shown(slice) == "heat", kPatienceMs);
  QCOMPARE(by(other), std::string());
}

void TestWaysOfReading::theGridAlone() {
  Studio studio;
  const QString grid = studio.at("wing");
  QCOMPARE(runFarfield(
               {"sample", "cylinder", "-o", grid, "--size", "17,13,5", "--blocks", "1", "--format", "plot3d"})
               .status,
           0);
  write(grid + ".q", "not a solution");
  studio.window.openPaths({grid + ".xyz"});
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.stage().dataStatus("wing").state, app::DataState::Failed,
                            kPatienceMs);
  QPushButton* alone = nullptr;
  for (QPushButton* const button : studio.window.findChildren<QPushButton*>())
    if (button->text() == "Open the grid alone" && button->isVisible()) alone = button;
  QVERIFY(alone);
  QTest::mouseClick(alone, Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(studio.model.stage().summary("wing"), kPatienceMs);
  QVERIFY(studio.session().data.front().solution.empty());
}

void TestWaysOfReading::openOffersHowFilesWereWritten() {
  Studio studio;
  QVERIFY(QDir().mkpath(studio.at("runs")));
  const QString grid = studio.at("runs/wing");
  QCOMPARE(runFarfield(
               {"sample", "cylinder", "-o", grid, "--size", "17,13,5", "--blocks", "1", "--format", "plot3d"})
               .status,
           0);
  studio.trigger("open");
  auto* dialog = studio.window.findChild<QFileDialog*>();
  QVERIFY(dialog);
  auto* const written = dialog->findChild<QGroupBox*>("open.plot3d");
  QVERIFY(written && !written->isVisible());
  for (const QString& filter : dialog->nameFilters())
    if (filter.startsWith("PLOT3D")) {
      dialog->selectNameFilter(filter);
      emit dialog->filterSelected(filter);
    }
  QVERIFY(written->isVisible());
  auto* const precision = written->findChild<QComboBox*>("plot3d.precision");
  precision->setCurrentIndex(precision->findData("f64"));
  dialog->selectFile(grid + ".xyz");
  emit dialog->filesSelected({grid + ".xyz"});
  dialog->reject();
  QTRY_VERIFY_WITH_TIMEOUT(!studio.session().data.empty(), kPatienceMs);
  QCOMPARE(session::textOf(studio.session().data.front().options.at("precision")), std::string("f64"));
  // The next time it begins where this one ended.
  QCOMPARE(studio.model.settings().lastFolder(), QFileInfo(grid).absolutePath());
  QTRY_VERIFY_WITH_TIMEOUT(!studio.window.findChild<QFileDialog*>(), kPatienceMs);
  studio.trigger("open");
  dialog = studio.window.findChild<QFileDialog*>();
  QCOMPARE(dialog->directory().absolutePath(), QFileInfo(grid).absolutePath());
  dialog->reject();
}

/// Files that do not say how many numbers they hold are described where that is said to be missing.
void TestWaysOfReading::plainNumbersAreDescribed() {
  Studio studio({1280, 800}, {}, {}, rawAndStoreReaders());
  // Letters, which are numbers as well as others.
  write(studio.at("cube_uint8.raw"), QByteArray(9 * 8 * 7, 'a'));
  studio.window.openPaths({studio.at("cube_uint8.raw")});
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.stage().dataStatus("cube_uint8").state, app::DataState::Failed,
                            kPatienceMs);
  const QString text = app::stateText(studio.model.stage().dataStatus("cube_uint8"));
  QVERIFY2(text.contains("plain numbers") && !text.contains("--"), text.toUtf8());
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QPushButton>("raw.read"), kPatienceMs);
  QVERIFY(!studio.child<QPushButton>("plot3d.read"));
  auto* const read = studio.child<QPushButton>("raw.read");
  QVERIFY(!read->isEnabled());  // the name says the type, but not how many
  QCOMPARE(studio.child<QComboBox>("raw.type")->currentData().toString(), "u8");
  const auto fill = [&](const char* axis, const char* number) {
    auto* const edit = studio.child<QLineEdit>(QString("raw.dims.") + axis);
    edit->setFocus();
    edit->selectAll();
    QTest::keyClicks(edit, number);
    QTest::keyClick(edit, Qt::Key_Return);
  };
  fill("i", "9");
  fill("j", "8");
  fill("k", "70");
  const auto* const sum = studio.child<QLabel>("raw.sum");
  QTRY_VERIFY2_WITH_TIMEOUT(sum->text().contains("504"), sum->text().toUtf8(), kPatienceMs);
  QVERIFY(!read->isEnabled());
  fill("k", "7");
  QVERIFY2(read->isEnabled(), sum->text().toUtf8());
  read->click();
  QTRY_VERIFY_WITH_TIMEOUT(studio.model.stage().summary("cube_uint8"), kPatienceMs);
  QVERIFY((studio.model.stage().summary("cube_uint8")->description.blocks[0].dims == Index3{9, 8, 7}));
  // The session keeps it.
  QCOMPARE(session::textOf(studio.session().data.front().options.at("type")), std::string("u8"));
  // And so does the list of what was opened last: nothing is asked once more.
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.model.settings().recent().isEmpty(), kPatienceMs);
  studio.model.document().clear();
  studio.window.openRecent(studio.model.settings().recent().front());
  QTRY_VERIFY_WITH_TIMEOUT(studio.model.stage().summary("cube_uint8"), kPatienceMs);
  QVERIFY((studio.model.stage().summary("cube_uint8")->description.blocks[0].dims == Index3{9, 8, 7}));
}

void TestWaysOfReading::plainNumbersInNames() {
  using Options = std::map<std::string, std::string>;
  QCOMPARE(ui::rawOptionsInName("bonsai_256x256x128_uint8.raw"),
           (Options{{"dims", "256,256,128"}, {"type", "u8"}}));
  QCOMPARE(ui::rawOptionsInName("magnetic-512X64X3-float32.raw"),
           (Options{{"dims", "512,64,3"}, {"type", "f32"}}));
  QCOMPARE(ui::rawOptionsInName("ct_i16.raw"), (Options{{"type", "i16"}}));
  QCOMPARE(ui::rawOptionsInName("painting.raw"), Options());
}

void TestWaysOfReading::aLoneSolutionGetsItsGrid() {
  Studio studio;
  QDir().mkpath(studio.at("case"));
  const Outcome made = runFarfield(
      {"sample", "cylinder", "-o", studio.at("case/wing"), "--size", "17,13,5", "--format", "plot3d"});
  QVERIFY2(made.status == 0, made.errors);
  // Nothing beside it has a name that goes with its own, and two grids have blocks of its sizes.
  QVERIFY(QFile::rename(studio.at("case/wing.q"), studio.at("case/result-7.q")));
  QVERIFY(QFile::copy(studio.at("case/wing.xyz"), studio.at("case/mast.xyz")));
  studio.window.openPaths({studio.at("case/result-7.q")});
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.stage().dataStatus("result-7").state, app::DataState::Failed,
                            kPatienceMs);
  const auto button = [&]() -> QPushButton* {
    for (QPushButton* const each : studio.window.findChildren<QPushButton*>())
      if (each->text().startsWith("Choose the grid")) return each;
    return nullptr;
  };
  QTRY_VERIFY_WITH_TIMEOUT(button(), kPatienceMs);
  button()->click();
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QFileDialog>("chooseGrid"), kPatienceMs);
  auto* const dialog = studio.child<QFileDialog>("chooseGrid");
  QCOMPARE(dialog->directory().absolutePath(), studio.at("case"));
  emit dialog->fileSelected(studio.at("case/wing.xyz"));
  dialog->reject();
  QTRY_VERIFY_WITH_TIMEOUT(studio.model.stage().summary("result-7"), kPatienceMs);
  QVERIFY(!app::vectorFunctions(*studio.model.stage().summary("result-7")).empty());
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() == 2, kPatienceMs);
}

void TestWaysOfReading::severalSolutionsStayStepsOfTheirGrid() {
  Studio studio;
  QDir().mkpath(studio.at("case"));
  const Outcome made = runFarfield(
      {"sample", "cylinder", "-o", studio.at("case/wing"), "--size", "17,13,5", "--format", "plot3d"});
  QVERIFY2(made.status == 0, made.errors);
  QVERIFY(QFile::copy(studio.at("case/wing.xyz"), studio.at("case/mast.xyz")));
  QStringList picked;
  for (const char* const name : {"case/result-9.q", "case/result-11.q", "case/result-10.q"}) {
    QVERIFY(QFile::copy(studio.at("case/wing.q"), studio.at(name)));
    picked.append(studio.at(name));
  }
  studio.window.openPaths(picked);
  QTRY_COMPARE_WITH_TIMEOUT(studio.session().data.size(), 1U, kPatienceMs);
  const std::string name = studio.session().data.front().name;
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.stage().dataStatus(name).state, app::DataState::Failed, kPatienceMs);
  const auto button = [&]() -> QPushButton* {
    for (QPushButton* const each : studio.window.findChildren<QPushButton*>())
      if (each->text().startsWith("Choose the grid")) return each;
    return nullptr;
  };
  QTRY_VERIFY_WITH_TIMEOUT(button(), kPatienceMs);
  button()->click();
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QFileDialog>("chooseGrid"), kPatienceMs);
  auto* const dialog = studio.child<QFileDialog>("chooseGrid");
  QCOMPARE(dialog->nameFilters(), QStringList{"All files (*)"});
  // Not of wing.q, which its name goes with.
  auto* const words = dialog->findChild<QTextEdit*>("open.preview.words");
  dialog->findChild<QLineEdit*>()->setText("wing.xyz");
  QTRY_VERIFY2_WITH_TIMEOUT(words->toPlainText().contains("wing.xyz with result-9.q and 2 more"),
                            words->toPlainText().toUtf8(), kPatienceMs);
  emit dialog->fileSelected(studio.at("case/wing.xyz"));
  dialog->reject();
  QTRY_VERIFY_WITH_TIMEOUT(studio.model.stage().summary(name), kPatienceMs);
  QCOMPARE(studio.model.stage().summary(name)->description.steps(), 3);
  QCOMPARE(studio.session().data.front().solution,
           std::vector{studio.at("case/result-[0-9]*.q").toStdString()});
}

void TestWaysOfReading::textIsCalledText() {
  Studio studio;
  write(studio.at("notes.txt"), "What I meant to do on Monday:\nlook at the wing.\n");
  studio.window.openPaths({studio.at("notes.txt")});
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.stage().dataStatus("notes").state, app::DataState::Failed,
                            kPatienceMs);
  const QString text = app::stateText(studio.model.stage().dataStatus("notes"));
  QVERIFY2(text.contains("is a text file"), text.toUtf8());
  QVERIFY(studio.model.settings().recent().isEmpty());
  // Nor are a picture and a document what somebody could describe as numbers.
  write(studio.at("p.png"), QByteArray("\x89PNG\r\n\x1a\n", 8) + QByteArray(2000, '\x07'));
  write(studio.at("paper.pdf"), "%PDF-1.4\n%\xe2\xe3\xcf\xd3\n" + QByteArray(500, 'x'));
  const struct {
    const char *name, *file, *what;
  } others[] = {{"p", "p.png", "a picture (PNG)"}, {"paper", "paper.pdf", "a PDF document"}};
  for (const auto& [name, file, what] : others) {
    studio.window.openPaths({studio.at(file)});
    QTRY_COMPARE_WITH_TIMEOUT(studio.model.stage().dataStatus(name).state, app::DataState::Failed,
                              kPatienceMs);
    const QString said = app::stateText(studio.model.stage().dataStatus(name));
    QVERIFY2(said.contains(what), said.toUtf8());
    studio.window.pipeline().selectData(name);
    QCoreApplication::processEvents();
    QVERIFY(!studio.child<QPushButton>("plot3d.read") && !studio.child<QPushButton>("raw.read"));
  }
}

/// Of a format that is text it is not said that text is not read.
void TestWaysOfReading::formatsThatAreTextSayWhatIsWrong() {
  Studio studio;
  write(studio.at("points.vtu"), "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\"/>\n");
  studio.window.openPaths({studio.at("points.vtu")});
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.stage().dataStatus("points").state, app::DataState::Failed,
                            kPatienceMs);
  const QString text = app::stateText(studio.model.stage().dataStatus("points"));
  QVERIFY2(!text.contains("is a text file"), text.toUtf8());
  QVERIFY(!studio.child<QPushButton>("plot3d.read") && !studio.child<QPushButton>("raw.read"));
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestWaysOfReading test;
  return QTest::qExec(&test, count, words);
}
#include "tst_ways_of_reading.moc"
