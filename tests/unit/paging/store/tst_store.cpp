// What is written to a store is read back: by our reader page for page, and by HDF5 as plain arrays.

#include <QTest>
#include <thread>

#include "core/base/error.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/paging/store/hdf5_samples.h"
#include "tests/unit/paging/store/store_samples.h"

using namespace farfield;
using namespace farfield::paging;
using namespace farfield::test;

namespace {

const Codec kCodecs[] = {Codec::None, Codec::Zstd, Codec::Lz4, Codec::Gzip};

void compareWithSample(const std::filesystem::path& path, const DatasetDescription& description) {
  MemoryAccount account(kPlenty);
  const auto store = StoreFile::open(path, account);
  for (std::uint32_t a = 0; a < description.arrays.size(); ++a) {
    PageSummary whole(description.arrays[a].components);
    const auto pages = static_cast<std::uint64_t>(description.arrays[a].pageCount());
    for (std::uint64_t p = 0; p < pages; ++p) {
      QVERIFY(readPage(*store, {a, p}) == samplePage(description, {a, p}));
      const PageSummary expected = sampleSummary(description, {a, p});
      QVERIFY(store->summary(a, p) == expected);
      whole.merge(expected);
    }
    QVERIFY(store->arraySummary(a) == whole);
  }
}

}  // namespace

class TestStore : public QObject {
  Q_OBJECT

 private slots:
  void multiBlockRoundTrip() {
    const TemporaryFolder folder;
    const DatasetDescription description = twoBlocks();
    for (const Codec codec : kCodecs) {
      const auto path = folder / (std::string(nameOf(codec)) + ".h5");
      makeStore(path, description, codec);
      compareWithSample(path, description);
      QVERIFY(!std::filesystem::exists(path.string() + ".part"));
      QVERIFY(!std::filesystem::exists(path.string() + ".part.journal"));
    }
  }

  void everyTypeAndExtent() {
    const TemporaryFolder folder;
    for (const ScalarType type : {ScalarType::F32, ScalarType::F64, ScalarType::U8, ScalarType::U16,
                                  ScalarType::I16, ScalarType::I32}) {
      for (const Index3& page : {Index3{1, 1, 1}, Index3{4, 3, 2}, Index3{5, 5, 5}, Index3{11, 6, 4}}) {
        const DatasetDescription description = oneBlock({11, 6, 4}, page, type, 2, 2);
        MemoryAccount account(kPlenty);
        StoreWriter writer(folder / "x", description, {.codec = Codec::Gzip, .overwrite = true}, account);
        writeRest(writer);
        writer.finish();
        compareWithSample(folder / "x", description);
        compareWithHdf5(folder / "x", description);
      }
    }
  }

  void descriptionComesBack() {
    const TemporaryFolder folder;
    const DatasetDescription in = twoBlocks();
    makeStore(folder / "x", in, Codec::Zstd);
    MemoryAccount account(kPlenty);
    const auto store = StoreFile::open(folder / "x", account);
    const DatasetDescription& out = store->description();
    QCOMPARE(out.format, std::string("farfield"));
    QCOMPARE(out.codec, std::string("zstd"));
    QVERIFY(store->codec() == Codec::Zstd);
    QVERIFY(out.times == in.times);
    QCOMPARE(out.attributes.at("sourceFormat"), std::string("sample"));
    QCOMPARE(out.attributes.at("gamma"), std::string("1.4"));
    QCOMPARE(out.pageEdge, 8);
    QVERIFY(out.storedBytes > 0 && out.storedBytes < store->fileBytes());
    QCOMPARE(out.blocks.size(), std::size_t{2});
    QVERIFY(out.blocks[0].hasIblank && !out.blocks[1].hasIblank);
    QCOMPARE(out.arrays.size(), in.arrays.size());
    for (std::size_t a = 0; a < in.arrays.size(); ++a) {
      QCOMPARE(out.arrays[a].name, in.arrays[a].name);
      QCOMPARE(out.arrays[a].block, in.arrays[a].block);
      QVERIFY(out.arrays[a].layout == in.arrays[a].layout);
      QCOMPARE(out.arrays[a].steps, in.arrays[a].steps);
      QCOMPARE(out.arrays[a].components, in.arrays[a].components);
      QVERIFY(out.arrays[a].type == in.arrays[a].type);
      QVERIFY(out.arrays[a].componentNames == in.arrays[a].componentNames);
    }
    // The bounds are those of the coordinates.
    PageSummary xyz(3);
    xyz.add(sampleNodes(in, 0, 0, {{0, 0, 0}, in.blocks[0].dims}), ScalarType::F64);
    QCOMPARE(out.blocks[0].bounds.min.y, xyz.components[1].min);
    QCOMPARE(out.blocks[0].bounds.max.z, xyz.components[2].max);
    QVERIFY(StoreFile::looksLikeStore(folder / "x"));
  }

