// What a run writes: never what it reads, nor what is another's, and nothing half; under limits of the system,
// too. And what of a user's or a file's text an error shows.

#include <signal.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QTest>

#include "tests/cli/program.h"
#include "tests/support/temporary_folder.h"

using farfield::test::contents;
using farfield::test::Outcome;
using farfield::test::runFarfield;
using farfield::test::verifyRefused;
using farfield::test::write;

class TestCliFiles : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void outputsAreNoInputs_data();
  void outputsAreNoInputs();
  void filesOfOthersStay_data();
  void filesOfOthersStay();
  void resultsOfOtherProgramsStay_data();
  void resultsOfOtherProgramsStay();
  void ownFilesAreReplaced();
  void finishedStoresAreNotTakenForOthers();
  void definitionsGoIntoStores();
  void gapsOfPatternsAreSaid();
  void onlyFilesAreWritten();
  void outputsAreTriedFirst_data();
  void outputsAreTriedFirst();
  void limits_data();
  void limits();
  void littleAddressSpace();
  void interruptedSamplesLeaveNothing();
  void repeatedOptions();
  void longTextIsCut();
  void controlCharactersAreEscaped();
  void picturesNamedAsDataAreCalledPictures();
  void sessionsThatEndTooEarlyAreSaidToBe();
  void linkedFoldersLeadWhereTheSystemSays();
  void conversionsNameTheFile();
  void whatIsNoFileIsSaidAtOnce_data();
  void whatIsNoFileIsSaidAtOnce();

 private:
  /// Runs the program after `limit`, a shell's command such as "ulimit -f 8".
  Outcome runUnder(const QString& limit, const QStringList& arguments) {
    QProcess process;
    process.setWorkingDirectory(m_path);
    process.start(
        "/bin/sh",
        QStringList{"-c", limit + "; exec \"$0\" \"$@\"", farfield::test::programPath()} + arguments);
    return farfield::test::outcomeOf(process);
  }
  /// All files with what is in them.
  QMap<QString, QByteArray> everything() const {
    QMap<QString, QByteArray> all;
    for (const QString& name : QDir(m_path).entryList(QDir::Files | QDir::Hidden | QDir::System))
      all[name] = contents(m_path + name);
    return all;
  }
  farfield::test::TemporaryFolder m_folder;
  QString m_path;
};

void TestCliFiles::initTestCase() {
  m_path = QString::fromStdString(m_folder.path().string()) + "/";
  for (const QStringList& words :
       {QStringList{"sample", "tornado", "-o", "flow.h5", "--size", "17"},
        QStringList{"sample", "tornado", "-o", "flow", "--size", "17", "--format", "plot3d"}}) {
    const Outcome outcome = farfield::test::runFarfield(words, m_path);
    QVERIFY2(outcome.status == 0, outcome.errors);
  }
  write(m_path + "session.json",
        R"({"farfield":1,"data":{"flow":{"source":"flow.h5"}},"objects":[
    {"name":"lines","type":"streamlines","seeds":{"type":"points","points":[[0,0,0.5]]}},
    {"name":"wall","type":"grid-surface","range":{"k":0}}],"output":{"images":false}})");
  write(
      m_path + "list.nhdr",
      "NRRD0004\ntype: float\ndimension: 3\nsizes: 2 2 2\nencoding: raw\nendian: little\ndata file: values.raw\n");
  write(m_path + "values.raw", QByteArray(32, '\0'));
  write(m_path + "notes.txt", "mine\n");
  write(m_path + "wall.h5", "mine\n");
  write(m_path + "wall.h5.part", "mine\n");
  QVERIFY(QFile::link("flow.xyz", m_path + "link.xyz"));
}

