// What is gathered of an event log is what the log says, for logs that are known to the microsecond; and
// files that are no such logs are refused.

#include <QTest>

#include <QXmlStreamReader>
#include <cmath>
#include <fstream>
#include <numeric>

#include "app/lifelines/canvas.h"
#include "app/lifelines/column_sums.h"
#include "app/lifelines/life_lines.h"
#include "app/lifelines/life_lines_picture.h"
#include "core/base/error.h"
#include "tests/support/file_contents.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using namespace farfield::lifelines;

namespace {

/// A log that is put together event by event, times in µs.
class Log {
 public:
  Log& thread(int number, const std::string& name) {
    return line("M", number, 0, R"("name":"thread_name","args":{"name":")" + name + "\"}");
  }
  Log& work(int thread, double from, double to, const std::string& category, const std::string& name,
            int value = 7) {
    const std::string said = R"("cat":")" + category + R"(","name":")" + name + "\"";
    return line("B", thread, from, said + R"(,"args":{"value":)" + std::to_string(value) + "}")
        .line("E", thread, to, said);
  }
  Log& begin(int thread, double at, const std::string& category, const std::string& name) {
    return line("B", thread, at, R"("cat":")" + category + R"(","name":")" + name + "\"");
  }
  Log& end(int thread, double at) { return line("E", thread, at, R"("cat":"","name":"")"); }
  Log& life(int thread, double from, double to, const std::string& name, int id) {
    const std::string said = R"("cat":"tasks","name":")" + name + R"(","id":"0x)" + std::to_string(id) + "\"";
    return line("b", thread, from, said).line("e", thread, to, said);
  }
  Log& line(const std::string& phase, int thread, double at, const std::string& rest) {
    m_text += (m_text.empty() ? "" : ",\n") + (R"({"ph":")" + phase) + R"(","ts":)" + std::to_string(at) +
              R"(,"pid":1,"tid":)" + std::to_string(thread) + "," + rest + "}";
    return *this;
  }
  std::string text() const { return R"({"displayTimeUnit":"ms","traceEvents":[)" + m_text + "]}"; }

 private:
  std::string m_text;
};

class Files {
 public:
  std::filesystem::path write(const std::string& text) const {
    std::ofstream(m_folder / "trace.json", std::ios::binary) << text;
    return m_folder / "trace.json";
  }
  std::filesystem::path path(const char* name) const { return m_folder / name; }
  LifeLines gather(const std::string& text, const GatherOptions& options) const {
    return gatherLifeLines(write(text), options, {}, [](std::uint64_t, std::uint64_t) {});
  }

 private:
  test::TemporaryFolder m_folder;
};

int kindOf(const LifeLines& lines, const char* label) {
  for (std::size_t n = 0; n < lines.kinds.size(); ++n)
    if (lines.kinds[n].label == label) return static_cast<int>(n);
  return -1;
}

float share(const LifeLines& lines, std::size_t thread, const char* label, int column) {
  return lines.threads[thread]
      .shares[static_cast<std::size_t>(kindOf(lines, label) * lines.columns + column)];
}

/// Two threads for 100 µs.
Log twoThreads() {
  Log log;
  log.thread(1, "first").thread(2, "second").thread(3, "did nothing");
  log.begin(1, 0, "tasks", "run").work(1, 10, 25, "paging", "decode").end(1, 50);
  log.work(1, 50, 100, "tasks", "idle");
  log.work(2, 20, 40, "read", "pread").work(2, 60, 100, "somebody", "else's");
  log.life(1, 0, 80, "task", 1).life(1, 20, 60, "wait", 1).life(2, 40, 100, "task", 2);
  return log;
}

}  // namespace

class TestLifeLines : public QObject {
  Q_OBJECT
 private slots:
  void sumsOfIntervals();
  void sumsOfManyAgreeWithTheirLength();
  void theInnermostWorkCounts();
  void countsAndLives();
  void aPart();
  void livesAreOfThePart();
  void manyTasksAreSpreadEvenly();
  void moreThreadsThanThereIsRoomFor();
  void logsOfRanksAreOne();
  void aBareListIsALog();
  void isNoLog_data();
  void isNoLog();
  void isStopped();
  void aPictureThatReads();
};

