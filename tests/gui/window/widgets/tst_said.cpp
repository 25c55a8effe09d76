// What the window says is of what was done, whole, and readable: reasons are of what was typed, names are those that people know,
// each message has its time and goes with its cause, letters and icons follow the theme.

#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTime>
#include <QToolButton>
#include <QTreeView>
#include <algorithm>
#include <cstdlib>

#include "app/model/own_functions.h"
#include "app/model/workshop/workshop_types.h"
#include "app/ui/widgets/elided_label.h"
#include "app/ui/widgets/focus_mark.h"
#include "app/ui/widgets/message_list.h"
#include "app/ui/widgets/notice_bar.h"
#include "app/ui/widgets/number_edit.h"
#include "app/ui/widgets/status_line.h"
#include "app/ui/window/link_label.h"
#include "tests/gui/window/support/studio.h"

using namespace farfield;
using namespace farfield::test;

namespace {

constexpr const char* kSample = "sample://cylinder?size=17,13,5&blocks=1";

/// How far what is drawn on it is from the ground of `image`, in lightness.
int contrastIn(const QImage& image) {
  const int ground = image.pixelColor(1, 1).lightness();
  int most = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      most = std::max(most, std::abs(image.pixelColor(x, y).lightness() - ground));
  return most;
}

}  // namespace

class TestSaid : public QObject {
  Q_OBJECT
 private slots:
  void iconsOfButtonsFollowTheTheme();
  void lettersOfOpenedLastFollowTheTheme();
  void fieldsWithoutUseAreGrey();
  void reasonsAreOfWhatIsTyped();
  void everyMessageHasItsTime();
  void whatIsNoMoreIsNotSaid();
  void whatIsOutOfSightIsSaid();
  void budgetsThatAreNotTakenAreSaid();
  void whatALowPanelSaysIsReadable();
  void messagesFitTheStatusBar();
  void nothingIsSaidTwiceInTheStatusBar();
  void lostServersAreNamedFirst();
  void whatHasNoRoomInTheStatusBarEndsWithDots();
  void viewsThatStayCoarseAreSaid();
  void whatDoesNotChangeStaysInTheView();
  void whatCannotBeOpenedIsSelected();
  void theKeyboardIsSeenInThePipeline();
  void noticesFitTheirWindow();
  void listsWithTheKeyboardAreFramed();
  void buttonsWithTheKeyboardAreFramed();

 private:
  static bool opens(Studio& studio) {
    studio.model.open({kSample});
    return QTest::qWaitFor([&] { return studio.session().objects.size() == 2 && studio.rests(); },
                           kPatienceMs);
  }
};

void TestSaid::iconsOfButtonsFollowTheTheme() {
  Studio studio;
  for (const app::Theme theme : {app::Theme::Dark, app::Theme::Light}) {
    ui::applyTheme(theme);
    studio.trigger("settings");
    auto* const dialog = studio.child<QDialog>("settings");
    QVERIFY(dialog);
    const QPushButton* const close = dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Close);
    const QImage cross = close->icon().pixmap(16).toImage();
    QVERIFY(!cross.isNull());
    const int letters = QApplication::palette().color(QPalette::WindowText).lightness();
    int whole = 0;
    for (int y = 0; y < cross.height(); ++y)
      for (int x = 0; x < cross.width(); ++x) {
        const QColor pixel = cross.pixelColor(x, y);
        if (pixel.alpha() < 250) continue;
        ++whole;
        QVERIFY2(std::abs(pixel.lightness() - letters) < 20, qPrintable(pixel.name()));
      }
    QVERIFY(whole > 0);
    dialog->reject();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
  }
}

void TestSaid::lettersOfOpenedLastFollowTheTheme() {
  Studio studio;
  studio.model.settings().addRecent("/data/wing.h5");
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  const auto line = [&] {
    const QList<QPushButton*> all = studio.window.findChildren<QPushButton*>();
    const auto found = std::find_if(all.begin(), all.end(), [](QPushButton* each) {
      return each->isVisible() && each->accessibleName() == "wing.h5";
    });
    return found == all.end() ? nullptr : *found;
  };
  QTRY_VERIFY_WITH_TIMEOUT(line(), kPatienceMs);
  for (int time = 0; time < 3; ++time) {
    // Behind the icon, which always follows.
    const auto letters = [&] {
      const QImage image = line()->grab().toImage();
      return contrastIn(image.copy(image.rect().adjusted(30, 3, -3, -3)));
    };
    QTRY_VERIFY2_WITH_TIMEOUT(letters() > 120, qPrintable(QString::number(letters())), kPatienceMs);
    studio.trigger("theme");
  }
}

