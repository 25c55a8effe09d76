// Fortran's records: whole and in planes, in one piece and split into subrecords of any length, as gfortran
// wrote them and as broken files have them.

#include <QTest>

#include <cstring>
#include <fstream>
#include <iterator>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "plugins/plot3d/text_file.h"
#include "tests/support/error_words.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/plot3d/box_checks.h"

using namespace farfield;
using namespace farfield::plot3d;
using namespace farfield::plot3d::test;
using farfield::test::contains;
using farfield::test::errorOf;

namespace {

using Bytes = std::vector<char>;

Bytes bytesOf(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}
void write(const std::filesystem::path& path, const Bytes& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// A marker as the format has it.
Bytes marker(const Format& format, std::int64_t value) {
  Bytes bytes(static_cast<std::size_t>(format.markerBytes));
  const bool big = format.byteOrder == ByteOrder::Big;
  if (format.markerBytes == 8)
    store(bytes.data(), big ? byteSwapped(value) : value);
  else
    store(bytes.data(),
          big ? byteSwapped(static_cast<std::int32_t>(value)) : static_cast<std::int32_t>(value));
  return bytes;
}

/// The same file with no record longer than `most`.
void splitRecords(const std::filesystem::path& path, const Format& format, std::size_t most) {
  const Bytes in = bytesOf(path);
  Bytes out;
  const auto put = [&](const Bytes& bytes) { out.insert(out.end(), bytes.begin(), bytes.end()); };
  const auto size = static_cast<std::size_t>(format.markerBytes);
  for (std::size_t at = 0; at < in.size();) {
    std::uint64_t length = 0;
    if (format.markerBytes == 8)
      length = load<std::uint64_t>(&in[at]);
    else
      length = load<std::uint32_t>(&in[at]);
    if (format.byteOrder == ByteOrder::Big)
      length =
          format.markerBytes == 8 ? byteSwapped(length) : byteSwapped(static_cast<std::uint32_t>(length));
    at += size;
    for (std::size_t done = 0; done < length;) {
      const std::size_t piece = std::min<std::size_t>(most, length - done);
      const auto signedPiece = static_cast<std::int64_t>(piece);
      put(marker(format, done + piece < length ? -signedPiece : signedPiece));
      put(Bytes(in.begin() + static_cast<std::ptrdiff_t>(at + done),
                in.begin() + static_cast<std::ptrdiff_t>(at + done + piece)));
      put(marker(format, done > 0 ? -signedPiece : signedPiece));
      done += piece;
    }
    at += length + size;
  }
  write(path, out);
}

std::vector<double> allOf(const Plot3dReader& reader, const char* name) {
  const int array = reader.description().find(0, name);
  const auto& description = reader.description().arrays[static_cast<std::size_t>(array)];
  const Index3 dims = description.layout.dims();
  std::vector<std::byte> bytes(static_cast<std::size_t>(product(dims) * description.nodeBytes()));
  reader.read(static_cast<std::uint32_t>(array), 0, whole(dims), bytes);
  std::vector<double> values(static_cast<std::size_t>(product(dims) * description.components));
  for (std::size_t n = 0; n < values.size(); ++n)
    values[n] = valueAt(bytes.data(), description.type, static_cast<std::int64_t>(n));
  return values;
}

}  // namespace

class TestPlot3dRecords : public QObject {
  Q_OBJECT
 private slots:
  void whatGfortranWrote_data();
  void whatGfortranWrote();
  void everyVariantIsReadInSubrecords();
  void moreThanTwoGiBytes();
  void brokenSubrecordsAreErrors();
  void planesWithoutMarkersByOption();
  void planesOfText();
};

void TestPlot3dRecords::whatGfortranWrote_data() {
  QTest::addColumn<int>("markers");
  QTest::addColumn<bool>("planes");
  QTest::addColumn<bool>("split");
  for (const int markers : {4, 8})
    for (const int most : markers == 4 ? std::vector{9, 21} : std::vector{0, 9})
      for (const char* const layout : {"whole", "planes"})
        QTest::addRow("m%d-%d-%s", markers, most, layout)
            << markers << (std::string(layout) == "planes") << (most > 0);
}

void TestPlot3dRecords::whatGfortranWrote() {
  QFETCH(int, markers);
  QFETCH(bool, planes);
  QFETCH(bool, split);
  const auto stem = std::filesystem::path(FARFIELD_GFORTRAN_FILES) / QTest::currentDataTag();
  const Plot3dReader reader({{stem.string() + ".xyz"}, {stem.string() + ".q"}});
  for (const Layout* layout : {&reader.gridLayout(), reader.solutionLayout()}) {
    QCOMPARE(layout->format.markerBytes, markers);
    QCOMPARE(layout->format.planes, planes);
    QCOMPARE(!layout->splits.empty(), split);
    QVERIFY(layout->format.multiGrid && layout->format.byteOrder == ByteOrder::Little &&
            layout->format.precision == ScalarType::F32);
  }
  const std::vector<double> xyz = allOf(reader, "xyz"), q = allOf(reader, "q"),
                            iblank = allOf(reader, "iblank");
  for (std::size_t n = 0; n < 24; ++n) {
    const Index3 node = unlinear(static_cast<std::int64_t>(n), Index3{3, 2, 4});
    const double i = double(node[0]), j = double(node[1]), k = double(node[2]);
    QCOMPARE(xyz[3 * n], i);
    QCOMPARE(xyz[3 * n + 1], 10 * j);
    QCOMPARE(xyz[3 * n + 2], 100 * k);
    QCOMPARE(iblank[n], i + j + k + 1);
    for (std::size_t v = 0; v < 5; ++v) QCOMPARE(q[5 * n + v], 1000.0 * double(v + 1) + i + 10 * j + 100 * k);
  }
  QCOMPARE(reader.description().attributes.at("mach.0"), std::string("0.5"));
  QCOMPARE(reader.description().times.front(), 3.0);
}

void TestPlot3dRecords::everyVariantIsReadInSubrecords() {
  farfield::test::TemporaryFolder folder;
  std::mt19937 random(11);
  const std::vector<Index3> dims = {{9, 7, 5}, {2, 4, 6}};
  for (const Format& format : allFormats(dims.size())) {
    if (format.markerBytes == 0) continue;
    for (const std::size_t most : {11, 64, 1001}) {
      const auto grid = writeGrid(folder / "grid", format, dims);
      const auto solution = writeSolution(folder / "q", format, dims);
      splitRecords(grid, format, most);
      splitRecords(solution, format, most);
      const Plot3dReader reader({{grid}, {solution}});
      QVERIFY(reader.gridLayout().format == format);
      QCOMPARE(reader.gridLayout().fileBytes, std::uint64_t{std::filesystem::file_size(grid)});
      const std::string wrong = firstWrongBox(reader, random, 4);
      QVERIFY2(wrong.empty(), wrong.c_str());
    }
  }
}

void TestPlot3dRecords::moreThanTwoGiBytes() {
  farfield::test::TemporaryFolder folder;
  // The length at which gfortran and ifort split: no multiple of 4, so that a number lies on both sides.
  constexpr std::uint64_t kMost = 2'147'483'639;
  const Format format{.markerBytes = 4, .multiGrid = true, .precision = ScalarType::F64};
  const Index3 dims{700, 600, 450};
  const std::uint64_t nodes = 700ull * 600 * 450, payload = nodes * 24, begin = 12 + 20;
  File file = File::openForWriting(folder / "grid", true);
  const auto put = [&](std::uint64_t at, const auto& value) {
    file.writeAt(at, std::as_bytes(std::span(&value, 1)));
  };
  const std::int32_t head[] = {4, 1, 4, 12, 700, 600, 450, 12};
  put(0, head);
  std::uint64_t at = begin;
  for (std::uint64_t done = 0; done < payload;) {
    const std::uint64_t piece = std::min(kMost, payload - done);
    const auto length = static_cast<std::int32_t>(piece);
    put(at, done + piece < payload ? -length : length);
    put(at + 4 + piece, done > 0 ? -length : length);
    at += piece + 8;
    done += piece;
  }
  QCOMPARE(file.size(), at);
  // A number in the middle of the first split, and the last of all.
  const std::uint64_t straddling = kMost / 8;
  const double value = 1234.5678, last = -4.5;
  std::byte bytes[8];
  std::memcpy(bytes, &value, 8);
  const std::size_t before = kMost - straddling * 8;
  file.writeAt(begin + 4 + straddling * 8, std::span(bytes).first(before));
  file.writeAt(begin + 4 + kMost + 8, std::span(bytes).subspan(before));
  put(at - 4 - 8, last);
  file.close();

  const Plot3dReader reader({{folder / "grid"}, {}});
  QVERIFY(reader.gridLayout().format == format);
  QCOMPARE(reader.gridLayout().splits.size(), std::size_t{payload / kMost});
  const auto nodeAt = [&](std::uint64_t number) {
    std::vector<double> xyz(3);
    const Index3 node = unlinear(static_cast<std::int64_t>(number % nodes), dims);
    reader.read(0, 0, {node, {1, 1, 1}}, std::as_writable_bytes(std::span(xyz)));
    return xyz[number / nodes];
  };
  QCOMPARE(nodeAt(straddling), value);
  QCOMPARE(nodeAt(straddling + 1), 0.0);
  QCOMPARE(nodeAt(3 * nodes - 1), last);
}

void TestPlot3dRecords::brokenSubrecordsAreErrors() {
  farfield::test::TemporaryFolder folder;
  const Format format{.markerBytes = 4};
  const auto path = writeGrid(folder / "grid", format, {{3, 3, 2}});
  splitRecords(path, format, 50);
  const Bytes sound = bytesOf(path);
  // Lengths of another sign or size, wherever they stand: what is read as numbers may be anything.
  const Layout layout = Plot3dReader({{path}, {}}).gridLayout();
  std::vector<std::size_t> markers;
  for (std::size_t n = 0; n <= layout.splits.size(); ++n) {
    const std::size_t piece = n < layout.splits.size() ? 50 : 216 - 200;
    markers.push_back(20 + n * 58);
    markers.push_back(20 + n * 58 + 4 + piece);
  }
  QCOMPARE(markers.back() + 4, sound.size());
  for (const std::size_t at : markers)
    for (const std::int32_t value : {0, 1, -1, 50000, -50000, INT32_MAX, INT32_MIN}) {
      Bytes broken = sound;
      store(&broken[at], value);
      write(path, broken);
      QVERIFY2(contains(errorOf<Corrupt>([&] {
                          Plot3dReader({{path}, {}});
                        }),
                        "nearest guess"),
               std::to_string(at).c_str());
    }
  for (std::size_t length = 0; length < sound.size(); ++length) {
    write(path, Bytes(sound.begin(), sound.begin() + static_cast<std::ptrdiff_t>(length)));
    QVERIFY(!errorOf<Corrupt>([&] { Plot3dReader({{path}, {}}); }).empty());
  }
  // A hundred thousand subrecords of a byte each.
  Bytes many(sound.begin(), sound.begin() + 20);
  for (int n = 0; n < 100'000; ++n) {
    for (const std::int32_t value : {-1, 7, -1}) {
      const Bytes bytes = marker(format, value);
      many.insert(many.end(), bytes.begin(), value == 7 ? bytes.begin() + 1 : bytes.end());
    }
  }
  write(path, many);
  QVERIFY(!errorOf<Corrupt>([&] { Plot3dReader({{path}, {}}); }).empty());
}

void TestPlot3dRecords::planesWithoutMarkersByOption() {
  farfield::test::TemporaryFolder folder;
  std::mt19937 random(12);
  const std::vector<Index3> dims = {{5, 4, 3}, {3, 6, 1}};
  for (const bool iblank : {false, true}) {
    const Format format{.multiGrid = true, .iblank = iblank, .planes = true};
    const auto grid = writeGrid(folder / "grid", format, dims);
    const auto solution = writeSolution(folder / "q", format, dims);
    const Plot3dReader reader({{grid}, {solution}}, {{"layout", "planes"}, {"solution.layout", "planes"}});
    QVERIFY(reader.gridLayout().format == format);
    const std::string wrong = firstWrongBox(reader, random, 6);
    QVERIFY2(wrong.empty(), wrong.c_str());
    // Without the option they are taken for whole ones, as their size has it.
    QVERIFY(!Plot3dReader({{grid}, {}}).gridLayout().format.planes);
  }
  // Where records tell, an option that contradicts is refused.
  const auto marked =
      writeGrid(folder / "marked", {.markerBytes = 4, .multiGrid = true, .planes = true}, dims);
  QVERIFY(!errorOf<Corrupt>([&] { Plot3dReader({{marked}, {}}, {{"layout", "whole"}}); }).empty());
}

void TestPlot3dRecords::planesOfText() {
  farfield::test::TemporaryFolder folder;
  // Two planes of 2x1 nodes: x, y, z, iblank of the first, then of the second.
  std::ofstream(folder / "g") << "2 1 2\n 0 1  0 0  0 0  1 2\n 0 1  0 0  5 5  -3 0\n";
  const Plot3dReader reader({{folder / "g"}, {}}, {{"layout", "planes"}});
  QCOMPARE(allOf(reader, "xyz"), (std::vector<double>{0, 0, 0, 1, 0, 0, 0, 0, 5, 1, 0, 5}));
  QCOMPARE(allOf(reader, "iblank"), (std::vector<double>{1, 2, -3, 0}));
}

QTEST_APPLESS_MAIN(TestPlot3dRecords)
#include "tst_plot3d_records.moc"
