// What single sources do beyond the common contract: merging, errors of a part of a read, direct reads, the
// choice of the engine, how boxes are cut, copies in memory.

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <QTest>
#include <atomic>
#include <chrono>
#include <cstring>
#include <semaphore>
#include <thread>

#include "bench/devices/scripted_source.h"
#include "core/paging/bytes/local_file.h"
#include "core/paging/pages/page_text.h"
#include "core/paging/sources/box_source.h"
#include "core/paging/sources/memory_reader.h"
#include "core/paging/sources/placed_source.h"
#include "tests/contract/collecting_sink.h"
#include "tests/contract/page_file.h"
#include "tests/contract/sample_data.h"
#include "tests/support/refused_calls.h"
#include "tests/support/temporary_folder.h"

namespace farfield::paging {
namespace {

using test::CollectingSink;
using test::PageFile;
using test::samplePage;

std::string textOf(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& known) {
    return known.what();
  }
}

template <class Kind>
bool isA(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Kind&) {
    return true;
  } catch (...) {
    return false;
  }
}

/// Eight pages of 4 KiB of this process's own memory, read through /proc/self/mem: behind pages 2 and 5 there
/// is nothing but the end of an empty file, which the kernel reports as an input/output error, as it does a
/// bad spot of a disk.
class BadSpots final : public PlaceMap {
 public:
  BadSpots() {
    m_base = static_cast<std::byte*>(
        ::mmap(nullptr, 8 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    for (int page = 0; page < 8; ++page) std::memset(m_base + page * 4096, page + 1, 4096);
    const int empty = ::memfd_create("empty", MFD_CLOEXEC);
    for (const int page : {2, 5})
      ::mmap(m_base + page * 4096, 4096, PROT_READ, MAP_SHARED | MAP_FIXED, empty, 0);
    ::close(empty);
    m_description.times = {0};
    m_description.blocks.resize(1);
    m_description.arrays.push_back({.name = "bytes",
                                    .layout = PageLayout::ofExtent({8 * 4096, 1, 1}, {4096, 1, 1}),
                                    .type = ScalarType::U8});
  }
  ~BadSpots() override { ::munmap(m_base, 8 * 4096); }
  const DatasetDescription& description() const override { return m_description; }
  std::uint64_t maxStoredBytes(std::uint32_t) const override { return 4096; }
  PageExtent place(std::uint32_t, std::uint64_t page) const override {
    return {.offset = reinterpret_cast<std::uintptr_t>(m_base) + page * 4096, .bytes = 4096};
  }
  ByteObjects objects() const override { return {LocalFile::open("/proc/self/mem")}; }

 private:
  DatasetDescription m_description;
  std::byte* m_base = nullptr;
};

/// Pages that were never written and are filled in, by what only one of them can have at a time.
class Holes final : public PlaceMap {
 public:
  explicit Holes(std::atomic<int>& nested) : m_nested(nested) {
    m_description.times = {0};
    m_description.blocks.resize(1);
    m_description.arrays.push_back({.name = "bytes",
                                    .layout = PageLayout::ofExtent({200 * 64, 1, 1}, {64, 1, 1}),
                                    .type = ScalarType::U8});
  }
  const DatasetDescription& description() const override { return m_description; }
  std::uint64_t maxStoredBytes(std::uint32_t) const override { return 64; }
  PageExtent place(std::uint32_t, std::uint64_t) const override { return {}; }
  bool fillsMissing() const override { return true; }
  void deliver(const PageRequest& request, const PageExtent&, std::span<const std::byte>) const override {
    if (m_filling.exchange(true)) return ++m_nested, request.sink->failed(request.tag, {});
    const std::vector<std::byte> filled(64, std::byte{7});
    request.sink->arrived(request.tag, {filled, Codec::None, false, 0, true});
    m_filling = false;
  }
  ByteObjects objects() const override { return {LocalFile::open("/proc/self/exe")}; }

 private:
  DatasetDescription m_description;
  std::atomic<int>& m_nested;
  mutable std::atomic<bool> m_filling = false;
};

/// Asks for the next page once one has come, as a cache does for tasks that wait.
class OneAfterAnother final : public PageSink {
 public:
  explicit OneAfterAnother(PageSource& source) : m_source(source) {}
  void ask(std::uint64_t page) noexcept {
    const PageRequest request{.page = page, .sink = this, .tag = page};
    m_source.read({&request, 1});
  }
  void arrived(std::uint64_t tag, const StoredPage& page) noexcept override {
    m_bytes += page.bytes.size();
    if (tag + 1 < 200) return ask(tag + 1);
    m_done.release();
  }
  void failed(std::uint64_t, std::exception_ptr) noexcept override { m_done.release(); }
  bool waits() { return m_done.try_acquire_for(std::chrono::minutes(1)); }
  std::size_t bytes() const { return m_bytes; }

 private:
  PageSource& m_source;
  std::atomic<std::size_t> m_bytes = 0;
  std::binary_semaphore m_done{0};
};

std::vector<EngineKind> engines() {
  if (whyNoUring().empty()) return {EngineKind::Threads, EngineKind::Uring};
  return {EngineKind::Threads};
}

}  // namespace

class TestSources : public QObject {
  Q_OBJECT

