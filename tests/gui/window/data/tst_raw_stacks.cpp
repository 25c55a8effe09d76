// Slices of plain numbers, a file each, are one volume: named by a pattern or picked together, described once, and the same in a session.
// Needs no OpenGL.

#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QGroupBox>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTextEdit>
#include <algorithm>

#include "app/ui/editors/raw_options.h"
#include "plugins/formats/formats.h"
#include "tests/gui/window/support/studio.h"

using namespace farfield;
using namespace farfield::test;

namespace {

constexpr int kSide = 12, kPlanes = 11;

/// Another one at each node; as bytes they are neither text nor a grid.
int valueAt(int i, int j, int plane) {
  return i + 16 * j + 256 * plane;
}

QByteArray sliceOf(int plane) {
  QByteArray bytes;
  for (int j = 0; j < kSide; ++j)
    for (int i = 0; i < kSide; ++i) {
      const int value = valueAt(i, j, plane);
      bytes.append(static_cast<char>(value & 0xff)).append(static_cast<char>(value >> 8));
    }
  return bytes;
}

std::shared_ptr<const fields::ReaderRegistry> allFormats() {
  auto registry = std::make_shared<fields::ReaderRegistry>();
  formats::addFormats(*registry);
  return registry;
}

/// A window beside a folder of slices head.1, head.2, …, head.11.
struct Room : Studio {
  Room() : Studio({1400, 850}, {}, {}, allFormats()) {
    QDir().mkpath(at("slices"));
    for (int plane = 1; plane <= kPlanes; ++plane) write(pathOf(plane), sliceOf(plane));
    model.settings().setLastFolder(at("slices"));
  }
  QString pathOf(int plane) const { return at("slices/head.") + QString::number(plane); }
  /// In the order of a list of names.
  QStringList paths() const {
    QStringList all;
    for (int plane = 1; plane <= kPlanes; ++plane) all.append(pathOf(plane));
    all.sort();
    return all;
  }
  /// The dialog, with this typed in it.
  QFileDialog* openWith(const char* typed) {
    trigger("open");
    auto* const dialog = window.findChild<QFileDialog*>();
    if (!dialog || !QTest::qWaitForWindowExposed(dialog)) return nullptr;
    auto* const line = lineOf(dialog);
    line->setFocus(Qt::TabFocusReason);
    QTest::keyClicks(line, typed);
    return dialog;
  }
  static QLineEdit* lineOf(QFileDialog* dialog) { return dialog->findChild<QLineEdit*>("fileNameEdit"); }
  static QString wordsOf(QFileDialog* dialog) {
    return dialog->findChild<QTextEdit*>("open.preview.words")->toPlainText();
  }
  bool isOpen() {
    return QTest::qWaitFor([&] { return model.stage().summary("head") && rests(); }, kPatienceMs);
  }
  /// Of the data that are open; 0 where there is none.
  double numberAt(Vec3 place) {
    std::optional<app::ProbeAnswer> read;
    constexpr std::uint64_t kNumber = 1'000'000'007;
    const auto reading = QObject::connect(&model.engine(), &app::Engine::probed, [&](const auto& answer) {
      if (answer.number == kNumber) read = answer;
    });
    app::ProbeRequest request;
    request.number = kNumber;
    request.dataKey = model.stage().keyOf("head");
    request.point = place;
    request.functions = {"value"};
    model.engine().probe(request);
    const bool answered = QTest::qWaitFor([&] { return read.has_value(); }, kPatienceMs);
    QObject::disconnect(reading);
    return answered && read->found && !read->values.empty() ? read->values[0].second[0] : 0;
  }
  std::string option(const char* key) {
    const auto& options = session().data.front().options;
    const auto found = options.find(key);
    return found == options.end() ? std::string() : session::textOf(found->second);
  }
};

/// The whole volume, read from one source in the session.
void verifyOpened(Room& room) {
  QVERIFY(room.isOpen());
  QCOMPARE(room.session().data.size(), 1U);
  const auto& description = room.model.stage().summary("head")->description;
  QVERIFY((description.blocks[0].dims == Index3{kSide, kSide, kPlanes}));
  QCOMPARE(description.steps(), 1);
  QCOMPARE(room.session().data.front().source, std::vector{room.at("slices/head.[0-9]*").toStdString()});
  // The third plane, and the tenth, which is not the second by its name.
  QCOMPARE(room.numberAt({3, 7, 2}), double(valueAt(3, 7, 3)));
  QCOMPARE(room.numberAt({5, 1, 9}), double(valueAt(5, 1, 10)));
}

}  // namespace

