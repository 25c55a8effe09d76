// Data that a simulation is still writing, on a stage: steps that come lengthen the time axis, the last one is followed, and what was
// computed is not computed again.

#include <QFileInfo>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTest>
#include <filesystem>
#include <fstream>
#include <map>

#include "app/model/files/data_files.h"
#include "app/model/files/series_watch.h"
#include "core/fields/data/store_data.h"
#include "plugins/plot3d/plot3d_data.h"
#include "remote/client/remote_data.h"
#ifdef FARFIELD_HTTP
#include "remote/http/http_store.h"
#endif
#include "tests/gui/model/theatre.h"
#include "tests/remote/server_process.h"
#include "tests/support/run_program.h"
#include "tests/support/web_folder.h"

using namespace farfield;
using namespace farfield::app;
using namespace farfield::test;

namespace {

constexpr int kSteps = 6;

std::string stepName(int step) {
  return "flow_000" + std::to_string(step) + ".q";
}

session::Object streaks() {
  session::Object object;
  object.name = "streaks";
  object.data = "flow";
  session::Streaklines lines;
  lines.seeds = session::LineSeeds{{1, 1.2, 1}, {3, 1.2, 1}, 40};
  object.shape = lines;
  return object;
}

}  // namespace

class TestGrowingSeries : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void newStepsAreShown();
  void filesThatWereOpenedGrow();
  void anEarlierStepStays();
  void whatHadNoSuchStepFollows_data();
  void whatHadNoSuchStepFollows();
  void whatIsNoSeriesStays();
  void whatIsAwayForAMomentIsWatchedOn();
  void storesGrow_data();
  void storesGrow();

 private:
  /// A folder with the first steps, on a stage that looks often.
  struct Watched : Theatre {
    Watched(const std::filesystem::path& made, int steps, bool isShown = true)
        : Theatre(64 * kMiB, readers()), from(made) {
      stage.watchEvery(std::chrono::milliseconds(50));
      std::filesystem::copy(made / "flow.xyz", folder / "flow.xyz");
      for (int n = 0; n < steps; ++n) add(n);
      if (isShown) show();
    }
    void show() {
      document.edit("Open", [&](Draft& draft) {
        draft.frame().data.push_back(
            {"flow", {(folder / "flow.xyz").string()}, {(folder / "flow_*.q").string()}, {}, {}});
        id = draft.add(streaks());
      });
    }
    static std::shared_ptr<fields::ReaderRegistry> readers() {
      auto registry = std::make_shared<fields::ReaderRegistry>();
      registry->add(std::make_unique<plot3d::Plot3dDataReader>());
      return registry;
    }
    void add(int step) { std::filesystem::copy(from / stepName(step), folder / stepName(step)); }
    bool isDone() const { return stateOf(id) == ObjectState::Done; }
    std::filesystem::path from;
    ObjectId id = 0;
  };
  TemporaryFolder m_made;
};

void TestGrowingSeries::initTestCase() {
  const RunResult made = runProgram({"sample", "cylinder", "-o", "flow", "--size", "17,17,5", "--steps",
                                     std::to_string(kSteps), "--format", "plot3d", "--quiet"},
                                    {.folder = m_made.path()});
  QVERIFY2(made.status == 0, made.errors.c_str());
}