 private:
  test::TemporaryFolder m_folder;

  std::unique_ptr<PageFile> pageFile(const std::string& name, bool allKnown, std::size_t gap = 0) {
    return std::make_unique<PageFile>(PageFile::write(m_folder / name, Codec::Zstd, allKnown, gap));
  }

  /// A source that reads past the system's cache; null where the file system has no direct reads.
  static std::unique_ptr<PlacedSource> pastCache(std::unique_ptr<PageFile> file, MemoryAccount& account,
                                                 EngineKind engine) {
    try {
      return std::make_unique<PlacedSource>(
          std::move(file), account,
          PlacedSourceOptions{.engine = {.kind = engine, .systemCache = SystemCache::Bypass}});
    } catch (const Io&) {
      return nullptr;
    }
  }

 private slots:
  void neighboursAreReadTogether() {
    for (const EngineKind engine : engines()) {
      SourceCounters counters[2];
      for (const bool merging : {false, true}) {
        MemoryAccount account(64 << 20);
        PlacedSource source(pageFile("neighbours", true), account,
                            {.engine = {.kind = engine}, .maxMergedBytes = merging ? 65'536u : 0u});
        QCOMPARE(std::string(source.reader().engineName()), std::string(nameOf(engine)));
        CollectingSink sink(source, samplePage);
        source.read(test::everyPage(source, sink));
        sink.waitFor(source);
        QCOMPARE(sink.good(), sink.asked());
        counters[merging] = source.counters();
        if (!merging) QCOMPARE(counters[0].reads, sink.asked());
      }
      QCOMPARE(counters[1].bytesRead, counters[0].bytesRead);
      QVERIFY(counters[1].reads * 4 < counters[0].reads);
    }
  }

  void gapsAreReadWhereTheyAreSmall() {
    for (const std::uint64_t allowed : {0u, 500u}) {
      MemoryAccount account(64 << 20);
      PlacedSource source(pageFile("gaps", true, 400), account, {.mergeGapBytes = allowed});
      CollectingSink sink(source, samplePage);
      source.read(test::everyPage(source, sink));
      sink.waitFor(source);
      QCOMPARE(sink.good(), sink.asked());
      if (allowed == 0) QCOMPARE(source.counters().reads, sink.asked());
      if (allowed == 500) QVERIFY(source.counters().reads * 4 < sink.asked());
    }
  }

  void aBadSpotHarmsItsOwnPageOnly() {
    for (const EngineKind engine : engines()) {
      MemoryAccount account(64 << 20);
      PlacedSource source(std::make_unique<BadSpots>(), account, {.engine = {.kind = engine}});
      CollectingSink sink(source, [](const DatasetDescription&, std::uint32_t, std::uint64_t page) {
        return std::vector<std::byte>(4096, static_cast<std::byte>(page + 1));
      });
      source.read(test::everyPage(source, sink));
      sink.waitFor(source);
      QCOMPARE(QString::fromStdString(sink.complaint()), QString());
      QCOMPARE(sink.good(), std::size_t{6});
      const auto errors = sink.errors();
      QCOMPARE(errors.size(), std::size_t{2});
      for (const std::uint64_t page : {2, 5}) {
        QVERIFY(isA<Io>(errors.at(page)));
        const std::string text = textOf(errors.at(page));
        QVERIFY2(text.find("file /proc/self/mem: array bytes of block 0: page " + std::to_string(page)) == 0,
                 text.c_str());
      }
    }
  }

  /// Who gets one asks for more at once; what fills one in is not needed again before it is done.
  void whatIsFilledInIsNotDeliveredWithinARequest() {
    MemoryAccount account(64 << 20);
    std::atomic<int> nested = 0;
    PlacedSource source(std::make_unique<Holes>(nested), account, {});
    OneAfterAnother sink(source);
    sink.ask(0);
    QVERIFY(sink.waits());
    QCOMPARE(nested.load(), 0);
    QCOMPARE(sink.bytes(), std::size_t{200 * 64});
  }

  void impossiblePlacesAreErrors() {
    auto file = pageFile("impossible", true);
    file->replace(0, 0, {.offset = 100, .bytes = 0});
    file->replace(0, 1, {.offset = ~0ull - 10, .bytes = 100});
    file->replace(0, 2, {.offset = 100, .bytes = 1ull << 40});
    file->replace(0, 3, {.object = 7, .offset = 100, .bytes = 10});
    MemoryAccount account(64 << 20);
    PlacedSource source(std::move(file), account, {});
    CollectingSink sink(source, samplePage);
    source.read(test::everyPage(source, sink));
    sink.waitFor(source);
    QCOMPARE(sink.errors().size(), std::size_t{4});
    QVERIFY(isA<NotFound>(sink.errors().at(0)));
    for (const std::uint64_t page : {1, 2, 3}) QVERIFY(isA<Corrupt>(sink.errors().at(page)));
  }

  void directReads() {
    for (const EngineKind engine : engines()) {
      MemoryAccount account(64 << 20);
      const auto source = pastCache(pageFile("direct", false, 77), account, engine);
      if (!source) QSKIP("the file system of temporary files has no direct reads");
      CollectingSink sink(*source, samplePage);
      source->read(test::everyPage(*source, sink));
      sink.waitFor(*source);
      QCOMPARE(QString::fromStdString(sink.complaint()), QString());
      QCOMPARE(sink.good(), sink.asked());
    }
  }

  void aFileCutShortIsToldPastTheCacheToo() {
    for (const EngineKind engine : engines()) {
      auto file = pageFile("cut", true);
      const std::uint64_t pages = static_cast<std::uint64_t>(file->description().arrays[0].pageCount());
      const PageExtent last = file->place(0, pages - 1);
      std::filesystem::resize_file(file->path(), last.offset + last.bytes / 2);
      MemoryAccount account(64 << 20);
      const auto source = pastCache(std::move(file), account, engine);
      if (!source) QSKIP("the file system of temporary files has no direct reads");
      CollectingSink sink(*source, samplePage);
      source->read(test::everyPage(*source, sink));
      sink.waitFor(*source);
      const auto errors = sink.errors();
      QVERIFY(!errors.empty() && sink.good() >= pages - 1);
      for (const auto& [page, error] : errors) QVERIFY2(isA<Corrupt>(error), textOf(error).c_str());
    }
  }

  void smallFilesAreReadThroughTheCache() {
    MemoryAccount account(64 << 20);
    const PlacedSource source(pageFile("small", false, 77), account, {});
    QVERIFY(!source.reader().bypassesSystemCache());
  }

  void changedFilesAreErrors() {
    for (const EngineKind engine : engines()) {
      auto file = pageFile("changed", true);
      const std::filesystem::path path = file->path();
      MemoryAccount account(64 << 20);
      PlacedSource source(std::move(file), account, {.engine = {.kind = engine}});
      fetchNodes(source, 0, 0);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));  // longer than the file's clock ticks
      File::openForWriting(path, false).writeAt(0, std::vector<std::byte>(1));
      CollectingSink sink(source, samplePage);
      source.read(test::everyPage(source, sink));
      sink.waitFor(source);
      QCOMPARE(sink.good(), std::size_t{0});
      for (const auto& [page, error] : sink.errors()) {
        QVERIFY(isA<Corrupt>(error));
        QVERIFY2(textOf(error).find("has changed since it was opened") != std::string::npos,
                 textOf(error).c_str());
      }
    }
  }

