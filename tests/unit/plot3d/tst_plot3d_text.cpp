// PLOT3D as text: what numbers may look like, what is found by their count, and what is refused.

#include <QTest>

#include <cmath>
#include <cstdlib>
#include <fstream>

#include "core/base/error.h"
#include "core/base/stoppable_waits.h"
#include "core/paging/bytes/local_file.h"
#include "plugins/plot3d/plot3d_reader.h"
#include "plugins/plot3d/text_file.h"
#include "tests/support/error_words.h"
#include "tests/support/refused_calls.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using namespace farfield::plot3d;
using farfield::test::contains;
using farfield::test::errorOf;

namespace {

std::filesystem::path write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

TextAsBinary read(const std::filesystem::path& path, const Layout* grid = nullptr,
                  const Overrides& overrides = {}) {
  return binaryFromText(*paging::LocalFile::open(path), grid, overrides);
}

std::vector<double> doublesAt(const TextAsBinary& text, std::uint64_t offset, std::size_t count) {
  std::vector<double> values(count);
  text.file->readAt(offset, std::as_writable_bytes(std::span(values)));
  return values;
}

}  // namespace

class TestPlot3dText : public QObject {
  Q_OBJECT
 private slots:
  void numbersInAllClothes();
  void everyKindByItsCount();
  void iblankIsOfIntegers();
  void longTextIsReadInPieces();
  void whatIsNoNumberIsRefused();
  void whatFitsNothingOrTwiceIsRefused();
  void repeatsAreBounded();
  void readerOpensText();
  void readingStops();
  void aFullDiskIsSaidAndNothingStays();
};

void TestPlot3dText::numbersInAllClothes() {
  farfield::test::TemporaryFolder folder;
  const TextAsBinary text = read(write(folder / "g", "2 1 1\r\n3*1.5, -2.0D-3\t+4E2,1e-400\n"));
  QCOMPARE(text.layout.blocks.front().dims, (Index3{2, 1, 1}));
  QCOMPARE(doublesAt(text, text.layout.blocks.front().data, 6),
           (std::vector{1.5, 1.5, 1.5, -2e-3, 400.0, 0.0}));
}

void TestPlot3dText::everyKindByItsCount() {
  farfield::test::TemporaryFolder folder;
  const Layout grid = read(write(folder / "g", "2\n2 2 1\n1 2 3\n30*0.5\n")).layout;
  QVERIFY(grid.format.multiGrid && !grid.format.iblank && grid.format.dimensions == 3);
  QCOMPARE(grid.blocks.size(), std::size_t{2});
  const Layout solution = read(write(folder / "q", "2 2 2 1 1 2 3 4*0 20*1 4*0 30*2"), &grid).layout;
  QVERIFY(solution.content == Content::Solution);
  const Layout functions = read(write(folder / "f", "2 2 2 1 3 1 2 3 3 30*1"), &grid).layout;
  QVERIFY(functions.content == Content::Function && functions.format.variables == 3);
  const Layout flat = read(write(folder / "h", "3 2 12*1")).layout;
  QVERIFY(flat.format.dimensions == 2 && !flat.format.multiGrid);
}

void TestPlot3dText::iblankIsOfIntegers() {
  farfield::test::TemporaryFolder folder;
  const TextAsBinary text = read(write(folder / "g", "1 2 1 1  1 2 3 4 5 6  -3 0"));
  QVERIFY(text.layout.format.iblank);
  std::int32_t iblank[2];
  text.file->readAt(text.layout.iblankPlace(0).offset, std::as_writable_bytes(std::span(iblank)));
  QVERIFY(iblank[0] == -3 && iblank[1] == 0);
}

void TestPlot3dText::longTextIsReadInPieces() {
  farfield::test::TemporaryFolder folder;
  constexpr int kNodes = 60'000;
  std::string words = std::to_string(kNodes) + " 1 1\n";
  for (int n = 0; n < 3 * kNodes; ++n) words += std::to_string(n) + (n % 7 == 6 ? "\n" : "  ");
  const TextAsBinary text = read(write(folder / "g", words));
  const auto values = doublesAt(text, text.layout.blocks.front().data, 3 * kNodes);
  for (int n = 0; n < 3 * kNodes; ++n) QCOMPARE(values[static_cast<std::size_t>(n)], double(n));
}