void TestCliFiles::outputsAreNoInputs_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<QString>("part");
  const QString read = "is read by this run", twice = "written twice";
  const QStringList convert{"convert", "flow.xyz", "--solution", "flow.q", "--overwrite", "-o"};
  QTest::newRow("convert onto its grid") << convert + QStringList{"flow.xyz"} << read;
  QTest::newRow("by another path") << convert + QStringList{m_path + "./flow.xyz"} << read;
  QTest::newRow("by a link") << convert + QStringList{"link.xyz"} << read;
  QTest::newRow("onto its solution") << convert + QStringList{"flow.q"} << read;
  const QStringList probe{"probe", "flow.h5", "--function", "velocity", "--at", "0,0,0.5", "--overwrite"};
  QTest::newRow("probe onto its data") << probe + QStringList{"--csv", "flow.h5"} << read;
  QTest::newRow("convert onto what a header names")
      << QStringList{"convert", "list.nhdr", "--overwrite", "-o", "values.raw"} << read;
  QTest::newRow("probe onto what a header names")
      << QStringList{"probe", "list.nhdr",   "--function", "value",     "--at",
                     "0,0,0", "--overwrite", "--csv",      "values.raw"}
      << read;
  QTest::newRow("integrate onto what a header names")
      << QStringList{"integrate",  "--overwrite", "--function", "value", "--csv",
                     "values.raw", "list.nhdr",   "--surface",  "0:kmin"}
      << read;
  const QStringList integrate{"integrate", "--overwrite", "--function", "velocity", "--csv"};
  QTest::newRow("integrate onto its data")
      << integrate + QStringList{"flow.h5", "--surface", "0:kmin", "flow.h5"} << read;
  QTest::newRow("integrate onto its session")
      << integrate + QStringList{"session.json", "session.json"} << read;
  QTest::newRow("integrate onto the session's data")
      << integrate + QStringList{"flow.h5", "session.json"} << read;
  const QStringList batchvis{"batchvis", "session.json", "--overwrite"};
  QTest::newRow("statistics onto the session") << batchvis + QStringList{"--stats", "session.json"} << read;
  QTest::newRow("statistics onto the data") << batchvis + QStringList{"--stats", "flow.h5"} << read;
  QTest::newRow("statistics onto geometry") << batchvis + QStringList{"--stats", "lines.vtp"} << twice;
  QTest::newRow("in a folder to be made")
      << batchvis + QStringList{"-o", "new/er", "--stats", "new/../new/er/lines.vtp"} << twice;
  QTest::newRow("two logs in one") << batchvis + QStringList{"--trace", "x", "--page-trace", "./x"} << twice;
}

void TestCliFiles::outputsAreNoInputs() {
  QFETCH(QStringList, arguments);
  QFETCH(QString, part);
  const auto before = everything();
  verifyRefused(arguments, 1, part, m_path);
  QVERIFY(everything() == before);
}

void TestCliFiles::filesOfOthersStay_data() {
  QTest::addColumn<QStringList>("arguments");
  const QStringList batchvis{"batchvis", "session.json"};
  for (const char* const option : {"--stats", "--trace", "--page-trace"})
    QTest::newRow(option) << batchvis + QStringList{option, "notes.txt"};
  QTest::newRow("probe") << QStringList{"probe", "flow.h5", "--function", "velocity",
                                        "--at",  "0,0,0.5", "--csv",      "notes.txt"};
  QTest::newRow("integrate") << QStringList{"integrate", "flow.h5", "--function", "velocity",
                                            "--surface", "0:kmin",  "--csv",      "notes.txt"};
  QTest::newRow("bench") << QStringList{"bench", "hits", "--extent", "tiny", "-o", "notes.txt"};
  QTest::newRow("convert") << QStringList{"convert", "flow.xyz", "-o", "notes.txt"};
  QTest::newRow("convert, resumed") << QStringList{"convert", "flow.xyz", "-o", "notes.txt", "--resume"};
  QTest::newRow("convert, its partial store") << QStringList{"convert", "flow.xyz", "-o", "wall.h5"};
  QTest::newRow("sample") << QStringList{"sample", "tornado", "-o", "notes.txt"};
  QTest::newRow("sample, plot3d") << QStringList{"sample",   "tornado", "-o",     "flow",
                                                 "--format", "plot3d",  "--size", "9"};
}

