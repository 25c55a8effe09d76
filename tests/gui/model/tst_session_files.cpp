// Sessions as files: what of them is written, and how, and that nothing is lost that somebody else has made of one.

#include <sys/resource.h>
#include <sys/stat.h>

#include <QFile>
#include <QTest>
#include <csignal>
#include <filesystem>
#include <memory>
#include <semaphore>

#include "app/model/files/file_saver.h"
#include "app/model/files/session_files.h"
#include "core/base/file.h"
#include "core/session/json/session_json.h"
#include "tests/support/file_contents.h"
#include "tests/support/patience.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using namespace farfield::app;
using namespace farfield::test;

namespace {

session::DataSource sample(const std::string& name) {
  session::DataSource source;
  source.name = name;
  source.source = {"sample://abc?size=17"};
  return source;
}

}  // namespace

class TestSessionFiles : public QObject {
  Q_OBJECT
 private slots:
  void pathsFollowTheFile();
  void savedSessionsMoveWithTheirData();
  void sessionsThatOthersChangedAreNotReplaced();
  void savedSessionsStayWhatTheyWere();
  void looksKeepNothingFromBeingSaved();
  void badFilesSayWhere();
  void whatIsNoSessionIsNotRead();
  void whatThereIsNoRoomForIsSaid();
  void devicesStayWhatTheyAre();
};

void TestSessionFiles::pathsFollowTheFile() {
  session::Session session;
  session.baseFolder = "/data/runs";
  session.data = {sample("s"),
                  {"inside", {"wing/grid.xyz"}, {"wing/q_*.q"}, {}, {}},
                  {"outside", {"../other/grid.xyz"}, {}, {}, {}},
                  {"absolute", {"/data/runs/wing/grid.xyz"}, {}, {}, {}}};
  const session::Session moved = withPathsFrom(session, "/data/runs/wing");
  QCOMPARE(moved.data[0].source[0], "sample://abc?size=17");
  QCOMPARE(moved.data[1].source[0], "grid.xyz");
  QCOMPARE(moved.data[1].solution[0], "q_*.q");
  QCOMPARE(moved.data[2].source[0], "/data/other/grid.xyz");
  QCOMPARE(moved.data[3].source[0], "/data/runs/wing/grid.xyz");
  for (std::size_t n = 0; n < session.data.size(); ++n)
    QCOMPARE(std::filesystem::path(moved.resolve(moved.data[n].source[0])),
             std::filesystem::path(session.resolve(session.data[n].source[0])));
}

/// What lies beside a session, or below it, goes with it to another place.
void TestSessionFiles::savedSessionsMoveWithTheirData() {
  const TemporaryFolder folder;
  const std::filesystem::path place = folder.path() / "case";
  std::filesystem::create_directories(place / "runs");
  const auto path = QString::fromStdString((place / "view.json").string());
  session::Session session;
  session.data = {sample("s"),
                  {"beside", {(place / "grid.xyz").string()}, {(place / "runs" / "q_*.q").string()}, {}, {}},
                  {"elsewhere", {(folder.path() / "other.vtu").string()}, {}, {}, {}}};
  QCOMPARE(saveSession(session, path).problem, QString());
  const auto saved = [&] { return session::readSession(place / "view.json").data; };
  QCOMPARE(saved()[0].source[0], std::string("sample://abc?size=17"));
  QCOMPARE(saved()[1].source[0], std::string("grid.xyz"));
  QCOMPARE(saved()[1].solution[0], std::string("runs/q_*.q"));
  QCOMPARE(saved()[2].source[0], (folder.path() / "other.vtu").string());
  std::filesystem::rename(place, folder.path() / "moved");
  const auto loaded = loadSession(QString::fromStdString((folder.path() / "moved" / "view.json").string()));
  QCOMPARE(loaded.session->resolve(loaded.session->data[1].source[0]),
           (folder.path() / "moved" / "grid.xyz").string());
  // Who has written a whole path into a session wants it so; what came since is relative.
  std::filesystem::create_directories(place);
  session.baseFolder = place;
  NewFile whole(place / "view.json");
  whole.write(session::toJson(session));
  whole.commit();
  session.data.push_back({"later", {(place / "later.vtu").string()}, {}, {}, {}});
  QCOMPARE(saveSession(session, path).problem, QString());
  QCOMPARE(saved()[1].source[0], (place / "grid.xyz").string());
  QCOMPARE(saved()[3].source[0], std::string("later.vtu"));
}

