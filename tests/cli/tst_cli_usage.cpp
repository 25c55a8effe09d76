// The command line from outside: help, wrong usage, one-line errors, exit status.

#include <QProcess>
#include <QProcessEnvironment>
#include <QTest>

#include <QDir>
#include <QFile>

#include "tests/cli/program.h"
#include "tests/support/temporary_folder.h"

using farfield::test::Outcome;
using farfield::test::runFarfield;

class TestCliUsage : public QObject {
  Q_OBJECT
 private slots:
  void help();
  void helpOfCommands_data();
  void helpOfCommands();
  void windowsNeedADisplay();
  void commandsLoadNoWindow();
  void wrongUsage_data();
  void wrongUsage();
  void wrongSessions_data();
  void wrongSessions();
  void optionsOfPicturesWithoutPictures();
  void hostileSessionFiles();
};

void TestCliUsage::help() {
  const Outcome version = runFarfield({"--version"});
  QCOMPARE(version.status, 0);
  QVERIFY(version.out.startsWith("farfield "));
  for (const char* flag : {"--help", "-h"}) {
    const Outcome help = runFarfield({flag});
    QCOMPARE(help.status, 0);
    for (const char* command : {"batchvis", "convert", "info", "probe", "verify", "sample"})
      QVERIFY(help.out.contains(command));
    QVERIFY(help.errors.isEmpty());
  }
}

void TestCliUsage::helpOfCommands_data() {
  QTest::addColumn<QString>("command");
  QTest::addColumn<QStringList>("words");
  QTest::newRow("batchvis") << "batchvis"
                            << QStringList{"SESSION",     "--output",     "--set",     "--resume",
                                           "--memory",    "--processors", "--workers", "--readers",
                                           "--scheduler", "--stats",      "--trace"};
  QTest::newRow("convert") << "convert" << QStringList{"INPUT",   "--output", "--solution", "--page-edge",
                                                       "--codec", "--split",  "--memory",   "--resume"};
  QTest::newRow("info") << "info" << QStringList{"DATA", "--solution", "--ranges", "--json", "--thumbnail"};
  QTest::newRow("probe") << "probe" << QStringList{"DATA",   "--solution", "--function", "--at",
                                                   "--line", "--steps",    "--csv",      "--json"};
  QTest::newRow("integrate") << "integrate"
                             << QStringList{"SESSION|DATA", "--surface", "--function", "--mass-flow",
                                            "--force",      "--flip",    "--steps",    "--csv"};
  QTest::newRow("verify") << "verify" << QStringList{"SESSION|DATA", "--solution"};
  QTest::newRow("sample") << "sample" << QStringList{"NAME",    "--output", "--size", "--blocks",
                                                     "--steps", "--format", "tornado"};
}

void TestCliUsage::helpOfCommands() {
  QFETCH(QString, command);
  QFETCH(QStringList, words);
  const Outcome help = runFarfield({command, "--help"});
  QCOMPARE(help.status, 0);
  if (command == "batchvis") QVERIFY2(!help.out.contains("SESSION..."), help.out);  // one is taken
  QVERIFY(help.errors.isEmpty());
  for (const QString& word : words + QStringList{"--quiet", "--verbose", "--help"})
    QVERIFY2(help.out.contains(word.toUtf8()), qPrintable(word));
}

