// Finding out what a PLOT3D file is: every variant, and every way of being no such file.

#include <QTest>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>

#include "core/base/bytes.h"
#include "core/paging/bytes/local_file.h"
#include "plugins/plot3d/plot3d_detect.h"
#include "tests/support/error_words.h"
#include "tests/support/file_contents.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/plot3d/plot3d_samples.h"

using namespace farfield;
using namespace farfield::plot3d;
using namespace farfield::plot3d::test;
using farfield::test::contains;
using farfield::test::errorOf;

namespace {

Detection gridOf(const std::filesystem::path& path, const Overrides& overrides = {}) {
  return detectGrid(*paging::LocalFile::open(path), overrides);
}
Detection solutionOf(const std::filesystem::path& path, const Layout& grid, const Overrides& overrides = {}) {
  return detectSolution(*paging::LocalFile::open(path), grid, overrides);
}

std::filesystem::path bytesFile(const std::filesystem::path& path, const std::vector<std::int32_t>& ints,
                                std::uint64_t size, bool big = false) {
  std::vector<std::int32_t> values = ints;
  if (big) swapBytes(std::as_writable_bytes(std::span(values)), 4);
  File file = File::openForWriting(path, true);
  file.writeAt(0, std::as_bytes(std::span(values)));
  file.resize(size);
  return path;
}

}  // namespace

class TestPlot3dDetect : public QObject {
  Q_OBJECT
 private slots:
  void everyVariantIsFound();
  void solutionMayDifferInAllButDims();
  void overridesAreObeyed();
  void cutShortIsAnError();
  void cutSolutionsSayHowMuchIsMissing();
  void cutFunctionFilesToo();
  void extraBytesAreAnError();
  void zerosBehindAreAllowed();
  void brokenMarkerIsAnError();
  void wrongSolutionNamesBothDims();
  void swappedFilesAreRecognized();
  void ambiguousIsRefused();
  void hugeClaimsAreRefused();
  void otherKindsAreNamed();
  void functionsAndOverflow();
  void randomBytesAreErrors();
  void wrongOptionsAreErrors();
};

void TestPlot3dDetect::everyVariantIsFound() {
  farfield::test::TemporaryFolder folder;
  for (const std::vector<Index3>& dims :
       {std::vector<Index3>{{5, 4, 3}}, std::vector<Index3>{{5, 4, 3}, {2, 7, 6}, {4, 4, 4}}}) {
    for (const Format& format : allFormats(dims.size())) {
      const Layout written = Plot3dWriter::grid(folder / "unused", format, dims).layout();
      const Detection found = gridOf(writeGrid(folder / "grid", format, dims));
      QVERIFY2(found.layout == written, describe(format, Content::Grid).c_str());
      QVERIFY(!found.explain.empty());
      const Detection solution = solutionOf(writeSolution(folder / "q", format, dims), found.layout);
      Format expected = format;
      expected.iblank = false;
      QVERIFY2(solution.layout.format == expected,
               describe(solution.layout.format, Content::Solution).c_str());
    }
  }
  QCOMPARE(std::distance(std::filesystem::directory_iterator(folder.path()), {}),
           2);  // the writer left nothing else
}

void TestPlot3dDetect::solutionMayDifferInAllButDims() {
  farfield::test::TemporaryFolder folder;
  const std::vector<Index3> dims = {{6, 5, 4}};
  const Layout grid =
      gridOf(writeGrid(folder / "grid", {.precision = ScalarType::F64, .iblank = true}, dims)).layout;
  for (const Format& format : allFormats(1)) {
    if (format.iblank) continue;
    const Detection found = solutionOf(writeSolution(folder / "q", format, dims), grid);
    QVERIFY(found.layout.format == format);
  }
}

void TestPlot3dDetect::overridesAreObeyed() {
  farfield::test::TemporaryFolder folder;
  const auto path = writeGrid(folder / "grid", {.byteOrder = ByteOrder::Big}, {{5, 4, 3}});
  QVERIFY(gridOf(path, overridesFrom({{"byteOrder", "big"}, {"markers", "0"}, {"precision", "f32"}}, ""))
              .layout.blocks.size() == 1);
  for (const auto& [key, value] : std::map<std::string, std::string>{{"byteOrder", "little"},
                                                                     {"markers", "4"},
                                                                     {"multiGrid", "true"},
                                                                     {"precision", "f64"},
                                                                     {"iblank", "true"}})
    QVERIFY(!errorOf<Corrupt>([&] { gridOf(path, overridesFrom({{key, value}}, "")); }).empty());
}