  void withoutUringThereAreThreads() {
#ifdef FARFIELD_SANITIZED
    QSKIP("sanitizers allow no threads after a fork");
#endif
    const auto file = pageFile("refused", true);
    const int status = test::statusInChild(&test::refuseIoUring, [&] {
      MemoryAccount account(64 << 20);
      PlacedSource source(std::make_unique<PageFile>(*file), account, {});
      const bool right = fetchNodes(source, 0, 0) == samplePage(source.description(), 0, 0);
      bool refused = false;
      try {
        PlacedSource other(std::make_unique<PageFile>(*file), account,
                           {.engine = {.kind = EngineKind::Uring}});
      } catch (const Unsupported&) {
        refused = true;
      }
      return std::string(source.reader().engineName()) != "threads" ? 1 : !right ? 2 : !refused ? 3 : 0;
    });
    if (status == 77) QSKIP("no system call filters here");
    QCOMPARE(status, 0);
  }

  void boxesAreCutAsAsked() {
    MemoryAccount account(64 << 20);
    BoxSource described(test::sampleReader(8), account, {}, "sample");
    QCOMPARE(described.description().pageEdge, 8);
    QCOMPARE(described.description().arrays[0].layout, PageLayout::even({37, 20, 11}, 8));
    BoxSource even(test::sampleReader(8), account, {.cut = PageCut::Even, .pageEdge = 16}, "sample");
    QCOMPARE(even.description().pageEdge, 16);
    QCOMPARE(even.description().arrays[0].layout, PageLayout::even({37, 20, 11}, 16));
    BoxSource whole(test::sampleReader(8), account, {.cut = PageCut::WholeBlock}, "sample");
    QCOMPARE(whole.description().pageEdge, 0);
    QCOMPARE(whole.description().arrays[1].pageCount(), std::int64_t{3});
    QVERIFY_EXCEPTION_THROWN(
        BoxSource(test::sampleReader(8), account, {.cut = PageCut::Even, .pageEdge = 0}, "sample"), Invalid);
  }

