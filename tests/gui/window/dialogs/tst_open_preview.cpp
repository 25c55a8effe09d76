// Beside the dialog in which files are chosen: what a file holds, in words and as a picture, before it is opened; why it cannot
// be; and that another choice takes its place at once.

#include <sys/stat.h>

#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QTextEdit>

#include "app/ui/dialogs/file_dialogs.h"
#include "app/ui/dialogs/open_preview.h"
#include "tests/cli/program.h"
#include "tests/support/temporary_folder.h"

using farfield::test::Outcome;
using farfield::test::programPath;
using farfield::test::runFarfield;
using farfield::test::TemporaryFolder;
using farfield::test::write;
using farfield::ui::OpenPreview;

namespace {

constexpr int kPatienceMs = 60'000;

/// A cube of numbers as text.
QByteArray cubeFile() {
  QByteArray text =
      "# vtk DataFile Version 3.0\ncube\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS 12 10 8\n"
      "ORIGIN 0 0 0\nSPACING 1 1 1\nPOINT_DATA 960\nSCALARS heat float 1\nLOOKUP_TABLE default\n";
  for (int n = 0; n < 960; ++n) text += QByteArray::number(n % 97) + "\n";
  return text;
}

}  // namespace

class TestOpenPreview : public QObject {
  Q_OBJECT
 private slots:
  void init() { m_folder = std::make_unique<TemporaryFolder>(); }
  void showsWhatAFileHolds();
  void saysWhyAFileCannotBeOpened();
  void anotherChoiceTakesItsPlace();
  void foldersAndSessions();
  void whatIsTypedIsLookedAt();
  void whatIsTypedStays();
  void whatBelongsTogetherIsLookedAtTogether();
  void severalAreWhatOpenMakesOfThem();
  void foldersOfDataAreOpenedAsFiles();
  void foldersAreWhatOpenMakesOfThem();
  void foldersAreFollowed();
  void picturesNamedAsDataAreCalledPictures();
  void wordsAreTheWindows();
  void whatIsNoFileIsSaid();
  void oceansAreAsTheyWillBeOpened();
  void narrowDialogsCutNothingOff();

 private:
  QString path(const QString& name) const { return m_folder->path().string().c_str() + ("/" + name); }
  static QString words(const OpenPreview& preview) {
    return preview.findChild<QTextEdit*>("open.preview.words")->toPlainText();
  }
  static bool hasPicture(const OpenPreview& preview) {
    return !preview.findChild<QLabel*>("open.preview.picture")->pixmap().isNull();
  }
  std::unique_ptr<TemporaryFolder> m_folder;
};

void TestOpenPreview::showsWhatAFileHolds() {
  write(path("cube.vtk"), cubeFile());
  OpenPreview preview(programPath(), nullptr);
  preview.lookAt(path("cube.vtk"));
  QTRY_VERIFY_WITH_TIMEOUT(words(preview).contains("12 x 10 x 8"), kPatienceMs);
  QVERIFY(words(preview).contains("heat"));
  QTRY_VERIFY_WITH_TIMEOUT(hasPicture(preview), kPatienceMs);
}

void TestOpenPreview::saysWhyAFileCannotBeOpened() {
  write(path("cut.vtk"), cubeFile().left(400));
  OpenPreview preview(programPath(), nullptr);
  preview.lookAt(path("cut.vtk"));
  QTRY_VERIFY_WITH_TIMEOUT(words(preview).contains("cut.vtk"), kPatienceMs);
  QVERIFY(!words(preview).startsWith("farfield"));
  QVERIFY(!hasPicture(preview));
  // In the window's words, not the command line's.
  write(path("noise.bin"), QByteArray("\xf3\x81\x17\x92\x0b", 5).repeated(4001));
  preview.lookAt(path("noise.bin"));
  QTRY_VERIFY_WITH_TIMEOUT(words(preview).contains("noise.bin"), kPatienceMs);
  QVERIFY2(!words(preview).contains("--option") && words(preview).contains("along each axis"),
           qPrintable(words(preview)));
  write(path("picture.png"), QByteArray("\x89PNG\r\n\x1a\n", 8) + QByteArray(2000, '\x07'));
  preview.lookAt(path("picture.png"));
  QTRY_VERIFY_WITH_TIMEOUT(words(preview).contains("picture.png"), kPatienceMs);
  QVERIFY2(!words(preview).contains("name the reader") && words(preview).contains("PLOT3D, VTK"),
           qPrintable(words(preview)));
  write(path("empty.nc"), {});
  preview.lookAt(path("empty.nc"));
  QTRY_VERIFY_WITH_TIMEOUT(words(preview).contains("is empty"), kPatienceMs);
}

