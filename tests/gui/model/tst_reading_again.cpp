// Data whose files another program has written anew while they were open, or of which the document says something else by now, as a function
// that was defined: they are read again in their own place. What shows them stays, and is what it would be of data that are opened now.

#include <QSignalSpy>
#include <QTest>
#include <QUndoStack>

#include "app/model/object_tree.h"
#include "app/model/own_functions.h"
#include "app/model/workshop/changed_files.h"
#include "core/fields/functions/defined_functions.h"
#include "plugins/plot3d/plot3d_data.h"
#include "tests/gui/model/theatre.h"
#include "tests/support/run_program.h"

using namespace farfield;
using namespace farfield::app;
using namespace farfield::test;

namespace fs = std::filesystem;

namespace {

constexpr int kSteps = 6;
constexpr std::uint64_t kHeavyBytes = 40 * kMiB;

std::string stepName(int step) {
  return "flow_000" + std::to_string(step) + ".q";
}

session::Object wall() {
  session::Object object;
  object.name = "wall";
  object.data = "flow";
  object.shape = session::GridSurface{};
  object.color.by = "velocity-magnitude";
  return object;
}

/// PLOT3D, with an index that takes more than half of the memory.
class HeavyData final : public fields::OpenData {
 public:
  HeavyData(std::unique_ptr<fields::OpenData> inner, MemoryClaim claim)
      : m_claim(std::move(claim)), m_inner(std::move(inner)) {}
  const paging::DatasetDescription& description() const override { return m_inner->description(); }
  std::uint64_t largestStoredBytes() const override { return m_inner->largestStoredBytes(); }
  std::vector<std::unique_ptr<paging::PageSource>> makeSources(
      MemoryAccount& account, const fields::SourceOptions& options) const override {
    return m_inner->makeSources(account, options);
  }

 private:
  MemoryClaim m_claim;
  std::unique_ptr<fields::OpenData> m_inner;
};
class HeavyReader final : public fields::DataReader {
 public:
  std::string name() const override { return m_inner.name(); }
  bool recognizes(const std::string& source) const override { return m_inner.recognizes(source); }
  std::unique_ptr<fields::OpenData> open(const fields::OpenRequest& request,
                                         MemoryAccount& account) const override {
    MemoryClaim claim = account.claim(Purpose::Index, kHeavyBytes, "a heavy index");
    return std::make_unique<HeavyData>(m_inner.open(request, account), std::move(claim));
  }

 private:
  plot3d::Plot3dDataReader m_inner;
};

template <class Reader>
std::shared_ptr<const fields::ReaderRegistry> readers() {
  auto registry = std::make_shared<fields::ReaderRegistry>();
  registry->add(std::make_unique<Reader>());
  return registry;
}

}  // namespace

class TestReadingAgain : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void changedFilesAreNamed();
  void whatIsShownIsComputedAnew();
  void whatWasSeenIsOfTheFiles();
  void stepsComeAndGo();
  void whatIsHiddenIsNotOfTheOldFiles();
  void whatCannotBeReadStays();
  void itCanBeStopped();
  void oldDataMakeRoom();
  void allNamesOfFilesAreOpenedAgain();
  void whatIsDefinedWaitsForTheFiles();
  void whatIsDefinedMakesRoom();
  void theNewestOptionsCount();

 private:
  struct Shown : Theatre {
    Shown(const fs::path& made, int steps,
          const std::shared_ptr<const fields::ReaderRegistry>& all = readers<plot3d::Plot3dDataReader>())
        : Theatre(64 * kMiB, all), from(made) {
      stage.watchEvery(std::chrono::hours(1));  // nobody but the user asks for it
      fs::copy(made / "flow.xyz", folder / "flow.xyz");
      for (int n = 0; n < steps; ++n) put(n, n);
      show(*this);
    }
    /// The same files, opened now.
    Shown(const Shown& other, std::int64_t step) : Theatre(64 * kMiB, readers<plot3d::Plot3dDataReader>()) {
      show(other);
      const auto isOver = [&] { return isDone() || (stateOf(id) == ObjectState::Failed && !stage.isBusy()); };
      if (QTest::qWaitFor(isOver, kPatienceMs) && isDone()) stage.setStep(step);
    }
    void show(const Shown& files) {
      document.edit("Open", [&](Draft& draft) {
        draft.frame().data.push_back(
            {"flow", {(files.folder / "flow.xyz").string()}, {(files.folder / "flow_*.q").string()}, {}, {}});
        id = draft.add(wall());
      });
    }
    void put(int step, int as) const {
      fs::copy_file(from / stepName(step), folder / stepName(as), fs::copy_options::overwrite_existing);
    }
    void define(const char* name, const char* expression) {
      defineFunction(document, "flow", name, expression);
    }
    bool has(const std::string& name) const {
      const auto summary = stage.summary("flow");
      return summary && summary->description.attributes.contains(std::string(fields::kDefinitionKey) + name);
    }
    bool isDone() const { return stateOf(id) == ObjectState::Done && !stage.isBusy(); }
    std::optional<std::array<double, 2>> range() const { return stage.status(id).shownRange; }
    fs::path from;
    ObjectId id = 0;
  };
  TemporaryFolder m_made;
};

