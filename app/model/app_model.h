#pragma once
// Everything that a window works with, made in the right order and taken down in the right order: the
// document and what watches over it, the engine, the stage, what is remembered between runs.

#include <QObject>
#include <QString>
#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/model/document/document.h"
#include "app/model/document/recovery.h"
#include "app/model/document/session_maps.h"
#include "app/model/fields/object_fields.h"
#include "app/model/files/data_files.h"
#include "app/model/files/session_files.h"
#include "app/model/object_tree.h"
#include "app/model/settings/settings.h"
#include "app/model/stage/stage.h"
#include "app/model/workshop/engine.h"
#include "app/model/workshop/watchdog.h"

namespace farfield::app {

/// One way in which files can be read that fit several, and the reader's options that settle on it.
struct FileReading {
  std::string text;
  std::map<std::string, std::string> options;
};

/// What the composition root hands in.
struct AppParts {
  std::shared_ptr<const fields::ReaderRegistry> readers;
  /// Draws a scene and writes it as PNG, with no display; empty in builds without.
  std::function<void(const scene::Scene& scene, std::array<int, 2> sizePixels,
                     const std::filesystem::path& path)>
      drawImage;
  session::VolumeMaker makeVolume = {};  ///< empty in builds that cannot cast
  session::SlabMaker makeSlabs = {};     ///< the same
  session::ResultAsker askResults = {};  ///< the same
  flow::LineEngine traceLines = {};      ///< on a device; empty: tasks do
  /// Where levels of detail of volumes are kept; null: nowhere.
  std::shared_ptr<const paging::KeptLevels> keptLevels = nullptr;
  std::vector<std::string> colorMaps;
  /// The ways in which a grid and its solution (may be empty) can be read; empty where there is nothing to
  /// choose. Looks into the files; any thread; may throw.
  std::function<std::vector<FileReading>(const std::string& grid, const std::string& solution)> readingsOf =
      {};
  /// Whether there is a file of this URL on a web server or S3. Waits for the network; any thread; may throw. May be empty: none.
  std::function<bool(const std::string& url)> isThere = {};
  /// Ends waits for what is far away, for good: called first when the model goes. May be empty.
  std::function<void()> endWaits = {};
  /// The program that has the subcommands; empty: the one that is running.
  QString program = {};
  // For tests: places other than the user's own.
  QString settingsFile = {};
  QString dataFolder = {};   ///< of work to be recovered
  QString cacheFolder = {};  ///< of results that wait
};

/// Lives on the UI thread.
class AppModel : public QObject {
  Q_OBJECT
 public:
  explicit AppModel(AppParts parts, QObject* parent = nullptr);
  ~AppModel() override;

  Settings& settings() { return *m_settings; }
  Document& document() { return *m_document; }
  SessionMaps& maps() { return *m_maps; }
  SessionFiles& files() { return *m_files; }
  Engine& engine() { return *m_engine; }
  Stage& stage() { return *m_stage; }
  ObjectTree& tree() { return *m_tree; }
  Recovery& recovery() { return *m_recovery; }
  Watchdog& watchdog() { return *m_watchdog; }
  const AppParts& parts() const { return m_parts; }

  /// Opens what is named: a session takes the place of the document (loadFailed() where it cannot be read),
  /// data are added to it. Several files are put together as they belong.
  void open(const QStringList& paths);
  /// The same of paths that have been looked at.
  void openPicked(const Picked& picked);
  /// Adds data as one step. Once they are open, first objects are added, unless the document shows something
  /// of them by then.
  /// Data elsewhere that could not be opened, and are wanted once more, are tried again and not added; what a renderer shows is not added
  /// twice.
  void openData(const std::vector<DataFiles>& wanted);
  /// Whether `dataName` opens these files, and reads them so where that is said.
  bool isOf(const std::string& dataName, const DataFiles& files) const;
  void openSession(const QString& path);
  /// Writes the session: saved(), saveFailed(), or changedElsewhere() where the document's own file is not as it was read or written last
  /// and is not to be replaced, `whatever` it holds.
  void save(const QString& path, bool whatever = false);
  /// Adds an object of `type` that suits the data; to the first data that are open where none are named.
  /// One that lies on a surface lies on `under`, if that is one, or on the surface of `under`, or else on the last surface of
  /// these data that is seen, or on a new slice. A probe begins at `place`, where that is given. A rake that may lie in a hole of the
  /// data is moved to where there are data, as part of the same step; until such a place is found nothing is computed of it. So is a sheet of
  /// several blocks that may lie inside of them: it is shown of the blocks of which it is an outer face. What shows a
  /// vector on a surface where that is 0 or has no values shows another in its place, as part of the same step.
  ObjectId addObject(session::ObjectType type, const std::string& dataName = {}, ObjectId under = 0,
                     const std::optional<Vec3>& place = {});
  /// Calls `then` with `place`; where the data may have a hole there, later, with a place as near as there are data, unless `asker` is
  /// gone by then.
  void seekInside(const std::string& dataName, Vec3 place, QObject* asker, std::function<void(Vec3)> then);
  /// Data that were elsewhere are at `url` now; what is shown of them stays.
  void giveAddress(const std::string& dataName, const QString& url);
  /// That name; if it is empty, the first data that are open.
  std::string openDataOr(const std::string& dataName) const;
  /// Fields of an object of the document.
  FieldSurroundings surroundingsOf(const session::Object& object) const;
  /// The budget, as the user has it; a part of it may be lent.
  std::uint64_t memoryBytes() const { return m_loan ? m_loan->budget : m_engine->memoryBytes(); }
  /// False, and nothing changes, where that is less than leastMemoryBytes().
  bool setMemoryBytes(std::uint64_t bytes);
  /// The least budget there can be now: what is lent cannot be taken back before its user is done.
  std::uint64_t leastMemoryBytes() const;
  /// Why it is more than ever, and what to do about it; empty where it is not.
  QString whyNotLessMemory() const;
  /// Lends half of it to a program that works beside the window, until takeMemoryBack(): how much. One at a time.
  std::uint64_t lendMemory();
  void takeMemoryBack();
  std::uint64_t lentBytes() const { return m_loan ? m_loan->lent : 0; }
  /// Ways to read data that could not be opened, or not before one was chosen, as far as they are known: see
  /// readingsFound().
  std::vector<FileReading> readings(const std::string& dataName) const;
  bool isReadSo(const std::string& dataName, const FileReading& reading) const;
  /// Settles on one, as one step.
  void chooseReading(const std::string& dataName, const FileReading& reading);
  /// The same with options of one's own, in place of those that `keys` name. As one step.
  void readAs(const std::string& dataName, const std::vector<std::string>& keys,
              const std::map<std::string, std::string>& options);
  /// Opens the grid without its solution, as one step.
  void leaveSolutionOut(const std::string& dataName);
  /// Of data that are a solution by itself: reads them with this grid.
  void giveGrid(const std::string& dataName, const QString& grid);
  /// What to paste into a report: version, machine, budget, stalls, data, problems.
  QString diagnostics() const;

