// Objects with little time ("budget"), of every kind, through the built program: with enough of it all is as without; with next to none
// the run says what is missing, and writes what there is.

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <filesystem>

#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/vtp_file.h"
#include "tests/system/session_text.h"

using namespace farfield;
using namespace farfield::test;

namespace {

const std::string kPlane = R"({"type":"slice","origin":[3,3,3],"normal":[1,2,3]})";

std::string sample(const std::string& size) {
  return R"("source":"sample://taylor-green?size=)" + size + R"(&curvilinear=true&steps=3")";
}

}  // namespace

class TestTimeBudgets : public QObject {
  Q_OBJECT
 private slots:
  void enoughTimeChangesNothing_data() { kinds(); }
  void enoughTimeChangesNothing();
  void whatIsMissingIsSaid_data() { kinds(); }
  void whatIsMissingIsSaid();
  void volumesAreCoarseFirst();

 private:
  static void kinds();
  /// Computes step 2 alone; returns what the statistics say of the object.
  QJsonObject run(const std::string& data, const std::string& object, const std::string& budget,
                  const std::string& out, bool image = false);
  TemporaryFolder m_folder;
};

void TestTimeBudgets::kinds() {
  QTest::addColumn<QString>("object");
  const auto row = [](const char* name, const std::string& keys) {
    QTest::newRow(name) << QString::fromStdString(keys);
  };
  const std::string seeds = R"("seeds":{"type":"spread","count":COUNT},"integrator":{"maxLength":4})";
  row("streamlines", R"("type":"streamlines","direction":"both",)" + seeds);
  row("streamlines that keep a spacing", R"("type":"streamlines","spacing":0.2,)" + seeds);
  const std::string particles = R"("seeds":{"type":"spread","count":COUNT},"release":{"steps":"0:2:1"})";
  row("pathlines", R"("type":"pathlines",)" + particles);
  row("streaklines", R"("type":"streaklines",)" + particles);
  row("slice", R"("type":"slice","origin":[3,3,3],"normal":[1,2,3],"color":{"by":"vorticity-magnitude"})");
  row("isosurface", R"("type":"isosurface","by":"velocity-magnitude","value":0.4)");
  row("grid-surface", R"("type":"grid-surface","range":{"k":[3,3]},"color":{"by":"vorticity-magnitude"})");
  row("arrows", R"("type":"arrows","spacing":0.05,"on":)" + kPlane);
  row("lic", R"("type":"lic","resolution":400,"on":)" + kPlane);
  row("isolines", R"("type":"isolines","by":"pressure","count":20,"on":)" + kPlane);
  row("isolines of stated values",
      R"("type":"isolines","by":"velocity-magnitude","value":[0.3,0.6],"on":)" + kPlane);
  row("surface-lines",
      R"("type":"surface-lines","count":2000,"on":{"type":"grid-surface","range":{"k":[3,3]}})");
}

QJsonObject TestTimeBudgets::run(const std::string& data, const std::string& object,
                                 const std::string& budget, const std::string& out, bool image) {
  std::string text = sessionText(data, R"({"name":"it",)" + object + budget + "}");
  text.insert(1, R"("time":{"steps":2},)");
  if (image) text.replace(text.find(R"("images":false)"), 14, R"("images":true)");
  writeFile(m_folder / "session.json", text);
  const RunResult result =
      runProgram({"batchvis", "session.json", "-o", out, "--stats", out + ".json", "--overwrite", "--quiet"},
                 {.folder = m_folder.path()});
  if (result.status != 0) {
    QTest::qFail(result.errors.c_str(), __FILE__, __LINE__);
    return {};
  }
  const auto stats =
      QJsonDocument::fromJson(QByteArray::fromStdString(fileContents(m_folder / (out + ".json"))));
  return stats["objects"][0].toObject();
}

void TestTimeBudgets::enoughTimeChangesNothing() {
  QFETCH(QString, object);
  const std::string keys = object.replace("COUNT", "60").toStdString();
  const QJsonObject without = run(sample("25,25,9"), keys, "", "without");
  const QJsonObject with = run(sample("25,25,9"), keys, R"(,"budget":{"milliseconds":1000000})", "with");
  QVERIFY(without["points"].toInt() > 0);
  QVERIFY(!with.contains("missing"));
  const std::vector<std::string> names = namesIn(m_folder / "without");
  QVERIFY(!names.empty());
  QCOMPARE(namesIn(m_folder / "with"), names);
  for (const std::string& name : names)
    QVERIFY2(fileContents(m_folder / "with" / name) == fileContents(m_folder / "without" / name),
             name.c_str());
  std::filesystem::remove_all(m_folder / "with");
  std::filesystem::remove_all(m_folder / "without");
}

void TestTimeBudgets::whatIsMissingIsSaid() {
  QFETCH(QString, object);
  const std::string keys = object.replace("COUNT", "100000").toStdString();
  const QJsonObject stats = run(sample("129,129,33"), keys, R"(,"budget":{"milliseconds":2})", "short");
  const int missing = stats["missing"].toInt(), of = stats["missingOf"].toInt();
  QVERIFY2(missing > 0 && missing <= of, QJsonDocument(stats).toJson().constData());
  QVERIFY(!stats["missingAre"].toString().isEmpty());
  for (const std::string& name : namesIn(m_folder / "short")) {
    const VtpFile file(m_folder / "short" / name);
    QCOMPARE(file.points().size(), std::size_t(stats["points"].toInt()));
  }
  std::filesystem::remove_all(m_folder / "short");
}

void TestTimeBudgets::volumesAreCoarseFirst() {
  const std::string volume = R"("type":"volume","by":"velocity-magnitude")";
  for (const std::string& data :
       {std::string(R"("source":"sample://abc?size=65&steps=3")"), sample("25,25,9")}) {
    run(data, volume, "", "without", true);
    const QJsonObject with = run(data, volume, R"(,"budget":{"milliseconds":1000000})", "with", true);
    QVERIFY(!with.contains("missing"));
    QVERIFY(with["converged"].toBool());
    const std::vector<std::string> names = namesIn(m_folder / "with");
    QCOMPARE(names, namesIn(m_folder / "without"));
    for (const std::string& name : names)
      QVERIFY2(fileContents(m_folder / "with" / name) == fileContents(m_folder / "without" / name),
               name.c_str());
    const QJsonObject stats = run(data, volume, R"(,"budget":{"milliseconds":1})", "short", true);
    QVERIFY(stats["missing"].toInt() > 0 && stats["missing"].toInt() <= stats["missingOf"].toInt());
    QVERIFY(!stats["converged"].toBool());
    QCOMPARE(namesIn(m_folder / "short"), names);
  }
}

QTEST_GUILESS_MAIN(TestTimeBudgets)
#include "tst_time_budgets.moc"
