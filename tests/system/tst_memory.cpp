// The one number that a user sets: measured from outside, the memory of the whole process stays within the
// budget and what the program itself takes, which is 150 MB without pictures, however large the data are.

#include <QTest>

#include <QJsonDocument>
#include <QJsonObject>

#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/system/session_text.h"

using namespace farfield::test;
using Words = std::vector<std::string>;

namespace {

constexpr qulonglong kMega = 1 << 20;
constexpr qulonglong kProgramBytes = 150 * kMega;

/// 340 MB of coordinates and variables.
const char* const kLarge = "sample://abc?size=220&curvilinear=true";

}  // namespace

class TestMemory : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void convert_data();
  void convert();
  void batchvis_data();
  void batchvis();
  void manyResults();

 private:
  RunSettings here() const { return {.folder = m_folder.path(), .timeoutMs = 400'000}; }
  TemporaryFolder m_folder;
};

void TestMemory::initTestCase() {
#ifdef FARFIELD_SANITIZED
  QSKIP("sanitizers take memory of their own");
#endif
  const RunResult made = runProgram(
      {"sample", "abc", "-o", "large", "--format", "plot3d", "--size", "220,220,220", "--quiet"}, here());
  QVERIFY2(made.status == 0, made.errors.c_str());
  QVERIFY2(made.peakRssBytes < kProgramBytes, qPrintable(QString::number(made.peakRssBytes / kMega)));
  QVERIFY(std::filesystem::file_size(m_folder / "large.xyz") +
              std::filesystem::file_size(m_folder / "large.q") >
          300 * kMega);
}

void TestMemory::convert_data() {
  QTest::addColumn<std::string>("memory");
  QTest::addColumn<qulonglong>("budget");
  QTest::addColumn<Words>("how");
  // The last is what the sessions below read.
  QTest::newRow("100M, computed") << std::string("100M") << 100 * kMega << Words{kLarge, "--page-edge", "16"};
  QTest::newRow("32M, from files") << std::string("32M") << 32 * kMega
                                   << Words{"large.xyz", "--solution", "large.q"};
}

void TestMemory::convert() {
  QFETCH(std::string, memory);
  QFETCH(qulonglong, budget);
  QFETCH(Words, how);
  Words words{"convert", "-o", "large.h5", "--memory", memory, "--quiet", "--overwrite"};
  words.insert(words.end(), how.begin(), how.end());
  const RunResult result = runProgram(words, here());
  QVERIFY2(result.status == 0, result.errors.c_str());
  QVERIFY2(result.peakRssBytes <= budget + kProgramBytes,
           qPrintable(QString("%1 MB").arg(result.peakRssBytes / kMega)));
  QVERIFY(std::filesystem::file_size(m_folder / "large.h5") > 100 * kMega);
}

void TestMemory::batchvis_data() {
  QTest::addColumn<std::string>("data");
  QTest::addColumn<std::string>("memory");
  QTest::addColumn<qulonglong>("budget");
  QTest::addColumn<std::string>("scheduler");
  const std::string store = R"("source":"large.h5")", files = R"("source":"large.xyz","solution":"large.q")";
  for (const char* const scheduler : {"threads", "fibers"}) {
    QTest::addRow("store, 4M, %s", scheduler)
        << store << std::string("4M") << 4 * kMega << std::string(scheduler);
    QTest::addRow("store, 64M, %s", scheduler)
        << store << std::string("64M") << 64 * kMega << std::string(scheduler);
  }
  QTest::newRow("store, 200M") << store << std::string("200M") << 200 * kMega << std::string("fibers");
  QTest::newRow("in place, 32M") << files << std::string("32M") << 32 * kMega << std::string("fibers");
  QTest::newRow("computed, 32M") << std::string(R"("source":")") + kLarge + "\"" << std::string("32M")
                                 << 32 * kMega << std::string("fibers");
}

void TestMemory::batchvis() {
  QFETCH(std::string, data);
  QFETCH(std::string, memory);
  QFETCH(qulonglong, budget);
  QFETCH(std::string, scheduler);
  writeFile(m_folder / "large.json",
            sessionText(data, R"({"name":"lines","type":"streamlines","color":{"by":"pressure"},
    "seeds":{"type":"box","min":[0.5,0.5,0.5],"max":[5.8,5.8,5.8],"counts":[5,5,4]},"integrator":{"tolerance":1e-4}},
    {"name":"wall","type":"grid-surface","range":{"k":110},"color":{"by":"pressure"}})"));
  const RunResult result = runProgram({"batchvis", "large.json", "-o", "out", "--memory", memory,
                                       "--scheduler", scheduler, "--stats", "stats.json", "--quiet"},
                                      here());
  QVERIFY2(result.status == 0, result.errors.c_str());
  QVERIFY2(result.peakRssBytes <= budget + kProgramBytes,
           qPrintable(QString("%1 MB").arg(result.peakRssBytes / kMega)));
  const QJsonObject stats =
      QJsonDocument::fromJson(QByteArray::fromStdString(fileContents(m_folder / "stats.json"))).object();
  const QJsonObject paging = stats["paging"].toObject();
  QCOMPARE(static_cast<qulonglong>(paging["budgetBytes"].toDouble()), budget);
  QVERIFY(paging["peakBytes"].toDouble() <= static_cast<double>(budget));
  // The program's own measure agrees with that from outside.
  const double own = stats["peakRssBytes"].toDouble();
  QVERIFY2(own <= static_cast<double>(result.peakRssBytes) * 1.1 + 4e6, qPrintable(QString::number(own)));
}

void TestMemory::manyResults() {
  // 200 MB of lines from a small data set: results that do not fit wait on disk.
  writeFile(m_folder / "many.json",
            sessionText(R"("source":"sample://abc?size=17")", R"({"name":"lines","type":"streamlines",
    "seeds":{"type":"box","min":[0.5,0.5,0.5],"max":[5.8,5.8,5.8],"counts":[40,40,10]},
    "integrator":{"method":"rk4","step":0.05}})"));
  const RunResult result =
      runProgram({"batchvis", "many.json", "-o", "many", "--memory", "16M", "--quiet"}, here());
  QVERIFY2(result.status == 0, result.errors.c_str());
  QVERIFY(std::filesystem::file_size(m_folder / "many/lines.vtp") > 200 * kMega);
  QVERIFY2(result.peakRssBytes <= 16 * kMega + kProgramBytes,
           qPrintable(QString("%1 MB").arg(result.peakRssBytes / kMega)));
}

QTEST_GUILESS_MAIN(TestMemory)
#include "tst_memory.moc"
