// The levels of a volume whose data have none: samples far apart, or what is kept. Same values, so same pictures, as of data
// that were converted with levels.

#include <QTest>

#include <algorithm>
#include <array>
#include <fstream>
#include <numeric>

#include "app/levels/volume_levels.h"
#include "core/base/error.h"
#include "core/paging/ingest/converter.h"
#include "render/volume/shown_volume.h"
#include "render/volume/transfer.h"
#include "tests/support/pages_stay.h"
#include "tests/support/raw_volume.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using farfield::test::TemporaryFolder;

namespace {

constexpr int kWidth = 96, kHeight = 64;

struct Shown {
  Shown(const fields::OpenRequest& request, const std::string& function, const paging::KeptLevels* kept,
        bool watched = true, std::int64_t nextStep = -1)
      : account(std::uint64_t{256} << 20), data(test::rawAndStoreReaders()->open(request, account)) {
    plan = std::make_shared<fields::FunctionPlan>(data->description(), std::vector<std::string>{function});
    fields::PagedDataOptions options;
    options.arrays = plan->arrays();
    options.processors = 2;
    options.cache = fields::sharedCache(account, 2);
    paged = std::make_unique<fields::PagedData>(*data, account, options);
    volume::ShownParts parts{.data = *paged, .function = plan, .account = account, .processors = 2};
    parts.watched = watched;
    parts.nextStep = nextStep;
    parts.smallBytes = 0;
    if (kept)
      parts.keptLevel = [this, kept](int level, MemoryAccount& from) {
        return app::openKeptLevel(*kept, *data, plan->arrays(), 0, level, from);
      };
    volume = std::make_unique<volume::ShownVolume>(std::move(parts));
  }

  void goTo(std::int64_t step) {
    volume.reset();
    volume = std::make_unique<volume::ShownVolume>(volume::ShownParts{.data = *paged,
                                                                      .function = plan,
                                                                      .step = step,
                                                                      .account = account,
                                                                      .processors = 2,
                                                                      .watched = true});
  }

  /// A picture in which voxels are seen smaller than pixels, so that another level than 0 is shown.
  std::vector<float> picture(bool whole = true, double firstValue = 0.1, bool soon = false) {
    scene::VolumeLook look;
    look.opacity = {{firstValue, 0}, {1.1, 0.2}};
    look.unitLength = 1;
    look.pixelError = 1;
    scene::ColorScale scale;
    std::vector<float> rgba(std::size_t{4} * kWidth * kHeight);
    const scene::VolumeCast cast{
        .look = look,
        .scale = scale,
        .camera = scene::cameraFor(volume->bounds(), {0.3, 0.5, 0.4}, {0, 0, 1}, double{kWidth} / kHeight),
        .width = kWidth,
        .height = kHeight,
        .rows = kHeight,
        .from = {},
        .to = {},
        .whole = whole,
        .soon = soon,
        .stop = {},
        .shown = &shown};
    volume->cast(cast, rgba);
    return rgba;
  }

  MemoryAccount account;
  std::unique_ptr<fields::OpenData> data;
  std::shared_ptr<fields::FunctionPlan> plan;
  std::unique_ptr<fields::PagedData> paged;
  std::unique_ptr<volume::ShownVolume> volume;
  scene::VolumeShown shown;
};

}  // namespace

class TestShownLevels : public QObject {
  Q_OBJECT
 private slots:
  void areTheSameHoweverTheyAreHad_data();
  void areTheSameHoweverTheyAreHad();
  void ofAStoreAreSeenBeforeTheyAreRead();
  void theirValuesAreCountedAsTheyAreRead();
  void valuesOfFlatDataAreCounted();
  void whatLiesAroundABodyIsSeenThrough();
  void areNotTakenWhereNobodyWatches();
  void areNotTakenWhereTheyAreDamaged();
  void anotherLookReadsNothingAgain();
  void theNextStepIsReadAhead();
};

void TestShownLevels::areTheSameHoweverTheyAreHad_data() {
  QTest::addColumn<QString>("function");
  QTest::newRow("stored") << "v";
  QTest::newRow("computed") << "sqrt(v*v)";
}

