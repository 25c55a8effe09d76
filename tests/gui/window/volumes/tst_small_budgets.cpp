// Volumes under budgets that are small for them: the one that is said to be enough is, in one step, and until then the pipeline has
// a mark and the properties say why. Needs a display with OpenGL; skips where there is none.

#include <QLabel>
#include <QRegularExpression>
#include <QStandardPaths>

#include "app/model/object_tree.h"
#include "app/volume_maker.h"
#include "tests/gui/window/support/studio.h"
#include "tests/gui/window/support/volume_sight.h"

using namespace farfield;
using namespace farfield::test;

namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

/// The mark that an object has in the pipeline says so.
QString markOf(Studio& studio, app::ObjectId id) {
  return studio.model.tree().indexOf(id).data(app::ObjectTree::ProblemRole).toString();
}

/// What the properties say of the object that is selected.
QString noteIn(Studio& studio) {
  const auto* const note = studio.child<QLabel>("properties.note");
  return note->isVisible() ? note->text() : QString();
}

void select(Studio& studio, app::ObjectId id) {
  studio.window.findChild<ui::PipelinePanel*>()->select(id);
}

/// MiB; 0 where none is said.
std::uint64_t enoughIn(const QString& text) {
  static const QRegularExpression kEnough("make the memory budget at least (\\d+) MiB");
  return kEnough.match(text).captured(1).toULongLong();
}

/// A volume that takes 200 MiB for each picture.
class HungryVolume final : public session::CastVolume {
 public:
  HungryVolume(std::shared_ptr<session::CastVolume> volume, MemoryAccount& account)
      : m_volume(std::move(volume)), m_account(account) {}
  Bounds bounds() const override { return m_volume->bounds(); }
  bool cast(const scene::VolumeCast& cast, std::span<float> rgba) const override {
    const MemoryClaim claim = m_account.claim(Purpose::Work, 200 * kMiB, "the picture of the volume");
    return m_volume->cast(cast, rgba);
  }
  std::shared_ptr<const scene::VolumeHistogram> histogram() const override { return m_volume->histogram(); }
  std::array<double, 2> valueRange() override { return m_volume->valueRange(); }
  std::vector<scene::OpacityPoint> usualOpacity(std::array<double, 2> range) override {
    return m_volume->usualOpacity(range);
  }
  session::VolumeCounts counts() const override { return m_volume->counts(); }

 private:
  const std::shared_ptr<session::CastVolume> m_volume;
  MemoryAccount& m_account;
};

}  // namespace

class TestSmallBudgets : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void whatIsSaidToBeEnoughIs_data();
  void whatIsSaidToBeEnoughIs();
  void whatIsNotDrawnHasAMark();
};

void TestSmallBudgets::initTestCase() {
  skipWithoutOpenGl();
}

void TestSmallBudgets::whatIsSaidToBeEnoughIs_data() {
  QTest::addColumn<int>("mebibytes");
  for (const int mebibytes : {16, 21, 40, 90}) QTest::addRow("%d MiB", mebibytes) << mebibytes;
}

