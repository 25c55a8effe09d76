// Views of what a renderer shows, without a window around them: they turn though it does not answer, and several of them do not get into
// each other's way.

#include <signal.h>

#include <QDir>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <atomic>
#include <memory>
#include <mutex>
#include <set>

#include "app/slab_maker.h"
#include "core/base/error.h"
#include "core/scene/slab_rays.h"
#include "render/qt3d/volume_layer.h"
#include "tests/system/slab_renderer.h"

namespace farfield::test {
namespace {

using qt3d::Frame;
using qt3d::VolumeLayer;
using qt3d::VolumeSight;

constexpr QSize kPixels(160, 120);
constexpr int kPatienceMs = 60000;
/// Of the sample, which goes from 0 to 2 pi.
constexpr Vec3 kMiddle{3.14159, 3.14159, 3.14159};

/// Shows a volume from where it is told, and knows what was said of that.
class View {
 public:
  View()
      : m_layer({.made = [](const Frame&) {},
                 .seen =
                     [this](const QString&, const VolumeSight& sight) {
                       const std::lock_guard lock(m_mutex);
                       m_last = sight;
                       if (sight.slabs) m_axes.insert(sight.slabs->axes);
                     }}) {}
  void show(const std::shared_ptr<const scene::VolumeGeometry>& volume) {
    scene::VolumeLook look;
    look.opacity = {{0, 0}, {3, 0.5}};
    scene::ColorScale scale;
    scale.max = 3;
    m_layer.setVolumes({{"v", volume, look, scale, 1}});
  }
  void lookFrom(Vec3 direction) {
    Frame frame;
    frame.image = QImage(kPixels, QImage::Format_RGB32);
    frame.image.fill(Qt::white);
    frame.view.camera.position = kMiddle + (20 / length(direction)) * direction;
    frame.view.camera.target = kMiddle;
    frame.view.camera.up = std::abs(direction.z) > std::abs(direction.y) ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
    frame.view.camera.fieldOfViewDegrees = 30;
    frame.view.bounds.add(Vec3{0, 0, 0});
    frame.view.bounds.add(2 * kMiddle);
    frame.view.pixels = kPixels;
    {
      const std::lock_guard lock(m_mutex);
      m_last.reset();
    }
    m_layer.present(frame);
  }
  /// Since it looks from there.
  std::optional<VolumeSight> sight() const {
    const std::lock_guard lock(m_mutex);
    return m_last;
  }
  bool isComplete() const {
    const auto its = sight();
    return its && its->state == VolumeSight::State::Complete;
  }
  std::set<std::string> takeAxes() {
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_axes, {});
  }

 private:
  mutable std::mutex m_mutex;
  std::optional<VolumeSight> m_last;
  std::set<std::string> m_axes;
  VolumeLayer m_layer;  ///< the last: it says what happens
};

/// Counts what is cast of another one.
class Counted final : public scene::VolumeGeometry {
 public:
  explicit Counted(std::shared_ptr<const scene::VolumeGeometry> its) : m_its(std::move(its)) {}
  Bounds bounds() const override { return m_its->bounds(); }
  bool cast(const scene::VolumeCast& cast, std::span<float> rgba) const override {
    if (cast.whole) ++m_wholeBegun;
    const bool converged = m_its->cast(cast, rgba);
    if (!cast.whole) ++m_quickDone;
    return converged;
  }
  int wholeBegun() const { return m_wholeBegun; }
  int quickDone() const { return m_quickDone; }

 private:
  const std::shared_ptr<const scene::VolumeGeometry> m_its;
  mutable std::atomic<int> m_wholeBegun = 0, m_quickDone = 0;
};

/// A process that does not go on until it ends.
class Halted {
 public:
  explicit Halted(qint64 process) : m_process(static_cast<pid_t>(process)) {
    if (m_process > 0) ::kill(m_process, SIGSTOP);
  }
  ~Halted() {
    if (m_process > 0) ::kill(m_process, SIGCONT);
  }

 private:
  const pid_t m_process;
};

}  // namespace

class TestSlabViews : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void aViewTurnsThoughNothingAnswers();
  void bothViewsHaveTheirFrames();
  void eachViewHasTheSlabsAlongItsAxis();

 private:
  /// As a window has it, of a renderer on one process.
  std::shared_ptr<scene::SlabRays> shown(const Renderer& renderer, bool frames) {
    const auto volume = app::slabMaker()({.source = "slab://" + renderer.address.toStdString(),
                                          .by = "velocity-magnitude",
                                          .axis = {},
                                          .account = m_account});
    return std::make_shared<scene::SlabRays>(
        std::dynamic_pointer_cast<const scene::WatchedSlabs>(volume->slabs()), volume, frames);
  }
  QStringList words() const { return {m_folder.filePath("flow.h5"), "--listen", "127.0.0.1:0"}; }

  QTemporaryDir m_folder;
  MemoryAccount m_account{std::uint64_t{1} << 30};
};

