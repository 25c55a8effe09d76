// Logging in to a paging server from the window: what waited for it goes on by itself, be it data that could not be opened or data whose
// server has taken another token while they were open. What comes back after a server that was gone shows the step that it had shown.

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTreeWidget>

#include "app/model/object_tree.h"
#include "app/model/own_functions.h"
#include "app/ui/dialogs/calculator.h"
#include "app/ui/dialogs/connect_dialog.h"
#include "app/ui/window/link_label.h"
#include "tests/gui/window/support/remote_readers.h"
#include "tests/gui/window/support/studio.h"
#include "tests/remote/server_process.h"

using namespace farfield;
using namespace farfield::test;

namespace {
constexpr const char *kToken = "abcdefghijklmnop0123", *kOther = "9876ponmlkjihgfedcba";
}

class TestLogins : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void init();
  void whatWaitedIsTriedAgain();
  void openDataTakeTheNewToken();
  void openedAgainTheyAreTheSame();
  void theStepComesBackWithTheServer();
  void whoStopsWaitingHasNoServerBack();
  void functionsWaitForALogin();

 private:
  QString at(const QString& name) const {
    return QString::fromStdString((m_folder / name.toStdString()).string());
  }
  std::unique_ptr<ServerProcess> serve(const QString& port, const QByteArray& token) const {
    write(at("tokens"), token + "\n");
    QFile::setPermissions(at("tokens"), QFile::ReadOwner | QFile::WriteOwner);
    return std::make_unique<ServerProcess>(
        QStringList{"--root", at("data"), "--listen", "0.0.0.0:" + port, "--token-file", at("tokens")},
        at("server"));
  }
  /// Without a token, at an address or a port that is free.
  std::unique_ptr<ServerProcess> begin(const QString& address) const {
    return std::make_unique<ServerProcess>(QStringList{"--root", at("data"), "--listen", address},
                                           at("server"));
  }
  static QString portOf(const ServerProcess& server) { return server.address.section(':', -1); }
  static QPushButton* offer(const Studio& studio, const char* text = "Log in …") {
    for (QPushButton* const button : studio.window.findChildren<QPushButton*>())
      if (button->text() == text && button->isVisible()) return button;
    return nullptr;
  }
  /// With the button that offers it; the dialog stays.
  static void logIn(Studio& studio, QPushButton* with, const char* token,
                    QPointer<ui::ConnectDialog>& dialog) {
    QTest::mouseClick(with, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(studio.window.findChild<ui::ConnectDialog*>(), kPatienceMs);
    dialog = studio.window.findChild<ui::ConnectDialog*>();
    auto* const trust = dialog->findChild<QPushButton*>("connect.trust");
    QTRY_VERIFY_WITH_TIMEOUT(trust->isEnabled() && trust->isVisible(), kPatienceMs);
    auto* const field = dialog->findChild<QLineEdit*>("connect.token");
    QTest::keyClicks(field, token);
    QTest::keyClick(field, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(dialog->findChild<QTreeWidget*>("connect.folder")->topLevelItemCount() > 0,
                             kPatienceMs);
  }
  /// What asks for a login, which is given; then the data are there.
  static void openWithLogin(Studio& studio, const QString& url) {
    studio.window.openPaths({url});
    QTRY_COMPARE_WITH_TIMEOUT(studio.model.stage().dataStatus("vortices").state, app::DataState::Failed,
                              kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(offer(studio), kPatienceMs);
    QPointer<ui::ConnectDialog> dialog;
    logIn(studio, offer(studio), kToken, dialog);
    QVERIFY(dialog);
    dialog->reject();
    QTRY_VERIFY_WITH_TIMEOUT(studio.session().objects.size() == 2 && studio.rests(), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(!dialog, kPatienceMs);
  }

  TemporaryFolder m_folder;
};

void TestLogins::initTestCase() {
  QVERIFY(QDir().mkpath(at("data")) && QDir().mkpath(at("server")));
  QCOMPARE(runFarfield({"sample", "taylor-green", "-o", at("data/vortices.h5"), "--size", "33,33,33",
                        "--steps", "4", "--format", "farfield"})
               .status,
           0);
}

void TestLogins::init() {
  // Tokens and certificates of the test's own.
  qputenv("XDG_CONFIG_HOME", at(QString("config-%1").arg(QTest::currentTestFunction())).toUtf8());
  for (const char* const name : {"FARFIELD_TOKEN", "FARFIELD_TOKEN_FILE"}) qunsetenv(name);
}

void TestLogins::whatWaitedIsTriedAgain() {
  const auto server = serve("0", kToken);
  QVERIFY2(!server->address.isEmpty(), server->errors());
  const QString url = "far://127.0.0.1:" + portOf(*server) + "/vortices.h5";
  Studio studio({1280, 800}, {}, {}, remoteReaders());
  studio.window.openPaths({url});
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.stage().dataStatus("vortices").state, app::DataState::Failed,
                            kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(offer(studio), kPatienceMs);
  QPointer<ui::ConnectDialog> dialog;
  logIn(studio, offer(studio), kToken, dialog);
  QVERIFY(dialog);
  QTRY_VERIFY_WITH_TIMEOUT(studio.model.stage().summary("vortices"), kPatienceMs);
  dialog->reject();
  QTRY_VERIFY_WITH_TIMEOUT(studio.session().objects.size() == 2 && studio.rests(), kPatienceMs);
  QCOMPARE(studio.stateOf(studio.newest()), app::ObjectState::Done);
}

void TestLogins::openDataTakeTheNewToken() {
  auto server = serve("0", kToken);
  QVERIFY2(!server->address.isEmpty(), server->errors());
  const QString port = portOf(*server), url = "far://127.0.0.1:" + port + "/vortices.h5";
  Studio studio({1280, 800}, {}, {}, remoteReaders());
  openWithLogin(studio, url);
  if (QTest::currentTestFailed()) return;
  QPointer<ui::ConnectDialog> dialog;

  // The server takes another one, and a step is wanted that is not here.
  server->kill();
  server = serve(port, kOther);
  QVERIFY2(!server->address.isEmpty(), server->errors());
  studio.model.stage().setStep(3);
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(studio.newest()), app::ObjectState::Failed, kPatienceMs);
  QVERIFY(studio.model.stage().status(studio.newest()).problem.asksForLogin);
  // It is offered above the view, and beside the data.
  auto* const above = studio.child<QPushButton>("notice.button");
  QTRY_VERIFY_WITH_TIMEOUT(above && above->isVisible() && above->text() == "Log in …", kPatienceMs);
  auto* const link = studio.child<ui::LinkLabel>("link");
  QTRY_VERIFY2_WITH_TIMEOUT(link->text().contains("asks for a login"), qPrintable(link->text()), kPatienceMs);
  studio.window.pipeline().selectData("vortices");
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QPushButton>("data.login"), kPatienceMs);
  logIn(studio, studio.child<QPushButton>("data.login"), kOther, dialog);
  QVERIFY(dialog);
  dialog->reject();
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(studio.newest()), app::ObjectState::Done, kPatienceMs);
  QCOMPARE(studio.model.stage().step(), std::int64_t{3});
  QCOMPARE(studio.session().data.size(), 1U);
  // It is wanted no more.
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QPushButton>("data.login"), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(!above->isVisible(), kPatienceMs);
  QTRY_VERIFY2_WITH_TIMEOUT(!link->text().contains("asks for a login"), qPrintable(link->text()),
                            kPatienceMs);
}