void TestCliFiles::filesOfOthersStay() {
  QFETCH(QStringList, arguments);
  const auto before = everything();
  verifyRefused(arguments, 1, "exists already; remove it, name another, or use --overwrite", m_path);
  QVERIFY(everything() == before);
}

void TestCliFiles::resultsOfOtherProgramsStay_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QByteArray>("bytes");
  QTest::addColumn<QStringList>("arguments");
  // As other programs begin them.
  const QByteArray png = QByteArray("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\2\0\0\0", 29) +
                         QByteArray("\x90wS\xde\0\0\0\x0ftEXtSoftware\0gimped", 27) +
                         QByteArray("....\0\0\0\0IDAT....", 16);
  const QByteArray vtk = R"(<?xml version="1.0"?>
<VTKFile type="PolyData" version="1.0" byte_order="LittleEndian" header_type="UInt64" compressor="vtkZLibDataCompressor">
  <PolyData>
)";
  QTest::newRow("geometry") << "lines.vtp" << vtk << QStringList{"batchvis", "session.json"};
  QTest::newRow("geometry, not compressed")
      << "wall.vtp" << QByteArray(vtk).replace(" compressor=\"vtkZLibDataCompressor\"", "")
      << QStringList{"batchvis", "session.json"};
  QTest::newRow("picture") << "session.png" << png
                           << QStringList{"batchvis", "session.json", "--set", "output.images=true"};
  QTest::newRow("small picture") << "small.png" << png
                                 << QStringList{"info", "flow.h5", "--thumbnail", "small.png"};
  QTest::newRow("drawing") << "foreign.svg"
                           << QByteArray("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg></svg>\n")
                           << QStringList{"trace", "plot", "wall.h5", "-o", "foreign.svg"};
}

void TestCliFiles::resultsOfOtherProgramsStay() {
  QFETCH(QString, name);
  QFETCH(QByteArray, bytes);
  QFETCH(QStringList, arguments);
  write(m_path + name, bytes);
  const auto before = everything();
  const Outcome outcome = farfield::test::runFarfield(arguments, m_path);
  const bool noPictures =
      outcome.errors.contains("OpenGL") || outcome.errors.contains("EGL") || outcome.errors.contains("build");
  const auto after = everything();
  QVERIFY(QFile::remove(m_path + name));
  QVERIFY(after == before);
  if (noPictures) QSKIP("no pictures here");
  QCOMPARE(outcome.status, 1);
  QVERIFY2(outcome.errors.contains("exists already; remove it, name another, or use --overwrite"),
           outcome.errors);
}

void TestCliFiles::ownFilesAreReplaced() {
  const auto run = [&](const QStringList& arguments) {
    const Outcome outcome = farfield::test::runFarfield(arguments + QStringList{"--quiet"}, m_path);
    QVERIFY2(outcome.status == 0 && outcome.errors.isEmpty(), outcome.errors);
  };
  write(m_path + "empty", "");
  write(m_path + "yes", "mine\n");
  const QStringList batchvis{"batchvis", "session.json",     "-o",
                             "again",    "--stats",          "again/stats.json",
                             "--trace",  "again/trace.json", "--page-trace"};
  run(batchvis + QStringList{"empty"});
  run(batchvis + QStringList{"empty"});
  run({"batchvis", "session.json", "-o", "again", "--stats", "yes", "--overwrite"});
  const Outcome drawn = farfield::test::runFarfield(
      {"batchvis", "session.json", "-o", "seen", "--set", "output.images=true"}, m_path);
  if (drawn.status == 0) {
    run({"batchvis", "session.json", "-o", "seen", "--set", "output.images=true"});
    QVERIFY(contents(m_path + "seen/session.png").contains(QByteArray("Software\0Farfield", 17)));
  }
  run({"batchvis", "session.json", "-o", "pieces", "--set", "output.pieces=1000"});
  run({"batchvis", "session.json", "-o", "pieces", "--set", "output.pieces=1000"});
  for (const char* const picture : {"life.svg", "life.png"})
    for (int n = 0; n < 2; ++n) run({"trace", "plot", "again/trace.json", "-o", picture});
  for (int n = 0; n < 2; ++n) {
    run({"probe", "flow.h5", "--function", "velocity", "--at", "0,0,0.5", "--csv", "p.csv"});
    run({"integrate", "flow.h5", "--function", "velocity", "--surface", "0:kmin", "--csv", "i.csv"});
    run({"bench", "hits", "--extent", "tiny", "-o", "bench.json"});
    run({"sample", "tornado", "-o", "s.h5", "--size", "9"});
    run({"sample", "tornado", "-o", "raw", "--format", "raw", "--size", "9", "--overwrite"});
    run({"convert", "flow.xyz", "-o", "c.h5", "--open", "--overwrite"});
  }
  QVERIFY(contents(m_path + "yes").startsWith("{\n"));
}