void TestShownLevels::areTheSameHoweverTheyAreHad() {
  QFETCH(QString, function);
  const std::string name = function.toStdString();
  TemporaryFolder folder;
  test::writeRawVolume(folder / "a.raw");
  const fields::OpenRequest request = test::rawRequest({folder / "a.raw"});
  const paging::KeptLevels kept({.folder = folder / "levels", .leastBytes = 0});

  Shown byStrides(request, name, &kept);
  const std::vector<float> wanted = byStrides.picture();
  QVERIFY(byStrides.shown.strided);
  QVERIFY(byStrides.shown.level > 0);
  QVERIFY(*std::max_element(wanted.begin(), wanted.end()) > 0.1F);

  const auto place = kept.placeOf(*app::levelsWantedOf(*byStrides.data, byStrides.plan->arrays(), 0),
                                  byStrides.data->description());
  kept.make({std::shared_ptr<const void>(), byStrides.data->boxReader()},
            *app::levelsWantedOf(*byStrides.data, byStrides.plan->arrays(), 0), *place, {},
            byStrides.account);
  // Places of nodes are in no file that levels could be made of.
  const fields::FunctionPlan ofPlaces(byStrides.data->description(), {"x*x"});
  QVERIFY(!ofPlaces.arrays().empty() && !app::levelsWantedOf(*byStrides.data, ofPlaces.arrays(), 0));
  Shown fromKept(request, name, &kept);
  QVERIFY(fromKept.picture() == wanted);
  QVERIFY(!fromKept.shown.strided);
  QCOMPARE(fromKept.shown.level, byStrides.shown.level);
  QCOMPARE(fromKept.shown.levels, place->levels);
  // Nothing of the data themselves was read for it.
  QCOMPARE(fromKept.paged->sourceCounters().reads, std::uint64_t{0});

  paging::convert(*byStrides.data->boxReader(), folder / "store", {.levels = place->levels},
                  byStrides.account);
  fields::OpenRequest store;
  store.sources = {(folder / "store").string()};
  Shown converted(store, name, nullptr);
  QVERIFY(converted.picture() == wanted);
  QCOMPARE(converted.shown.level, byStrides.shown.level);
}

/// A store without levels: the ranges of its pages at once, then its nodes by strides, which are those of any other way.
void TestShownLevels::ofAStoreAreSeenBeforeTheyAreRead() {
  TemporaryFolder folder;
  test::writeRawVolume(folder / "a.raw");
  const fields::OpenRequest inPlace = test::rawRequest({folder / "a.raw"});
  Shown byStrides(inPlace, "v", nullptr);
  const std::vector<float> wanted = byStrides.picture();
  paging::convert(*byStrides.data->boxReader(), folder / "store", {}, byStrides.account);
  fields::OpenRequest store;
  store.sources = {(folder / "store").string()};
  for (const std::string function : {"v", "sqrt(v*v)"}) {
    Shown shown(store, function, nullptr);
    const std::vector<float> first = shown.picture(false, 0.1, true);
    QVERIFY(shown.shown.overview);
    QCOMPARE(shown.paged->sourceCounters().reads, std::uint64_t{0});
    // About as much is seen, and where it is: in the middle, not at the edge.
    const auto sum = [](const std::vector<float>& rgba) {
      double all = 0;
      for (std::size_t n = 3; n < rgba.size(); n += 4) all += double{rgba[n]};
      return all;
    };
    const double seen = sum(first) / sum(wanted);
    QVERIFY2(seen > 0.6 && seen < 1.7, qPrintable(QString::number(seen)));
    const auto middle = std::size_t{4} * (kHeight / 2 * kWidth + kWidth / 2) + 3;
    QVERIFY(std::abs(first[middle] - wanted[middle]) < 0.3F);
    QVERIFY(first[3] < 0.01F);

    QVERIFY(shown.picture() == wanted);
    QVERIFY(!shown.shown.overview);
    QVERIFY(shown.shown.strided);
    QCOMPARE(shown.shown.level, byStrides.shown.level);
    if (!test::kPagesStay) continue;
    const std::uint64_t bricks = shown.volume->counts().casts.bricksRead;
    QVERIFY(shown.picture(false, 0.1, true) == wanted);
    QVERIFY(!shown.shown.overview);
    QCOMPARE(shown.volume->counts().casts.bricksRead, bricks);
  }
  // Who does not watch waits for the data themselves.
  Shown batch(store, "v", nullptr, false);
  batch.picture(false, 0.1, true);
  QVERIFY(!batch.shown.overview);
  QCOMPARE(batch.shown.levels, 1);
}

