// The panel of memory, the start page, fields of properties, and the strip of steps: widgets over a model, without a view, so that they need
// no display.

#include <QComboBox>
#include <QCommandLinkButton>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QSlider>
#include <QTest>
#include <QToolButton>

#include "app/first/first_objects.h"
#include "app/model/fields/window_kinds.h"
#include "app/ui/editors/field_editor.h"
#include "app/ui/editors/field_editors.h"
#include "app/ui/panels/life_lines_view.h"
#include "app/ui/panels/memory_panel.h"
#include "app/ui/panels/page_map_view.h"
#include "app/ui/panels/property_editor.h"
#include "app/ui/panels/step_strip.h"
#include "app/ui/panels/time_bar.h"
#include "app/ui/widgets/number_edit.h"
#include "app/ui/window/start_page.h"
#include "core/base/machine.h"
#include "core/base/units.h"
#include "tests/gui/window/support/room.h"

using namespace farfield;
using namespace farfield::test;

class TestPanels : public QObject {
  Q_OBJECT
 private slots:
  void memoryIsShown();
  void narrowPanelsKeepWhatMatters();
  void titlesOnTheStartPageAreWhole();
  void typingFindsWhatIsTyped();
  void automaticEndsAreShortAndWhole();
  void budgetActsAtOnce();
  void budgetIsTyped();
  void whatIsUsedIsNotCut();
  void hiddenPanelsWatchNothing();
  void stepsAreShown();
  void lifeLinesFollowEvents();
  void propertiesFollowTheSelection();
};

void TestPanels::memoryIsShown() {
  Room room;
  ui::MemoryPanel panel(room.model);
  panel.setDetailed(true);
  panel.resize(900, 220);
  panel.show();
  const app::ObjectId id = room.open("sample://abc?size=33");
  QTRY_VERIFY_WITH_TIMEOUT(room.done(id), kPatienceMs);
  auto* const text = panel.findChild<QLabel*>("memory.map");
  QTRY_VERIFY_WITH_TIMEOUT(text->text().contains("pages in memory"), kPatienceMs);
  auto* const array = panel.findChild<QComboBox*>("memory.array");
  QVERIFY(array->count() >= 1 && array->isEnabled());
  QTRY_VERIFY_WITH_TIMEOUT(!panel.findChild<QLabel*>("memory.why")->text().isEmpty(), kPatienceMs);
  QVERIFY(!panel.findChild<QLabel*>("memory.why")->text().contains('\n'));
  QTRY_COMPARE_WITH_TIMEOUT(panel.findChild<QLabel*>("memory.waits")->text(),
                            QString("Nothing is being read, and no task waits."), kPatienceMs);
}

void TestPanels::narrowPanelsKeepWhatMatters() {
  Room room;
  QWidget place;
  place.resize(1200, 400);
  ui::MemoryPanel panel(room.model, &place);
  panel.setDetailed(true);
  panel.resize(1100, 220);
  place.show();
  const app::ObjectId id = room.open("sample://abc?size=33");
  QTRY_VERIFY_WITH_TIMEOUT(room.done(id), kPatienceMs);
  auto* const map = panel.findChild<QLabel*>("memory.map");
  auto* const waits = panel.findChild<QLabel*>("memory.waits");
  auto* const why = panel.findChild<QLabel*>("memory.why");
  QVERIFY(map->isVisible() && waits->isVisible() && why->isVisible());
  panel.resize(panel.minimumSizeHint());
  QVERIFY(!map->isVisible() && !waits->isVisible() && why->isVisible());
  // A window has it beside two other panels, and a view.
  QVERIFY2(panel.width() < 420, qPrintable(QString::number(panel.width())));
  panel.resize(1100, 220);
  QVERIFY(map->isVisible() && waits->isVisible());
}

void TestPanels::titlesOnTheStartPageAreWhole() {
  Room room;
  ui::StartPage page(room.model);
  page.show();
  for (const QSize size : {QSize(1440, 800), QSize(1024, 640), QSize(800, 560)}) {
    page.resize(size);
    const QList<QCommandLinkButton*> offers = page.findChildren<QCommandLinkButton*>();
    QVERIFY(offers.size() >= 6);
    for (QCommandLinkButton* const offer : offers)
      QTRY_VERIFY2_WITH_TIMEOUT(offer->width() >= offer->sizeHint().width(), qPrintable(offer->text()),
                                kPatienceMs);
  }
  // What memory a start takes is said.
  QVERIFY(page.findChild<QLabel*>("startHint")->text().contains("memory"));
}

