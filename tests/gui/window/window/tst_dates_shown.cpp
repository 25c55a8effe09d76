// Times as dates wherever people read them in the window: beside the slider, in properties, along curves, where an animation is chosen
// and where particles are let go. Needs no OpenGL.

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QSpinBox>
#include <QStandardPaths>
#include <algorithm>

#include "app/first/first_objects.h"
#include "app/ui/dialogs/animation_dialog.h"
#include "app/ui/plots/curve_view.h"
#include "app/ui/plots/plot_panel.h"
#include "plugins/zarr/zarr_data.h"
#include "tests/gui/window/support/studio.h"
#include "tests/support/zarr_sea.h"

using namespace farfield;
using namespace farfield::test;

namespace {

std::shared_ptr<const fields::ReaderRegistry> zarrToo() {
  auto readers = std::make_shared<fields::ReaderRegistry>();
  readers->add(std::make_unique<samples::SampleDataReader>());
  readers->add(std::make_unique<zarr::ZarrDataReader>(std::make_shared<paging::ByteStores>()));
  return readers;
}

/// With a sea whose days are those of a calendar of 30 days each month, or with data without dates.
struct Sea : Studio {
  explicit Sea(const char* data = nullptr) : Studio({1280, 800}, {}, {}, zarrToo()) {
    if (data) {
      model.open({data});
    } else {
      writeSea(folder / "sea");
      model.openData({{QString::fromStdString((folder / "sea").string()), {}}});
    }
    (void)QTest::qWaitFor([&] { return rests() && !session().objects.empty(); }, kPatienceMs);
  }
};

}  // namespace

class TestDatesShown : public QObject {
  Q_OBJECT
 private slots:
  void timesAreDates();
  void animationsGoFromDateToDate();
  void particlesAreLetGoAtDates();
  void otherTimesAreSaid();
  void curvesHaveTheTimesOfTheirData();
  void timesWithoutDatesHaveTheirUnits();
};

/// By the calendar of the data.
void TestDatesShown::timesAreDates() {
  Sea studio;
  auto* const now = studio.child<QLabel>("time.now");
  QCOMPARE(now->text(), QString("2001-01-01 00:00"));
  // Whole, in a small window too.
  studio.window.resize(1024, 700);
  QTRY_COMPARE_WITH_TIMEOUT(studio.window.width(), 1024, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(now->width() >= now->sizeHint().width(), kPatienceMs);
  studio.model.stage().setStep(2);
  QCOMPARE(now->text(), QString("2001-01-03 00:00"));
  QCOMPARE(now->toolTip(), QString("t = 2"));

  studio.window.pipeline().selectData("sea");
  const auto says = [&](const QString& text) {
    const QList<QLabel*> labels = studio.window.findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(),
                       [&](const QLabel* label) { return label->text().contains(text); });
  };
  QTRY_VERIFY_WITH_TIMEOUT(says("3, 2001-01-01 00:00 … 2001-01-03 00:00"), kPatienceMs);

  studio.trigger("plotTime");
  auto* const panel = studio.window.findChild<ui::PlotPanel*>();
  QTRY_COMPARE_WITH_TIMEOUT(panel->curve().curve().said.size(), std::size_t(3), kPatienceMs);
  QCOMPARE(panel->curve().curve().said[1], QString("2001-01-02 00:00"));
  QCOMPARE(panel->curve().curve().across, QString("time"));
}

void TestDatesShown::animationsGoFromDateToDate() {
  Sea studio;
  studio.trigger("exportAnimation");
  auto* dialog = studio.child<ui::AnimationDialog>("animation");
  QVERIFY(dialog);
  const auto* first = dialog->findChild<QLabel*>("firstDate");
  const auto* const last = dialog->findChild<QLabel*>("lastDate");
  QVERIFY(first->isVisible() && last->isVisible());
  QCOMPARE(first->text(), QString("2001-01-01 00:00"));
  QCOMPARE(last->text(), QString("2001-01-03 00:00"));
  auto* const step = dialog->findChild<QSpinBox*>("first");
  step->setFocus();
  QTest::keyClick(step, Qt::Key_Up);
  QCOMPARE(first->text(), QString("2001-01-02 00:00"));
  if (const QString where = qEnvironmentVariable("FARFIELD_SCREENSHOTS"); !where.isEmpty())
    QVERIFY(dialog->grab().save(where + "/animation-dates.png"));
  dialog->reject();

  Sea plain("sample://taylor-green?size=9&steps=3");
  plain.trigger("exportAnimation");
  dialog = plain.child<ui::AnimationDialog>("animation");
  QVERIFY(dialog);
  first = dialog->findChild<QLabel*>("firstDate");
  QVERIFY(!first->isVisible() && first->text().isEmpty());
  dialog->reject();
}