void TestPlot3dDetect::cutShortIsAnError() {
  farfield::test::TemporaryFolder folder;
  const std::vector<Index3> dims = {{5, 4, 3}, {3, 3, 3}};
  for (const Format& format : allFormats(2)) {
    const auto path = writeGrid(folder / "grid", format, dims);
    const Layout layout = gridOf(path).layout;
    const auto q = writeSolution(folder / "q", format, dims);
    std::set<std::uint64_t, std::greater<>> lengths;  // each cut is made in what the last one left
    for (std::uint64_t n = 0; n < 80; ++n) lengths.insert(n);
    for (const BlockLayout& block : layout.blocks)
      for (int v = 0; v <= 4; ++v)
        for (int around = -9; around <= 9; ++around)
          lengths.insert(block.data + static_cast<std::uint64_t>(
                                          v * product(block.dims) * sizeOf(format.precision) + around));
    for (int before = 1; before <= 40; ++before)
      lengths.insert(layout.fileBytes - static_cast<std::uint64_t>(before));
    for (const std::uint64_t length : lengths) {
      if (length >= layout.fileBytes) continue;
      std::filesystem::resize_file(path, length);
      try {
        // Without markers, a file cut to exactly the size of another variant cannot be told from it.
        const Layout chance = gridOf(path).layout;
        QVERIFY(format.markerBytes == 0 && chance.fileBytes <= length && chance.format != format);
      } catch (const Invalid& error) {
        QVERIFY2(format.markerBytes == 0, error.what());
      } catch (const Error& error) {
        const std::string words = error.what();
        QVERIFY2(contains(words, "not a complete PLOT3D grid") || format.markerBytes == 0, words.c_str());
      }
    }
    for (const std::uint64_t length :
         {std::uint64_t{0}, std::uint64_t{30}, std::uint64_t{100}, std::filesystem::file_size(q) - 1}) {
      std::filesystem::resize_file(q, length);
      const std::string words = errorOf<Corrupt>([&] { solutionOf(q, layout); });
      QVERIFY2(
          contains(words, "not a complete PLOT3D solution"),
          (describe(format, Content::Solution) + " at " + std::to_string(length) + ": " + words).c_str());
      writeSolution(q, format, dims);
    }
  }
}

/// That they are guessed at as plain numbers helps nobody whose copy has failed.
void TestPlot3dDetect::cutSolutionsSayHowMuchIsMissing() {
  farfield::test::TemporaryFolder folder;
  for (const std::vector<Index3>& dims :
       {std::vector<Index3>{{7, 6, 5}}, std::vector<Index3>{{5, 4, 3}, {3, 3, 3}}})
    for (const Format& format : allFormats(dims.size())) {
      const Layout grid = gridOf(writeGrid(folder / "grid", format, dims)).layout;
      const auto q = writeSolution(folder / "q", format, dims);
      const std::uint64_t whole = std::filesystem::file_size(q);
      const std::string of = " bytes are missing of the " + std::to_string(whole);
      // Odd lengths: without markers a file that is cut to the size of another one cannot be told from it.
      for (const std::uint64_t left : {whole - 1, whole - whole / 4 - 1, whole / 2 - 1, whole / 5 - 1}) {
        std::filesystem::resize_file(q, left);
        const std::string words = errorOf<Corrupt>([&] { solutionOf(q, grid); });
        const std::string what = describe(format, Content::Solution) + " at " + std::to_string(left) +
                                 " of " + std::to_string(whole) + ": " + words;
        // Without markers a file of less than single precision takes says not how precise it is.
        const bool isSure = format.markerBytes > 0 || format.precision == ScalarType::F32 || left > whole / 2;
        QVERIFY2(contains(words, "it is cut off") && contains(words, "nodes take") &&
                     !contains(words, "plain numbers") && contains(words, describe(dims).c_str()),
                 what.c_str());
        const std::string missing = std::to_string(whole - left) + of;
        QVERIFY2(!isSure || contains(words, missing.c_str()), what.c_str());
        if (format.markerBytes > 0) {  // known without its grid as well
          const std::string alone = errorOf<Corrupt>([&] { gridOf(q); });
          QVERIFY2(contains(alone, "is a PLOT3D solution, not a grid") && contains(alone, "it is cut off") &&
                       contains(alone, missing.c_str()),
                   (what + alone).c_str());
        }
        writeSolution(q, format, dims);
      }
      // Of another grid it is not known what should be there.
      if (format.markerBytes > 0) continue;
      std::filesystem::resize_file(q, whole - 1);
      const Layout other = gridOf(writeGrid(folder / "other", format, {{9, 9, 2}})).layout;
      QVERIFY(!contains(errorOf<Corrupt>([&] { solutionOf(q, other); }), "cut off"));
    }
}