/// What another program has made of a session since it was read is not lost unasked.
void TestSessionFiles::sessionsThatOthersChangedAreNotReplaced() {
  const TemporaryFolder folder;
  const auto path = QString::fromStdString((folder.path() / "view.json").string());
  session::Session session;
  session.data = {sample("flow")};
  SessionFiles files;
  std::vector<SavedSession> saved;
  const auto save = [&](const char* name, bool mayReplace) {
    session.data[0].name = name;
    files.save(session, path, mayReplace, [&](const SavedSession& each) { saved.push_back(each); });
  };
  // Two that follow one another at once are both known.
  save("a", false);
  save("b", false);
  QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 2U, patienceMs());
  QVERIFY(saved[0].problem.isEmpty() && !saved[1].changedElsewhere);
  const LoadedSession loaded = loadSession(path);
  QCOMPARE(loaded.digest, saved[1].digest);
  session.data[0].name = "of another program";
  const QByteArray theirs = saveSession(session, path).digest;
  save("c", false);
  QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 3U, patienceMs());
  QVERIFY(saved[2].changedElsewhere && saved[2].problem.isEmpty());
  QCOMPARE(loadSession(path).digest, theirs);
  // It is replaced where that was said, and where it has become the document; a file that is gone is written again.
  save("d", true);
  session.data[0].name = "of another program";
  QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 4U, patienceMs());
  QVERIFY(!saved[3].changedElsewhere);
  saveSession(session, path);
  files.know(path, loadSession(path).digest);
  save("e", false);
  QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 5U, patienceMs());
  QVERIFY(!saved[4].changedElsewhere);
  QVERIFY(QFile::remove(path));
  save("f", false);
  QTRY_COMPARE_WITH_TIMEOUT(saved.size(), 6U, patienceMs());
  QVERIFY(!saved[5].changedElsewhere && QFile::exists(path));
}

/// Who has shared a session, or keeps it to himself, or has it elsewhere by a link, has it so when it is saved again.
void TestSessionFiles::savedSessionsStayWhatTheyWere() {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "kept" / "view.json", link = folder.path() / "view.json";
  std::filesystem::create_directories(file.parent_path());
  session::Session session;
  session.data = {sample("s")};
  QCOMPARE(saveSession(session, QString::fromStdString(file.string())).problem, QString());
  using std::filesystem::perms;
  const perms mine = perms::owner_read | perms::owner_write;
  std::filesystem::permissions(file, mine);
  std::filesystem::create_symlink("kept/view.json", link);
  session.data.push_back(sample("t"));
  QCOMPARE(saveSession(session, QString::fromStdString(link.string())).problem, QString());
  QVERIFY(std::filesystem::is_symlink(link));
  QCOMPARE(session::readSession(file).data.size(), 2u);
  QVERIFY(std::filesystem::status(file).permissions() == mine);
  QCOMPARE(std::distance(std::filesystem::directory_iterator(file.parent_path()), {}), 1);
  const QString nowhere = QString::fromStdString((folder.path() / "none" / "view.json").string());
  const QString problem = saveSession(session, nowhere).problem;
  QVERIFY2(problem.contains("none/view.json: cannot be written"), qPrintable(problem));
}

/// A disk that does not answer, on which something is looked at, is no reason why a session on another is not saved.
void TestSessionFiles::looksKeepNothingFromBeingSaved() {
  const TemporaryFolder folder;
  const QString path = QString::fromStdString((folder.path() / "work.json").string());
  auto files = std::make_unique<SessionFiles>();
  const auto answers = std::make_shared<std::binary_semaphore>(0);
  bool looked = false, saved = false, loaded = false;
  files->look([answers] { answers->acquire(); }, [&] { looked = true; });
  session::Session session;
  session.data = {sample("s")};
  files->save(session, path, true, [&](const SavedSession& its) { saved = its.problem.isEmpty(); });
  QTRY_VERIFY_WITH_TIMEOUT(saved, patienceMs());
  QVERIFY(!looked);
  // What is looked at next has to wait; and a session is read as it was written last.
  session.data.push_back(sample("t"));
  files->save(session, path, true, [](const SavedSession&) {});
  files->load(path, [&](const LoadedSession& its) { loaded = looked && its.session->data.size() == 2; });
  answers->release();
  QTRY_VERIFY_WITH_TIMEOUT(loaded, patienceMs());
  // Nor why the program does not end.
  files->look([answers] { answers->acquire(); }, [&] { looked = false; });
  files.reset();
  QVERIFY(looked);
  answers->release();
}

