// Levels of detail that are kept for data without: the values of a conversion, gone on with after an interruption, not
// used for other data, and within their room.

#include <sys/wait.h>
#include <unistd.h>

#include <QTest>
#include <atomic>
#include <csignal>
#include <random>

#include "core/base/error.h"
#include "core/fields/data/page_reader.h"
#include "core/paging/ingest/kept_levels.h"
#include "core/paging/pages/coarse_levels.h"
#include "core/paging/writing/store_writer.h"
#include "tests/support/raw_volume.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_seed.h"
#include "tests/unit/paging/ingest/convert_in.h"
#include "tests/unit/paging/ingest/open_store.h"

using namespace farfield;
using namespace farfield::paging;
using namespace farfield::paging::test;
using farfield::test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

/// For making levels in several windows: what checking a partial store takes, and a little.
constexpr std::uint64_t kLittle = 5 << 20;

struct Data {
  explicit Data(const std::vector<fs::path>& files, const std::string& only = "f32") : account(kPlenty) {
    fields::OpenRequest request = farfield::test::rawRequest(files);
    request.options["type"] = only;
    opened = farfield::test::rawAndStoreReaders()->open(request, account);
    wanted = {opened->files(), {}, opened->request()->options, {"v"}, 0};
  }
  std::shared_ptr<const BoxReader> reader() const {
    return {std::shared_ptr<const void>(), opened->boxReader()};
  }
  std::optional<KeptLevels::Place> placeIn(const KeptLevels& kept) const {
    return kept.placeOf(wanted, opened->description());
  }
  MemoryAccount account;
  std::unique_ptr<fields::OpenData> opened;
  LevelsWanted wanted;
};

KeptLevels keptIn(const fs::path& folder, std::uint64_t mostBytes = kPlenty) {
  return KeptLevels({.folder = folder, .leastBytes = 1 << 20, .mostBytes = mostBytes});
}

void make(const KeptLevels& kept, const Data& data, const KeptLevels::MakeOptions& options = {}) {
  MemoryAccount account(8 << 20);
  kept.make(data.reader(), data.wanted, data.placeIn(kept).value(), options, account);
  if (account.usedBytes() != 0) throw Invalid("memory was kept");
}

}  // namespace

class TestKeptLevels : public QObject {
  Q_OBJECT
 private slots:
  void areThoseOfAConversion();
  void goOnWhereTheyWereStopped();
  void goOnWhereTheyWereKilled();
  void belongToDataAsTheyAre();
  void areNotMadeWhereTheyAreNotWorthIt();
  void oldestGoForNewOnes();
  void dataThatChangeMeanwhileLeaveNone();
  void storesAreReadAsBoxes();
};

void TestKeptLevels::areThoseOfAConversion() {
  TemporaryFolder folder;
  farfield::test::writeRawVolume(folder / "a.raw");
  farfield::test::writeRawVolume(folder / "b.raw", 1);
  Data data({folder / "a.raw", folder / "b.raw"});
  data.wanted.step = 1;
  const KeptLevels kept = keptIn(folder / "levels");
  const auto place = data.placeIn(kept);
  QVERIFY(place);
  QCOMPARE(place->levels, 3);
  QVERIFY(!kept.isThere(*place));
  make(kept, data, {.processors = 2});
  QVERIFY(kept.isThere(*place));
  // As large as was said, at most.
  QVERIFY(fs::file_size(place->file) <= place->bytes);
  convertIn(kPlenty, *data.opened->boxReader(), folder / "store", {.levels = 3});
  for (int level = 1; level < 3; ++level) {
    const OpenStore converted(folder / "store", level), its(place->file, level - 1);
    QVERIFY(KeptLevels::isOf(*place, its.data()));
    QCOMPARE(its.data().blocks[0].dims, converted.data().blocks[0].dims);
    QCOMPARE(its.data().blocks[0].bounds.max.y, converted.data().blocks[0].bounds.max.y);
    QCOMPARE(its.data().times, std::vector<double>{converted.data().times[1]});
    QVERIFY(its.nodes(its.data().find(0, "v"), 0) == converted.nodes(converted.data().find(0, "v"), 1));
  }
}

