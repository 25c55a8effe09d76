// Data on another machine in the window, with a paging server in a process of its own: looked for and opened in File ▸ Connect…,
// shown while they come; logging in; giving up.

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <QComboBox>
#include <QGroupBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QStandardPaths>
#include <QToolButton>
#include <QTreeView>
#include <QTreeWidget>

#include "app/ui/panels/memory_panel.h"
#include "app/ui/panels/step_strip.h"
#include "app/ui/window/link_label.h"
#include "tests/gui/window/support/connect_hand.h"
#include "tests/gui/window/support/longest_turn.h"
#include "tests/gui/window/support/remote_readers.h"
#include "tests/gui/window/support/studio.h"
#include "tests/remote/server_process.h"

using namespace farfield;
using namespace farfield::test;

namespace {

using Dialog = ConnectHand;
constexpr const char* kToken = "abcdefghijklmnop0123";

/// Takes connections at a port of its own, and says nothing.
class MuteServer {
 public:
  MuteServer() : m_socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    if (::bind(m_socket, reinterpret_cast<sockaddr*>(&address), length) == 0 && ::listen(m_socket, 16) == 0 &&
        ::getsockname(m_socket, reinterpret_cast<sockaddr*>(&address), &length) == 0)
      m_port = ntohs(address.sin_port);
  }
  ~MuteServer() { ::close(m_socket); }
  MuteServer(const MuteServer&) = delete;
  MuteServer& operator=(const MuteServer&) = delete;
  QString port() const { return QString::number(m_port); }
  /// Whether somebody has come.
  bool isAsked() const {
    pollfd watched{m_socket, POLLIN, 0};
    return ::poll(&watched, 1, 0) == 1;
  }
  /// Takes in who has come.
  void take() { m_taken = ::accept(m_socket, nullptr, nullptr); }

 private:
  int m_socket, m_taken = -1, m_port = 0;
};

}  // namespace

class TestRemoteWindow : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void init();
  void dataAreLookedForAndOpened();
  void gridAndSolutionGoTogether();
  void numberedSolutionsAreSteps();
  void oceansAreUpright();
  void whatWaitsCanBeStopped();
  void placesAreKept();
  void errorsSayWhatToDo();
  void waitingCanBeGivenUp();
  void oneLogsIn();
  void memoryDiskAndServerAreTold();

 private:
  QString at(const QString& name) const {
    return QString::fromStdString((m_folder / name.toStdString()).string());
  }
  std::unique_ptr<ServerProcess> serve(const QStringList& more = {}) const {
    return std::make_unique<ServerProcess>(QStringList{"--root", at("data")} + more, at("server"));
  }

  TemporaryFolder m_folder;
};

void TestRemoteWindow::initTestCase() {
  QVERIFY(QDir().mkpath(at("data/runs/deep")));
  QVERIFY(QDir().mkpath(at("server")));
  const auto sample = [&](const QStringList& words) {
    return runFarfield(QStringList{"sample"} + words).status;
  };
  QCOMPARE(sample({"cylinder", "-o", at("data/runs/cylinder.h5"), "--size", "48,40,20", "--blocks", "3",
                   "--format", "farfield"}),
           0);
  QCOMPARE(sample({"taylor-green", "-o", at("data/runs/vortices.h5"), "--size", "33,33,33", "--steps", "4",
                   "--format", "farfield"}),
           0);
  QCOMPARE(sample({"cylinder", "-o", at("data/runs/deep/grid"), "--size", "24,20,10", "--blocks", "2",
                   "--format", "plot3d"}),
           0);
}

void TestRemoteWindow::init() {
  // Tokens and certificates of the test's own.
  qputenv("XDG_CONFIG_HOME", at(QString("config-%1").arg(QTest::currentTestFunction())).toUtf8());
  for (const char* const name : {"FARFIELD_TOKEN", "FARFIELD_TOKEN_FILE"}) qunsetenv(name);
}