/// Run twice, it is the same store; of anything else it is said that it is not.
void TestCliFiles::finishedStoresAreNotTakenForOthers() {
  const QStringList once{"convert", "flow.xyz", "--solution", "flow.q", "-o", "once.h5", "--resume"};
  const auto run = [&](const QStringList& arguments) {
    return farfield::test::runFarfield(arguments, m_path);
  };
  QCOMPARE(run(once).status, 0);
  const QByteArray made = contents(m_path + "once.h5");
  const Outcome again = run(once);
  QVERIFY2(again.status == 0, again.errors.constData());
  // Also where the last nodes are not quite where the box of the data ends.
  const QStringList even{"convert", "sample://abc?size=9", "--resample", "50", "-o", "even.h5", "--resume"};
  for (int n = 0; n < 2; ++n) {
    const Outcome outcome = run(even);
    QVERIFY2(outcome.status == 0, outcome.errors.constData());
  }
  for (const QStringList& other :
       {QStringList{"convert", "flow.xyz", "-o", "once.h5", "--resume"},
        once + QStringList{"--codec", "gzip"}, once + QStringList{"--page-edge", "8"}})
    verifyRefused(other, 1, "is a finished store of other input", m_path);
  QVERIFY(contents(m_path + "once.h5") == made);
}

/// By its name, in a store as well; and said anew it is what is said.
void TestCliFiles::definitionsGoIntoStores() {
  const auto probe = [&](const QStringList& more) {
    return farfield::test::runFarfield(
        QStringList{"probe", "own.h5", "--function", "twice", "--at", "0,0,0.5"} + more, m_path);
  };
  QCOMPARE(farfield::test::runFarfield({"convert", "flow.xyz", "--solution", "flow.q", "-o", "own.h5",
                                        "--option", "function.twice=2*density"},
                                       m_path)
               .status,
           0);
  const Outcome kept = probe({});
  QVERIFY2(kept.status == 0, kept.errors.constData());
  const Outcome anew = probe({"--option", "function.twice=3*density"});
  QVERIFY2(anew.status == 0 && anew.out != kept.out, anew.errors.constData());
}

/// Whatever is done with them: what is not there says nothing by itself.
void TestCliFiles::gapsOfPatternsAreSaid() {
  for (const int step : {0, 1, 2, 4, 5})
    QFile::copy(m_path + "flow.q", m_path + QString("gap%1.q").arg(step));
  for (const QStringList& words : {QStringList{"info"}, {"convert", "-o", "gaps.h5"}}) {
    const Outcome outcome =
        farfield::test::runFarfield(words + QStringList{"flow.xyz", "--solution", "gap*.q"}, m_path);
    QVERIFY2(outcome.status == 0, outcome.errors.constData());
    QCOMPARE(outcome.errors.count("step 3 is left out: no file gap3.q"), 1);
  }
}

