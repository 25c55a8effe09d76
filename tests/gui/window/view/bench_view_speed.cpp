// How much slower the view turns while lines are computed: prints a line of JSON. No test: it asserts nothing,
// and is run by hand (docs/benchmarks/window.md). The view draws both parts in one detail, which it would choose
// otherwise: FARFIELD_VIEW_DETAIL (1: all lines and pixels without smooth edges; see DetailControl). Idle and
// computing take turns, FARFIELD_VIEW_TURNS of each (3), of FARFIELD_VIEW_SECONDS (2), so that what else the
// machine does falls on both. FARFIELD_VIEW_DATA names data of one's own ("grid.xyz;solution.q"),
// FARFIELD_VIEW_BUDGET the budget in MiB, FARFIELD_VIEW_COUNT how many views (2 or 4) turn together, of which the first is measured;
// a detail of -1 leaves it to each view.
#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>
#include <cstdlib>

#include "core/base/machine.h"
#include "render/view/camera_moves.h"
#include "tests/gui/window/support/studio.h"

using namespace farfield;
using namespace farfield::test;

namespace {

double loadAverage() {
  double load = 0;
  return ::getloadavg(&load, 1) == 1 ? load : -1;
}

int fromEnvironment(const char* name, int usual) {
  bool good = false;
  const int value = qEnvironmentVariableIntValue(name, &good);
  return good ? value : usual;
}

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1, std::size_t(share * double(values.size())))];
}

/// Of all turns of one kind.
struct Turned {
  std::vector<double> waits, drawing;  ///< milliseconds, a number for each picture
  double seconds = 0, stallP999Ms = 0, stallWorstMs = 0;

  QJsonObject json() const {
    return {{"pictures", int(waits.size())},
            {"picturesPerSecond", double(waits.size()) / std::max(1e-9, seconds)},
            {"medianMs", quantile(waits, 0.5)},
            {"p95Ms", quantile(waits, 0.95)},
            {"medianDrawingMs", quantile(drawing, 0.5)},
            {"stallP999Ms", stallP999Ms},
            {"stallWorstMs", stallWorstMs}};
  }
};

}  // namespace

class BenchViewSpeed : public QObject {
  Q_OBJECT
 private slots:
  void turningWhileComputing();

 private:
  /// Turns the view as fast as pictures come, and notes how long each took from the wish to the window.
  static void turn(Studio& studio, double seconds, Turned& turned);
};

void BenchViewSpeed::turn(Studio& studio, double seconds, Turned& turned) {
  qt3d::Viewport& view = studio.window.viewport();
  QElapsedTimer asked, whole;
  const auto next = [&] {
    asked.start();
    view.setCamera(view::rotated(view.camera(), 0.03, 0));
  };
  const auto connection = QObject::connect(&view, &qt3d::Viewport::frameDrawn, &view, [&](double ms) {
    turned.waits.push_back(1e-6 * double(asked.nsecsElapsed()));
    turned.drawing.push_back(ms);
    next();
  });
  app::Watchdog& watchdog = studio.model.watchdog();
  watchdog.start();
  watchdog.reset();
  whole.start();
  next();
  QTest::qWait(static_cast<int>(1000 * seconds));
  QObject::disconnect(connection);
  const app::Watchdog::Report stalls = watchdog.report();
  watchdog.stop();
  turned.seconds += 1e-3 * double(whole.elapsed());
  turned.stallP999Ms = std::max(turned.stallP999Ms, stalls.p999Ms);
  turned.stallWorstMs = std::max(turned.stallWorstMs, stalls.worstMs);
}

void BenchViewSpeed::turningWhileComputing() {
  const int seconds = fromEnvironment("FARFIELD_VIEW_SECONDS", 2),
            turns = fromEnvironment("FARFIELD_VIEW_TURNS", 3);
  const int detail = fromEnvironment("FARFIELD_VIEW_DETAIL", 1);
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  if (const int budget = fromEnvironment("FARFIELD_VIEW_BUDGET", 0))
    studio.model.setMemoryBytes(std::uint64_t(budget) << 20);
  studio.model.open(qEnvironmentVariable("FARFIELD_VIEW_DATA", "sample://cylinder").split(';'));
  QTRY_VERIFY_WITH_TIMEOUT(studio.session().objects.size() >= 2, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  if (studio.picture().isNull()) QSKIP("no OpenGL on this display");
  if (const int count = fromEnvironment("FARFIELD_VIEW_COUNT", 1); count > 1)
    studio.trigger(count == 2 ? "twoViews" : "fourViews");
  studio.window.viewport().holdDetail(detail < 0 ? std::nullopt : std::optional(detail));
  QTest::qWait(1500);
  const double loadBefore = loadAverage();

  // Lines that take much longer than this, and are not drawn: what is drawn is the same in both parts.
  studio.trigger("addStreamlines");
  const app::ObjectId id = studio.newest();
  session::Object object = *studio.model.document().object(id);
  object.opacity = 0;
  object.visible = false;
  auto& lines = std::get<session::Streamlines>(object.shape);
  lines.integrator.maxLength.reset();
  lines.integrator.maxSteps = 100'000'000;
  lines.integrator.method = session::IntegratorMethod::Rk4;
  lines.integrator.stepCells = 0.05;
  std::get<session::LineSeeds>(lines.seeds).count = 50'000;
  studio.model.document().setObject(id, object, "Many");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);

  Turned idle, busy, before;
  turn(studio, 1, before);  // shaders are made and memory is there
  bool computedThroughout = true;
  for (int n = 0; n < turns; ++n) {
    turn(studio, seconds, idle);
    object.visible = true;
    studio.model.document().setObject(id, object, "Compute");
    QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Running, kPatienceMs);
    turn(studio, 0.5, before);
    turn(studio, seconds, busy);
    computedThroughout &= studio.stateOf(id) == app::ObjectState::Running;
    object.visible = false;
    studio.model.document().setObject(id, object, "Rest");
    QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
    QTest::qWait(500);  // who computed has heard of it
  }

  const QJsonObject result{{"idle", idle.json()},
                           {"computing", busy.json()},
                           {"ratio", quantile(busy.waits, 0.5) / std::max(1e-9, quantile(idle.waits, 0.5))},
                           {"detail", detail},
                           {"computedThroughout", computedThroughout},
                           {"loadBefore", loadBefore},
                           {"loadAfter", loadAverage()},
                           {"processors", availableProcessors()}};
  std::printf("%s\n", QJsonDocument(result).toJson(QJsonDocument::Compact).constData());
  std::fflush(stdout);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  BenchViewSpeed test;
  return QTest::qExec(&test, count, words);
}
#include "bench_view_speed.moc"
