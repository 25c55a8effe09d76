// `farfield probe` of a session with several data opens each of them once, and answers of all or of none.

#include <QTest>

#include <map>
#include <mutex>

#include "app/cli/running/program.h"
#include "tests/support/counted_reader.h"
#include "tests/support/file_contents.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using namespace farfield::test;

namespace {

/// How often data were opened, by their names.
struct Opens {
  std::mutex mutex;
  std::map<std::string, int> counts;
};

class CountingReader final : public fields::DataReader {
 public:
  explicit CountingReader(Opens& opens) : m_opens(opens) {}
  std::string name() const override { return "counted"; }
  bool recognizes(const std::string&) const override { return true; }
  std::unique_ptr<fields::OpenData> open(const fields::OpenRequest& request,
                                         MemoryAccount& account) const override {
    {
      const std::lock_guard lock(m_opens.mutex);
      ++m_opens.counts[std::filesystem::path(request.sources.front()).filename().string()];
    }
    return openCounted(
        std::make_shared<CountedReader>(std::vector<std::string>{"a"}, Index3{5, 5, 5}, Index3{5, 5, 5}),
        account);
  }

 private:
  Opens& m_opens;
};

}  // namespace

class TestProbeOpens : public QObject {
  Q_OBJECT
 private slots:
  void eachOfSeveralOnce();
};

void TestProbeOpens::eachOfSeveralOnce() {
  const TemporaryFolder folder;
  writeFile(folder / "two.json",
            R"({ "farfield": 1, "data": { "one": { "source": "one.x" }, "two": { "source": "two.x" } },
    "objects": [] })");
  Opens opens;
  cli::Environment environment;
  environment.readers.add(std::make_unique<CountingReader>(opens));
  const std::string table = (folder / "table.csv").string();
  QCOMPARE(cli::runProgram(
               {"probe", (folder / "two.json").string(), "--function", "a", "--at", "1,1,1", "--csv", table},
               environment),
           cli::kDone);
  QCOMPARE(opens.counts.at("one.x"), 1);
  QCOMPARE(opens.counts.at("two.x"), 1);
  // node 1 + 5 + 25 of each
  const std::string rows = fileContents(table);
  QVERIFY2(rows.find("\none,0,0,,,1,1,1,0,") != std::string::npos &&
               rows.find("\ntwo,0,0,,,1,1,1,0,") != std::string::npos,
           rows.c_str());
}

QTEST_APPLESS_MAIN(TestProbeOpens)
#include "tst_probe_opens.moc"
