#pragma once
// What the tests of refusals share: whatever is wrong with what a user gives, exit status 1 and one line that
// names the file or the key and says what to do, within moments, with nothing left behind.

#include <QTest>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/system/session_text.h"

namespace farfield::test {

using Words = std::vector<std::string>;

constexpr int kMoments = 30'000;
inline const std::string kSeeds = R"("seeds":{"type":"line","from":[-3,0.5,1],"to":[-3,-0.5,1],"count":4})";
inline const std::string kLines = R"({"name":"lines","type":"streamlines",)" + kSeeds + "}";
inline const std::string kEverything =
    kLines + R"(,{"name":"wall","type":"grid-surface","range":{"k":0},"color":{"by":"pressure"}},
    {"name":"edges","type":"outline"})";

class RefusalSuite : public QObject {
 protected:
  /// A flow in "c" (4 blocks), one of another size in "other", and the first as a store.
  void makeFiles();
  RunSettings here() const { return {.folder = m_folder.path(), .timeoutMs = kMoments}; }
  std::string session(const std::string& data, const std::string& objects = kEverything) {
    writeFile(m_folder / "session.json", sessionText(data, objects));
    return "session.json";
  }
  /// Status 1, one line with all of `parts` and advice, and the folder as it was, "out" missing or empty.
  void refused(const Words& arguments, const Words& parts, RunSettings settings);
  void refused(const Words& arguments, const Words& parts) { refused(arguments, parts, here()); }
  TemporaryFolder m_folder;
};

inline void RefusalSuite::makeFiles() {
  for (const Words& arguments :
       {Words{"sample", "cylinder", "-o", "c", "--format", "plot3d", "--size", "12,9,5", "--blocks", "4"},
        Words{"sample", "cylinder", "-o", "other", "--format", "plot3d", "--size", "13,9,5", "--blocks", "4"},
        Words{"convert", "c.xyz", "--solution", "c.q", "-o", "c.h5", "--page-edge", "8"}}) {
    const RunResult result = runProgram(arguments, here());
    QVERIFY2(result.status == 0, result.errors.c_str());
  }
}

inline void RefusalSuite::refused(const Words& arguments, const Words& parts, RunSettings settings) {
  std::filesystem::remove_all(m_folder / "out");
  std::vector<std::string> before = namesIn(m_folder.path());
  Words quiet = arguments;
  quiet.push_back("--quiet");  // progress has lines of its own
  const RunResult result = runProgram(quiet, std::move(settings));
  const std::string said = std::to_string(result.status) + ": " + result.errors;
  QVERIFY2(result.status == 1, said.c_str());
  QVERIFY2(result.errorLines().size() == 1 && result.errors.back() == '\n', said.c_str());
  QVERIFY2(result.errors.starts_with("farfield: "), said.c_str());
  for (const std::string& part : parts)
    QVERIFY2(result.errors.find(part) != std::string::npos, (part + " is not in " + said).c_str());
  // What to do follows a semicolon, or lies in what must be.
  const bool advises =
      result.errors.find("; ") != std::string::npos || result.errors.find(" must ") != std::string::npos;
  QVERIFY2(advises, ("no advice in " + said).c_str());
  QVERIFY2(result.out.empty(), result.out.c_str());
  const std::vector<std::string> left = namesIn(m_folder / "out");
  QVERIFY2(left.empty(), left.empty() ? "" : left.front().c_str());
  std::filesystem::remove_all(m_folder / "out");
  std::vector<std::string> after = namesIn(m_folder.path());
  QVERIFY2(after == before, "something was left behind or removed");
}

}  // namespace farfield::test
