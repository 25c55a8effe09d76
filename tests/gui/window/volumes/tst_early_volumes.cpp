// What is seen of large volumes, and of those on grids that are sampled, before all of their values are known. Needs a display
// with OpenGL; skips where there is none.

#include <QElapsedTimer>
#include <QLabel>
#include <QScopeGuard>
#include <QStandardPaths>
#include <QThread>
#include <atomic>

#include "app/model/object_tree.h"
#include "app/ui/dialogs/animation_dialog.h"
#include "app/ui/widgets/message_list.h"
#include "app/volume_maker.h"
#include "core/base/error.h"
#include "core/session/run/volumes/surveyed_volume.h"
#include "tests/gui/window/support/studio.h"
#include "tests/gui/window/support/volume_sight.h"
#include "tests/gui/window/support/written_files.h"

using namespace farfield;
using namespace farfield::test;

namespace {

/// As the program makes them, but what values there are is found out when the test lets it be.
struct HeldSurveys {
  std::atomic<bool> isHeld{true};
  std::atomic<int> begun{0};

  class Volume final : public session::CastVolume, public session::SurveyedVolume {
   public:
    Volume(std::shared_ptr<session::CastVolume> volume, HeldSurveys& held)
        : m_volume(std::move(volume)), m_held(held) {}
    Bounds bounds() const override { return m_volume->bounds(); }
    bool cast(const scene::VolumeCast& cast, std::span<float> rgba) const override {
      return m_volume->cast(cast, rgba);
    }
    std::shared_ptr<const scene::VolumeHistogram> histogram() const override { return m_volume->histogram(); }
    std::array<double, 2> valueRange() override { return m_volume->valueRange(); }
    std::vector<scene::OpacityPoint> usualOpacity(std::array<double, 2> range) override {
      return m_volume->usualOpacity(range);
    }
    session::VolumeCounts counts() const override { return m_volume->counts(); }
    bool firstSight() override { return surveyed().firstSight(); }
    void survey(const std::function<void(std::size_t, std::size_t)>& progress,
                const std::stop_token& stop) override {
      ++m_held.begun;
      while (m_held.isHeld) {
        progress(1234, 5000);
        if (stop.stop_requested()) throw Cancelled();
        QThread::msleep(5);
      }
      surveyed().survey(progress, stop);
    }

   private:
    session::SurveyedVolume& surveyed() { return dynamic_cast<session::SurveyedVolume&>(*m_volume); }
    const std::shared_ptr<session::CastVolume> m_volume;
    HeldSurveys& m_held;
  };

  session::VolumeMaker maker() {
    return [this, make = app::volumeMaker({})](const session::VolumeRequest& request) {
      return std::make_shared<Volume>(make(request), *this);
    };
  }
};

/// A curvilinear store, of which a volume alone is shown; 0 where it cannot be opened.
app::ObjectId openAsVolume(Studio& studio) {
  const QString store = studio.at("cylinder.h5");
  if (runFarfield({"sample", "cylinder", "-o", store, "--size", "33,25,17"}).status != 0) return {};
  studio.model.open({store});
  if (!QTest::qWaitFor([&] { return !studio.session().objects.empty() && studio.viewRests(); }, kPatienceMs))
    return {};
  studio.model.document().edit("Remove", [&](app::Draft& draft) {
    for (const app::ObjectId id : studio.model.document().objectIds()) draft.remove(id);
    draft.frame().camera = session::AutoCamera{{0.1, 0.1, 1}, {0, 1, 0}};
  });
  studio.trigger("addVolume");
  const app::ObjectId id = studio.newest();
  studio.model.document().edit("Set", [&](app::Draft& draft) { draft.object(id).color.by = "momentum-x"; });
  return id;
}

}  // namespace

class TestEarlyVolumes : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void hugeDataAreSeenAtOnce();
  void gridsAreSeenBeforeTheyAreSampled();
  void newBudgetsKeepWhatIsSeen_data();
  void newBudgetsKeepWhatIsSeen();
  void turnsGoOnWithNewBudgets();
};

void TestEarlyVolumes::initTestCase() {
  skipWithoutOpenGl();
}