void TestPlot3dText::whatIsNoNumberIsRefused() {
  farfield::test::TemporaryFolder folder;
  for (const char* words : {"2 1 1 1 2 3 4 5 six", "2 1 1 1 2 3 4 5 6,7x", "2 1 1 *3 1 2 3 4 5",
                            "2 1 1 0*3 1 2 3 4 5 6", "2 1 1 1-2", "2 1 1 --1"}) {
    const std::string error = errorOf<Corrupt>([&] { read(write(folder / "g", words)); });
    QVERIFY2(contains(error, "is not a number"), error.c_str());
    QVERIFY2(contains(error, "byte"), error.c_str());
  }
  QVERIFY(contains(errorOf<Corrupt>([&] { read(write(folder / "g", "1 " + std::string(100, '1'))); }),
                   "is not a number"));
}

void TestPlot3dText::whatFitsNothingOrTwiceIsRefused() {
  farfield::test::TemporaryFolder folder;
  QVERIFY(contains(errorOf<Corrupt>([&] { read(write(folder / "g", "2 2 2 1 2 3")); }), "no PLOT3D grid"));
  QVERIFY(contains(errorOf<Corrupt>([&] { read(write(folder / "g", " ")); }), "no PLOT3D grid"));
  // Two blocks of a node each in 2-D, or one of two nodes in 3-D.
  const auto twice = write(folder / "g", "2 1 1 6*1");
  const std::string error = errorOf<Invalid>([&] { read(twice); });
  QVERIFY2(contains(error, "2 ways") && contains(error, "multiGrid"), error.c_str());
  const Layout grid = read(twice, nullptr, overridesFrom({{"multiGrid", "false"}}, "")).layout;
  QCOMPARE(grid.blocks.front().dims, (Index3{2, 1, 1}));
  QVERIFY(contains(errorOf<Corrupt>([&] { read(write(folder / "q", "1 2 1 4*0 10*1"), &grid); }),
                   "solution of its grid"));
}

void TestPlot3dText::repeatsAreBounded() {
  farfield::test::TemporaryFolder folder;
  const auto path = write(folder / "g", "1000 1000 1000 3000000000*1.0");
  QVERIFY(contains(errorOf<Corrupt>([&] { read(path); }), "is not a number"));
  const auto many = write(folder / "h", "1000 1000 10 16000000*1 14000000*1");
  QVERIFY(contains(errorOf<Unsupported>([&] { read(many); }), "repeats so many numbers"));
}

void TestPlot3dText::readerOpensText() {
  farfield::test::TemporaryFolder folder;
  const Plot3dReader reader({{write(folder / "g", "2 2 1  0 1 0 1  0 0 1 1  4*7")},
                             {write(folder / "q", "2 2 1  0.5 0 0 0  4*1 4*2 4*3 4*4 1 2 3 4")}});
  QCOMPARE(reader.description().attributes.at("mach.0"), std::string("0.5"));
  std::vector<double> energy(4);
  reader.readComponent(1, 0, 4, {{0, 0, 0}, {2, 2, 1}}, std::as_writable_bytes(std::span(energy)));
  QCOMPARE(energy, (std::vector{1.0, 2.0, 3.0, 4.0}));
}

/// A text of some gigabytes is parsed twice and copied for minutes.
void TestPlot3dText::readingStops() {
  farfield::test::TemporaryFolder folder;
  const auto text = write(folder / "g", "2 2 1 12*0.5");
  QCOMPARE(read(text).layout.blocks.front().dims, (Index3{2, 2, 1}));
  std::stop_source stop;
  stop.request_stop();
  const StoppableWaits waits(stop.get_token());
  QVERIFY_EXCEPTION_THROWN(read(text), Cancelled);
}

/// The disk that has no room is that of the copy, which is in TMPDIR.
void TestPlot3dText::aFullDiskIsSaidAndNothingStays() {
  farfield::test::TemporaryFolder folder, copies;
  const auto text = write(folder / "grid", "2 2 1 12*0.5");
  const int status = farfield::test::statusInChild(
      [] { return farfield::test::refuseCalls({SYS_fallocate}, ENOSPC); },
      [&] {
        ::setenv("TMPDIR", copies.path().c_str(), 1);
        const std::string said = errorOf<Io>([&] { read(text); });
        const bool isRight = contains(said, (folder / "grid").c_str()) &&
                             contains(said, ("folder " + copies.path().string()).c_str()) &&
                             contains(said, "a temporary copy needs 108 bytes there") && contains(said, "TMPDIR");
        if (!isRight) std::fprintf(stderr, "%s\n", said.c_str());
        return !isRight ? 1 : std::filesystem::is_empty(copies.path()) ? 0 : 2;
      });
  if (status == 77) QSKIP("this kernel refuses nothing");
  QCOMPARE(status, 0);
}

QTEST_APPLESS_MAIN(TestPlot3dText)
#include "tst_plot3d_text.moc"
