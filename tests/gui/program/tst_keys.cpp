// The main job without a mouse, from opening to quitting.

#include "tests/gui/program/desk.h"

using namespace farfield::test;

class TestKeys : public QObject {
  Q_OBJECT
 private slots:
  void theMainJob();

 private:
  QString at(const QString& name) const { return m_desk.at(name); }

  Desk m_desk;
};

void TestKeys::theMainJob() {
  QDir().mkpath(at("case"));
  const Outcome made =
      runFarfield({"sample", "cylinder", "-o", at("case/wing"), "--size", "17,33,9", "--format", "plot3d"});
  QVERIFY2(made.status == 0, made.errors);
  // Where the mouse is must not matter.
  QVERIFY(moveTo({1590, 1190}));
  QProcess program;
  QVERIFY(m_desk.start(program, {}));
  QVERIFY(focus("Untitled"));
  QVERIFY(press("ctrl+o"));
  QVERIFY(focus("Open data or a session"));
  QVERIFY(type(at("case/wing.xyz")) && press("Return"));
  QTRY_VERIFY_WITH_TIMEOUT(!isThere("Open data or a session"), kPatienceMs);
  QVERIFY(isStill());  // the dialog has colours, too
  QTRY_VERIFY_WITH_TIMEOUT(colouredPixels(screen()) > 300, kPatienceMs);
  QVERIFY(focus("Untitled"));

  // Another object, by the menu and its letter.
  QVERIFY(press("alt+a") && press("s"));
  const QString path = at("keys.json");
  QVERIFY(Desk::saveAs(path));
  const QJsonObject before = lastObject(path);
  QCOMPARE(before["type"].toString(), "streamlines");
  QCOMPARE(before["seeds"].toObject()["type"].toString(), "line");
  QVERIFY(focus("keys"));
  // What was asked for with keys is saved with keys: waits until the file says so.
  const auto saved = [&](auto holds) {
    return press("ctrl+s") && QTest::qWaitFor([&] { return holds(lastObject(path)); }, kPatienceMs);
  };

  // From the view over the pipeline and the views that were kept to the properties, and there to an end of the rake.
  QVERIFY(press("F6") && press("F6") && press("F6"));
  for (int n = 0; n < 3; ++n) QVERIFY(press("Tab"));
  QVERIFY(type("-7.5") && press("Tab") && type("-3.25") && press("Return"));
  QVERIFY(saved([](const QJsonObject& object) {
    const QJsonArray from = object["seeds"].toObject()["from"].toArray();
    return from[0].toDouble() == -7.5 && from[1].toDouble() == -3.25;
  }));
  QCOMPARE(lastObject(path)["seeds"].toObject()["to"], before["seeds"].toObject()["to"]);
  keepScreen("keys_rake");

  // On to the number of seeds, a property; and to what colours them.
  for (int n = 0; n < 5; ++n) QVERIFY(press("Tab"));
  QVERIFY(type("31") && press("Return"));
  QVERIFY(saved([](const QJsonObject& object) { return object["seeds"].toObject()["count"].toInt() == 31; }));
  // Beside what is not as usual there is what takes it back: one more.
  for (int n = 0; n < 8; ++n) QVERIFY(press("Tab"));
  QVERIFY(type("pressure") && press("Return"));
  QVERIFY(saved(
      [](const QJsonObject& object) { return object["color"].toObject()["by"].toString() == "pressure"; }));
  keepScreen("keys_recoloured");

  // Back step by step, from wherever the keyboard is.
  QVERIFY(press("ctrl+z"));
  QVERIFY(saved([&](const QJsonObject& object) { return object["color"] == before["color"]; }));
  QCOMPARE(lastObject(path)["seeds"].toObject()["count"].toInt(), 31);
  QVERIFY(press("shift+Tab"));  // into a number, which has an undo of its own for what is being typed
  QVERIFY(press("ctrl+z"));
  QVERIFY(saved([&](const QJsonObject& object) {
    return object["seeds"].toObject()["count"] == before["seeds"].toObject()["count"];
  }));

  QVERIFY(press("ctrl+q"));
  QVERIFY(program.waitForFinished(kPatienceMs));
  QCOMPARE(program.exitStatus(), QProcess::NormalExit);
  QCOMPARE(program.exitCode(), 0);
}

QTEST_MAIN(TestKeys)
#include "tst_keys.moc"