  void aReadersErrorNamesThePage() {
    const auto reader = std::make_shared<ComputedReader>(
        test::sampleDescription(8),
        [](std::uint32_t, std::int64_t, const IndexBox& box, std::span<std::byte>) {
          if (box.first[0] == 0) throw Corrupt("record ends early");
          throw std::runtime_error("something else");
        });
    MemoryAccount account(64 << 20);
    BoxSource source(reader, account, {}, "file wing.x");
    CollectingSink sink(source, samplePage);
    const PageRequest requests[] = {sink.request(1, 0), sink.request(1, 31)};
    source.read(requests);
    const auto errors = sink.errors();
    QVERIFY(isA<Corrupt>(errors.at(0)));
    QCOMPARE(textOf(errors.at(0)),
             std::string("file wing.x: array q of block 0: page 0 of step 0: record ends early"));
    QVERIFY(isA<Io>(errors.at(1)));
    QCOMPARE(textOf(errors.at(1)),
             std::string("file wing.x: array q of block 0: page 1 of step 1: something else"));
  }

  void heldReadsWait_data() {
    QTest::addColumn<int>("readers");
    QTest::newRow("read by who asks") << 0;
    QTest::newRow("read by threads") << 3;
  }

  void heldReadsWait() {
    QFETCH(int, readers);
    MemoryAccount account(64 << 20);
    BoxSource source(test::sampleReader(8), account, {.readers = readers}, "sample");
    CollectingSink sink(source, samplePage);
    const auto now = HoldsReads::Clock::now(), earlier = now - std::chrono::hours(1);
    source.holdFrom(now);
    source.holdFrom(earlier);
    std::vector<PageRequest> requests;
    for (std::uint64_t page = 0; page < 10; ++page) requests.push_back(sink.request(1, page));
    source.read(requests);
    source.release(earlier);
    QCOMPARE(source.counters().reads, 0u);
    // What is not needed any more is never read.
    for (std::size_t n = 0; n < 4; ++n) source.withdraw(requests[n]);
    QCOMPARE(sink.cancelled(), std::size_t{4});
    source.release(now);
    sink.waitFor(source);
    QCOMPARE(sink.good(), std::size_t{6});
    QCOMPARE(source.counters().reads, 6u);
    // A moment that has not come holds nothing.
    const auto later = HoldsReads::Clock::now() + std::chrono::hours(1);
    source.holdFrom(later);
    const PageRequest another = sink.request(1, 20);
    source.read({&another, 1});
    sink.waitFor(source);
    QCOMPARE(source.counters().reads, 7u);
    source.release(later);
  }