void TestCliFiles::onlyFilesAreWritten() {
  const QByteArray pipe = (m_path + "pipe").toUtf8();
  QCOMPARE(::mkfifo(pipe.constData(), 0600), 0);
  QDir(m_path).mkdir("folder");
  QStringList names{"pipe", "folder"};
  // One of the test's own (only root makes it), so that a program that fails here destroys none of the machine's.
  if (::mknod((m_path + "device").toUtf8().constData(), S_IFCHR | 0600, makedev(1, 3)) == 0)
    names += "device";
  for (const QString& name : names)
    for (const QStringList& arguments :
         {QStringList{"batchvis", "session.json", "--stats"},
          QStringList{"sample", "tornado", "--size", "9", "-o"}, QStringList{"convert", "flow.xyz", "-o"},
          QStringList{"probe", "flow.h5", "--function", "velocity", "--at", "0,0,0.5", "--csv"}}) {
      const QString what = name == "pipe" ? "is a pipe" : name == "folder" ? "is a folder" : "is a device";
      verifyRefused(arguments + QStringList{name, "--overwrite"}, 1, what, m_path);
    }
  struct stat info {};
  QVERIFY(::stat(pipe.constData(), &info) == 0 && S_ISFIFO(info.st_mode));
  QVERIFY(QFile::remove(m_path + "pipe"));
  if (!names.contains("device")) return;
  QVERIFY(::stat((m_path + "device").toUtf8().constData(), &info) == 0 && S_ISCHR(info.st_mode));
  QVERIFY(QFile::remove(m_path + "device"));
}

void TestCliFiles::outputsAreTriedFirst_data() {
  QTest::addColumn<QString>("option");
  for (const char* const option : {"--stats", "--trace", "--page-trace"}) QTest::newRow(option) << option;
}

void TestCliFiles::outputsAreTriedFirst() {
  QFETCH(QString, option);
  const QStringList batchvis{"batchvis", "session.json", "-o", "tried", option};
  verifyRefused(batchvis + QStringList{""}, 2, option + ": ", m_path);
  verifyRefused(batchvis + QStringList{"none/x"}, 1, "its folder is not there; make it first", m_path);
  if (QFile::exists("/proc/self"))
    verifyRefused(batchvis + QStringList{"/proc/self/x"}, 1, "file /proc/self/x: cannot be written", m_path);
  QVERIFY(!QFile::exists(m_path + "tried"));
}

void TestCliFiles::limits_data() {
  QTest::addColumn<QString>("limit");
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<QString>("part");
  const QStringList batchvis{"batchvis", "session.json", "-o", "limited"};
  const QStringList sample{"sample", "tornado", "--size", "40", "-o", "limited", "--format"};
  for (const char* const format : {"farfield", "plot3d", "raw"})
    QTest::addRow("files, %s", format) << "ulimit -f 8" << sample + QStringList{format} << "ulimit -f";
  QTest::newRow("files, results") << "ulimit -f 1" << batchvis << "ulimit -f";
  QTest::newRow("files, table") << "ulimit -f 8" << QStringList{"probe",  "flow.h5", "--function", "velocity",
                                                                "--line", "0,0,0.1", "0,0,0.9",    "--count",
                                                                "9999",   "--csv",   "limited.csv"}
                                << "ulimit -f";
#ifndef FARFIELD_SANITIZED  // which maps the whole address space
  QTest::newRow("a budget that nothing has")
      << "true" << batchvis + QStringList{"--memory", "4000000T"} << "--memory";
  QTest::newRow("a large budget") << "ulimit -v 2000000" << batchvis + QStringList{"--memory", "100T"}
                                  << "lower --memory";
  QTest::newRow("address space") << "ulimit -v 1000000" << batchvis + QStringList{"--memory", "4G"}
                                 << "ulimit -v";
#endif
}