void TestOpenPreview::anotherChoiceTakesItsPlace() {
  write(path("cube.vtk"), cubeFile());
  write(path("cut.vtk"), cubeFile().left(400));
  OpenPreview preview(programPath(), nullptr);
  preview.lookAt(path("cube.vtk"));
  QTRY_VERIFY_WITH_TIMEOUT(words(preview).contains("heat"), kPatienceMs);
  // while the picture of the first is made
  preview.lookAt(path("cut.vtk"));
  QVERIFY(!words(preview).contains("heat"));
  QTRY_VERIFY_WITH_TIMEOUT(words(preview).contains("cut.vtk"), kPatienceMs);
  QVERIFY(!hasPicture(preview));
}

void TestOpenPreview::foldersAndSessions() {
  OpenPreview preview(programPath(), nullptr);
  const QString hint = words(preview);
  QVERIFY(!hint.isEmpty());
  write(path("s.json"), R"({ "farfield": 1, "data": {}, "objects": [] })");
  preview.lookAt(path("s.json"));
  QTRY_VERIFY_WITH_TIMEOUT(words(preview).contains("session"), kPatienceMs);
  write(path("half.json"), R"({ "farfield": 1, "data": {)");
  preview.lookAt(path("half.json"));
  QTRY_VERIFY_WITH_TIMEOUT(words(preview).contains("line 1"), kPatienceMs);
  preview.lookAt(path("."));
  QCOMPARE(words(preview), hint);
  preview.lookAt(path("nothing"));
  QCOMPARE(words(preview), hint);
}

void TestOpenPreview::whatIsTypedIsLookedAt() {
  write(path("cube.vtk"), cubeFile());
  QFileDialog dialog(nullptr, "Open", path("."));
  dialog.setOption(QFileDialog::DontUseNativeDialog);
  OpenPreview preview(programPath(), nullptr);
  preview.follow(dialog);
  const QString hint = words(preview);
  dialog.show();
  auto* const typed = dialog.findChild<QLineEdit*>();
  QVERIFY(typed);
  typed->setFocus();
  // By its whole path, and by its name alone in the folder that is shown.
  QTest::keyClicks(typed, path("cube.vtk"));
  QTRY_VERIFY_WITH_TIMEOUT(words(preview).contains("12 x 10 x 8"), kPatienceMs);
  typed->selectAll();
  QTest::keyClick(typed, Qt::Key_Delete);
  QCOMPARE(words(preview), hint);
  QTest::keyClicks(typed, "cube.vtk");
  QTRY_VERIFY_WITH_TIMEOUT(words(preview).contains("12 x 10 x 8"), kPatienceMs);
}

/// A solution alone is nothing that can be drawn: its grid lies beside it.
void TestOpenPreview::whatIsTypedStays() {
  QVERIFY(QDir().mkpath(path("one/two/three")));
  for (const auto mode : {QFileDialog::Directory, QFileDialog::ExistingFiles}) {
    QFileDialog dialog(nullptr, "Open", QDir::tempPath());
    dialog.setOption(QFileDialog::DontUseNativeDialog);
    dialog.setFileMode(mode);
    farfield::ui::prepareFileDialog(dialog);
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog));
    auto* const line = dialog.findChild<QLineEdit*>("fileNameEdit");
    QVERIFY(line);
    // As where somebody types before the window is the active one: keys arrive, and nothing has the keyboard.
    const QString whole = path("one/two/three");
    for (const QChar letter : whole) {
      line->clearFocus();
      QTest::keyClick(line, letter.toLatin1());
      QTest::qWait(1);
    }
    QCOMPARE(line->text(), whole);
    if (mode != QFileDialog::Directory) {  // there Return chooses it
      QTest::keyClick(line, Qt::Key_Return);
      QTRY_COMPARE_WITH_TIMEOUT(line->text(), QString(), kPatienceMs);
      QCOMPARE(dialog.directory().absolutePath(), QDir(whole).absolutePath());
    }
  }
}

void TestOpenPreview::whatBelongsTogetherIsLookedAtTogether() {
  SUCCEEDS(runFarfield({"sample", "tornado", "-o", "wing", "--format", "plot3d", "--size", "9"}, path(".")));
  OpenPreview preview(programPath(), nullptr);
  for (const char* const name : {"wing.q", "wing.xyz"}) {
    preview.lookAt(path(name));
    QTRY_VERIFY_WITH_TIMEOUT(words(preview).startsWith("wing.xyz with wing.q"), kPatienceMs);
    QVERIFY(words(preview).contains("density") && words(preview).contains("9 x 9 x 9"));
    QTRY_VERIFY_WITH_TIMEOUT(hasPicture(preview), kPatienceMs);
  }
}