void TestPanels::typingFindsWhatIsTyped() {
  app::Field field;
  field.key = "color.by";
  field.kind = app::FieldKind::Choice;
  for (const char* const name : {"density", "pressure", "velocity", "pressure-gradient", "pitch"})
    field.choices.emplace_back(name, name);
  const std::unique_ptr<ui::FieldEditor> editor(ui::makeFieldEditor(field, nullptr));
  auto* const box = editor->findChild<QComboBox*>();
  QSignalSpy edited(editor.get(), &ui::FieldEditor::edited);
  editor->setValue("velocity");
  editor->show();
  QTest::keyClicks(box, "pressure");
  QCOMPARE(box->currentText(), QString("pressure"));
  QCOMPARE(edited.last().first().toString(), QString("pressure"));
  // A letter again and again goes through all that begin with it.
  const int interval = QApplication::keyboardInputInterval();
  QApplication::setKeyboardInputInterval(0);
  QTest::qWait(2);  // longer than the interval
  QTest::keyClicks(box, "p");
  QApplication::setKeyboardInputInterval(interval);
  QCOMPARE(box->currentText(), QString("pressure-gradient"));
}

void TestPanels::automaticEndsAreShortAndWhole() {
  app::Field field;
  field.key = "color.range";
  field.kind = app::FieldKind::Interval;
  const std::unique_ptr<ui::FieldEditor> editor(ui::makeFieldEditor(field, nullptr));
  const QList<QLineEdit*> ends = editor->findChildren<QLineEdit*>();
  QCOMPARE(ends.size(), 2);
  editor->setAutomaticText("5.54339871e-17 … 1.8795274");
  QCOMPARE(ends[0]->placeholderText(), QString("5.5434e-17"));
  QCOMPARE(ends[1]->placeholderText(), QString("1.87953"));
  // What is 0 but for rounding is 0 where ranges are told.
  QCOMPARE(ui::textOfRange(8.65956e-17, 1.5), QString("0 … 1.5"));
  QCOMPARE(ui::textOfRange(8.65956e-17, 2e-16), QString("8.65956e-17 … 2e-16"));
  // A difference of single precision, and what only looks like one.
  const double age = double{429.6F} - double{423.2F};
  QCOMPARE(ui::meantRange({0, age}), (std::array{0.0, 6.4}));
  QCOMPARE(ui::meantRange({age, age}), (std::array{6.4, 6.4}));
  QCOMPARE(ui::meantRange({age, 60}, false, true), (std::array{age, 60.0}));
  QCOMPARE(ui::meantRange({0.59248226, 1.8795274}), (std::array{0.59248226, 1.8795274}));
  QCOMPARE(ui::meantRange({1e-9, 1}, true), (std::array{1e-9, 1.0}));
  QCOMPARE(ui::meantRange({-age, 0}), (std::array{-6.4, 0.0}));
  // The noise of single precision is nobody's number; what was typed is.
  QCOMPARE(ui::textOfNumber(29.723999F), QString("29.724"));
  QCOMPARE(ui::textOfNumber(29.723999), QString("29.723999"));
  QCOMPARE(ui::textOfNumber(1234567.5F), QString("1234567.5"));
  // With one end chosen, the other is what it was, not what it is shown as.
  QSignalSpy edited(editor.get(), &ui::FieldEditor::edited);
  editor->show();
  ends[0]->setFocus();
  QTest::keyClicks(ends[0], "1");
  QTest::keyClick(ends[0], Qt::Key_Return);
  QVERIFY(!edited.isEmpty());
  QCOMPARE(edited.last().first().toList(), (QVariantList{1.0, 1.8795274}));
}

void TestPanels::budgetActsAtOnce() {
  Room room;
  ui::MemoryPanel panel(room.model);
  panel.show();
  const app::ObjectId id = room.open("sample://abc?size=33");
  QTRY_VERIFY_WITH_TIMEOUT(room.done(id), kPatienceMs);
  auto* const slider = panel.findChild<QSlider*>("memory.budget");
  slider->setValue(60);
  const std::uint64_t wanted = ui::budgetAt(60, machineMemoryBytes());
  QTRY_COMPARE_WITH_TIMEOUT(room.model.engine().counters().budgetBytes, wanted, kPatienceMs);
  QVERIFY(room.model.engine().counters().usedBytes <= wanted);
  QTRY_VERIFY_WITH_TIMEOUT(room.done(id), kPatienceMs);
  slider->setValue(200);
  QTRY_COMPARE_WITH_TIMEOUT(room.model.engine().counters().budgetBytes,
                            ui::budgetAt(200, machineMemoryBytes()), kPatienceMs);
}

