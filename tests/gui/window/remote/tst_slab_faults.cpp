// What may break between the window and a renderer that it shows: a rank that dies, a link that is cut or down for a while, bytes that
// mean nothing. The window goes on, says what is missing, and shows all again once it can be had.

#include <signal.h>

#include <QCheckBox>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QStandardPaths>
#include <QStatusBar>

#include "app/model/document/volume_looks.h"
#include "app/ui/dialogs/connect_dialog.h"
#include "app/ui/dialogs/renderer_dialog.h"
#include "app/ui/panels/property_editor.h"
#include "app/ui/panels/renderer_panel.h"
#include "app/ui/widgets/notice_bar.h"
#include "tests/gui/window/support/slab_studio.h"
#include "tests/support/broken_link.h"
#include "tests/system/slab_renderer.h"

using namespace farfield;
using namespace farfield::test;

namespace {

/// Until a renderer is given up ten seconds pass, more than once where several things wait for it.
constexpr int kLongMs = 4 * kPatienceMs;

constexpr const char *kToken = "abcdefghijklmnop0123", *kOther = "9876ponmlkjihgfedcba";

std::vector<std::uint8_t> noise() {
  std::vector<std::uint8_t> bytes(70'000);
  for (std::size_t n = 0; n < bytes.size(); ++n)
    bytes[n] = static_cast<std::uint8_t>(static_cast<unsigned>(n) * 2654435761u >> 13);
  return bytes;
}

/// A frame of the protocol: type, 16 bytes of which mean nothing.
std::vector<std::uint8_t> frameOfNoise(std::uint8_t type) {
  std::vector<std::uint8_t> bytes{16, 0, 0, 0, type, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
  const std::vector<std::uint8_t> body = noise();
  bytes.insert(bytes.end(), body.begin(), body.begin() + 16);
  return bytes;
}

}  // namespace

class TestSlabFaults : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void aKilledRankIsDoneWithout();
  void aLinkThatIsDownComesBack();
  void whatFailedMeanwhileGoesOn();
  void anotherTakesThePlaceOfOneThatEnds();
  void bytesThatMeanNothingChangeNothing_data();
  void bytesThatMeanNothingChangeNothing();
  void whatIsNoRendererIsSaid();
  void oneThatAsksForATokenIsLoggedInTo();
  void anotherTokenIsAskedForWhereAVolumeAloneIsShown();

 private:
  QString at(const char* name) const { return QString::fromStdString((m_folder / name).string()); }
  /// A window that shows the data of a renderer at `address`.
  struct Shown {
    explicit Shown(const QString& address) : made(slabStudio()), studio(*made) {
      studio.model.open({"slab://" + address});
    }
    /// All of it, coloured.
    bool isSeen() {
      if (studio.session().objects.size() < 2 || !studio.rests()) return false;
      volume = studio.newest();
      const QSize view = studio.window.viewport().size();
      const QRect middle(view.width() / 3, view.height() / 3, view.width() / 3, view.height() / 3);
      return studio.stateOf(volume) == app::ObjectState::Done &&
             colouredPixels(studio.picture(), middle) > 2000;
    }
    void setOpacity(double most) {
      studio.model.document().edit("Opacity", [&](app::Draft& draft) {
        app::volumeIn(draft.object(volume))->look.opacity = {{0, 0}, {1, 0.1 * most}, {2, most}};
      });
    }
    std::string name() { return studio.session().data.front().name; }
    /// What the pipeline says is wrong with its data.
    QString mark() {
      return studio.model.tree().indexOfData(name()).data(app::ObjectTree::ProblemRole).toString();
    }
    QString sight() const { return studio.child<QLabel>("volume.sight")->text(); }
    /// A new look is asked for until its picture is there, which differs from the one before.
    bool showsAnew() {
      const QImage before = studio.picture();
      looks = looks == 0.9 ? 0.3 : 0.9;
      setOpacity(looks);
      return QTest::qWaitFor(
          [&] { return studio.rests() && !sight().contains("gone") && studio.picture() != before; }, kLongMs);
    }
    std::unique_ptr<Studio> made;
    Studio& studio;
    app::ObjectId volume{};
    double looks = 0.9;
  };

  /// Of which nothing is known yet to who logs in: `name` is a folder of the test's own.
  void forgetLogins(const char* name) const {
    qputenv("XDG_CONFIG_HOME", at(name).toUtf8());
    for (const char* const each : {"FARFIELD_TOKEN", "FARFIELD_TOKEN_FILE"}) qunsetenv(each);
  }
  std::unique_ptr<Renderer> startWithToken(const QString& port, const char* token) const {
    write(at("tokens"), QByteArray(token) + "\n");
    QFile::setPermissions(at("tokens"), QFile::ReadOwner | QFile::WriteOwner);
    return std::make_unique<Renderer>(
        1, QStringList{at("flow.h5"), "--listen", "0.0.0.0:" + port, "--token-file", at("tokens")});
  }
  static QPushButton* loginOffer(const Studio& studio) {
    for (QPushButton* const button : studio.window.findChildren<QPushButton*>())
      if (button->text() == "Log in …" && button->isVisible()) return button;
    return nullptr;
  }
  /// By the button that offers it, until the dialog has said so.
  /// `next` is the button that Return presses afterwards.
  static void logIn(Studio& studio, const QByteArray& token, const char* said, const QString& next = {}) {
    QVERIFY(QTest::qWaitFor([&] { return loginOffer(studio) != nullptr; }, kPatienceMs));
    QTest::mouseClick(loginOffer(studio), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(studio.window.findChild<ui::ConnectDialog*>(), kPatienceMs);
    const QPointer dialog = studio.window.findChild<ui::ConnectDialog*>();
    auto* const trust = dialog->findChild<QPushButton*>("connect.trust");
    QTRY_VERIFY_WITH_TIMEOUT(trust->isEnabled() && trust->isVisible(), kPatienceMs);
    QVERIFY(dialog->findChild<QLabel*>("connect.fingerprint")->text().size() > 40);
    auto* const field = dialog->findChild<QLineEdit*>("connect.token");
    QTest::keyClicks(field, token);
    QTest::keyClick(field, Qt::Key_Return);
    auto* const text = dialog->findChild<QLabel*>("connect.text");
    QTRY_VERIFY2_WITH_TIMEOUT(text->text().contains(said), qPrintable(text->text()), kLongMs);
    auto* const focused = qobject_cast<QPushButton*>(dialog->focusWidget());
    if (!next.isEmpty()) QVERIFY(focused && focused->text().remove('&') == next);
    dialog->reject();
    QTRY_VERIFY_WITH_TIMEOUT(!dialog, kPatienceMs);
  }

  TemporaryFolder m_folder;
};

void TestSlabFaults::initTestCase() {
  if (QStandardPaths::findExecutable("mpirun").isEmpty()) QSKIP("there is no mpirun");
  SUCCEEDS(runFarfield({"sample", "turbulence", "-o", at("flow.h5"), "--size", "40,36,32", "--steps", "2",
                        "--format", "farfield"}));
  Studio none;
  none.model.open({at("flow.h5")});
  QTRY_VERIFY_WITH_TIMEOUT(none.rests() && !none.session().objects.empty(), kPatienceMs);
  if (none.picture().isNull()) QSKIP("no OpenGL on this display");
}

void TestSlabFaults::aKilledRankIsDoneWithout() {
  const Renderer renderer(3, {at("flow.h5"), "--listen", "127.0.0.1:0"});
  QVERIFY(!renderer.address.isEmpty());
  Shown shown(renderer.address);
  Studio& studio = shown.studio;
  QTRY_VERIFY_WITH_TIMEOUT(shown.isSeen(), kLongMs);
  QTRY_VERIFY_WITH_TIMEOUT(shown.sight().contains("3 ranks"), kPatienceMs);
  auto* const panel = studio.window.findChild<ui::RendererPanel*>();
  studio.child<QDockWidget>("dock.renderer")->show();
  studio.child<QDockWidget>("dock.renderer")->raise();
  QTRY_COMPARE_WITH_TIMEOUT(panel->shown().lives.size(), std::size_t{4}, kPatienceMs);
  const qint64 process = renderer.processOf(1);
  QVERIFY(process > 0);
  QCOMPARE(::kill(static_cast<pid_t>(process), SIGKILL), 0);
  // what is missing is said
  QTRY_VERIFY_WITH_TIMEOUT(!panel->shown().lives.at(2).isThere, kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QLabel>("renderer.note")->text().contains("rank 1"), kPatienceMs);
  // the others show all of it
  QVERIFY(shown.showsAnew());
  QTRY_VERIFY_WITH_TIMEOUT(shown.sight().contains("2 ranks") && !shown.sight().contains("missing"),
                           kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(shown.isSeen(), kPatienceMs);
  // and compute objects
  studio.trigger("addIsosurface");
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(studio.newest()), app::ObjectState::Done, kLongMs);
}

void TestSlabFaults::aLinkThatIsDownComesBack() {
  const Renderer renderer(2, {at("flow.h5"), "--listen", "127.0.0.1:0"});
  QVERIFY(!renderer.address.isEmpty());
  BrokenLink link(static_cast<std::uint16_t>(renderer.port()));
  Shown shown(QString::fromStdString(link.address()));
  QTRY_VERIFY_WITH_TIMEOUT(shown.isSeen(), kLongMs);
  // cut, it is made again, and nobody notices
  link.cut();
  QVERIFY(shown.showsAnew());
  // down, what has come before is shown, and it is said why
  QTRY_VERIFY_WITH_TIMEOUT(shown.studio.viewRests(), kPatienceMs);
  link.down();
  shown.setOpacity(0.6);
  QTRY_VERIFY2_WITH_TIMEOUT(shown.sight().contains("gone"), qPrintable(shown.sight()), kLongMs);
  link.up();
  QVERIFY(shown.showsAnew());
  QTRY_VERIFY_WITH_TIMEOUT(shown.isSeen(), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(shown.sight().contains("2 ranks"), kPatienceMs);
}

void TestSlabFaults::whatFailedMeanwhileGoesOn() {
  const Renderer renderer(1, {at("flow.h5"), "--listen", "127.0.0.1:0"});
  QVERIFY(!renderer.address.isEmpty());
  BrokenLink link(static_cast<std::uint16_t>(renderer.port()));
  Shown shown(QString::fromStdString(link.address()));
  QTRY_VERIFY_WITH_TIMEOUT(shown.isSeen(), kLongMs);
  auto* const notice = shown.studio.window.findChild<ui::NoticeBar*>();
  link.down();
  shown.studio.trigger("addIsosurface");
  const app::ObjectId surface = shown.studio.newest();
  QTRY_VERIFY_WITH_TIMEOUT(shown.mark().contains("renderer has ended, or cannot be reached"), kPatienceMs);
  QVERIFY2(notice->text().contains("cannot be reached"), qPrintable(notice->text()));
  QTRY_COMPARE_WITH_TIMEOUT(shown.studio.stateOf(surface), app::ObjectState::Failed, kLongMs);
  // nobody does anything for it
  link.up();
  QTRY_VERIFY_WITH_TIMEOUT(shown.mark().isEmpty(), kPatienceMs);
  QTRY_COMPARE_WITH_TIMEOUT(shown.studio.stateOf(surface), app::ObjectState::Done, kLongMs);
  QVERIFY(!notice->isVisibleTo(&shown.studio.window));
}

/// With all that is shown of its data; it has ended while nothing was asked of it.
void TestSlabFaults::anotherTakesThePlaceOfOneThatEnds() {
  const auto start = [&] {
    return std::make_unique<Renderer>(2, QStringList{at("flow.h5"), "--listen", "127.0.0.1:0"});
  };
  auto renderer = start();
  QVERIFY(!renderer->address.isEmpty());
  Shown shown(renderer->address);
  Studio& studio = shown.studio;
  QTRY_VERIFY_WITH_TIMEOUT(shown.isSeen(), kLongMs);
  studio.trigger("addIsosurface");
  const app::ObjectId surface = studio.newest();
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(surface), app::ObjectState::Done, kLongMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  const std::string name = shown.name();
  const auto source = [&] { return studio.session().data.front().source.front(); };
  const auto state = [&] { return studio.model.stage().dataStatus(name).state; };
  const std::string before = source();
  QVERIFY2(shown.mark().isEmpty(), qPrintable(shown.mark()));
  QVERIFY(!studio.action("readAgain")->isEnabled());

  renderer.reset();
  QTRY_VERIFY_WITH_TIMEOUT(shown.mark().contains("renderer has ended"), kPatienceMs);
  QCOMPARE(state(), app::DataState::Open);
  studio.window.pipeline().selectData(name);
  const auto offer = [&](const char* text) -> QPushButton* {
    for (QPushButton* const each :
         studio.window.findChild<ui::PropertyEditor*>()->findChildren<QPushButton*>())
      if (each->text() == QString::fromUtf8(text) && each->isVisible()) return each;
    return nullptr;
  };
  QTRY_VERIFY_WITH_TIMEOUT(offer("Connect to renderer …") && offer("Try again"), kPatienceMs);
  QVERIFY(!offer("Start it again"));  // the window has not started it
  // It can be asked whether it is back.
  studio.window.statusBar()->clearMessage();
  QStringList said;  // the view may have something to say of its volume a moment later
  connect(studio.window.statusBar(), &QStatusBar::messageChanged, &studio.window,
          [&](const QString& text) { said.append(text); });
  QVERIFY(studio.action("readAgain")->isEnabled());
  studio.trigger("recompute");
  QTRY_VERIFY2_WITH_TIMEOUT(!said.filter("renderer has ended").isEmpty(), qPrintable(said.join('\n')),
                            kPatienceMs);
  // What is asked for without it is not there.
  studio.model.stage().setStep(1);
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(surface), app::ObjectState::Failed, kLongMs);

  renderer = start();
  QVERIFY(!renderer->address.isEmpty());
  QTRY_VERIFY_WITH_TIMEOUT(offer("Connect to renderer …"), kPatienceMs);
  studio.trigger("renderer");  // as the button of the data does
  auto* const dialog = studio.window.findChild<ui::RendererDialog*>();
  QVERIFY(dialog);
  auto* const address = dialog->findChild<QLineEdit*>("renderer.address");
  QVERIFY(address->isVisible());
  QCOMPARE(address->text().toStdString(), before);
  QVERIFY(dialog->findChild<QCheckBox*>("renderer.instead")->isVisible());
  QVERIFY(dialog->isInstead());
  address->setText(renderer->address);
  QTest::mouseClick(dialog->findChild<QPushButton*>("renderer.start"), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(studio.model.stage().summary(name) && studio.rests(), kLongMs);
  const auto allThere = [&] {
    const auto ids = studio.model.document().objectIds();
    return ids.size() == 3 && studio.session().data.size() == 1 && shown.mark().isEmpty() &&
           std::all_of(ids.begin(), ids.end(),
                       [&](app::ObjectId id) { return studio.stateOf(id) == app::ObjectState::Done; });
  };
  QTRY_VERIFY_WITH_TIMEOUT(allThere(), kLongMs);
  QCOMPARE(source(), "slab://" + renderer->address.toStdString());
  QCOMPARE(studio.model.stage().step(), std::int64_t{1});
  QTRY_VERIFY_WITH_TIMEOUT(shown.sight().contains("2 ranks"), kPatienceMs);
  QVERIFY(!studio.window.findChild<ui::NoticeBar*>()->isVisibleTo(&studio.window));

  // Nobody goes back to where nothing answers: the step before is what is undone.
  QVERIFY2(studio.action("undo")->text().contains("isosurface"), qPrintable(studio.action("undo")->text()));
  studio.trigger("undo");
  QVERIFY(!studio.model.document().object(surface));
  QCOMPARE(source(), "slab://" + renderer->address.toStdString());
  QCOMPARE(state(), app::DataState::Open);
  QVERIFY(shown.mark().isEmpty());
  studio.trigger("redo");
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && allThere(), kLongMs);

  // One that answers may give way as well, which can be undone.
  const auto other = start();
  QVERIFY(!other->address.isEmpty());
  studio.window.pipeline().selectData(name);
  studio.trigger("renderer");
  QTRY_VERIFY_WITH_TIMEOUT(studio.window.findChild<ui::RendererDialog*>(), kPatienceMs);
  const QPointer again = studio.window.findChild<ui::RendererDialog*>();
  auto* const instead = again->findChild<QCheckBox*>("renderer.instead");
  QVERIFY(instead->isVisible() && !instead->isChecked());
  instead->setChecked(true);
  again->choose(ui::RendererDialog::Way::Running);
  again->findChild<QLineEdit*>("renderer.address")->setText(other->address);
  QTest::mouseClick(again->findChild<QPushButton*>("renderer.start"), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(
      source() == "slab://" + other->address.toStdString() && studio.rests() && allThere(), kLongMs);
  studio.trigger("undo");
  QCOMPARE(source(), "slab://" + renderer->address.toStdString());
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && allThere(), kLongMs);
}

void TestSlabFaults::bytesThatMeanNothingChangeNothing_data() {
  QTest::addColumn<int>("type");
  QTest::addRow("noise") << 0;
  QTest::addRow("a picture") << 161;
  QTest::addRow("a result") << 164;
  QTest::addRow("events") << 167;
  QTest::addRow("a welcome") << 145;
}

void TestSlabFaults::bytesThatMeanNothingChangeNothing() {
  QFETCH(int, type);
  const Renderer renderer(2, {at("flow.h5"), "--listen", "127.0.0.1:0"});
  QVERIFY(!renderer.address.isEmpty());
  BrokenLink link(static_cast<std::uint16_t>(renderer.port()));
  Shown shown(QString::fromStdString(link.address()));
  QTRY_VERIFY_WITH_TIMEOUT(shown.isSeen(), kLongMs);
  for (int time = 0; time < 2; ++time) {
    QVERIFY(link.count() > 0);
    link.say(type == 0 ? noise() : frameOfNoise(static_cast<std::uint8_t>(type)));
    QVERIFY(shown.showsAnew());
    QTRY_VERIFY_WITH_TIMEOUT(shown.isSeen(), kPatienceMs);
  }
}

void TestSlabFaults::whatIsNoRendererIsSaid() {
  // who connects is hung up on
  const Renderer renderer(1, {at("flow.h5"), "--listen", "127.0.0.1:0"});
  QVERIFY(!renderer.address.isEmpty());
  BrokenLink link(static_cast<std::uint16_t>(renderer.port()));
  link.down();
  const auto made = slabStudio();
  made->model.open({"slab://" + QString::fromStdString(link.address())});
  const auto state = [&] {
    const auto& data = made->session().data;
    return data.empty() ? app::DataState::Opening : made->model.stage().dataStatus(data.front().name).state;
  };
  QTRY_VERIFY_WITH_TIMEOUT(state() == app::DataState::Failed, kLongMs);
  // the window is there for others
  made->model.open({at("flow.h5")});
  QTRY_VERIFY_WITH_TIMEOUT(made->rests() && made->session().objects.size() >= 1, kLongMs);
}

/// As to a paging server: the certificate is compared, the token given, and what waited for it goes on.
void TestSlabFaults::oneThatAsksForATokenIsLoggedInTo() {
  forgetLogins("config");
  auto renderer = startWithToken("0", kToken);
  QVERIFY(!renderer->address.isEmpty());
  const QString port = QString::number(renderer->port());
  Shown shown("127.0.0.1:" + port);
  Studio& studio = shown.studio;
  const auto isRefused = [&] {
    const auto& sources = studio.session().data;
    return !sources.empty() &&
           studio.model.stage().dataStatus(sources.front().name).state == app::DataState::Failed;
  };
  QTRY_VERIFY_WITH_TIMEOUT(isRefused(), kLongMs);
  QVERIFY(studio.model.stage().dataStatus(studio.session().data.front().name).problem.asksForLogin);
  logIn(studio, "not-the-token-that-it-has", "the token is not known there");
  QVERIFY(isRefused());
  logIn(studio, kToken, "Logged in to", "Close");
  QTRY_VERIFY_WITH_TIMEOUT(shown.isSeen(), kLongMs);
  QCOMPARE(studio.session().data.size(), 1U);

  // It is open: nothing is added, and it is said what shows it.
  studio.model.openData({{"slab://127.0.0.1:" + port, {}}});
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QMessageBox>("warning"), kPatienceMs);
  const QString why = studio.child<QMessageBox>("warning")->informativeText();
  QVERIFY2(why.startsWith(QString::fromStdString(shown.name())) && why.contains("is open"), qPrintable(why));
  studio.child<QMessageBox>("warning")->reject();
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QMessageBox>("warning"), kPatienceMs);
  QCOMPARE(studio.session().data.size(), 1U);

