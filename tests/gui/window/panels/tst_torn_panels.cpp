// Panels that are windows of their own: files dropped onto them, closed and brought back, and where they are at the next start. Needs a
// display with OpenGL; skips where there is none.

#include <QAbstractButton>
#include <QDockWidget>
#include <QDropEvent>
#include <QFileInfo>
#include <QLineEdit>
#include <QMenuBar>
#include <QMimeData>
#include <QScreen>
#include <QScrollArea>
#include <QStandardPaths>
#include <QStatusBar>
#include <QUrl>
#include <algorithm>

#include "app/ui/window/file_drops.h"
#include "tests/gui/window/support/studio.h"

using namespace farfield;
using namespace farfield::test;

namespace {

bool openSample(Studio& studio) {
  studio.model.open({"sample://abc?size=9"});
  return QTest::qWaitForWindowExposed(&studio.window) &&
         QTest::qWaitFor([&] { return studio.viewRests() && !studio.session().objects.empty(); },
                         kPatienceMs);
}

/// As the display says it where something is dragged onto the middle of `widget` and dropped there; whether it was taken.
bool drop(QWidget* widget, const QMimeData& data, Qt::DropActions actions = Qt::CopyAction) {
  const QPoint middle = widget->rect().center();
  QDragEnterEvent enter(middle, actions, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(widget, &enter);
  if (!enter.isAccepted()) return false;
  QDropEvent event(middle, actions, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(widget, &event);
  return event.isAccepted() && event.dropAction() != Qt::MoveAction;
}

}  // namespace

class TestTornPanels : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void whatCanBeOpened();
  void filesAreOpenedFromPanelsAndFields();
  void closedOnesComeBackWhereTheyWere();
  void thoseThatArePutBackAreSeen();
  void theyAreOnTheScreenThatThereIs();
  void keysMoveThem();
  void columnsGoWithThem();
  void atTheBottomOfASmallWindowSomeRowsAreSeen();
  void tornOffTheyAreAsLargeAsSuitsThem();
};

void TestTornPanels::initTestCase() {
  skipWithoutOpenGl();
}

void TestTornPanels::whatCanBeOpened() {
  const auto paths = [](const QStringList& words) {
    QList<QUrl> urls;
    for (const QString& word : words) urls.append(QUrl(word));
    return ui::openablePaths(urls);
  };
  QCOMPARE(paths({"file:///a/b.xyz", "file:///a/b.xyz", "file:///a/c%20d.q"}),
           QStringList({"/a/b.xyz", "/a/c d.q"}));
  QCOMPARE(paths({"file://localhost/a/b.xyz"}), QStringList{"/a/b.xyz"});
  QCOMPARE(paths({"file://" + QSysInfo::machineHostName() + "/a/b.xyz"}), QStringList{"/a/b.xyz"});
  QCOMPARE(paths({"file://elsewhere/a/b.xyz"}), QStringList{"//elsewhere/a/b.xyz"});
  QCOMPARE(paths({"far://host:1/a.h5", "https://host/a.h5", "s3://b/k", "sample://abc?size=9"}).size(), 4);
  QCOMPARE(paths({"", "mailto:a@b", "trash:///a", "about:blank", "data:text/plain,a", "javascript:a()",
                  "file:///a%00b", "a relative name", "http://[::1"}),
           QStringList());
}

void TestTornPanels::filesAreOpenedFromPanelsAndFields() {
  Studio studio;
  QVERIFY(openSample(studio));
  studio.trigger("addSlice");
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  std::size_t there = studio.session().data.size();
  for (const char* const name : {"dock.pipeline", "dock.properties", "dock.memory"}) {
    auto* const dock = studio.child<QDockWidget>(name);
    for (const bool torn : {false, true}) {
      dock->setFloating(torn);
      dock->show();
      QMimeData data;
      data.setUrls({QUrl(QString("sample://tornado?size=%1").arg(9 + 2 * there))});
      data.setText(data.urls().front().toString());
      QVERIFY2(drop(dock->widget(), data, Qt::CopyAction | Qt::MoveAction), name);
      ++there;
      QTRY_COMPARE_WITH_TIMEOUT(studio.session().data.size(), there, kPatienceMs);
    }
    dock->setFloating(false);
  }
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  // A field does not take them for text, which it does take.
  int fields = 0;
  for (QLineEdit* const field : studio.child<QDockWidget>("dock.properties")->findChildren<QLineEdit*>()) {
    if (!field->isVisible()) continue;
    const QString text = field->text();
    QMimeData data;
    data.setUrls({QUrl(QString("sample://tornado?size=%1").arg(9 + 2 * there))});
    data.setText(data.urls().front().toString());
    field->setAcceptDrops(true);
    QVERIFY(drop(field, data));
    QCOMPARE(field->text(), text);
    ++there;
    QTRY_COMPARE_WITH_TIMEOUT(studio.session().data.size(), there, kPatienceMs);
    if (++fields == 3) break;
  }
  QVERIFY(fields > 0);
  // What nobody can open is refused, and so is what may only be moved.
  QMimeData mail, moved, empty;
  mail.setUrls({QUrl("mailto:a@b")});
  moved.setUrls({QUrl("sample://abc?size=9")});
  empty.setData("text/uri-list", QByteArray("\0\xff\r\n# nothing\r\n", 14));
  QVERIFY(!drop(&studio.window, mail));
  QVERIFY(!drop(&studio.window, empty));
  QVERIFY(!drop(&studio.window, moved, Qt::MoveAction));
  // Nor does anything come in behind a question.
  studio.trigger("about");
  QTRY_VERIFY_WITH_TIMEOUT(QApplication::activeModalWidget(), kPatienceMs);
  QVERIFY(!drop(&studio.window, moved));
  QApplication::activeModalWidget()->close();
  QTRY_VERIFY_WITH_TIMEOUT(!QApplication::activeModalWidget(), kPatienceMs);
  QVERIFY(drop(&studio.window, moved));
}

void TestTornPanels::closedOnesComeBackWhereTheyWere() {
  Studio studio;
  QVERIFY(openSample(studio));
  auto* const dock = studio.child<QDockWidget>("dock.pipeline");
  dock->setFloating(true);
  const QPoint place(333, 222);
  dock->move(place);
  QTRY_COMPARE_WITH_TIMEOUT(dock->pos(), place, kPatienceMs);
  dock->close();
  QVERIFY(!dock->isVisible());
  dock->toggleViewAction()->trigger();
  QTRY_VERIFY_WITH_TIMEOUT(dock->isVisible() && dock->isFloating(), kPatienceMs);
  QTRY_COMPARE_WITH_TIMEOUT(dock->pos(), place, kPatienceMs);
  // They go with what they are about, and come with it.
  studio.model.document().clear();
  QTRY_VERIFY_WITH_TIMEOUT(!dock->isVisible(), kPatienceMs);
  QVERIFY(openSample(studio));
  QTRY_VERIFY_WITH_TIMEOUT(dock->isVisible() && dock->isFloating(), kPatienceMs);
  studio.trigger("resetLayout");
  QTRY_VERIFY_WITH_TIMEOUT(dock->isVisible() && !dock->isFloating(), kPatienceMs);
}

void TestTornPanels::thoseThatArePutBackAreSeen() {
  Studio studio;
  QVERIFY(openSample(studio));
  const auto isSeen = [&](const char* name) {
    return !studio.child<QDockWidget>(name)->visibleRegion().isEmpty();
  };
  auto* const dock = studio.child<QDockWidget>("dock.pipeline");
  QVERIFY(isSeen("dock.pipeline"));
  dock->setFloating(true);
  QTRY_VERIFY_WITH_TIMEOUT(isSeen("dock.views"), kPatienceMs);
  dock->setFloating(false);
  QTRY_VERIFY_WITH_TIMEOUT(isSeen("dock.pipeline") && !isSeen("dock.views"), kPatienceMs);
  // In a layout that is put back as a whole those are in front that were.
  auto* const colors = studio.child<QDockWidget>("dock.colors");
  QVERIFY(isSeen("dock.properties"));
  colors->setFloating(true);
  QTRY_VERIFY_WITH_TIMEOUT(colors->isVisible() && isSeen("dock.properties"), kPatienceMs);
  studio.trigger("resetLayout");
  QTRY_VERIFY_WITH_TIMEOUT(!colors->isFloating() && isSeen("dock.properties"), kPatienceMs);
  QTest::qWait(50);
  QVERIFY(isSeen("dock.properties") && !isSeen("dock.colors"));
}

/// They were on a second screen, or a larger one.
void TestTornPanels::theyAreOnTheScreenThatThereIs() {
  TemporaryFolder folder;
  const QString settings = QString::fromStdString((folder / "settings.ini").string());
  const QRect screen = QGuiApplication::primaryScreen()->geometry();
  const QStringList torn{"dock.pipeline", "dock.properties", "dock.memory"};
  const QPoint places[] = {
      {2 * screen.width(), 100}, {300, 3 * screen.height()}, {-2 * screen.width(), -2000}};
  {
    Studio before({1280, 800}, settings);
    QVERIFY(openSample(before));
    for (int n = 0; n < 3; ++n) {
      auto* const dock = before.child<QDockWidget>(torn[n]);
      dock->setFloating(true);
      dock->move(places[n]);
      QTRY_COMPARE_WITH_TIMEOUT(dock->pos(), places[n], kPatienceMs);
    }
    before.model.document().clear();
    QVERIFY(before.window.close());
  }
  Studio after({1280, 800}, settings);
  QVERIFY(openSample(after));
  for (const QString& name : torn) {
    auto* const dock = after.child<QDockWidget>(name);
    QTRY_VERIFY_WITH_TIMEOUT(dock->isVisible() && dock->isFloating(), kPatienceMs);
    QTRY_VERIFY2_WITH_TIMEOUT(screen.contains(dock->frameGeometry()),
                              qPrintable(QString("%1: %2 x %3 at %4, %5")
                                             .arg(name)
                                             .arg(dock->width())
                                             .arg(dock->height())
                                             .arg(dock->x())
                                             .arg(dock->y())),
                              kPatienceMs);
  }
}

/// The panel that the keyboard is in, which stays there.
void TestTornPanels::keysMoveThem() {
  Studio studio({1280, 900});
  QVERIFY(openSample(studio));
  const auto docks = studio.window.findChildren<QDockWidget*>();
  const auto isWithin = [](const QWidget* dock) {
    return dock->isAncestorOf(QApplication::focusWidget()) && !dock->visibleRegion().isEmpty();
  };
  const auto press = [](Qt::Key key) {
    QTest::keyClick(QApplication::focusWidget(), key, Qt::AltModifier | Qt::ShiftModifier);
  };
  // In the view there is nothing to move.
  studio.window.viewport().setFocus();
  QTRY_VERIFY_WITH_TIMEOUT(studio.window.viewport().hasFocus(), kPatienceMs);
  press(Qt::Key_Up);
  press(Qt::Key_Left);
  for (const QDockWidget* const dock : docks) QVERIFY(!dock->isFloating());
  QVERIFY2(studio.window.statusBar()->currentMessage().contains("F6"),
           qPrintable(studio.window.statusBar()->currentMessage()));

  auto* const properties = studio.child<QDockWidget>("dock.properties");
  auto* const pipeline = studio.child<QDockWidget>("dock.pipeline");
  auto* const memory = studio.child<QDockWidget>("dock.memory");
  for (int n = 0; n < docks.size() && !isWithin(properties); ++n)
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_F6);
  QVERIFY(isWithin(properties));
  press(Qt::Key_Up);
  QTRY_VERIFY_WITH_TIMEOUT(properties->isFloating() && isWithin(properties), kPatienceMs);
  press(Qt::Key_Up);
  QTRY_VERIFY_WITH_TIMEOUT(!properties->isFloating() && isWithin(properties), kPatienceMs);
  QCOMPARE(studio.window.dockWidgetArea(properties), Qt::RightDockWidgetArea);
  press(Qt::Key_Left);
  QTRY_VERIFY_WITH_TIMEOUT(isWithin(properties), kPatienceMs);
  QCOMPARE(studio.window.dockWidgetArea(properties), Qt::LeftDockWidgetArea);
  QVERIFY(studio.window.tabifiedDockWidgets(properties).contains(pipeline));
  press(Qt::Key_Down);
  QTRY_VERIFY_WITH_TIMEOUT(isWithin(properties), kPatienceMs);
  QCOMPARE(studio.window.dockWidgetArea(properties), Qt::BottomDockWidgetArea);
  QVERIFY(studio.window.tabifiedDockWidgets(properties).contains(memory));
  // Also one that is torn off.
  press(Qt::Key_Up);
  QTRY_VERIFY_WITH_TIMEOUT(properties->isFloating() && isWithin(properties), kPatienceMs);
  press(Qt::Key_Right);
  QTRY_VERIFY_WITH_TIMEOUT(!properties->isFloating() && isWithin(properties), kPatienceMs);
  QCOMPARE(studio.window.dockWidgetArea(properties), Qt::RightDockWidgetArea);
  // As a menu does it, which has the keyboard meanwhile; and all goes back to where it was.
  studio.window.menuBar()->setFocus();
  studio.trigger("tearPanel");
  QTRY_VERIFY_WITH_TIMEOUT(properties->isFloating(), kPatienceMs);
  studio.trigger("resetLayout");
  QTRY_VERIFY_WITH_TIMEOUT(!properties->isFloating(), kPatienceMs);
}

