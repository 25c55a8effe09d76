// The window's Open: what is said of a file stays while the file is what will be opened, and is
// read as it is meant at the size in which the dialog comes.

#include <QAbstractFileIconProvider>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QScrollBar>
#include <QStandardPaths>
#include <QTextBlock>
#include <QTextEdit>
#include <QTextLayout>
#include <QTreeView>

#include "app/ui/dialogs/file_dialogs.h"
#include "app/ui/widgets/focus_mark.h"
#include "tests/gui/window/support/studio.h"

using namespace farfield;
using namespace farfield::test;

namespace {

/// A grid of some more letters than the one that was met, and of many variables.
QByteArray gridFile() {
  QByteArray text =
      "# vtk DataFile Version 3.0\ngrid\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS 115 3 2\n"
      "ORIGIN -12.1696 -3.60042 -18.3355\nSPACING 1 1 1\nPOINT_DATA 690\n";
  for (int variable = 0; variable < 30; ++variable) {
    text += "SCALARS quantity" + QByteArray::number(variable) + " float 1\nLOOKUP_TABLE default\n";
    for (int n = 0; n < 690; ++n) text += QByteArray::number(n % 97) + "\n";
  }
  return text;
}

struct Opened {
  explicit Opened(Studio& studio) {
    write(studio.at("grid.vtk"), gridFile());
    QDir().mkpath(studio.at("a folder"));
    studio.model.settings().setLastFolder(studio.at("."));
    studio.trigger("open");
    dialog = studio.window.findChild<QFileDialog*>();
  }
  template <class Widget>
  Widget* child(const char* name) const {
    return dialog->findChild<Widget*>(name);
  }
  QTextEdit* words() const { return child<QTextEdit>("open.preview.words"); }
  bool hasPicture() const { return !child<QLabel>("open.preview.picture")->pixmap().isNull(); }
  bool type(const char* name) const {
    auto* const line = child<QLineEdit>("fileNameEdit");
    line->setFocus(Qt::TabFocusReason);
    QTest::keyClicks(line, name);
    return QTest::qWaitFor([this] { return words()->toPlainText().contains("quantity29") && hasPicture(); },
                           kPatienceMs);
  }
  QFileDialog* dialog = nullptr;
};

/// Where a letter of the text is seen.
int leftOf(const QTextEdit& text, int position) {
  QTextCursor at(text.document());
  at.setPosition(position);
  return text.cursorRect(at).left();
}

}  // namespace

class TestOpenDialog : public QObject {
  Q_OBJECT
 private slots:
  void linesGoOnInTheirColumn();
  void whatWillBeOpenedIsShown();
  void theListOfPlacesIsMarked();
  void foldersSayWhatTheyAreOpenedAs();
  void namesAreSeenWhole();
  void iconsAreChosenByNames();
};

void TestOpenDialog::linesGoOnInTheirColumn() {
  Studio studio({1400, 850});
  const Opened open(studio);
  QVERIFY(open.dialog && QTest::qWaitForWindowExposed(open.dialog));
  QVERIFY(open.type("grid.vtk"));
  const QTextEdit& words = *open.words();
  QCOMPARE(words.horizontalScrollBar()->maximum(), 0);
  bool isSizeSeen = false;
  int broken = 0;
  for (QTextBlock block = words.document()->begin(); block.isValid(); block = block.next()) {
    const QString line = block.text().replace(QChar::Nbsp, ' ');
    if (line.contains("115 x 3 x 2 nodes, regular")) {
      isSizeSeen = true;
      QCOMPARE(block.layout()->lineCount(), 1);
    }
    if (!line.contains(" … ") || block.layout()->lineCount() == 1) continue;
    ++broken;
    // The extents along the axes, of which none is torn from its letter.
    const int column = leftOf(words, block.position() + static_cast<int>(line.indexOf('x')));
    for (int n = 1; n < block.layout()->lineCount(); ++n) {
      const int first = block.layout()->lineAt(n).textStart();
      QCOMPARE(leftOf(words, block.position() + first), column);
      QVERIFY2(QString("xyz").contains(line.at(first)), qPrintable(line.mid(first)));
    }
  }
  QVERIFY(isSizeSeen);
  QVERIFY2(broken > 0, qPrintable(words.toPlainText()));
  open.dialog->reject();
}

/// The list has a folder as its first when the keyboard comes there, and nothing is chosen by that.
void TestOpenDialog::whatWillBeOpenedIsShown() {
  Studio studio({1400, 850});
  const Opened open(studio);
  QVERIFY(open.dialog && QTest::qWaitForWindowExposed(open.dialog));
  auto* const list = open.child<QTreeView>("treeView");
  QTRY_VERIFY_WITH_TIMEOUT(list->model()->rowCount(list->rootIndex()) > 2, kPatienceMs);
  QVERIFY(open.type("grid.vtk"));
  // To folders, which are not opened, and to the file itself.
  for (const Qt::Key key : {Qt::Key_Home, Qt::Key_Down}) {
    QTest::keyClick(list, key);
    QTRY_VERIFY_WITH_TIMEOUT(list->currentIndex().isValid(), kPatienceMs);
    QCOMPARE(open.child<QLineEdit>("fileNameEdit")->text(), QString("grid.vtk"));
    QVERIFY(open.words()->toPlainText().contains("quantity29"));
    QVERIFY(open.hasPicture());
  }
  open.dialog->reject();
}

