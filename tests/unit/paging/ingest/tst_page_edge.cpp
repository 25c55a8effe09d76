// The page edge that nobody asked for: larger where nodes are small, and what a store gets.

#include <QTest>

#include <cstring>

#include "core/paging/pages/page_edge.h"
#include "core/paging/pages/role_names.h"
#include "core/paging/sources/computed_reader.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/paging/ingest/convert_in.h"
#include "tests/unit/paging/ingest/open_store.h"

using namespace farfield;
using namespace farfield::paging;
using farfield::paging::test::convertIn;
using farfield::paging::test::kPlenty;
using farfield::paging::test::OpenStore;
using farfield::test::TemporaryFolder;

namespace {

struct Array {
  int block;
  std::string name;
  int components;
  ScalarType type;
};

DatasetDescription dataOf(const std::vector<Array>& arrays) {
  DatasetDescription data;
  data.format = "made up";
  data.times = {0};
  for (const Array& each : arrays) {
    data.blocks.resize(std::max(data.blocks.size(), static_cast<std::size_t>(each.block) + 1));
    BlockDescription& block = data.blocks.back();
    block.dims = {40, 33, 20};
    block.kind = GridKind::Regular;
    block.bounds.add(Vec3{0, 0, 0});
    block.bounds.add(Vec3{39, 32, 19});
    ArrayDescription array;
    array.name = each.name;
    array.block = each.block;
    array.layout = PageLayout::ofExtent(block.dims, block.dims);
    array.components = each.components;
    array.type = each.type;
    setRoleByName(array, block.kind);
    data.arrays.push_back(array);
  }
  return data;
}

}  // namespace

class TestPageEdge : public QObject {
  Q_OBJECT
 private slots:
  void followsTheBytesOfANode();
  void storeIsCutByIt();
};

void TestPageEdge::followsTheBytesOfANode() {
  const auto F32 = ScalarType::F32, F64 = ScalarType::F64;
  const auto edgeOf = [](const std::vector<Array>& arrays) { return pageEdgeFor(dataOf(arrays)); };
  QCOMPARE(edgeOf({{0, "density", 1, F32}}), 32);
  QCOMPARE(edgeOf({{0, "density", 1, F64}}), 32);
  QCOMPARE(edgeOf({{0, "ct", 1, ScalarType::U8}}), 32);
  QCOMPARE(edgeOf({{0, "density", 1, F32}, {0, "temperature", 1, F32}}), 32);
  QCOMPARE(edgeOf({{0, "velocity", 3, F32}}), 16);
  QCOMPARE(edgeOf({{0, "u", 1, F32}, {0, "v", 1, F32}, {0, "w", 1, F32}}), 16);
  QCOMPARE(edgeOf({{0, "xyz", 3, F32}, {0, "density", 1, F32}}), 16);
  // One block with much per node decides; coarser levels are not data of their own.
  QCOMPARE(edgeOf({{0, "density", 1, F32}, {1, "density", 1, F32}}), 32);
  QCOMPARE(edgeOf({{0, "density", 1, F32}, {1, "q", 5, F32}}), 16);
  QCOMPARE(edgeOf({{0, "density", 1, F64}, {0, "level1.density", 1, F64}}), 32);
}

void TestPageEdge::storeIsCutByIt() {
  const ComputedReader reader(
      dataOf({{0, "density", 1, ScalarType::F32}}),
      [](std::uint32_t, std::int64_t, const IndexBox& box, std::span<std::byte> out) {
        for (std::int64_t n = 0; n < product(box.size); ++n) {
          const Index3 in = unlinear(n, box.size);
          const auto value = static_cast<float>(
              linear({box.first[0] + in[0], box.first[1] + in[1], box.first[2] + in[2]}, {40, 33, 20}));
          std::memcpy(&out[static_cast<std::size_t>(n) * sizeof(value)], &value, sizeof(value));
        }
      });
  TemporaryFolder folder;
  convertIn(kPlenty, reader, folder / "as it suits", {});
  convertIn(kPlenty, reader, folder / "as asked", {.pageEdge = 32});
  convertIn(kPlenty, reader, folder / "smaller", {.pageEdge = 8});
  const OpenStore suited(folder / "as it suits"), smaller(folder / "smaller");
  QCOMPARE(suited.data().pageEdge, 32);
  QCOMPARE(suited.array(0).layout, PageLayout::even({40, 33, 20}, 32));
  QCOMPARE(smaller.data().pageEdge, 8);
  QVERIFY(suited.nodes(0, 0) == smaller.nodes(0, 0));
  QVERIFY(farfield::test::fileContents(folder / "as it suits") ==
          farfield::test::fileContents(folder / "as asked"));
}

QTEST_APPLESS_MAIN(TestPageEdge)
#include "tst_page_edge.moc"
