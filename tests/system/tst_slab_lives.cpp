// Life lines of a real renderer: all its ranks tell who watches what they do, those that read for others as well, by clocks that fit
// the viewer's; who does not watch is told nothing.

#include <signal.h>

#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "core/base/memory_account.h"
#include "core/trace/recent.h"
#include "remote/slabs/slab_viewer.h"
#include "tests/cli/program.h"
#include "tests/system/slab_renderer.h"

namespace farfield::test {
namespace {

using namespace remote;

constexpr int kPatienceMs = 120'000;
constexpr std::int64_t kSteps = 6;

bool has(const Life& life, LifeWhat what) {
  return std::any_of(life.spans.begin(), life.spans.end(),
                     [&](const LifeSpan& span) { return span.what == what && !span.goesOn; });
}

ShowRequest requestOf(std::int64_t step) {
  ShowRequest request;
  request.step = step;
  request.nextStep = step + 1 < kSteps ? step + 1 : -1;
  request.by = "velocity-magnitude";
  request.look.opacity = {{0, 0}, {2, 0.3}};
  request.scale.max = 2;
  request.pixels = 64;
  return request;
}

}  // namespace

class TestSlabLives : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void allRanksTell_data();
  void allRanksTell();
  void whoIsGoneIsSaid();

 private:
  std::string urlOf(const Renderer& renderer) const { return ("slab://" + renderer.address).toStdString(); }
  QTemporaryDir m_folder;
  QString m_data;
};

void TestSlabLives::initTestCase() {
  if (QStandardPaths::findExecutable("mpirun").isEmpty()) QSKIP("there is no mpirun");
  m_data = m_folder.filePath("flow.h5");
  SUCCEEDS(runFarfield({"sample", "turbulence", "-o", m_data, "--size", "40,36,32", "--steps",
                        QString::number(kSteps), "--format", "farfield"}));
}

void TestSlabLives::allRanksTell_data() {
  QTest::addColumn<QStringList>("words");
  QTest::addColumn<std::size_t>("renderers");
  QTest::addRow("all render") << QStringList{} << std::size_t{3};
  QTest::addRow("one reads for the others") << QStringList{"--input-ranks", "1"} << std::size_t{2};
}

void TestSlabLives::allRanksTell() {
  QFETCH(QStringList, words);
  QFETCH(std::size_t, renderers);
  const Renderer renderer(3, QStringList{m_data, "--listen", "127.0.0.1:0"} + words);
  QVERIFY(!renderer.address.isEmpty());
  SlabViewer viewer(urlOf(renderer), {}), watcher(urlOf(renderer), {});
  MemoryAccount account(std::uint64_t{64} << 20);
  const std::int64_t begun = trace::recentClock();
  watcher.watch({});
  QVERIFY(viewer.lives(0).empty());
  const auto lives = [&] { return watcher.lives(0); };
  // steps one after the other, until each rank has said what it does
  std::int64_t step = 0;
  const auto allTold = [&] {
    viewer.slabs(requestOf(step++ % kSteps), account, {});
    watcher.watch({});
    const std::vector<Life> now = lives();
    if (now.size() != 3) return false;
    for (std::size_t n = 0; n < now.size(); ++n) {
      const bool renders = n < renderers;
      if (now[n].roundTripSeconds < 0 || now[n].amounts[0] < 0 || now[n].amounts[1] <= 0 ||
          now[n].amounts[2] < 0)
        return false;
      if (!has(now[n], LifeWhat::Load)) return false;
      if (renders && !(has(now[n], LifeWhat::Render) && has(now[n], LifeWhat::LightSend) &&
                       has(now[n], LifeWhat::HeavySend)))
        return false;
    }
    return true;
  };
  QTRY_VERIFY_WITH_TIMEOUT(allTold(), kPatienceMs);
  const std::int64_t now = trace::recentClock();
  for (const Life& life : lives()) {
    QVERIFY(life.isThere);
    QVERIFY(life.clockSeconds >= 0);
    // all is on this machine, whose clock is one: as exact as is said
    const auto exact = static_cast<std::int64_t>(1e9 * life.clockSeconds) + 1000;
    for (const LifeSpan& span : life.spans) {
      QVERIFY(span.from <= span.to && span.from >= begun - exact && span.to <= now + exact);
      QVERIFY(span.step < static_cast<std::uint64_t>(kSteps));
    }
  }
  if (renderers < 3) QVERIFY(!has(lives()[2], LifeWhat::Render));
  // who does not watch is told nothing, which costs nobody anything
  QVERIFY(viewer.lives(0).empty());
}

void TestSlabLives::whoIsGoneIsSaid() {
  const Renderer renderer(3, {m_data, "--listen", "127.0.0.1:0"});
  QVERIFY(!renderer.address.isEmpty());
  SlabViewer watcher(urlOf(renderer), {});
  watcher.watch({});
  QCOMPARE(watcher.lives(0).size(), std::size_t{3});
  const qint64 process = renderer.processOf(1);
  QVERIFY(process > 0);
  QCOMPARE(::kill(static_cast<pid_t>(process), SIGKILL), 0);
  QTRY_VERIFY_WITH_TIMEOUT(!watcher.lives(0).at(1).isThere, kPatienceMs);
  // the others go on telling
  const auto roundTrips = [&] {
    watcher.watch({});
    const std::vector<Life> lives = watcher.lives(0);
    return lives[0].roundTripSeconds >= 0 && lives[2].roundTripSeconds >= 0 && lives[2].amounts[0] >= 0 &&
           lives[0].isThere && lives[2].isThere && !lives[1].isThere;
  };
  QTRY_VERIFY_WITH_TIMEOUT(roundTrips(), kPatienceMs);
}

}  // namespace farfield::test

QTEST_GUILESS_MAIN(farfield::test::TestSlabLives)
#include "tst_slab_lives.moc"
