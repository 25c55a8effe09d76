// Views of what a renderer shows: they turn though it does not answer, and several of them do not get into each other's way.

#include <signal.h>

#include <QStandardPaths>
#include <map>
#include <set>

#include "app/ui/view_group.h"
#include "core/session/kinds/slabs/slabs_shape.h"
#include "tests/gui/window/slab_studio.h"
#include "tests/system/slab_renderer.h"

using namespace farfield;
using namespace farfield::test;

namespace {

/// A window that shows the data of a renderer, and what its views say of the volume.
struct Shown {
  explicit Shown(const QString& address) : made(slabStudio()), studio(*made) {
    studio.model.open({"slab://" + address});
    opened = QTest::qWaitFor([&] { return studio.session().objects.size() == 2; }, kPatienceMs);
    // not at once whole frames, so that axes are said
    studio.model.document().edit("Frames", [&](app::Draft& draft) {
      std::get<session::Slabs>(draft.object(studio.newest()).shape).frames = false;
    });
    listen(0);
  }
  qt3d::Viewport& view(std::size_t number) { return studio.window.views().view(number); }
  void listen(std::size_t number) {
    QObject::connect(&view(number), &qt3d::Viewport::volumeSeen, &listener,
                     [this, number](const QString&, const qt3d::VolumeSight& sight) {
                       last[number] = sight;
                       if (sight.slabs) axes[number].insert(sight.slabs->axes);
                     });
  }
  bool isComplete(std::size_t number) const {
    const auto found = last.find(number);
    return found != last.end() && found->second.state == qt3d::VolumeSight::State::Complete;
  }
  double degrees(std::size_t number) { return last[number].slabs ? last[number].slabs->degrees : -1; }
  /// From there, with as much around the data as before.
  void lookFrom(std::size_t number, Vec3 direction) {
    scene::Camera camera = view(number).camera();
    const double far = length(camera.position - camera.target);
    camera.up = std::abs(direction.z) > std::abs(direction.y) ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
    camera.position = camera.target + far / length(direction) * direction;
    view(number).setCamera(camera);
  }

  std::unique_ptr<Studio> made;
  Studio& studio;
  QObject listener;
  std::map<std::size_t, qt3d::VolumeSight> last;
  std::map<std::size_t, std::set<std::string>> axes;
  bool opened = false;
};

/// Processes that do not go on until it ends.
class Halted {
 public:
  Halted(const Renderer& renderer, int ranks) {
    for (int rank = 0; rank < ranks; ++rank) m_processes.push_back(renderer.processOf(rank));
    for (const qint64 process : m_processes)
      if (process > 0) ::kill(static_cast<pid_t>(process), SIGSTOP);
  }
  ~Halted() {
    for (const qint64 process : m_processes)
      if (process > 0) ::kill(static_cast<pid_t>(process), SIGCONT);
  }

 private:
  std::vector<qint64> m_processes;
};

}  // namespace

class TestSlabViews : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void aViewTurnsThoughNothingAnswers();
  void bothViewsHaveTheirFrames();
  void eachViewHasTheSlabsAlongItsAxis();

 private:
  QString at(const char* name) const { return QString::fromStdString((m_folder / name).string()); }
  TemporaryFolder m_folder;
};

void TestSlabViews::initTestCase() {
  if (QStandardPaths::findExecutable("mpirun").isEmpty()) QSKIP("there is no mpirun");
  SUCCEEDS(runFarfield(
      {"sample", "turbulence", "-o", at("flow.h5"), "--size", "96,96,96", "--format", "farfield"}));
  skipWithoutOpenGl();
}

