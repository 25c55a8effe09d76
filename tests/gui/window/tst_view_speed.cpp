// How much slower the view turns while lines are computed. Prints a line of JSON with what was measured, and
// fails only where nothing could be. FARFIELD_VIEW_SECONDS is how long each part takes (2),
// FARFIELD_VIEW_DATA names data of one's own ("grid.xyz;solution.q"), FARFIELD_VIEW_BUDGET the budget in MiB.
#include <QJsonDocument>
#include <QJsonObject>
#include <cstdlib>

#include "core/base/machine.h"
#include "render/view/camera_moves.h"
#include "tests/gui/window/studio.h"

using namespace farfield;
using namespace farfield::test;

namespace {

double loadAverage() {
  double load = 0;
  return ::getloadavg(&load, 1) == 1 ? load : -1;
}

}  // namespace

class TestViewSpeed : public QObject {
  Q_OBJECT
 private slots:
  void turningWhileComputing();

 private:
  /// Turns the view as fast as pictures come, and says how long each took from the wish to the window.
  static QJsonObject turn(Studio& studio, int seconds);
};

QJsonObject TestViewSpeed::turn(Studio& studio, int seconds) {
  qt3d::Viewport& view = studio.window.viewport();
  std::vector<double> waits, drawing;
  QElapsedTimer asked, whole;
  const auto next = [&] {
    asked.start();
    view.setCamera(view::rotated(view.camera(), 0.03, 0));
  };
  const auto connection = QObject::connect(&view, &qt3d::Viewport::frameDrawn, &view, [&](double ms) {
    waits.push_back(1e-6 * double(asked.nsecsElapsed()));
    drawing.push_back(ms);
    next();
  });
  app::Watchdog& watchdog = studio.model.watchdog();
  watchdog.start();
  watchdog.reset();
  whole.start();
  next();
  QTest::qWait(1000 * seconds);
  QObject::disconnect(connection);
  const app::Watchdog::Report stalls = watchdog.report();
  watchdog.stop();
  const auto of = [](std::vector<double> values, double share) {
    if (values.empty()) return 0.0;
    std::sort(values.begin(), values.end());
    return values[std::min(values.size() - 1, std::size_t(share * double(values.size())))];
  };
  return {{"pictures", int(waits.size())},
          {"picturesPerSecond", double(waits.size()) / (1e-3 * double(whole.elapsed()))},
          {"medianMs", of(waits, 0.5)},
          {"p95Ms", of(waits, 0.95)},
          {"medianDrawingMs", of(drawing, 0.5)},
          {"stallP999Ms", stalls.p999Ms},
          {"stallWorstMs", stalls.worstMs}};
}

void TestViewSpeed::turningWhileComputing() {
  const int seconds = qEnvironmentVariable("FARFIELD_VIEW_SECONDS", "2").toInt();
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  if (const int budget = qEnvironmentVariableIntValue("FARFIELD_VIEW_BUDGET"))
    studio.model.setMemoryBytes(std::uint64_t(budget) << 20);
  studio.model.open(qEnvironmentVariable("FARFIELD_VIEW_DATA", "sample://cylinder").split(';'));
  QTRY_VERIFY_WITH_TIMEOUT(studio.session().objects.size() >= 2, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  if (studio.picture().isNull()) QSKIP("no OpenGL on this display");
  QTest::qWait(1500);
  const double loadBefore = loadAverage();
  turn(studio, 1);  // the view finds out how much detail it can move with
  const QJsonObject idle = turn(studio, seconds);

  // Lines that take much longer than this, and are not drawn: what is drawn is the same in both parts.
  studio.trigger("addStreamlines");
  const app::ObjectId id = studio.newest();
  session::Object object = *studio.model.document().object(id);
  object.opacity = 0;
  auto& lines = std::get<session::Streamlines>(object.shape);
  lines.integrator.maxLength.reset();
  lines.integrator.maxSteps = 100'000'000;
  lines.integrator.method = session::IntegratorMethod::Rk4;
  lines.integrator.stepCells = 0.05;
  std::get<session::LineSeeds>(lines.seeds).count = 50'000;
  studio.model.document().setObject(id, object, "Many");
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Running, kPatienceMs);
  turn(studio, 1);
  const QJsonObject busy = turn(studio, seconds);
  const bool wasBusy = studio.stateOf(id) == app::ObjectState::Running;
  studio.model.stage().cancelAll();

  const QJsonObject result{
      {"idle", idle},
      {"computing", busy},
      {"ratio", busy["medianMs"].toDouble() / std::max(1e-9, idle["medianMs"].toDouble())},
      {"computedThroughout", wasBusy},
      {"loadBefore", loadBefore},
      {"loadAfter", loadAverage()},
      {"processors", availableProcessors()}};
  std::printf("%s\n", QJsonDocument(result).toJson(QJsonDocument::Compact).constData());
  std::fflush(stdout);
  QVERIFY(idle["pictures"].toInt() > 2);
  QVERIFY(busy["pictures"].toInt() > 2);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestViewSpeed test;
  return QTest::qExec(&test, count, words);
}
#include "tst_view_speed.moc"
