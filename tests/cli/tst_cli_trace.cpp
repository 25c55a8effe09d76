// farfield trace plot: from a run that was recorded, under each scheduler, to a picture; and wrong uses of
// it.

#include <QTest>

#include <QDir>
#include <QXmlStreamReader>
#include <QtEndian>

#include "tests/cli/program.h"
#include "tests/support/temporary_folder.h"

using farfield::test::contents;
using farfield::test::Outcome;
using farfield::test::runFarfield;

class TestCliTrace : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void aRunBecomesAPicture_data();
  void aRunBecomesAPicture();
  void aMomentLongAfterTheBeginning();
  void wrongUses_data();
  void wrongUses();

 private:
  QString in(const char* name) const { return QString::fromStdString((m_folder / name).string()); }
  /// The words of an SVG; empty where it is none.
  static QStringList wordsOf(const QString& path) {
    QXmlStreamReader xml(contents(path));
    QStringList words;
    while (!xml.atEnd())
      if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QString("text"))
        words += xml.readElementText();
    return xml.hasError() ? QStringList() : words;
  }

  farfield::test::TemporaryFolder m_folder;
};

void TestCliTrace::initTestCase() {
  farfield::test::write(in("lines.json"), R"({ "farfield": 1, "data": { "flow": { "source": "flow.h5" } },
    "objects": [ { "name": "lines", "type": "streamlines", "data": "flow",
      "seeds": { "type": "line", "from": [0.2,0.3,0.3], "to": [0.8,0.7,0.6], "count": 40 } } ],
    "output": { "images": false } })");
  QCOMPARE(
      runFarfield({"sample", "tornado", "-o", in("flow.h5"), "--format", "farfield", "--size", "48,48,48"})
          .status,
      0);
}

void TestCliTrace::aRunBecomesAPicture_data() {
  QTest::addColumn<QString>("scheduler");
  for (const char* const name : {"serial", "threads", "fibers"}) QTest::newRow(name) << name;
}

void TestCliTrace::aRunBecomesAPicture() {
  QFETCH(QString, scheduler);
  const Outcome run =
      runFarfield({"batchvis", in("lines.json"), "-o", in("out"), "--memory", "4M", "--processors", "1",
                   "--scheduler", scheduler, "--trace", in("trace.json"), "--quiet"});
  QVERIFY2(run.status == 0, run.errors.constData());

  const Outcome svg =
      runFarfield({"trace", "plot", in("trace.json"), "-o", in("lives.svg"), "--tasks", "5", "--quiet"});
  QVERIFY2(svg.status == 0 && svg.errors.isEmpty(), svg.errors.constData());
  const QStringList words = wordsOf(in("lives.svg"));
  QVERIFY2(!words.filter("80 tasks").isEmpty(), qPrintable(words.join('|')));  // 40 seeds, both directions
  QVERIFY(words.contains("the lives of 5 tasks out of 80"));
  QVERIFY(!words.filter("checking and decoding pages").isEmpty());
  if (scheduler == "fibers")
    QVERIFY(words.contains("processor 0, main") && !words.filter("computing").isEmpty());
  QVERIFY2(contents(in("lives.svg")).count("fill=\"#0073b3\"") >= 3, "computing, its swatch, and lives");
  if (scheduler == "threads") QVERIFY(words.contains("worker"));

  const Outcome png =
      runFarfield({"trace", "plot", in("trace.json"), "-o", in("lives.png"), "--width", "900", "--quiet"});
  if (png.errors.contains("makes no PNG")) return;
  QVERIFY2(png.status == 0 && png.errors.isEmpty(), png.errors.constData());
  // PNG (W3C), 11.2.2: after the signature and the head of the first chunk, the width.
  const QByteArray picture = contents(in("lives.png"));
  QVERIFY(picture.startsWith("\x89PNG\r\n\x1a\n") && picture.size() > 2000);
  QCOMPARE(qFromBigEndian<quint32>(picture.constData() + 16), quint32{900});
}

/// Of which times have no digits left: there is an end to its axis all the same.
void TestCliTrace::aMomentLongAfterTheBeginning() {
  farfield::test::write(in("long.json"), R"({"traceEvents":[
    {"ph":"B","ts":0,"pid":1,"tid":1,"cat":"tasks","name":"run"},
    {"ph":"E","ts":1,"pid":1,"tid":1,"cat":"tasks","name":"run"},
    {"ph":"B","ts":2,"pid":1,"tid":1,"cat":"tasks","name":"run"},
    {"ph":"E","ts":1.1e18,"pid":1,"tid":1,"cat":"tasks","name":"run"}]})");
  SUCCEEDS(runFarfield({"trace", "plot", in("long.json"), "-o", in("long.svg"), "--from", "9e11", "--to",
                        "900000000000.0002"}));
  QVERIFY(!wordsOf(in("long.svg")).isEmpty());
}

void TestCliTrace::wrongUses_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<int>("status");
  QTest::addColumn<QString>("words");
  const QString trace = in("trace.json");
  QTest::newRow("no action") << QStringList{"trace"} << 2 << "ACTION";
  QTest::newRow("another action") << QStringList{"trace", "draw", trace, "-o", in("a.svg")} << 2 << "draw";
  QTest::newRow("no picture") << QStringList{"trace", "plot", trace} << 2 << "--output";
  QTest::newRow("another format") << QStringList{"trace", "plot", trace, "-o", in("a.jpg")} << 2 << ".png";
  QTest::newRow("two traces") << QStringList{"trace", "plot", trace, trace, "-o", in("a.svg")} << 1
                              << "how its clock goes";
  QTest::newRow("no time") << QStringList{"trace", "plot", trace, "-o", in("a.svg"), "--from", "soon"} << 2
                           << "soon";
  QTest::newRow("backwards") << QStringList{"trace",  "plot", trace,  "-o", in("a.svg"),
                                            "--from", "2",    "--to", "1"}
                             << 2 << "--to";
  QTest::newRow("later") << QStringList{"trace", "plot", trace, "-o", in("a.svg"), "--from", "3600"} << 1
                         << "it lasts";
  QTest::newRow("no file") << QStringList{"trace", "plot", in("none.json"), "-o", in("a.svg")} << 1
                           << "none.json";
  QTest::newRow("no trace") << QStringList{"trace", "plot", in("lines.json"), "-o", in("a.svg")} << 1
                            << "no list of events";
  QTest::newRow("no folder") << QStringList{"trace", "plot", trace, "-o", in("none/a.svg")} << 1 << "a.svg";
}

void TestCliTrace::wrongUses() {
  QFETCH(QStringList, arguments);
  QFETCH(int, status);
  QFETCH(QString, words);
  const Outcome outcome = runFarfield(arguments);
  QCOMPARE(outcome.status, status);
  QCOMPARE(outcome.errorLines().size(), 1);
  QVERIFY2(outcome.errors.contains(words.toUtf8()), outcome.errors.constData());
  QVERIFY(outcome.out.isEmpty());
  QVERIFY(QDir(in("")).entryList({"a.*", ".a.*"}, QDir::AllEntries | QDir::Hidden).isEmpty());
}

QTEST_GUILESS_MAIN(TestCliTrace)
#include "tst_cli_trace.moc"
