// Surfaces written in pieces, through the built program: the same triangles as in one file, with less memory than they
// take, replaced as a whole, and never over files of others.

#include <QTest>

#include <filesystem>

#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/vtp_file.h"
#include "tests/system/session_text.h"

using namespace farfield;
using namespace farfield::test;
using Words = std::vector<std::string>;

namespace {

constexpr qulonglong kMega = 1 << 20;
const std::string kObjects =
    R"({"name":"wall","type":"grid-surface","range":{"k":2},"color":{"by":"pressure"}},
       {"name":"cut","type":"slice","normal":[0.2,0.1,1]},{"name":"box","type":"outline"})";

}  // namespace

class TestPieces : public QObject {
  Q_OBJECT
 private slots:
  void areTheWhole();
  void fitTheBudget();
  void areReplaced();
  void areListedWhenAllAreThere();

 private:
  RunSettings here() const { return {.folder = m_folder.path(), .timeoutMs = 300'000}; }
  RunResult run(const std::string& source, const std::string& objects, const std::string& out,
                const Words& more = {}) {
    writeFile(m_folder / "s.json", sessionText("\"source\":\"" + source + "\"", objects));
    Words words{"batchvis", "s.json", "-o", out, "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return runProgram(words, here());
  }
  /// Of the list of pieces, in order.
  std::vector<std::string> piecesOf(const std::filesystem::path& list) const {
    const std::string text = fileContents(list);
    std::vector<std::string> pieces;
    for (std::size_t at = text.find("Source=\""); at != std::string::npos; at = text.find("Source=\"", at)) {
      at += 8;
      pieces.push_back(text.substr(at, text.find('"', at) - at));
    }
    return pieces;
  }
  TemporaryFolder m_folder;
};

void TestPieces::areTheWhole() {
  const std::string data = "sample://taylor-green?size=65,65,9&curvilinear=true";
  QCOMPARE(run(data, kObjects, "whole").status, 0);
  const RunResult result = run(data, kObjects, "pieces", {"--set", "output.pieces=2000"});
  QVERIFY2(result.status == 0, result.errors.c_str());
  for (const std::string name : {"wall", "cut"}) {
    const VtpFile whole(m_folder / "whole" / (name + ".vtp"));
    const std::vector<std::string> pieces = piecesOf(m_folder / "pieces" / (name + ".pvtp"));
    QVERIFY(pieces.size() > 2 && !std::filesystem::exists(m_folder / "pieces" / (name + ".vtp")));
    std::vector<double> points, corners;
    for (const std::string& piece : pieces) {
      const VtpFile part(m_folder / "pieces" / piece);
      // a task of the slice makes more by itself
      QVERIFY(part.polyCount() > 0 && (name == "cut" || part.polyCount() <= 2000));
      const double first = static_cast<double>(points.size() / 3);
      points.insert(points.end(), part.array("Points", "Points").values.begin(),
                    part.array("Points", "Points").values.end());
      for (const double corner : part.array("Polys", "connectivity").values)
        corners.push_back(first + corner);
      QCOMPARE(part.array("PointData", "Normals").values.size(),
               part.array("Points", "Points").values.size());
    }
    QVERIFY(points == whole.array("Points", "Points").values);
    QVERIFY(corners == whole.array("Polys", "connectivity").values);
  }
  // what has none is as ever
  QVERIFY(fileContents(m_folder / "pieces" / "box.vtp") == fileContents(m_folder / "whole" / "box.vtp"));
  // pieces follow from the session alone
  QCOMPARE(
      run(data, kObjects, "small", {"--set", "output.pieces=2000", "--memory", "8M", "--processors", "1"})
          .status,
      0);
  QCOMPARE(namesIn(m_folder / "small"), namesIn(m_folder / "pieces"));
  for (const std::string& name : namesIn(m_folder / "pieces"))
    QVERIFY2(fileContents(m_folder / "small" / name) == fileContents(m_folder / "pieces" / name),
             name.c_str());
}

/// A surface of ten times the budget.
void TestPieces::fitTheBudget() {
#ifdef FARFIELD_SANITIZED
  QSKIP("sanitizers take memory of their own");
#endif
  const RunResult result =
      run("sample://taylor-green?size=1100,1100,2",
          R"({"name":"wall","type":"grid-surface","range":{"k":0},"color":{"by":"pressure"}})", "large",
          {"--memory", "12M", "--set", "output.pieces=300000"});
  QVERIFY2(result.status == 0, result.errors.c_str());
  std::uintmax_t bytes = 0;
  const std::vector<std::string> pieces = piecesOf(m_folder / "large" / "wall.pvtp");
  for (const std::string& piece : pieces) bytes += std::filesystem::file_size(m_folder / "large" / piece);
  QVERIFY2(pieces.size() > 5 && bytes > 120 * kMega, qPrintable(QString::number(bytes / kMega)));
  // and the program itself, as in tst_memory.cpp
  QVERIFY2(result.peakRssBytes <= 162 * kMega, qPrintable(QString("%1 MB").arg(result.peakRssBytes / kMega)));
  std::filesystem::remove_all(m_folder / "large");
}

void TestPieces::areReplaced() {
  const std::string data = "sample://taylor-green?size=65,65,9&curvilinear=true";
  const auto inPieces = [&](const char* triangles, const Words& more = {}) {
    Words words{"--set", std::string("output.pieces=") + triangles};
    words.insert(words.end(), more.begin(), more.end());
    return run(data, kObjects, "again", words);
  };
  QCOMPARE(inPieces("1000").status, 0);
  const std::size_t many = namesIn(m_folder / "again").size();
  // fewer ones later: none of the first is left
  QCOMPARE(inPieces("4000").status, 0);
  QVERIFY(namesIn(m_folder / "again").size() < many);
  QCOMPARE(piecesOf(m_folder / "again" / "wall.pvtp").size() +
               piecesOf(m_folder / "again" / "cut.pvtp").size() + 3,
           namesIn(m_folder / "again").size());
  // what is not ours stays
  writeFile(m_folder / "again" / "wall.0000.vtp", "a letter");
  const RunResult refused = inPieces("4000");
  QVERIFY2(refused.status == 1 && refused.errors.find("wall.0000.vtp") != std::string::npos,
           refused.errors.c_str());
  QCOMPARE(fileContents(m_folder / "again" / "wall.0000.vtp"), std::string("a letter"));
  QCOMPARE(inPieces("4000", {"--overwrite"}).status, 0);
  // nothing to do
  const std::string before = fileContents(m_folder / "again" / "wall.0000.vtp");
  QCOMPARE(inPieces("4000", {"--resume"}).status, 0);
  QVERIFY(fileContents(m_folder / "again" / "wall.0000.vtp") == before);
  const RunResult few = inPieces("10");
  QVERIFY2(few.status == 1 && few.errors.find("output.pieces: must be") != std::string::npos,
           few.errors.c_str());
}

/// A list of before would be one of pieces of two surfaces.
void TestPieces::areListedWhenAllAreThere() {
  const std::string data = "sample://taylor-green?size=65,65,9&curvilinear=true";
  const auto inPieces = [&](const char* triangles, const Words& more = {}) {
    Words words{"--set", std::string("output.pieces=") + triangles};
    words.insert(words.end(), more.begin(), more.end());
    return run(data, kObjects, "stopped", words);
  };
  const std::filesystem::path list = m_folder / "stopped" / "wall.pvtp";
  QCOMPARE(inPieces("4000").status, 0);
  const std::size_t few = piecesOf(list).size();
  // Further on than what is there of before, so that it is in the way of a run that has begun.
  const std::filesystem::path inTheWay =
      m_folder / "stopped" / ("wall.000" + std::to_string(few + 1) + ".vtp");
  std::filesystem::create_directory(inTheWay);
  const RunResult stopped = inPieces("1000");
  QVERIFY2(stopped.status == 1 && stopped.errors.find(inTheWay.filename().string()) != std::string::npos,
           stopped.errors.c_str());
  QVERIFY(!std::filesystem::exists(list));
  std::filesystem::remove(inTheWay);
  // Nor is it taken for done.
  QCOMPARE(inPieces("1000", {"--resume"}).status, 0);
  QVERIFY(piecesOf(list).size() > few + 1);
}

QTEST_GUILESS_MAIN(TestPieces)
#include "tst_pieces.moc"