void TestCliFiles::limits() {
  QFETCH(QString, limit);
  QFETCH(QStringList, arguments);
  QFETCH(QString, part);
  const Outcome outcome = runUnder(limit, arguments + QStringList{"--quiet"});
  QVERIFY2(outcome.status == 1 && outcome.errorLines().size() == 1, outcome.errors);
  QVERIFY2(outcome.errors.contains(part.toUtf8()), outcome.errors);
  QVERIFY(QDir(m_path).entryList({"*limited*"}, QDir::Files | QDir::Hidden).isEmpty());
  QVERIFY(QDir(m_path + "limited").entryList(QDir::Files | QDir::Hidden).isEmpty());
}

void TestCliFiles::littleAddressSpace() {
#ifdef FARFIELD_SANITIZED
  QSKIP("sanitizers map the whole address space");
#endif
  // However little there is: threads, stacks, memory; an answer in one line, and no crash.
  for (int kilobytes = 70'000; kilobytes <= 400'000; kilobytes += 30'000)
    for (const QStringList& arguments :
         {QStringList{"batchvis", "session.json", "-o", "little", "--memory", "20M", "--processors", "8"},
          QStringList{"batchvis", "session.json", "-o", "little", "--memory", "20M", "--scheduler",
                      "threads"},
          QStringList{"convert", "flow.xyz", "-o", "little.h5", "--memory", "20M", "--processors", "8",
                      "--overwrite"}}) {
      const Outcome outcome =
          runUnder("ulimit -v " + QString::number(kilobytes), arguments + QStringList{"--quiet"});
      if (outcome.status == 127 || outcome.errors.contains("Fatal glibc error")) continue;  // not ours to say
      QVERIFY2(outcome.status == 0 ||
                   (outcome.status == 1 && outcome.errorLines().last().startsWith("farfield: ")),
               outcome.errors);
      QVERIFY2(outcome.status == 0 || outcome.errors.contains("ulimit -v"), outcome.errors);
    }
}

void TestCliFiles::interruptedSamplesLeaveNothing() {
  for (const int signal : {SIGINT, SIGTERM}) {
    QProcess process;
    process.setWorkingDirectory(m_path);
    process.start(farfield::test::programPath(),
                  {"sample", "turbulence", "--size", "400", "-o", "stopped.h5", "--quiet"});
    QVERIFY(QTest::qWaitFor([&] { return QFileInfo(m_path + "stopped.h5.part").size() > 100'000; }, 60'000));
    ::kill(static_cast<pid_t>(process.processId()), signal);
    const Outcome outcome = farfield::test::outcomeOf(process);
    QVERIFY2(outcome.status == 130 && outcome.errorLines().size() == 1, outcome.errors);
    QVERIFY(QDir(m_path).entryList({"*stopped*"}, QDir::Files | QDir::Hidden).isEmpty());
  }
}

void TestCliFiles::repeatedOptions() {
  verifyRefused({"info", "flow.h5", "--memory", "1G", "--memory", "2G"}, 2, "--memory is given twice",
                m_path);
  verifyRefused({"batchvis", "session.json", "-o", "a", "--output=b"}, 2, "--output is given twice", m_path);
}

void TestCliFiles::longTextIsCut() {
  const QString longText(100'000, 'x');
  for (const QStringList& arguments :
       {QStringList{longText}, QStringList{"info", longText},
        QStringList{"info", "flow.h5", "--memory", longText}, QStringList{"info", "flow.h5", "--" + longText},
        QStringList{"info", "flow.h5", "--option", longText},
        QStringList{"probe", "flow.h5", "--at", "0,0,0", "--function", longText},
        QStringList{"batchvis", "session.json", "--set", longText + "=1"}}) {
    const Outcome outcome = farfield::test::runFarfield(arguments, m_path);
    QVERIFY(outcome.status == 1 || outcome.status == 2);
    QVERIFY2(
        outcome.errorLines().size() == 1 && outcome.errors.size() < 4000 && outcome.errors.contains("xxx"),
        outcome.errors.left(200));
  }
  write(m_path + "long.json", R"({"farfield":1,"data":{"flow":{"source":")" + longText.toUtf8() +
                                  R"("}},"objects":[{"name":"a","type":"outline"}]})");
  const Outcome outcome = farfield::test::runFarfield({"batchvis", "long.json"}, m_path);
  QVERIFY2(outcome.status == 1 && outcome.errors.size() < 4000, outcome.errors.left(200));
}