  void copiesInMemoryAreExact() {
    MemoryAccount account(256 << 20);
    const auto reader = test::sampleReader(8);
    const auto direct = MemoryReader::copyOf(*reader, account);
    const std::uint64_t claimed = account.usedBytes(Purpose::Work);
    QVERIFY(claimed > 0);
    PlacedSource file(pageFile("copied", false), account, {});
    const auto paged = MemoryReader::copyOf(file, account);
    QCOMPARE(account.usedBytes(Purpose::Work), 2 * claimed);
    for (std::uint32_t array = 0; array < reader->description().arrays.size(); ++array)
      for (std::int64_t step = 0; step < reader->description().arrays[array].steps; ++step) {
        const auto a = direct->bytes(array, step), b = paged->bytes(array, step);
        QVERIFY(std::equal(a.begin(), a.end(), b.begin(), b.end()));
      }
    const IndexBox box{{3, 4, 5}, {20, 7, 3}};
    std::vector<std::byte> read(static_cast<std::size_t>(product(box.size)) * 40), expected(read.size());
    direct->read(1, 2, box, read);
    test::sampleNodes(reader->description(), 1, 2, box, expected);
    QVERIFY(read == expected);
  }

  void copiesDoNotPassTheBudget() {
    MemoryAccount account(100'000);
    const auto reader = test::sampleReader(8);
    QVERIFY_EXCEPTION_THROWN(MemoryReader::copyOf(*reader, account), OverBudget);
    QCOMPARE(account.usedBytes(), std::uint64_t{0});
    DatasetDescription huge = test::sampleDescription(8);
    huge.arrays[0].layout = PageLayout::even({1ll << 40, 1ll << 40, 1ll << 40}, 8);
    QVERIFY_EXCEPTION_THROWN(MemoryReader(huge, account), Corrupt);
  }

  void aPagesErrorEndsACopy() {
    auto file = pageFile("damaged", true);
    file->replace(3, 4, {.offset = 0, .bytes = 50, .codec = Codec::Zstd, .hasChecksum = true, .checksum = 1});
    MemoryAccount account(256 << 20);
    PlacedSource source(std::move(file), account, {});
    try {
      MemoryReader::copyOf(source, account);
      QFAIL("copied a damaged page");
    } catch (const Corrupt& error) {
      const std::string text = error.what();
      QVERIFY2(text.find("array count of block 0: page 4") != std::string::npos, text.c_str());
      QVERIFY2(text.find("0000000000000001") != std::string::npos, text.c_str());
    }
    QCOMPARE(account.usedBytes(Purpose::Work), std::uint64_t{0});
  }

  void fetchingOnePage() {
    MemoryAccount account(64 << 20);
    BoxSource source(test::sampleReader(8), account, {}, "sample");
    QVERIFY(fetchNodes(source, 1, 40) == samplePage(source.description(), 1, 40));
    QVERIFY_EXCEPTION_THROWN(fetchNodes(source, 99, 0), Invalid);
  }
};

}  // namespace farfield::paging

QTEST_APPLESS_MAIN(farfield::paging::TestSources)
#include "tst_sources.moc"