  void boundsOfARegularGrid() {
    const TemporaryFolder folder;
    makeStore(folder / "x", oneBlock({11, 6, 4}, {4, 4, 4}, ScalarType::F32), Codec::None);
    MemoryAccount account(kPlenty);
    const auto store = StoreFile::open(folder / "x", account);
    const Bounds& bounds = store->description().blocks[0].bounds;
    QVERIFY((bounds.min == Vec3{1, 2, 3}));
    QVERIFY((bounds.max == Vec3{6, 3.25, 9}));
  }

  void namesAndTextsOfAnyKind() {
    const TemporaryFolder folder;
    DatasetDescription description = oneBlock({4, 4, 4}, {4, 4, 4}, ScalarType::F32);
    description.arrays[0].name = "ρ \"quoted\" 'name'";
    description.attributes = {{"empty", ""},
                              {"long", std::string(100000, 'x')},
                              {"bad utf-8", "a\xff\xfe"},
                              {"", "no key"},
                              {"line", "a\nb\t\x01"}};
    for (int n = 0; n < 1000; ++n) description.attributes["mach." + std::to_string(n)] = "0.5";
    makeStore(folder / "x", description, Codec::Gzip);
    MemoryAccount account(kPlenty);
    const auto store = StoreFile::open(folder / "x", account);
    QCOMPARE(store->description().arrays[0].name, description.arrays[0].name);
    QCOMPARE(store->description().attributes.at("long").size(), std::size_t{100000});
    QCOMPARE(store->description().attributes.at("line"), std::string("a\nb\t\x01"));
    QCOMPARE(store->description().attributes.size(), std::size_t{1006});
    std::vector<hsize_t> dims;
    const Bytes bytes = readDataset(folder / "x", "/farfield/blocks/0000/" + description.arrays[0].name,
                                    ScalarType::F32, dims);
    QVERIFY(bytes == sampleNodes(description, 0, 0, {{0, 0, 0}, {4, 4, 4}}));
  }

  void pagesInParallelMakeTheSameFile() {
    const TemporaryFolder folder;
    const DatasetDescription description = twoBlocks(5, 4);
    makeStore(folder / "a", description, Codec::Zstd);
    tasks::LoopThreads threads(3);
    for (const int inFlight : {0, 1, 7}) {
      MemoryAccount account(kPlenty);
      StoreWriter writer(folder / "b", description, {.codec = Codec::Zstd, .overwrite = true}, account);
      const auto fill = [&](const PageId& id, std::span<std::byte> nodes) {
        const Bytes page = samplePage(description, id);
        std::copy(page.begin(), page.end(), nodes.begin());
        if (id.page % 3 == 0) std::this_thread::yield();
        return sampleSummary(description, id);
      };
      writer.writePages(threads, 5, fill, inFlight);
      QCOMPARE(writer.written(), std::uint64_t{5});
      writer.writePages(threads, ~std::uint64_t{0} - 10, fill, inFlight);
      QCOMPARE(writer.written(), writer.pageCount());
      writer.finish();
      QCOMPARE(account.usedBytes(), std::uint64_t{0});
      QVERIFY(contents(folder / "a") == contents(folder / "b"));
    }
  }

  void aFailingFillKeepsWhatIsBeforeIt() {
    const TemporaryFolder folder;
    const DatasetDescription description = twoBlocks();
    MemoryAccount account(kPlenty);
    StoreWriter writer(folder / "x", description, {}, account);
    tasks::LoopThreads threads(3);
    QVERIFY_EXCEPTION_THROWN(writer.writePages(threads, writer.pageCount(),
                                               [&](const PageId& id, std::span<std::byte> nodes) {
                                                 if (writer.sequenceOf(id) == 9) throw Io("source is gone");
                                                 const Bytes page = samplePage(description, id);
                                                 std::copy(page.begin(), page.end(), nodes.begin());
                                                 return sampleSummary(description, id);
                                               }),
                             Io);
    QCOMPARE(writer.written(), std::uint64_t{9});
    writeRest(writer);
    writer.finish();
    compareWithSample(folder / "x", description);
  }

  void aSmallAccountMeansFewerPagesAtATime() {
    const TemporaryFolder folder;
    const DatasetDescription description = oneBlock({64, 64, 64}, {32, 32, 32}, ScalarType::F64);
    const auto fill = [&](const PageId& id, std::span<std::byte> nodes) {
      const Bytes page = samplePage(description, id);
      std::copy(page.begin(), page.end(), nodes.begin());
      return sampleSummary(description, id);
    };
    MemoryAccount tight(std::uint64_t{3} << 20), tighter(std::uint64_t{1} << 19);
    StoreWriter writer(folder / "x", description, {}, tight);
    tasks::LoopThreads threads(3);
    writer.writePages(threads, writer.pageCount(), fill, 64);
    QVERIFY(tight.peakBytes() <= tight.budgetBytes());
    writer.finish();
    StoreWriter none(folder / "y", description, {}, tighter);
    QVERIFY_EXCEPTION_THROWN(none.writePages(threads, none.pageCount(), fill, 64), OverBudget);
  }