void TestKeptLevels::goOnWhereTheyWereStopped() {
  TemporaryFolder folder;
  farfield::test::writeRawVolume(folder / "a.raw");
  const Data data({folder / "a.raw"});
  const KeptLevels whole = keptIn(folder / "whole"), kept = keptIn(folder / "levels");
  make(whole, data);
  const auto place = data.placeIn(kept);
  int stops = 0;
  std::uint64_t before = 0;
  while (!kept.isThere(*place)) {
    std::stop_source stop;
    KeptLevels::MakeOptions options;
    options.stop = stop.get_token();
    options.progress = [&](std::uint64_t done, std::uint64_t) {
      QVERIFY(done > before);  // nothing is made twice
      before = done;
      stop.request_stop();
    };
    try {
      make(kept, data, options);
    } catch (const Cancelled&) {
      ++stops;
      QVERIFY(kept.begunBytes(*place) > 0);
    }
  }
  QVERIFY(stops > 0);
  QCOMPARE(kept.begunBytes(*place), std::uint64_t{0});
  QVERIFY(fileContents(place->file) == fileContents(data.placeIn(whole)->file));
  // What is there is not made again.
  make(kept, data, {.progress = [](std::uint64_t, std::uint64_t) { QFAIL("made again"); }});
}

/// A process that is killed leaves what it made: whoever goes on makes less each time, and the same bytes at the end.
void TestKeptLevels::goOnWhereTheyWereKilled() {
  TemporaryFolder folder;
  farfield::test::writeRawVolume(folder / "a.raw");
  const Data data({folder / "a.raw"});
  const KeptLevels whole = keptIn(folder / "whole");
  make(whole, data);
  const auto wanted = fileContents(data.placeIn(whole)->file);
  std::mt19937_64 random(farfield::test::testSeed());
  for (int round = 0; round < 4; ++round) {
    const KeptLevels kept = keptIn(folder / std::to_string(round));
    const auto place = data.placeIn(kept);
    // It says how far it has come, and waits a little, so that it is not through before it is killed.
    int ends[2];
    QVERIFY(::pipe(ends) == 0);
    const pid_t child = ::fork();
    QVERIFY(child >= 0);
    if (child == 0) {
      try {
        MemoryAccount account(kLittle);
        const KeptLevels::MakeOptions options{.progress = [&](std::uint64_t done, std::uint64_t) {
          if (::write(ends[1], &done, sizeof done) != sizeof done) ::_exit(1);
          ::usleep(10'000);
        }};
        kept.make(data.reader(), data.wanted, *place, options, account);
      } catch (...) {
        ::_exit(1);
      }
      ::_exit(0);
    }
    ::close(ends[1]);
    std::uint64_t done = 0, written = 0, first = 0;
    QVERIFY(::read(ends[0], &done, sizeof done) == sizeof done);
    ::usleep(static_cast<useconds_t>(random() % (round == 0 ? 5'000 : 25'000)));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    QVERIFY(WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) == 0));
    do written = std::max(written, done);
    while (::read(ends[0], &done, sizeof done) == sizeof done);
    ::close(ends[0]);
    // Nothing that was said to be done is made again.
    MemoryAccount account(kLittle);
    const auto progress = [&](std::uint64_t made, std::uint64_t) {
      if (first == 0) first = made;
    };
    kept.make(data.reader(), data.wanted, *place, {.progress = progress}, account);
    QVERIFY(first > written || (round > 0 && first == 0));
    QVERIFY(fileContents(place->file) == wanted);
  }
}