void TestOpenPreview::severalAreWhatOpenMakesOfThem() {
  for (const char* const name : {"heat_1.vtk", "heat_2.vtk", "heat_3.vtk", "other.vtk"})
    write(path(name), cubeFile());
  QFileDialog dialog(nullptr, "Open", path("."));
  dialog.setOption(QFileDialog::DontUseNativeDialog);
  dialog.setFileMode(QFileDialog::ExistingFiles);
  OpenPreview preview(programPath(), nullptr);
  preview.follow(dialog);
  dialog.show();
  auto* const line = dialog.findChild<QLineEdit*>("fileNameEdit");
  QVERIFY(line);
  line->setText(R"("heat_1.vtk" "heat_2.vtk" "heat_3.vtk")");
  QTRY_VERIFY_WITH_TIMEOUT(words(preview).startsWith("heat_1.vtk and 2 more as steps"), kPatienceMs);
  QVERIFY2(words(preview).contains("12 x 10 x 8"), qPrintable(words(preview)));
  QTRY_VERIFY_WITH_TIMEOUT(hasPicture(preview), kPatienceMs);
  line->setText(R"("heat_1.vtk" "heat_2.vtk" "other.vtk")");
  QTRY_COMPARE_WITH_TIMEOUT(words(preview),
                            QString("2 data sets:\nheat_1.vtk and 1 more as steps\nother.vtk"), kPatienceMs);
  QVERIFY(!hasPicture(preview));
}

