// The ranges of groups against going through the numbers one by one, for every number type, however the nodes come in parts.

#include <QTest>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "core/fields/cells/group_ranges.h"

using namespace farfield;
using namespace farfield::fields;

class TestGroupRanges : public QObject {
  Q_OBJECT
 private slots:
  void areThoseOfTheNodes();
  void componentsLieBetweenOthers();
  void nodesOnOneSide();

 private:
  template <class T>
  void check(ScalarType type);
};

template <class T>
void TestGroupRanges::check(ScalarType type) {
  const IndexBox cells{{32, 0, 64}, {32, 21, 9}};
  const Index3 nodes{33, 22, 10};
  std::mt19937 random(7);
  std::vector<T> numbers(static_cast<std::size_t>(product(nodes)));
  for (T& number : numbers)
    number = static_cast<T>(static_cast<int>(random() % 200) - (std::is_signed_v<T> ? 100 : 0));
  if constexpr (std::is_floating_point_v<T>)
    for (std::size_t n = 0; n < numbers.size(); n += 5) numbers[n] = std::numeric_limits<T>::quiet_NaN();
  for (const Index3 part : {Index3{33, 22, 10}, Index3{7, 5, 3}, Index3{16, 16, 1}, Index3{1, 1, 1}}) {
    GroupRanges ranges;
    ranges.open(cells);
    Index3 at;
    for (at[2] = 0; at[2] < nodes[2]; at[2] += part[2])
      for (at[1] = 0; at[1] < nodes[1]; at[1] += part[1])
        for (at[0] = 0; at[0] < nodes[0]; at[0] += part[0]) {
          IndexBox box;
          for (std::size_t a = 0; a < 3; ++a) {
            box.first[a] = cells.first[a] + at[a];
            box.size[a] = std::min(part[a], nodes[a] - at[a]);
          }
          ranges.add(box, {numbers.data(), type, linear(at, nodes), 1, nodes[0], nodes[0] * nodes[1]});
        }
    for (at[2] = 0; at[2] < 2; ++at[2])
      for (at[1] = 0; at[1] < 3; ++at[1])
        for (at[0] = 0; at[0] < 4; ++at[0]) {
          Interval wanted;
          for (std::int64_t n = 0; n < product(nodes); ++n) {
            const Index3 node = unlinear(n, nodes);
            bool inside = true;
            for (std::size_t a = 0; a < 3; ++a)
              inside = inside && node[a] >= 8 * at[a] && node[a] <= 8 * at[a] + 8;
            const auto number = static_cast<double>(numbers[static_cast<std::size_t>(n)]);
            if (!inside || std::isnan(number)) continue;
            wanted.low = std::min(wanted.low, number);
            wanted.high = std::max(wanted.high, number);
          }
          QCOMPARE(ranges.of(at).low, wanted.low);
          QCOMPARE(ranges.of(at).high, wanted.high);
          QVERIFY(ranges.of(CellGroup{{{32 + 8 * at[0], 8 * at[1], 64 + 8 * at[2]}, {1, 1, 1}}, {}}) ==
                  ranges.of(at));
        }
  }
}

void TestGroupRanges::areThoseOfTheNodes() {
  check<float>(ScalarType::F32);
  check<double>(ScalarType::F64);
  check<std::uint8_t>(ScalarType::U8);
  check<std::int8_t>(ScalarType::I8);
  check<std::uint16_t>(ScalarType::U16);
  check<std::int16_t>(ScalarType::I16);
  check<std::int32_t>(ScalarType::I32);
}

void TestGroupRanges::componentsLieBetweenOthers() {
  const std::array<float, 12> numbers{9, 1, 9, 9, 2, 9, 9, 3, 9, 9, 4, 9};
  GroupRanges ranges;
  ranges.open({{0, 0, 0}, {8, 8, 8}});
  ranges.add({{0, 0, 0}, {2, 2, 1}}, {numbers.data(), ScalarType::F32, 1, 3, 6, 12});
  QVERIFY(ranges.of(Index3{0, 0, 0}) == Interval(1, 4));
}

void TestGroupRanges::nodesOnOneSide() {
  GroupRanges ranges;
  ranges.open({{0, 0, 0}, {16, 16, 16}});
  // the layer between groups belongs to both
  ranges.add({{8, 0, 0}, {1, 4, 4}}, 3.0);
  QCOMPARE(ranges.of(Index3{0, 0, 0}).low, 3.0);
  QCOMPARE(ranges.of(Index3{1, 0, 0}).high, 3.0);
  QVERIFY(ranges.of(Index3{0, 1, 0}).empty() && ranges.of(Index3{1, 1, 1}).empty());
}

QTEST_GUILESS_MAIN(TestGroupRanges)
#include "tst_group_ranges.moc"