  void theSequenceIsAnOrder() {
    const TemporaryFolder folder;
    MemoryAccount account(kPlenty);
    const StoreWriter writer(folder / "x", twoBlocks(), {}, account);
    const DatasetDescription& d = writer.description();
    std::int64_t step = 0;
    PageId last;
    for (std::uint64_t n = 0; n < writer.pageCount(); ++n) {
      const PageId id = writer.page(n);
      QCOMPARE(writer.sequenceOf(id), n);
      const std::int64_t now = d.arrays[id.array].stepOf(id.page);
      QVERIFY(now >= step);
      if (n > 0 && now == step)
        QVERIFY(id.array > last.array || (id.array == last.array && id.page == last.page + 1));
      step = now;
      last = id;
    }
  }

  void pagesOutOfTurnAreRefused() {
    const TemporaryFolder folder;
    const DatasetDescription description = twoBlocks();
    MemoryAccount account(kPlenty);
    StoreWriter writer(folder / "x", description, {}, account);
    const PageId second = writer.page(1);
    const EncodedPage page = writer.encode(second, samplePage(description, second));
    QVERIFY_EXCEPTION_THROWN(writer.append(page, sampleSummary(description, second)), Invalid);
    QVERIFY_EXCEPTION_THROWN(
        writer.append(writer.encode(writer.page(0), samplePage(description, writer.page(0))), PageSummary(1)),
        Invalid);
    QVERIFY_EXCEPTION_THROWN(writer.encode(second, Bytes(3)), Invalid);
    QVERIFY_EXCEPTION_THROWN(writer.finish(), Invalid);
    QVERIFY(!std::filesystem::exists(folder / "x"));
  }

  void descriptionsThatCannotBeStored() {
    const TemporaryFolder folder;
    MemoryAccount account(kPlenty);
    const auto refused = [&](const std::function<void(DatasetDescription&)>& change) {
      DatasetDescription description = twoBlocks();
      change(description);
      try {
        StoreWriter writer(folder / "x", description, {}, account);
      } catch (const Invalid&) {
        return true;
      }
      return false;
    };
    QVERIFY(!refused([](DatasetDescription&) {}));
    QVERIFY(refused([](DatasetDescription& d) { d.arrays.clear(); }));
    QVERIFY(refused([](DatasetDescription& d) { d.times.clear(); }));
    QVERIFY(refused([](DatasetDescription& d) { d.arrays[0].name = "a/b"; }));
    QVERIFY(refused([](DatasetDescription& d) { d.arrays[0].name = ""; }));
    QVERIFY(refused([](DatasetDescription& d) { d.arrays[1].name = d.arrays[0].name; }));
    QVERIFY(refused([](DatasetDescription& d) { d.arrays[0].steps = 2; }));
    QVERIFY(refused([](DatasetDescription& d) { d.arrays[0].components = 0; }));
    QVERIFY(refused([](DatasetDescription& d) { d.arrays[0].block = 7; }));
    QVERIFY(refused([](DatasetDescription& d) { std::swap(d.arrays.front(), d.arrays.back()); }));
    QVERIFY(refused([](DatasetDescription& d) {
      d.arrays[0].layout = PageLayout::ofExtent({4096, 4096, 4096}, {2048, 2048, 2048});
    }));
    QVERIFY(std::filesystem::is_empty(folder.path()));
  }

  void anExistingFileIsKeptUnlessToldOtherwise() {
    const TemporaryFolder folder;
    const DatasetDescription description = twoBlocks();
    makeStore(folder / "x", description, Codec::Zstd);
    const Bytes before = contents(folder / "x");
    MemoryAccount account(kPlenty);
    QVERIFY_EXCEPTION_THROWN(StoreWriter(folder / "x", description, {}, account), Invalid);
    {
      StoreWriter writer(folder / "x", description, {.codec = Codec::None, .overwrite = true}, account);
      writeRest(writer, 5);
    }
    QVERIFY(contents(folder / "x") == before);
    StoreWriter writer(folder / "x", description, {.codec = Codec::None, .overwrite = true}, account);
    writeRest(writer);
    writer.finish();
    compareWithSample(folder / "x", description);
    QVERIFY(contents(folder / "x") != before);
  }

