// Boxes of arrays that lie in files in any order of axes, against the same read number by number.

#include <QTest>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <limits>
#include <random>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "plugins/arrays/axes.h"
#include "plugins/arrays/cell_nodes.h"
#include "plugins/arrays/placed_array.h"
#include "tests/support/random_box.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using namespace farfield::arrays;

namespace {

constexpr NumberType kTypes[] = {NumberType::I8,  NumberType::U8,  NumberType::I16, NumberType::U16,
                                 NumberType::I32, NumberType::U32, NumberType::I64, NumberType::U64,
                                 NumberType::F32, NumberType::F64};

/// The bytes of `value` as a number of `type` in a file.
std::vector<std::byte> numberOf(NumberType type, bool bigEndian, std::int64_t value) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(bytesOf(type)));
  const auto put = [&](auto number) { std::memcpy(bytes.data(), &number, sizeof number); };
  if (type == NumberType::F32)
    put(static_cast<float>(value));
  else if (type == NumberType::F64)
    put(static_cast<double>(value));
  else
    std::memcpy(bytes.data(), &value, bytes.size());
  if (bigEndian) std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

std::int64_t valueOf(const Index3& node, int component, std::int64_t step) {
  return (node[0] + 7 * node[1] + 31 * node[2] + 57 * component + 11 * step) % 120;
}

}  // namespace

class TestPlacedArray : public QObject {
  Q_OBJECT
 private slots:
  void extremesOfAllTypesArrive();
  void anyOrderOfAxesGivesTheSameBoxes();
  void longRowsAndGapsAreReadInParts();
  void filesInARowAreOneRow();
  void placesOutsideAreRefused();
  void nodesHaveTheNearestNumbers();
};

void TestPlacedArray::extremesOfAllTypesArrive() {
  const auto check = [](NumberType type, auto value) {
    for (const bool big : {false, true}) {
      std::byte bytes[sizeof value], out[8];
      std::memcpy(bytes, &value, sizeof value);
      if (big) std::reverse(std::begin(bytes), std::end(bytes));
      convert(type, big, bytes, 0, 1, out, 0);
      QCOMPARE(valueAt(out, keptAs(type), 0), static_cast<double>(value));
    }
  };
  const auto ends = [&](NumberType type, auto number) {
    using T = decltype(number);
    check(type, std::numeric_limits<T>::lowest());
    check(type, std::numeric_limits<T>::max());
    check(type, T{1});
  };
  ends(NumberType::I8, std::int8_t{});
  ends(NumberType::U8, std::uint8_t{});
  ends(NumberType::I16, std::int16_t{});
  ends(NumberType::U16, std::uint16_t{});
  ends(NumberType::I32, std::int32_t{});
  ends(NumberType::U32, std::uint32_t{});
  ends(NumberType::I64, std::int64_t{});
  ends(NumberType::U64, std::uint64_t{});
  ends(NumberType::F32, float{});
  ends(NumberType::F64, double{});
}