 signals:
  void sessionLoaded(const QString& path);
  void loadFailed(const QString& path, const QString& problem);
  /// The document was changed while the session at `path` was being read: it is opened when `open` is called.
  void changedMeanwhile(const QString& path, const std::function<void()>& open);
  /// What of the paths to be opened is not opened, a sentence each; `nothing` else is.
  void notOpened(const QStringList& remarks, bool nothing);
  /// A solution is opened with a grid that no name says it belongs to.
  void gridTaken(const QString& solution, const QString& grid);
  /// It is another one: memoryBytes().
  void memoryChanged();
  /// A part of the memory budget is lent from now on, or no more.
  void memoryLent();
  void saved(const QString& path);
  void saveFailed(const QString& path, const QString& problem);
  /// Not saved: another program has changed the file since.
  void changedElsewhere(const QString& path);
  /// First objects were added to data that were opened.
  void firstObjectsAdded(const std::string& dataName);
  void readingsFound(const std::string& dataName);
  /// Objects of data that are read in another way have other colours now: which, and why.
  void colorsStandIn(const QString& said);

 private:
  void takeSession(const QString& path, const session::Session& session, const QByteArray& digest);
  Bounds boundsOf(const session::Object& object) const;
  ObjectId addOnSurface(const std::function<ObjectId(Draft&)>& add, session::ObjectType type);
  void seeOnSurface(ObjectId id);
  ObjectId addRake(session::Object object, const DataSummary& data);
  void placeRake(const ProbeAnswer& answer);
  ObjectId addSheet(session::Object object);
  bool isSought(ObjectId surface) const;
  void seekOuterSheets(ObjectId surface, const QString& step);
  void takeOuterSheets(const ProbeAnswer& answer);
  void addFirstObjects(const std::string& dataName);
  void suitColors(const std::string& dataName, const QString& key);
  void findReadings(const std::string& dataName);
  /// Whether data that are open are opened once more, as they are read best by who has chosen nothing; part of the step `key`.
  bool readForFirstSight(const std::string& dataName, const QString& key);
  /// Puts data that are open into the recent list.
  void remember(const std::string& dataName);

  AppParts m_parts;
  std::unique_ptr<Settings> m_settings;
  std::unique_ptr<SessionFiles> m_files;
  std::unique_ptr<Document> m_document;
  std::unique_ptr<SessionMaps> m_maps;
  std::unique_ptr<Recovery> m_recovery;
  std::unique_ptr<Engine> m_engine;
  std::unique_ptr<Stage> m_stage;
  std::unique_ptr<ObjectTree> m_tree;
  std::unique_ptr<Watchdog> m_watchdog;
  std::map<std::string, std::vector<FileReading>> m_readings;  ///< by key of the data
  /// Data that were opened alone and are to get first objects, with the key of the step that opened them.
  std::map<std::string, QString> m_fresh;
  /// Of a new object, as it begins; by the number of the request for a better place.
  struct NewRake {
    ObjectId id = 0;
    session::LineSeeds seeds;
    QString step;  ///< key of the step that added it
  };
  std::map<std::uint64_t, NewRake> m_newRakes;
  /// A new surface that may lie inside of the data, as it begins; likewise.
  struct NewSheet {
    ObjectId id = 0;
    session::GridSurface shape;
    QString step;
  };
  std::map<std::uint64_t, NewSheet> m_newSheets;
  std::uint64_t m_rakesSought = 0, m_placesSought = 0, m_sheetsSought = 0;
  /// With a vector, as it begins, until it is known whether anything is seen of it.
  struct NewOnSurface {
    std::vector<std::string> vector;
    QString step;  ///< key of the step that added it
  };
  void takeOtherVector(ObjectId id, const NewOnSurface& added);
  std::map<ObjectId, NewOnSurface> m_newOnSurfaces;
  std::uint64_t m_onSurfacesAdded = 0;
  struct Loan {
    std::uint64_t budget, lent, least;
  };
  std::optional<Loan> m_loan;
  std::set<std::string> m_unseen;  ///< of these, data for which nobody has chosen yet how they are read
};

}  // namespace farfield::app