void TestReadingAgain::initTestCase() {
  const RunResult made = runProgram({"sample", "cylinder", "-o", "flow", "--size", "17,17,5", "--steps",
                                     std::to_string(kSteps), "--format", "plot3d", "--quiet"},
                                    {.folder = m_made.path()});
  QVERIFY2(made.status == 0, made.errors.c_str());
}

void TestReadingAgain::changedFilesAreNamed() {
  QCOMPARE(
      changedFile("patch 0: file /data/day1.nc: array iblank of block 0: page 0 of step 2: chunk 0: file "
                  "/data/day 3.nc: has changed since it was opened"),
      QString("day 3.nc"));
  QCOMPARE(changedFile("page 3: /data/flow.h5: has changed since it was opened"), QString("flow.h5"));
  QCOMPARE(changedFile("array q: http://host:80/a/flow.h5: has changed since it was opened"),
           QString("http://host:80/a/flow.h5"));
  QCOMPARE(changedFile("file /data/flow.h5: is cut short"), QString());
  QCOMPARE(windowText("patch 0: file a/flow.q: has changed since it was opened; open the data again"),
           QString("flow.q has changed since it was opened; “Read again” takes the data as they are now"));
}

void TestReadingAgain::whatIsShownIsComputedAnew() {
  Shown shown(m_made.path(), 3);
  QTRY_VERIFY_WITH_TIMEOUT(shown.isDone() && shown.stage.steps() == 3, kPatienceMs);
  shown.put(5, 2);
  shown.stage.setStep(2);
  QTRY_COMPARE_WITH_TIMEOUT(shown.stateOf(shown.id), ObjectState::Failed, kPatienceMs);
  QVERIFY(asksToReadAgain(shown.stage.status(shown.id).problem));
  QCOMPARE(
      stateText(shown.stage.status(shown.id)),
      QString("flow_0002.q has changed since it was opened; “Read again” takes the data as they are now"));
  const session::Session before = shown.document.session();
  const int steps = shown.document.undoStack().count();
  QSignalSpy opening(&shown.engine, &Engine::opening);
  QSignalSpy done(&shown.stage, &Stage::dataReadAgain);
  shown.stage.readAgain("flow");
  QVERIFY(shown.stage.isBusy() && shown.stage.dataStatus("flow").isReadAgain);
  QTRY_VERIFY_WITH_TIMEOUT(done.size() == 1 && shown.isDone(), kPatienceMs);
  QVERIFY(!shown.stage.dataStatus("flow").isReadAgain);
  QCOMPARE(shown.stage.step(), 2);
  const Shown now(shown, 2);
  QTRY_VERIFY_WITH_TIMEOUT(now.isDone() && now.stage.step() == 2, kPatienceMs);
  QVERIFY(shown.range() && shown.range() == now.range());
  // Another step, and then the one that is shown.
  shown.put(2, 1);
  shown.stage.readAgain("flow");
  QTRY_VERIFY_WITH_TIMEOUT(done.size() == 2 && shown.isDone(), kPatienceMs);
  shown.stage.setStep(1);
  QTRY_VERIFY_WITH_TIMEOUT(shown.isDone(), kPatienceMs);
  const Shown other(shown, 1);
  QTRY_VERIFY_WITH_TIMEOUT(other.isDone() && other.stage.step() == 1, kPatienceMs);
  QVERIFY(shown.range() && shown.range() == other.range() && shown.range() != now.range());
  shown.put(3, 1);
  shown.stage.readAgain("flow");
  QTRY_VERIFY_WITH_TIMEOUT(done.size() == 3 && shown.isDone(), kPatienceMs);
  const Shown again(shown, 1);
  QTRY_VERIFY_WITH_TIMEOUT(again.isDone() && again.stage.step() == 1, kPatienceMs);
  QVERIFY(shown.range() == again.range() && shown.range() != other.range());
  // Nothing was closed meanwhile, and nothing of the document has changed.
  QCOMPARE(opening.size(), 0);
  QCOMPARE(shown.document.undoStack().count(), steps);
  QVERIFY(shown.document.session().objects == before.objects && shown.document.session().data == before.data);
}