void TestPlacedArray::anyOrderOfAxesGivesTheSameBoxes() {
  test::TemporaryFolder folder;
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    const NumberType type = kTypes[static_cast<std::size_t>(round) % std::size(kTypes)];
    const bool bigEndian = random() % 2 == 0;
    const Index3 dims{1 + static_cast<std::int64_t>(random() % 9),
                      1 + static_cast<std::int64_t>(random() % 9),
                      1 + static_cast<std::int64_t>(random() % 9)};
    const int components = 1 + static_cast<int>(random() % 3);
    const std::int64_t steps = 1 + static_cast<std::int64_t>(random() % 3);
    // The axes in random order, some of them backwards, with room between.
    std::array<int, 5> order{0, 1, 2, 3, 4};
    std::shuffle(order.begin(), order.end(), random);
    const std::int64_t counts[] = {dims[0], dims[1], dims[2], components, steps};
    std::int64_t strides[5];
    std::int64_t stride = bytesOf(type);
    for (const int axis : order) {
      if (random() % 4 == 0) stride += bytesOf(type);
      strides[axis] = stride;
      stride *= counts[axis];
    }
    const std::uint64_t before = random() % 50;
    std::vector<char> bytes(before + static_cast<std::size_t>(stride) + 64);
    std::uint64_t first = before;
    for (int axis = 0; axis < 4; ++axis)
      if (random() % 4 == 0) {
        first += static_cast<std::uint64_t>((counts[axis] - 1) * strides[axis]);
        strides[axis] = -strides[axis];
      }
    for (std::int64_t t = 0; t < steps; ++t)
      for (int c = 0; c < components; ++c)
        for (std::int64_t n = 0; n < product(dims); ++n) {
          const Index3 at = unlinear(n, dims);
          const auto number = numberOf(type, bigEndian, valueOf(at, c, t));
          const std::int64_t offset = static_cast<std::int64_t>(first) + at[0] * strides[0] +
                                      at[1] * strides[1] + at[2] * strides[2] + c * strides[3] +
                                      t * strides[4];
          std::memcpy(bytes.data() + offset, number.data(), number.size());
        }
    const auto path = folder / std::to_string(round);
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    PlacedArray array;
    array.type = type;
    array.bigEndian = bigEndian;
    array.components = components;
    array.stepStride = strides[4];
    array.steps.push_back({Piece{{{0, 0, 0}, dims},
                                 fileBytes(path, makeFilePool()),
                                 first,
                                 {strides[0], strides[1], strides[2]},
                                 strides[3]}});
    checkPlaces(array, steps);
    for (int boxes = 0; boxes < 20; ++boxes) {
      const IndexBox box = test::randomBox(random, dims);
      const int from = static_cast<int>(random() % static_cast<unsigned>(components));
      const int count = 1 + static_cast<int>(random() % static_cast<unsigned>(components - from));
      const auto step = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(steps));
      const ScalarType kept = keptAs(type);
      std::vector<std::byte> out(static_cast<std::size_t>(product(box.size) * count * sizeOf(kept)));
      readBox(array, step, box, from, count, out);
      for (std::int64_t n = 0; n < product(box.size); ++n) {
        const Index3 in = unlinear(n, box.size);
        const Index3 node{box.first[0] + in[0], box.first[1] + in[1], box.first[2] + in[2]};
        for (int c = 0; c < count; ++c)
          QCOMPARE(valueAt(out.data(), kept, n * count + c),
                   static_cast<double>(valueOf(node, from + c, step)));
      }
    }
  }
}

void TestPlacedArray::longRowsAndGapsAreReadInParts() {
  // Longer than the scratch buffer along every axis, with the components apart: nothing is dense.
  test::TemporaryFolder folder;
  const Index3 dims{50000, 9, 3};
  const int components = 2;
  std::vector<std::uint16_t> numbers(static_cast<std::size_t>(product(dims) * components));
  for (std::size_t n = 0; n < numbers.size(); ++n)
    numbers[n] = byteSwapped(static_cast<std::uint16_t>(n * 2654435761u >> 7));
  const auto path = folder / "long";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(numbers.data()), static_cast<std::streamsize>(2 * numbers.size()));
  PlacedArray array;
  array.type = NumberType::U16;
  array.bigEndian = true;
  array.components = components;
  array.steps.push_back({densePiece(dims, array.type, components, true, fileBytes(path, makeFilePool()), 0)});
  checkPlaces(array, 1);
  for (const IndexBox& box :
       {IndexBox{{0, 0, 0}, dims}, IndexBox{{3, 1, 0}, {49990, 8, 3}}, IndexBox{{17, 0, 1}, {5, 9, 2}}}) {
    std::vector<std::uint16_t> out(static_cast<std::size_t>(product(box.size) * components));
    readBox(array, 0, box, 0, components, std::as_writable_bytes(std::span(out)));
    for (std::int64_t n = 0; n < product(box.size); ++n) {
      const Index3 in = unlinear(n, box.size);
      const std::int64_t node =
          linear({box.first[0] + in[0], box.first[1] + in[1], box.first[2] + in[2]}, dims);
      for (int c = 0; c < components; ++c)
        if (out[static_cast<std::size_t>(n * components + c)] !=
            byteSwapped(numbers[static_cast<std::size_t>(c * product(dims) + node)]))
          QFAIL(qPrintable(QString("node %1").arg(n)));
    }
  }
}

void TestPlacedArray::filesInARowAreOneRow() {
  test::TemporaryFolder folder;
  const auto pool = makeFilePool();
  std::vector<std::shared_ptr<const ByteSource>> parts;
  // More than the pool keeps open.
  for (int n = 0; n < 50; ++n) {
    const auto path = folder / std::to_string(n);
    std::ofstream(path) << "ab" << static_cast<char>('0' + n) << "cd";
    parts.push_back(partOf(fileBytes(path, pool), 1, 3));
  }
  const auto row = joined(std::move(parts));
  QCOMPARE(row->size(), std::uint64_t{150});
  std::string all(150, '?');
  row->readAt(0, std::as_writable_bytes(std::span(all)));
  for (int n = 0; n < 50; ++n)
    QCOMPARE(all.substr(static_cast<std::size_t>(3 * n), 3),
             "b" + std::string(1, static_cast<char>('0' + n)) + "c");
  std::string some(7, '?');
  row->readAt(4, std::as_writable_bytes(std::span(some)));
  QCOMPARE(some, all.substr(4, 7));
}

