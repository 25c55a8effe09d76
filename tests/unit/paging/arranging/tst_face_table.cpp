// Faces that meet, against a map: with many that wait beside each other in the table and behind its end, and under too small a budget.

#include <QTest>

#include <algorithm>
#include <map>
#include <random>

#include "core/base/error.h"
#include "core/paging/arranging/face_table.h"
#include "tests/support/test_seed.h"

using namespace farfield;
using namespace farfield::paging;

class TestFaceTable : public QObject {
  Q_OBJECT
 private slots:
  void pairsAsAMapDoes();
  void cellsOfACubeMeet();
  void memoryIsClaimed();
};

void TestFaceTable::pairsAsAMapDoes() {
  std::mt19937 random(static_cast<std::uint32_t>(test::testSeed()));
  MemoryAccount account(std::uint64_t{64} << 20);
  FaceTable table(account);
  std::map<FaceNodes, CellFace> waiting;
  std::size_t most = 0;
  for (std::int32_t n = 0; n < 400'000; ++n) {
    // many different faces for a while, and then few, so that the table is filled and emptied again and again
    const std::uint32_t range = n % 100'000 < 60'000 ? 40 : 14;
    FaceNodes nodes;
    for (std::int32_t& node : nodes) node = static_cast<std::int32_t>(random() % range);
    if (!sortFace(nodes)) continue;
    const CellFace own{n, static_cast<std::int32_t>(random() % 6)};
    const CellFace other = table.meet(nodes, own);
    const auto found = waiting.find(nodes);
    QCOMPARE(other.cell, found == waiting.end() ? -1 : found->second.cell);
    if (found == waiting.end()) {
      waiting.emplace(nodes, own);
    } else {
      QCOMPARE(other.face, found->second.face);
      waiting.erase(found);
    }
    most = std::max(most, waiting.size());
  }
  QVERIFY(most > 20'000);  // the table grew
  std::vector<CellFace> expected;
  for (const auto& [nodes, face] : waiting) expected.push_back(face);
  std::sort(expected.begin(), expected.end());
  const Border border = table.takeRest();
  const std::vector<CellFace>& rest = border.faces;
  QCOMPARE(rest.size(), expected.size());
  for (std::size_t n = 0; n < rest.size(); ++n)
    QVERIFY(rest[n].cell == expected[n].cell && rest[n].face == expected[n].face);
}

void TestFaceTable::cellsOfACubeMeet() {
  constexpr std::int32_t kCells = 12, kNodes = kCells + 1;
  MemoryAccount account(std::uint64_t{64} << 20);
  FaceTable table(account);
  std::int32_t number = 0, met = 0;
  for (std::int32_t k = 0; k < kCells; ++k)
    for (std::int32_t j = 0; j < kCells; ++j)
      for (std::int32_t i = 0; i < kCells; ++i, ++number) {
        CellNodes cell;
        for (std::int32_t c = 0; c < 8; ++c)
          cell[static_cast<std::size_t>(c)] =
              i + (c & 1) + kNodes * (j + (c >> 1 & 1) + kNodes * (k + (c >> 2)));
        for (std::size_t face = 0; face < kCellFaces; ++face) {
          FaceNodes nodes = faceOf(cell, face);
          QVERIFY(sortFace(nodes));
          met += table.meet(nodes, {number, static_cast<std::int32_t>(face)}).cell >= 0;
        }
      }
  QCOMPARE(met, 3 * kCells * kCells * (kCells - 1));
  QCOMPARE(table.takeRest().faces.size(), std::size_t(6 * kCells * kCells));
}

void TestFaceTable::memoryIsClaimed() {
  MemoryAccount account(std::uint64_t{1} << 20);
  FaceTable table(account);
  std::int32_t n = 0;
  const auto fill = [&] {
    for (; n < 1'000'000; ++n) table.meet({n, n + 1, n + 2, n + 3}, {n, 0});
  };
  QVERIFY_THROWS_EXCEPTION(OverBudget, fill());
  QVERIFY(n > 5'000 && n < 30'000);
  QVERIFY(account.usedBytes() > 0 && account.usedBytes() <= account.budgetBytes());
  // what waits is still there
  QCOMPARE(table.meet({7, 8, 9, 10}, {n, 3}).cell, 7);
  {  // what is left has memory of its own, and that of the table is free
    const Border border = table.takeRest();
    QCOMPARE(border.faces.size(), static_cast<std::size_t>(n - 1));
    QCOMPARE(account.usedBytes(), border.faces.size() * sizeof(CellFace));
  }
  QCOMPARE(account.usedBytes(), std::uint64_t{0});
  // Too much is refused, and the faces still wait.
  n = 0;
  FaceTable other(account);
  for (; n < 3'000; ++n) other.meet({n, n + 1, n + 2, n + 3}, {n, 0});
  account.setBudgetBytes(account.usedBytes() + 1000);
  QVERIFY_THROWS_EXCEPTION(OverBudget, other.takeRest());
  account.setBudgetBytes(std::uint64_t{1} << 20);
  QCOMPARE(other.takeRest().faces.size(), std::size_t{3'000});
}

QTEST_APPLESS_MAIN(TestFaceTable)
#include "tst_face_table.moc"
