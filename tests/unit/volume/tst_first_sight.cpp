// The first sight of data of any grid, which are resampled to be seen as a volume: where pages are and what they have is known
// before anything is read.

#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/fields/data/store_data.h"
#include "core/fields/samples/sample_data.h"
#include "core/paging/ingest/converter.h"
#include "render/volume/shown_volume.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using farfield::test::TemporaryFolder;

namespace {

constexpr int kWidth = 96, kHeight = 64;

std::unique_ptr<fields::OpenData> opened(const std::string& source, MemoryAccount& account) {
  fields::ReaderRegistry registry;
  registry.add(std::make_unique<samples::SampleDataReader>());
  registry.add(std::make_unique<fields::StoreDataReader>());
  fields::OpenRequest request;
  request.sources = {source};
  return registry.open(request, account);
}

struct Shown {
  explicit Shown(const std::string& source, bool watched = true, const std::string& function = "pressure")
      : account(std::uint64_t{256} << 20), data(opened(source, account)) {
    plan = std::make_shared<fields::FunctionPlan>(data->description(), std::vector<std::string>{function});
    fields::PagedDataOptions options;
    options.arrays = plan->arrays();
    options.processors = 2;
    options.cache = fields::sharedCache(account, 2);
    paged = std::make_unique<fields::PagedData>(*data, account, options);
    volume::ShownParts parts{.data = *paged, .function = plan, .account = account, .processors = 2};
    parts.watched = watched;
    parts.alongLongest = 64;
    volume = std::make_unique<volume::ShownVolume>(std::move(parts));
  }

  std::vector<float> picture() {
    scene::VolumeLook look;
    const std::array<double, 2> range = volume->valueRange();
    look.opacity = {{range[0], 0.2}, {range[1], 0.2}};
    look.pixelError = 1;
    scene::ColorScale scale;
    scale.min = range[0], scale.max = range[1];
    std::vector<float> rgba(std::size_t{4} * kWidth * kHeight);
    const scene::VolumeCast cast{
        .look = look,
        .scale = scale,
        .camera = scene::cameraFor(volume->bounds(), {0, 0, 1}, {0, 1, 0}, double{kWidth} / kHeight),
        .width = kWidth,
        .height = kHeight,
        .rows = kHeight,
        .from = {},
        .to = {},
        .stop = {},
        .shown = &shown};
    isWhole = volume->cast(cast, rgba);
    return rgba;
  }
  std::uint64_t reads() const { return paged->sourceCounters().reads; }

  MemoryAccount account;
  std::unique_ptr<fields::OpenData> data;
  std::shared_ptr<fields::FunctionPlan> plan;
  std::unique_ptr<fields::PagedData> paged;
  std::unique_ptr<volume::ShownVolume> volume;
  scene::VolumeShown shown;
  bool isWhole = false;
};

double opaque(const std::vector<float>& rgba) {
  double sum = 0;
  for (std::size_t n = 3; n < rgba.size(); n += 4) sum += double{rgba[n]} > 0.05 ? 1 : 0;
  return sum;
}

}  // namespace

class TestFirstSight : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    m_folder = std::make_unique<TemporaryFolder>();
    MemoryAccount account(std::uint64_t{256} << 20);
    const auto data = opened("sample://cylinder?size=65,49,33", account);
    paging::convert(*data->boxReader(), *m_folder / "store", {}, account);
    m_store = (*m_folder / "store").string();
  }
  void isThereBeforeAnythingIsRead();
  void tellsHowManySamplesWereTaken();
  void canBeStopped();
  void isForWhoWatchesAlone();
  void needsRanges();

 private:
  std::unique_ptr<TemporaryFolder> m_folder;
  std::string m_store;
};

void TestFirstSight::isThereBeforeAnythingIsRead() {
  for (const char* const function : {"momentum-x", "pressure"}) {
    Shown plain(m_store, true, function);
    const std::vector<float> wanted = plain.picture();
    QVERIFY(plain.isWhole && !plain.shown.overview);

    Shown shown(m_store, true, function);
    const std::uint64_t before = shown.reads();
    QVERIFY(shown.volume->firstSight());
    const auto first = shown.volume->valueRange();
    const std::vector<float> seen = shown.picture();
    QCOMPARE(shown.reads(), before);
    QVERIFY(shown.shown.overview && !shown.isWhole);
    // About as much is seen, and where it is.
    const double share = opaque(seen) / opaque(wanted);
    QVERIFY2(share > 0.8 && share < 1.3, qPrintable(QString::number(share)));
    QVERIFY(!shown.volume->usualOpacity(first).empty());

    shown.volume->survey({}, {});
    // As if there had been none.
    const auto range = shown.volume->valueRange();
    QCOMPARE(range, plain.volume->valueRange());
    QCOMPARE(shown.volume->usualOpacity(range), plain.volume->usualOpacity(range));
    QVERIFY(shown.picture() == wanted);
    QVERIFY(!shown.shown.overview && shown.isWhole);
    // About the same values; of what is stored, all that pages have.
    const double width = first[1] - first[0], most = range[1] - range[0];
    QVERIFY2(width > 0.3 * most && width < 3 * most, qPrintable(QString("%1, %2").arg(width).arg(most)));
    if (QByteArray(function) == "momentum-x")
      QVERIFY(range[0] >= first[0] - 1e-6 * width && range[1] <= first[1] + 1e-6 * width);
  }
}

void TestFirstSight::tellsHowManySamplesWereTaken() {
  Shown shown(m_store);
  std::size_t last = 0, most = 0;
  bool ascends = true;
  int told = 0;
  shown.volume->survey(
      [&](std::size_t done, std::size_t total) {
        ascends = ascends && done > last && done <= total && (most == 0 || most == total);
        last = done;
        most = total;
        ++told;
      },
      {});
  QVERIFY(ascends && told > 100);
  QCOMPARE(last, most);
}

/// Where it was, it shows the first sight.
void TestFirstSight::canBeStopped() {
  Shown shown(m_store);
  QVERIFY(shown.volume->firstSight());
  std::stop_source stop;
  QVERIFY_THROWS_EXCEPTION(Cancelled, shown.volume->survey(
                                          [&](std::size_t done, std::size_t total) {
                                            if (10 * done > total) stop.request_stop();
                                          },
                                          stop.get_token()));
  QVERIFY(opaque(shown.picture()) > 0 && shown.shown.overview);
  shown.volume->survey({}, {});
  shown.picture();
  QVERIFY(!shown.shown.overview);
}

void TestFirstSight::isForWhoWatchesAlone() {
  Shown shown(m_store, false);
  QVERIFY(!shown.volume->firstSight());
  shown.picture();
  QVERIFY(!shown.shown.overview);
}

/// What is read in place has no index, and a function with derivatives does not follow from ranges.
void TestFirstSight::needsRanges() {
  QVERIFY(!Shown("sample://cylinder?size=33,25,17").volume->firstSight());
  QVERIFY(!Shown(m_store, true, "vorticity-magnitude").volume->firstSight());
}

QTEST_GUILESS_MAIN(TestFirstSight)
#include "tst_first_sight.moc"