void TestDatesShown::particlesAreLetGoAtDates() {
  for (const bool dated : {true, false}) {
    Sea studio(dated ? nullptr : "sample://taylor-green?size=9&steps=3");
    session::Object object = app::newPathlines(*studio.model.stage().summary(dated ? "sea" : "taylor-green"));
    object.data = dated ? "sea" : "taylor-green";
    std::get<session::Pathlines>(object.shape).release = session::ReleaseSteps{{0, -1}, 1};
    const app::ObjectId id = studio.model.document().addObject(object);
    studio.window.pipeline().select(id);
    const auto text = [&]() -> QString {
      const auto* const field = studio.child<QWidget>("field.release.dates");
      return field ? field->findChild<QLabel*>()->text() : QString();
    };
    const auto choose = [&](const session::Release& release) {
      studio.model.document().edit("Release", [&](app::Draft& draft) {
        std::get<session::Pathlines>(draft.object(id).shape).release = release;
      });
    };
    const QString all = "2001-01-01 00:00 … 2001-01-03 00:00";
    QCOMPARE(text(), dated ? all : QString());
    choose(session::ReleaseSteps{{1, 1}, 1});
    QCOMPARE(text(), dated ? QString("2001-01-02 00:00") : QString());
    choose(session::ReleaseTimes{0.5, 2, 0.25});
    auto* const release = studio.child<QComboBox>("release");
    QVERIFY(release);
    QCOMPARE(release->currentText(),
             dated ? QString("From 2001-01-01 12:00 to 2001-01-03 00:00, every 0.25 days")
                   : QString("From 0.5 to 2, every 0.25"));
  }
}

/// Where several data are open, and not all of them are at the time that stands beside the slider.
void TestDatesShown::otherTimesAreSaid() {
  Sea studio;
  auto* const others = studio.child<QLabel>("time.others");
  QVERIFY(!others->isVisible());
  studio.model.open({"sample://taylor-green?size=9&steps=5"});
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.stage().steps(), std::int64_t{5}, kPatienceMs);
  studio.model.stage().setStep(4);
  QVERIFY(others->isVisible());
  QCOMPARE(others->text(), QString("sea: 2001-01-03 00:00"));
  QCOMPARE(others->accessibleDescription(), QString("sea: step 2, its last, 2001-01-03 00:00"));
  const auto* const now = studio.child<QLabel>("time.now");
  QVERIFY2(now->toolTip().contains("sea: step 2, its last"), qPrintable(now->toolTip()));
  studio.window.resize(1024, 700);
  QTRY_VERIFY_WITH_TIMEOUT(studio.window.width() <= 1024, kPatienceMs);
  QVERIFY(others->width() >= others->fontMetrics().horizontalAdvance("…"));
  studio.model.stage().setStep(1);
  QCOMPARE(others->accessibleDescription(), QString("sea: step 1, 2001-01-02 00:00"));
  if (const QString where = qEnvironmentVariable("FARFIELD_SCREENSHOTS"); !where.isEmpty())
    QVERIFY(studio.window.grab().save(where + "/other-times.png"));
}

/// Not those of the data with the most steps, which the window steps through.
void TestDatesShown::curvesHaveTheTimesOfTheirData() {
  Sea studio;
  studio.model.open({"sample://taylor-green?size=9&steps=2"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.model.stage().summary("taylor-green"), kPatienceMs);
  const std::vector<double> times = studio.model.stage().summary("taylor-green")->description.times;
  QVERIFY(times.size() == 2 && studio.model.stage().steps() == 3);
  studio.model.stage().setStep(2);
  studio.trigger("plotTime");
  auto* const panel = studio.window.findChild<ui::PlotPanel*>();
  const auto choose = [&](const char* name) {
    auto* const data = panel->findChild<QComboBox*>("plot.data");
    data->setFocus();
    QTest::keyClick(data, Qt::Key_Home);
    if (data->currentText() != name) QTest::keyClick(data, Qt::Key_End);
    QCOMPARE(data->currentText(), QString(name));
  };
  choose("sea");
  QTRY_COMPARE_WITH_TIMEOUT(panel->curve().curve().said.size(), std::size_t(3), kPatienceMs);
  choose("taylor-green");
  QTRY_COMPARE_WITH_TIMEOUT(panel->curve().curve().values.size(), std::size_t(2), kPatienceMs);
  const ui::Curve curve = panel->curve().curve();
  QVERIFY(curve.said.empty());
  QCOMPARE(curve.places, times);
  QCOMPARE(curve.ends, (std::array{times.front(), times.back()}));
  // They stay at their last step.
  QCOMPARE(curve.marked.value_or(-1), times.back());
  studio.model.stage().setStep(0);
  QTRY_COMPARE_WITH_TIMEOUT(panel->curve().curve().marked.value_or(-1), times.front(), kPatienceMs);
}

/// A known unit without a date is no bare number, also of data that stand beside others.
void TestDatesShown::timesWithoutDatesHaveTheirUnits() {
  Sea studio("sample://taylor-green?size=9&steps=2");
  auto* const now = studio.child<QLabel>("time.now");
  QCOMPARE(now->text(), QString("t = 0"));
  writeSea(studio.folder / "model", "second");
  studio.model.openData({{QString::fromStdString((studio.folder / "model").string()), {}}});
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.stage().steps(), std::int64_t{3}, kPatienceMs);
  studio.model.stage().setStep(2);
  QTRY_COMPARE_WITH_TIMEOUT(now->text(), QString("t = 2 second"), kPatienceMs);
  QVERIFY(now->width() >= now->sizeHint().width());
  // At the last step of these, others go on.
  studio.model.open({"sample://taylor-green?size=9&steps=7"});
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.stage().steps(), std::int64_t{7}, kPatienceMs);
  studio.model.stage().setStep(5);
  auto* const others = studio.child<QLabel>("time.others");
  QTRY_VERIFY_WITH_TIMEOUT(others->accessibleDescription().contains("model: step 2, its last, t = 2 second"),
                           kPatienceMs);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestDatesShown test;
  return QTest::qExec(&test, count, words);
}
#include "tst_dates_shown.moc"