class TestRawStacks : public QObject {
  Q_OBJECT
 private slots:
  void patternsAreDescribedAndOpened();
  void picksAreDescribedAndOpened();
  void whatWasPickedIsDescribedWhereItFailed();
  void patternsThatFindNothingAreSaid();
  void slicesThatAreMissingAreSaid();
  void sizesOfSquares();
  void filesOfWholeVolumesAreSteps();
};

/// Named by a pattern, described in the dialog, seen there, and opened; undone, done again, saved, and opened once more.
void TestRawStacks::patternsAreDescribedAndOpened() {
  Room room;
  auto* const dialog = room.openWith("head.*");
  QVERIFY(dialog);
  auto* const asks = dialog->findChild<QGroupBox*>("open.raw");
  QTRY_VERIFY_WITH_TIMEOUT(asks->isVisible(), kPatienceMs);
  // What the size of the files lets one guess is there.
  QCOMPARE(asks->findChild<QLineEdit*>("raw.dims.i")->text(), "12");
  QCOMPARE(asks->findChild<QLineEdit*>("raw.dims.j")->text(), "12");
  QCOMPARE(asks->findChild<QLineEdit*>("raw.dims.k")->text(), "11");
  QCOMPARE(asks->findChild<QComboBox*>("raw.type")->currentData().toString(), "u16");
  const QString role = asks->findChild<QLabel*>("raw.role")->text();
  QVERIFY2(role.contains("Each of the 11 files is a plane") && role.contains("guess"), role.toUtf8());
  QTRY_VERIFY2_WITH_TIMEOUT(Room::wordsOf(dialog).contains("12 x 12 x 11"), Room::wordsOf(dialog).toUtf8(),
                            kPatienceMs);
  QVERIFY(Room::wordsOf(dialog).startsWith("head.1 and 10 more, together\n"));
  // Something else that is said is looked at as well.
  auto* const apart = asks->findChild<QLineEdit*>("raw.spacing.z");
  const auto say = [&](const char* number) {
    apart->setFocus(Qt::TabFocusReason);
    apart->selectAll();
    QTest::keyClicks(apart, number);
    QTest::keyClick(apart, Qt::Key_Tab);
  };
  say("2");
  QTRY_VERIFY2_WITH_TIMEOUT(Room::wordsOf(dialog).contains("z 0 … 20"), Room::wordsOf(dialog).toUtf8(),
                            kPatienceMs);
  say("1");
  QTest::keyClick(Room::lineOf(dialog), Qt::Key_Return);
  QTRY_VERIFY_WITH_TIMEOUT(!room.session().data.empty(), kPatienceMs);
  verifyOpened(room);
  QCOMPARE(room.option("dims"), std::string("12,12"));
  QCOMPARE(room.option("type"), std::string("u16"));

  room.trigger("undo");
  QVERIFY(room.session().data.empty());
  room.trigger("redo");
  verifyOpened(room);
  QSignalSpy saved(&room.model, &app::AppModel::saved);
  room.model.save(room.at("head.json"));
  QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 1, kPatienceMs);
  room.model.document().clear();
  room.window.openPaths({room.at("head.json")});
  QTRY_VERIFY_WITH_TIMEOUT(!room.session().data.empty(), kPatienceMs);
  QVERIFY(room.isOpen());
  QCOMPARE(room.numberAt({5, 1, 9}), double(valueAt(5, 1, 10)));
  // And from the list of what was opened last.
  QTRY_VERIFY_WITH_TIMEOUT(room.model.settings().recent().size() > 1, kPatienceMs);
  room.model.document().clear();
  for (const QString& recent : room.model.settings().recent())
    if (recent.contains("head.[")) room.window.openRecent(recent);
  QTRY_VERIFY_WITH_TIMEOUT(!room.session().data.empty(), kPatienceMs);
  verifyOpened(room);
}

