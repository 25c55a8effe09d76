// A paging server that is killed while the window shows data of it, or one behind it: what needs it waits, which is said, and goes on when
// it is back.

#include <QProgressBar>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QStatusBar>

#include "app/ui/window/link_label.h"
#include "remote/pagerd/far_upstream.h"
#include "tests/gui/window/support/longest_turn.h"
#include "tests/gui/window/support/remote_readers.h"
#include "tests/gui/window/support/studio.h"
#include "tests/remote/loopback_server.h"
#include "tests/remote/server_process.h"

using namespace farfield;
using namespace farfield::test;

class TestServersComeBack : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void theServerIsKilledAndComesBack();
  void theServerBehindIsKilledAndComesBack();
  void theServerGoesWhileNothingIsRead();

 private:
  QString at(const QString& name) const {
    return QString::fromStdString((m_folder / name.toStdString()).string());
  }
  std::unique_ptr<ServerProcess> serve(const QStringList& more = {}) const {
    return std::make_unique<ServerProcess>(QStringList{"--root", at("data")} + more, at("server"));
  }

  TemporaryFolder m_folder;
};

void TestServersComeBack::initTestCase() {
  QVERIFY(QDir().mkpath(at("data/runs")));
  QVERIFY(QDir().mkpath(at("server")));
  QCOMPARE(runFarfield({"sample", "cylinder", "-o", at("data/runs/cylinder.h5"), "--size", "48,40,20",
                        "--blocks", "3", "--format", "farfield"})
               .status,
           0);
}