/// Values that were looked at while the data were opened: of other files they are others.
void TestReadingAgain::whatWasSeenIsOfTheFiles() {
  Shown shown(m_made.path(), 1);
  QTRY_VERIFY_WITH_TIMEOUT(shown.isDone(), kPatienceMs);
  const auto seen = [](const Theatre& theatre) { return theatre.stage.summary("flow")->seenRanges; };
  const auto before = seen(shown);
  QVERIFY(!before.empty());
  QSignalSpy done(&shown.stage, &Stage::dataReadAgain);
  shown.put(4, 0);
  shown.stage.readAgain("flow");
  QTRY_VERIFY_WITH_TIMEOUT(done.size() == 1 && shown.isDone(), kPatienceMs);
  const Shown now(shown, 0);
  QTRY_VERIFY_WITH_TIMEOUT(now.isDone(), kPatienceMs);
  QVERIFY(seen(shown) == seen(now) && seen(shown) != before);
}

void TestReadingAgain::stepsComeAndGo() {
  Shown shown(m_made.path(), 4);
  QTRY_VERIFY_WITH_TIMEOUT(shown.isDone() && shown.stage.steps() == 4, kPatienceMs);
  shown.stage.setStep(3);
  QTRY_VERIFY_WITH_TIMEOUT(shown.isDone(), kPatienceMs);
  QSignalSpy ended(&shown.engine, &Engine::ended);
  fs::remove(shown.folder / stepName(3));
  fs::remove(shown.folder / stepName(2));
  shown.stage.readAgain("flow");
  QTRY_VERIFY_WITH_TIMEOUT(shown.stage.steps() == 2 && shown.isDone(), kPatienceMs);
  QCOMPARE(shown.stage.step(), 1);
  const Shown now(shown, 1);
  QTRY_VERIFY_WITH_TIMEOUT(now.isDone() && now.stage.step() == 1, kPatienceMs);
  QVERIFY(shown.range() == now.range());
  for (int step = 2; step < kSteps; ++step) shown.put(step, step);
  shown.stage.readAgain("flow");
  QTRY_VERIFY_WITH_TIMEOUT(shown.stage.steps() == kSteps && shown.isDone(), kPatienceMs);
  QCOMPARE(shown.stage.step(), 1);
  // Nothing was asked of steps that were not there.
  for (const QList<QVariant>& each : ended)
    QVERIFY(each.front().value<ObjectOutcome>().end == ObjectEnd::Done);
}

void TestReadingAgain::whatIsHiddenIsNotOfTheOldFiles() {
  Shown shown(m_made.path(), 1);
  QTRY_VERIFY_WITH_TIMEOUT(shown.isDone(), kPatienceMs);
  const auto before = shown.range();
  const auto see = [&](bool visible) {
    session::Object object = *shown.document.object(shown.id);
    object.visible = visible;
    shown.document.setObject(shown.id, object, "Hide");
  };
  see(false);
  shown.put(4, 0);
  QSignalSpy done(&shown.stage, &Stage::dataReadAgain);
  shown.stage.readAgain("flow");
  QTRY_COMPARE_WITH_TIMEOUT(done.size(), 1, kPatienceMs);
  QCOMPARE(shown.stateOf(shown.id), ObjectState::Hidden);
  see(true);
  QTRY_VERIFY_WITH_TIMEOUT(shown.isDone(), kPatienceMs);
  const Shown now(shown, 0);
  QTRY_VERIFY_WITH_TIMEOUT(now.isDone(), kPatienceMs);
  QVERIFY(shown.range() == now.range() && shown.range() != before);
}