void TestCliUsage::wrongUsage_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<QString>("part");
  const auto row = [](const char* name, const QStringList& arguments, const char* part) {
    QTest::newRow(name) << arguments << QString(part);
  };
  row("no such command", {"bachvis"}, "'bachvis' is no command");
  row("no such option at the top", {"--frob"}, "'--frob' is no option");
  const QString file = farfield::test::programPath();
  row("no such option of the window", {file, "--frob"}, "'--frob' is no option of the window");
  row("a command's option for the window", {file, "--reader", "raw"},
      "'--reader' is no option of the window");
  row("no size of the window's memory", {"--memory", "lots", file}, "--memory: 'lots' is not a size");
  row("no value of the window's memory", {file, "--memory"}, "--memory needs a value");
  row("the window's memory twice", {"--memory", "1G", file, "--memory=2G"}, "--memory is given twice");
  row("an option before its command", {"--memory", "1G", "info"}, "options of a command come after it");
  row("no session", {"batchvis"}, "SESSION is required");
  row("two sessions", {"batchvis", "a", "b"}, "name one session");
  row("unknown option", {"batchvis", "a", "--frob"}, "'--frob' is not expected");
  row("option without its value", {"batchvis", "a", "--output"}, "--output needs a value");
  row("no number", {"batchvis", "a", "--processors", "two"},
      "--processors: 'two' is not a whole number from 1 to 1024");
  row("no processors", {"batchvis", "a", "--processors", "0"}, "--processors: '0' is not");
  row("no size", {"batchvis", "a", "--memory", "lots"}, "--memory: 'lots' is not a size");
  row("no such scheduler", {"batchvis", "a", "--scheduler", "magic"},
      "--scheduler: 'magic' is not one of serial, threads, fibers");
  row("quiet and verbose", {"batchvis", "a", "--quiet", "--verbose"}, "excludes");
  row("no output", {"convert", "a"}, "--output is required");
  row("no such codec", {"convert", "a", "-o", "b", "--codec", "zip"},
      "--codec: 'zip' is not one of zstd, lz4, gzip, none");
  row("setting without a value", {"convert", "a", "-o", "b", "--option", "gamma"},
      "--option: 'gamma' is not KEY=VALUE");
  row("a number of points of no line", {"probe", "a", "--function", "p", "--at", "0,0,0", "--count", "5"},
      "--count is of a --line");
  row("nothing to replace", {"probe", "a", "--function", "p", "--at", "0,0,0", "--overwrite"},
      "--overwrite goes with --csv");
  row("no such sample", {"sample", "typhoon", "-o", "x"}, "'typhoon' is not one of tornado");
  row("no such size", {"sample", "tornado", "-o", "x", "--size", "1,2"}, "--size");
}

void TestCliUsage::windowsNeedADisplay() {
  const QString file = farfield::test::programPath();
  for (const QStringList& arguments :
       {QStringList(), QStringList{file}, QStringList{"--memory", "200M", file},
        QStringList{file, "--memory=200M"}, QStringList{"--memory", "200M"}, QStringList{"--", file}}) {
    QProcess process;
    process.setProcessEnvironment(farfield::test::environmentWithoutDisplay());
    process.start(farfield::test::programPath(), arguments);
    const Outcome outcome = farfield::test::outcomeOf(process);
    QVERIFY(outcome.out.isEmpty());
    const QList<QByteArray> lines = outcome.errorLines();
#ifdef FARFIELD_GUI
    QCOMPARE(outcome.status, 1);
    QCOMPARE(lines.size(), 1);
    QVERIFY2(outcome.errors.contains("no display") && outcome.errors.contains("batchvis"), outcome.errors);
#else
    QCOMPARE(outcome.status, 2);
    QVERIFY2(lines.last().contains("FARFIELD_GUI=OFF"), outcome.errors);
    if (arguments.isEmpty()) QVERIFY(outcome.errors.contains("Usage: farfield COMMAND"));
#endif
  }
#ifdef FARFIELD_GUI
  QProcess process;
  QProcessEnvironment environment = farfield::test::environmentWithoutDisplay();
  environment.insert("DISPLAY", ":65432");
  process.setProcessEnvironment(environment);
  process.start(farfield::test::programPath(), QStringList());
  const Outcome outcome = farfield::test::outcomeOf(process);
  QCOMPARE(outcome.status, 1);
  QCOMPARE(outcome.errorLines().size(), 1);
  QVERIFY2(outcome.errors.contains(":65432"), outcome.errors);
  // The budget reaches the program that has the window, which says what it needs.
  farfield::test::verifyRefused({"--memory", "1M", file}, 1, "--memory: the window takes at least 16.0 MiB",
                                {});
#endif
}

void TestCliUsage::commandsLoadNoWindow() {
  QProcess ldd;
  ldd.start("ldd", {farfield::test::programPath()});
  const Outcome libraries = farfield::test::outcomeOf(ldd);
  if (libraries.status != 0) QSKIP("no ldd");
  QVERIFY(libraries.out.contains("libc.so"));
  QVERIFY2(!libraries.out.contains("libQt6"), libraries.out);
#ifdef FARFIELD_GUI
  // Alone it is still the command line, and says what is missing where a window is wanted.
  const farfield::test::TemporaryFolder folder;
  const QString alone = QString::fromStdString((folder / "farfield").string());
  QVERIFY(QFile::copy(farfield::test::programPath(), alone));
  QProcess process;
  process.start(alone, {"--version"});
  QCOMPARE(farfield::test::outcomeOf(process).status, 0);
  process.start(alone, QStringList());
  const Outcome window = farfield::test::outcomeOf(process);
  QCOMPARE(window.status, 1);
  QCOMPARE(window.errorLines().size(), 1);
  QVERIFY2(window.errors.contains("farfield-window"), window.errors);
#endif
}

