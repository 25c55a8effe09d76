// How PLOT3D files are found out about, as a user sees it: what was tried and why it was refused, which
// readings an ambiguous file has, and options that settle it.

#include <QTest>

#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/system/plot3d_file.h"
#include "tests/system/session_text.h"

using namespace farfield;
using namespace farfield::test;

namespace {

bool has(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

class TestDetection : public QObject {
  Q_OBJECT
 private slots:
  void verboseSaysWhatWasTried();
  void ambiguousFilesListTheirReadings();
  void layoutIsAnOption();

 private:
  RunSettings here() const { return {.folder = m_folder.path()}; }
  RunResult info(std::vector<std::string> words) const {
    words.insert(words.begin(), "info");
    return runProgram(words, here());
  }
  TemporaryFolder m_folder;
};

void TestDetection::verboseSaysWhatWasTried() {
  Plot3dBlock block{.dims = {4, 3, 2}, .xyz = std::vector<double>(72, 0.5), .q = {}, .iblank = {}};
  for (std::size_t n = 0; n < 72; ++n) block.xyz[n] = double(n % 24) + 0.1 * double(n);
  block.q.assign(120, 1.0);
  writePlot3d(m_folder / "g.xyz", m_folder / "g.q", {block}, {.markers = true});
  const RunResult good = info({"g.xyz", "--solution", "g.q", "--verbose"});
  QVERIFY2(good.status == 0, good.errors.c_str());
  for (const char* const part :
       {"grid g.xyz", "big-endian, 4-byte markers, multi grid: no record with a block count",
        "f32 fits, f32 in planes takes", "f64 takes",
        "Taken: little-endian, 4-byte markers, multi grid, f32, no iblank.", "solution g.q"})
    QVERIFY2(has(good.errors, part), part);
  // Cut short: the error is one line, and the guesses are said besides.
  const std::string whole = fileContents(m_folder / "g.xyz");
  writeFile(m_folder / "cut.xyz", whole.substr(0, whole.size() - 1));
  const RunResult quiet = info({"cut.xyz"}), loud = info({"cut.xyz", "-v"});
  QCOMPARE(quiet.status, 1);
  QCOMPARE(quiet.errorLines().size(), std::size_t{1});
  QVERIFY2(has(quiet.errors, "nearest guess: as little-endian, 4-byte markers, multi grid"),
           quiet.errors.c_str());
  QCOMPARE(loud.status, 1);
  QCOMPARE(loud.errorLines().back(), quiet.errorLines().back());
  QVERIFY2(has(loud.errors, "cut.xyz was held against:") && has(loud.errors, "big-endian, 8-byte markers"),
           loud.errors.c_str());
}

void TestDetection::ambiguousFilesListTheirReadings() {
  // Two blocks 2x1x1 and 6x1x1 in f32, or one block 2x2x1 in f64 with iblank: 124 bytes each.
  std::string bytes(124, '\0');
  const std::int32_t head[] = {2, 2, 1, 1, 6, 1, 1};
  std::memcpy(bytes.data(), head, sizeof head);
  writeFile(m_folder / "both.xyz", bytes);
  const RunResult asked = info({"both.xyz"});
  QCOMPARE(asked.status, 1);
  QCOMPARE(asked.errorLines().size(), std::size_t{1});
  for (const char* const part : {"2 ways", "2 blocks, 2x1x1 + 6x1x1", "2x2x1", "multiGrid", "layout"})
    QVERIFY2(has(asked.errors, part), asked.errors.c_str());
  const RunResult settled = info({"both.xyz", "--option", "multiGrid=true"});
  QVERIFY2(settled.status == 0 && has(settled.out, "blocks     2\n"), settled.errors.c_str());
}

void TestDetection::layoutIsAnOption() {
  // Values that differ everywhere, so that planes taken for whole blocks are seen.
  Plot3dBlock block{.dims = {3, 4, 5}, .xyz = {}, .q = {}, .iblank = {}};
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::int64_t n = 0; n < 60; ++n) block.xyz.push_back(double(unlinear(n, block.dims)[axis]));
  for (int n = 0; n < 300; ++n) block.q.push_back(1 + 0.5 * n);
  writePlot3d(m_folder / "whole.xyz", m_folder / "whole.q", {block});
  writePlot3d(m_folder / "planes.xyz", m_folder / "planes.q", {block}, {.planes = true});
  const auto probe = [&](const std::string& name, std::vector<std::string> more) {
    std::vector<std::string> words{"probe",      name + ".xyz", "--solution", name + ".q",
                                   "--function", "density",     "--at",       "1.5,2.25,3.5"};
    words.insert(words.end(), more.begin(), more.end());
    const RunResult result = runProgram(words, here());
    return result.status == 0 ? result.out : result.errors;
  };
  const std::string wanted = probe("whole", {});
  QVERIFY2(has(wanted, "26.125"), wanted.c_str());  // 1 + (i + 3 j + 12 k) / 2
  QVERIFY(probe("planes", {}) != wanted);
  QCOMPARE(probe("planes", {"--option", "layout=planes", "--option", "solution.layout=planes"}), wanted);
  const RunResult wrong = info({"whole.xyz", "--option", "layout=layers"});
  QVERIFY2(wrong.status == 1 && has(wrong.errors, "use whole or planes"), wrong.errors.c_str());
}

QTEST_GUILESS_MAIN(TestDetection)
#include "tst_detection.moc"
