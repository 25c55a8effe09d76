// Streamlines on a device by batchvis: the same files within rounding, statistics, and the processors' bytes where there
// is no device.

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include "tests/cli/program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/vtp_file.h"

using farfield::test::contents;
using farfield::test::Outcome;
using farfield::test::runFarfield;
using farfield::test::TemporaryFolder;
using farfield::test::VtpFile;
using farfield::test::VtpLine;
using farfield::test::write;

namespace {

QByteArray session(const QString& source, const QString& engine, const QString& keys = {}) {
  return QString(R"({ "farfield": 1, "data": { "d": { "source": "%1" } },
    "objects": [ { "name": "l", "type": "streamlines", "engine": "%2", "color": { "by": "pressure" },
      "seeds": { "type": "spread", "count": 300 }, "integrator": { "maxLength": 3 } %3 } ],
    "output": { "images": false, "geometry": true } })")
      .arg(source, engine, keys)
      .toUtf8();
}

}  // namespace

class TestCliLines : public QObject {
  Q_OBJECT
 private slots:
  void init() { m_folder = std::make_unique<TemporaryFolder>(); }
  void onADevice();
  void withoutADriverTheProcessorsDoIt();
  void autoIsTheProcessors();
  void aTimeBudgetHolds();

 private:
  QString path(const QString& name) const { return m_folder->path().string().c_str() + ("/" + name); }
  QJsonObject run(const QString& sessionFile, const QStringList& more = {}) {
    m_outcome = runFarfield(QStringList{"batchvis", sessionFile, "-o", path("out"), "--overwrite", "--stats",
                                        path("stats.json")} +
                                more,
                            path("."));
    if (m_outcome.status != 0) {
      qWarning() << m_outcome.errors;
      return {};
    }
    return QJsonDocument::fromJson(contents(path("stats.json"))).object()["objects"].toArray()[0].toObject();
  }
  std::unique_ptr<TemporaryFolder> m_folder;
  Outcome m_outcome;
};

void TestCliLines::onADevice() {
  const QString source = "sample://cylinder?size=33,49,17&blocks=4";
  write(path("a.json"), session(source, "cpu"));
  write(path("b.json"), session(source, "opencl"));
  const QJsonObject wanted = run("a.json");
  QCOMPARE(wanted["engine"].toString(), QString("cpu"));
  const std::vector<VtpLine> byProcessors = VtpFile((path("out/l.vtp")).toStdString()).lines();
  const QJsonObject stats = run("b.json");
  if (stats["engine"].toString() != "opencl") QSKIP("no OpenCL driver has a device");
  QVERIFY(!stats["device"].toString().isEmpty());
  QCOMPARE(stats["count"].toInt(), 600);
  QCOMPARE(stats["terminations"].toObject(), wanted["terminations"].toObject());
  const std::vector<VtpLine> byDevice = VtpFile((path("out/l.vtp")).toStdString()).lines();
  QCOMPARE(byDevice.size(), byProcessors.size());
  for (std::size_t n = 0; n < byDevice.size(); ++n) {
    const VtpLine &a = byProcessors[n], &b = byDevice[n];
    QVERIFY(a.seed == b.seed && a.direction == b.direction && a.block == b.block);
    QCOMPARE(b.termination, a.termination);
    QVERIFY(length(a.points.front() - b.points.front()) == 0);
    QVERIFY(length(a.points.back() - b.points.back()) < 1e-4);
  }
  // Memory, processors and the order of reading make no difference.
  const QByteArray file = contents(path("out/l.vtp"));
  for (const QStringList& how : {QStringList{"--processors", "1"}, QStringList{"--scheduler", "serial"},
                                 QStringList{"--memory", "16M"}}) {
    const QJsonObject again = run("b.json", how);
    QCOMPARE(again["engine"].toString(), QString("opencl"));
    QVERIFY2(contents(path("out/l.vtp")) == file, qPrintable(how.join(' ')));
  }
  // Too little for a device is enough for the processors.
  QCOMPARE(run("b.json", {"--memory", "4M"})["engine"].toString(), QString("cpu"));
  QVERIFY2(m_outcome.errors.contains("the processors trace the lines"), m_outcome.errors);
}

void TestCliLines::withoutADriverTheProcessorsDoIt() {
  write(path("a.json"), session("sample://abc?size=33,33,33", "cpu"));
  write(path("b.json"), session("sample://abc?size=33,33,33", "opencl"));
  QVERIFY(!run("a.json").isEmpty());
  const QByteArray wanted = contents(path("out/l.vtp"));
  QDir().mkdir(path("none"));
  qputenv("OCL_ICD_VENDORS", path("none").toUtf8());
  const QJsonObject stats = run("b.json");
  qunsetenv("OCL_ICD_VENDORS");
  QCOMPARE(stats["engine"].toString(), QString("cpu"));
  QVERIFY2(m_outcome.errors.contains("the processors trace the lines"), m_outcome.errors);
  QVERIFY(contents(path("out/l.vtp")) == wanted);
}

void TestCliLines::autoIsTheProcessors() {
  write(path("a.json"), session("sample://abc?size=33,33,33", "auto"));
  QCOMPARE(run("a.json")["engine"].toString(), QString("cpu"));
}

void TestCliLines::aTimeBudgetHolds() {
  QByteArray text =
      session("sample://taylor-green?size=65,65,65", "opencl", R"(, "budget": { "milliseconds": 200 })");
  write(path("a.json"), text.replace("\"maxLength\": 3", "\"maxLength\": 1e9"));
  const QJsonObject stats = run("a.json");
  QCOMPARE(stats["count"].toInt(), 600);
  QVERIFY(stats["terminations"].toObject()["out-of-time"].toInt() > 0);
}

QTEST_GUILESS_MAIN(TestCliLines)
#include "tst_cli_lines.moc"