void TestSaid::fieldsWithoutUseAreGrey() {
  Studio studio;
  for (const app::Theme theme : {app::Theme::Dark, app::Theme::Light}) {
    ui::applyTheme(theme);
    ui::NumberEdit edit({}, &studio.window);
    edit.resize(100, 30);
    edit.show();
    const auto ground = [&] { return edit.grab().toImage().pixelColor(50, 15); };
    const auto of = [](QPalette::ColorRole role) { return QApplication::palette().color(role); };
    QTRY_COMPARE_WITH_TIMEOUT(ground(), of(QPalette::Base), kPatienceMs);
    edit.setEnabled(false);
    QTRY_COMPARE_WITH_TIMEOUT(ground(), of(QPalette::Window), kPatienceMs);
    QVERIFY(of(QPalette::Window) != of(QPalette::Base));
  }
}

void TestSaid::reasonsAreOfWhatIsTyped() {
  Studio studio;
  QVERIFY(opens(studio));
  app::defineFunction(studio.model.document(), studio.session().data.front().name, "myfun",
                      "pressure/density^1.4");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  studio.trigger("addSlice");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.child<QComboBox>("color.by"), kPatienceMs);
  const auto reasonOf = [&](const char* text) -> QString {
    QLineEdit* const line = studio.child<QComboBox>("color.by")->lineEdit();
    line->setFocus();
    line->selectAll();
    QTest::keyClicks(line, text);
    const auto* const error = studio.child<QLabel>("color.by.error");
    return error && !error->isHidden() ? error->text() : QString();
  };
  // The place is one in what stands in the field, not in what its names stand for.
  QString reason = reasonOf("sqrt(myfun+pressure");
  QVERIFY2(reason.contains("'sqrt(myfun+pressure' is wrong at character 20"), qPrintable(reason));
  QVERIFY2(!reason.contains("1.4"), qPrintable(reason));
  QVERIFY(reasonOf("sqrt(myfun+pressure)").isEmpty());
  // Of names only those that are near.
  reason = reasonOf("myf");
  QVERIFY2(reason.contains("myfun") && reason.size() < 100, qPrintable(reason));
  reason = reasonOf("presure");
  QVERIFY2(reason.contains("pressure") && reason.size() < 160, qPrintable(reason));
  reason = reasonOf("2*presure");
  QVERIFY2(reason.contains("'presure'") && reason.contains("did you mean pressure"), qPrintable(reason));
  reason = reasonOf("qqq");
  QVERIFY2(reason.contains("qqq") && reason.size() < 100, qPrintable(reason));
}

void TestSaid::everyMessageHasItsTime() {
  ui::MessageList messages;
  messages.add(ui::MessageKind::Note, "Wrote picture.png");
  const QString first = messages.item(0)->text();
  const auto isLater = [&] { return QTime::currentTime().toString("HH:mm:ss") != first.section(' ', 0, 0); };
  QTRY_VERIFY_WITH_TIMEOUT(isLater(), kPatienceMs);
  messages.add(ui::MessageKind::Note, "Wrote picture.png");
  QCOMPARE(messages.count(), 2);
  QVERIFY(messages.item(1)->text() != first);
}

void TestSaid::whatIsNoMoreIsNotSaid() {
  Studio studio;
  QVERIFY(opens(studio));
  studio.trigger("addSlice");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  const app::ObjectId id = studio.newest();
  const session::Object good = *studio.model.document().object(id);
  session::Object wrong = good;
  wrong.color.by = "nothing-of-the-kind";
  studio.model.document().setObject(id, wrong, "Colour by", {});
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Failed, kPatienceMs);
  const QStatusBar* const bar = studio.window.statusBar();
  QVERIFY2(bar->currentMessage().contains("nothing-of"), qPrintable(bar->currentMessage()));
  studio.model.document().setObject(id, good, "Colour by", {});
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  QVERIFY2(bar->currentMessage().isEmpty(), qPrintable(bar->currentMessage()));
  studio.model.document().setObject(id, wrong, "Colour by", {});
  QTRY_VERIFY_WITH_TIMEOUT(bar->currentMessage().contains("nothing-of"), kPatienceMs);
  studio.model.document().edit("Remove", [&](app::Draft& draft) { draft.remove(id); });
  QVERIFY2(bar->currentMessage().isEmpty(), qPrintable(bar->currentMessage()));
  // It goes on to stand in the messages.
  QVERIFY(studio.window.findChild<ui::MessageList*>()->allText().contains("nothing-of"));
}