void TestGrowingSeries::newStepsAreShown() {
  Watched watched(m_made.path(), 3);
  QTRY_VERIFY_WITH_TIMEOUT(watched.isDone() && watched.stage.steps() == 3, kPatienceMs);
  watched.stage.setStep(2);
  QTRY_VERIFY_WITH_TIMEOUT(watched.isDone() && watched.stage.status(watched.id).stats.points > 40,
                           kPatienceMs);
  QSignalSpy opening(&watched.engine, &Engine::opening);
  std::uint64_t points = watched.stage.status(watched.id).stats.points;
  for (int step = 3; step < kSteps; ++step) {
    watched.add(step);
    QTRY_VERIFY_WITH_TIMEOUT(watched.stage.steps() == step + 1 && watched.stage.step() == step, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(watched.isDone() && watched.stage.status(watched.id).stats.points > points,
                             kPatienceMs);
    points = watched.stage.status(watched.id).stats.points;
  }
  // What is there stays open, and it is as if all steps had been there.
  QCOMPARE(opening.size(), 0);
  Watched whole(m_made.path(), kSteps);
  QTRY_VERIFY_WITH_TIMEOUT(whole.isDone(), kPatienceMs);
  whole.stage.setStep(kSteps - 1);
  QTRY_VERIFY_WITH_TIMEOUT(whole.isDone() && whole.stage.status(whole.id).stats.points == points,
                           kPatienceMs);
}

/// Opened as the window does it: a grid that was picked, with the solutions that lie beside it.
void TestGrowingSeries::filesThatWereOpenedGrow() {
  Watched watched(m_made.path(), 3, false);
  const QString grid = QString::fromStdString((watched.folder / "flow.xyz").string());
  const Picked picked = PathSorter::sort({grid});
  QCOMPARE(picked.data.size(), 1u);
  watched.document.edit("Open", [&](Draft& draft) {
    draft.frame().data.push_back(dataSource(picked.data.front(), "flow"));
    watched.id = draft.add(streaks());
  });
  QTRY_VERIFY_WITH_TIMEOUT(watched.isDone() && watched.stage.steps() == 3, kPatienceMs);
  watched.stage.setStep(2);
  QTRY_VERIFY_WITH_TIMEOUT(watched.isDone(), kPatienceMs);
  for (int step = 3; step < kSteps; ++step) {
    watched.add(step);
    QTRY_VERIFY_WITH_TIMEOUT(watched.stage.steps() == step + 1 && watched.stage.step() == step, kPatienceMs);
  }
  QTRY_VERIFY_WITH_TIMEOUT(watched.isDone(), kPatienceMs);
}

void TestGrowingSeries::anEarlierStepStays() {
  Watched watched(m_made.path(), 3);
  QTRY_VERIFY_WITH_TIMEOUT(watched.isDone() && watched.stage.steps() == 3, kPatienceMs);
  watched.stage.setStep(1);
  QTRY_VERIFY_WITH_TIMEOUT(watched.isDone(), kPatienceMs);
  const auto pictures = watched.pictures.size();
  std::size_t told = 0;  // steps of which it is said whether they are in memory
  QObject::connect(&watched.engine, &Engine::counted, &watched.stage, [&](const WorkshopCounters& counters) {
    for (const auto& [key, resident] : counters.residentSteps) told = resident.size();
  });
  watched.add(3);
  QTRY_VERIFY_WITH_TIMEOUT(watched.stage.steps() == 4, kPatienceMs);
  QTRY_COMPARE_WITH_TIMEOUT(told, std::size_t{4}, kPatienceMs);
  QCOMPARE(watched.stage.step(), 1);
  QVERIFY(watched.isDone());
  QCOMPARE(watched.pictures.size(), pictures);
}

void TestGrowingSeries::whatHadNoSuchStepFollows_data() {
  QTest::addColumn<bool>("isLate");
  QTest::newRow("open before the step is chosen") << false;
  QTest::newRow("opened at the step") << true;
}

/// Beside data that have more steps: what grows is at its last step until it has the one that is shown.
void TestGrowingSeries::whatHadNoSuchStepFollows() {
  QFETCH(bool, isLate);
  Watched whole(m_made.path(), kSteps);
  QTRY_VERIFY_WITH_TIMEOUT(whole.isDone() && whole.stage.steps() == kSteps, kPatienceMs);
  Watched watched(m_made.path(), isLate ? 0 : 3, !isLate);
  watched.document.edit("Open", [&](Draft& draft) {
    draft.frame().data.push_back(
        {"longer", {(whole.folder / "flow.xyz").string()}, {(whole.folder / "flow_*.q").string()}, {}, {}});
  });
  QTRY_COMPARE_WITH_TIMEOUT(watched.stage.steps(), std::int64_t{kSteps}, kPatienceMs);
  watched.stage.setStep(kSteps - 1);
  if (isLate) {
    for (int n = 0; n < 3; ++n) watched.add(n);
    watched.show();
  }
  const auto points = [&](const Watched& its) { return its.stage.status(its.id).stats.points; };
  QTRY_VERIFY_WITH_TIMEOUT(watched.isDone() && points(watched) > 0, kPatienceMs);
  std::uint64_t before = points(watched);
  for (int step = 3; step < kSteps; ++step) {
    watched.add(step);
    QTRY_VERIFY_WITH_TIMEOUT(watched.isDone() && points(watched) > before, kPatienceMs);
    before = points(watched);
    QCOMPARE(watched.stage.step(), std::int64_t{kSteps - 1});
  }
  whole.stage.setStep(kSteps - 1);
  QTRY_VERIFY_WITH_TIMEOUT(whole.isDone() && points(whole) == before, kPatienceMs);
}

/// A step that is only half there, and files that change without a new step.
void TestGrowingSeries::whatIsNoSeriesStays() {
  Watched watched(m_made.path(), 3);
  QTRY_VERIFY_WITH_TIMEOUT(watched.isDone() && watched.stage.steps() == 3, kPatienceMs);
  watched.add(3);
  const auto bytes = std::filesystem::file_size(watched.folder / stepName(3));
  std::filesystem::resize_file(watched.folder / stepName(3), bytes / 3);
  QSignalSpy counted(&watched.engine, &Engine::counted);
  QTRY_VERIFY_WITH_TIMEOUT(counted.size() > 3, kPatienceMs);
  QCOMPARE(watched.stage.steps(), 3);
  QVERIFY(watched.isDone());
  QVERIFY(watched.stage.dataStatus("flow").state == DataState::Open);
  std::filesystem::remove(watched.folder / stepName(3));
  watched.add(3);
  QTRY_VERIFY_WITH_TIMEOUT(watched.stage.steps() == 4, kPatienceMs);
}

void TestGrowingSeries::whatIsAwayForAMomentIsWatchedOn() {
  const TemporaryFolder folder;
  const auto write = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder.path() / name) << text;
  };
  const auto alone = [&](const std::string& name) {
    session::Session session;
    session.data.push_back({name, {(folder.path() / name).string()}, {}, {}, {}});
    return session;
  };
  write("a", "1");
  write("b", "1");
  SeriesWatch watch;
  watch.setInterval(std::chrono::milliseconds(20));
  std::map<std::string, int> changes;
  connect(&watch, &SeriesWatch::changed, this, [&](const std::string& key) { ++changes[key]; });
  watch.watch("a", alone("a"));
  watch.watch("b", alone("b"));
  // What is known from the beginning is not told, and nobody says when that is.
  for (std::size_t n = 2; changes["a"] == 0 || changes["b"] == 0; ++n) {
    QVERIFY(n < 1000);
    write("a", std::string(n, '1'));
    write("b", std::string(n, '1'));
    if (QTest::qWaitFor([&] { return changes["a"] > 0 && changes["b"] > 0; }, 1000)) break;
  }
  // Both files in one look: that of the other being told says that this one was missed as well.
  std::filesystem::rename(folder.path() / "a", folder.path() / "elsewhere");
  const int before = changes["b"];
  write("b", "other");
  QTRY_VERIFY(changes["b"] > before);
  const int ofA = changes["a"];
  write("a", "begun anew");
  QTRY_VERIFY(changes["a"] > ofA);
}

