// The contract of page sources, for all local ones: memory, formulas, files of pages by io_uring and by
// threads, stores, and the scripted source around others.

#include <QTest>
#include <atomic>

#include "bench/devices/scripted_source.h"
#include "core/paging/sources/box_source.h"
#include "core/paging/sources/kept_source.h"
#include "core/paging/sources/memory_reader.h"
#include "core/paging/sources/placed_source.h"
#include "core/paging/sources/store_source.h"
#include "tests/contract/page_file.h"
#include "tests/contract/page_source_contract.h"
#include "tests/contract/sample_data.h"
#include "tests/contract/sample_store.h"
#include "tests/support/temporary_folder.h"

namespace farfield::test {
namespace {

using namespace paging;

std::unique_ptr<PageSource> computed(MemoryAccount& account, const BoxSourceOptions& options) {
  return std::make_unique<BoxSource>(sampleReader(), account, options, "sample");
}

SourceSubject boxSubject(const std::string& name, const BoxSourceOptions& options) {
  return {.name = name,
          .open = [options](MemoryAccount& account) { return computed(account, options); },
          .truth = samplePage,
          .endsInsideRead = options.readers == 0};
}

/// Keeps its data until the source is gone.
class OverMemory final : public PageSource {
 public:
  explicit OverMemory(MemoryAccount& account)
      : m_source(MemoryReader::copyOf(*sampleReader(), m_dataAccount), account, {}, "memory") {}
  const DatasetDescription& description() const override { return m_source.description(); }
  std::uint64_t maxStoredBytes(std::uint32_t array) const override { return m_source.maxStoredBytes(array); }
  void read(std::span<const PageRequest> requests) noexcept override { m_source.read(requests); }
  void cancel(const PageSink* sink) noexcept override { m_source.cancel(sink); }
  SourceCounters counters() const override { return m_source.counters(); }

 private:
  MemoryAccount m_dataAccount{std::uint64_t{64} << 20};
  BoxSource m_source;
};

struct Files {
  TemporaryFolder folder;
  PageFile plain = PageFile::write(folder / "plain.pages", Codec::None, true);
  PageFile encoded = PageFile::write(folder / "encoded.pages", Codec::Zstd, false, 100);
  PageFile truncated = cutShort(encoded, folder / "truncated.pages");
  PageFile flipped = withFlippedByte(encoded, folder / "flipped.pages");