/// Data that come to a view that somebody has chosen.
void TestSaid::whatIsOutOfSightIsSaid() {
  Studio studio;
  QVERIFY(opens(studio));
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  const auto look = [&](Vec3 target) {
    studio.model.document().edit("Look", [&](app::Draft& draft) {
      draft.frame().camera = session::FixedCamera{
          .position = target + Vec3{0, 0, 20}, .target = target, .up = {0, 1, 0}, .orthographicHeight = {}};
    });
  };
  const auto said = [&](const QString& source) {
    const std::size_t before = studio.session().objects.size();
    studio.model.openData({{source, {}}});
    if (!QTest::qWaitFor([&] { return studio.session().objects.size() > before && studio.rests(); },
                         kPatienceMs))
      return QString("nothing came");
    return studio.window.statusBar()->currentMessage();
  };
  look({3, 3, 3});
  QString text = said("sample://abc?size=9");
  QVERIFY2(text.contains("Opened abc. "), qPrintable(text));
  look({1000, 0, 0});
  text = said("sample://tornado?size=9");
  QVERIFY2(text.contains("Opened tornado. It lies outside of what is seen"), qPrintable(text));
}

void TestSaid::budgetsThatAreNotTakenAreSaid() {
  Studio studio;
  studio.window.activateWindow();
  const std::uint64_t before = studio.model.engine().memoryBytes();
  studio.trigger("settings");
  auto* const dialog = studio.child<QDialog>("settings");
  QVERIFY(dialog && QTest::qWaitForWindowActive(dialog));
  auto* const line = dialog->findChild<QLineEdit*>("settings.memory");
  QCOMPARE(line->text(), studio.child<QLineEdit>("memory.bytes")->text());
  const auto problem = [&] {
    const auto* const label = dialog->findChild<QLabel*>("settings.memory.error");
    return label && !label->isHidden() ? label->text() : QString();
  };
  const QColor plain = line->palette().color(QPalette::Text);
  line->setFocus();
  const QString least = QString::number(app::kLeastMemoryBytes >> 20);
  // As it was typed, and not what is left of it without its letters.
  for (const char* const typed : {"1", "1e30", "20X", "999999G"}) {
    line->selectAll();
    QTest::keyClicks(line, typed);
    QCOMPARE(line->text(), QString(typed));
    QVERIFY(line->palette().color(QPalette::Text) != plain);
    QTest::keyClick(line, Qt::Key_Return);
    // Put back, and still to be read.
    QCOMPARE(studio.model.engine().memoryBytes(), before);
    QCOMPARE(line->palette().color(QPalette::Text), plain);
    QVERIFY2(problem().contains(least), qPrintable(problem()));
  }
  for (const auto& [typed, mib] : {std::pair{"512", 512}, {"0.25G", 256}, {"300 MiB", 300}}) {
    line->selectAll();
    QTest::keyClicks(line, typed);
    QCOMPARE(line->palette().color(QPalette::Text), plain);
    QTest::keyClick(line, Qt::Key_Return);
    QCOMPARE(studio.model.engine().memoryBytes(), static_cast<std::uint64_t>(mib) << 20);
  }
  QVERIFY(dialog->isVisible());
}

