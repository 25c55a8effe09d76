// Pathlines and streaklines in the window: offered where data change in time, computed up to the step that is shown, let
// go at other times. Needs a display with OpenGL; skips where there is none.

#include <QComboBox>
#include <QLabel>
#include <QStandardPaths>

#include "app/model/document/line_shapes.h"
#include "app/ui/widgets/message_list.h"
#include "core/session/json/session_json.h"
#include "tests/gui/window/support/studio.h"

using namespace farfield;
using namespace farfield::test;

class TestParticlesWindow : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void offeredWhereDataChange();
  void followTheStep();
  void seedsOutsideAreCountedOnce();
  void whatTheySayIsNoProblem();
  void streaklinesOfOneParticleAreSaid();
};

void TestParticlesWindow::initTestCase() {
  skipWithoutOpenGl();
}

void TestParticlesWindow::offeredWhereDataChange() {
  Studio studio;
  studio.model.open({"sample://abc?size=9"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  QVERIFY(!studio.action("addPathlines")->isEnabled() && !studio.action("addStreaklines")->isEnabled());
  QVERIFY(studio.action("addStreamlines")->isEnabled());
  studio.model.open({"sample://taylor-green?size=9&steps=3"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().data.size() == 2, kPatienceMs);
  QVERIFY(studio.action("addPathlines")->isEnabled() && studio.action("addStreaklines")->isEnabled());
}

void TestParticlesWindow::followTheStep() {
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://cylinder?size=33,33,9&blocks=4&steps=6"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() == 2, kPatienceMs);
  studio.model.document().edit("Remove", [&](app::Draft& draft) { draft.remove(studio.newest()); });
  for (const char* const name : {"addPathlines", "addStreaklines"}) {
    studio.model.stage().setStep(0);
    studio.trigger(name);
    const app::ObjectId id = studio.newest();
    QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
    const std::uint64_t before = studio.model.stage().status(id).stats.points;
    // Where nothing is seen yet it is said why.
    studio.window.pipeline().select(id);
    const auto* const note = studio.child<QLabel>("properties.note");
    QTRY_VERIFY2_WITH_TIMEOUT(note->text().contains("begin at this step"), qPrintable(note->text()),
                              kPatienceMs);
    // Nor is it an error that they are let go later.
    const auto letGoAt = [&](std::int64_t step) {
      studio.model.document().edit("Release", [&](app::Draft& draft) {
        std::visit(
            [&](auto& shape) {
              if constexpr (requires { shape.release; }) {
                shape.release = {};
                if (step >= 0) shape.release = session::ReleaseSteps{{step, step}, 1};
              }
            },
            draft.object(id).shape);
      });
    };
    const auto messages = [&] { return studio.window.findChild<ui::MessageList*>()->count(); };
    const int told = messages();
    letGoAt(3);
    QTRY_VERIFY2_WITH_TIMEOUT(note->text().contains("Go on in time"), qPrintable(note->text()), kPatienceMs);
    QCOMPARE(messages(), told);
    letGoAt(-1);
    studio.model.stage().setStep(5);
    QTRY_VERIFY_WITH_TIMEOUT(studio.stateOf(id) == app::ObjectState::Done &&
                                 studio.model.stage().status(id).stats.points > before + 24,
                             kPatienceMs);
    QTRY_VERIFY2_WITH_TIMEOUT(!note->text().contains("begin at this step"), qPrintable(note->text()),
                              kPatienceMs);
    // Let go once instead of at every step, or at every step instead of once.
    const std::uint64_t count = studio.model.stage().status(id).stats.points;
    studio.model.document().edit("Release", [&](app::Draft& draft) {
      std::visit(
          [&](auto& shape) {
            if constexpr (requires { shape.release; })
              shape.release = session::ReleaseSteps{{0, name == std::string("addPathlines") ? -1 : 0}, 1};
          },
          draft.object(id).shape);
    });
    QTRY_VERIFY_WITH_TIMEOUT(
        studio.stateOf(id) == app::ObjectState::Done && studio.model.stage().status(id).stats.points != count,
        kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
    // The flow as a smooth curve in time.
    auto* const between = studio.child<QComboBox>("interpolation");
    QVERIFY(between);
    between->setCurrentIndex(between->findData("cubic"));
    emit between->activated(between->currentIndex());
    QVERIFY(session::toJson(studio.session()).find("\"interpolation\": \"cubic\"") != std::string::npos);
    QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
    // For the guide.
    if (const QString folder = qEnvironmentVariable("FARFIELD_SCREENSHOTS"); !folder.isEmpty())
      QVERIFY(studio.window.grab()
                  .toImage()
                  .convertToFormat(QImage::Format_RGB32)
                  .save(folder + "/" + name + ".png"));
  }
}

/// However many particles each of them lets go.
void TestParticlesWindow::seedsOutsideAreCountedOnce() {
  Studio studio;
  studio.model.open({"sample://taylor-green?size=9&steps=4"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("addPathlines");
  const app::ObjectId id = studio.newest();
  studio.model.document().edit("Seeds", [&](app::Draft& draft) {
    auto& paths = std::get<session::Pathlines>(draft.object(id).shape);
    paths.seeds = session::LineSeeds{{1, 1, 1}, {1, 1, 40}, 4};
    paths.release = session::ReleaseSteps{{0, -1}, 1};
  });
  studio.window.pipeline().select(id);
  const auto* const note = studio.child<QLabel>("properties.note");
  for (const int step : {0, 3}) {
    studio.model.stage().setStep(step);
    QTRY_VERIFY_WITH_TIMEOUT(studio.stateOf(id) == app::ObjectState::Done, kPatienceMs);
    QTRY_VERIFY2_WITH_TIMEOUT(note->text().startsWith("3 of 4 seeds"), qPrintable(note->text()), kPatienceMs);
  }
}

/// Where nothing has moved yet, and where some seeds lie outside, that is said, and nothing is wrong; where all do, it is.
void TestParticlesWindow::whatTheySayIsNoProblem() {
  Studio studio;
  studio.model.open({"sample://cylinder?size=33,33,9&blocks=4&steps=4"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() == 2, kPatienceMs);
  studio.model.document().edit("Remove", [&](app::Draft& draft) { draft.remove(studio.newest()); });
  auto* const messages = studio.window.findChild<ui::MessageList*>();
  const auto note = [&] { return studio.child<QLabel>("properties.note")->text(); };
  const QString outside("2 of 4 seeds lie outside the data, and have no lines.");
  for (const char* const name : {"addPathlines", "addStreaklines"}) {
    studio.model.stage().setStep(0);
    studio.trigger(name);
    const app::ObjectId id = studio.newest();
    studio.window.pipeline().select(id);
    const QString object = QString::fromStdString(studio.model.document().object(id)->name);
    const auto isDone = [&] { return studio.stateOf(id) == app::ObjectState::Done && studio.rests(); };
    QTRY_VERIFY_WITH_TIMEOUT(isDone() && note().contains("begin at this step"), kPatienceMs);
    // The first and the last of four seeds lie beside the data.
    const Bounds bounds = studio.model.stage().summary("cylinder")->bounds;
    studio.model.document().edit("Seeds", [&](app::Draft& draft) {
      const double x = bounds.min.x + 0.25 * (bounds.max.x - bounds.min.x), z = bounds.center().z;
      std::vector<Vec3> points;
      for (const double part : {-0.5, 0.3, 0.7, 1.5})
        points.push_back({x, bounds.min.y + part * (bounds.max.y - bounds.min.y), z});
      *app::seedsIn(draft.object(id)) = session::PointSeeds{points};
    });
    studio.model.stage().setStep(2);
    QTRY_VERIFY2_WITH_TIMEOUT(isDone() && note() == outside, qPrintable(note()), kPatienceMs);
    // Let go more than once they are as many seeds.
    studio.model.document().edit("Release", [&](app::Draft& draft) {
      *app::releaseIn(draft.object(id)) = session::ReleaseSteps{{0, -1}, 1};
    });
    QTRY_VERIFY2_WITH_TIMEOUT(isDone() && note() == outside, qPrintable(note()), kPatienceMs);
    QVERIFY2(!messages->allText().contains(object + ": "), qPrintable(messages->allText()));
    studio.model.document().edit("Seeds", [&](app::Draft& draft) {
      *app::seedsIn(draft.object(id)) = session::PointSeeds{{bounds.max + Vec3{9, 9, 9}}};
    });
    QTRY_VERIFY2_WITH_TIMEOUT(isDone() && note().startsWith("No lines: none of the seeds"),
                              qPrintable(note()), kPatienceMs);
    QVERIFY2(messages->allText().contains(object + ": No lines"), qPrintable(messages->allText()));
  }
}

/// A line joins the particles of a seed: of one there is none, which would look as if nothing had been computed.
void TestParticlesWindow::streaklinesOfOneParticleAreSaid() {
  Studio studio;
  studio.model.open({"sample://cylinder?size=33,33,9&blocks=4&steps=4"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("addStreaklines");
  const app::ObjectId id = studio.newest();
  const auto change = [&](auto edit) {
    studio.model.document().edit(
        "Streaks", [&](app::Draft& draft) { edit(std::get<session::Streaklines>(draft.object(id).shape)); });
  };
  change([](session::Streaklines& lines) { lines.release = session::ReleaseSteps{{1, 1}, 1}; });
  studio.model.stage().setStep(3);
  studio.window.pipeline().select(id);
  const auto* const note = studio.child<QLabel>("properties.note");
  QTRY_VERIFY2_WITH_TIMEOUT(
      note->text().contains("Particles alone") && studio.stateOf(id) == app::ObjectState::Done,
      qPrintable(note->text()), kPatienceMs);
  change([](session::Streaklines& lines) { lines.asPoints = true; });
  QTRY_VERIFY2_WITH_TIMEOUT(
      !note->text().contains("Particles alone") && studio.stateOf(id) == app::ObjectState::Done,
      qPrintable(note->text()), kPatienceMs);
  change([](session::Streaklines& lines) {
    lines.asPoints = false;
    lines.release = session::ReleaseSteps{{0, 2}, 1};
  });
  QTRY_VERIFY_WITH_TIMEOUT(
      studio.rests() && studio.stateOf(id) == app::ObjectState::Done && note->text().isEmpty(), kPatienceMs);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestParticlesWindow test;
  return QTest::qExec(&test, count, words);
}
#include "tst_particles_window.moc"
