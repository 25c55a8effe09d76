// A volume that is watched while a picture of it is written: who looks goes first, and the picture is the same.

#include <QTest>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "core/base/error.h"
#include "render/volume/shown_volume.h"
#include "tests/support/raw_volume.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;

namespace {

constexpr int kWidth = 64, kRows = 2048, kSeenRows = 48;
constexpr std::chrono::seconds kPatience{60};

/// Somebody looks, or writes: a picture of so many rows.
struct Watched {
  Watched() : account(std::uint64_t{256} << 20) {
    test::writeRawVolume(folder / "a.raw");
    data = test::rawAndStoreReaders()->open(test::rawRequest({folder / "a.raw"}), account);
    plan = std::make_shared<fields::FunctionPlan>(data->description(), std::vector<std::string>{"v"});
    fields::PagedDataOptions options;
    options.arrays = plan->arrays();
    options.processors = 2;
    options.cache = fields::sharedCache(account, 2);
    paged = std::make_unique<fields::PagedData>(*data, account, options);
    volume = std::make_unique<volume::ShownVolume>(volume::ShownParts{
        .data = *paged, .function = plan, .account = account, .processors = 2, .watched = true});
  }

  std::vector<float> cast(int rows, const std::stop_token& stop,
                          const std::function<void(std::size_t, std::size_t)>& progress = {}) const {
    scene::VolumeLook look;
    look.opacity = {{0.1, 0}, {1.1, 0.2}};
    look.unitLength = 1;
    const scene::ColorScale scale;
    std::vector<float> rgba(std::size_t{4} * kWidth * static_cast<std::size_t>(rows));
    volume->cast(
        {.look = look,
         .scale = scale,
         .camera = scene::cameraFor(volume->bounds(), {0.3, 0.5, 0.4}, {0, 0, 1}, double{kWidth} / rows),
         .width = kWidth,
         .height = rows,
         .rows = rows,
         .from = {},
         .to = {},
         .stop = stop,
         .progress = progress},
        rgba);
    return rgba;
  }

  test::TemporaryFolder folder;
  MemoryAccount account;
  std::unique_ptr<fields::OpenData> data;
  std::shared_ptr<fields::FunctionPlan> plan;
  std::unique_ptr<fields::PagedData> paged;
  std::unique_ptr<volume::ShownVolume> volume;
};

/// Told once.
class Event {
 public:
  void tell() {
    const std::lock_guard lock(m_mutex);
    m_told = true;
    m_changed.notify_all();
  }
  bool wait(std::chrono::milliseconds most) {
    std::unique_lock lock(m_mutex);
    return m_changed.wait_for(lock, most, [this] { return m_told; });
  }

 private:
  std::mutex m_mutex;
  std::condition_variable m_changed;
  bool m_told = false;
};

}  // namespace

class TestCastTurns : public QObject {
  Q_OBJECT
 private slots:
  void whoLooksNeedNotWaitForAPicture();
  void whoWaitsCanBeStopped();
};

/// Not for more than a few of its rows; and the picture is what it is where nobody looks.
void TestCastTurns::whoLooksNeedNotWaitForAPicture() {
  const Watched watched;
  const std::stop_source never;
  const std::vector<float> wanted = watched.cast(kRows, never.get_token());
  Event writes, looks, seen;
  std::atomic<bool> isWritten = false, seenBefore = false;
  std::vector<float> picture;
  std::jthread writer([&] {
    picture = watched.cast(kRows, {}, [&](std::size_t, std::size_t) {
      writes.tell();
      looks.wait(kPatience);
      seen.wait(std::chrono::milliseconds(250));  // each part takes long
    });
    isWritten = true;
  });
  QVERIFY(writes.wait(kPatience));
  std::jthread looker([&] {
    looks.tell();
    watched.cast(kSeenRows, never.get_token());
    seenBefore = !isWritten;
    seen.tell();
  });
  looker.join();
  writer.join();
  QVERIFY(seenBefore);
  QVERIFY(picture == wanted);
}

/// As when the view is turned: what it waited for is not wanted any more.
void TestCastTurns::whoWaitsCanBeStopped() {
  const Watched watched;
  Event writes, stopped;
  bool wasStopped = false;
  std::atomic<bool> inTime = true;
  std::jthread writer([&] {
    watched.cast(kRows, {}, [&](std::size_t, std::size_t) {
      writes.tell();
      inTime = stopped.wait(kPatience) && inTime;
    });
  });
  QVERIFY(writes.wait(kPatience));
  std::stop_source stop;
  stop.request_stop();
  try {
    watched.cast(kSeenRows, stop.get_token());
  } catch (const Cancelled&) {
    wasStopped = true;
  }
  stopped.tell();
  writer.join();
  QVERIFY(wasStopped && inTime);
}

QTEST_GUILESS_MAIN(TestCastTurns)
#include "tst_cast_turns.moc"