void TestPlot3dDetect::cutFunctionFilesToo() {
  farfield::test::TemporaryFolder folder;
  const Layout grid = gridOf(writeGrid(folder / "grid", {.multiGrid = true}, {{4, 3, 2}})).layout;
  constexpr std::uint64_t kWhole = 4 + 16 + 24 * 7 * 4;
  const auto function = bytesFile(folder / "function", {1, 4, 3, 2, 7}, kWhole - 30);
  const std::string words = errorOf<Corrupt>([&] { solutionOf(function, grid); });
  QVERIFY2(contains(words, "function file") && contains(words, "it is cut off, at least 30 bytes"),
           words.c_str());
}

void TestPlot3dDetect::extraBytesAreAnError() {
  farfield::test::TemporaryFolder folder;
  for (const Format& format : allFormats(1)) {
    const auto path = writeGrid(folder / "grid", format, {{5, 4, 3}});
    std::filesystem::resize_file(path, std::filesystem::file_size(path) + 1);
    QVERIFY(!errorOf<Corrupt>([&] { gridOf(path); }).empty());
  }
}

void TestPlot3dDetect::zerosBehindAreAllowed() {
  farfield::test::TemporaryFolder folder;
  for (const Format& format : allFormats(1)) {
    const auto path = writeGrid(folder / "grid", format, {{13, 11, 9}});
    const Layout layout = gridOf(path).layout;
    const std::uint64_t whole = (layout.fileBytes + 511) / 512 * 512;
    std::filesystem::resize_file(path, whole);
    QVERIFY(gridOf(path).layout == layout);
    File::openForWriting(path, false).writeAt(whole - 1, std::as_bytes(std::span("x", 1)));
    QVERIFY(!errorOf<Corrupt>([&] { gridOf(path); }).empty());
  }
}

void TestPlot3dDetect::brokenMarkerIsAnError() {
  farfield::test::TemporaryFolder folder;
  const Format format{.markerBytes = 4, .multiGrid = true};
  const auto path = writeGrid(folder / "grid", format, {{5, 4, 3}, {3, 3, 3}});
  const Layout layout = gridOf(path).layout;
  File::openForWriting(path, false).writeAt(layout.blocks[1].data - 4, std::as_bytes(std::span("abcd", 4)));
  const std::string words = errorOf<Corrupt>([&] { gridOf(path); });
  QVERIFY2(contains(words, "data of block 1"), words.c_str());
}

void TestPlot3dDetect::wrongSolutionNamesBothDims() {
  farfield::test::TemporaryFolder folder;
  const Layout grid = gridOf(writeGrid(folder / "grid", {}, {{5, 4, 3}})).layout;
  for (const Format& format : allFormats(1)) {
    const auto q = writeSolution(folder / "q", format, {{5, 4, 4}});
    const std::string words = errorOf<Invalid>([&] { solutionOf(q, grid); });
    QVERIFY2(contains(words, "5x4x4") && contains(words, "5x4x3"), words.c_str());
  }
  const auto more = writeSolution(folder / "q", {.multiGrid = true}, {{5, 4, 3}, {5, 4, 3}});
  QVERIFY(contains(errorOf<Invalid>([&] { solutionOf(more, grid); }), "2 blocks"));
}

void TestPlot3dDetect::swappedFilesAreRecognized() {
  farfield::test::TemporaryFolder folder;
  const auto grid = writeGrid(folder / "grid", {.markerBytes = 4}, {{5, 4, 3}});
  const auto q = writeSolution(folder / "q", {.markerBytes = 4}, {{5, 4, 3}});
  QVERIFY(contains(errorOf<Invalid>([&] { gridOf(q); }), "is a PLOT3D solution"));
  QVERIFY(contains(errorOf<Invalid>([&] { solutionOf(grid, gridOf(grid).layout); }), "is a PLOT3D grid"));
}

