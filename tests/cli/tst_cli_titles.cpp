// What is written at the top of pictures of several steps: step and time, the session's title, or nothing.

#include <QImage>
#include <QTest>

#include "tests/cli/program.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

using namespace farfield::test;

class TestCliTitles : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void stepAndTimeMayBeLeftOut();
  void stepsAreThoseOfWhatIsShown();
  void whatDoesNotFitIsNotLaidOut_data();
  void whatDoesNotFitIsNotLaidOut();

 private:
  /// Whether anything is written at the top of the picture of a step.
  bool isTitled(const QStringList& more, const char* folder) const {
    const Outcome outcome =
        runFarfield(QStringList{"batchvis", "s.json", "-o", folder, "--quiet"} + more, m_path);
    const QImage picture(m_path + folder + "/s_0001.png");
    if (outcome.status != 0 || picture.isNull()) return false;
    for (int y = 0; y < 30; ++y)
      for (int x = 0; x < picture.width(); ++x)
        if (qGray(picture.pixel(x, y)) < 128) return true;
    return false;
  }
  TemporaryFolder m_folder;
  QString m_path;
};

void TestCliTitles::initTestCase() {
  m_path = QString::fromStdString(m_folder.path().string()) + "/";
  write(m_path + "s.json",
        R"({"farfield":1,"data":{"d":{"source":"sample://taylor-green?size=5&steps=2"}},
            "objects":[{"name":"o","type":"outline"}],"time":{"steps":"all"},
            "camera":{"position":[3,3,60],"target":[3,3,3],"up":[0,1,0]},
            "image":{"size":[400,300]},"output":{"geometry":false}})");
}

void TestCliTitles::stepAndTimeMayBeLeftOut() {
  QVERIFY(isTitled({}, "usual"));
  QVERIFY(!isTitled({"--no-step-title"}, "without"));
  QVERIFY(QImage(m_path + "without/s_0001.png").width() == 400);
  // The session's own title is no step and time.
  QVERIFY(isTitled({"--no-step-title", "--set", "image.title=Vortices"}, "titled"));
}

/// Data that are not in the picture may have more steps: where those that are have ended, it stays what it was, with its title.
void TestCliTitles::stepsAreThoseOfWhatIsShown() {
  write(m_path + "two.json",
        R"({"farfield":1,"data":{"few":{"source":"sample://taylor-green?size=5&steps=2"},
                                 "many":{"source":"sample://taylor-green?size=5&steps=4"}},
            "objects":[{"name":"a","type":"outline","data":"few"},{"name":"b","type":"outline","data":"many"}],
            "layout":{"over":true,"views":[{"data":"few"},{"data":"many"}]},"time":{"steps":"all"},
            "camera":{"position":[3,3,60],"target":[3,3,3],"up":[0,1,0]},
            "image":{"size":[400,300]},"output":{"geometry":false}})");
  const Outcome outcome =
      runFarfield({"batchvis", "two.json", "-o", "two", "--view", "1", "--quiet"}, m_path);
  QVERIFY2(outcome.status == 0, outcome.errors.constData());
  const auto picture = [this](int step) { return QImage(m_path + QString("two/two_000%1.png").arg(step)); };
  QVERIFY(!picture(0).isNull() && picture(0) != picture(1));
  QVERIFY(picture(2) == picture(1) && picture(3) == picture(1));
}

void TestCliTitles::whatDoesNotFitIsNotLaidOut_data() {
  QTest::addColumn<QString>("before");
  QTest::addColumn<QString>("letters");
  QTest::addColumn<QString>("behind");
  const QString title = R"(,"title":")", text = R"(,"axes":true,"scaleBar":true,"texts":[{"text":")";
  for (const auto& [what, letters] : {std::pair{"word", QString("x")}, {"words", QString("longer and ")}}) {
    QTest::addRow("title, one %s", what) << title << letters << "\"";
    QTest::addRow("text, one %s", what) << text << letters << "\",\"place\":[0.5,0.9]}]";
  }
}

/// A text of 100,000 letters is as much work as one that fills the picture, but for going through it once.
void TestCliTitles::whatDoesNotFitIsNotLaidOut() {
  QFETCH(QString, before);
  QFETCH(QString, letters);
  QFETCH(QString, behind);
  const QString session = QString::fromUtf8(contents(m_path + "s.json"));
  const auto run = [&](const char* name, qsizetype count) {
    QString its = session;
    its.replace(R"("image":{"size":[400,300])",
                R"("image":{"size":[400,300])" + before + letters.repeated(count / letters.size()) + behind);
    write(m_path + name + ".json", its.toUtf8());
    return runProgram({"batchvis", std::string(name) + ".json", "-o", name, "--quiet", "--overwrite"},
                      {.folder = m_folder.path()});
  };
  const RunResult few = run("few", 4'000), many = run("many", 100'000);
  QVERIFY2(few.status == 0, few.errors.c_str());
  QVERIFY2(many.status == 0, many.errors.c_str());
  QVERIFY2(many.cpuSeconds < 5 * few.cpuSeconds,
           qPrintable(QString("%1 s, and %2 s of few").arg(many.cpuSeconds).arg(few.cpuSeconds)));
  // What is seen at its beginning is the same.
  const QImage picture(m_path + "many/many_0001.png"), other(m_path + "few/few_0001.png");
  QVERIFY(!picture.isNull());
  QVERIFY(picture.copy(0, 0, 400, 100) == other.copy(0, 0, 400, 100));
}

QTEST_GUILESS_MAIN(TestCliTitles)
#include "tst_cli_titles.moc"