void TestPanels::budgetIsTyped() {
  Room room;
  ui::MemoryPanel panel(room.model);
  panel.show();
  auto* const line = panel.findChild<QLineEdit*>("memory.bytes");
  auto* const slider = panel.findChild<QSlider*>("memory.budget");
  constexpr std::uint64_t kMiB = 1 << 20;
  const auto type = [&](const QString& text) {
    line->selectAll();
    QTest::keyClicks(line, text);
  };
  const auto shows = [&](std::uint64_t bytes) {
    return line->text() == QString::fromStdString(formatBytes(bytes)) &&
           slider->value() == ui::placeOfBudget(bytes, machineMemoryBytes());
  };
  // As people write it; a number alone is one of MiB.
  for (const auto& [text, bytes] : {std::pair{"200", 200 * kMiB}, std::pair{"96M", 96 * kMiB},
                                    std::pair{"201 mib", 201 * kMiB}, std::pair{"0,25 GB", 256 * kMiB}}) {
    type(text);
    QTest::keyClick(line, Qt::Key_Return);
    QCOMPARE(room.model.engine().memoryBytes(), bytes);
    QVERIFY2(shows(bytes), qPrintable(line->text()));
  }
  // Nothing of what stands there is taken while it is typed, and nothing that is no budget.
  const QColor usual = line->palette().color(QPalette::Text);
  type("4");
  QVERIFY(line->palette().color(QPalette::Text) != usual);
  QSignalSpy counted(&room.model.engine(), &app::Engine::counted);
  QTRY_VERIFY_WITH_TIMEOUT(counted.size() > 1, kPatienceMs);
  QCOMPARE(line->text(), QString("4"));
  QTest::keyClick(line, Qt::Key_Return);
  QCOMPARE(room.model.engine().memoryBytes(), 256 * kMiB);
  QVERIFY2(shows(256 * kMiB), qPrintable(line->text()));
  QCOMPARE(line->palette().color(QPalette::Text), usual);
  // Set elsewhere it is shown, too.
  room.model.setMemoryBytes(100 * kMiB);
  QTRY_VERIFY_WITH_TIMEOUT(shows(100 * kMiB), kPatienceMs);
}

/// In a narrow window less is said, and no half of a number.
void TestPanels::whatIsUsedIsNotCut() {
  Room room;
  ui::MemoryPanel panel(room.model);
  panel.show();
  const auto* const used = panel.findChild<QLabel*>("memory.used");
  QVERIFY(used);
  panel.resize(1000, panel.height());
  QTRY_VERIFY_WITH_TIMEOUT(used->text().contains("of pictures"), kPatienceMs);
  QVERIFY(used->fontMetrics().horizontalAdvance(used->text()) <= used->width());
  panel.resize(500, panel.height());
  QTRY_VERIFY_WITH_TIMEOUT(!used->text().contains("of pictures"), kPatienceMs);
  QVERIFY(used->toolTip().contains("of pictures"));
}

void TestPanels::hiddenPanelsWatchNothing() {
  Room room;
  ui::MemoryPanel panel(room.model);
  const app::ObjectId id = room.open("sample://abc?size=17");
  QTRY_VERIFY_WITH_TIMEOUT(room.done(id), kPatienceMs);
  QSignalSpy counted(&room.model.engine(), &app::Engine::counted);
  QTRY_VERIFY_WITH_TIMEOUT(counted.size() > 1, kPatienceMs);
  QVERIFY(!room.model.engine().counters().sight);
  // A line with the budget needs none of it.
  panel.show();
  counted.clear();
  QTRY_VERIFY_WITH_TIMEOUT(counted.size() > 1, kPatienceMs);
  QVERIFY(!room.model.engine().counters().sight);
  auto* const more = panel.findChild<QToolButton*>("memory.more");
  more->click();
  QTRY_VERIFY_WITH_TIMEOUT(room.model.engine().counters().sight, kPatienceMs);
  more->click();
  QTRY_VERIFY_WITH_TIMEOUT(!room.model.engine().counters().sight, kPatienceMs);
  more->click();
  QTRY_VERIFY_WITH_TIMEOUT(room.model.engine().counters().sight, kPatienceMs);
  panel.hide();
  QTRY_VERIFY_WITH_TIMEOUT(!room.model.engine().counters().sight, kPatienceMs);
}