void TestGrowingSeries::storesGrow_data() {
  QTest::addColumn<QString>("where");
  QTest::newRow("on this machine") << "";
  QTest::newRow("on a paging server") << "far";
  QTest::newRow("by ssh") << "far+ssh";
#ifdef FARFIELD_HTTP
  QTest::newRow("on the web") << "http";
#endif
}

/// A store that other processes append to, open here, or where another machine has it.
void TestGrowingSeries::storesGrow() {
  QFETCH(QString, where);
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "home");
  const std::string store = (folder / "flow.h5").string();
  const auto convert = [&](int first, int last, bool append) {
    std::vector<std::string> words{"convert", "flow.xyz", "-o", store, "--quiet"};
    if (append) words.emplace_back("--append");
    for (int n = first; n <= last; ++n) words.insert(words.end(), {"--solution", stepName(n)});
    return runProgram(words, {.folder = m_made.path()});
  };
  QCOMPARE(convert(0, 1, false).status, 0);
  std::unique_ptr<ServerProcess> server;
  std::string source = store;
  if (where == "far") {
    server =
        std::make_unique<ServerProcess>(QStringList{"--root", QString::fromStdString(folder.path().string())},
                                        QString::fromStdString((folder / "home").string()));
    QVERIFY2(!server->address.isEmpty(), server->errors());
    source = "far://" + server->address.toStdString() + "/flow.h5";
  }
  const auto unset = qScopeGuard([] { qunsetenv("FARFIELD_SSH"); });
  if (where == "far+ssh") {
    // The server on this machine, in place of ssh, by which nobody is asked for anything.
    const auto script = folder / "ssh";
    writeFile(script, "#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done\nPATH=" +
                          QFileInfo(serverPath()).path().toStdString() + ":$PATH exec sh -c \"$3\"\n");
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    qputenv("FARFIELD_SSH", script.c_str());
    source = "far+ssh://host" + std::filesystem::canonical(store).string();
  }
  auto registry = std::make_shared<fields::ReaderRegistry>();
  const auto stores = std::make_shared<paging::ByteStores>();