/// The histogram that somebody sees: at first what a few bricks and the ranges tell, in the end the values; what a picture
/// is drawn by stays what it was.
void TestShownLevels::theirValuesAreCountedAsTheyAreRead() {
  TemporaryFolder folder;
  test::writeRawVolume(folder / "a.raw");
  fields::OpenRequest store;
  store.sources = {(folder / "store").string()};
  {
    Shown inPlace(test::rawRequest({folder / "a.raw"}), "v", nullptr);
    paging::convert(*inPlace.data->boxReader(), folder / "store", {.levels = 3}, inPlace.account);
  }
  Shown shown(store, "v", nullptr);
  QVERIFY(!shown.volume->histogram());
  const auto range = shown.volume->valueRange();
  const auto opacity = shown.volume->usualOpacity(range);
  const auto shareAbove = [&](double value) {
    const auto histogram = shown.volume->histogram();
    const auto& counts = histogram->counts;
    const double bins = static_cast<double>(counts.size());
    double above = 0, all = 0;
    for (std::size_t n = 0; n < counts.size(); ++n) {
      const double middle = range[0] + (static_cast<double>(n) + 0.5) / bins * (range[1] - range[0]);
      all += static_cast<double>(counts[n]);
      if (middle > value) above += static_cast<double>(counts[n]);
    }
    return above / all;
  };
  QVERIFY(shown.volume->histogram()->range == range);
  // Everything is shown, so all bricks of the level are read; then the part of the ball is that of its nodes.
  shown.picture(true, -1);
  QVERIFY(shown.shown.level > 0);
  const double ball = 4.0 / 3 * 3.14159265 * 0.125 / 8;  // above a half, of a cube of edge 2
  QVERIFY2(std::abs(shareAbove(0.5) - ball) < 0.1 * ball, qPrintable(QString::number(shareAbove(0.5))));
  QVERIFY(shown.volume->usualOpacity(range) == opacity);
}

namespace {

/// A picture of the data themselves, for which every brick is read.
void readAll(const volume::ShownVolume& volume) {
  scene::VolumeLook look;
  look.opacity = {{-1, 0.001}};
  look.unitLength = 1;
  look.pixelError.reset();
  std::vector<float> rgba(std::size_t{4} * kWidth * kHeight);
  volume.cast(
      {.look = look,
       .scale = {},
       .camera = scene::cameraFor(volume.bounds(), {0.3, 0.5, 0.4}, {0, 0, 1}, double{kWidth} / kHeight),
       .width = kWidth,
       .height = kHeight,
       .rows = kHeight,
       .from = {},
       .to = {},
       .whole = true,
       .stop = {}},
      rgba);
}

double countsOf(const volume::ShownVolume& volume) {
  const auto histogram = volume.histogram();
  return std::accumulate(histogram->counts.begin(), histogram->counts.end(), 0.0);
}

}  // namespace

/// Three nodes thick, and without values in the lowest layer, as grids are that are sampled within a box around them.
void TestShownLevels::valuesOfFlatDataAreCounted() {
  constexpr int kSide = 300;
  for (const int axis : {1, 2}) {
    TemporaryFolder folder;
    std::array<int, 3> dims{kSide, kSide, kSide};
    dims[std::size_t(axis)] = 3;
    std::vector<float> values;
    for (int k = 0; k < dims[2]; ++k)
      for (int j = 0; j < dims[1]; ++j)
        for (int i = 0; i < dims[0]; ++i)
          values.push_back((axis == 1 ? j : k) == 0 ? NAN : static_cast<float>(i));
    std::ofstream(folder / "flat.raw", std::ios::binary)
        .write(reinterpret_cast<const char*>(values.data()),
               static_cast<std::streamsize>(values.size() * sizeof(float)));
    fields::OpenRequest request = test::rawRequest({folder / "flat.raw"});
    request.options["dims"] =
        std::to_string(dims[0]) + ',' + std::to_string(dims[1]) + ',' + std::to_string(dims[2]);
    Shown shown(request, "v", nullptr);
    QVERIFY(shown.volume->valueRange()[1] > 290);
    readAll(*shown.volume);
    // Two layers of three.
    const double share = countsOf(*shown.volume) / (299.0 * 299 * 2);
    QVERIFY2(share > 0.55 && share < 0.75, qPrintable(QString::number(share)));
  }
}