void TestPlot3dDetect::ambiguousIsRefused() {
  farfield::test::TemporaryFolder folder;
  // Two blocks 2x1x1 and 6x1x1 in f32, or one block 2x2x1 in f64 with iblank: 124 bytes each.
  const auto path = bytesFile(folder / "grid", {2, 2, 1, 1, 6, 1, 1}, 124);
  const std::string words = errorOf<Invalid>([&] { gridOf(path); });
  QVERIFY2(contains(words, "2 ways") && contains(words, "6x1x1") && contains(words, "2x2x1") &&
               contains(words, "multiGrid"),
           words.c_str());
  QCOMPARE(gridOf(path, overridesFrom({{"multiGrid", "true"}}, "")).layout.blocks.size(), std::size_t{2});
  QCOMPARE(gridOf(path, overridesFrom({{"precision", "f64"}}, "")).layout.blocks.size(), std::size_t{1});

  // Each reading's options lead to it.
  const std::vector<Reading> readings = readingsOf(path, "");
  QCOMPARE(readings.size(), std::size_t{2});
  std::set<std::size_t> blocks;
  for (const Reading& reading : readings)
    blocks.insert(gridOf(path, overridesFrom(reading.options, "")).layout.blocks.size());
  QCOMPARE(blocks, (std::set<std::size_t>{1, 2}));
  QVERIFY(readingsOf(writeGrid(folder / "plain", {}, {{5, 4, 3}}), "").empty());
}