void TestPanels::stepsAreShown() {
  Room room;
  ui::TimeBar bar(room.model);
  bar.show();
  auto* const strip = bar.findChild<ui::StepStrip*>("time.strip");
  const app::ObjectId id = room.open("sample://cylinder?size=17,17,5&steps=4");
  QTRY_VERIFY_WITH_TIMEOUT(room.done(id), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(strip->resident().size() == 4 && strip->resident()[0] > 0, kPatienceMs);
  QVERIFY(strip->isVisible());
  QCOMPARE(strip->resident()[2], 0.0f);
  QVERIFY(strip->accessibleDescription().startsWith("1 of 4"));
}

void TestPanels::lifeLinesFollowEvents() {
  using trace::LiveKind;
  const std::vector<trace::LiveEvent> events{{100, 0, LiveKind::Began, 7},  {130, 1, LiveKind::GoesOn, 8},
                                             {150, 0, LiveKind::Waits, 7},  {160, 1, LiveKind::Ended, 8},
                                             {180, 0, LiveKind::GoesOn, 7}, {190, 1, LiveKind::Began, 9}};
  const auto stretches = ui::stretchesOf(events, 90, 200);
  const auto has = [&](int lane, bool waits, std::int64_t from, std::int64_t to) {
    return std::any_of(stretches.begin(), stretches.end(), [&](const ui::LifeStretch& s) {
      return s.lane == lane && s.waits == waits && s.from == from && s.to == to;
    });
  };
  QCOMPARE(stretches.size(), std::size_t(6));
  QVERIFY(has(0, false, 100, 150) && has(0, true, 150, 180) && has(0, false, 180, 200));
  QVERIFY(has(1, true, 90, 130) && has(1, false, 130, 160) && has(1, false, 190, 200));
}

void TestPanels::propertiesFollowTheSelection() {
  Room room;
  ui::PropertyEditor editor(room.model);
  editor.show();
  const app::ObjectId first = room.open("sample://abc?size=17");
  QTRY_VERIFY_WITH_TIMEOUT(room.done(first), kPatienceMs);
  app::ObjectId second = 0, surface = 0;
  room.model.document().edit("Add", [&](app::Draft& draft) {
    second = draft.add(*room.model.document().object(first));
    std::get<session::Streamlines>(draft.object(second).shape).integrator.maxSteps = 77;
    surface = draft.add(
        app::newObject(session::kTypeOf<session::GridSurface>, *room.model.stage().summary("flow"), "flow"));
  });
  const auto steps = [&](app::ObjectId id) {
    return std::get<session::Streamlines>(room.model.document().object(id)->shape).integrator.maxSteps;
  };
  editor.showObject(first);
  auto* const field = editor.findChild<ui::NumberEdit*>("integrator.maxSteps");
  QVERIFY(field && field->isVisible());
  // Half typed when another object is selected: it belongs to the first.
  field->setFocus();
  field->selectAll();
  QTest::keyClicks(field, "55");
  editor.showObject(second);
  QCOMPARE(steps(first), 55);
  QCOMPARE(steps(second), 77);
  // The same fields, with the values of the second.
  QCOMPARE(editor.findChild<ui::NumberEdit*>("integrator.maxSteps"), field);
  QCOMPARE(field->text(), QString("77"));
  // Others for a surface; and the first again when lines are selected again.
  editor.showObject(surface);
  QVERIFY(!editor.findChild<ui::NumberEdit*>("integrator.maxSteps"));
  QVERIFY(editor.findChild<QComboBox*>("color.by"));
  editor.showPicture();
  QVERIFY(!editor.findChild<QComboBox*>("color.by"));
  editor.showObject(first);
  QCOMPARE(editor.findChild<ui::NumberEdit*>("integrator.maxSteps"), field);
  QVERIFY(field->isVisible());
  QCOMPARE(field->text(), QString("55"));
  field->setFocus();
  field->selectAll();
  QTest::keyClicks(field, "66");
  QTest::keyClick(field, Qt::Key_Return);
  QCOMPARE(steps(first), 66);
  QCOMPARE(steps(second), 77);
}

QTEST_MAIN(TestPanels)
#include "tst_panels.moc"
