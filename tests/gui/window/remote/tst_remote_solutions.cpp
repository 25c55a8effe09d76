// PLOT3D solutions on a paging server, which are nothing without their grids: File ▸ Connect… finds the grid beside one as Open does
// on this machine.

#include <QStandardPaths>
#include <mutex>

#include "core/base/error.h"
#include "tests/gui/window/support/connect_hand.h"
#include "tests/gui/window/support/remote_readers.h"
#include "tests/gui/window/support/studio.h"
#include "tests/remote/server_process.h"

using namespace farfield;
using namespace farfield::test;

class TestRemoteSolutions : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void whatIsChosenBringsItsGrid();
  void whatIsTypedBringsItsGrid();
  void whatHasNoneIsOpenedAlone();
  void numberedOnesBringTheirGrid();
  void webServersAreAskedForIt();
  void foldersOfArraysAreSaidToBeNotServed();

 private:
  QString at(const QString& name) const {
    return QString::fromStdString((m_folder / name.toStdString()).string());
  }
  void isOpenedTogether(Studio& studio) const {
    QTRY_VERIFY_WITH_TIMEOUT(studio.session().objects.size() == 2 && studio.rests(), kPatienceMs);
    QCOMPARE(studio.session().data.size(), 1U);
    const session::DataSource& source = studio.session().data.front();
    QCOMPARE(QString::fromStdString(source.source.front()), m_base + "wing%20xyz.bin");
    QCOMPARE(source.solution.size(), 1U);
    QCOMPARE(QString::fromStdString(source.solution.front()), m_base + "wing%20q.bin");
  }

  TemporaryFolder m_folder;
  std::unique_ptr<ServerProcess> m_server;
  QString m_base;
};

void TestRemoteSolutions::initTestCase() {
  qputenv("XDG_CONFIG_HOME", at("config").toUtf8());
  for (const char* const name : {"FARFIELD_TOKEN", "FARFIELD_TOKEN_FILE"}) qunsetenv(name);
  QVERIFY(QDir().mkpath(at("data/runs")) && QDir().mkpath(at("server")));
  QCOMPARE(runFarfield({"sample", "tornado", "-o", at("data/runs/wing"), "--size", "9", "--format", "plot3d"})
               .status,
           0);
  // By another custom than that by which the server itself puts files together.
  QVERIFY(QFile::rename(at("data/runs/wing.xyz"), at("data/runs/wing xyz.bin")));
  QVERIFY(QFile::rename(at("data/runs/wing.q"), at("data/runs/wing q.bin")));
  QVERIFY(QFile::copy(at("data/runs/wing q.bin"), at("data/runs/alone.q")));
  m_server = std::make_unique<ServerProcess>(QStringList{"--root", at("data")}, at("server"));
  QVERIFY2(!m_server->address.isEmpty(), m_server->errors());
  m_base = "far://" + m_server->address + "/runs/";
}

void TestRemoteSolutions::whatIsChosenBringsItsGrid() {
  Studio studio({1280, 800}, {}, {}, remoteReaders());
  ConnectHand dialog(studio);
  dialog.type(m_base);
  dialog.press("connect.browse");
  QTRY_COMPARE_WITH_TIMEOUT(dialog.names().size(), 3, kPatienceMs);
  QVERIFY(dialog.choose("wing q.bin", false));
  QVERIFY2(dialog.text().contains("wing xyz.bin"), dialog.text().toUtf8());
  dialog.press("connect.open");
  isOpenedTogether(studio);
}

void TestRemoteSolutions::whatIsTypedBringsItsGrid() {
  Studio studio({1280, 800}, {}, {}, remoteReaders());
  ConnectHand dialog(studio);
  dialog.type(m_base + "wing%20q.bin");
  dialog.press("connect.open");  // nobody has looked into the folder
  isOpenedTogether(studio);
  QTRY_VERIFY_WITH_TIMEOUT(!dialog.self, kPatienceMs);
}

/// What it is, and what is missing, its error says.
void TestRemoteSolutions::whatHasNoneIsOpenedAlone() {
  Studio studio({1280, 800}, {}, {}, remoteReaders());
  ConnectHand dialog(studio);
  dialog.type(m_base + "alone.q");
  dialog.press("connect.open");
  QTRY_COMPARE_WITH_TIMEOUT(studio.session().data.size(), 1U, kPatienceMs);
  QCOMPARE(QString::fromStdString(studio.session().data.front().source.front()), m_base + "alone.q");
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.stage().dataStatus("alone").state, app::DataState::Failed,
                            kPatienceMs);
}