/// Chosen, or gone into: there is no file in it that could be picked.
void TestOpenPreview::foldersOfDataAreOpenedAsFiles() {
  QVERIFY(QDir().mkpath(path("set/inner")));
  write(path("set/.zgroup"), R"({ "zarr_format": 2 })");
  for (const bool goesIn : {false, true}) {
    QScopedPointer<QFileDialog> dialog(
        farfield::ui::newOpenDialog(nullptr, "Open", path(goesIn ? "set" : ".")));
    farfield::ui::prepareFileDialog(*dialog);
    QSignalSpy opened(dialog.data(), &QFileDialog::filesSelected);
    dialog->show();
    QVERIFY(QTest::qWaitForWindowExposed(dialog.data()));
    auto* const line = dialog->findChild<QLineEdit*>("fileNameEdit");
    QVERIFY(line);
    if (!goesIn) QTest::keyClicks(line, "set");
    const QList<QPushButton*> buttons = dialog->findChild<QDialogButtonBox*>()->findChildren<QPushButton*>();
    const auto open = std::find_if(buttons.begin(), buttons.end(),
                                   [](const QPushButton* button) { return button->text().contains("pen"); });
    QVERIFY(open != buttons.end());
    QTRY_VERIFY_WITH_TIMEOUT((*open)->isEnabled(), kPatienceMs);
    QTest::mouseClick(*open, Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(opened.size(), 1, kPatienceMs);
    QCOMPARE(opened.front().front().toStringList(), QStringList{QDir::cleanPath(path("set"))});
    QVERIFY(!dialog->isVisible());
  }
}

void TestOpenPreview::foldersAreWhatOpenMakesOfThem() {
  for (const char* const folder : {"one", "several", "none", "work"}) QVERIFY(QDir().mkpath(path(folder)));
  write(path("one/cube.vtk"), cubeFile());
  write(path("several/heat_1.vtk"), cubeFile());
  write(path("several/heat_2.vtk"), cubeFile());
  write(path("several/other.vtk"), cubeFile());
  write(path("none/notes.txt"), "nothing\n");
  write(path("work/s.json"), R"({ "farfield": 1, "data": {}, "objects": [] })");
  OpenPreview preview(programPath(), nullptr, OpenPreview::Folders::Opened);
  preview.lookAt(path("one"));
  QTRY_VERIFY_WITH_TIMEOUT(words(preview).startsWith("cube.vtk\n") && words(preview).contains("12 x 10 x 8"),
                           kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(hasPicture(preview), kPatienceMs);
  preview.lookAt(path("several"));
  QTRY_COMPARE_WITH_TIMEOUT(words(preview),
                            QString("2 data sets:\nheat_1.vtk and 1 more as steps\nother.vtk"), kPatienceMs);
  QVERIFY(!hasPicture(preview));
  preview.lookAt(path("none"));
  QTRY_VERIFY_WITH_TIMEOUT(words(preview).contains("nothing in the folder"), kPatienceMs);
  preview.lookAt(path("work"));
  QTRY_VERIFY_WITH_TIMEOUT(words(preview).startsWith("s.json\nA session of Farfield."), kPatienceMs);
}

/// The one that is shown, where nothing in it is chosen, and the one that is typed.
void TestOpenPreview::foldersAreFollowed() {
  QVERIFY(QDir().mkpath(path("set/inner")));
  write(path("set/cube.vtk"), cubeFile());
  write(path("set/inner/wing.vtk"), cubeFile());
  QFileDialog dialog(nullptr, "Open a folder", path("set"));
  dialog.setOption(QFileDialog::DontUseNativeDialog);
  dialog.setFileMode(QFileDialog::Directory);
  OpenPreview preview(programPath(), nullptr, OpenPreview::Folders::Opened);
  preview.follow(dialog);
  dialog.show();
  QTRY_VERIFY_WITH_TIMEOUT(words(preview).startsWith("cube.vtk\n"), kPatienceMs);
  auto* const typed = dialog.findChild<QLineEdit*>();
  QVERIFY(typed);
  typed->setFocus();
  QTest::keyClicks(typed, "inner");
  QTRY_VERIFY_WITH_TIMEOUT(words(preview).startsWith("wing.vtk\n"), kPatienceMs);
}

void TestOpenPreview::picturesNamedAsDataAreCalledPictures() {
  const std::pair<QString, QByteArray> files[] = {
      {"pic.vti", QByteArray("\x89PNG\r\n\x1a\n", 8)},
      {"pic.nc", QByteArray("\xff\xd8\xff\xe0", 4)},
      {"pic.xyz", "GIF89a"},
      {"pic.h5", QByteArray("II*\0", 4)},
      {"paper.vtu", "%PDF-1.4\n"},
  };
  OpenPreview preview(programPath(), nullptr);
  for (const auto& [name, start] : files) {
    write(path(name), start + QByteArray(3000, '\x07'));
    preview.lookAt(path(name));
    QTRY_VERIFY_WITH_TIMEOUT(words(preview).startsWith(name), kPatienceMs);
    QVERIFY2(words(preview).contains(name.startsWith("pic") ? "is a picture (" : "is a PDF document") &&
                 words(preview).contains("PLOT3D, VTK"),
             qPrintable(words(preview)));
  }
}

/// Options of the command line are nothing that could be given there.
void TestOpenPreview::wordsAreTheWindows() {
  QVERIFY(QFile::copy(FARFIELD_NETCDF_FILES "/packed", path("ocean.nc")));
  QVERIFY(runFarfield({"info", "ocean.nc", "--at-first"}, path(".")).out.contains("(--option KEY=VALUE)"));
  OpenPreview preview(programPath(), nullptr);
  preview.lookAt(path("ocean.nc"));
  QTRY_VERIFY_WITH_TIMEOUT(words(preview).contains("otherwise"), kPatienceMs);
  QVERIFY2(!words(preview).contains("--") && !words(preview).contains("vertical=") &&
               words(preview).contains(", as it is"),
           qPrintable(words(preview)));
}

/// Nobody waits for ever for what a name leads to.
void TestOpenPreview::whatIsNoFileIsSaid() {
  OpenPreview preview(programPath(), nullptr);
  for (const char* const name : {"pipe.vti", "pipe.json", "pipe"}) {
    QCOMPARE(::mkfifo(path(name).toUtf8().constData(), 0600), 0);
    preview.lookAt(path(name));
    QTRY_VERIFY_WITH_TIMEOUT(words(preview).contains("is not a regular file"), kPatienceMs);
  }
}

/// The numbers are those that the window will have.
void TestOpenPreview::oceansAreAsTheyWillBeOpened() {
  QVERIFY(QFile::copy(FARFIELD_NETCDF_FILES "/packed", path("ocean.nc")));
  OpenPreview preview(programPath(), nullptr);
  preview.lookAt(path("ocean.nc"));
  QTRY_VERIFY_WITH_TIMEOUT(words(preview).contains("z -10 … 0"), kPatienceMs);
}

/// Whatever a line says, its end is seen: where the column is narrow it goes on below.
void TestOpenPreview::narrowDialogsCutNothingOff() {
  write(path("cube.vtk"), cubeFile());
  OpenPreview preview(programPath(), nullptr);
  preview.resize(preview.minimumSizeHint().width(), 500);
  preview.show();
  preview.lookAt(path("cube.vtk"));
  QTRY_VERIFY_WITH_TIMEOUT(hasPicture(preview), kPatienceMs);
  auto* const shown = preview.findChild<QTextEdit*>("open.preview.words");
  shown->setPlainText(shown->toPlainText() + "\n" +
                      QString("a line that is longer than any column ").repeated(5) + QString(300, 'x'));
  QTRY_COMPARE_WITH_TIMEOUT(shown->horizontalScrollBar()->maximum(), 0, kPatienceMs);
}

QTEST_MAIN(TestOpenPreview)
#include "tst_open_preview.moc"