/// A panel that is as high as one line says what is wrong beyond itself, for as long as that line is seen.
void TestSaid::whatALowPanelSaysIsReadable() {
  Studio studio({1440, 900});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.window.activateWindow();
  QVERIFY(opens(studio));
  studio.child<QDockWidget>("dock.memory")->raise();
  auto* const line = studio.child<QLineEdit>("memory.bytes");
  QTRY_VERIFY_WITH_TIMEOUT(line->isVisible(), kPatienceMs);
  const QString before = line->text();
  for (const char* const typed : {"abc", "-5", "0", "1e30", "5M"}) {
    line->setFocus();
    QTRY_COMPARE_WITH_TIMEOUT(QApplication::focusWidget(), static_cast<QWidget*>(line), kPatienceMs);
    line->selectAll();
    QTest::keyClicks(line, typed);
    QTest::keyClick(line, Qt::Key_Return);
    QCOMPARE(line->text(), before);
    auto* const said = studio.child<QLabel>("memory.bytes.error");
    QVERIFY2(said && said->isVisible(), typed);
    QVERIFY2(said->height() >= said->heightForWidth(said->width()), typed);
    // Nothing of it is cut off, and nothing lies over it.
    QVERIFY2(said->visibleRegion().boundingRect() == said->rect(), typed);
    const QRect its(said->mapTo(&studio.window, QPoint()), said->size());
    for (const QPoint& corner : {its.topLeft(), its.topRight(), its.bottomLeft(), its.bottomRight()}) {
      said->setAttribute(Qt::WA_TransparentForMouseEvents, false);
      QVERIFY2(studio.window.childAt(corner) == said, typed);
      said->setAttribute(Qt::WA_TransparentForMouseEvents);
    }
    QVERIFY2(!its.intersects(QRect(line->mapTo(&studio.window, QPoint()), line->size())), typed);
  }
  // It does not stay where its line is not seen any more.
  studio.child<QDockWidget>("dock.memory")->hide();
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QLabel>("memory.bytes.error")->isVisible(), kPatienceMs);
}

void TestSaid::messagesFitTheStatusBar() {
  Studio studio({1024, 700});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  auto* const volumes = studio.child<QLabel>("volumes");
  volumes->setText("volume: complete, in full detail, and more that is said of it at length");
  volumes->show();
  const auto* const bar = qobject_cast<ui::StatusLine*>(studio.window.statusBar());
  QVERIFY(bar);
  QTRY_VERIFY_WITH_TIMEOUT(volumes->x() > 0 && volumes->width() >= volumes->sizeHint().width(), kPatienceMs);
  emit studio.window.pipeline().message(QString("what cannot be opened and why it is so ").repeated(20));
  const auto fits = [&](const QWidget& beside) {
    const QString shown = bar->shownText();
    return shown.size() > 10 && shown.endsWith(QChar(0x2026)) &&
           bar->fontMetrics().horizontalAdvance(shown) < beside.x();
  };
  QVERIFY2(fits(*volumes), qPrintable(bar->shownText()));
  // What is shown later takes its room from the message, not the end of it.
  auto* const link = studio.child<QLabel>("link");
  link->setText("far.example.org:4791: connected, 0.4 ms");
  link->show();
  QTRY_VERIFY_WITH_TIMEOUT(link->x() > 0 && link->x() < volumes->x() && fits(*link), kPatienceMs);
}

/// Whatever their names are.
/// Why a volume is not seen stands there as a message for a while, and then beside it; not in both places at a time.
void TestSaid::nothingIsSaidTwiceInTheStatusBar() {
  Studio studio;
  QVERIFY(opens(studio));
  const QString id = QString::number(studio.newest());
  const QString name = QString::fromStdString(studio.session().objects.back().name);
  qt3d::VolumeSight sight;
  sight.state = qt3d::VolumeSight::State::Failed;
  sight.problem = "there is no memory for it";
  emit studio.window.viewport().volumeSeen(id, sight);
  const QString said = name + ": there is no memory for it";
  auto* const label = studio.child<ui::ElidedLabel>("volumes");
  QVERIFY(label);
  QCOMPARE(studio.window.statusBar()->currentMessage(), said);
  QCOMPARE(label->text(), QString());
  studio.window.statusBar()->showMessage("something else");
  QCOMPARE(label->text(), said);
  studio.window.statusBar()->clearMessage();
  QCOMPARE(label->text(), said);
}

void TestSaid::lostServersAreNamedFirst() {
  app::WorkshopCounters counters;
  app::LinkSight good, lost;
  good.name = "a.example.org:4791";
  lost.name = "z.example.org:4791";
  lost.lostSeconds = lost.silentSeconds = 60;
  QVERIFY(lost.isLost() && !good.isLost());
  counters.links["data"] = {good, lost};
  ui::LinkLabel label;
  label.showLinks(counters);
  QVERIFY(label.isLost());
  QVERIFY2(
      label.text().startsWith("z.example.org:4791: connection lost") && label.text().endsWith("and 1 more"),
      qPrintable(label.text()));
  // So is one that data wait for, of which the last that was heard is good.
  counters.links["data"] = {good};
  label.showLinks(counters);
  QVERIFY(!label.isLost() && label.text().contains("connected"));
  label.showLinks(counters, {"", good.name});
  QVERIFY(label.isLost() && label.text() == "a.example.org:4791: connection lost, tried again");
}