#ifdef FARFIELD_HTTP
  std::unique_ptr<WebFolder> web;
  if (where == "http") {
    web = std::make_unique<WebFolder>(folder.path());
    source = web->url("flow.h5");
    http::addHttpStores(*stores);
  }
#endif
  registry->add(std::make_unique<fields::StoreDataReader>(stores));
  registry->add(std::make_unique<remote::RemoteDataReader>());
  Theatre theatre(64 * kMiB, registry);
  theatre.stage.watchEvery(std::chrono::milliseconds(50));
  const ObjectId id = theatre.open(streaks(), source);
  const auto isDone = [&] { return theatre.stateOf(id) == ObjectState::Done; };
  QTRY_VERIFY_WITH_TIMEOUT(isDone() && theatre.stage.steps() == 2, 2 * kPatienceMs);
  theatre.stage.setStep(1);
  QTRY_VERIFY_WITH_TIMEOUT(isDone() && theatre.stage.status(id).stats.points > 0, 2 * kPatienceMs);
  QSignalSpy opening(&theatre.engine, &Engine::opening);
  std::uint64_t points = theatre.stage.status(id).stats.points;
  int steps = 2;
  for (const int more : {1, 3}) {
    QCOMPARE(convert(steps, steps + more - 1, true).status, 0);
    steps += more;
    // The last step was shown, and is.
    QTRY_VERIFY_WITH_TIMEOUT(theatre.stage.steps() == steps && theatre.stage.step() == steps - 1,
                             2 * kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(isDone() && theatre.stage.status(id).stats.points > points, 2 * kPatienceMs);
    points = theatre.stage.status(id).stats.points;
  }
  QCOMPARE(opening.size(), 0);
  // As if all steps had been there.
  Watched whole(m_made.path(), kSteps);
  QTRY_VERIFY_WITH_TIMEOUT(whole.isDone(), kPatienceMs);
  whole.stage.setStep(kSteps - 1);
  QTRY_VERIFY_WITH_TIMEOUT(whole.isDone() && whole.stage.status(whole.id).stats.points == points,
                           kPatienceMs);
}

QTEST_GUILESS_MAIN(TestGrowingSeries)
#include "tst_growing_series.moc"