/// As the list of the dialog names what is picked in it.
void TestRawStacks::picksAreDescribedAndOpened() {
  Room room;
  write(room.at("slices/notes.txt"), "Slices of a head.\n");
  auto* const dialog = room.openWith("");
  QVERIFY(dialog);
  QStringList quoted;
  for (const QString& path : room.paths()) quoted.append('"' + QFileInfo(path).fileName() + '"');
  Room::lineOf(dialog)->setText(quoted.join(' '));
  auto* const asks = dialog->findChild<QGroupBox*>("open.raw");
  QTRY_VERIFY_WITH_TIMEOUT(asks->isVisible(), kPatienceMs);
  QTRY_VERIFY2_WITH_TIMEOUT(Room::wordsOf(dialog).contains("12 x 12 x 11"), Room::wordsOf(dialog).toUtf8(),
                            kPatienceMs);
  QTest::keyClick(Room::lineOf(dialog), Qt::Key_Return);
  QTRY_VERIFY_WITH_TIMEOUT(!room.session().data.empty(), kPatienceMs);
  verifyOpened(room);
}

/// What is dropped, or named where the window is started, is described in its properties.
void TestRawStacks::whatWasPickedIsDescribedWhereItFailed() {
  Room room;
  room.window.openPaths(room.paths());
  QTRY_COMPARE_WITH_TIMEOUT(room.session().data.size(), 1U, kPatienceMs);
  QTRY_COMPARE_WITH_TIMEOUT(room.model.stage().dataStatus("head").state, app::DataState::Failed, kPatienceMs);
  QPushButton* read = nullptr;
  QTRY_VERIFY_WITH_TIMEOUT((read = room.child<QPushButton>("raw.read")) && read->isEnabled(), kPatienceMs);
  QCOMPARE(room.child<QLineEdit>("raw.dims.k")->text(), "11");
  // Neither one plane too many, nor half a plane in each file.
  typeNumber(room.child<QLineEdit>("raw.dims.j"), "13");
  QVERIFY(!read->isEnabled());
  typeNumber(room.child<QLineEdit>("raw.dims.j"), "12");
  typeNumber(room.child<QLineEdit>("raw.dims.k"), "12");
  QVERIFY(!read->isEnabled());
  typeNumber(room.child<QLineEdit>("raw.dims.k"), "11");
  QVERIFY(read->isEnabled());
  // What fits and is wrong, as the picture shows, is put right there, and taken back to where nothing was told.
  typeNumber(room.child<QLineEdit>("raw.dims.i"), "10");
  QVERIFY(read->isEnabled());
  read->click();
  const auto width = [&] {
    const auto summary = room.model.stage().summary("head");
    return summary && room.rests() ? summary->description.blocks[0].dims[0] : 0;
  };
  QTRY_COMPARE_WITH_TIMEOUT(width(), std::int64_t{10}, kPatienceMs);
  room.window.pipeline().selectData("head");
  QLineEdit* columns = nullptr;
  QTRY_VERIFY_WITH_TIMEOUT((columns = room.child<QLineEdit>("raw.dims.i")) && columns->text() == "10" &&
                               room.child<QLineEdit>("raw.dims.k")->text() == "11",
                           kPatienceMs);
  typeNumber(columns, "12");
  room.child<QPushButton>("raw.read")->click();
  QTRY_COMPARE_WITH_TIMEOUT(width(), std::int64_t{12}, kPatienceMs);
  verifyOpened(room);
  room.trigger("undo");
  QTRY_COMPARE_WITH_TIMEOUT(width(), std::int64_t{10}, kPatienceMs);
  room.trigger("undo");
  QTRY_COMPARE_WITH_TIMEOUT(room.model.stage().dataStatus("head").state, app::DataState::Failed, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(room.child<QPushButton>("raw.read"), kPatienceMs);
}

void TestRawStacks::patternsThatFindNothingAreSaid() {
  Room room;
  auto* const dialog = room.openWith("tail.*");
  QVERIFY(dialog);
  QTest::keyClick(Room::lineOf(dialog), Qt::Key_Return);
  QMessageBox* box = nullptr;
  QTRY_VERIFY_WITH_TIMEOUT((box = dialog->findChild<QMessageBox*>()), kPatienceMs);
  QVERIFY2(box->text().contains("tail.*"), box->text().toUtf8());
  box->accept();
  QVERIFY(dialog->isVisible());
  dialog->reject();
  QVERIFY(room.session().data.empty());
}

/// As of a series: what follows a slice that is not there would lie too low without a word.
void TestRawStacks::slicesThatAreMissingAreSaid() {
  Room room;
  for (const int plane : {5, 8}) QVERIFY(QFile::remove(room.pathOf(plane)));
  auto* const dialog = room.openWith("head.*");
  QVERIFY(dialog);
  auto* const asks = dialog->findChild<QGroupBox*>("open.raw");
  QTRY_VERIFY_WITH_TIMEOUT(asks->isVisible(), kPatienceMs);
  auto* const role = asks->findChild<QLabel*>("raw.role");
  QTRY_VERIFY2_WITH_TIMEOUT(role->text().contains("“head.5” and 1 more are missing"),
                            qPrintable(role->text()), kPatienceMs);
  QCOMPARE(asks->findChild<QLineEdit*>("raw.dims.k")->text(), "9");
}

void TestRawStacks::sizesOfSquares() {
  using Options = std::map<std::string, std::string>;
  QCOMPARE(ui::rawOptionsOfSquare(8192), (Options{{"dims", "64,64"}, {"type", "u16"}}));
  QCOMPARE(ui::rawOptionsOfSquare(524'288), (Options{{"dims", "512,512"}, {"type", "u16"}}));
  QCOMPARE(ui::rawOptionsOfSquare(262'144), (Options{{"dims", "512,512"}, {"type", "u8"}}));
  QCOMPARE(ui::rawOptionsOfSquare(262'144, "f32"), (Options{{"dims", "256,256"}, {"type", "f32"}}));
  QCOMPARE(ui::rawOptionsOfSquare(524'288, "i16"), (Options{{"dims", "512,512"}, {"type", "i16"}}));
  QCOMPARE(ui::rawOptionsOfSquare(8191), Options());
  QCOMPARE(ui::rawOptionsOfSquare(0), Options());
}

/// As the names say that each of them is one.
void TestRawStacks::filesOfWholeVolumesAreSteps() {
  Room room;
  QStringList files;
  for (const char* const name : {"run1_6x5x4_u8.raw", "run2_6x5x4_u8.raw"}) {
    files.append(room.at(name));
    write(files.back(), QByteArray(6 * 5 * 4, name[3]));
  }
  room.window.openPaths(files);
  QPushButton* read = nullptr;
  QTRY_VERIFY_WITH_TIMEOUT((read = room.child<QPushButton>("raw.read")) && read->isEnabled(), kPatienceMs);
  QTRY_COMPARE_WITH_TIMEOUT(room.child<QLabel>("raw.role")->text(), "Each of the 2 files is a step.",
                            kPatienceMs);
  const std::string name = room.session().data.front().name;
  read->click();
  QTRY_VERIFY_WITH_TIMEOUT(room.model.stage().summary(name), kPatienceMs);
  QCOMPARE(room.model.stage().summary(name)->description.steps(), 2);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestRawStacks test;
  return QTest::qExec(&test, count, words);
}
#include "tst_raw_stacks.moc"