void TestServersComeBack::theServerIsKilledAndComesBack() {
  // Slow enough for being killed in the middle.
  auto server = serve({"--rate", "300K"});
  QVERIFY(!server->address.isEmpty());
  const QString address = server->address;
  Studio studio({1280, 800}, {}, {}, remoteReaders());
  LongestTurn turn;
  studio.window.openPaths({"far://" + address + "/runs/cylinder.h5"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.session().objects.size() == 2, kPatienceMs);
  const auto running = [&] {
    const auto ids = studio.model.document().objectIds();
    return std::any_of(ids.begin(), ids.end(),
                       [&](app::ObjectId id) { return studio.stateOf(id) == app::ObjectState::Running; });
  };
  QTRY_VERIFY_WITH_TIMEOUT(running(), kPatienceMs);
  server->kill();

  auto* const link = studio.child<ui::LinkLabel>("link");
  QTRY_VERIFY_WITH_TIMEOUT(link->isLost(), kPatienceMs);
  QVERIFY2(link->text().contains("lost"), link->text().toUtf8());
  const auto waits = [&] {
    int count = 0;
    for (const app::ObjectId id : studio.model.document().objectIds())
      count += studio.model.tree().indexOf(id).data(app::ObjectTree::WaitsRole).toBool();
    return count;
  };
  QTRY_VERIFY_WITH_TIMEOUT(waits() > 0, kPatienceMs);
  QVERIFY(studio.model.tree().indexOfData("cylinder").data(app::ObjectTree::WaitsRole).toBool());
  auto* const progress = studio.window.statusBar()->findChild<QProgressBar*>();
  QTRY_VERIFY_WITH_TIMEOUT(!progress->isEnabled(), kPatienceMs);
  QVERIFY(progress->isVisible());
  // The rest of the window works meanwhile.
  studio.model.openData({{"sample://abc?size=9", {}}});
  QTRY_VERIFY_WITH_TIMEOUT(studio.model.stage().summary("abc"), kPatienceMs);
  QVERIFY(waits() > 0);
  QVERIFY(!studio.rests());

  server = serve({"--listen", address});
  QVERIFY2(!server->address.isEmpty(), server->errors());
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  for (const app::ObjectId id : studio.model.document().objectIds())
    QCOMPARE(studio.stateOf(id), app::ObjectState::Done);
  QTRY_VERIFY_WITH_TIMEOUT(!link->isLost(), kPatienceMs);
  QCOMPARE(waits(), 0);
  QVERIFY(progress->isEnabled());
  QVERIFY2(link->toolTip().contains("made again: 1") || link->toolTip().contains("made again: 2"),
           link->toolTip().toUtf8());
  // Nothing is missing: as many points as of the file.
  const auto pointsOf = [](Studio& its) {
    return its.model.stage().status(its.model.document().objectIds()[1]).stats.points;
  };
  Studio local;
  local.model.open({at("data/runs/cylinder.h5")});
  QTRY_VERIFY_WITH_TIMEOUT(local.session().objects.size() == 2 && local.rests(), kPatienceMs);
  QCOMPARE(pointsOf(studio), pointsOf(local));
  // Whoever waits here is not stopped by another program's share of the processors: only by a wait of the window's own.
  QVERIFY2(turn.ms() < 2000, QByteArray::number(turn.ms()));
}

/// A server in front of the one that is killed says so, again and again: the window does as if it had lost its own.
void TestServersComeBack::theServerBehindIsKilledAndComesBack() {
  auto behind = serve({"--rate", "300K"});
  QVERIFY2(!behind->address.isEmpty(), behind->errors());
  const QString address = behind->address;
  remote::ServerOptions options;
  options.upstream =
      remote::makeFarUpstream("far://" + address.toStdString(), std::chrono::milliseconds(300));
  const LoopbackServer front({}, options);
  Studio studio({1280, 800}, {}, {}, remoteReaders());
  QStringList said;
  connect(studio.window.statusBar(), &QStatusBar::messageChanged, &studio.window,
          [&](const QString& text) { said.append(text); });
  studio.window.openPaths({QString::fromStdString(front.url("runs/cylinder.h5"))});
  QTRY_VERIFY_WITH_TIMEOUT(studio.session().objects.size() == 2, kPatienceMs);
  const auto count = [&](app::ObjectState state) {
    const auto ids = studio.model.document().objectIds();
    return std::count_if(ids.begin(), ids.end(),
                         [&](app::ObjectId id) { return studio.stateOf(id) == state; });
  };
  QTRY_VERIFY_WITH_TIMEOUT(count(app::ObjectState::Running) > 0, kPatienceMs);
  behind->kill();

  // Several times as long as the server in front waits.
  auto* const link = studio.child<ui::LinkLabel>("link");
  const auto lostSeconds = [&] {
    const auto match =
        QRegularExpression("^" + QRegularExpression::escape(QString::fromStdString(front.address())) +
                           ": connection lost, tried again \\((\\d+) s\\)$")
            .match(link->text());
    return match.hasMatch() ? match.captured(1).toInt() : 0;
  };
  QTRY_VERIFY2_WITH_TIMEOUT(lostSeconds() >= 3 || count(app::ObjectState::Failed) > 0,
                            qPrintable(link->text()), kPatienceMs);
  QCOMPARE(count(app::ObjectState::Failed), 0);
  QVERIFY(link->isLost());
  QCOMPARE(studio.model.stage().dataStatus("cylinder").lostServer, front.address());
  QVERIFY(studio.model.tree().indexOfData("cylinder").data(app::ObjectTree::WaitsRole).toBool());
  auto* const progress = studio.window.statusBar()->findChild<QProgressBar*>();
  QVERIFY(progress->isVisible() && !progress->isEnabled());
  QCOMPARE(progress->format(), QString("waits for the link"));
  QVERIFY2(!said.filter("is lost").isEmpty() && said.filter("the server is back").isEmpty(),
           qPrintable(said.join('\n')));

  behind = serve({"--listen", address});
  QVERIFY2(!behind->address.isEmpty(), behind->errors());
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  QCOMPARE(count(app::ObjectState::Done), std::ptrdiff_t{2});
  QTRY_VERIFY_WITH_TIMEOUT(!link->isLost() && link->text().contains("connected"), kPatienceMs);
  QTRY_VERIFY2_WITH_TIMEOUT(said.filter("the server is back").size() == 1, qPrintable(said.join('\n')),
                            kPatienceMs);
  QVERIFY(!studio.model.tree().indexOfData("cylinder").data(app::ObjectTree::WaitsRole).toBool());
  QVERIFY(progress->isEnabled());
  Studio local;
  local.model.open({at("data/runs/cylinder.h5")});
  QTRY_VERIFY_WITH_TIMEOUT(local.session().objects.size() == 2 && local.rests(), kPatienceMs);
  QCOMPARE(studio.model.stage().status(studio.model.document().objectIds()[1]).stats.points,
           local.model.stage().status(local.model.document().objectIds()[1]).stats.points);
}

/// Nobody notices that it is gone, until something is to be read: that waits, says so, and goes on by itself.
void TestServersComeBack::theServerGoesWhileNothingIsRead() {
  auto server = serve({});
  QVERIFY(!server->address.isEmpty());
  const QString address = server->address;
  Studio studio({1280, 800}, {}, {}, remoteReaders());
  studio.window.openPaths({"far://" + address + "/runs/cylinder.h5"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.session().objects.size() == 2 && studio.rests(), kPatienceMs);
  server->kill();
  QTest::qWait(500);
  // What is there is looked at meanwhile.
  studio.drag({200, 200}, {260, 220});
  for (const app::ObjectId id : studio.model.document().objectIds())
    QCOMPARE(studio.stateOf(id), app::ObjectState::Done);
  studio.trigger("addIsosurface");
  const app::ObjectId id = studio.newest();
  auto* const link = studio.child<ui::LinkLabel>("link");
  QTRY_VERIFY_WITH_TIMEOUT(link->isLost(), kPatienceMs);
  QVERIFY2(link->text().contains("lost"), link->text().toUtf8());
  QVERIFY(studio.stateOf(id) != app::ObjectState::Done && studio.stateOf(id) != app::ObjectState::Failed);
  server = serve({"--listen", address});
  QVERIFY2(!server->address.isEmpty(), server->errors());
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !link->isLost(), kPatienceMs);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestServersComeBack test;
  return QTest::qExec(&test, count, words);
}
#include "tst_servers_come_back.moc"
