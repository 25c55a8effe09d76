// Sizes of exported pictures: from one pixel to 16,384 along a side, typed in place of what stands there.
// Needs a display with OpenGL; skips where there is none.

#include <QDialogButtonBox>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStandardPaths>

#include "app/ui/widgets/whole_number_box.h"
#include "render/color/image.h"
#include "tests/gui/window/support/studio.h"

using namespace farfield;
using namespace farfield::test;

class TestPictureSizes : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void sidesAreTyped_data();
  void sidesAreTyped();
  void whatIsTooLargeIsSaid();

 private:
  /// Waits for the keyboard to be in the first field, as it is when somebody begins to type.
  static QDialog* dialogOf(Studio& studio) {
    studio.trigger("exportImage");
    auto* const dialog = studio.child<QDialog>("exportImage.dialog");
    auto* const width = dialog ? dialog->findChild<QSpinBox*>("export.width") : nullptr;
    const auto ready = [&] { return width->hasFocus() && width->findChild<QLineEdit*>()->hasSelectedText(); };
    return width && QTest::qWaitFor(ready, kPatienceMs) ? dialog : nullptr;
  }
  static void type(const QString& width, const QString& height) {
    QTest::keyClicks(QApplication::focusWidget(), width);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    QTest::keyClicks(QApplication::focusWidget(), height);
  }
  static QPushButton* goOn(QDialog* dialog) {
    return dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
  }
};

void TestPictureSizes::initTestCase() {
  skipWithoutOpenGl();
}

void TestPictureSizes::sidesAreTyped_data() {
  QTest::addColumn<int>("width");
  QTest::addColumn<int>("height");
  QTest::newRow("one pixel") << 1 << 1;
  QTest::newRow("as wide as can be") << color::Image::kMaxSide << 2;
  QTest::newRow("as high as can be") << 3 << color::Image::kMaxSide;
}

void TestPictureSizes::sidesAreTyped() {
  QFETCH(int, width);
  QFETCH(int, height);
  Studio studio;
  QVERIFY(QTest::qWaitForWindowActive(&studio.window));
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  QDialog* const dialog = dialogOf(studio);
  QVERIFY(dialog);
  type(QString::number(width), QString::number(height));
  QVERIFY(goOn(dialog)->isEnabled());
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QFileDialog>({}), kPatienceMs);
  auto* const files = studio.child<QFileDialog>({});
  files->setDirectory(QFileInfo(studio.settingsFile).absolutePath());
  files->selectFile("seen.png");
  QMetaObject::invokeMethod(files, "accept");
  QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(studio.at("seen.png")), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QDialog>("exportImage.dialog"), kPatienceMs);
  QCOMPARE(QImage(studio.at("seen.png")).size(), QSize(width, height));
  QCOMPARE(studio.session().image.sizePixels, (std::array<int, 2>{width, height}));
}

void TestPictureSizes::whatIsTooLargeIsSaid() {
  Studio studio;
  QVERIFY(QTest::qWaitForWindowActive(&studio.window));
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  QDialog* const dialog = dialogOf(studio);
  QVERIFY(dialog);
  const auto says = [&](const QString& words) {
    const auto labels = studio.window.findChildren<QLabel*>() + dialog->findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(),
                       [&](const QLabel* each) { return each->isVisible() && each->text().contains(words); });
  };
  // Each side can be, but not both of them.
  type("16384", "16384");
  QVERIFY(!goOn(dialog)->isEnabled() && says("At most 67 million pixels"));
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
  QVERIFY(dialog->isVisible() && !studio.child<QFileDialog>({}));
  // A side that cannot be is said while it is typed.
  auto* const height = dialog->findChild<ui::WholeNumberBox*>("export.height");
  height->setFocus();
  height->selectAll();
  for (const char* const wrong : {"16385", "0"}) {
    height->selectAll();
    QTest::keyClicks(height, wrong);
    QVERIFY2(!height->isGood() && !goOn(dialog)->isEnabled(), wrong);
    QTRY_VERIFY_WITH_TIMEOUT(says("From 1 to 16384"), kPatienceMs);
  }
  height->selectAll();
  QTest::keyClicks(height, "4096");
  QVERIFY(height->isGood() && goOn(dialog)->isEnabled() && !says("At most 67 million"));
  dialog->reject();
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestPictureSizes test;
  return QTest::qExec(&test, count, words);
}
#include "tst_picture_sizes.moc"
