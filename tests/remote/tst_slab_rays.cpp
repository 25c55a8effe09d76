// Slabs as a volume of a view: what it draws, what it waits for, and what ends that.

#include <QTest>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>

#include "core/base/error.h"
#include "core/scene/slab_rays.h"

namespace farfield::test {
namespace {

using namespace std::chrono_literals;
using Along = scene::SlabsInView::Along;

constexpr int kSize = 4;

Bounds box() {
  Bounds its;
  its.add(Vec3{-1, -1, -1});
  its.add(Vec3{1, 1, 1});
  return its;
}

/// One slab across z, all of one colour.
Along slabsOf(std::array<std::uint8_t, 4> color) {
  auto image = std::make_shared<scene::SlabImage>();
  image->width = image->height = 1;
  image->rgba.assign(color.begin(), color.end());
  scene::Slab slab;
  slab.points = {{-1, 1, 0}, {1, 1, 0}, {-1, -1, 0}, {1, -1, 0}};
  slab.places = {{0, 0}, {1, 0}, {0, 1}, {1, 1}};
  slab.triangles = {{0, 2, 1}, {1, 2, 3}};
  slab.image = image;
  auto set = std::make_shared<scene::SlabSet>();
  set->slabs = {slab};
  return {set, 2, true};
}

/// Has some slabs, and others that come when the test says so.
class LateSlabs final : public scene::WatchedSlabs {
 public:
  LateSlabs(Along there, Along late) : m_there(std::move(there)), m_late(std::move(late)) {}
  std::shared_ptr<const scene::SlabSet> current() const override { return m_there.set; }
  State state() const override { return {.missing = 0, .ranks = 1, .bounds = box()}; }
  scene::SlabsInView inView(const scene::SlabAim&) const override { return {.best = m_there, .beside = {}}; }
  scene::SlabsInView await(const scene::SlabAim&, bool, const std::stop_token& stop) const override {
    std::unique_lock lock(m_mutex);
    ++m_asked;
    m_changed.notify_all();
    if (!m_changed.wait(lock, stop, [&] { return m_isThere; })) {
      ++m_stopped;
      m_changed.notify_all();
      throw Cancelled();
    }
    return {.best = m_late, .beside = {}};
  }
  void come() {
    const std::lock_guard lock(m_mutex);
    m_isThere = true;
    m_changed.notify_all();
  }
  bool waitFor(int asked, int stopped) {
    std::unique_lock lock(m_mutex);
    return m_changed.wait_for(lock, 20s, [&] { return m_asked >= asked && m_stopped >= stopped; });
  }

 private:
  const Along m_there, m_late;
  mutable std::mutex m_mutex;
  mutable std::condition_variable_any m_changed;
  mutable int m_asked = 0, m_stopped = 0;
  bool m_isThere = false;
};

/// Frames, all of them blue.
class Frames final : public scene::VolumeGeometry {
 public:
  Bounds bounds() const override { return box(); }
  bool cast(const scene::VolumeCast&, std::span<float> rgba) const override {
    for (std::size_t n = 0; n < rgba.size(); ++n) rgba[n] = n % 4 >= 2 ? 1 : 0;
    return true;
  }
};

struct View {
  /// In its middle: red, green, blue, alpha.
  std::array<float, 4> cast(const scene::SlabRays& rays, bool whole, const std::stop_token& stop = {}) const {
    scene::Camera camera;
    camera.position = {0, 0, 9};
    camera.target = {0, 0, 0};
    std::vector<float> rgba(std::size_t{4} * kSize * kSize);
    rays.cast({.look = look,
               .scale = scale,
               .camera = camera,
               .width = kSize,
               .height = kSize,
               .rows = kSize,
               .from = {},
               .to = {},
               .whole = whole,
               .stop = stop},
              rgba);
    const auto middle = static_cast<std::size_t>(4 * (kSize / 2 * kSize + kSize / 2));
    return {rgba[middle], rgba[middle + 1], rgba[middle + 2], rgba[middle + 3]};
  }
  scene::VolumeLook look;
  scene::ColorScale scale;
};

const std::array<float, 4> kRed{1, 0, 0, 1}, kGreen{0, 1, 0, 1}, kBlue{0, 0, 1, 1};

std::shared_ptr<LateSlabs> redThenGreen() {
  return std::make_shared<LateSlabs>(slabsOf({255, 0, 0, 255}), slabsOf({0, 255, 0, 255}));
}

}  // namespace

class TestSlabRays : public QObject {
  Q_OBJECT
 private slots:
  void aViewAtRestWaitsUntilItMoves();
  void atRestItShowsWhatItWaitedFor();
  void framesDoNotWaitForWhatIsAskedAhead();
  void whatIsLetGoAsksNoLonger();
};

/// The wait knew nothing of the view that was turned meanwhile: it stood still until the renderer had answered.
void TestSlabRays::aViewAtRestWaitsUntilItMoves() {
  const auto slabs = redThenGreen();
  const scene::SlabRays rays(slabs, std::make_shared<Frames>(), false);
  const View view;
  std::stop_source stop;
  std::future<std::array<float, 4>> atRest =
      std::async(std::launch::async, [&] { return view.cast(rays, true, stop.get_token()); });
  const bool waited = slabs->waitFor(1, 0);
  stop.request_stop();
  const bool ended = atRest.wait_for(20s) == std::future_status::ready;
  if (!ended) slabs->come();
  QVERIFY(waited && ended);
  QVERIFY_THROWS_EXCEPTION(Cancelled, atRest.get());
  // what moves is drawn from what is there
  QCOMPARE(view.cast(rays, false), kRed);
}

/// What another view has the renderer make meanwhile, along another axis, changes nothing of it.
void TestSlabRays::atRestItShowsWhatItWaitedFor() {
  const auto slabs = redThenGreen();
  const scene::SlabRays rays(slabs, std::make_shared<Frames>(), false);
  slabs->come();
  const View view;
  QCOMPARE(view.cast(rays, true), kGreen);
  QCOMPARE(rays.shown().axes, std::string("+z"));
  QCOMPARE(view.cast(rays, false), kRed);
}

void TestSlabRays::framesDoNotWaitForWhatIsAskedAhead() {
  const auto slabs = redThenGreen();
  const scene::SlabRays rays(slabs, std::make_shared<Frames>(), true);
  const View view;
  QCOMPARE(view.cast(rays, false), kRed);
  QVERIFY(slabs->waitFor(1, 0));
  QCOMPARE(view.cast(rays, true), kBlue);
  QVERIFY(slabs->waitFor(1, 1));
  QVERIFY(rays.shown().isFrame);
}

/// Who lets go of the last one waits for the thread that asks.
void TestSlabRays::whatIsLetGoAsksNoLonger() {
  const auto slabs = redThenGreen();
  auto rays = std::make_unique<scene::SlabRays>(slabs, std::make_shared<Frames>(), false);
  QCOMPARE(View().cast(*rays, false), kRed);
  QVERIFY(slabs->waitFor(1, 0));
  std::future<void> gone = std::async(std::launch::async, [&] { rays.reset(); });
  const bool ended = gone.wait_for(20s) == std::future_status::ready;
  if (!ended) slabs->come();
  QVERIFY(ended);
}

}  // namespace farfield::test

QTEST_GUILESS_MAIN(farfield::test::TestSlabRays)
#include "tst_slab_rays.moc"