/// At rest the view waits for slabs along another axis; it stood still, with all that was in it, until they came.
void TestSlabViews::aViewTurnsThoughNothingAnswers() {
  const Renderer renderer(1, {at("flow.h5"), "--listen", "127.0.0.1:0"});
  QVERIFY(!renderer.address.isEmpty());
  Shown shown(renderer.address);
  QVERIFY(shown.opened);
  shown.lookFrom(0, {0.1, 0.1, 1});
  QTRY_VERIFY_WITH_TIMEOUT(shown.isComplete(0) && shown.studio.viewRests(), kPatienceMs);
  QCOMPARE(shown.last[0].slabs->axes, std::string("+z"));
  const Halted halted(renderer, 1);
  for (int n = 0; n < 4; ++n) {
    // along x, where there are no slabs yet: those along z are turned
    const double before = shown.degrees(0);
    shown.lookFrom(0, {1, 0.1, 0.1 + 0.1 * n});
    QTRY_VERIFY_WITH_TIMEOUT(shown.degrees(0) != before, kPatienceMs);
    QCOMPARE(shown.last[0].slabs->axes, std::string("+z"));
    QVERIFY(!shown.isComplete(0));
  }
}

void TestSlabViews::bothViewsHaveTheirFrames() {
  const Renderer renderer(1, {at("flow.h5"), "--listen", "127.0.0.1:0"});
  QVERIFY(!renderer.address.isEmpty());
  Shown shown(renderer.address);
  QVERIFY(shown.opened);
  shown.studio.model.document().edit("Frames", [&](app::Draft& draft) {
    std::get<session::Slabs>(draft.object(shown.studio.newest()).shape).frames = true;
  });
  QTRY_VERIFY_WITH_TIMEOUT(shown.isComplete(0) && shown.studio.viewRests(), kPatienceMs);
  shown.studio.trigger("twoViews");
  QCOMPARE(shown.studio.window.views().count(), std::size_t{2});
  shown.listen(1);
  const auto haveBoth = [&] {
    return shown.isComplete(0) && shown.isComplete(1) && shown.last[0].slabs->isFrame &&
           shown.last[1].slabs->isFrame;
  };
  QTRY_VERIFY_WITH_TIMEOUT(haveBoth(), kPatienceMs);
  for (int n = 0; n < 3; ++n) {
    QTRY_VERIFY_WITH_TIMEOUT(shown.studio.viewRests(), kPatienceMs);
    shown.last.clear();
    shown.lookFrom(0, {1, 0.3 + 0.2 * n, 0.2});  // the other one follows
    shown.lookFrom(1, {1, 0.3 + 0.2 * n, 0.2});
    QTRY_VERIFY_WITH_TIMEOUT(haveBoth(), kPatienceMs);
  }
}

/// They drew the slabs along the axis that any of them had asked for last.
void TestSlabViews::eachViewHasTheSlabsAlongItsAxis() {
  const Renderer renderer(1, {at("flow.h5"), "--listen", "127.0.0.1:0"});
  QVERIFY(!renderer.address.isEmpty());
  Shown shown(renderer.address);
  QVERIFY(shown.opened);
  QTRY_VERIFY_WITH_TIMEOUT(shown.isComplete(0) && shown.studio.viewRests(), kPatienceMs);
  shown.studio.trigger("twoViews");
  shown.studio.trigger("linkCameras");  // they are not any more
  shown.listen(1);
  shown.lookFrom(0, {0.1, 0.1, 1});
  QTRY_VERIFY_WITH_TIMEOUT(shown.isComplete(0) && shown.last[0].slabs->axes == "+z", kPatienceMs);
  shown.lookFrom(1, {1, 0.1, 0.1});
  QTRY_VERIFY_WITH_TIMEOUT(shown.isComplete(1) && shown.last[1].slabs->axes == "+x", kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(shown.studio.viewRests(), kPatienceMs);
  shown.axes.clear();
  for (int n = 1; n < 4; ++n) {
    shown.last.clear();
    shown.lookFrom(0, {0.1 + 0.05 * n, 0.1, 1});
    QTRY_VERIFY_WITH_TIMEOUT(shown.isComplete(0), kPatienceMs);
    shown.lookFrom(1, {1, 0.1 + 0.05 * n, 0.1});
    QTRY_VERIFY_WITH_TIMEOUT(shown.isComplete(1), kPatienceMs);
  }
  QCOMPARE(shown.axes[0], std::set<std::string>{"+z"});
  QCOMPARE(shown.axes[1], std::set<std::string>{"+x"});
}

QTEST_MAIN(TestSlabViews)
#include "tst_slab_views.moc"
