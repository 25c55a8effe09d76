// Somebody works without a pause and without a plan: turns, drags, recolours, adds, removes, hides, steps,
// changes the budget, cancels. All of it can be taken back and done again, nothing fails, and how long the
// window kept somebody waiting is reported. The works are the same in each run: FARFIELD_TEST_SEED names other
// ones, FARFIELD_WORK_SECONDS makes them more, FARFIELD_WORK_DATA names data of one's own
// ("grid.xyz;solution.q"), FARFIELD_WORK_BUDGET the budget in MiB.

#include <time.h>

#include <QElapsedTimer>
#include <QStandardPaths>
#include <QThread>
#include <random>

#include "core/base/arenas.h"
#include "core/base/machine.h"
#include "tests/gui/window/support/memory_watch.h"
#include "tests/gui/window/support/stall_sampler.h"
#include "tests/gui/window/support/studio.h"
#include "tests/support/test_seed.h"

using namespace farfield;
using namespace farfield::test;

namespace {

/// Notes which events take the window's thread longest, in processor time: what a busy machine adds to the
/// wait is not theirs.
class MeasuringApplication final : public QApplication {
 public:
  using QApplication::QApplication;
  struct Cost {
    double milliseconds;
    QString what;
  };
  bool notify(QObject* receiver, QEvent* event) override {
    if (QThread::currentThread() != thread() || m_inside) return QApplication::notify(receiver, event);
    m_inside = true;
    const int type = event->type();
    const QString name = receiver->metaObject()->className() + (" " + receiver->objectName());
    const double before = processorMs();
    const bool result = QApplication::notify(receiver, event);
    const double cost = processorMs() - before;
    m_inside = false;
    note(cost, QString("%1, event %2").arg(name).arg(type));
    return result;
  }
  std::vector<Cost> costliest() {
    std::sort(m_costs.begin(), m_costs.end(),
              [](const Cost& a, const Cost& b) { return a.milliseconds > b.milliseconds; });
    if (m_costs.size() > 8) m_costs.resize(8);
    return m_costs;
  }
  void reset() { m_costs.clear(); }

 private:
  bool m_inside = false;
  std::vector<Cost> m_costs;

 public:
  static double processorMs() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
  }
  void note(double milliseconds, const QString& what) {
    if (milliseconds > 10) m_costs.push_back({milliseconds, what});
  }
};

}  // namespace

class TestRandomWork : public QObject {
  Q_OBJECT
 private slots:
  void canBeTakenBack();
};