void TestLifeLines::sumsOfIntervals() {
  ColumnSums sums(10, 20, 5);
  sums.add(11, 15);
  sums.add(12, 12.5, 2);
  sums.add(19, 40);
  sums.add(0, 10);   // outside
  sums.add(18, 13);  // backwards
  const std::vector<float> expected{0.5f, 1.5f, 0.5f, 0, 0.5f};
  QCOMPARE(sums.values(), expected);
  sums.step(16, 3);
  sums.step(18, -3);
  QCOMPARE(sums.values()[3], 3.0f);
  QCOMPARE(sums.values()[4], 0.5f);
}

void TestLifeLines::sumsOfManyAgreeWithTheirLength() {
  ColumnSums sums(0, 1, 37);
  double length = 0;
  for (int n = 0; n < 1000; ++n) {
    const double from = 0.61803398875 * n - std::floor(0.61803398875 * n);
    const double to = std::min(1.0, from + 0.001 * (n % 50));
    sums.add(from, to);
    length += to - from;
  }
  const std::vector<float> values = sums.values();
  const double sum = std::accumulate(values.begin(), values.end(), 0.0) / 37;
  QVERIFY2(std::abs(sum - length) < 1e-5 * length, qPrintable(QString::number(sum - length)));
}

void TestLifeLines::theInnermostWorkCounts() {
  const LifeLines lines = Files().gather(twoThreads().text(), {.columns = 10});
  QCOMPARE(lines.threads.size(), std::size_t{2});
  QCOMPARE(lines.threads[0].name, std::string("first"));
  QCOMPARE(lines.threads[1].name, std::string("second"));
  QCOMPARE(share(lines, 0, "computing", 0), 1.0f);
  QCOMPARE(share(lines, 0, "checking and decoding pages", 1), 1.0f);
  QCOMPARE(share(lines, 0, "checking and decoding pages", 2), 0.5f);
  QCOMPARE(share(lines, 0, "computing", 2), 0.5f);
  QCOMPARE(share(lines, 0, "idle", 9), 1.0f);
  QCOMPARE(share(lines, 1, "reading", 3), 1.0f);
  QCOMPARE(share(lines, 1, "reading", 4), 0.0f);
  QCOMPARE(share(lines, 1, "somebody: else's", 6), 1.0f);
  const auto seconds = [&](const char* label) {
    return lines.kinds[static_cast<std::size_t>(kindOf(lines, label))].seconds;
  };
  QVERIFY(std::abs(seconds("computing") - 35e-6) < 1e-12);
  QVERIFY(std::abs(seconds("checking and decoding pages") - 15e-6) < 1e-12);
  QVERIFY(std::abs(lines.logSeconds - 100e-6) < 1e-12);
}

void TestLifeLines::countsAndLives() {
  const LifeLines lines = Files().gather(twoThreads().text(), {.columns = 10});
  QCOMPARE(lines.taskCount, std::uint64_t{2});
  QCOMPARE(lines.readCount, std::uint64_t{1});
  QCOMPARE(lines.tasks, (std::vector<float>{1, 1, 1, 1, 2, 2, 2, 2, 1, 1}));
  QCOMPARE(lines.waiting, (std::vector<float>{0, 0, 1, 1, 1, 1, 0, 0, 0, 0}));
  QCOMPARE(lines.reads, (std::vector<float>{0, 0, 1, 1, 0, 0, 0, 0, 0, 0}));
  QCOMPARE(lines.someTasks.size(), std::size_t{2});
  QCOMPARE(lines.someTasks[0].waits.size(), std::size_t{1});
  QVERIFY(std::abs(lines.someTasks[0].waits[0].second - 60e-6) < 1e-12);
  QVERIFY(std::abs(lines.someTasks[1].begin - 40e-6) < 1e-12);
  QVERIFY(std::abs(lines.someTasks[1].end - 100e-6) < 1e-12);
}