void TestReadingAgain::whatCannotBeReadStays() {
  Shown shown(m_made.path(), 3);
  QTRY_VERIFY_WITH_TIMEOUT(shown.isDone(), kPatienceMs);
  const auto pictures = shown.pictures.size();
  // A program that is in the middle of writing it.
  fs::resize_file(shown.folder / stepName(1), fs::file_size(shown.folder / stepName(1)) / 2);
  shown.stage.readAgain("flow");
  QTRY_VERIFY_WITH_TIMEOUT(!shown.stage.dataStatus("flow").isReadAgain, kPatienceMs);
  const DataStatus status = shown.stage.dataStatus("flow");
  QCOMPARE(status.state, DataState::Open);
  QVERIFY(status.summary && !shown.stage.isBusy());
  const QString text = stateText(status);
  QVERIFY2(text.startsWith("could not be read again, and is as it was: ") && text.contains("flow_0001.q"),
           qPrintable(text));
  QVERIFY(shown.isDone());
  QCOMPARE(shown.pictures.size(), pictures);
  QCOMPARE(shown.stage.steps(), 3);
  // Once it is written it can be.
  shown.put(1, 1);
  QSignalSpy done(&shown.stage, &Stage::dataReadAgain);
  shown.stage.readAgain("flow");
  QVERIFY(stateText(shown.stage.dataStatus("flow")) == "being read again");
  QTRY_VERIFY_WITH_TIMEOUT(done.size() == 1 && shown.isDone(), kPatienceMs);
  QCOMPARE(stateText(shown.stage.dataStatus("flow")), QString());
  // Of data that could not be opened at all, it tries to open them.
  Shown other(m_made.path(), 1);
  QTRY_VERIFY_WITH_TIMEOUT(other.isDone(), kPatienceMs);
  fs::resize_file(other.folder / "flow.xyz", 100);
  Shown broken(other, 0);
  QTRY_COMPARE_WITH_TIMEOUT(broken.stage.dataStatus("flow").state, DataState::Failed, kPatienceMs);
  fs::remove(other.folder / "flow.xyz");
  fs::copy(m_made.path() / "flow.xyz", other.folder / "flow.xyz");
  broken.stage.readAgain("flow");
  QTRY_VERIFY_WITH_TIMEOUT(broken.isDone(), kPatienceMs);
}

void TestReadingAgain::itCanBeStopped() {
  Shown shown(m_made.path(), 3);
  QTRY_VERIFY_WITH_TIMEOUT(shown.isDone(), kPatienceMs);
  QSignalSpy done(&shown.stage, &Stage::dataReadAgain), stopped(&shown.engine, &Engine::notReplaced);
  shown.stage.readAgain("flow");
  shown.stage.cancelAll();
  QTRY_VERIFY_WITH_TIMEOUT(!shown.stage.dataStatus("flow").isReadAgain && !shown.stage.isBusy(), kPatienceMs);
  QCOMPARE(done.size() + stopped.size(), 1);
  QCOMPARE(shown.stage.dataStatus("flow").state, DataState::Open);
  QCOMPARE(stateText(shown.stage.dataStatus("flow")), QString());
  // What is open can be used, and read again, as before.
  shown.stage.setStep(1);
  QTRY_VERIFY_WITH_TIMEOUT(shown.isDone(), kPatienceMs);
  const auto before = done.size();
  shown.stage.readAgain("flow");
  QTRY_VERIFY_WITH_TIMEOUT(done.size() == before + 1 && shown.isDone(), kPatienceMs);
}

