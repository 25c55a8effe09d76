// Colours over the range of the whole data: it is found by reading once, of data that grow only what is new, and not at all where
// nothing is drawn.

#include <QTest>

#include <fstream>

#include "core/base/error.h"
#include "core/fields/samples/sample_data.h"
#include "core/session/run/runner.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using namespace farfield::session;

class TestFoundRanges : public QObject {
  Q_OBJECT
 private slots:
  void whatIsThereIsNotReadAgain();
  void onlyWhatIsNewIsRead();
  void ownColorsAreNotLookedFor();
  void stepsAreLookedForOneByOne();

 private:
  /// Pictures of so many steps of a sample; returns the range of the colours of the last one that was drawn.
  std::optional<std::array<double, 2>> run(int steps, RunOptions& options) {
    Object slice;
    slice.shape = Slice{};
    slice.color.by = "velocity-magnitude";
    return run(std::move(slice), steps, options);
  }
  std::optional<std::array<double, 2>> run(Object object, int steps, RunOptions& options) {
    Session session;
    session.name = "session";
    session.data.push_back(
        {"flow", {"sample://taylor-green?size=9&steps=" + std::to_string(steps)}, {}, {}, {}});
    object.name = "object";
    object.data = "flow";
    object.color.rangeOf = m_rangeOf;
    session.objects.push_back(std::move(object));
    session.output.geometry = false;
    fields::ReaderRegistry readers;
    readers.add(std::make_unique<samples::SampleDataReader>());
    std::optional<std::array<double, 2>> drawn;
    options.outputFolder = m_folder.path() / "out";
    options.memoryBytes = std::uint64_t{32} << 20;
    options.numbered = true;
    options.drawImage = [&](const scene::Scene& scene, std::array<int, 2>,
                            const std::filesystem::path& path) {
      std::ofstream(path) << "picture";
      drawn = {scene.items.at(0).scale.min, scene.items.at(0).scale.max};
    };
    options.findRange = [&](const fields::OpenData& data, const std::string& function, StepSpan steps,
                            MemoryAccount& account) -> std::optional<std::array<double, 2>> {
      m_asked.push_back(steps.first);
      if (function != "velocity-magnitude" || account.usedBytes() > account.budgetBytes() / 2)
        throw Invalid("not as it was asked for");
      const std::int64_t last = steps.first + steps.count;
      if (m_rangeOf == RangeOf::Data ? last != data.description().steps() : steps.count != 1)
        throw Invalid("not the steps that are needed");
      return std::array<double, 2>{-static_cast<double>(last), 10.0 * static_cast<double>(steps.count)};
    };
    runSession(session, readers, options, {});
    return drawn;
  }

  test::TemporaryFolder m_folder;
  std::vector<std::int64_t> m_asked;
  RangeOf m_rangeOf = RangeOf::Data;
};

void TestFoundRanges::whatIsThereIsNotReadAgain() {
  m_asked.clear();
  RunOptions options;
  QVERIFY((run(2, options) == std::array<double, 2>{-2, 20}));
  QCOMPARE(m_asked, (std::vector<std::int64_t>{0}));
  options.resume = true;
  QVERIFY(!run(2, options));
  QCOMPARE(m_asked.size(), std::size_t{1});
  // Of a step that is missing it is needed again.
  for (const auto& entry : std::filesystem::directory_iterator(m_folder.path() / "out"))
    if (entry.path().string().find("_0001") != std::string::npos) std::filesystem::remove(entry.path());
  QVERIFY((run(2, options) == std::array<double, 2>{-2, 20}));
  QCOMPARE(m_asked.size(), std::size_t{2});
}

/// As a run that follows a simulation: the last step that was known is read again, for it may not have been whole.
void TestFoundRanges::onlyWhatIsNewIsRead() {
  m_asked.clear();
  std::filesystem::remove_all(m_folder.path() / "out");
  RunOptions options;
  options.foundRanges = std::make_shared<FoundRanges>();
  options.resume = true;
  QVERIFY((run(3, options) == std::array<double, 2>{-3, 30}));
  QVERIFY((run(5, options) == std::array<double, 2>{-5, 30}));
  QCOMPARE(m_asked, (std::vector<std::int64_t>{0, 2}));
  // Fewer steps than before: another simulation.
  std::filesystem::remove_all(m_folder.path() / "out");
  QVERIFY((run(2, options) == std::array<double, 2>{-2, 20}));
  QCOMPARE(m_asked, (std::vector<std::int64_t>{0, 2, 0}));
}

/// No function of the data is called as they are.
void TestFoundRanges::ownColorsAreNotLookedFor() {
  m_asked.clear();
  std::filesystem::remove_all(m_folder.path() / "out");
  Object paths;
  Pathlines shape;
  shape.seeds = LineSeeds{{0.7, 1.1, 3}, {5.5, 5, 3}, 5};
  paths.shape = shape;
  paths.color.by = "age";
  RunOptions options;
  const auto drawn = run(paths, 3, options);
  QVERIFY(drawn && (*drawn)[0] < (*drawn)[1]);
  QVERIFY(m_asked.empty());
}

/// Those that are drawn, and nothing of the others.
void TestFoundRanges::stepsAreLookedForOneByOne() {
  m_asked.clear();
  std::filesystem::remove_all(m_folder.path() / "out");
  m_rangeOf = RangeOf::Step;
  RunOptions options;
  QVERIFY((run(3, options) == std::array<double, 2>{-3, 10}));
  QCOMPARE(m_asked, (std::vector<std::int64_t>{0, 1, 2}));
  options.resume = true;
  for (const auto& entry : std::filesystem::directory_iterator(m_folder.path() / "out"))
    if (entry.path().string().find("_0001") != std::string::npos) std::filesystem::remove(entry.path());
  QVERIFY((run(3, options) == std::array<double, 2>{-2, 10}));
  QCOMPARE(m_asked, (std::vector<std::int64_t>{0, 1, 2, 1}));
  m_rangeOf = RangeOf::Data;
}

QTEST_APPLESS_MAIN(TestFoundRanges)
#include "tst_found_ranges.moc"