void TestLogins::openedAgainTheyAreTheSame() {
  auto server = serve("0", kToken);
  QVERIFY2(!server->address.isEmpty(), server->errors());
  const QString port = portOf(*server), url = "far://127.0.0.1:" + port + "/vortices.h5";
  Studio studio({1280, 800}, {}, {}, remoteReaders());
  studio.window.openPaths({url});
  const auto state = [&] { return studio.model.stage().dataStatus("vortices").state; };
  QTRY_COMPARE_WITH_TIMEOUT(state(), app::DataState::Failed, kPatienceMs);
  // What is closed is tried again, and refused again.
  int tries = 0;
  QObject::connect(&studio.model.stage(), &app::Stage::dataStatusChanged, &studio.window,
                   [&] { tries += state() == app::DataState::Opening; });
  studio.window.openPaths({url});
  QTRY_VERIFY_WITH_TIMEOUT(tries > 0 && state() == app::DataState::Failed, kPatienceMs);
  QCOMPARE(studio.session().data.size(), 1U);
  // Open, the button in front after the login, wants those that it is for.
  QTRY_VERIFY_WITH_TIMEOUT(offer(studio), kPatienceMs);
  QPointer<ui::ConnectDialog> dialog;
  logIn(studio, offer(studio), kToken, dialog);
  QVERIFY(dialog);
  QTRY_VERIFY_WITH_TIMEOUT(dialog->findChild<QPushButton*>("connect.open")->isEnabled(), kPatienceMs);
  QTest::mouseClick(dialog->findChild<QPushButton*>("connect.open"), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(!dialog, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.session().objects.size() == 2 && studio.rests(), kPatienceMs);
  QCOMPARE(studio.session().data.size(), 1U);
  QCOMPARE(studio.stateOf(studio.newest()), app::ObjectState::Done);
}

/// A function that is kept while the server is gone opens the data anew: until it is back they stay as they are, with the step.
void TestLogins::theStepComesBackWithTheServer() {
  auto server = begin("127.0.0.1:0");
  QVERIFY2(!server->address.isEmpty(), server->errors());
  const QString address = server->address;
  Studio studio({1280, 800}, {}, {}, remoteReaders());
  studio.window.openPaths({"far://" + address + "/vortices.h5"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.session().objects.size() == 2 && studio.rests(), kPatienceMs);
  app::Stage& stage = studio.model.stage();
  stage.setStep(2);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  const std::optional<double> time = stage.timeToKeep();
  QVERIFY(time);

  server->kill();
  const QSignalSpy gone(&stage, &app::Stage::itemGone);
  studio.window.pipeline().selectData("vortices");
  studio.trigger("calculator");
  auto* const calculator = studio.window.findChild<ui::Calculator*>();
  QVERIFY(calculator);
  calculator->findChild<QLineEdit*>("calculator.name")->setText("twice");
  calculator->findChild<QComboBox*>("calculator.expression")->lineEdit()->setText("pressure*2");
  auto* const keep = calculator->findChild<QPushButton*>("calculator.keep");
  QVERIFY(keep->isEnabled());
  QTest::mouseClick(keep, Qt::LeftButton);
  // That the server is gone is not known yet: that the function is in the lists is said once it is.
  auto* const said = calculator->findChild<QLabel*>("calculator.problem");
  const auto saysListed = [&] { return said->text().contains("it is in all lists"); };
  QVERIFY2(said->text().contains("“twice” is kept") && !saysListed(), qPrintable(said->text()));
  // The data are grey, everything is seen as it was, and what is saved now is what it was.
  const auto waits = [&] {
    return studio.model.tree().indexOfData("vortices").data(app::ObjectTree::WaitsRole).toBool();
  };
  QTRY_VERIFY_WITH_TIMEOUT(waits(), kPatienceMs);
  auto* const progress = studio.window.statusBar()->findChild<QProgressBar*>();
  QTRY_COMPARE_WITH_TIMEOUT(progress->format(), QString("waits for the link"), kPatienceMs);
  // also where nothing stands beside it
  studio.window.statusBar()->clearMessage();
  const int letters = progress->fontMetrics().horizontalAdvance(progress->format());
  QTRY_VERIFY_WITH_TIMEOUT(progress->width() > letters, kPatienceMs);
  auto* const link = studio.child<ui::LinkLabel>("link");
  QTRY_COMPARE_WITH_TIMEOUT(link->text(), address + ": connection lost, tried again", kPatienceMs);
  QCOMPARE(stage.dataStatus("vortices").lostServer, address.toStdString());
  QCOMPARE(stage.dataStatus("vortices").state, app::DataState::Open);
  QVERIFY(!stage.dataStatus("vortices").lostServer.empty());
  QCOMPARE(stage.step(), std::int64_t{2});
  QCOMPARE(stage.timeToKeep(), time);
  QVERIFY(gone.isEmpty());
  for (const app::ObjectId id : studio.model.document().objectIds())
    QCOMPARE(studio.stateOf(id), app::ObjectState::Done);
  // What is to be seen with the function waits as well.
  const app::ObjectId lines = studio.newest();
  studio.model.document().edit("Colour", [&](app::Draft& draft) { draft.object(lines).color.by = "twice"; });
  QCOMPARE(studio.stateOf(lines), app::ObjectState::Waiting);
  QVERIFY(!stage.status(lines).waitsFor.empty());

  server = begin(address);
  QVERIFY2(!server->address.isEmpty(), server->errors());
  const auto isKnown = [&] {
    const auto summary = stage.summary("vortices");
    return summary && summary->description.attributes.contains("function.twice");
  };
  QVERIFY2(isKnown() || !saysListed(), qPrintable(said->text()));
  QTRY_VERIFY_WITH_TIMEOUT(isKnown() && studio.rests(), kPatienceMs);
  QTRY_VERIFY2_WITH_TIMEOUT(saysListed(), qPrintable(said->text()), kPatienceMs);
  calculator->close();
  QTRY_VERIFY_WITH_TIMEOUT(!waits(), kPatienceMs);
  QTRY_VERIFY2_WITH_TIMEOUT(link->text().contains("connected") && !link->isLost(), qPrintable(link->text()),
                            kPatienceMs);
  QCOMPARE(stage.step(), std::int64_t{2});
  QCOMPARE(stage.timeToKeep(), time);
  QCOMPARE(studio.stateOf(lines), app::ObjectState::Done);
  QCOMPARE(stage.status(lines).scale.title, std::string("twice"));
  QVERIFY(gone.isEmpty());

  // Esc ends the waiting; what is taken back needs no server.
  server->kill();
  app::defineFunction(studio.model.document(), "vortices", "half", "pressure/2");
  QTRY_VERIFY_WITH_TIMEOUT(waits(), kPatienceMs);
  studio.trigger("cancel");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !stage.dataStatus("vortices").problem.message.empty(),
                           kPatienceMs);
  QCOMPARE(stage.dataStatus("vortices").state, app::DataState::Open);
  studio.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && stage.dataStatus("vortices").problem.message.empty(),
                           kPatienceMs);
  QVERIFY(isKnown());

  // What is opened after all of it is gone begins at its own beginning.
  studio.model.document().removeData("vortices");
  studio.model.open({at("data/vortices.h5")});
  QTRY_VERIFY_WITH_TIMEOUT(studio.session().objects.size() == 2 && studio.rests(), kPatienceMs);
  QCOMPARE(stage.step(), std::int64_t{0});
}

