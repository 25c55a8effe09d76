// Volumes over the frames of a view: what was cast for a picture that is kept is shown, too.

#include <QScopeGuard>
#include <QTest>
#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "render/qt3d/fine_frame.h"
#include "render/qt3d/volume_layer.h"

using namespace farfield;
using qt3d::Frame;
using qt3d::VolumeLayer;

namespace {

constexpr QSize kPixels(40, 30);
constexpr int kPatienceMs = 60000;

/// White where nothing is before it. A picture of all rays takes a while.
class SlowVolume final : public scene::VolumeGeometry {
 public:
  Bounds bounds() const override {
    Bounds box;
    box.add(Vec3{0, 0, 0});
    box.add(Vec3{1, 1, 1});
    return box;
  }
  bool cast(const scene::VolumeCast& cast, std::span<float> rgba) const override {
    ++m_begun;
    for (int n = 0; cast.whole && n < 20; ++n) {
      if (cast.stop.stop_requested()) throw Cancelled();
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    while (m_held) {
      if (cast.stop.stop_requested()) throw Cancelled();
      if (cast.progress) cast.progress(1, 2);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    std::fill(rgba.begin(), rgba.end(), cast.to.empty() ? 1.0F : 0.0F);
    if (cast.whole) ++m_whole;
    return cast.whole || !m_refines;
  }
  /// Whether it has more to show than a first picture, which is done otherwise.
  void refine(bool on) { m_refines = on; }
  int wholePictures() const { return m_whole; }
  int begun() const { return m_begun; }
  /// Whether no picture is to end.
  void hold(bool held) { m_held = held; }

 private:
  mutable std::atomic<int> m_whole = 0, m_begun = 0;
  std::atomic<bool> m_held = false, m_refines = false;
};

Frame frameOf(float depth) {
  Frame frame;
  frame.image = QImage(kPixels, QImage::Format_RGB32);
  frame.image.fill(Qt::black);
  frame.view.camera = {{0.5, 0.5, 4}, {0.5, 0.5, 0.5}, {0, 1, 0}, 30};
  frame.view.bounds = SlowVolume().bounds();
  frame.view.pixels = kPixels;
  frame.depthPixels = kPixels;
  frame.depths.assign(std::size_t(kPixels.width()) * std::size_t(kPixels.height()), depth);
  return frame;
}

/// From another place for each number.
Frame frameOfView(std::uint64_t number) {
  Frame frame = frameOf(1);
  frame.view.number = number;
  frame.view.camera.position.x += 0.01 * double(number);
  return frame;
}

using State = qt3d::VolumeSight::State;

/// What is said.
class Said {
 public:
  void add(State state) {
    const std::lock_guard lock(m_mutex);
    m_states.push_back(state);
  }
  /// Since the last call.
  std::vector<State> take() {
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_states, {});
  }
  std::size_t count() const {
    const std::lock_guard lock(m_mutex);
    return m_states.size();
  }
  State last() const {
    const std::lock_guard lock(m_mutex);
    return m_states.empty() ? State::Failed : m_states.back();
  }
  bool areAll(State state) const {
    const std::lock_guard lock(m_mutex);
    return std::all_of(m_states.begin(), m_states.end(), [&](State each) { return each == state; });
  }

 private:
  mutable std::mutex m_mutex;
  std::vector<State> m_states;
};

}  // namespace

class TestVolumeLayer : public QObject {
  Q_OBJECT
 private slots:
  void keptPicturesAreShown();
  void whatWaitsForANewViewSaysSo();
  void whatFailsLateIsNotWhatCameInItsPlace();
  void whatWasWithdrawnIsNotCastAgainAndAgain();
  void stopsHoldWhileAViewComes();
  void stopsHoldInTheViewThatTheyWereFor();
  void nothingIsSaidAfterAStop();
  void edgesAreBeforeAndBehind();
};

// Frames in full detail come with pictures that are kept: where these followed each other faster than the volume could be cast,
// the view never showed it with the depths of the new frame.
void TestVolumeLayer::keptPicturesAreShown() {
  const auto volume = std::make_shared<SlowVolume>();
  std::mutex mutex;
  QImage shown;
  std::atomic<int> complete = 0;
  VolumeLayer layer({.made =
                         [&](const Frame& made) {
                           const std::lock_guard lock(mutex);
                           shown = made.image;
                         },
                     .seen =
                         [&](const QString&, const qt3d::VolumeSight& sight) {
                           if (sight.state == qt3d::VolumeSight::State::Complete) ++complete;
                         }});
  const auto colour = [&] {
    const std::lock_guard lock(mutex);
    return shown.isNull() ? QColor() : shown.pixelColor(20, 15);
  };
  layer.setVolumes({{"v", volume, {}, {}, 1}});
  layer.present(frameOf(1));
  QTRY_VERIFY_WITH_TIMEOUT(complete > 0, kPatienceMs);
  QTRY_COMPARE_WITH_TIMEOUT(colour(), QColor(Qt::white), kPatienceMs);
  const int before = volume->wholePictures();
  // Something opaque is in front of it now.
  const Frame hidden = frameOf(0.1F);
  for (int n = 0; n < 5; ++n) {
    std::atomic<bool> done = false;
    QImage kept;
    layer.finish(hidden, [&](const Frame& made) {
      kept = made.image;
      done = true;
    });
    layer.present(hidden);
    while (!done) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    QCOMPARE(kept.pixelColor(20, 15), QColor(Qt::black));
  }
  QCOMPARE(colour(), QColor(Qt::black));
  // Once as a rule; once more where the frame came after the picture was made.
  QVERIFY(volume->wholePictures() <= before + 2);
}

/// Cannot be cast, which it says when it may.
class LateFailure final : public scene::VolumeGeometry {
 public:
  Bounds bounds() const override { return SlowVolume().bounds(); }
  bool cast(const scene::VolumeCast&, std::span<float>) const override {
    ++m_begun;
    while (m_held) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    throw Invalid("is damaged");
  }
  bool isBegun() const { return m_begun > 0; }
  void release() { m_held = false; }