/// Nodes at the centres of cells and at the ends, in any box of them, also along axes that are turned round.
void TestPlacedArray::nodesHaveTheNearestNumbers() {
  test::TemporaryFolder folder;
  std::mt19937 random(11);
  for (int round = 0; round < 40; ++round) {
    Index3 nodes;
    for (std::int64_t& count : nodes) count = 1 + static_cast<std::int64_t>(random() % 6);
    Index3 cells;
    for (std::size_t a = 0; a < 3; ++a) cells[a] = std::max<std::int64_t>(nodes[a] - 1, 1);
    std::vector<std::byte> bytes;
    for (std::int64_t n = 0; n < product(cells); ++n)
      for (int c = 0; c < 2; ++c) {
        const auto number = numberOf(NumberType::I16, false, valueOf(unlinear(n, cells), c, 0));
        bytes.insert(bytes.end(), number.begin(), number.end());
      }
    const auto path = folder / std::to_string(round);
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    PlacedArray array;
    array.type = NumberType::I16;
    array.components = 2;
    array.steps.push_back({densePiece(cells, array.type, 2, false, fileBytes(path, makeFilePool()), 0)});
    placeOnCellNodes(array, nodes);
    const Index3 dims = cellNodes(nodes);
    std::array<bool, 3> turned{};
    for (std::size_t a = 0; a < 3; ++a)
      if ((turned[a] = random() % 2 == 0)) turnRound(array, a, dims[a]);
    checkPlaces(array, 1);
    for (int boxes = 0; boxes < 20; ++boxes) {
      const IndexBox box = test::randomBox(random, dims);
      std::vector<std::byte> out(static_cast<std::size_t>(product(box.size) * 2 * 2));
      readBox(array, 0, box, 0, 2, out);
      for (std::int64_t n = 0; n < product(box.size); ++n) {
        Index3 cell = unlinear(n, box.size);
        for (std::size_t a = 0; a < 3; ++a) {
          cell[a] += box.first[a];
          if (turned[a]) cell[a] = dims[a] - 1 - cell[a];
          cell[a] = std::clamp<std::int64_t>(cell[a] - 1, 0, cells[a] - 1);
        }
        for (int c = 0; c < 2; ++c)
          QCOMPARE(valueAt(out.data(), ScalarType::I16, 2 * n + c), static_cast<double>(valueOf(cell, c, 0)));
      }
    }
  }
}

void TestPlacedArray::placesOutsideAreRefused() {
  test::TemporaryFolder folder;
  const auto path = folder / "f";
  std::ofstream(path) << std::string(100, 'x');
  const auto source = fileBytes(path, makeFilePool());
  const auto refused = [&](const Index3& dims, std::uint64_t offset, std::int64_t steps,
                           std::int64_t stepStride) {
    PlacedArray array;
    array.type = NumberType::U16;
    array.stepStride = stepStride;
    array.steps.push_back({densePiece({5, 5, 2}, array.type, 1, false, source, offset)});
    array.steps[0][0].nodes.size = dims;
    try {
      checkPlaces(array, steps);
    } catch (const Corrupt&) {
      return true;
    }
    return false;
  };
  QVERIFY(!refused({5, 5, 2}, 0, 1, 0));
  QVERIFY(refused({5, 5, 2}, 1, 1, 0));
  QVERIFY(refused({5, 5, 3}, 0, 1, 0));
  QVERIFY(refused({5, 5, 1}, 0, 3, 50));
  QVERIFY(!refused({5, 5, 1}, 0, 2, 50));
  QVERIFY(refused({std::int64_t{1} << 60, 5, 1}, 0, 1, 0));
  QVERIFY(refused({5, 5, 1}, std::uint64_t{1} << 63, 1, 0));
  QVERIFY(refused({5, 5, 1}, 40, 2, -50));
  QVERIFY(!refused({5, 5, 1}, 50, 2, -50));
}

QTEST_GUILESS_MAIN(TestPlacedArray)
#include "tst_placed_array.moc"
