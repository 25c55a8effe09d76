// The event log: what is written is valid JSON that nests, bounded, and nothing when it is off.

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <limits>
#include <map>
#include <thread>
#include <vector>

#include "core/base/error.h"
#include "core/trace/trace.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;

namespace {

QJsonObject stopAndRead() {
  const test::TemporaryFolder folder;
  const auto path = folder / "trace.json";
  trace::stopAndWrite(path);
  QFile file(QString::fromStdString(path.string()));
  if (!file.open(QIODevice::ReadOnly)) return {};
  QJsonParseError error;
  const QJsonDocument document = QJsonDocument::fromJson(file.readAll(), &error);
  if (error.error != QJsonParseError::NoError) qWarning() << error.errorString();
  return document.object();
}

std::vector<QJsonObject> eventsOf(const QJsonObject& trace, const QString& phase) {
  std::vector<QJsonObject> found;
  const QJsonArray events = trace["traceEvents"].toArray();
  for (const QJsonValue& event : events)
    if (event["ph"].toString() == phase) found.push_back(event.toObject());
  return found;
}

double valueOf(const QJsonObject& event) {
  return event.value("args").toObject().value("value").toDouble();
}

QString threadName(const QJsonObject& trace, int tid) {
  for (const QJsonObject& event : eventsOf(trace, "M"))
    if (event["name"] == "thread_name" && event["tid"].toInt() == tid)
      return event.value("args").toObject().value("name").toString();
  return {};
}

}  // namespace

class TestTrace : public QObject {
  Q_OBJECT
 private slots:
  void offRecordsNothing();
  void everyKindIsWritten();
  void threadsHaveNames();
  void scopesNestOnEveryThread();
  void fullBufferDropsAndCounts();
  void scopeAcrossTheEndIsClosed();
  void recordingsAreSeparate();
  void unwritablePathLeavesNothing();
  void manyBlocks();
};

void TestTrace::offRecordsNothing() {
  QVERIFY(!trace::isOn());
  { const trace::Scope scope("test", "before"); }
  trace::instant("test", "before");
  trace::start();
  QVERIFY(trace::isOn());
  const QJsonObject written = stopAndRead();
  QVERIFY(!trace::isOn());
  QVERIFY(written.contains("traceEvents"));
  QVERIFY(eventsOf(written, "B").empty());
  QVERIFY(eventsOf(written, "i").empty());
}

void TestTrace::everyKindIsWritten() {
  trace::start();
  {
    const trace::Scope scope("test", "say \"hello\"\\", 7);
    trace::instant("test", "now", 8);
  }
  trace::counter("frames", 2.5);
  trace::counter("nonsense", std::numeric_limits<double>::quiet_NaN());
  trace::asyncBegin("test", "read", 0xabc);
  trace::asyncEnd("test", "read", 0xabc);
  const QJsonObject written = stopAndRead();

  const auto begins = eventsOf(written, "B"), ends = eventsOf(written, "E");
  QCOMPARE(begins.size(), std::size_t{1});
  QCOMPARE(ends.size(), std::size_t{1});
  QCOMPARE(begins[0]["name"].toString(), QString("say \"hello\"\\"));
  QCOMPARE(begins[0]["cat"].toString(), QString("test"));
  QCOMPARE(valueOf(begins[0]), 7.0);
  QVERIFY(ends[0]["ts"].toDouble() >= begins[0]["ts"].toDouble());
  QCOMPARE(valueOf(eventsOf(written, "i").at(0)), 8.0);
  QCOMPARE(eventsOf(written, "C").size(), std::size_t{1});
  QCOMPARE(valueOf(eventsOf(written, "C").at(0)), 2.5);
  QCOMPARE(eventsOf(written, "b").at(0)["id"].toString(), QString("0xabc"));
  QCOMPARE(eventsOf(written, "e").at(0)["id"].toString(), QString("0xabc"));
}

