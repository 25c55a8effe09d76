// Playing through the steps of an unstructured grid whose cells stay: which faces of a wall meet is found out once for an object there,
// and not at each step, nor when the object is changed.

#include <QTest>

#include <sstream>

#include "core/trace/trace.h"
#include "tests/gui/model/theatre.h"
#include "tests/support/file_contents.h"
#include "tests/support/turning_flow.h"

using namespace farfield;
using namespace farfield::test;

namespace {

constexpr const char* kSource = "mesh://cube";
constexpr int kSteps = 4;

class CubeReader final : public fields::DataReader {
 public:
  std::string name() const override { return "mesh"; }
  bool recognizes(const std::string& source) const override { return source == kSource; }
  std::unique_ptr<fields::OpenData> open(const fields::OpenRequest&, MemoryAccount& account) const override {
    return openTurningFlow(8, kSteps, account);
  }
};

std::shared_ptr<const fields::ReaderRegistry> readers() {
  auto registry = std::make_shared<fields::ReaderRegistry>();
  registry->add(std::make_unique<CubeReader>());
  return registry;
}

/// How many times it was begun.
int timesLinked(const std::string& trace) {
  std::istringstream lines(trace);
  int times = 0;
  for (std::string line; std::getline(lines, line);)
    times +=
        line.find("\"ph\":\"B\"") != std::string::npos && line.find("\"link faces\"") != std::string::npos;
  return times;
}

}  // namespace

class TestLinkedFaces : public QObject {
  Q_OBJECT
 private slots:
  void areLinkedOnceForAllSteps_data();
  void areLinkedOnceForAllSteps();
};

void TestLinkedFaces::areLinkedOnceForAllSteps_data() {
  QTest::addColumn<bool>("isTexture");
  QTest::newRow("lines") << false;
  QTest::newRow("a texture") << true;
}

void TestLinkedFaces::areLinkedOnceForAllSteps() {
  QFETCH(bool, isTexture);
  session::Object object;
  object.name = "oil";
  object.data = "flow";
  if (isTexture)
    object.shape = session::Lic{.vector = {"flow"}, .resolution = 60};
  else
    object.shape = session::SurfaceLines{.vector = {"flow"}, .count = 40};
  session::GridSurface wall;
  wall.surface = "boundary";
  session::surfaceUnder(object)->shape = wall;
  trace::start();
  {
    Theatre theatre(64 * kMiB, readers());
    const app::ObjectId id = theatre.open(object, kSource);
    const auto isDone = [&] {
      return theatre.stateOf(id) == app::ObjectState::Done && !theatre.pictures.empty() &&
             theatre.pictures.back().complete;
    };
    QTRY_VERIFY_WITH_TIMEOUT(isDone(), kPatienceMs);
    const auto goTo = [&](std::int64_t step) {
      theatre.pictures.clear();
      theatre.stage.setStep(step);
      QTRY_VERIFY_WITH_TIMEOUT(isDone(), kPatienceMs);
    };
    for (const std::int64_t step : {1, 2, 3, 0}) goTo(step);
    theatre.pictures.clear();
    if (isTexture)
      std::get<session::Lic>(object.shape).resolution = 80;
    else
      std::get<session::SurfaceLines>(object.shape).count = 70;
    theatre.document.setObject(id, object, "Change");
    QTRY_VERIFY_WITH_TIMEOUT(isDone(), kPatienceMs);
    goTo(2);
  }
  const TemporaryFolder folder;
  trace::stopAndWrite(folder / "trace.json");
  QCOMPARE(timesLinked(fileContents(folder / "trace.json")), 1);
}

QTEST_MAIN(TestLinkedFaces)
#include "tst_linked_faces.moc"