namespace {

/// Whether nothing of what it shows is beyond its right edge.
bool isWhole(const QDockWidget* dock) {
  const auto* const area = qobject_cast<QScrollArea*>(dock->widget());
  return area && area->viewport()->width() >= area->widget()->minimumSizeHint().width() &&
         !dock->visibleRegion().isEmpty();
}

}  // namespace

/// A panel has a width that suits it where it is moved to, and the view gets what only that panel needed where it was.
void TestTornPanels::columnsGoWithThem() {
  Studio studio({1500, 900});
  QVERIFY(openSample(studio));
  studio.trigger("addSlice");
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  auto* const pipeline = studio.child<QDockWidget>("dock.pipeline");
  auto* const views = studio.child<QDockWidget>("dock.views");
  // Of those of the column at the left the one in front.
  const auto widthAtLeft = [&] { return (pipeline->x() >= 0 ? pipeline : views)->width(); };
  const int names = std::max({pipeline->width(), pipeline->sizeHint().width(), views->sizeHint().width()});
  const auto rightIsWhole = [&] {
    for (const char* const name : {"dock.properties", "dock.colors", "dock.volume"})
      if (auto* const each = studio.child<QDockWidget>(name);
          each->x() >= 0 && studio.window.dockWidgetArea(each) == Qt::RightDockWidgetArea)
        return isWhole(each);
    return false;
  };
  const auto move = [&](QDockWidget* dock, const char* where) {
    dock->raise();
    QTRY_VERIFY_WITH_TIMEOUT(!dock->visibleRegion().isEmpty(), kPatienceMs);
    dock->widget()->setFocus();
    for (QWidget* const each : dock->findChildren<QWidget*>())
      if (!dock->isAncestorOf(QApplication::focusWidget()) && (each->focusPolicy() & Qt::TabFocus))
        each->setFocus();
    QTRY_VERIFY_WITH_TIMEOUT(dock->isAncestorOf(QApplication::focusWidget()), kPatienceMs);
    studio.trigger(where);
  };
  for (const char* const name : {"dock.properties", "dock.colors", "dock.volume"}) {
    auto* const dock = studio.child<QDockWidget>(name);
    const QWidget& view = studio.window.viewport();
    move(dock, "panelLeft");
    QTRY_COMPARE_WITH_TIMEOUT(dock->x(), 0, kPatienceMs);
    QCOMPARE(studio.window.dockWidgetArea(dock), Qt::LeftDockWidgetArea);
    QTRY_VERIFY2_WITH_TIMEOUT(dock->width() >= dock->sizeHint().width() && isWhole(dock),
                              qPrintable(QString("%1: %2").arg(name).arg(dock->width())), kPatienceMs);
    // So has what is left at the right, and the view lies between them.
    const auto viewIsBetween = [&] {
      const int left = view.mapTo(&studio.window, QPoint()).x() - dock->geometry().right();
      return rightIsWhole() && left > 0 && left < 20;
    };
    QTRY_VERIFY_WITH_TIMEOUT(viewIsBetween(), kPatienceMs);
    const int before = view.width();
    move(dock, "panelRight");
    QTRY_COMPARE_WITH_TIMEOUT(dock->geometry().right(), studio.window.width() - 1, kPatienceMs);
    QCOMPARE(studio.window.dockWidgetArea(dock), Qt::RightDockWidgetArea);
    QTRY_VERIFY2_WITH_TIMEOUT(
        widthAtLeft() <= names && view.width() > before && dock->width() >= dock->sizeHint().width(),
        qPrintable(QString("%1: pipeline %2 of %3, view %4 after %5, panel %6 of %7")
                       .arg(name)
                       .arg(widthAtLeft())
                       .arg(names)
                       .arg(view.width())
                       .arg(before)
                       .arg(dock->width())
                       .arg(dock->sizeHint().width())),
        kPatienceMs);
  }
  // A column that somebody has made wider stays as much wider.
  auto* const properties = studio.child<QDockWidget>("dock.properties");
  move(properties, "panelLeft");
  QTRY_VERIFY_WITH_TIMEOUT(
      properties->x() == 0 && properties->width() >= properties->sizeHint().width() && rightIsWhole(),
      kPatienceMs);
  const int wide = properties->width() + 80;
  studio.window.resizeDocks({properties}, {wide}, Qt::Horizontal);
  QTRY_COMPARE_WITH_TIMEOUT(properties->width(), wide, kPatienceMs);
  move(properties, "panelRight");
  QTRY_COMPARE_WITH_TIMEOUT(properties->geometry().right(), studio.window.width() - 1, kPatienceMs);
  QTRY_VERIFY2_WITH_TIMEOUT(widthAtLeft() > names && widthAtLeft() < wide,
                            qPrintable(QString::number(widthAtLeft())), kPatienceMs);
  QCOMPARE(studio.window.width(), 1500);
  // At the bottom it has a height in which some rows are seen, not that of what was there.
  const QSize size = studio.window.size();
  move(properties, "panelBottom");
  QTRY_COMPARE_WITH_TIMEOUT(studio.window.dockWidgetArea(properties), Qt::BottomDockWidgetArea, kPatienceMs);
  constexpr int kRows = 6;
  const auto* const area = qobject_cast<const QScrollArea*>(properties->widget());
  QVERIFY(area);
  QTRY_VERIFY2_WITH_TIMEOUT(area->viewport()->height() >= kRows * QLineEdit().sizeHint().height(),
                            qPrintable(QString::number(area->viewport()->height())), kPatienceMs);
  QCOMPARE(studio.window.size(), size);
}