void TestTrace::threadsHaveNames() {
  trace::start();
  std::thread([] {
    trace::nameThread("early");
    trace::instant("test", "early");
  }).join();
  std::thread([] {
    trace::instant("test", "late");
    trace::nameThread("late\n");
  }).join();
  const QJsonObject written = stopAndRead();
  for (const QJsonObject& event : eventsOf(written, "i")) {
    const QString expected = event["name"] == "early" ? "early" : "late\n";
    QCOMPARE(threadName(written, event["tid"].toInt()), expected);
  }
  QCOMPARE(eventsOf(written, "i").size(), std::size_t{2});
}

void TestTrace::scopesNestOnEveryThread() {
  trace::start();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([] {
      for (std::uint64_t i = 0; i < 1000; ++i) {
        const trace::Scope outer("test", "outer", i);
        const trace::Scope inner("test", "inner", i);
      }
    });
  for (std::thread& thread : threads) thread.join();
  const QJsonObject written = stopAndRead();
  std::map<int, std::vector<QString>> open;
  std::map<int, int> count;
  for (const QJsonValue& event : written["traceEvents"].toArray()) {
    const int tid = event["tid"].toInt();
    if (event["ph"] == "B") open[tid].push_back(event["name"].toString());
    if (event["ph"] == "E") {
      QVERIFY(!open[tid].empty());
      QCOMPARE(open[tid].back(), event["name"].toString());
      open[tid].pop_back();
      ++count[tid];
    }
  }
  QCOMPARE(count.size(), std::size_t{4});
  for (const auto& [tid, ends] : count) QCOMPARE(ends, 2000);
}

void TestTrace::fullBufferDropsAndCounts() {
  trace::start(100);
  for (std::uint64_t i = 0; i < 250; ++i) trace::instant("test", "tick", i);
  const QJsonObject written = stopAndRead();
  const auto ticks = eventsOf(written, "i");
  QCOMPARE(ticks.size(), std::size_t{100});
  QCOMPARE(valueOf(ticks.back()), 99.0);  // the first events are kept
  QCOMPARE(written.value("otherData").toObject().value("droppedEvents").toInt(), 150);
  int dropped = -1;
  for (const QJsonObject& event : eventsOf(written, "M"))
    if (event["name"] == "dropped_events" && event["tid"] == ticks[0]["tid"])
      dropped = event.value("args").toObject().value("count").toInt();
  QCOMPARE(dropped, 150);
}

void TestTrace::scopeAcrossTheEndIsClosed() {
  trace::start();
  QJsonObject first;
  {
    const trace::Scope scope("test", "cut");
    first = stopAndRead();
    trace::start();
  }
  QCOMPARE(eventsOf(first, "B").size(), std::size_t{1});
  QCOMPARE(eventsOf(first, "E").size(), std::size_t{1});
  const QJsonObject second = stopAndRead();
  QVERIFY(eventsOf(second, "E").empty());
}

void TestTrace::recordingsAreSeparate() {
  trace::start();
  trace::instant("test", "first");
  QCOMPARE(eventsOf(stopAndRead(), "i").size(), std::size_t{1});
  trace::start();
  trace::instant("test", "second");
  const auto moments = eventsOf(stopAndRead(), "i");
  QCOMPARE(moments.size(), std::size_t{1});
  QCOMPARE(moments[0]["name"].toString(), QString("second"));
}

void TestTrace::unwritablePathLeavesNothing() {
  const test::TemporaryFolder folder;
  trace::start();
  trace::instant("test", "lost");
  QVERIFY_THROWS_EXCEPTION(Error, trace::stopAndWrite(folder / "missing" / "trace.json"));
  QVERIFY(std::filesystem::is_empty(folder.path()));
  QVERIFY(!trace::isOn());
}

void TestTrace::manyBlocks() {
  trace::start();
  for (std::uint64_t i = 0; i < 10000; ++i) trace::instant("test", "tick", i);
  const auto ticks = eventsOf(stopAndRead(), "i");
  QCOMPARE(ticks.size(), std::size_t{10000});
  for (std::size_t i = 0; i < ticks.size(); ++i) QCOMPARE(valueOf(ticks[i]), static_cast<double>(i));
}

QTEST_APPLESS_MAIN(TestTrace)
#include "tst_trace.moc"