void TestLifeLines::aPart() {
  const Files files;
  const LifeLines lines = files.gather(twoThreads().text(), {.columns = 4, .from = 10e-6, .to = 30e-6});
  QCOMPARE(lines.tasks, (std::vector<float>{1, 1, 1, 1}));
  QCOMPARE(share(lines, 0, "checking and decoding pages", 0), 1.0f);
  QCOMPARE(share(lines, 0, "checking and decoding pages", 2), 1.0f);
  QCOMPARE(share(lines, 0, "computing", 3), 1.0f);
  QVERIFY_THROWS_EXCEPTION(Invalid, files.gather(twoThreads().text(), {.from = 1}));
}

void TestLifeLines::livesAreOfThePart() {
  Log log;
  for (int n = 0; n < 50; ++n) log.life(1, 100 * n, 100 * n + 50, "task", n);
  const LifeLines lines = Files().gather(log.text(), {.from = 2010e-6, .to = 2110e-6, .tasks = 24});
  QCOMPARE(lines.someTasks.size(), std::size_t{2});
  QVERIFY(std::abs(lines.someTasks[0].begin - 2000e-6) < 1e-12);
}

void TestLifeLines::manyTasksAreSpreadEvenly() {
  Log log;
  constexpr int kTasks = 40'000;
  for (int n = 0; n < kTasks; ++n) log.life(1, n, n + 1, "task", n);
  const LifeLines lines = Files().gather(log.text(), {.tasks = 10});
  QCOMPARE(lines.taskCount, std::uint64_t{kTasks});
  QCOMPARE(lines.someTasks.size(), std::size_t{10});
  for (std::size_t n = 0; n < 10; ++n) {
    const double expected = 1e-6 * kTasks * static_cast<double>(n) / 10;
    QVERIFY2(std::abs(lines.someTasks[n].begin - expected) < 0.05e-6 * kTasks,
             qPrintable(QString::number(lines.someTasks[n].begin)));
  }
}

void TestLifeLines::moreThreadsThanThereIsRoomFor() {
  Log log;
  for (int n = 0; n < 100; ++n)
    for (int work = 0; work <= (n >= 90 ? 3 : 0); ++work)
      log.work(n, 10 * work, 10 * work + 5, "tasks", "run");
  const LifeLines lines = Files().gather(log.text(), {});
  QCOMPARE(lines.threads.size(), std::size_t{64});
  QCOMPARE(lines.threadsLeftOut, 36);
  QCOMPARE(lines.threads.back().name, std::string("thread 99"));  // the busiest are among them
}

