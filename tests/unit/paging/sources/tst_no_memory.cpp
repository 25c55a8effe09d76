// Sources while the system has no memory or no threads left: every request ends, once, in a page or in an
// error that names it; nothing hangs and nothing ends the program.

#include <QTest>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <future>
#include <new>

#include "core/base/error.h"
#include "core/paging/sources/box_source.h"
#include "core/paging/sources/placed_source.h"
#include "core/paging/sources/source_wait.h"
#include "core/paging/store/index_cache.h"
#include "tests/contract/page_file.h"
#include "tests/contract/sample_data.h"
#include "tests/support/refused_calls.h"
#include "tests/support/temporary_folder.h"

namespace {

/// Allocations of all threads that still succeed; negative: all do.
std::atomic<std::int64_t> g_left{-1};

bool mayAllocate() {
  std::int64_t left = g_left.load();
  while (left > 0 && !g_left.compare_exchange_weak(left, left - 1)) {
  }
  return left != 0;
}

}  // namespace

void* operator new(std::size_t bytes) {
  void* const memory = mayAllocate() ? std::malloc(bytes == 0 ? 1 : bytes) : nullptr;
  if (!memory) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace farfield::paging {
namespace {

/// Counts how requests end; needs no memory for that.
class CountingSink final : public PageSink {
 public:
  void arrived(std::uint64_t, const StoredPage&) noexcept override { ++good, ++ended; }
  void failed(std::uint64_t, std::exception_ptr error) noexcept override {
    try {
      std::rethrow_exception(error);
    } catch (const Io& known) {
      if (std::strstr(known.what(), "memory")) ++named;
    } catch (...) {
    }
    ++ended;
  }
  std::atomic<std::size_t> good{0}, named{0}, ended{0};
};

bool refuseThreads() {
  return test::refuseCalls({SYS_clone3, SYS_clone}, EAGAIN);
}

}  // namespace

class TestNoMemory : public QObject {
  Q_OBJECT

  test::TemporaryFolder m_folder;
  using Make = std::function<std::unique_ptr<PageSource>(MemoryAccount&)>;

  std::unique_ptr<PageSource> placed(MemoryAccount& account, EngineKind kind, bool allKnown) {
    auto file =
        std::make_unique<test::PageFile>(test::PageFile::write(m_folder / "pages", Codec::None, allKnown));
    return std::make_unique<PlacedSource>(std::move(file), account,
                                          PlacedSourceOptions{.engine = {.kind = kind}});
  }

  /// Fails allocations from the n-th on, for each n until none fails; memory comes back once `read` is over, or
  /// when every request has ended.
  static void everyAllocationFails(const Make& make) {
    bool sawFailure = false, sawSuccess = false;
    for (std::int64_t left = 0; left < 2000 && !sawSuccess; left += left < 40 ? 1 : 97) {
      MemoryAccount account(64 << 20);
      const auto source = make(account);
      CountingSink sink;
      std::vector<PageRequest> requests;
      for (std::uint32_t array = 0; array < source->description().arrays.size(); ++array)
        for (std::int64_t page = 0; page < source->description().arrays[array].pageCount(); ++page)
          requests.push_back({.array = array, .page = static_cast<std::uint64_t>(page), .sink = &sink});
      g_left = left;
      source->read(requests);
      reapUntil(*source, [&] { return sink.ended == requests.size(); });
      g_left = -1;
      QCOMPARE(sink.ended.load(), requests.size());
      QCOMPARE(sink.good + sink.named, requests.size());
      sawFailure = sawFailure || sink.named > 0;
      sawSuccess = sink.named == 0;
      // And afterwards all is well.
      const std::uint64_t first = 0;
      QVERIFY(!fetchNodes(*source, 0, first).empty());
    }
    QVERIFY(sawFailure && sawSuccess);
  }

 private slots:
  void pagesOfFormulas() {
    everyAllocationFails([](MemoryAccount& account) {
      return std::make_unique<BoxSource>(test::sampleReader(), account, BoxSourceOptions{}, "sample");
    });
  }
  void pagesReadByThreads() {
    everyAllocationFails([](MemoryAccount& account) {
      return std::make_unique<BoxSource>(test::sampleReader(), account, BoxSourceOptions{.readers = 2},
                                         "sample");
    });
  }
  void pagesOfFiles() {
    everyAllocationFails([this](MemoryAccount& account) { return placed(account, EngineKind::Auto, true); });
  }
  void pagesOfFilesByThreads() {
    everyAllocationFails(
        [this](MemoryAccount& account) { return placed(account, EngineKind::Threads, true); });
  }
  void pagesWhosePlacesAreLookedUp() {
    everyAllocationFails([this](MemoryAccount& account) { return placed(account, EngineKind::Auto, false); });
  }

  /// What the index has no memory for is absent again: others do not wait for it, and it takes no room.
  void nodesOfTheIndex() {
    constexpr std::uint64_t kNodeBytes = 100;
    bool sawFailure = false, sawSuccess = false;
    for (std::int64_t left = 0; left < 50 && !sawSuccess; ++left) {
      MemoryAccount account(1 << 20);
      detail::IndexCache cache(kNodeBytes, account);  // room for one
      const detail::IndexCache::Load load = [](std::span<std::byte>) {};
      const detail::IndexCache::Use use = [](std::span<const std::byte>) {};
      bool isThere = false;
      g_left = left;
      try {
        cache.with({.node = 1}, kNodeBytes, load, use);
        isThere = true;
      } catch (const std::bad_alloc&) {
      }
      g_left = -1;
      (isThere ? sawSuccess : sawFailure) = true;
      QCOMPARE(cache.counters().cachedBytes, isThere ? kNodeBytes : 0);
      for (const std::int64_t node : {1, 2}) {
        std::future<void> other =
            std::async(std::launch::async, [&, node] { cache.with({.node = node}, kNodeBytes, load, use); });
        if (other.wait_for(std::chrono::seconds(20)) != std::future_status::ready)
          qFatal("who needs a node waits for ever");
        other.get();
      }
    }
    QVERIFY(sawFailure && sawSuccess);
  }

  void threadsThatCannotBeStarted() {
#ifdef FARFIELD_SANITIZED
    QSKIP("sanitizers allow no threads after a fork");
#endif
    const auto sayThreads = [](const std::function<void()>& make) {
      try {
        make();
      } catch (const Io& error) {
        return std::strstr(error.what(), "no thread can be started for reading") ? 0 : 2;
      } catch (...) {
        return 3;
      }
      return 1;
    };
    const int boxes = test::statusInChild(&refuseThreads, [&] {
      MemoryAccount account(64 << 20);
      return sayThreads(
          [&] { const BoxSource source(test::sampleReader(), account, {.readers = 2}, "sample"); });
    });
    if (boxes == 77) QSKIP("no system call filters here");
    QCOMPARE(boxes, 0);
    QCOMPARE(test::statusInChild(&refuseThreads,
                                 [&] {
                                   MemoryAccount account(64 << 20);
                                   return sayThreads([&] { placed(account, EngineKind::Threads, true); });
                                 }),
             0);
    if (!whyNoUring().empty()) return;
    // Without a thread for places, whoever asks looks them up.
    QCOMPARE(test::statusInChild(
                 &refuseThreads,
                 [&] {
                   MemoryAccount account(64 << 20);
                   const auto source = placed(account, EngineKind::Uring, false);
                   return fetchNodes(*source, 0, 0) == test::samplePage(source->description(), 0, 0) ? 0 : 1;
                 }),
             0);
  }
};

}  // namespace farfield::paging

QTEST_APPLESS_MAIN(farfield::paging::TestNoMemory)
#include "tst_no_memory.moc"