void TestSlabViews::initTestCase() {
  if (QStandardPaths::findExecutable("mpirun").isEmpty()) QSKIP("there is no mpirun");
  SUCCEEDS(runFarfield(
      {"sample", "turbulence", "-o", words().front(), "--size", "96,96,96", "--format", "farfield"}));
}

/// At rest the view waits for slabs along another axis; it stood still, with all that was in it, until they came.
void TestSlabViews::aViewTurnsThoughNothingAnswers() {
  const Renderer renderer(1, words());
  QVERIFY(!renderer.address.isEmpty());
  const auto slabs = shown(renderer, false);
  const auto counted = std::make_shared<Counted>(slabs);
  View view;
  view.show(counted);
  view.lookFrom({0.1, 0.1, 1});
  QTRY_VERIFY_WITH_TIMEOUT(view.isComplete(), kPatienceMs);
  QCOMPARE(slabs->shown().axes, std::string("+z"));
  const qint64 process = renderer.processOf(0);
  QVERIFY(process > 0);
  const Halted halted(process);
  for (int n = 0; n < 3; ++n) {
    // along x, where there are no slabs yet: those along z are turned
    const int begun = counted->wholeBegun(), done = counted->quickDone();
    view.lookFrom({1, 0.1, 0.1 + 0.1 * n});
    QTRY_VERIFY_WITH_TIMEOUT(counted->quickDone() > done, kPatienceMs);
    QCOMPARE(slabs->shown().axes, std::string("+z"));
    // not because the renderer was given up
    QCOMPARE(slabs->shown().gone, std::string());
    // and then it waits
    QTRY_VERIFY_WITH_TIMEOUT(counted->wholeBegun() > begun, kPatienceMs);
    QVERIFY(!view.isComplete());
  }
}

/// They cancelled each other's, for ever.
void TestSlabViews::bothViewsHaveTheirFrames() {
  const Renderer renderer(1, words());
  QVERIFY(!renderer.address.isEmpty());
  const auto slabs = shown(renderer, true);
  View one, other;
  one.show(slabs);
  other.show(slabs);
  for (int n = 0; n < 8; ++n) {
    one.lookFrom({1, 0.3 + 0.2 * n, 0.2});
    other.lookFrom({0.2, 0.3 + 0.2 * n, 1});
    QTRY_VERIFY_WITH_TIMEOUT(one.isComplete() && other.isComplete(), kPatienceMs);
    QVERIFY(one.sight()->slabs->isFrame && other.sight()->slabs->isFrame);
  }
}

/// They drew the slabs along the axis that any of them had asked for last.
void TestSlabViews::eachViewHasTheSlabsAlongItsAxis() {
  const Renderer renderer(1, words());
  QVERIFY(!renderer.address.isEmpty());
  const auto slabs = shown(renderer, false);
  View one, other;
  one.show(slabs);
  other.show(slabs);
  one.lookFrom({0.1, 0.1, 1});
  QTRY_VERIFY_WITH_TIMEOUT(one.isComplete(), kPatienceMs);
  other.lookFrom({1, 0.1, 0.1});
  QTRY_VERIFY_WITH_TIMEOUT(other.isComplete(), kPatienceMs);
  QCOMPARE(other.sight()->slabs->axes, std::string("+x"));
  (void)one.takeAxes();
  (void)other.takeAxes();
  for (int n = 1; n < 5; ++n) {
    one.lookFrom({0.1 + 0.05 * n, 0.1, 1});
    QTRY_VERIFY_WITH_TIMEOUT(one.isComplete(), kPatienceMs);
    other.lookFrom({1, 0.1 + 0.05 * n, 0.1});
    QTRY_VERIFY_WITH_TIMEOUT(other.isComplete(), kPatienceMs);
  }
  // while they moved, too
  QCOMPARE(one.takeAxes(), std::set<std::string>{"+z"});
  QCOMPARE(other.takeAxes(), std::set<std::string>{"+x"});
}

}  // namespace farfield::test

QTEST_GUILESS_MAIN(farfield::test::TestSlabViews)
#include "tst_slab_views.moc"