void TestReadingAgain::oldDataMakeRoom() {
  Shown shown(m_made.path(), 2, readers<HeavyReader>());
  QTRY_VERIFY_WITH_TIMEOUT(shown.isDone(), kPatienceMs);
  shown.put(4, 0);
  QSignalSpy done(&shown.stage, &Stage::dataReadAgain), stays(&shown.engine, &Engine::notReplaced);
  shown.stage.readAgain("flow");
  QTRY_VERIFY_WITH_TIMEOUT(done.size() == 1 && shown.isDone(), kPatienceMs);
  QCOMPARE(stays.size(), 0);
  const Shown now(shown, 0);
  QTRY_VERIFY_WITH_TIMEOUT(now.isDone(), kPatienceMs);
  QVERIFY(shown.range() == now.range());
  // There is nothing to go back to then.
  fs::resize_file(shown.folder / "flow.xyz", 100);
  shown.stage.readAgain("flow");
  QTRY_COMPARE_WITH_TIMEOUT(shown.stage.dataStatus("flow").state, DataState::Failed, kPatienceMs);
  QVERIFY(!shown.stage.isBusy());
  fs::remove(shown.folder / "flow.xyz");
  fs::copy(m_made.path() / "flow.xyz", shown.folder / "flow.xyz");
  shown.stage.readAgain("flow");
  QTRY_VERIFY_WITH_TIMEOUT(shown.stage.dataStatus("flow").state == DataState::Open && shown.isDone(),
                           kPatienceMs);
}

/// Files that could not be opened, under two names: whoever shows them has them once they can.
void TestReadingAgain::allNamesOfFilesAreOpenedAgain() {
  Theatre theatre(64 * kMiB, readers<plot3d::Plot3dDataReader>());
  ObjectId first = 0, second = 0;
  theatre.document.edit("Open", [&](Draft& draft) {
    for (const char* const name : {"flow", "twin"})
      draft.frame().data.push_back({name,
                                    {(theatre.folder / "flow.xyz").string()},
                                    {(theatre.folder / stepName(0)).string()},
                                    {},
                                    {}});
    session::Object twin = wall();
    twin.name = twin.data = "twin";
    first = draft.add(wall());
    second = draft.add(twin);
  });
  const auto isState = [&](ObjectState state) {
    return theatre.stateOf(first) == state && theatre.stateOf(second) == state;
  };
  QTRY_VERIFY_WITH_TIMEOUT(isState(ObjectState::Failed), kPatienceMs);
  for (const std::string& file : {std::string("flow.xyz"), stepName(0)})
    fs::copy(m_made / file, theatre.folder / file);
  theatre.stage.retryOpening("twin");
  QTRY_VERIFY_WITH_TIMEOUT(isState(ObjectState::Done), kPatienceMs);
}

/// What was open stays, with its picture, until the files can be opened with it.
void TestReadingAgain::whatIsDefinedWaitsForTheFiles() {
  Shown shown(m_made.path(), 3);
  QTRY_VERIFY_WITH_TIMEOUT(shown.isDone(), kPatienceMs);
  shown.stage.setStep(2);
  QTRY_VERIFY_WITH_TIMEOUT(shown.isDone(), kPatienceMs);
  const auto range = shown.range();
  bool wasClosed = false;
  QObject::connect(&shown.stage, &Stage::dataStatusChanged, &shown.stage,
                   [&] { wasClosed |= shown.stage.dataStatus("flow").state != DataState::Open; });
  const QSignalSpy gone(&shown.stage, &Stage::itemGone);
  const fs::path grid = shown.folder / "flow.xyz", away = shown.folder / "away";
  fs::rename(grid, away);
  shown.define("twice", "pressure*2");
  QVERIFY(shown.stage.isBusy() && shown.stage.dataStatus("flow").isReadAgain);
  const auto isSaid = [&] {
    const QString said = stateText(shown.stage.dataStatus("flow"));
    return said.contains("could not be read again") && said.contains("flow.xyz");
  };
  const auto isAsBefore = [&] {
    return !wasClosed && gone.isEmpty() && shown.isDone() && shown.stage.step() == 2 &&
           shown.range() == range && shown.pictures.back().complete;
  };
  QTRY_VERIFY2_WITH_TIMEOUT(!shown.stage.isBusy() && isSaid(),
                            qPrintable(stateText(shown.stage.dataStatus("flow"))), kPatienceMs);
  QVERIFY(isAsBefore() && !shown.has("twice"));
  // It is tried as often as somebody wants.
  shown.stage.readAgain("flow");
  QTRY_VERIFY_WITH_TIMEOUT(!shown.stage.isBusy() && isSaid(), kPatienceMs);
  QVERIFY(isAsBefore() && !shown.has("twice"));
  fs::rename(away, grid);
  QSignalSpy done(&shown.stage, &Stage::dataReadAgain);
  shown.stage.readAgain("flow");
  QTRY_VERIFY_WITH_TIMEOUT(done.size() == 1 && shown.isDone(), kPatienceMs);
  QVERIFY(shown.has("twice") && isAsBefore());
  QCOMPARE(stateText(shown.stage.dataStatus("flow")), QString());

  // Taken back it is opened without; taken back before it could be opened, nothing is said of it any more.
  shown.document.undoStack().undo();
  QTRY_VERIFY_WITH_TIMEOUT(done.size() == 2 && shown.isDone(), kPatienceMs);
  QVERIFY(!shown.has("twice") && isAsBefore());
  fs::rename(grid, away);
  shown.document.undoStack().redo();
  QTRY_VERIFY_WITH_TIMEOUT(!shown.stage.isBusy() && isSaid(), kPatienceMs);
  shown.document.undoStack().undo();
  QCOMPARE(stateText(shown.stage.dataStatus("flow")), QString());
  QVERIFY(isAsBefore() && !shown.has("twice"));
  fs::rename(away, grid);
}