void TestCliFiles::controlCharactersAreEscaped() {
  verifyRefused({"info", QString::fromUtf8("a\x1b[31mb%s%n\u202e\u2066\u009b\u00e9")}, 1,
                QString::fromUtf8("a\\x1b[31mb%s%n\\u202e\\u2066\\u009b\u00e9: "), m_path);
  verifyRefused({"info", "flow.h5", "--memory", "1\n2"}, 2, "'1 2' is not a size", m_path);
  QProcess process;  // bytes that are no text
  process.start("/bin/sh", {"-c", "exec \"$0\" info \"$(printf 'a\\377b')\"", farfield::test::programPath()});
  const Outcome outcome = farfield::test::outcomeOf(process);
  QVERIFY2(outcome.status == 1 && outcome.errors.contains("a\\xffb"), outcome.errors);
}

void TestCliFiles::conversionsNameTheFile() {
  write(m_path + "bare.vti", R"(<VTKFile type="ImageData" version="0.1" byte_order="LittleEndian">
    <ImageData WholeExtent="0 1 0 1 0 1" Origin="0 0 0" Spacing="1 1 1"><Piece Extent="0 1 0 1 0 1"/></ImageData></VTKFile>)");
  REFUSED(runFarfield({"convert", "bare.vti", "-o", "bare.h5"}, m_path), "bare.vti");
  SUCCEEDS(runFarfield({"sample", "abc", "-o", "good", "--size", "5", "--format", "plot3d"}, m_path));
  REFUSED(runFarfield({"convert", "good.xyz", "-o", "bare.h5", "--option", "frob=1"}, m_path), "good.xyz");
  // Of what is no file's fault none is named, and what is used wrongly stays that.
  const Outcome small = runFarfield({"convert", "good.xyz", "-o", "bare.h5", "--memory", "10K"}, m_path);
  QVERIFY2(small.status == 1 && small.errors.startsWith("farfield: converting"), small.errors.constData());
  verifyRefused({"convert", "good.xyz", "-o", "bare.h5", "--resample", "x"}, 2, "--resample", m_path);
  QVERIFY(!QFile::exists(m_path + "bare.h5"));
}

/// ".." of a session in a folder that is a link, of the way to it, and behind a link beside it.
void TestCliFiles::linkedFoldersLeadWhereTheSystemSays() {
  QVERIFY(QDir(m_path).mkpath("linked/real/deep/sessions") && QDir(m_path).mkpath("linked/use"));
  const QString place = m_path + "linked/";
  QVERIFY(QFile::link("../real/deep/sessions", place + "use/link"));
  QVERIFY(QFile::link("../..", place + "real/deep/sessions/up"));
  SUCCEEDS(runFarfield({"sample", "abc", "-o", "d.h5", "--size", "5", "--format", "farfield"},
                       place + "real/deep"));
  const auto sessionOf = [](const char* source) {
    return QByteArray(R"({"farfield": 1, "data": {"d": {"source": ")") + source +
           R"("}}, "objects": [{"name": "edges", "type": "outline", "data": "d"}], "output": {"images": false}})";
  };
  write(place + "real/deep/sessions/s.json", sessionOf("../d.h5"));
  write(place + "real/deep/sessions/up.json", sessionOf("up/../real/deep/./d.h5"));
  int number = 0;
  for (const QString& session : {QString("link/s.json"), place + "use/link/s.json",
                                 QString("link/../sessions/s.json"), QString("link/up.json")}) {
    const QString out = QString("out%1").arg(number++);
    SUCCEEDS(runFarfield({"batchvis", session, "-o", out}, place + "use"));
    QVERIFY2(QFile::exists(place + "use/" + out + "/edges.vtp"), qPrintable(session));
  }
  // Where it is not there either way, that place is named.
  QVERIFY(QFile::remove(place + "real/deep/d.h5"));
  verifyRefused({"batchvis", "link/s.json", "-o", "none"}, 1, "linked/real/deep/d.h5", place + "use");
}