/// What waited was stopped: that the connection is lost stays true until something comes again.
void TestLogins::whoStopsWaitingHasNoServerBack() {
  auto server = begin("127.0.0.1:0");
  QVERIFY2(!server->address.isEmpty(), server->errors());
  const QString address = server->address;
  Studio studio({1280, 800}, {}, {}, remoteReaders());
  studio.window.openPaths({"far://" + address + "/vortices.h5"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.session().objects.size() == 2 && studio.rests(), kPatienceMs);
  auto* const link = studio.child<ui::LinkLabel>("link");
  QTRY_VERIFY2_WITH_TIMEOUT(link->text().contains("connected"), qPrintable(link->text()), kPatienceMs);
  server->kill();
  studio.model.stage().setStep(2);
  QTRY_VERIFY_WITH_TIMEOUT(link->isLost(), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(!studio.model.stage().dataStatus("vortices").lostServer.empty(), kPatienceMs);
  QStringList said;
  connect(studio.window.statusBar(), &QStatusBar::messageChanged, &studio.window,
          [&](const QString& text) { said.append(text); });
  studio.trigger("cancel");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  const QSignalSpy counted(&studio.model.engine(), &app::Engine::counted);
  QTRY_VERIFY_WITH_TIMEOUT(counted.size() >= 3, kPatienceMs);
  QVERIFY(studio.model.stage().dataStatus("vortices").lostServer.empty());
  QVERIFY(!studio.model.tree().indexOfData("vortices").data(app::ObjectTree::WaitsRole).toBool());
  QVERIFY2(said.filter("is back").isEmpty(), qPrintable(said.join('\n')));
  QCOMPARE(link->text(), address + ": connection lost");
  QVERIFY(!link->isLost());  // nothing waits

  server = begin(address);
  QVERIFY2(!server->address.isEmpty(), server->errors());
  studio.model.stage().recompute(studio.newest());
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(studio.newest()), app::ObjectState::Done, kPatienceMs);
  QTRY_VERIFY2_WITH_TIMEOUT(link->text().contains("connected"), qPrintable(link->text()), kPatienceMs);
}

/// A function is kept while the server is gone, which comes back with another token: what is seen stays until somebody has logged in,
/// and is what the function says then.
void TestLogins::functionsWaitForALogin() {
  auto server = serve("0", kToken);
  QVERIFY2(!server->address.isEmpty(), server->errors());
  const QString port = portOf(*server), url = "far://127.0.0.1:" + port + "/vortices.h5";
  Studio studio({1280, 800}, {}, {}, remoteReaders());
  openWithLogin(studio, url);
  if (QTest::currentTestFailed()) return;
  QPointer<ui::ConnectDialog> dialog;
  app::Stage& stage = studio.model.stage();

  server->kill();
  const QSignalSpy gone(&stage, &app::Stage::itemGone);
  app::defineFunction(studio.model.document(), "vortices", "twice", "pressure*2");
  QTRY_VERIFY_WITH_TIMEOUT(!stage.dataStatus("vortices").lostServer.empty(), kPatienceMs);
  server = serve(port, kOther);
  QVERIFY2(!server->address.isEmpty(), server->errors());
  QTRY_VERIFY_WITH_TIMEOUT(stage.dataStatus("vortices").problem.asksForLogin, kPatienceMs);
  QCOMPARE(stage.dataStatus("vortices").state, app::DataState::Open);
  QVERIFY(stage.dataStatus("vortices").lostServer.empty());
  QVERIFY(gone.isEmpty());
  for (const app::ObjectId id : studio.model.document().objectIds())
    QCOMPARE(studio.stateOf(id), app::ObjectState::Done);
  auto* const above = studio.child<QPushButton>("notice.button");
  QTRY_VERIFY_WITH_TIMEOUT(above && above->isVisible() && above->text() == "Log in …", kPatienceMs);
  studio.window.pipeline().selectData("vortices");
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QPushButton>("data.login"), kPatienceMs);
  logIn(studio, studio.child<QPushButton>("data.login"), kOther, dialog);
  QVERIFY(dialog);
  dialog->reject();
  const auto isKnown = [&] {
    const auto summary = stage.summary("vortices");
    return summary && summary->description.attributes.contains("function.twice");
  };
  QTRY_VERIFY_WITH_TIMEOUT(isKnown() && studio.rests(), kPatienceMs);
  QVERIFY(stage.dataStatus("vortices").problem.message.empty());
  QCOMPARE(studio.session().data.size(), 1U);
  QCOMPARE(studio.stateOf(studio.newest()), app::ObjectState::Done);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestLogins test;
  return QTest::qExec(&test, count, words);
}
#include "tst_logins.moc"