  void manyPagesAndASmallCache() {
    const TemporaryFolder folder;
    // 3 leaves and a bit in space, crossed by time steps; pages of one node.
    const DatasetDescription description = oneBlock({33, 17, 12}, {1, 1, 1}, ScalarType::F32, 1, 2);
    makeStore(folder / "x", description, Codec::None);
    compareWithSample(folder / "x", description);
    MemoryAccount account(kPlenty);
    const auto store = StoreFile::open(folder / "x", account, {.indexCacheBytes = 0});
    const std::uint64_t capacity = store->indexCounters().capacityBytes;
    QCOMPARE(capacity, std::uint64_t{2 * 4096 * 24});
    const auto pages = static_cast<std::uint64_t>(description.arrays[0].pageCount());
    QVERIFY(pages > 3 * 4096);
    std::vector<std::thread> threads;
    std::atomic<int> wrong = 0;
    for (std::uint64_t t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        for (std::uint64_t n = 0; n < 3000; ++n) {
          const std::uint64_t page = (n * 2654435761u + t * 977) % pages;
          const PagePlace place = store->place(0, page);
          const Bytes expected = samplePage(description, {0, page});
          if (place.bytes != 4 || place.checksum != checksum(expected)) ++wrong;
          if (n % 16 == 0 && !(store->summary(0, page) == sampleSummary(description, {0, page}))) ++wrong;
          if (store->indexCounters().cachedBytes > capacity) ++wrong;
        }
      });
    for (std::thread& thread : threads) thread.join();
    QCOMPARE(wrong.load(), 0);
    QVERIFY(store->indexCounters().misses > 4);
    QVERIFY(account.usedBytes(Purpose::Index) >= capacity);
    QVERIFY_EXCEPTION_THROWN(store->place(0, pages), Invalid);
    QVERIFY_EXCEPTION_THROWN(store->place(1, 0), Invalid);
  }

  void theCacheSaysWhatItHas() {
    const TemporaryFolder folder;
    makeStore(folder / "x", twoBlocks(), Codec::Zstd);
    MemoryAccount account(kPlenty);
    {
      const auto store = StoreFile::open(folder / "x", account);
      QVERIFY(!store->placeIfCached(0, 0));
      const PagePlace place = store->place(0, 0);
      QVERIFY(store->placeIfCached(0, 0) == place);
      QCOMPARE(store->indexCounters().misses, std::uint64_t{2});  // the root and the leaf
      QVERIFY(store->place(0, 1).offset == place.offset + place.bytes);
      QCOMPARE(store->indexCounters().misses, std::uint64_t{2});
    }
    QCOMPARE(account.usedBytes(), std::uint64_t{0});
    MemoryAccount tiny(1000);
    QVERIFY_EXCEPTION_THROWN(StoreFile::open(folder / "x", tiny), OverBudget);
  }

  void summariesLeaveOutWhatIsNotFinite() {
    const double nan = std::numeric_limits<double>::quiet_NaN(),
                 inf = std::numeric_limits<double>::infinity();
    for (const std::size_t nodes : {3u, 200u}) {
      std::vector<double> values(2 * nodes, 1.0);
      for (std::size_t n = 0; n < nodes; ++n) values[2 * n + 1] = static_cast<double>(n) - 1;
      PageSummary summary(2);
      summary.add(std::as_bytes(std::span(values)), ScalarType::F64);
      QVERIFY(!summary.hasNonFinite);
      QCOMPARE(summary.components[1].max, static_cast<double>(nodes) - 2);
      values[0] = nan;
      values[3] = inf;
      PageSummary other(2);
      other.add(std::as_bytes(std::span(values)), ScalarType::F64);
      QVERIFY(other.hasNonFinite);
      QCOMPARE(other.components[0].min, 1.0);
      QCOMPARE(other.components[1].max, static_cast<double>(nodes) - 2);
      std::fill(values.begin(), values.end(), nan);
      PageSummary empty(2);
      empty.add(std::as_bytes(std::span(values)), ScalarType::F64);
      QVERIFY(empty.hasNonFinite && empty.components[0].empty());
      empty.merge(summary);
      QVERIFY(empty.components == summary.components && empty.hasNonFinite);
    }
    std::vector<float> triples;
    for (int n = 0; n < 3000; ++n) triples.push_back(static_cast<float>(n % 3 * 1000 + n));
    PageSummary three(3);
    three.add(std::as_bytes(std::span(triples)), ScalarType::F32);
    for (std::size_t c = 0; c < 3; ++c) {
      QCOMPARE(three.components[c].min, static_cast<double>(c * 1001));
      QCOMPARE(three.components[c].max, static_cast<double>(c * 1001 + 2997));
    }
  }
};

QTEST_APPLESS_MAIN(TestStore)
#include "tst_store.moc"