/// Whatever is said of many objects, the window gets no wider for it, and a sentence that is not whole does not look like one.
void TestSaid::whatHasNoRoomInTheStatusBarEndsWithDots() {
  Studio studio({1024, 700});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  const int wide = studio.window.width();
  for (const char* const name : {"volumes", "detail"}) {
    auto* const label = dynamic_cast<ui::ElidedLabel*>(studio.child<QLabel>(name));
    QVERIFY2(label, name);
    const QString all = QString("streamlines of the fine grid: being drawn   ").repeated(8);
    label->showText(all);
    QTRY_VERIFY2_WITH_TIMEOUT(label->shownText().size() > 20, name, kPatienceMs);
    QVERIFY2(label->shownText().endsWith(QChar(0x2026)), qPrintable(label->shownText()));
    QCOMPARE(label->toolTip(), all);
    QCOMPARE(studio.window.width(), wide);
    label->showText("one: being drawn");
    QTRY_COMPARE_WITH_TIMEOUT(label->shownText(), QString("one: being drawn"), kPatienceMs);
    label->showText({});
  }
}

/// As long as drawing all of it would take too long; when it no longer does, it becomes sharp while nothing moves.
void TestSaid::viewsThatStayCoarseAreSaid() {
  Studio studio;
  QVERIFY(opens(studio));
  if (studio.picture().isNull()) QSKIP("no OpenGL on this display");
  QLabel* const detail = studio.child<QLabel>("detail");
  const auto saysSo = [&] { return detail->text().contains("the view: not as sharp as it can be"); };
  const auto draw = [](qt3d::Viewport& view, bool slowly) {
    view.setStillMs(slowly ? 1e-6 : 60'000);
    view.holdDetail(slowly ? std::optional(2) : std::nullopt);
  };
  qt3d::Viewport& first = studio.window.viewport();
  draw(first, true);
  QTRY_VERIFY2_WITH_TIMEOUT(saysSo(), qPrintable(detail->text()), kPatienceMs);
  QVERIFY(first.secondsToSharp() > 0);
  // Nothing but time goes by.
  first.setStillMs(60'000);
  QTRY_VERIFY_WITH_TIMEOUT(first.secondsToSharp() == 0, kPatienceMs);
  QTRY_VERIFY2_WITH_TIMEOUT(detail->text().isEmpty(), qPrintable(detail->text()), kPatienceMs);

  // Of a view beside it as well, as long as that is there.
  draw(first, false);
  studio.trigger("twoViews");
  qt3d::Viewport* const second = studio.child<qt3d::Viewport>("viewport2");
  QVERIFY(second);
  QTRY_VERIFY_WITH_TIMEOUT(detail->text().isEmpty() && studio.viewRests(), kPatienceMs);
  draw(*second, true);
  QTRY_VERIFY2_WITH_TIMEOUT(saysSo(), qPrintable(detail->text()), kPatienceMs);
  QVERIFY(first.secondsToSharp() == 0);
  studio.trigger("oneView");
  QTRY_VERIFY2_WITH_TIMEOUT(!saysSo(), qPrintable(detail->text()), kPatienceMs);
}

/// Lines of which drawing all takes long stay whole while something else changes beside them: the picture of before stays until the next
/// one is there. And that the view is not drawn to the end is said also where there is something else to be said.
void TestSaid::whatDoesNotChangeStaysInTheView() {
  Studio studio;
  studio.model.open({"sample://taylor-green?size=33"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  if (studio.picture().isNull()) QSKIP("no OpenGL on this display");
  app::Document& document = studio.model.document();
  studio.trigger("addStreamlines");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  session::Object lines = *document.object(studio.newest());
  auto& shape = std::get<session::Streamlines>(lines.shape);
  shape.seeds = session::LineSeeds{{0.5, 0.5, 3}, {5.5, 5.5, 3}, 1500};
  shape.integrator.maxLength = 40;
  lines.color = {};
  lines.color.solid = {1, 0, 0, 1};
  const app::ObjectId id = studio.newest();
  document.setObject(id, lines, "Many");
  studio.trigger("addIsosurface");
  const app::ObjectId surface = studio.newest();
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.viewRests(), kPatienceMs);
  qt3d::Viewport& view = studio.window.viewport();
  const auto redOf = [](const QImage& image) {
    int red = 0;
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x) {
        const QColor pixel = image.pixelColor(x, y);
        red += pixel.red() > 100 && pixel.green() < 90 && pixel.blue() < 90;
      }
    return red;
  };
  const int all = redOf(studio.picture());
  QVERIFY2(all > 2000, qPrintable(QString::number(all)));
  std::vector<int> seen;
  const QObject scope;
  connect(&view, &qt3d::Viewport::frameDrawn, &scope, [&] { seen.push_back(redOf(view.grab().toImage())); });
  bool settled = false;
  connect(&view, &qt3d::Viewport::settled, &scope, [&] { settled = true; });
  const auto change = [&](const std::function<void()>& how) {
    seen.clear();
    settled = false;
    how();
    (void)QTest::qWaitFor([&] { return studio.rests() && settled && !seen.empty(); }, kPatienceMs);
    return seen.empty() ? 0 : *std::min_element(seen.begin(), seen.end());
  };
  // Lines of half as many pixels, drawn without samples, are not as red where they are thin.
  for (const char* const what : {"colour", "value"}) {
    const int after = change([&] {
      document.edit("Change", [&](app::Draft& draft) {
        session::Object& its = draft.object(surface);
        if (what == std::string("colour"))
          its.opacity = 0.9;
        else
          std::get<session::Isosurface>(its.shape).values = {
              0.9 * std::get<session::Isosurface>(its.shape).values[0]};
      });
    });
    QVERIFY2(after > all / 2, qPrintable(QString("%1: %2 of %3").arg(what).arg(after).arg(all)));
    const int undone = change([&] { studio.trigger("undo"); });
    QVERIFY2(undone > all / 2, qPrintable(QString("%1 undone: %2 of %3").arg(what).arg(undone).arg(all)));
  }

  QLabel* const detail = studio.child<QLabel>("detail");
  emit view.itemHeld(QString::number(surface), 0.25);
  QVERIFY2(detail->text().contains("simplified to 25 %"), qPrintable(detail->text()));
  emit view.frameDrawn(10);
  QTRY_VERIFY2_WITH_TIMEOUT(
      detail->text().contains("simplified to 25 %") && detail->text().contains("the view: being drawn"),
      qPrintable(detail->text()), kPatienceMs);
  emit view.settled();
  QVERIFY2(!detail->text().contains("being drawn"), qPrintable(detail->text()));
}

void TestSaid::whatCannotBeOpenedIsSelected() {
  Studio studio;
  QVERIFY(opens(studio));
  QVERIFY(studio.window.pipeline().selectedObject() != 0);
  studio.model.open({"sample://nothing-of-the-kind"});
  const auto failed = [&]() -> std::string {
    for (const session::DataSource& source : studio.session().data)
      if (studio.model.stage().dataStatus(source.name).state == app::DataState::Failed) return source.name;
    return {};
  };
  QTRY_VERIFY_WITH_TIMEOUT(!failed().empty(), kPatienceMs);
  QVERIFY(studio.window.pipeline().isDataSelected());
  QCOMPARE(studio.window.pipeline().selectedData(), failed());
}

void TestSaid::theKeyboardIsSeenInThePipeline() {
  Studio studio;
  QVERIFY(opens(studio));
  auto* const view = studio.child<QTreeView>("pipeline");
  view->setFocus();
  QTRY_VERIFY_WITH_TIMEOUT(view->hasFocus(), kPatienceMs);
  const QRect row = view->visualRect(view->currentIndex());
  QVERIFY(row.isValid() && view->selectionModel()->isSelected(view->currentIndex()));
  // How far the upper edge of the row stands out from it.
  const auto marked = [&] {
    const QImage image = view->viewport()->grab(row).toImage();
    const QColor selected = QApplication::palette().color(QPalette::Highlight);
    int most = 0;
    for (int y = 0; y < 6; ++y)
      most =
          std::max(most, std::abs(image.pixelColor(image.width() / 2, y).lightness() - selected.lightness()));
    return most;
  };
  QTRY_VERIFY2_WITH_TIMEOUT(marked() > 60, qPrintable(QString::number(marked())), kPatienceMs);
  studio.window.viewport().setFocus();
  QTRY_VERIFY_WITH_TIMEOUT(!view->hasFocus(), kPatienceMs);
  QTRY_VERIFY2_WITH_TIMEOUT(marked() < 30, qPrintable(QString::number(marked())), kPatienceMs);
}

/// Buttons go below a text that they would squeeze, and the window stays as wide as it is.
void TestSaid::noticesFitTheirWindow() {
  Studio studio({1024, 700});
  QVERIFY(opens(studio));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  auto* const notice = studio.child<ui::NoticeBar>("notice");
  notice->say(
      "Conversion stopped: 406.9 MiB of 3.3 GiB are written to /data/results/a-long-name-of-a-store.ffstore, "
      "and can be gone on with.",
      "Go on", [] {}, {"Remove what there is", [] {}});
  const auto* const text = studio.child<QLabel>("notice.text");
  const auto sizes = [&] {
    return QString("text %1 of notice %2 of window %3")
        .arg(text->width())
        .arg(notice->width())
        .arg(studio.window.width());
  };
  QTRY_VERIFY2_WITH_TIMEOUT(notice->isVisible() && 5 * text->width() > 3 * notice->width(),
                            qPrintable(sizes()), kPatienceMs);
  QCOMPARE(studio.window.width(), 1024);
  // All of it is seen, and so are both buttons.
  QTRY_VERIFY_WITH_TIMEOUT(text->height() >= text->heightForWidth(text->width()), kPatienceMs);
  for (const char* const name : {"notice.button", "notice.other"}) {
    const auto* const button = studio.child<QPushButton>(name);
    const auto isWhole = [&] {
      return notice->rect().contains(QRect(button->mapTo(notice, QPoint()), button->size())) &&
             button->width() >= button->minimumSizeHint().width();
    };
    QTRY_VERIFY2_WITH_TIMEOUT(isWhole(), name, kPatienceMs);
  }
}

void TestSaid::listsWithTheKeyboardAreFramed() {
  Studio studio;
  QVERIFY(opens(studio));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  auto* const view = studio.child<QTreeView>("pipeline");
  const auto isFramed = [&] {
    const auto* const mark = studio.window.findChild<ui::FocusMark*>();
    return mark && mark->isVisible() && mark->parentWidget() == view;
  };
  view->setFocus(Qt::TabFocusReason);
  QTRY_VERIFY_WITH_TIMEOUT(isFramed(), kPatienceMs);
  // A click tells where it went by itself.
  studio.window.viewport().setFocus(Qt::MouseFocusReason);
  QTRY_VERIFY_WITH_TIMEOUT(!isFramed(), kPatienceMs);
  view->setFocus(Qt::MouseFocusReason);
  QTRY_VERIFY_WITH_TIMEOUT(view->hasFocus(), kPatienceMs);
  QVERIFY(!isFramed());
}

/// Also those without a frame of their own, in a panel that comes to the front for the keyboard.
void TestSaid::buttonsWithTheKeyboardAreFramed() {
  Studio studio;
  QVERIFY(opens(studio));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.window.activateWindow();
  studio.window.viewport().setFocus();
  QTRY_COMPARE_WITH_TIMEOUT(QApplication::focusWidget(), &studio.window.viewport(), kPatienceMs);
  auto* const keep = studio.child<QToolButton>("views.keep");
  for (int n = 0; n < 10 && !keep->hasFocus(); ++n) QTest::keyClick(QApplication::focusWidget(), Qt::Key_F6);
  QVERIFY(keep->hasFocus());
  const auto blue = [&] {
    const QImage image = keep->grab().toImage();
    const QColor line = keep->palette().color(QPalette::Link);
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x) {
        const QColor at = image.pixelColor(x, y);
        count += std::abs(at.red() - line.red()) + std::abs(at.green() - line.green()) +
                     std::abs(at.blue() - line.blue()) <
                 120;
      }
    return count;
  };
  QTRY_VERIFY2_WITH_TIMEOUT(blue() > keep->width(), qPrintable(QString::number(blue())), kPatienceMs);
  studio.window.viewport().setFocus();
  QTRY_VERIFY2_WITH_TIMEOUT(blue() == 0, qPrintable(QString::number(blue())), kPatienceMs);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestSaid test;
  return QTest::qExec(&test, count, words);
}
#include "tst_said.moc"