/// As the grid brings its numbered ones.
void TestRemoteSolutions::numberedOnesBringTheirGrid() {
  QVERIFY(QDir().mkpath(at("data/steps")));
  QVERIFY(QFile::copy(at("data/runs/wing xyz.bin"), at("data/steps/grid3d_fine.xyz")));
  QVERIFY(QFile::copy(at("data/runs/wing q.bin"), at("data/steps/q3d_007.q")));
  const QString base = "far://" + m_server->address + "/steps/";
  Studio studio({1280, 800}, {}, {}, remoteReaders());
  ConnectHand dialog(studio);
  dialog.type(base + "q3d_007.q");
  dialog.press("connect.open");
  QTRY_VERIFY_WITH_TIMEOUT(studio.session().objects.size() == 2 && studio.rests(), kPatienceMs);
  QCOMPARE(QString::fromStdString(studio.session().data.front().source.front()), base + "grid3d_fine.xyz");
  QCOMPARE(QString::fromStdString(studio.session().data.front().solution.front()), base + "q3d_007.q");
}

/// Folder after folder, and nothing to open in any.
void TestRemoteSolutions::foldersOfArraysAreSaidToBeNotServed() {
  QVERIFY(QDir().mkpath(at("data/set/scale0/image")));
  write(at("data/set/.zgroup"), QByteArray(R"({"zarr_format": 2})"));
  write(at("data/set/scale0/.zgroup"), QByteArray(R"({"zarr_format": 2})"));
  write(at("data/set/scale0/image/.zarray"), QByteArray("{}"));
  write(at("data/set/scale0/image/0.0.0"), QByteArray("1"));
  Studio studio({1280, 800}, {}, {}, remoteReaders());
  ConnectHand dialog(studio);
  for (const char* const folder : {"/set/", "/set/scale0/", "/set/scale0/image/"}) {
    dialog.type("far://" + m_server->address + folder);
    dialog.press("connect.browse");
    QTRY_VERIFY2_WITH_TIMEOUT(dialog.text().contains("Zarr") && dialog.text().contains("do not serve"),
                              dialog.text().toUtf8(), kPatienceMs);
    dialog.type("far://" + m_server->address + "/");
    dialog.press("connect.browse");
    QTRY_VERIFY_WITH_TIMEOUT(dialog.names().contains("set") && !dialog.text().contains("Zarr"), kPatienceMs);
  }
  // A folder in which there is more to open is one to go into.
  QVERIFY(QFile::copy(at("data/runs/alone.q"), at("data/set/alone.q")));
  dialog.type("far://" + m_server->address + "/set/");
  dialog.press("connect.browse");
  QTRY_VERIFY_WITH_TIMEOUT(dialog.names().contains("alone.q"), kPatienceMs);
}

/// They list nothing: what the grid may be called is asked for name by name.
void TestRemoteSolutions::webServersAreAskedForIt() {
  const std::string base = "http://127.0.0.1:9/runs/";
  std::mutex mutex;
  std::vector<std::string> asked;
  const bool* isGridThere = nullptr;
  const auto more = [&](app::AppParts& parts) {
    parts.isThere = [&](const std::string& url) {
      const std::lock_guard lock(mutex);
      asked.push_back(url);
      if (isGridThere && *isGridThere) return url == base + "wing.xyz";
      if (!isGridThere) return false;
      throw Io("the server is busy");
    };
  };
  Studio studio({1280, 800}, {}, {}, remoteReaders(), more);
  const bool yes = true, no = false;
  for (const bool* const state : {&yes, static_cast<const bool*>(nullptr), &no}) {
    isGridThere = state;
    asked.clear();
    ConnectHand dialog(studio);
    dialog.type(QString::fromStdString(base + "wing.q"));
    dialog.press("connect.open");
    QTRY_COMPARE_WITH_TIMEOUT(studio.session().data.size(), 1U, kPatienceMs);
    const session::DataSource& source = studio.session().data.front();
    QCOMPARE(source.source.front(), base + (state == &yes ? "wing.xyz" : "wing.q"));
    QCOMPARE(source.solution, state == &yes ? std::vector{base + "wing.q"} : std::vector<std::string>{});
    // Whoever does not answer is not asked again and again.
    QVERIFY(state == &no ? asked.size() == 1 : !asked.empty());
    QTRY_VERIFY_WITH_TIMEOUT(!dialog.self, kPatienceMs);
    studio.model.document().clear();
  }
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestRemoteSolutions test;
  return QTest::qExec(&test, count, words);
}
#include "tst_remote_solutions.moc"