/// A body of one value that takes most of its box, in several bricks.
void TestShownLevels::whatLiesAroundABodyIsSeenThrough() {
  constexpr int kSide = 90, kMargin = 5;
  TemporaryFolder folder;
  std::vector<std::uint8_t> values;
  for (int n = 0; n < kSide * kSide * kSide; ++n) {
    const std::array<int, 3> at{n % kSide, n / kSide % kSide, n / kSide / kSide};
    const bool inside =
        std::all_of(at.begin(), at.end(), [](int a) { return a >= kMargin && a < kSide - kMargin; });
    values.push_back(inside ? 200 : 0);
  }
  std::ofstream(folder / "body.raw", std::ios::binary)
      .write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size()));
  fields::OpenRequest request = test::rawRequest({folder / "body.raw"});
  request.options["dims"] = "90,90,90";
  request.options["type"] = "u8";
  Shown shown(request, "v", nullptr);
  volume::TransferFunction transfer;
  transfer.opacity = shown.volume->usualOpacity(shown.volume->valueRange());
  QCOMPARE(volume::opacityAt(transfer, 0), 0.0);
  QVERIFY(volume::opacityAt(transfer, 200) > 0);
}

void TestShownLevels::areNotTakenWhereNobodyWatches() {
  TemporaryFolder folder;
  test::writeRawVolume(folder / "a.raw");
  Shown shown(test::rawRequest({folder / "a.raw"}), "v", nullptr, false);
  shown.picture();
  QCOMPARE(shown.shown.level, 0);
  QCOMPARE(shown.shown.levels, 1);
}

void TestShownLevels::areNotTakenWhereTheyAreDamaged() {
  TemporaryFolder folder;
  test::writeRawVolume(folder / "a.raw");
  const fields::OpenRequest request = test::rawRequest({folder / "a.raw"});
  const paging::KeptLevels kept({.folder = folder / "levels", .leastBytes = 0});
  Shown before(request, "v", &kept);
  const auto place = kept.placeOf(*app::levelsWantedOf(*before.data, {"v"}, 0), before.data->description());
  std::filesystem::create_directories(kept.folder());
  std::ofstream(place->file) << "not what it should be";
  Shown after(request, "v", &kept);
  QVERIFY(after.picture() == before.picture());
  QVERIFY(after.shown.strided);
  QVERIFY(!kept.isThere(*place));
}

/// Bricks are there, and their ranges: other colours and opacities need nothing else, also those that show more.
void TestShownLevels::anotherLookReadsNothingAgain() {
  if (!test::kPagesStay) QSKIP("pages do not stay");
  TemporaryFolder folder;
  test::writeRawVolume(folder / "a.raw");
  Shown shown(test::rawRequest({folder / "a.raw"}), "v", nullptr);
  shown.picture(true, 0.3);
  const std::uint64_t bricks = shown.volume->counts().casts.bricksRead;
  QVERIFY(bricks > 0);
  for (const double first : {0.3, 0.5, 0.9}) {
    shown.picture(true, first);
    QCOMPARE(shown.volume->counts().casts.bricksRead, bricks);
  }
}

/// What a picture of this step took is there of the next before it is asked for; of data in place, of their samples, of a
/// store and its levels.
void TestShownLevels::theNextStepIsReadAhead() {
  if (!test::kPagesStay) QSKIP("pages do not stay");
  TemporaryFolder folder;
  test::writeRawVolume(folder / "a.raw");
  test::writeRawVolume(folder / "b.raw", -1);  // it shows nowhere where this one does not
  const fields::OpenRequest inPlace = test::rawRequest({folder / "a.raw", folder / "b.raw"});
  fields::OpenRequest store;
  store.sources = {(folder / "store").string()};
  {
    Shown shown(inPlace, "v", nullptr);
    paging::convert(*shown.data->boxReader(), folder / "store", {.levels = 3}, shown.account);
  }
  for (const fields::OpenRequest& request : {inPlace, store}) {
    Shown without(request, "v", nullptr);
    without.picture();
    without.goTo(1);
    const std::uint64_t before = without.paged->sourceCounters().reads;
    const std::vector<float> wanted = without.picture();
    QVERIFY(without.paged->sourceCounters().reads > before);

    Shown shown(request, "v", nullptr, true, 1);
    shown.picture();
    QTRY_VERIFY_WITH_TIMEOUT(shown.volume->counts().aheadIsDone, 60'000);
    QVERIFY(shown.volume->counts().pagesAhead > 0);
    shown.goTo(1);
    const std::uint64_t read = shown.paged->sourceCounters().reads;
    QVERIFY(shown.picture() == wanted);
    QCOMPARE(shown.paged->sourceCounters().reads, read);
  }
}

QTEST_GUILESS_MAIN(TestShownLevels)
#include "tst_shown_levels.moc"
