// How data that are opened in place are cut into pages: with few reads, of a bounded size, all arrays of a
// block alike.

#include <QTest>

#include "core/fields/data/box_data.h"
#include "core/paging/sources/computed_reader.h"

using namespace farfield;
using namespace farfield::fields;

namespace {

paging::DatasetDescription blockOf(const Index3& dims, ScalarType type) {
  paging::DatasetDescription description;
  description.format = "test";
  description.times = {0};
  description.blocks.resize(1);
  description.blocks[0].dims = dims;
  const auto layout = paging::PageLayout::even(dims, 16);
  description.arrays.push_back({"xyz", 0, layout, 1, 3, type, {}, paging::ArrayRole::Coordinates});
  description.arrays.push_back({"q", 0, layout, 1, 5, type, {}});
  description.arrays.push_back({"iblank", 0, layout, 1, 1, ScalarType::I16, {}, paging::ArrayRole::Blanking});
  return description;
}

Index3 extentOf(const Index3& dims, ScalarType type) {
  const auto reader = std::make_shared<paging::ComputedReader>(
      blockOf(dims, type), [](std::uint32_t, std::int64_t, const IndexBox&, std::span<std::byte>) {});
  MemoryAccount account(1 << 20);
  const auto data = openBoxes(reader, {.name = "grid", .locate = false}, {}, account);
  const auto& arrays = data->description().arrays;
  for (const auto& array : arrays)
    if (array.layout.extent() != arrays[0].layout.extent()) return {0, 0, 0};
  return arrays[0].layout.extent();
}

}  // namespace

class TestBoxLayout : public QObject {
  Q_OBJECT
 private slots:
  void pagesAreOfBoundedSize_data();
  void pagesAreOfBoundedSize();
  void aPlaneIsOneShortRead();
  void smallBlocksAreFewPages();
};

void TestBoxLayout::pagesAreOfBoundedSize_data() {
  QTest::addColumn<int>("ni");
  QTest::addColumn<int>("nj");
  QTest::addColumn<int>("nk");
  QTest::addColumn<bool>("isDouble");
  const auto row = [](int ni, int nj, int nk) {
    for (const bool isDouble : {false, true})
      QTest::addRow("%d x %d x %d %s", ni, nj, nk, isDouble ? "f64" : "f32") << ni << nj << nk << isDouble;
  };
  row(640, 640, 612);
  row(1600, 300, 200);
  row(5000, 40, 40);
  row(100'000, 10, 10);
  row(33, 500, 500);
  row(4, 5000, 300);
  row(3, 3, 90'000);
  row(2000, 2000, 1);
  row(90'000, 1, 1);
}

void TestBoxLayout::pagesAreOfBoundedSize() {
  QFETCH(int, ni);
  QFETCH(int, nj);
  QFETCH(int, nk);
  QFETCH(bool, isDouble);
  const Index3 extent = extentOf({ni, nj, nk}, isDouble ? ScalarType::F64 : ScalarType::F32);
  const std::int64_t bytes = product(extent) * 5 * (isDouble ? 8 : 4);
  QVERIFY2(bytes <= 64 * 1024, qPrintable(QString::number(bytes)));
  QVERIFY2(bytes > 28 * 1024, qPrintable(QString::number(bytes)));
}

void TestBoxLayout::aPlaneIsOneShortRead() {
  for (const std::int64_t ni : {200, 400, 640, 1000, 2000}) {
    const Index3 extent = extentOf({ni, 600, 600}, ScalarType::F32);
    const std::int64_t span = 4 * ni * extent[1];
    QVERIFY2(span <= 40 * 1024, qPrintable(QString::number(span)));
    QVERIFY2(span > 16 * 1024, qPrintable(QString::number(span)));
    QCOMPARE(extent[2], std::int64_t{2});
  }
}

void TestBoxLayout::smallBlocksAreFewPages() {
  const Index3 dims{12, 10, 9};
  QCOMPARE(extentOf(dims, ScalarType::F32), dims);
  const Index3 flat = extentOf({35, 49, 17}, ScalarType::F32);
  QCOMPARE(flat[0], std::int64_t{35});
}

QTEST_GUILESS_MAIN(TestBoxLayout)
#include "tst_box_layout.moc"