void TestKeptLevels::belongToDataAsTheyAre() {
  TemporaryFolder folder;
  farfield::test::writeRawVolume(folder / "a.raw");
  const KeptLevels kept = keptIn(folder / "levels");
  const Data data({folder / "a.raw"});
  const auto place = data.placeIn(kept);
  QCOMPARE(data.placeIn(kept)->file, place->file);
  QCOMPARE(Data({folder / "a.raw"}).placeIn(kept)->file, place->file);
  // Read otherwise, another step, another name, other contents.
  QVERIFY(Data({folder / "a.raw"}, "i32").placeIn(kept)->file != place->file);
  LevelsWanted other = data.wanted;
  other.step = 1;
  QVERIFY(kept.placeOf(other, data.opened->description())->file != place->file);
  fs::copy_file(folder / "a.raw", folder / "b.raw");
  QVERIFY(Data({folder / "b.raw"}).placeIn(kept)->file != place->file);
  farfield::test::writeRawVolume(folder / "a.raw", 1);
  QVERIFY(Data({folder / "a.raw"}).placeIn(kept)->file != place->file);
  QVERIFY(!KeptLevels::isOf(*Data({folder / "a.raw"}).placeIn(kept), data.opened->description()));
}

void TestKeptLevels::areNotMadeWhereTheyAreNotWorthIt() {
  TemporaryFolder folder;
  farfield::test::writeRawVolume(folder / "a.raw");
  const Data data({folder / "a.raw"});
  const std::uint64_t bytes = data.placeIn(keptIn(folder / "l"))->bytes;
  QVERIFY(bytes < std::uint64_t(product(farfield::test::kRawDims)));  // a seventh of four bytes each, about
  QVERIFY(!data.placeIn(KeptLevels({.folder = folder / "l"})));       // small
  QVERIFY(!data.placeIn(keptIn(folder / "l", bytes - 1)));
  QVERIFY(data.placeIn(keptIn(folder / "l", bytes)));
  QVERIFY(!data.placeIn(keptIn({})));
  const KeptLevels kept = keptIn(folder / "l");
  LevelsWanted wanted = data.wanted;
  wanted.files.clear();
  QVERIFY(!kept.placeOf(wanted, data.opened->description()));
  wanted = data.wanted;
  wanted.files.push_back(folder / "missing");
  QVERIFY(!kept.placeOf(wanted, data.opened->description()));
  wanted = data.wanted;
  wanted.arrays.emplace_back("w");
  QVERIFY(!kept.placeOf(wanted, data.opened->description()));
  DatasetDescription leveled = data.opened->description();
  sayLevels(leveled, 2);
  QVERIFY(!kept.placeOf(data.wanted, leveled));
  DatasetDescription curved = data.opened->description();
  curved.blocks[0].kind = GridKind::Curvilinear;
  QVERIFY(!kept.placeOf(data.wanted, curved));
}

void TestKeptLevels::oldestGoForNewOnes() {
  TemporaryFolder folder;
  std::vector<fs::path> files;
  for (const char* name : {"a.raw", "b.raw", "c.raw"}) {
    farfield::test::writeRawVolume(folder / name, name[0] - 'a');
    files.push_back(folder / name);
  }
  Data data(files);
  const KeptLevels roomy = keptIn(folder / "l");
  std::vector<KeptLevels::Place> places;
  std::uint64_t largest = 0;
  for (int step = 0; step < 2; ++step) {
    data.wanted.step = step;
    places.push_back(*data.placeIn(roomy));
    make(roomy, data);
    fs::last_write_time(places.back().file, fs::file_time_type::clock::now() - std::chrono::hours(1));
    largest = std::max<std::uint64_t>(largest, fs::file_size(places.back().file));
  }
  // The first was used last; there is room for one beside the new one.
  roomy.use(places[0]);
  data.wanted.step = 2;
  const KeptLevels kept = keptIn(folder / "l", places[0].bytes + largest);
  make(kept, data);
  QVERIFY(kept.isThere(*data.placeIn(kept)));
  QVERIFY(kept.isThere(places[0]));
  QVERIFY(!kept.isThere(places[1]));
  std::uint64_t all = 0;
  for (const auto& each : fs::directory_iterator(kept.folder())) all += each.file_size();
  QVERIFY(all <= places[0].bytes + largest);
}