// 256 GiB of a formula: its coarse samples are seen soon, turned and refined within the budget, and the window answers.
void TestEarlyVolumes::hugeDataAreSeenAtOnce() {
  Studio studio({1000, 700}, {}, app::volumeMaker({}));
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://marschner-lobb?size=4096"});
  QTRY_COMPARE_WITH_TIMEOUT(studio.session().objects.size(), 2U, kPatienceMs);
  studio.model.document().edit("Remove", [&](app::Draft& draft) { draft.remove(studio.newest()); });
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  QElapsedTimer sinceAsked;
  sinceAsked.start();
  studio.trigger("addVolume");
  const app::ObjectId id = studio.newest();
  studio.model.document().edit("Set", [&](app::Draft& draft) { draft.object(id).color.by = "density"; });
  qint64 seenMs = 0, worstMs = 0;
  connect(&studio.window.viewport(), &qt3d::Viewport::volumeSeen, this,
          [&](const QString&, const qt3d::VolumeSight& sight) {
            if (seenMs == 0 && sight.shown.strided) seenMs = sinceAsked.elapsed();
          });
  QTimer beat;
  QElapsedTimer sinceBeat;
  sinceBeat.start();
  connect(&beat, &QTimer::timeout, this, [&] { worstMs = std::max(worstMs, sinceBeat.restart()); });
  beat.start(5);
  QTRY_VERIFY_WITH_TIMEOUT(seenMs > 0, kPatienceMs);
  const QSize view = studio.window.viewport().size();
  for (int turn = 0; turn < 5; ++turn) studio.drag({view.width() / 2, 20}, {view.width() / 2 + 30, 30});
  QTRY_VERIFY_WITH_TIMEOUT(sightOf(studio).contains("single samples"), kPatienceMs);
  qInfo("first seen after %lld ms, the window's worst %lld ms", static_cast<long long>(seenMs),
        static_cast<long long>(worstMs));
  // Also in a view that no picture has been drawn of yet.
  for (const int turned : {0, 30}) {
    if (turned > 0) studio.drag({view.width() / 2, 20}, {view.width() / 2 + turned, 30});
    studio.window.viewport().stopRefining();
    QTRY_VERIFY2_WITH_TIMEOUT(sightOf(studio).startsWith("stopped"), qPrintable(sightOf(studio)),
                              kPatienceMs);
  }
  QVERIFY(studio.model.engine().counters().peakBytes <= studio.model.engine().counters().budgetBytes);
}