void TestCliUsage::wrongUsage() {
  QFETCH(QStringList, arguments);
  QFETCH(QString, part);
  const farfield::test::TemporaryFolder folder;
  farfield::test::verifyRefused(arguments, 2, part, QString::fromStdString(folder.path().string()));
  QVERIFY(std::filesystem::is_empty(folder.path()));
}

void TestCliUsage::wrongSessions_data() {
  QTest::addColumn<QByteArray>("session");
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<QString>("part");
  const QByteArray good =
      R"({"farfield":1,"data":{"flow":{"source":"sample://tornado?size=9"}},"objects":[{"name":"lines","type":"streamlines",)"
      R"("seeds":{"type":"points","points":[[0,0,0.5]]}}],"output":{"images":false}})";
  const auto changed = [&](const QByteArray& from, const QByteArray& to) {
    return QByteArray(good).replace(from, to);
  };
  QTest::newRow("misspelt key") << changed("\"seeds\"", "\"sedes\"") << QStringList{}
                                << "wrong.json: objects.lines.sedes: unknown key; did you mean 'seeds'?";
  QTest::newRow("no JSON") << changed("{\"farfield\"", "{'farfield'") << QStringList{}
                           << "line 1, column 2: ";
  QTest::newRow("wrong override") << good << QStringList{"--set", "objects.lines.width=-1"}
                                  << "objects.lines.width: must be";
  QTest::newRow("no such file") << changed("sample://tornado?size=9", "none.xyz") << QStringList{}
                                << "none.xyz";
  QTest::newRow("no file of a pattern")
      << changed("sample://tornado?size=9", "none*.xyz") << QStringList{} << "data flow: ";
  QTest::newRow("no such function") << good << QStringList{"--set", "objects.lines.color.by=smoke"}
                                    << "smoke";
  QTest::newRow("no such reader") << good << QStringList{"--set", "data.flow.reader=tecplot"}
                                  << "there is no reader 'tecplot'";
  QTest::newRow("budget too small") << good << QStringList{"--memory", "1K"} << "1.0 KiB";
}

void TestCliUsage::optionsOfPicturesWithoutPictures() {
  const farfield::test::TemporaryFolder folder;
  const QString where = QString::fromStdString(folder.path().string());
  farfield::test::write(
      where + "/none.json",
      R"({"farfield":1,"data":{"flow":{"source":"sample://tornado?size=9"}},"objects":[{"name":"lines","type":"streamlines",)"
      R"("seeds":{"type":"points","points":[[0,0,0.5]]}}],"output":{"images":false}})");
  for (const QStringList& option :
       {QStringList{"--turn", "3"}, QStringList{"--flow", "3"}, QStringList{"--line-scale", "2"},
        QStringList{"--no-step-title"}, QStringList{"--video", "x.mp4"}})
    farfield::test::verifyRefused(QStringList{"batchvis", "none.json"} + option, 2,
                                  option.first() + " is of the pictures, and the session makes none", where);
}

void TestCliUsage::wrongSessions() {
  QFETCH(QByteArray, session);
  QFETCH(QStringList, arguments);
  QFETCH(QString, part);
  const farfield::test::TemporaryFolder folder;
  farfield::test::write(QString::fromStdString((folder / "wrong.json").string()), session);
  const Outcome outcome = runFarfield(QStringList{"batchvis", "wrong.json", "-o", "out"} + arguments,
                                      QString::fromStdString(folder.path().string()));
  QVERIFY2(outcome.status == 1, outcome.errors);
  QVERIFY2(outcome.errorLines().size() == 1, outcome.errors);
  QVERIFY2(outcome.errors.startsWith("farfield: ") && outcome.errors.contains(part.toUtf8()), outcome.errors);
  QDir out(QString::fromStdString((folder / "out").string()));
  QVERIFY(out.entryList(QDir::Files | QDir::Hidden).isEmpty());
}

void TestCliUsage::hostileSessionFiles() {
  const farfield::test::TemporaryFolder folder;
  // A gigabyte of nothing, which takes no room on disk.
  QFile file(QString::fromStdString((folder / "holes.json").string()));
  QVERIFY(file.open(QIODevice::WriteOnly));
  QVERIFY(file.resize(qint64(1) << 30));
  file.close();
  const QString where = QString::fromStdString(folder.path().string());
  for (const QString& name :
       {QString("holes.json"), QString("."), QString("/dev/zero"), QString("none.json")}) {
    const Outcome outcome = runFarfield({"batchvis", name}, where);
    QVERIFY2(outcome.status == 1 && outcome.errorLines().size() == 1, outcome.errors);
  }
}

QTEST_GUILESS_MAIN(TestCliUsage)
#include "tst_cli_usage.moc"