 private:
  mutable std::atomic<int> m_begun = 0;
  std::atomic<bool> m_held = true;
};

void TestVolumeLayer::whatFailsLateIsNotWhatCameInItsPlace() {
  const auto damaged = std::make_shared<LateFailure>();
  std::atomic<int> complete = 0, failed = 0;
  VolumeLayer layer({.made = [](const Frame&) {},
                     .seen =
                         [&](const QString&, const qt3d::VolumeSight& sight) {
                           if (sight.state == qt3d::VolumeSight::State::Complete) ++complete;
                           if (sight.state == qt3d::VolumeSight::State::Failed) ++failed;
                         }});
  layer.setVolumes({{"v", damaged, {}, {}, 1}});
  layer.present(frameOf(1));
  const auto release = qScopeGuard([&] { damaged->release(); });
  QTRY_VERIFY_WITH_TIMEOUT(damaged->isBegun(), kPatienceMs);
  // Read again meanwhile, say: another volume of that name.
  layer.setVolumes({{"v", std::make_shared<SlowVolume>(), {}, {}, 1}});
  damaged->release();
  QTRY_VERIFY_WITH_TIMEOUT(complete + failed > 0, kPatienceMs);
  QCOMPARE(failed, 0);
  QCOMPARE(complete, 1);
}

namespace {

/// As after its pages were given back: nothing is cast any more.
class Withdrawn final : public scene::VolumeGeometry {
 public:
  Bounds bounds() const override { return SlowVolume().bounds(); }
  bool cast(const scene::VolumeCast&, std::span<float>) const override {
    ++m_begun;
    throw Cancelled();
  }
  int begun() const { return m_begun; }

