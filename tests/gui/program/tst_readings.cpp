// Files that can be read in several ways: a choice by mouse, in the panel that offers them.

#include "tests/gui/program/desk.h"

using namespace farfield::test;

namespace {

/// What answers to the mouse along a line down the screen: the middles of what lights up, in order.
QList<QPoint> buttonsAlong(int x, int top, int bottom) {
  constexpr int kStep = 3, kNear = 1, kApart = 12;  // between buttons there are only some pixels
  moveTo({5, bottom});
  if (!isStill()) return {};
  const QImage before = screen();
  QList<QPoint> found;
  int first = -1;
  for (int y = top; y < bottom; y += kStep) {
    moveTo({x, y});
    QTest::qWait(30);
    const QImage now = screen();
    // Beside the cursor, which may or may not be in the picture.
    int changed = 0;
    for (const int side : {-3 * kApart, -2 * kApart, 2 * kApart, 3 * kApart})
      for (int dy = -kNear; dy <= kNear; ++dy)
        changed += now.pixel(x + side, y + dy) != before.pixel(x + side, y + dy);
    const bool lit = changed > 3;
    if (lit && first < 0) first = y;
    if (!lit && first >= 0) {
      found.append({x, (first + y - kStep) / 2});
      first = -1;
    }
  }
  return found;
}

}  // namespace

class TestReadings : public QObject {
  Q_OBJECT
 private slots:
  void chosenByMouse();

 private:
  Desk m_desk;
};

void TestReadings::chosenByMouse() {
  // Two blocks 2x1x1 and 6x1x1 in f32, or one block 2x2x1 in f64 with iblank: 124 bytes each.
  const std::int32_t head[] = {2, 2, 1, 1, 6, 1, 1};
  QFile file(m_desk.at("both.xyz"));
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(reinterpret_cast<const char*>(head), sizeof head);
  file.resize(124);
  file.close();
  QProcess program;
  QVERIFY(m_desk.start(program, {file.fileName()}));
  QVERIFY(focus("Untitled"));
  QVERIFY(isStill());
  keepScreen("readings");

  // Two ways to read it, and below what else can be done: other options, to try again, to remove it.
  const int x = 1100, top = 70, bottom = 780;  // beside the lists of other options
  QList<QPoint> buttons = buttonsAlong(x, top, bottom);
  QCOMPARE(buttons.size(), 5);
  QVERIFY(click(buttons[1]));
  QVERIFY(isStill());
  const QString path = m_desk.at("session.json");
  QVERIFY(focus("Untitled"));
  QVERIFY(Desk::saveAs(path));
  const auto options = [&] {
    return readJson(path)["data"].toObject()["both"].toObject()["options"].toObject();
  };
  const QJsonObject chosen = options();
  QVERIFY(!chosen.isEmpty());
  QCOMPARE(readJson(path)["objects"].toArray().size(), 2);
  QVERIFY(focus("session"));

  // The data in the pipeline: the other reading is still there, the chosen one cannot be chosen.
  QVERIFY(click({60, 118}));
  QVERIFY(isStill());
  keepScreen("readings_chosen");
  buttons = buttonsAlong(x, top, bottom);
  QVERIFY(!buttons.isEmpty());
  QVERIFY(click(buttons[0]));
  QVERIFY(isStill());
  keepScreen("readings_other");
  QVERIFY(press("ctrl+s"));
  QTRY_VERIFY_WITH_TIMEOUT(options() != chosen, kPatienceMs);
  QCOMPARE(options().keys(), chosen.keys());
  QVERIFY(press("ctrl+q"));
  QVERIFY(program.waitForFinished(kPatienceMs));
  QCOMPARE(program.exitCode(), 0);
}

QTEST_MAIN(TestReadings)
#include "tst_readings.moc"