  static PageFile cutShort(const PageFile& from, const std::filesystem::path& path) {
    std::filesystem::copy_file(from.path(), path);
    std::filesystem::resize_file(path, std::filesystem::file_size(path) * 2 / 3);
    return from.at(path);
  }
  static PageFile withFlippedByte(const PageFile& from, const std::filesystem::path& path) {
    std::filesystem::copy_file(from.path(), path);
    File file = File::openForWriting(path, false);
    std::byte byte;
    file.readAt(from.place(0, 0).offset + 20, {&byte, 1});
    byte ^= std::byte{1};
    file.writeAt(from.place(0, 0).offset + 20, {&byte, 1});
    return from.at(path);
  }
};

SourceSubject::Open opener(const PageFile& file, const PlacedSourceOptions& options) {
  return [&file, options](MemoryAccount& account) {
    return std::make_unique<PlacedSource>(std::make_unique<PageFile>(file), account, options);
  };
}

SourceSubject fileSubject(const std::string& name, const Files& files, bool encoded,
                          const PlacedSourceOptions& options) {
  return {.name = name,
          .open = opener(encoded ? files.encoded : files.plain, options),
          .truth = samplePage,
          .openTruncated = opener(files.truncated, options),
          .fileName = "truncated.pages",
          .openFlipped = opener(files.flipped, options)};
}

/// The sample as stores.
struct Stores {
  TemporaryFolder folder;
  std::filesystem::path zstd = writeSampleStore(folder / "zstd.h5"),
                        lz4 = writeSampleStore(folder / "lz4.h5", Codec::Lz4),
                        flipped = writeDamagedCopy(zstd, folder / "flipped.h5");
};

SourceSubject storeSubject(const std::string& name, const Stores& stores, const std::filesystem::path& path,
                           const StoreSourceOptions& options, const StoreFileOptions& index = {}) {
  const auto opener = [options, index](const std::filesystem::path& its) -> SourceSubject::Open {
    return [=](MemoryAccount& account) {
      return makeStoreSource(StoreFile::open(its, account, index), account, options);
    };
  };
  // A store without its end is not opened at all, so this one is cut after it was.
  const auto cutOnceOpen = [path, options, folder = stores.folder.path()](MemoryAccount& account) {
    const std::filesystem::path cut = folder / "truncated.h5";
    std::filesystem::copy_file(path, cut, std::filesystem::copy_options::overwrite_existing);
    std::shared_ptr<const StoreFile> store = StoreFile::open(cut, account);
    for (std::uint32_t array = 0; array < store->description().arrays.size(); ++array) store->place(array, 0);
    std::filesystem::resize_file(cut, std::filesystem::file_size(cut) / 2);
    return makeStoreSource(std::move(store), account, options);
  };
  return {.name = name,
          .open = opener(path),
          .truth = samplePage,
          .openTruncated = cutOnceOpen,
          .fileName = "truncated.h5",
          .openFlipped = opener(stores.flipped)};
}

SourceSubject scriptedSubject(const std::string& name, const SourceSubject& inner,
                              const ScriptedOptions& options) {
  const auto around = [options](const SourceSubject::Open& open) -> SourceSubject::Open {
    if (!open) return {};
    return [open, options](MemoryAccount& account) {
      return std::make_unique<ScriptedSource>(open(account), account, options);
    };
  };
  SourceSubject subject = inner;
  subject.name = name;
  subject.open = around(inner.open);
  subject.openTruncated = around(inner.openTruncated);
  subject.openFlipped = around(inner.openFlipped);
  subject.endsInsideRead = false;
  return subject;
}

/// With a page folder in front of it: a new one each time, or one in which pages are from the second opening on.
SourceSubject keptSubject(const std::string& name, const SourceSubject& inner,
                          const std::filesystem::path& folder, bool warm) {
  const auto before = [=](const SourceSubject::Open& open,
                          const std::string& identity) -> SourceSubject::Open {
    if (!open) return {};
    return [=](MemoryAccount& account) {
      static std::atomic<int> count{0};
      const std::string its = warm ? identity : std::to_string(++count);
      auto source = open(account);
      std::uint64_t largest = 1;
      for (std::uint32_t n = 0; n < source->description().arrays.size(); ++n)
        largest = std::max(largest, source->maxStoredBytes(n));
      auto pages = std::make_shared<const PageFolder>(PageFolder::Options{.folder = folder});
      auto set = pages->open(name + its, source->description());
      return std::make_unique<KeptSource>(std::move(source), std::move(pages), std::move(set), largest, 3,
                                          account);
    };
  };
  SourceSubject subject = inner;
  subject.name = name;
  subject.open = before(inner.open, "whole");
  subject.openTruncated = before(inner.openTruncated, "truncated");
  subject.openFlipped = before(inner.openFlipped, "flipped");
  return subject;
}

std::vector<SourceSubject> subjects(const Files& files, const Stores& stores) {
  using namespace std::chrono_literals;
  std::vector<SourceSubject> all;
  all.push_back({.name = "memory",
                 .open = [](MemoryAccount& account) { return std::make_unique<OverMemory>(account); },
                 .truth = samplePage,
                 .endsInsideRead = true});
  all.push_back(boxSubject("computed", {}));
  all.push_back(boxSubject("computed in pages of 5", {.cut = PageCut::Even, .pageEdge = 5}));
  all.push_back(boxSubject("computed, one page a time", {.stagingBytes = 1}));
  all.push_back(boxSubject("computed by 3 threads", {.readers = 3}));
  all.push_back(boxSubject("computed by 3 threads, whole blocks",
                           {.cut = PageCut::WholeBlock, .readers = 3, .stagingBytes = 1}));

  all.push_back(fileSubject("threads", files, false, {.engine = {.kind = EngineKind::Threads}}));
  all.push_back(
      fileSubject("threads, encoded", files, true, {.engine = {.kind = EngineKind::Threads, .readers = 3}}));
  all.push_back(fileSubject("threads, one page a time", files, true,
                            {.engine = {.kind = EngineKind::Threads, .readers = 2}, .stagingBytes = 1}));
  if (whyNoUring().empty()) {
    all.push_back(fileSubject("uring", files, false, {.engine = {.kind = EngineKind::Uring}}));
    all.push_back(fileSubject("uring, encoded, 3 rings", files, true,
                              {.engine = {.kind = EngineKind::Uring, .depth = 8, .rings = 3}}));
    all.push_back(fileSubject("uring, one page a time", files, true,
                              {.engine = {.kind = EngineKind::Uring, .depth = 1}, .stagingBytes = 1}));
    all.push_back(fileSubject("uring, never merging", files, true,
                              {.engine = {.kind = EngineKind::Uring}, .maxMergedBytes = 0}));
  }
  all.push_back(storeSubject("store, whatever is there", stores, stores.zstd, {}));
  all.push_back(storeSubject("store, threads, small index cache", stores, stores.lz4,
                             {.engine = {.kind = EngineKind::Threads, .readers = 3}},
                             {.indexCacheBytes = 1}));
  all.push_back(keptSubject("kept, cold", fileSubject("", files, true, {}), files.folder / "kept", false));
  all.push_back(keptSubject("kept, warm", fileSubject("", files, true, {}), files.folder / "kept", true));
  const SourceSubject inner = boxSubject("", {});
  all.push_back(scriptedSubject("scripted", inner, {}));
  all.push_back(scriptedSubject("scripted, slow disk", inner,
                                {.latency = 200us, .bytesPerSecond = 100e6, .maxConcurrent = 4}));
  all.push_back(scriptedSubject("scripted, shuffled, reaped", inner,
                                {.latency = 100us, .delivery = ScriptedDelivery::Reap, .shuffle = true}));
  all.push_back(scriptedSubject("scripted over a file", fileSubject("", files, true, {}),
                                {.latency = 50us, .delivery = ScriptedDelivery::Reap}));
  return all;
}

}  // namespace
}  // namespace farfield::test

int main(int argc, char** argv) {
  const farfield::test::Files files;
  const farfield::test::Stores stores;
  farfield::test::PageSourceContract suite(farfield::test::subjects(files, stores));
  return QTest::qExec(&suite, argc, argv);
}