/// Where the keyboard is in it is seen, as in the lists of panels.
void TestOpenDialog::theListOfPlacesIsMarked() {
  Studio studio({1400, 850});
  const Opened open(studio);
  QVERIFY(open.dialog && QTest::qWaitForWindowActive(open.dialog));
  auto* const places = open.child<QListView>("sidebar");
  QVERIFY(places);
  const auto isMarked = [](const QWidget* area) {
    const auto marks = area->findChildren<ui::FocusMark*>(Qt::FindDirectChildrenOnly);
    return std::any_of(marks.begin(), marks.end(), [&](const ui::FocusMark* mark) {
      return mark->isVisible() && mark->geometry() == area->rect();
    });
  };
  QVERIFY(!isMarked(places));
  for (int tab = 0; tab < 30 && !places->hasFocus(); ++tab)
    QTest::keyClick(open.dialog->focusWidget(), Qt::Key_Tab);
  QVERIFY(places->hasFocus());
  QVERIFY(isMarked(places));
  QTest::keyClick(places, Qt::Key_Tab);
  QVERIFY(!isMarked(places));
  open.dialog->reject();
}

void TestOpenDialog::foldersSayWhatTheyAreOpenedAs() {
  Studio studio({1400, 850});
  write(studio.at("grid.vtk"), gridFile());
  studio.model.settings().setLastFolder(studio.at("."));
  studio.trigger("openFolder");
  auto* const dialog = studio.child<QFileDialog>("openFolder");
  QVERIFY(dialog && QTest::qWaitForWindowExposed(dialog));
  auto* const words = dialog->findChild<QTextEdit*>("open.preview.words");
  QTRY_VERIFY_WITH_TIMEOUT(words->toPlainText().startsWith("grid.vtk\n"), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(words->toPlainText().contains("quantity29"), kPatienceMs);
  dialog->reject();
}

/// In the first dialog there is; and the next is as large as somebody has made it.
void TestOpenDialog::namesAreSeenWhole() {
  Studio studio({1400, 850});
  const QString name = "tunnel_heat_inner_ts_160_t_9856003.000000.vtu";
  write(studio.at(name.toUtf8()), "x");
  QSize large;
  {
    const Opened open(studio);
    QVERIFY(open.dialog && QTest::qWaitForWindowExposed(open.dialog));
    auto* const list = open.child<QTreeView>("treeView");
    QTRY_VERIFY_WITH_TIMEOUT(list->model()->rowCount(list->rootIndex()) > 2, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(list->columnWidth(0) > list->fontMetrics().horizontalAdvance(name), kPatienceMs);
    QCOMPARE(list->horizontalScrollBar()->maximum(), 0);
    large = open.dialog->size() + QSize(60, 40);
    open.dialog->resize(large);
    QTRY_COMPARE_WITH_TIMEOUT(open.dialog->size(), large, kPatienceMs);
    open.dialog->reject();
    QTRY_VERIFY_WITH_TIMEOUT(!studio.window.findChild<QFileDialog*>(), kPatienceMs);
  }
  const Opened again(studio);
  QVERIFY(again.dialog && QTest::qWaitForWindowExposed(again.dialog));
  QCOMPARE(again.dialog->size(), large);
  again.dialog->reject();
}

/// Qt's own read each file, which may take long where it lies, or never end.
void TestOpenDialog::iconsAreChosenByNames() {
  Studio studio;
  write(studio.at("picture.dat"), QByteArray("\x89PNG\r\n\x1a\n", 8));
  const Opened open(studio);
  QFileDialog* const save = [&] {
    ui::askForNewFile(&studio.window, studio.model.settings(), {"Save", "Files (*)", {}, "a.png", {}},
                      [](const QString&) {});
    return studio.window.findChildren<QFileDialog*>().back();
  }();
  for (QFileDialog* const dialog : {open.dialog, save}) {
    QVERIFY(dialog->iconProvider());
    QCOMPARE(dialog->iconProvider()->type(QFileInfo(studio.at("picture.dat"))), QString("dat file"));
    QVERIFY(!dialog->iconProvider()->icon(QFileInfo(studio.at("picture.dat"))).isNull());
    dialog->reject();
  }
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestOpenDialog test;
  return QTest::qExec(&test, count, words);
}
#include "tst_open_dialog.moc"