/// Each with a clock of its own, which began later than the first, or earlier.
void TestLifeLines::logsOfRanksAreOne() {
  const Files files;
  const auto written = [&](const char* name, const std::string& text) {
    std::ofstream(files.path(name), std::ios::binary) << text;
    return files.path(name);
  };
  const auto begun = [](const char* when, int micros) {
    return std::string(R"("cat":"clock","name":")") + when + R"(","args":{"value":)" +
           std::to_string(micros) + "}";
  };
  const auto first = written("a", Log().thread(1, "rank 0").work(1, 0, 100, "slabd", "LOAD").text());
  const auto later = written("b", Log()
                                      .thread(1, "rank 1")
                                      .line("i", 1, 1, begun("BEGUN_AFTER", 200))
                                      .thread(2, "loads")
                                      .work(2, 0, 100, "slabd", "LOAD", 8)
                                      .text());
  const auto earlier = written("c", Log()
                                        .thread(1, "rank 2")
                                        .line("i", 1, 100, begun("BEGUN_BEFORE", 100))
                                        .work(1, 500, 600, "slabd", "RENDER")
                                        .text());
  const auto gather = [](std::vector<std::filesystem::path> paths) {
    return gatherLifeLines(TraceSet(std::move(paths)), {.columns = 5}, {},
                           [](std::uint64_t, std::uint64_t) {});
  };
  const LifeLines lines = gather({first, later, earlier});
  QCOMPARE(lines.logSeconds, 500e-6);
  QCOMPARE(lines.threads.size(), std::size_t{3});
  const auto share = [&](const char* thread, const char* label, int column) {
    for (const ThreadLine& line : lines.threads)
      if (line.name == thread)
        return line.shares[static_cast<std::size_t>(kindOf(lines, label) * lines.columns + column)];
    return -1.0f;
  };
  for (int column = 0; column < 5; ++column) {
    QCOMPARE(share("rank 0", "loading, odd steps", column), column == 0 ? 1.0f : 0.0f);
    QCOMPARE(share("rank 1 loads", "loading, even steps", column), column == 2 ? 1.0f : 0.0f);
    QCOMPARE(share("rank 2", "rendering, odd steps", column), column == 4 ? 1.0f : 0.0f);
  }
  // what says nothing of its clock can be the first one alone
  QVERIFY_THROWS_EXCEPTION(Invalid, gather({later, first}));
}

void TestLifeLines::aBareListIsALog() {
  const std::string text = twoThreads().text();
  const std::size_t begin = text.find('['), end = text.rfind(']');
  const LifeLines lines = Files().gather(text.substr(begin, end - begin + 1), {.columns = 10});
  QCOMPARE(lines.taskCount, std::uint64_t{2});
}

void TestLifeLines::isNoLog_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<QString>("words");
  const QByteArray whole = QByteArray::fromStdString(twoThreads().text());
  QTest::newRow("empty") << QByteArray() << "byte";
  QTest::newRow("cut off") << whole.left(whole.size() / 2) << "cut off";
  QTest::newRow("other JSON") << QByteArray(R"({"farfield":1,"objects":[{"name":"lines"}]})")
                              << "no list of events";
  QTest::newRow("no events") << QByteArray(R"({"traceEvents":[]})") << "no work";
  QTest::newRow("one moment") << QByteArray(R"([{"ph":"B","ts":5,"tid":1,"name":"a"}])") << "no work";
  QTest::newRow("deep") << QByteArray(100'000, '[') << "nested too deeply";
  QByteArray nested = R"([{"ph":"i","ts":0},{"ph":"i","ts":9})";
  for (int n = 0; n < 100; ++n) nested += R"(,{"ph":"B","ts":1,"tid":1,"name":"a"})";
  QTest::newRow("works in works") << nested + "]"
                                  << "nested too deeply";
  QTest::newRow("not JSON") << QByteArray("\x89HDF\r\n\x1a\n") << "not JSON";
}

void TestLifeLines::isNoLog() {
  QFETCH(QByteArray, text);
  QFETCH(QString, words);
  try {
    Files().gather(text.toStdString(), {});
    QFAIL("was taken for a log");
  } catch (const Corrupt& error) {
    QVERIFY2(QString(error.what()).contains(words), error.what());
    QVERIFY2(QString(error.what()).contains("trace.json"), error.what());
  }
}

void TestLifeLines::isStopped() {
  const Files files;
  std::stop_source stop;
  stop.request_stop();
  QVERIFY_THROWS_EXCEPTION(Cancelled, gatherLifeLines(files.write(twoThreads().text()), {}, stop.get_token(),
                                                      [](std::uint64_t, std::uint64_t) {}));
}

void TestLifeLines::aPictureThatReads() {
  const Files files;
  Log log = twoThreads();
  log.thread(1, "a <b> & c");
  constexpr int kWidth = 700;
  const LifeLines lines = files.gather(log.text(), {.columns = columnsOf(kWidth)});
  const auto picture = files.path("picture.svg");
  drawLifeLines(lines, "a trace", kWidth, makeSvgCanvas)->save(picture);
  QXmlStreamReader xml(QByteArray::fromStdString(test::fileContents(picture)));
  QStringList words;
  double right = 0;
  while (!xml.atEnd()) {
    xml.readNext();
    if (xml.isStartElement() && xml.name() == QString("text")) {
      right = std::max(right, xml.attributes().value("x").toDouble());
      words += xml.readElementText();
    }
  }
  QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
  for (const char* const word : {"a trace", "a <b> & c", "second", "tasks in flight", "reads on their way",
                                 "0 µs", "the lives of all tasks", "waiting"})
    QVERIFY2(words.contains(word), word);
  QVERIFY(words.filter("computing").size() == 1 && words.filter("18 %").size() == 1);  // 35 of 200 µs
  QVERIFY(right < kWidth);
  // What no table knows has a colour of its own.
  QVERIFY(test::fileContents(picture).find("#f0e342") != std::string::npos);
  QVERIFY(words.filter("did nothing").isEmpty());
}

QTEST_GUILESS_MAIN(TestLifeLines)
#include "tst_life_lines.moc"