void TestPlot3dDetect::hugeClaimsAreRefused() {
  farfield::test::TemporaryFolder folder;
  constexpr std::int32_t kMany = 0x7fffffff;
  using Heads = std::vector<std::vector<std::int32_t>>;
  const Heads heads = {{kMany, kMany, kMany},
                       {10'000, 10'000, 10'000},
                       {100, 0, 100},
                       {0, 0, 0},
                       {-5, 4, 3},
                       {-5, -4, 3},
                       {kMany},
                       {1, kMany, kMany, kMany},
                       {2, 5, 4, 3, kMany, 1, 1},
                       {4, 1, 4, 12, kMany, 2, 2, 12},
                       {12, kMany, kMany, kMany, 12},
                       {4, kMany, 4},
                       {4, 80, 4, 960},
                       {85, 1, 1, 1},
                       {-1, 5, 4, 3},
                       {1 << 16, 1 << 16, 1 << 16, 1 << 16},
                       {4, -1, 4, -12},
                       {-2147483647 - 1, 1, 1},
                       {4, 0, 4, 0, 0}};
  for (const auto& head : heads)
    for (const bool big : {false, true})
      for (const std::uint64_t size :
           {std::uint64_t{1024}, std::uint64_t{1} << 34}) {  // the second one is sparse
        const auto path = bytesFile(folder / "grid", head, size, big);
        // Two of the files are just as long as a row of nodes in 2-D is.
        const bool refused = !errorOf<Corrupt>([&] { gridOf(path); }).empty();
        QVERIFY2(refused || (head == Heads::value_type{1, kMany, kMany, kMany} && size > 1024) ||
                     (head[0] == 85 && size == 1024),
                 std::to_string(head[0]).c_str());
      }
  // Millions of the smallest possible blocks, all sound.
  constexpr std::int32_t kBlocks = 3'000'000;
  std::vector<std::int32_t> ones(kBlocks * 3 + 1, 1);
  ones[0] = kBlocks;
  const auto path = bytesFile(folder / "grid", ones, 4 + std::uint64_t{24} * kBlocks);
  const std::string words = errorOf<Corrupt>([&] { gridOf(path); });
  QVERIFY2(contains(words, "nearest guess"), words.c_str());
}

void TestPlot3dDetect::otherKindsAreNamed() {
  farfield::test::TemporaryFolder folder;
  const auto function = bytesFile(folder / "function", {1, 4, 3, 2, 7}, 4 + 16 + 24 * 7 * 4);
  QVERIFY(contains(errorOf<Unsupported>([&] { gridOf(function); }), "function file"));
  const auto overflow = bytesFile(folder / "overflow", {1, 4, 3, 2, 8, 2}, 4 + 12 + 8 + 18 * 8 + 24 * 8 * 8);
  QVERIFY(contains(errorOf<Unsupported>([&] { gridOf(overflow); }), "OVERFLOW"));
  // A solution, also filled up to a multiple of 512 bytes: it is told from a grid that was cut short.
  for (const std::uint64_t behind : {0, 132}) {
    const auto solution = bytesFile(folder / "solution", {9, 8, 7}, 12 + 16 + 504 * 5 * 4 + behind);
    const std::string words = errorOf<Invalid>([&] { gridOf(solution); });
    QVERIFY2(contains(words, "name the grid, and this file as its solution"), words.c_str());
  }
  farfield::test::writeFile(folder / "README",
                            "What these files are\n\n- a grid\n- und seine L\xc3\xb6sung\n");
  const std::string words = errorOf<Unsupported>([&] { gridOf(folder / "README"); });
  QVERIFY2(contains(words, "is text"), words.c_str());
  // What a name says helps more than a guess at blocks; of names that say nothing there is the guess.
  for (const auto& [name, said] :
       {std::pair("noise.h5", "named as HDF5"), std::pair("NOISE.CGNS", "named as CGNS"),
        std::pair("body.stl", "--reader vtk-readers")}) {
    const auto noise = bytesFile(folder / name, {1234567891, 987654321, 5, -7}, 5000);
    const std::string of = errorOf<Unsupported>([&] { gridOf(noise); });
    QVERIFY2(contains(of, said), of.c_str());
  }
  const auto noise = bytesFile(folder / "noise.dat", {1234567891, 987654321, 5, -7}, 5000);
  QVERIFY(contains(errorOf<Corrupt>([&] { gridOf(noise); }), "nearest guess"));
}

void TestPlot3dDetect::functionsAndOverflow() {
  farfield::test::TemporaryFolder folder;
  const Layout grid = gridOf(writeGrid(folder / "grid", {.multiGrid = true}, {{4, 3, 2}})).layout;
  const auto function = bytesFile(folder / "function", {1, 4, 3, 2, 7}, 4 + 16 + 24 * 7 * 4);
  const Layout functions = solutionOf(function, grid).layout;
  QVERIFY(functions.content == Content::Function && functions.format.variables == 7);
  QCOMPARE(functions.place(0, 6).offset, std::uint64_t{20 + 24 * 6 * 4});

  // Eighteen doubles before the block, or fewer than the thirteen that every version has.
  const auto overflow = bytesFile(folder / "overflow", {1, 4, 3, 2, 8, 2}, 4 + 12 + 8 + 18 * 8 + 24 * 8 * 8);
  const Layout solution = solutionOf(overflow, grid).layout;
  QVERIFY(solution.content == Content::Solution && solution.format.overflow);
  QCOMPARE(solution.format.headerBytes, 18 * 8);
  QVERIFY(solution.format.variables == 8 && solution.format.species == 2);
  const auto shorter = bytesFile(folder / "shorter", {1, 4, 3, 2, 8, 2}, 4 + 12 + 8 + 5 * 8 + 24 * 8 * 8);
  QVERIFY(!errorOf<Corrupt>([&] { solutionOf(shorter, grid); }).empty());

  const auto flat =
      writeGrid(folder / "flat", {.markerBytes = 4, .multiGrid = true, .dimensions = 2}, {{6, 5, 1}});
  QCOMPARE(gridOf(flat).layout.format.dimensions, 2);
}

void TestPlot3dDetect::randomBytesAreErrors() {
  farfield::test::TemporaryFolder folder;
  std::mt19937 random(7);
  constexpr std::int32_t kLikely[] = {0,  1,   2,  3,          4,          8,          12,        24,
                                      96, 100, -1, 0x0c000000, 0x04000000, 0x01000000, 0x7fffffff};
  for (int round = 0; round < 500; ++round) {
    std::vector<std::int32_t> ints(1 + random() % 40);
    for (auto& value : ints)
      value = random() % 4 ? kLikely[random() % std::size(kLikely)] : static_cast<std::int32_t>(random());
    const auto path = bytesFile(folder / "grid", ints, ints.size() * 4 + random() % 4);
    try {
      const Layout layout = gridOf(path).layout;
      QVERIFY(layout.fileBytes <= ints.size() * 4 + 3);  // a fit by chance is no error, but it must fit
    } catch (const Error&) {
    }
  }
}

void TestPlot3dDetect::wrongOptionsAreErrors() {
  QVERIFY(contains(errorOf<Invalid>([] { overridesFrom({{"byteOrder", "middle"}}, ""); }), "little or big"));
  QVERIFY(contains(errorOf<Invalid>([] { checkKeys({{"byteorder", "big"}}); }), "byteorder"));
  checkKeys(
      {{"gamma", "1.3"}, {"R", "287"}, {"viscosity", "1e-5"}, {"solution.markers", "4"}, {"iblank", "true"}});
  QCOMPARE(*overridesFrom({{"solution.precision", "f64"}}, "solution.").precision, ScalarType::F64);
  QVERIFY(!overridesFrom({{"solution.precision", "f64"}}, "").precision);
}

QTEST_APPLESS_MAIN(TestPlot3dDetect)
#include "tst_plot3d_detect.moc"