  // Another token: what is wanted anew says that it is to be logged in again.
  renderer.reset();
  renderer = startWithToken(port, kOther);
  QVERIFY(!renderer->address.isEmpty());
  studio.trigger("addIsosurface");
  const app::ObjectId surface = studio.newest();
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(surface), app::ObjectState::Failed, kLongMs);
  QVERIFY2(studio.model.stage().status(surface).problem.asksForLogin,
           studio.model.stage().status(surface).problem.message.c_str());
  logIn(studio, kOther, "Logged in to");
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(surface), app::ObjectState::Done, kLongMs);
}

/// Nothing is computed then that could fail for it: the data say what is lacking, and go on in their own place.
void TestSlabFaults::anotherTokenIsAskedForWhereAVolumeAloneIsShown() {
  forgetLogins("config-of-a-volume");
  auto renderer = startWithToken("0", kToken);
  QVERIFY(!renderer->address.isEmpty());
  const QString port = QString::number(renderer->port());
  Shown shown("127.0.0.1:" + port);
  Studio& studio = shown.studio;
  logIn(studio, kToken, "Logged in to");
  QTRY_VERIFY_WITH_TIMEOUT(shown.isSeen(), kLongMs);
  const auto ids = studio.model.document().objectIds();
  QCOMPARE(ids.size(), std::size_t{2});
  studio.model.document().edit("Alone", [&](app::Draft& draft) { draft.remove(ids.front()); });
  QVERIFY(studio.model.document().object(shown.volume));
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  QVERIFY(!loginOffer(studio));

  renderer.reset();
  renderer = startWithToken(port, kOther);
  QVERIFY(!renderer->address.isEmpty());
  QTRY_VERIFY2_WITH_TIMEOUT(shown.mark().contains("the token is not known there"), qPrintable(shown.mark()),
                            kLongMs);
  QVERIFY2(!shown.mark().contains("has ended"), qPrintable(shown.mark()));
  auto* const above = studio.child<QPushButton>("notice.button");
  QTRY_VERIFY_WITH_TIMEOUT(above->isVisible() && above->text() == "Log in …", kPatienceMs);
  studio.window.pipeline().selectData(shown.name());
  QTRY_VERIFY_WITH_TIMEOUT(studio.child<QPushButton>("data.login"), kPatienceMs);
  QVERIFY(studio.child<QPushButton>("data.login")->isVisible());
  // The same address once more asks there again, and adds nothing.
  studio.trigger("connect");
  QTRY_VERIFY_WITH_TIMEOUT(studio.window.findChild<ui::ConnectDialog*>(), kPatienceMs);
  const QPointer dialog = studio.window.findChild<ui::ConnectDialog*>();
  dialog->findChild<QLineEdit*>("connect.place")->setText("slab://127.0.0.1:" + port);
  QTest::mouseClick(dialog->findChild<QPushButton*>("connect.open"), Qt::LeftButton);
  QTRY_VERIFY_WITH_TIMEOUT(!dialog, kPatienceMs);
  QCOMPARE(studio.session().data.size(), 1U);
  QTRY_VERIFY_WITH_TIMEOUT(!studio.model.stage().dataStatus(shown.name()).isReadAgain, kLongMs);
  QVERIFY2(shown.mark().contains("the token is not known there"), qPrintable(shown.mark()));

  logIn(studio, kOther, "Logged in to");
  QTRY_VERIFY2_WITH_TIMEOUT(shown.mark().isEmpty(), qPrintable(shown.mark()), kLongMs);
  QVERIFY(shown.showsAnew());
  QCOMPARE(studio.session().data.size(), 1U);
  QCOMPARE(studio.session().objects.size(), 1U);
  QVERIFY(!studio.window.findChild<ui::NoticeBar*>()->isVisibleTo(&studio.window));
  QVERIFY(!loginOffer(studio));
}

QTEST_MAIN(TestSlabFaults)
#include "tst_slab_faults.moc"