 private:
  mutable std::atomic<int> m_begun = 0;
};

}  // namespace

void TestVolumeLayer::whatWasWithdrawnIsNotCastAgainAndAgain() {
  const auto withdrawn = std::make_shared<Withdrawn>();
  std::atomic<int> gone = 0, complete = 0;
  VolumeLayer layer({.made = [](const Frame&) {},
                     .seen =
                         [&](const QString& id, const qt3d::VolumeSight& sight) {
                           if (id == "w" && sight.state == State::Withdrawn) ++gone;
                           if (sight.state == qt3d::VolumeSight::State::Complete) ++complete;
                         }});
  layer.setVolumes({{"w", withdrawn, {}, {}, 1}, {"v", std::make_shared<SlowVolume>(), {}, {}, 1}});
  layer.present(frameOf(1));
  QTRY_VERIFY_WITH_TIMEOUT(complete > 0, kPatienceMs);  // the other goes on
  QCOMPARE(gone, 1);
  QCOMPARE(withdrawn->begun(), 1);
  layer.setVolumes({{"w", std::make_shared<SlowVolume>(), {}, {}, 1}});
  complete = 0;
  QTRY_VERIFY_WITH_TIMEOUT(complete > 0, kPatienceMs);  // once it is handed out anew it is there
}

/// Until something is cast for a view of another size, the picture is that of the last one, and is not called complete.
void TestVolumeLayer::whatWaitsForANewViewSaysSo() {
  const auto volume = std::make_shared<SlowVolume>();
  std::mutex mutex;
  std::vector<qt3d::VolumeSight::State> states;
  VolumeLayer layer({.made = [](const Frame&) {},
                     .seen =
                         [&](const QString&, const qt3d::VolumeSight& sight) {
                           const std::lock_guard lock(mutex);
                           states.push_back(sight.state);
                         }});
  const auto last = [&] {
    const std::lock_guard lock(mutex);
    return states.empty() ? qt3d::VolumeSight::State::Failed : states.back();
  };
  layer.setVolumes({{"v", volume, {}, {}, 1}});
  layer.present(frameOf(1));
  QTRY_COMPARE_WITH_TIMEOUT(last(), qt3d::VolumeSight::State::Complete, kPatienceMs);
  volume->hold(true);
  Frame larger = frameOf(1);
  larger.view.pixels = 2 * kPixels;
  layer.present(larger);
  const auto said = last();
  volume->hold(false);
  QCOMPARE(said, qt3d::VolumeSight::State::Refining);
  QTRY_COMPARE_WITH_TIMEOUT(last(), qt3d::VolumeSight::State::Complete, kPatienceMs);
}

/// What is stopped is the newest view, of which finer frames come before the first one of it was taken.
void TestVolumeLayer::stopsHoldWhileAViewComes() {
  const auto volume = std::make_shared<SlowVolume>();
  Said said;
  VolumeLayer layer({.made = [](const Frame&) {},
                     .seen = [&](const QString&, const qt3d::VolumeSight& sight) { said.add(sight.state); }});
  volume->hold(true);
  layer.setVolumes({{"v", volume, {}, {}, 1}});
  layer.present(frameOfView(1));
  QTRY_COMPARE_WITH_TIMEOUT(volume->begun(), 1, kPatienceMs);
  layer.present(frameOfView(2));
  layer.stopRefining(2);
  layer.present(frameOfView(2));
  said.take();
  volume->hold(false);
  QTRY_COMPARE_WITH_TIMEOUT(volume->begun(), 2, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(said.count() >= 1, kPatienceMs);
  QVERIFY(said.areAll(State::Stopped));
  QCOMPARE(volume->begun(), 2);
  layer.present(frameOfView(3));  // goes on
  QTRY_COMPARE_WITH_TIMEOUT(said.last(), State::Complete, kPatienceMs);
}

/// Also where its frame is still being drawn; frames of views before it and behind it change nothing of that.
void TestVolumeLayer::stopsHoldInTheViewThatTheyWereFor() {
  const auto volume = std::make_shared<SlowVolume>();
  volume->refine(true);
  Said said;
  VolumeLayer layer({.made = [](const Frame&) {},
                     .seen = [&](const QString&, const qt3d::VolumeSight& sight) { said.add(sight.state); }});
  layer.setVolumes({{"v", volume, {}, {}, 1}});
  layer.present(frameOfView(1));
  QTRY_COMPARE_WITH_TIMEOUT(said.last(), State::Complete, kPatienceMs);
  layer.stopRefining(3);
  layer.present(frameOfView(2));
  layer.present(frameOfView(3));
  QTRY_COMPARE_WITH_TIMEOUT(said.last(), State::Stopped, kPatienceMs);
  said.take();
  const int whole = volume->wholePictures();
  layer.present(frameOfView(3));
  QCOMPARE(volume->wholePictures(), whole);
  QVERIFY(said.areAll(State::Stopped));
  layer.present(frameOfView(4));
  QTRY_COMPARE_WITH_TIMEOUT(said.last(), State::Complete, kPatienceMs);
  layer.stopRefining(4);  // nothing is left to be stopped
  QCOMPARE(said.last(), State::Complete);
}

/// That it is being refined: the first pass goes on for a while, and tells how far it is.
void TestVolumeLayer::nothingIsSaidAfterAStop() {
  const auto volume = std::make_shared<SlowVolume>();
  Said said;
  VolumeLayer layer({.made = [](const Frame&) {},
                     .seen = [&](const QString&, const qt3d::VolumeSight& sight) { said.add(sight.state); }});
  volume->hold(true);
  layer.setVolumes({{"v", volume, {}, {}, 1}});
  layer.present(frameOfView(1));
  QTRY_COMPARE_WITH_TIMEOUT(said.last(), State::Refining, kPatienceMs);
  layer.stopRefining(1);
  said.take();
  QTRY_VERIFY_WITH_TIMEOUT(said.count() >= 2, kPatienceMs);
  QVERIFY(said.areAll(State::Stopped));
  volume->hold(false);
}

/// A line that covers some of the samples of a pixel has that part of it, and the volume the rest.
void TestVolumeLayer::edgesAreBeforeAndBehind() {
  class Cover final : public scene::VolumeGeometry {
   public:
    Bounds bounds() const override { return SlowVolume().bounds(); }
    /// White and opaque from a distance of 3 on.
    bool cast(const scene::VolumeCast& cast, std::span<float> rgba) const override {
      for (std::size_t n = 0; n < rgba.size(); ++n)
        rgba[n] = cast.to.empty() || cast.to[n / 4] > 3 ? 1.0F : 0.0F;
      return true;
    }
  };
  // Red lines on black: two samples in each of the pixels, of which one column is before the volume and one behind it.
  Frame frame = frameOf(1);
  frame.depthPixels = 2 * kPixels;
  const int width = frame.depthPixels.width(), height = frame.depthPixels.height();
  frame.depths.assign(std::size_t(width) * std::size_t(height), 1);
  QImage fine(frame.depthPixels, QImage::Format_RGB32);
  fine.fill(Qt::black);
  for (int y = 0; y < height; ++y)
    for (const auto& [x, depth] : {std::pair(20, 0.001F), {60, 0.9999F}}) {
      frame.depths[std::size_t(y) * std::size_t(width) + std::size_t(x)] = depth;
      fine.setPixelColor(x, y, Qt::red);
    }
  // The same in bands, the last of which begins in the one before.
  Frame banded;
  banded.view = frame.view;
  const int rows = (kPixels.height() + 2) / 3;
  for (int row = 0; row < kPixels.height(); row += rows) {
    const int first = std::min(row, kPixels.height() - rows);
    Frame band;
    band.view = frame.view;
    const QImage part = fine.copy(0, 2 * first, width, 2 * rows);
    band.depthPixels = part.size();
    const auto from = frame.depths.begin() + std::ptrdiff_t(2 * first) * width;
    band.depths.assign(from, from + std::ptrdiff_t(2 * rows) * width);
    qt3d::mergeSamples(part, band, first);
    qt3d::putBand(band, first, banded);
  }
  qt3d::mergeSamples(fine, frame);
  QVERIFY(banded.image == frame.image && banded.edges == frame.edges && banded.depths == frame.depths &&
          banded.edgeDepths == frame.edgeDepths && banded.depthPixels == frame.depthPixels);
  QCOMPARE(frame.image.pixelColor(10, 15), QColor(128, 0, 0));
  QCOMPARE(frame.edges.pixelColor(9, 15).alpha(), 0);
  VolumeLayer layer({.made = [](const Frame&) {}, .seen = {}});
  layer.setVolumes({{"v", std::make_shared<Cover>(), {}, {}, 1}});
  QImage kept;
  std::atomic<bool> done = false;
  layer.finish(frame, [&](const Frame& made) {
    kept = made.image;
    done = true;
  });
  while (!done) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  for (int y = 0; y < kPixels.height(); ++y)
    for (int x = 0; x < kPixels.width(); ++x) {
      const QColor made = kept.pixelColor(x, y);
      const QColor wanted = x == 10 ? QColor(255, 127, 127) : QColor(Qt::white);
      QVERIFY2(std::abs(made.red() - wanted.red()) <= 1 && std::abs(made.green() - wanted.green()) <= 1 &&
                   std::abs(made.blue() - wanted.blue()) <= 1,
               qPrintable(QString("%1 %2 %3").arg(x).arg(y).arg(made.name())));
    }
}

QTEST_GUILESS_MAIN(TestVolumeLayer)
#include "tst_volume_layer.moc"