void TestSessionFiles::badFilesSayWhere() {
  const TemporaryFolder folder;
  const auto path = QString::fromStdString((folder.path() / "bad.json").string());
  QVERIFY(loadSession(path).problem.contains("bad.json"));
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(R"({"farfield": 1, "data": {"flow": {"source": "sample://abc"}},
                 "objects": [{"name": "l", "type": "outline", "widht": 3}]})");
  file.close();
  const LoadedSession loaded = loadSession(path);
  QVERIFY(!loaded.session);
  QVERIFY2(loaded.problem.contains("objects.l.widht"), qPrintable(loaded.problem));
  // Nothing of a document that could not be opened again is written over one that could.
  session::Session wrong;
  wrong.data = {sample("flow")};
  session::Object lines;
  lines.name = "lines";
  lines.data = "other";
  lines.shape = session::Streamlines{.seeds = session::LineSeeds{{0, 0, 0}, {1, 1, 1}, 8}};
  wrong.objects = {lines};
  QVERIFY(!saveSession(wrong, path).problem.isEmpty());
  QVERIFY(file.open(QIODevice::ReadOnly));
  QVERIFY(file.readAll().contains("widht"));
}

/// However large it is, and whether it ends at all.
void TestSessionFiles::whatIsNoSessionIsNotRead() {
  const TemporaryFolder folder;
  const auto path = QString::fromStdString((folder.path() / "large.json").string());
  QFile large(path);
  QVERIFY(large.open(QIODevice::WriteOnly) && large.resize(qint64{1} << 36));
  large.close();
  for (const QString& name : {path, QString("/dev/zero")}) {
    const LoadedSession loaded = loadSession(name);
    QVERIFY(!loaded.session && loaded.digest.isEmpty());
    QVERIFY2(loaded.problem.contains(name), qPrintable(loaded.problem));
  }
}

/// A file may be no larger here, as on a full disk. Small ones, that Qt keeps in a buffer until the end, too.
void TestSessionFiles::whatThereIsNoRoomForIsSaid() {
  const TemporaryFolder folder;
  const QString path = QString::fromStdString((folder / "table.csv").string());
  const QByteArray good(3000, 'g');
  QCOMPARE(saveFile(path, good), QString());
  rlimit before{};
  QVERIFY(getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto old = std::signal(SIGXFSZ, SIG_IGN);
  for (const rlim_t room : {0, 100}) {
    const rlimit small{room, before.rlim_max};
    QVERIFY(setrlimit(RLIMIT_FSIZE, &small) == 0);
    const QString problem = saveFile(path, QByteArray(1500, 'n'));
    session::Session session;
    session.data = {sample("flow")};
    const QString ofSession = saveSession(session, path).problem;
    setrlimit(RLIMIT_FSIZE, &before);
    QVERIFY(!problem.isEmpty());
    QVERIFY2(ofSession.contains("cannot be written"), qPrintable(ofSession));
  }
  std::signal(SIGXFSZ, old);
  QCOMPARE(fileContents(folder / "table.csv"), good.toStdString());
  QCOMPARE(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

/// Also behind a link.
void TestSessionFiles::devicesStayWhatTheyAre() {
  const TemporaryFolder folder;
  QVERIFY(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  std::filesystem::create_symlink("pipe", folder / "link.json");
  session::Session session;
  session.data = {sample("flow")};
  for (const char* const name : {"pipe", "link.json"}) {
    const QString problem = saveSession(session, QString::fromStdString((folder / name).string())).problem;
    QVERIFY2(problem.contains("no file on a disk"), qPrintable(problem));
    QVERIFY(std::filesystem::is_fifo(folder / name));
  }
  const QString ofFolder = saveFile(QString::fromStdString(folder.path().string()), "x");
  QVERIFY2(ofFolder.contains("folder"), qPrintable(ofFolder));
}

QTEST_MAIN(TestSessionFiles)
#include "tst_session_files.moc"