void TestRemoteWindow::dataAreLookedForAndOpened() {
  const auto server = serve();
  QVERIFY2(!server->address.isEmpty(), server->errors());
  Studio studio({1280, 800}, {}, {}, remoteReaders());
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  QTest::mouseClick(studio.child<QPushButton>("startConnect"), Qt::LeftButton);
  Dialog dialog(studio);  // the same as the button's
  const auto dialogs = studio.window.findChildren<ui::ConnectDialog*>();
  for (ui::ConnectDialog* const other : dialogs)
    if (other != dialog.self) other->reject();
  QTRY_COMPARE_WITH_TIMEOUT(studio.window.findChildren<ui::ConnectDialog*>().size(), 1, kPatienceMs);
  dialog.self = studio.window.findChild<ui::ConnectDialog*>();

  // Return in the field connects; a server without a scheme is a paging server.
  dialog.type(server->address);
  QTest::keyClick(dialog.child<QLineEdit>("connect.place"), Qt::Key_Return);
  QTRY_COMPARE_WITH_TIMEOUT(dialog.names(), QStringList{"runs"}, kPatienceMs);
  QCOMPARE(dialog.child<QLineEdit>("connect.place")->text(), "far://" + server->address + "/");
  QVERIFY(!dialog.child<QToolButton>("connect.up")->isEnabled());
  QVERIFY(!dialog.child<QPushButton>("connect.open")->isEnabled());

  QVERIFY(dialog.choose("runs", true));
  QTRY_COMPARE_WITH_TIMEOUT(dialog.names(), (QStringList{"deep", "cylinder.h5", "vortices.h5"}), kPatienceMs);
  // Up and down again.
  QTest::keyClick(dialog.folder(), Qt::Key_Backspace);
  QTRY_COMPARE_WITH_TIMEOUT(dialog.names(), QStringList{"runs"}, kPatienceMs);
  QVERIFY(dialog.choose("runs", true));
  QTRY_COMPARE_WITH_TIMEOUT(dialog.names().size(), 3, kPatienceMs);

  QVERIFY(dialog.choose("cylinder.h5", false));
  const QString url = "far://" + server->address + "/runs/cylinder.h5";
  QCOMPARE(dialog.child<QLineEdit>("connect.place")->text(), url);
  dialog.press("connect.open");
  QTRY_VERIFY_WITH_TIMEOUT(studio.session().objects.size() == 2 && studio.rests(), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(!dialog.self, kPatienceMs);
  QCOMPARE(QString::fromStdString(studio.session().data.front().source.front()), url);
  QCOMPARE(studio.stateOf(studio.newest()), app::ObjectState::Done);
  QVERIFY(studio.model.stage().status(studio.newest()).stats.points > 100);
  // The status bar tells the server, and how fast it is.
  auto* const link = studio.child<ui::LinkLabel>("link");
  QTRY_VERIFY_WITH_TIMEOUT(link->isVisible() && link->text().startsWith(server->address), kPatienceMs);
  QVERIFY2(link->text().contains(" ms"), link->text().toUtf8());

  // Recent data, a saved session and recovery keep the URL.
  QCOMPARE(studio.model.settings().recent(), QStringList{url});
  studio.model.save(studio.at("work.json"));
  QTRY_VERIFY_WITH_TIMEOUT(contents(studio.at("work.json")).contains(url.toUtf8()), kPatienceMs);
  studio.model.document().clear();
  studio.window.openPaths({studio.at("work.json")});
  QTRY_VERIFY_WITH_TIMEOUT(studio.session().objects.size() == 2 && studio.rests(), kPatienceMs);
  QCOMPARE(studio.stateOf(studio.newest()), app::ObjectState::Done);
  studio.model.document().clear();
  studio.window.openRecent(url);
  QTRY_VERIFY_WITH_TIMEOUT(studio.session().objects.size() == 2 && studio.rests(), kPatienceMs);
}

void TestRemoteWindow::gridAndSolutionGoTogether() {
  const auto server = serve();
  Studio studio({1280, 800}, {}, {}, remoteReaders());
  Dialog dialog(studio);
  // The URL of a file: its folder is shown, and it is chosen in it.
  dialog.type("far://" + server->address + "/runs/deep/grid.xyz");
  dialog.press("connect.browse");
  QTRY_COMPARE_WITH_TIMEOUT(dialog.names(), (QStringList{"grid.q", "grid.xyz"}), kPatienceMs);
  QVERIFY(dialog.folder()->currentItem());
  QCOMPARE(dialog.folder()->currentItem()->text(0), "grid.xyz");
  QCOMPARE(dialog.child<QLineEdit>("connect.solution")->text(), "grid.q");
  QTest::keyClick(dialog.folder(), Qt::Key_Return);
  QTRY_VERIFY_WITH_TIMEOUT(studio.session().objects.size() == 2 && studio.rests(), kPatienceMs);
  const QString base = "far://" + server->address + "/runs/deep/";
  QCOMPARE(QString::fromStdString(studio.session().data.front().source.front()), base + "grid.xyz");
  QCOMPARE(QString::fromStdString(studio.session().data.front().solution.front()), base + "grid.q");
  // From the recent list they come back together.
  const QString recent = studio.model.settings().recent().value(0);
  studio.model.document().clear();
  studio.window.openRecent(recent);
  QTRY_VERIFY_WITH_TIMEOUT(studio.session().objects.size() == 2 && studio.rests(), kPatienceMs);
  QCOMPARE(studio.session().data.size(), 1U);
  // And from the command line.
  studio.model.document().clear();
  studio.window.openPaths({base + "grid.xyz", base + "grid.q"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.session().objects.size() == 2 && studio.rests(), kPatienceMs);
  QCOMPARE(studio.session().data.size(), 1U);
}

/// As with files on this machine: solutions that differ by a number are the steps of the grid.
/// What a file can be read as is known and chosen as of a file here.
void TestRemoteWindow::oceansAreUpright() {
  QVERIFY(QFile::copy(FARFIELD_NETCDF_FILES "/packed", at("data/packed.nc")));
  const auto server = serve();
  Studio studio({1280, 800}, {}, {}, remoteReaders());
  studio.model.openData({{"far://" + server->address + "/packed.nc", {}, {}}});
  QTRY_VERIFY_WITH_TIMEOUT(!studio.session().objects.empty() && studio.rests(), kPatienceMs);
  const session::DataSource& source = studio.session().data.front();
  QVERIFY(source.options.contains("vertical"));
  QCOMPARE(session::textOf(source.options.at("vertical")), std::string("upright"));
  QCOMPARE(studio.model.stage().summary(source.name)->bounds.max.z, 0.0);
  studio.window.pipeline().selectData(source.name);
  QComboBox* list = nullptr;
  QTRY_VERIFY_WITH_TIMEOUT((list = studio.child<QComboBox>("data.choice.vertical")) != nullptr, kPatienceMs);
  QCOMPARE(list->currentIndex(), 1);
}

void TestRemoteWindow::numberedSolutionsAreSteps() {
  QVERIFY(QDir().mkpath(at("data/series")));
  QCOMPARE(runFarfield({"sample", "cylinder", "-o", at("data/series/grid3d"), "--size", "17,9,9", "--blocks",
                        "2", "--steps", "3", "--format", "plot3d"})
               .status,
           0);
  for (int step = 0; step < 3; ++step)
    QVERIFY(QFile::rename(at(QString("data/series/grid3d_000%1.q").arg(step)),
                          at(QString("data/series/q3d_%1.q").arg(step))));
  const auto server = serve();
  Studio studio({1280, 800}, {}, {}, remoteReaders());
  const QString base = "far://" + server->address + "/series/";
  {
    Dialog dialog(studio);
    dialog.type(base);
    dialog.press("connect.browse");
    QTRY_COMPARE_WITH_TIMEOUT(dialog.names().size(), 4, kPatienceMs);
    // Nothing is chosen yet: Return takes the line that has the keyboard, not the folder.
    QVERIFY(dialog.folder()->selectedItems().isEmpty());
    dialog.folder()->setFocus();
    QTest::keyClick(dialog.folder(), Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(studio.session().objects.size() == 2 && studio.rests(), kPatienceMs);
  }
  const session::DataSource& source = studio.session().data.front();
  QCOMPARE(QString::fromStdString(source.source.front()), base + "grid3d.xyz");
  QCOMPARE(source.solution.size(), 3U);
  QCOMPARE(QString::fromStdString(source.solution[2]), base + "q3d_2.q");
  QCOMPARE(studio.model.stage().steps(), 3);
  studio.model.document().clear();
  // The next time it begins where it was; a pattern can be typed.
  Dialog again(studio);
  auto* const place = again.child<QLineEdit>("connect.place");
  QCOMPARE(place->text(), base);
  QTest::keyClick(place, Qt::Key_Return);
  QTRY_COMPARE_WITH_TIMEOUT(again.names().size(), 4, kPatienceMs);
  QVERIFY(again.choose("grid3d.xyz", false));
  auto* const solution = again.child<QLineEdit>("connect.solution");
  QCOMPARE(solution->text(), "q3d_*.q");
  // Of another place than that it is not the solution, unless somebody says so.
  place->selectAll();
  QTest::keyClicks(place, base + "other.xyz");
  QCOMPARE(solution->text(), QString());
  QVERIFY(again.choose("q3d_0.q", false) && again.choose("grid3d.xyz", false));
  QCOMPARE(solution->text(), "q3d_*.q");
  solution->setText("q3d_[12].q*");
  again.press("connect.open");
  QTRY_VERIFY_WITH_TIMEOUT(studio.session().objects.size() == 2 && studio.rests(), kPatienceMs);
  QCOMPARE(studio.session().data.front().solution.size(), 2U);
}

void TestRemoteWindow::whatWaitsCanBeStopped() {
  auto server = serve({"--rate", "100K"});
  auto studio =
      std::make_unique<Studio>(QSize(1280, 800), QString(), session::VolumeMaker(), remoteReaders());
  studio->window.openPaths({"far://" + server->address + "/runs/cylinder.h5"});
  QTRY_VERIFY_WITH_TIMEOUT(studio->session().objects.size() == 2, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio->stateOf(studio->newest()) == app::ObjectState::Running, kPatienceMs);
  server->kill();
  QTRY_VERIFY_WITH_TIMEOUT(studio->child<ui::LinkLabel>("link")->isLost(), kPatienceMs);
  QVERIFY(studio->action("cancel")->isEnabled());
  studio->trigger("cancel");
  QTRY_VERIFY_WITH_TIMEOUT(studio->rests(), 5000);
  for (const app::ObjectId id : studio->model.document().objectIds())
    QVERIFY(studio->stateOf(id) == app::ObjectState::Cancelled ||
            studio->stateOf(id) == app::ObjectState::Done);
  // Asked for again, the data go away while they are waited for, and so does the window.
  studio->model.stage().recompute(studio->newest());
  QTRY_VERIFY_WITH_TIMEOUT(!studio->rests(), kPatienceMs);
  QTest::qWait(500);
  QElapsedTimer timer;
  timer.start();
  studio->model.document().removeData("cylinder");
  studio->model.openData({{"sample://abc?size=9", {}}});
  QTRY_VERIFY_WITH_TIMEOUT(studio->model.stage().summary("abc") && studio->rests(), kPatienceMs);
  studio.reset();
  QVERIFY2(timer.elapsed() < 20'000, QByteArray::number(timer.elapsed()));
}

void TestRemoteWindow::placesAreKept() {
  Studio studio({1280, 800}, {}, {}, remoteReaders());
  {
    Dialog dialog(studio);
    QVERIFY(!dialog.child<QPushButton>("connect.keep")->isEnabled());
    dialog.type("far://cluster:4780/runs/");
    dialog.press("connect.keep");
    dialog.type("https://data.example.org/wing.h5?X-Amz-Signature=secret");
    dialog.press("connect.keep");
    QVERIFY2(dialog.text().contains("secret"), dialog.text().toUtf8());
    dialog.type("s3://flows/wing.h5");
    dialog.press("connect.keep");
    QCOMPARE(studio.model.settings().places(),
             (QStringList{"s3://flows/wing.h5", "far://cluster:4780/runs/"}));
    dialog.self->reject();
  }
  QTRY_VERIFY_WITH_TIMEOUT(!studio.window.findChild<ui::ConnectDialog*>(), kPatienceMs);
  Dialog again(studio);
  auto* const places = again.child<QListWidget>("connect.places");
  QCOMPARE(places->count(), 2);
  QTest::mouseClick(places->viewport(), Qt::LeftButton, {}, places->visualItemRect(places->item(1)).center());
  QCOMPARE(again.child<QLineEdit>("connect.place")->text(), "far://cluster:4780/runs/");
  again.press("connect.forget");
  QCOMPARE(studio.model.settings().places(), QStringList{"s3://flows/wing.h5"});
}

void TestRemoteWindow::errorsSayWhatToDo() {
  Studio studio({1280, 800}, {}, {}, remoteReaders());
  Dialog dialog(studio);
  // What cannot be is said while it is typed, and cannot be asked for.
  const auto says = [&](const QString& typed, const QString& part) {
    dialog.type(typed);
    return dialog.text().contains(part) && !dialog.child<QPushButton>("connect.browse")->isEnabled() &&
           !dialog.child<QPushButton>("connect.open")->isEnabled();
  };
  QVERIFY(says("ftp://host/file", "ftp:// is not known"));
  QVERIFY(says("far://host:port/x", "write far://HOST:PORT"));
  QVERIFY(says("far://me@host/x", "does not name who asks"));
  QVERIFY(says("https://me:secret@host/x", ".netrc"));
  QVERIFY(says("s3://", "no bucket"));
  QVERIFY(says("https://host", "whole URL"));
  // Of a web server there is no list, but a file of it can be opened.
  dialog.type("https://host/wing.h5");
  QVERIFY(!dialog.child<QPushButton>("connect.browse")->isEnabled());
  QVERIFY(dialog.child<QPushButton>("connect.open")->isEnabled());
  // So can a Zarr group, which is a folder.
  dialog.type("https://host/wing.zarr/");
  QVERIFY(dialog.child<QPushButton>("connect.open")->isEnabled());

  // Nobody is there.
  const QString port = MuteServer().port();  // it is closed again
  dialog.type("far://127.0.0.1:" + port);
  dialog.press("connect.browse");
  QTRY_VERIFY2_WITH_TIMEOUT(dialog.text().contains("farfield-pagerd runs"), dialog.text().toUtf8(),
                            kPatienceMs);
  QVERIFY(!dialog.isWaiting());
  // No such folder.
  const auto server = serve();
  dialog.type("far://" + server->address + "/nowhere/");
  dialog.press("connect.browse");
  QTRY_VERIFY2_WITH_TIMEOUT(dialog.text().contains("no such"), dialog.text().toUtf8(), kPatienceMs);
  // What fails to open is not remembered, and says why beside the data.
  dialog.type("far://" + server->address + "/runs/no.h5");
  dialog.press("connect.open");
  QTRY_VERIFY_WITH_TIMEOUT(!studio.session().data.empty(), kPatienceMs);
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.stage().dataStatus("no").state, app::DataState::Failed, kPatienceMs);
  QVERIFY(studio.model.settings().recent().isEmpty());
}

void TestRemoteWindow::waitingCanBeGivenUp() {
  // It takes connections, and says nothing.
  MuteServer mute;
  const QString url = "far://127.0.0.1:" + mute.port() + "/wing.h5";
  Studio studio({1280, 800}, {}, {}, remoteReaders());
  Dialog dialog(studio);
  LongestTurn turn;
  dialog.type(url);
  dialog.press("connect.browse");
  QVERIFY(dialog.isWaiting());
  QTRY_VERIFY_WITH_TIMEOUT(mute.isAsked(), kPatienceMs);
  mute.take();
  dialog.press("connect.cancel");
  QVERIFY(!dialog.isWaiting());
  QCOMPARE(dialog.text(), "Stopped.");
  // Opening is given up by Esc, and others are opened meanwhile and after.
  dialog.press("connect.open");
  QTRY_COMPARE_WITH_TIMEOUT(studio.session().data.size(), 1U, kPatienceMs);
  const std::string name = studio.session().data.front().name;
  QTRY_VERIFY_WITH_TIMEOUT(mute.isAsked(), kPatienceMs);
  QTest::qWait(200);
  QCOMPARE(studio.model.stage().dataStatus(name).state, app::DataState::Opening);
  QElapsedTimer timer;
  timer.start();
  studio.trigger("cancel");
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.stage().dataStatus(name).state, app::DataState::Failed, 5000);
  studio.model.openData({{"sample://abc?size=9", {}}});
  QTRY_VERIFY_WITH_TIMEOUT(studio.model.stage().summary("abc"), kPatienceMs);
  QVERIFY2(turn.ms() < 2000, QByteArray::number(turn.ms()));
}

void TestRemoteWindow::oneLogsIn() {
  write(at("tokens"), QByteArray(kToken) + "\n");
  QVERIFY(QFile::setPermissions(at("tokens"), QFile::ReadOwner | QFile::WriteOwner));
  const auto server = serve({"--listen", "0.0.0.0:0", "--token-file", at("tokens")});
  QVERIFY(!server->address.isEmpty());
  const QString url = "far://127.0.0.1:" + server->address.section(':', -1) + "/";
  Studio studio({1280, 800}, {}, {}, remoteReaders());
  // Data that ask for it lead to it.
  studio.window.openPaths({url + "runs/cylinder.h5"});
  QTRY_COMPARE_WITH_TIMEOUT(studio.model.stage().dataStatus("cylinder").state, app::DataState::Failed,
                            kPatienceMs);
  QVERIFY(studio.model.stage().dataStatus("cylinder").problem.asksForLogin);
  QPushButton* offer = nullptr;
  for (QPushButton* const button : studio.window.findChildren<QPushButton*>())
    if (button->text() == "Log in …" && button->isVisible()) offer = button;
  QVERIFY(offer);
  QTest::mouseClick(offer, Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(studio.window.findChild<ui::ConnectDialog*>(), kPatienceMs);
  const QPointer<ui::ConnectDialog> dialog = studio.window.findChild<ui::ConnectDialog*>();
  const auto child = [&]<class Widget>(const char* name, Widget*) {
    return dialog->findChild<Widget*>(name);
  };
  auto* const fingerprint = child("connect.fingerprint", static_cast<QLabel*>(nullptr));
  auto* const token = child("connect.token", static_cast<QLineEdit*>(nullptr));
  auto* const trust = child("connect.trust", static_cast<QPushButton*>(nullptr));
  auto* const text = child("connect.text", static_cast<QLabel*>(nullptr));
  QTRY_VERIFY_WITH_TIMEOUT(trust->isEnabled() && trust->isVisible(), kPatienceMs);
  // The one that the server has printed.
  QCOMPARE(fingerprint->text().count(':'), 31);
  QByteArray printed;
  QTRY_VERIFY_WITH_TIMEOUT((printed += server->errors()).contains(fingerprint->text().toUtf8()), kPatienceMs);
  QCOMPARE(token->echoMode(), QLineEdit::Password);
  QTest::keyClicks(token, "not-the-right-token-at-all");
  QTest::mouseClick(trust, Qt::LeftButton);
  QTRY_VERIFY2_WITH_TIMEOUT(text->text().contains("does not know this token"), text->text().toUtf8(),
                            kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(trust->isEnabled(), kPatienceMs);
  // The next try goes over the last one.
  QTRY_VERIFY_WITH_TIMEOUT(token->hasSelectedText(), kPatienceMs);
  QTest::keyClicks(token, kToken);
  QTest::keyClick(token, Qt::Key_Return);
  auto* const folder = child("connect.folder", static_cast<QTreeWidget*>(nullptr));
  // Return in a field does what the field is about, and nothing more: the dialog is there still.
  QVERIFY(dialog);
  QTRY_VERIFY2_WITH_TIMEOUT(folder->topLevelItemCount() == 3, text->text().toUtf8(), kPatienceMs);
  QVERIFY(token->text().isEmpty());
  dialog->reject();
  // It is kept for all later connections, and nowhere else.
  studio.model.stage().retryOpening("cylinder");
  QTRY_VERIFY_WITH_TIMEOUT(studio.model.stage().summary("cylinder"), kPatienceMs);
  const QString kept = qEnvironmentVariable("XDG_CONFIG_HOME") + "/farfield/servers.json";
  QVERIFY(contents(kept).contains(kToken));
  QCOMPARE(static_cast<int>(QFileInfo(kept).permissions() & (QFile::ReadGroup | QFile::ReadOther)), 0);
  studio.model.save(studio.at("work.json"));
  QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(studio.at("work.json")), kPatienceMs);
  QVERIFY(!contents(studio.at("work.json")).contains(kToken));
  QVERIFY(!contents(studio.settingsFile).contains(kToken));
  QVERIFY(!studio.model.diagnostics().contains(kToken));
}

void TestRemoteWindow::memoryDiskAndServerAreTold() {
  const auto server = serve();
  Studio studio({1440, 900}, {}, {}, remoteReaders(m_folder / "pages"));
  const QString url = "far://" + server->address + "/runs/vortices.h5";
  studio.window.openPaths({url});
  QTRY_VERIFY_WITH_TIMEOUT(studio.session().objects.size() == 2 && studio.rests(), kPatienceMs);
  auto* const strip = studio.child<ui::StepStrip>("time.strip");
  const auto isTold = [&](std::size_t step, const QString& part) {
    return strip->resident().size() == 4 && strip->textOf(step).contains(part);
  };
  // The first step has been read: it is in memory, and what was read is kept on this disk. Others are elsewhere.
  QTRY_VERIFY_WITH_TIMEOUT(isTold(0, "in memory") && isTold(0, "kept on this disk"), kPatienceMs);
  QVERIFY2(strip->textOf(3).contains("remote") && !strip->textOf(3).contains("kept"),
           strip->textOf(3).toUtf8());
  studio.child<QToolButton>("memory.more")->click();
  auto* const map = studio.child<QLabel>("memory.map");
  QTRY_VERIFY_WITH_TIMEOUT(map->text().contains("remote"), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(!map->text().contains(">0&nbsp;%"), kPatienceMs);
  const auto sight = studio.model.engine().counters().sight;
  QVERIFY(sight && sight->map.keptPart > 0);
  // Another run finds them there before anything is read of the server's.
  studio.model.document().clear();
  studio.window.openPaths({url});
  QTRY_VERIFY_WITH_TIMEOUT(studio.session().objects.size() == 2 && studio.rests(), kPatienceMs);
  const auto links = [&] { return ui::sumOfLinks(studio.model.engine().counters()); };
  QTRY_VERIFY_WITH_TIMEOUT(links().disk.bytesRead > 0, kPatienceMs);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestRemoteWindow test;
  return QTest::qExec(&test, count, words);
}
#include "tst_remote_window.moc"