void TestSmallBudgets::whatIsSaidToBeEnoughIs() {
  QFETCH(int, mebibytes);
  Studio studio({1600, 1200}, {}, app::volumeMaker({}));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  const app::ObjectId id = addVolume(studio, "sample://marschner-lobb?size=129");
  if (QTest::currentTestFailed()) return;
  studio.trigger("addIsosurface");
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  const auto isDrawn = [&] {
    return studio.viewRests() && markOf(studio, id).isEmpty() && sightOf(studio).startsWith("complete");
  };
  const auto isRefused = [&] { return studio.viewRests() && !markOf(studio, id).isEmpty(); };
  const auto setBudget = [&](std::uint64_t bytes) {
    studio.model.setMemoryBytes(bytes);
    [&] { QTRY_COMPARE_WITH_TIMEOUT(studio.model.engine().counters().budgetBytes, bytes, kPatienceMs); }();
    // Seen from elsewhere, so that all of it is drawn with what there is now.
    const QSize view = studio.window.viewport().size();
    studio.drag({view.width() / 2, 20}, {view.width() / 2 + 40, 30});
  };
  select(studio, id);
  setBudget(static_cast<std::uint64_t>(mebibytes) * kMiB);
  QTRY_VERIFY_WITH_TIMEOUT(isDrawn() || isRefused(), kPatienceMs);
  // A picture waits until all of it is cast.
  const auto coloured = [&] { return colouredPixels(studio.picture(), studio.window.viewport().rect()); };
  const int seen = coloured();
  QTRY_VERIFY_WITH_TIMEOUT(isDrawn() || isRefused(), kPatienceMs);
  if (isDrawn()) {
    QVERIFY2(seen > 3000, qPrintable(QString::number(seen)));
    return;
  }
  const std::uint64_t enough = enoughIn(markOf(studio, id));
  QVERIFY2(enough > static_cast<std::uint64_t>(mebibytes) && enough % 10 == 0,
           qPrintable(markOf(studio, id)));
  setBudget(enough * kMiB);
  QTRY_VERIFY2_WITH_TIMEOUT(isDrawn() && coloured() > 3000 && isDrawn(), qPrintable(markOf(studio, id)),
                            kPatienceMs);
}

/// As long as it is not drawn: also when the view is turned, or what else is there is computed.
void TestSmallBudgets::whatIsNotDrawnHasAMark() {
  const session::VolumeMaker maker = [make = app::volumeMaker({})](const session::VolumeRequest& request) {
    return std::make_shared<HungryVolume>(make(request), request.account);
  };
  Studio studio({1280, 800}, {}, maker);
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  const app::ObjectId id = addVolume(studio, "sample://marschner-lobb?size=33");
  if (QTest::currentTestFailed()) return;
  select(studio, id);
  QVERIFY(markOf(studio, id).isEmpty() && noteIn(studio).isEmpty());
  studio.model.setMemoryBytes(64 * kMiB);
  const QSize view = studio.window.viewport().size();
  const auto isMarked = [&] {
    const QString mark = markOf(studio, id);
    return studio.viewRests() && mark.startsWith("the picture of the volume needs 200.0 MiB, and ") &&
           enoughIn(mark) > 200;
  };
  for (int turn = 0; turn < 2; ++turn) {
    studio.drag({view.width() / 2, 20}, {view.width() / 2 + 40, 30});
    QTRY_VERIFY2_WITH_TIMEOUT(isMarked(), qPrintable(markOf(studio, id)), kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(noteIn(studio), markOf(studio, id), kPatienceMs);
  }
  studio.trigger("addSlice");
  QTRY_VERIFY_WITH_TIMEOUT(isMarked(), kPatienceMs);
  select(studio, id);
  QTRY_COMPARE_WITH_TIMEOUT(noteIn(studio), markOf(studio, id), kPatienceMs);
  keep(studio, "volume-not-drawn");

  studio.model.setMemoryBytes(enoughIn(markOf(studio, id)) * kMiB);
  QTRY_VERIFY_WITH_TIMEOUT(markOf(studio, id).isEmpty() && noteIn(studio).isEmpty(), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests() && sightOf(studio).startsWith("complete"), kPatienceMs);

  // What is hidden has none.
  studio.model.setMemoryBytes(64 * kMiB);
  QTRY_VERIFY_WITH_TIMEOUT(isMarked(), kPatienceMs);
  studio.model.document().edit("Hide", [&](app::Draft& draft) { draft.object(id).visible = false; });
  QTRY_VERIFY_WITH_TIMEOUT(markOf(studio, id).isEmpty() && noteIn(studio).isEmpty(), kPatienceMs);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QStandardPaths::setTestModeEnabled(true);
  QApplication application(count, words);
  TestSmallBudgets test;
  return QTest::qExec(&test, count, words);
}

#include "tst_small_budgets.moc"