/// Where there is no memory for both, what was open goes first, and there is nothing to go back to.
void TestReadingAgain::whatIsDefinedMakesRoom() {
  Shown shown(m_made.path(), 2, readers<HeavyReader>());
  QTRY_VERIFY_WITH_TIMEOUT(shown.isDone(), kPatienceMs);
  shown.define("twice", "pressure*2");
  QTRY_VERIFY_WITH_TIMEOUT(shown.has("twice") && shown.isDone(), kPatienceMs);
  const fs::path grid = shown.folder / "flow.xyz";
  const auto size = fs::file_size(grid);
  fs::resize_file(grid, 100);
  shown.define("half", "pressure/2");
  QTRY_COMPARE_WITH_TIMEOUT(shown.stage.dataStatus("flow").state, DataState::Failed, kPatienceMs);
  QVERIFY(size > 100 && fs::remove(grid));
  fs::copy(m_made.path() / "flow.xyz", grid);
  shown.stage.readAgain("flow");
  QTRY_VERIFY_WITH_TIMEOUT(shown.has("twice") && shown.has("half") && shown.isDone(), kPatienceMs);
}

/// Whatever is being opened when they change; and what uses a function that comes with them waits for it.
void TestReadingAgain::theNewestOptionsCount() {
  Shown shown(m_made.path(), 1);
  QTRY_VERIFY_WITH_TIMEOUT(shown.isDone(), kPatienceMs);
  bool hasFailed = false;
  QObject::connect(&shown.stage, &Stage::statusChanged, &shown.stage,
                   [&](ObjectId id) { hasFailed |= shown.stateOf(id) == ObjectState::Failed; });
  shown.define("twice", "pressure*2");
  shown.define("half", "pressure/2");
  shown.document.undoStack().undo();
  shown.define("third", "pressure/3");
  QTRY_VERIFY_WITH_TIMEOUT(shown.has("third") && shown.isDone(), kPatienceMs);
  QVERIFY(shown.has("twice") && !shown.has("half") && !hasFailed);
  shown.document.edit("Colour", [&](Draft& draft) {
    draft.frame().data.front().options[std::string(fields::kDefinitionKey) + "tenth"] =
        session::OptionValue(std::string("pressure/10"));
    draft.object(shown.id).color.by = "tenth";
  });
  QTRY_VERIFY_WITH_TIMEOUT(shown.has("tenth") && shown.isDone(), kPatienceMs);
  QVERIFY(!hasFailed);
  QCOMPARE(shown.stage.status(shown.id).scale.title, std::string("tenth"));
  const auto tenth = shown.range();
  shown.document.undoStack().undo();
  QTRY_VERIFY_WITH_TIMEOUT(!shown.has("tenth") && shown.isDone(), kPatienceMs);
  QVERIFY(!hasFailed && tenth && shown.range() != tenth);
}

QTEST_GUILESS_MAIN(TestReadingAgain)
#include "tst_reading_again.moc"