/// Also in a small window, by keys and by mouse; moved to where it is already, it stays there.
void TestTornPanels::atTheBottomOfASmallWindowSomeRowsAreSeen() {
  Studio studio({1024, 700});
  QVERIFY(openSample(studio));
  studio.trigger("addStreamlines");
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  auto* const properties = studio.child<QDockWidget>("dock.properties");
  const auto* const area = qobject_cast<const QScrollArea*>(properties->widget());
  QVERIFY(area);
  constexpr int kRows = 6;
  const auto isHigh = [&] { return area->viewport()->height() >= kRows * QLineEdit().sizeHint().height(); };
  properties->raise();
  for (QWidget* const each : properties->findChildren<QWidget*>())
    if (!properties->isAncestorOf(QApplication::focusWidget()) && (each->focusPolicy() & Qt::TabFocus))
      each->setFocus();
  QTRY_VERIFY_WITH_TIMEOUT(properties->isAncestorOf(QApplication::focusWidget()), kPatienceMs);
  studio.trigger("panelBottom");
  QTRY_COMPARE_WITH_TIMEOUT(studio.window.dockWidgetArea(properties), Qt::BottomDockWidgetArea, kPatienceMs);
  QTRY_VERIFY2_WITH_TIMEOUT(isHigh(), qPrintable(QString::number(area->viewport()->height())), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  QVERIFY2(isHigh(), qPrintable(QString::number(area->viewport()->height())));
  QCOMPARE(studio.window.size(), QSize(1024, 700));
  const QRect before = properties->geometry();
  studio.trigger("panelBottom");
  QTRY_VERIFY_WITH_TIMEOUT(properties->isAncestorOf(QApplication::focusWidget()) && studio.viewRests(),
                           kPatienceMs);
  QCOMPARE(properties->geometry(), before);
}

void TestTornPanels::tornOffTheyAreAsLargeAsSuitsThem() {
  Studio studio({1280, 800});
  QVERIFY(openSample(studio));
  studio.trigger("addSlice");
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  const QRect screen = studio.window.screen()->availableGeometry();
  for (const char* const name : {"dock.properties", "dock.colors", "dock.pipeline"}) {
    auto* const dock = studio.child<QDockWidget>(name);
    dock->raise();
    QTRY_VERIFY_WITH_TIMEOUT(!dock->visibleRegion().isEmpty(), kPatienceMs);
    studio.window.resizeDocks({dock}, {10}, Qt::Horizontal);
    auto* const tear = dock->findChild<QAbstractButton*>("qt_dockwidget_floatbutton");
    QVERIFY2(tear && tear->accessibleName() == "Tear off", name);
    tear->click();
    QTRY_VERIFY_WITH_TIMEOUT(dock->isFloating(), kPatienceMs);
    const QSize suits = dock->sizeHint().boundedTo(screen.size());
    QTRY_VERIFY2_WITH_TIMEOUT(dock->width() >= suits.width() && dock->height() >= suits.height() &&
                                  screen.contains(dock->geometry()),
                              qPrintable(QString("%1: %2 x %3 at %4, %5")
                                             .arg(name)
                                             .arg(dock->width())
                                             .arg(dock->height())
                                             .arg(dock->x())
                                             .arg(dock->y())),
                              kPatienceMs);
    // As large as somebody has made it, the next time.
    const QSize chosen = dock->size() - QSize(0, 60);
    dock->resize(chosen);
    QTRY_COMPARE_WITH_TIMEOUT(dock->size(), chosen, kPatienceMs);
    tear->click();
    QTRY_VERIFY_WITH_TIMEOUT(!dock->isFloating(), kPatienceMs);
    tear->click();
    QTRY_VERIFY_WITH_TIMEOUT(dock->isFloating() && dock->size() == chosen, kPatienceMs);
    tear->click();
    QTRY_VERIFY_WITH_TIMEOUT(!dock->isFloating(), kPatienceMs);
  }
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestTornPanels test;
  return QTest::qExec(&test, count, words);
}
#include "tst_torn_panels.moc"