void TestKeptLevels::dataThatChangeMeanwhileLeaveNone() {
  TemporaryFolder folder;
  farfield::test::writeRawVolume(folder / "a.raw");
  const Data data({folder / "a.raw"});
  const KeptLevels kept = keptIn(folder / "levels");
  const auto place = data.placeIn(kept);
  bool changed = false;
  KeptLevels::MakeOptions options;
  options.progress = [&](std::uint64_t, std::uint64_t) {
    if (!std::exchange(changed, true)) farfield::test::writeRawVolume(folder / "a.raw", 3);
  };
  MemoryAccount account(8 << 20);
  QVERIFY_EXCEPTION_THROWN(kept.make(data.reader(), data.wanted, *place, options, account), Corrupt);
  QVERIFY(!kept.isThere(*place));
  // Nor is anything begun with them.
  QVERIFY_EXCEPTION_THROWN(kept.make(data.reader(), data.wanted, *place, {}, account), Corrupt);
}

void TestKeptLevels::storesAreReadAsBoxes() {
  TemporaryFolder folder;
  farfield::test::writeRawVolume(folder / "a.raw");
  const Data data({folder / "a.raw"});
  convertIn(kPlenty, *data.opened->boxReader(), folder / "store", {});
  MemoryAccount account(kPlenty);
  fields::OpenRequest request;
  request.sources = {(folder / "store").string()};
  const auto opened = farfield::test::rawAndStoreReaders()->open(request, account);
  QCOMPARE(opened->files(), std::vector<fs::path>{folder / "store"});
  for (const std::uint64_t bytes : {std::uint64_t{1}, std::uint64_t{4} << 20}) {
    const fields::PageReader pages(*opened, account, bytes);
    for (const IndexBox& box : {IndexBox{{0, 0, 0}, {160, 2, 3}}, IndexBox{{31, 40, 63}, {70, 33, 40}},
                                IndexBox{{159, 149, 139}, {1, 1, 1}}}) {
      std::vector<std::byte> wanted(std::size_t(product(box.size)) * 4), found(wanted.size());
      data.opened->boxReader()->read(0, 0, box, wanted);
      pages.read(0, 0, box, found);
      QVERIFY(found == wanted);
    }
  }
  // Row after row each page is read once.
  const fields::PageReader pages(*opened, account, 4 << 20);
  std::vector<std::byte> row(160 * 4);
  for (std::int64_t k = 0; k < 32; ++k)
    for (std::int64_t j = 0; j < 150; ++j) pages.read(0, 0, {{0, j, k}, {160, 1, 1}}, row);
  const Index3 count = opened->description().arrays[0].layout.pagesPerAxis();
  const std::int64_t layers = opened->description().arrays[0].layout.pageAlong(2, 31) + 1;
  QCOMPARE(pages.reads(), std::uint64_t(count[0] * count[1] * layers));
  // And so levels are made of it.
  LevelsWanted wanted{opened->files(), {}, {}, {"v"}, 0};
  const KeptLevels kept = keptIn(folder / "levels");
  const auto place = kept.placeOf(wanted, opened->description());
  QVERIFY(place);
  const std::shared_ptr<const BoxReader> reader(std::shared_ptr<const void>(), &pages);
  kept.make(reader, wanted, *place, {}, account);
  const KeptLevels ofRaw = keptIn(folder / "raw levels");
  make(ofRaw, data);
  const OpenStore its(place->file, 1), other(data.placeIn(ofRaw)->file, 1);
  QVERIFY(its.nodes(0, 0) == other.nodes(0, 0));
}

QTEST_APPLESS_MAIN(TestKeptLevels)
#include "tst_kept_levels.moc"