/// Of a curvilinear store: something is seen, and it is said what is being read, until its values are known.
void TestEarlyVolumes::gridsAreSeenBeforeTheyAreSampled() {
  HeldSurveys surveys;
  Studio studio({1280, 800}, {}, surveys.maker());
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  const app::ObjectId id = openAsVolume(studio);
  const auto status = [&] { return studio.model.stage().status(id); };
  QTRY_VERIFY_WITH_TIMEOUT(status().hasPicture && status().allSamples == 5000, kPatienceMs);
  QCOMPARE(status().state, app::ObjectState::Running);
  QVERIFY(status().coarse && !status().complete);
  const QString text = app::stateText(status());
  QVERIFY2(text.contains(QString("%L1 of %L2 places").arg(1234).arg(5000)) && text.contains("24 %"),
           qPrintable(text));
  const QSize view = studio.window.viewport().size();
  const QRect central(view.width() / 3, view.height() / 3, view.width() / 3, view.height() / 3);
  QTRY_VERIFY_WITH_TIMEOUT(sightOf(studio).contains("first sight"), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(colouredPixels(studio.picture(), central) > 1000, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QLabel>("properties.note")->text().contains("places, 24 %"),
                           kPatienceMs);
  keep(studio, "volume-first-sight");

  // What shows the same function has the same scale, then and in the end.
  studio.trigger("addSlice");
  const app::ObjectId slice = studio.newest();
  studio.model.document().edit("Set",
                               [&](app::Draft& draft) { draft.object(slice).color.by = "momentum-x"; });
  const auto haveOneScale = [&] {
    const app::ObjectStatus other = studio.model.stage().status(slice);
    return other.state == app::ObjectState::Done && other.scale.title == "momentum-x" &&
           other.shownRange == status().shownRange;
  };
  QTRY_VERIFY_WITH_TIMEOUT(haveOneScale(), kPatienceMs);
  QCOMPARE(status().state, app::ObjectState::Running);

  // Whoever does not want to wait keeps that; and goes on.
  studio.trigger("cancel");
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Cancelled, kPatienceMs);
  QVERIFY(status().hasPicture);
  surveys.isHeld = false;
  studio.window.pipeline().select(id);
  studio.model.stage().recompute(id);
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  QVERIFY(status().complete && !status().coarse);
  QVERIFY(haveOneScale());
  QTRY_VERIFY_WITH_TIMEOUT(sightOf(studio).startsWith("complete, "), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(colouredPixels(studio.picture(), central) > 1000, kPatienceMs);
}

void TestEarlyVolumes::newBudgetsKeepWhatIsSeen_data() {
  QTest::addColumn<int>("before");
  QTest::addColumn<int>("after");
  QTest::newRow("less") << 1024 << 512;
  QTest::newRow("more") << 512 << 1024;
  QTest::newRow("little more") << 200 << 210;
  QTest::newRow("more for several at a time") << 80 << 400;
}

/// What was begun with another budget goes on: it begins anew only where it has to give memory back.
void TestEarlyVolumes::newBudgetsKeepWhatIsSeen() {
  QFETCH(int, before);
  QFETCH(int, after);
  HeldSurveys surveys;
  Studio studio({1280, 800}, {}, surveys.maker());
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.setMemoryBytes(std::uint64_t(before) << 20);
  const app::ObjectId id = openAsVolume(studio);
  const auto status = [&] { return studio.model.stage().status(id); };
  QTRY_VERIFY_WITH_TIMEOUT(status().hasPicture && status().allSamples == 5000, kPatienceMs);
  QTest::qWait(500);  // what was asked for first has given way to what is asked for now
  const int begun = surveys.begun;
  studio.model.setMemoryBytes(std::uint64_t(after) << 20);
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.engine().counters().budgetBytes, std::uint64_t(after) << 20,
                            kPatienceMs);
  QTest::qWait(1000);  // would be enough to begin anew
  QCOMPARE(surveys.begun.load(), begun);
  QVERIFY(status().hasPicture && status().coarse);
  surveys.isHeld = false;
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  QCOMPARE(surveys.begun.load(), begun);
  QTRY_VERIFY_WITH_TIMEOUT(sightOf(studio).startsWith("complete, "), kPatienceMs);
  // And what is there stays; a budget in which one object at a time is computed may be too small for it.
  if (before < 96) return;
  studio.model.setMemoryBytes(std::uint64_t(before) << 20);
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.engine().counters().budgetBytes, std::uint64_t(before) << 20,
                            kPatienceMs);
  QTest::qWait(1000);
  QCOMPARE(surveys.begun.load(), begun);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests() && sightOf(studio).startsWith("complete, "), kPatienceMs);
  QVERIFY(studio.model.engine().counters().peakBytes <= std::uint64_t(std::max(before, after)) << 20);
}

/// Also where memory is shared out anew in the middle of a picture: those before stay, and no other is left out.
void TestEarlyVolumes::turnsGoOnWithNewBudgets() {
  std::atomic<int> drawn{0}, again{0};
  std::atomic<bool> isHeld{true};
  Studio studio({1280, 800}, {}, app::volumeMaker({}), nullptr, [&](app::AppParts& parts) {
    parts.drawImage = [&, draw = parts.drawImage](const scene::Scene& scene, std::array<int, 2> size,
                                                  const std::filesystem::path& path) mutable {
      // The second picture takes until it is stopped.
      if (path.string().find("_turn_") != std::string::npos && ++drawn == 2)
        for (; isHeld; ++again) draw(scene, size, path);
      draw(scene, size, path);
    };
  });
  const auto endsSo = qScopeGuard([&] { isHeld = false; });
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  const app::ObjectId id = addVolume(studio, "sample://marschner-lobb?size=25", "viridis");
  QVERIFY(QDir().mkpath(studio.at("turn")));
  studio.window.exportAnimationTo(studio.at("turn"), shortTurn(4));
  QTRY_VERIFY_WITH_TIMEOUT(again > 0, kPatienceMs);
  studio.model.setMemoryBytes(std::uint64_t{64} << 20);
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QDialog>("animationJob"), kPatienceMs);
  QCOMPARE(drawn.load(), 5);  // the second once more
  const QString said = studio.window.findChild<ui::MessageList*>()->allText();
  QVERIFY2(said.contains("Wrote 4 pictures") && !said.contains("ancelled"), qPrintable(said));
  const QStringList files = QDir(studio.at("turn")).entryList({"*.png"}, QDir::Files, QDir::Name);
  QCOMPARE(files.size(), 4);
  for (const QString& file : files) {
    const QImage picture(studio.at("turn") + '/' + file);
    QVERIFY(colouredPixels(picture, picture.rect()) > 100);
  }
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestEarlyVolumes test;
  return QTest::qExec(&test, count, words);
}
#include "tst_early_volumes.moc"