void TestRandomWork::canBeTakenBack() {
  const int seconds = qEnvironmentVariableIntValue("FARFIELD_WORK_SECONDS");
  const std::uint64_t budget = qEnvironmentVariable("FARFIELD_WORK_BUDGET", "64").toULongLong() << 20;
  std::mt19937 random(static_cast<uint>(testSeed()));
  const auto pick = [&](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };

  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  MemoryWatch memory(studio);
  const auto reportMemory = [&](const char* when) {
    const MemoryWatch::Seen& most = memory.most();
    qInfo("%s: at most %.0f MiB resident, with %.0f claimed of the budget and %.0f of pictures", when,
          most.resident, most.claimed, most.pictures);
    qInfo(
        "  of %.0f MiB %.0f of files and code, %.0f shared with others, %.0f anonymous, of which %.0f are allocated and %.0f "
        "free, but not given back",
        most.looked, most.files, most.shared, most.anonymous, most.allocated, most.unreturned);
  };
  app::Document& document = studio.model.document();
  studio.model.setMemoryBytes(budget);
  const auto areLines = [&](app::ObjectId id) {
    const session::Object* const object = document.object(id);
    return object && object->type() == session::kTypeOf<session::Streamlines>;
  };
  QElapsedTimer opening;
  opening.start();
  qint64 firstLinesMs = -1;
  connect(&studio.window.viewport(), &qt3d::Viewport::itemShown, &studio.window, [&](const QString& id) {
    if (firstLinesMs < 0 && areLines(id.toULongLong())) firstLinesMs = opening.elapsed();
  });
  qint64 openedMs = -1, startedMs = -1, pictureMs = -1;
  const auto note = [&](qint64& at) {
    if (at < 0) at = opening.elapsed();
  };
  connect(&studio.model.engine(), &app::Engine::opened, &studio.window, [&] { note(openedMs); });
  connect(&studio.model.engine(), &app::Engine::started, &studio.window, [&](app::ObjectId id) {
    if (areLines(id)) note(startedMs);
  });
  connect(&studio.model.engine(), &app::Engine::pictureReady, &studio.window,
          [&](const app::ObjectPicture& picture) {
            if (areLines(picture.id)) note(pictureMs);
          });
  studio.model.open(
      qEnvironmentVariable("FARFIELD_WORK_DATA", "sample://taylor-green?steps=5&size=33").split(';'));
  QTRY_VERIFY_WITH_TIMEOUT(studio.session().objects.size() >= 2, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  document.undoStack().clear();
  const app::DocumentState first = document.state();
  studio.model.watchdog().start();
  studio.model.watchdog().reset();
  auto& application = static_cast<MeasuringApplication&>(*qApp);
  application.reset();

  std::unique_ptr<StallSampler> sampler;
  if (const int late = qEnvironmentVariableIntValue("FARFIELD_WORK_STALLS"))
    sampler = std::make_unique<StallSampler>(late);

  QElapsedTimer timer;
  timer.start();
  int works = 0;
  bool tooMany = false;  // for all of them to be taken back
  constexpr int kUsualWorks = 40;
  while (seconds > 0 ? timer.elapsed() < 1000 * seconds : works < kUsualWorks) {
    ++works;
    tooMany |= document.undoStack().count() >= document.undoStack().undoLimit();
    const std::vector<app::ObjectId> ids = document.objectIds();
    const app::ObjectId id =
        ids.empty() ? 0 : ids[static_cast<std::size_t>(pick(static_cast<int>(ids.size())))];
    const QSize size = studio.window.viewport().size();
    const QPoint somewhere(size.width() / 4 + pick(size.width() / 2),
                           size.height() / 4 + pick(size.height() / 2));
    const int kind = pick(12);
    const double before = MeasuringApplication::processorMs();
    switch (kind) {
      case 0:
      case 1:
        studio.drag(somewhere, somewhere + QPoint(pick(161) - 80, pick(81) - 40));
        break;
      case 2: {
        // A handle where there is one.
        studio.window.pipeline().select(id);
        const session::Object* const object = document.object(id);
        const auto* const lines = object ? std::get_if<session::Streamlines>(&object->shape) : nullptr;
        const auto* const rake = lines ? std::get_if<session::LineSeeds>(&lines->seeds) : nullptr;
        if (!rake) break;
        const QPoint grip = studio.pixelOf(pick(2) ? rake->from : rake->to);
        studio.drag(grip, grip + QPoint(pick(61) - 30, pick(61) - 30));
        break;
      }
      case 3:
        // These have one colour, and the window offers no other.
        if (!document.object(id) || document.object(id)->type() == session::kTypeOf<session::Outline> ||
            document.object(id)->type() == session::kTypeOf<session::Probe>)
          break;
        document.edit("Colour", [&](app::Draft& draft) {
          const char* const functions[] = {"pressure", "velocity-magnitude", "velocity-x", ""};
          draft.object(id).color.by = functions[pick(4)];
        });
        break;
      case 4:
        if (ids.size() < 6) studio.trigger(pick(3) ? "addStreamlines" : pick(2) ? "addSurface" : "addSlice");
        break;
      case 5:
        if (ids.size() > 2) {
          studio.window.pipeline().select(id);
          studio.trigger("remove");
        }
        break;
      case 6:
        if (document.object(id))
          document.edit("Hide",
                        [&](app::Draft& draft) { draft.object(id).visible = !draft.object(id).visible; });
        break;
      case 7:
        studio.model.stage().setStep(pick(static_cast<int>(studio.model.stage().steps())));
        break;
      case 8:
        studio.model.setMemoryBytes(budget / static_cast<unsigned>(1 + pick(3)));
        break;
      case 9: {
        // Several views, or one again.
        const char* const splits[] = {"oneView", "twoViews", "fourViews", "linkCameras"};
        const char* const split = splits[pick(4)];
        if (studio.action(split)->isEnabled()) studio.trigger(split);
        break;
      }
      case 10: {
        const char* const panels[] = {"plotLine", "plotTime", "plotValues", "keepView", "pinProbe"};
        studio.window.pipeline().select(id);
        studio.trigger(panels[pick(5)]);
        break;
      }
      default:
        pick(3) ? studio.trigger("undo") : studio.trigger("cancel");
        break;
    }
    application.note(MeasuringApplication::processorMs() - before, QString("work of kind %1").arg(kind));
    QTest::qWait(20 + pick(120));
  }
  const app::Watchdog::Report report = studio.model.watchdog().report();
  studio.model.watchdog().stop();
  if (sampler) sampler->report();
  reportMemory("work");
  qInfo(
      "first lines on the screen %lld ms after opening: data open after %lld, begun after %lld, made after "
      "%lld",
      static_cast<long long>(firstLinesMs), static_cast<long long>(openedMs),
      static_cast<long long>(startedMs), static_cast<long long>(pictureMs));
  qInfo("%d works; %llu samples, median %.1f ms, 99 %% %.1f, 99.9 %% %.1f, worst %.1f; %llu above 50 ms",
        works, static_cast<unsigned long long>(report.samples), report.medianMs, report.p99Ms, report.p999Ms,
        report.worstMs, static_cast<unsigned long long>(report.over50Ms));
  for (const auto& [milliseconds, what] : application.costliest())
    qInfo("%.1f ms of the processor: %s", milliseconds, qPrintable(what));
  studio.model.setMemoryBytes(budget);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  for (const app::ObjectId id : document.objectIds())
    QVERIFY2(studio.stateOf(id) != app::ObjectState::Failed,
             qPrintable(app::stateText(studio.model.stage().status(id))));
  // A movement of the view that has just ended becomes a step, too.
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  const session::Session last = studio.session();
  const int steps = document.undoStack().index();  // what was taken back last may still be redone
  while (document.undoStack().canUndo()) document.undoStack().undo();
  QVERIFY(tooMany || document.state() == first);
  while (document.undoStack().index() < steps) document.undoStack().redo();
  QVERIFY(studio.session() == last);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  reportMemory("all taken back and done again");
}

int main(int count, char** words) {
  limitArenas(std::max(2, availableProcessors()));  // as the program does
  qt3d::prepareEnvironment();
  MeasuringApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestRandomWork test;
  return QTest::qExec(&test, count, words);
}
#include "tst_random_work.moc"