void TestCliFiles::sessionsThatEndTooEarlyAreSaidToBe() {
  for (const char* const text : {R"({"farfield":1, "data":)", R"({"farfield":1, "da)", R"({"farfield":1)"}) {
    write(m_path + "cut.json", text);
    verifyRefused({"batchvis", "cut.json"}, 1, "ends too early; check that the copy is complete", m_path);
  }
  write(m_path + "wrong.json", R"({"farfield":1,})");
  verifyRefused({"batchvis", "wrong.json"}, 1, "correct the JSON", m_path);
  verifyRefused({"batchvis", "flow.h5"}, 1, "is no session", m_path);
}

void TestCliFiles::picturesNamedAsDataAreCalledPictures() {
  for (const char* const name : {"pic.vti", "pic.nc", "pic.h5", "pic.xyz", "pic.nrrd", "pic"}) {
    write(m_path + name, QByteArray("\x89PNG\r\n\x1a\n", 8) + QByteArray(2000, '\x07'));
    verifyRefused({"info", name}, 1, QString(name) + ": is a picture (PNG), and not one with data", m_path);
  }
  for (const char* const name : {"can.vtu.gz", "can.vtu", "can"}) {
    write(m_path + name, QByteArray("\x1f\x8b\x08\0", 4) + QByteArray(2000, '\x07'));
    verifyRefused({"info", name}, 1,
                  QString(name) +
                      ": is a file packed with gzip, and not one with data that Farfield reads "
                      "before it is unpacked",
                  m_path);
  }
  // Bytes of a volume may be any: who describes them is believed.
  const Outcome outcome =
      farfield::test::runFarfield({"info", "pic", "--option", "dims=8,251,1", "--option", "type=u8"}, m_path);
  QVERIFY2(outcome.status == 0 && outcome.out.contains("8 x 251 x 1"), outcome.errors);
}

void TestCliFiles::whatIsNoFileIsSaidAtOnce_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QString>("part");
  const QString folder = m_path + "nothing at all/";
  QVERIFY(QDir().mkpath(folder + "folder.vtu"));
  QVERIFY(QFile::link("round.xyz", folder + "round.xyz"));
  QVERIFY(QFile::link("nowhere.xyz", folder + "broken.xyz"));
  for (const char* const ending : {"vtu", "xyz", "h5", "nc", "nrrd", "pvd", "raw", "json", "none"}) {
    write(folder + "empty." + ending, {});
    QCOMPARE(::mkfifo((folder + "pipe." + ending).toUtf8().constData(), 0600), 0);
    QTest::addRow("empty %s", ending) << QString("empty.") + ending << "is empty";
    QTest::addRow("pipe %s", ending) << QString("pipe.") + ending << "is not a regular file";
  }
  QTest::newRow("a link to itself") << "round.xyz"
                                    << "round.xyz";
  QTest::newRow("a link to nothing") << "broken.xyz"
                                     << "no such file";
  // whatever options it has, which only its own reader knows
  QTest::newRow("gone, with options") << "gone.nc --option vertical=depth"
                                      << "no such file";
  QTest::newRow("a folder named as a file") << "folder.vtu"
                                            << "folder.vtu";
  if (::geteuid() != 0) {
    write(folder + "secret.vtu", "<VTKFile/>");
    QVERIFY(QFile::setPermissions(folder + "secret.vtu", {}));
    QTest::newRow("not for everybody") << "secret.vtu"
                                       << "ermission denied";
  }
}

void TestCliFiles::whatIsNoFileIsSaidAtOnce() {
  QFETCH(QString, name);
  QFETCH(QString, part);
  verifyRefused(QStringList{"info"} + name.split(' '), 1, part, m_path + "nothing at all");
}

QTEST_GUILESS_MAIN(TestCliFiles)
#include "tst_cli_files.moc"
