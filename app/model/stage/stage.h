#pragma once
// What is to be seen of a document: keeps the engine at what the document says, and knows of everything in it
// how far it is. It opens data as they appear in the document, computes objects as they change, takes away
// what is hidden or gone, and shows one step of the data's time. Data whose options change, as by a function that is defined, stay open as
// they are until they are open with the new ones, and where that fails for now.

#include <QObject>
#include <QString>
#include <QTimer>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "app/model/document/document.h"
#include "app/model/files/series_watch.h"
#include "app/model/stage/whole_ranges.h"
#include "app/model/workshop/engine.h"

namespace farfield::app {

enum class ObjectState { Hidden, Waiting, Running, Done, Failed, Cancelled };
struct ObjectStatus {
  ObjectState state = ObjectState::Hidden;
  int linesOfSeed = 1;   ///< as many, one for each direction
  bool isJoined = true;  ///< of particles: by lines
  QString inVain = {};   ///< once it is Done: why there is nothing of it in its data; empty: there may be
  QString notDrawn =
      {};  ///< why the view cannot draw what is there of it, in the window's words; empty: it can
  bool isAtRest =
      false;  ///< once it is Done: what it follows is 0 in all of its data at this step, the first one
  bool beganAtRest = false;  ///< the same of a later step: it was at the first one
  std::string waitsFor;      ///< a server that cannot be reached now, while Waiting or Running; empty: none
  double fraction = 0;       ///< done, while Running
  /// Of a volume whose grid is sampled to see which values there are, while Running: samples taken, of all; else 0.
  std::uint64_t samples = 0, allSamples = 0;
  double secondsLeft = 0;  ///< 0: not known
  Problem problem;
  session::ObjectStats stats;
  bool hasPicture = false;
  bool complete = false;  ///< the picture is all of it
  bool coarse = false;    ///< a part of the picture is a coarse stand-in
  std::optional<std::array<double, 2>>
      shownRange;  ///< of colours, as the legend has it; none: nothing is coloured
  Bounds bounds;
  scene::ColorScale scale;  ///< of the picture
  // Of volumes, as they are shown.
  scene::VolumeLook volumeLook;
  std::shared_ptr<const scene::VolumeGeometry> volume;
  LevelsReport levels;
};

enum class DataState { Opening, Open, Failed };
struct DataStatus {
  DataState state = DataState::Opening;
  Problem problem;  ///< where Failed; where Open: why they could not be read again, or their renderer is gone
  std::shared_ptr<const DataSummary> summary;  ///< where Open
  std::string lostServer = {};  ///< that cannot be reached now, though something is asked of it; empty: none
  bool isReadAgain =
      false;  ///< while they are Open: to be what their files are now, or what the document says
};

/// Lives on the UI thread.
class Stage : public QObject {
  Q_OBJECT
 public:
  Stage(Document& document, Engine& engine, QObject* parent = nullptr);
  ~Stage() override;

  ObjectStatus status(ObjectId id) const;
  DataStatus dataStatus(const std::string& name) const;
  /// nullptr where the data are not open.
  std::shared_ptr<const DataSummary> summary(const std::string& name) const;
  std::string keyOf(const std::string& name) const;

  /// Steps of the data with the most; at least 1.
  std::int64_t steps() const;
  std::int64_t step() const { return m_step; }
  /// The step that a session has that is saved now: the one that is shown, or is to be once the data are there.
  std::int64_t stepToKeep() const { return m_wantedStep > 0 ? m_wantedStep : m_step; }
  /// Its time, where that is known.
  std::optional<double> timeToKeep() const;
  void setStep(std::int64_t step);
  /// While steps are played: which one comes after the present one (-1: none), so that it is read ahead. For the next
  /// setStep().
  void expectStep(std::int64_t next) { m_nextStep = next; }
  /// Of the data that have times; the step's number where none has.
  double timeOf(std::int64_t step) const;
  /// Its date; nothing where the times of those data are no dates.
  std::optional<std::string> dateOf(std::int64_t step) const;

  /// Of all pictures that are shown; of the data where there is none.
  Bounds bounds() const;
  /// Of all open data.
  Bounds dataBounds() const;

  /// Whether anything is waiting, computed or opened.
  bool isBusy() const;
  /// While an object is dragged: it goes before others.
  void setUrgent(ObjectId id);
  /// What `id` shows is still to be chosen, by what its first computation tells: nothing is said of it until settle().
  void leaveOpen(ObjectId id) { m_open.insert(id); }
  void settle(ObjectId id);
  /// Whether what is said of an object is said now. Not while it is left open, nor while it is being dragged and the hand has not rested
  /// for a moment: what is said of a value it passes is gone with the next one.
  bool isSettled(ObjectId id) const {
    return !m_open.contains(id) && (id != m_urgent || !m_settles.isActive());
  }
  /// Values of a function that what is or was shown of these data had, where that is known.
  std::optional<std::array<double, 2>> shownValues(const std::string& dataName,
                                                   const std::string& function) const;
  /// Values of a function in the whole of these data, of all steps or of the one that is shown.
  WholeRange wholeRange(const std::string& dataName, const std::string& function, bool ofStep = false) const {
    return m_ranges.of(dataName, function, ofStep ? std::optional(m_step) : std::nullopt);
  }
  void recompute(ObjectId id);
  /// The view says why it cannot draw what is there of an object (ObjectStatus::notDrawn), or, with nothing, that it does.
  void noteDrawn(ObjectId id, const QString& whyNot);
  /// Objects that `add` adds to the document wait until they are changed or released, because where they begin is being sought. What
  /// waits so already waits on where `add` changes it.
  void hold(const std::function<void()>& add);
  void release(ObjectId id);
  void cancelAll();
  /// How often files of data are looked at, which grow while a simulation writes them. Where the last step is shown, the last of
  /// those that came is shown next.
  void watchEvery(std::chrono::milliseconds interval) { m_watch.setInterval(interval); }
  /// Data that could not be opened, once more.
  void retryOpening(const std::string& name);
  /// Data as their files are now; those that could not be opened, once more. Objects stay, and are computed anew. No change of the
  /// document. dataReadAgain() tells that it is done; where it fails, what is there stays, and while a server cannot be reached, it is
  /// tried again.
  void readAgain(const std::string& name);
  /// What the budget was too small for, once more: there is a larger one.
  void retryWhatLackedMemory();
  /// Whether a server wants to be logged in to before these data can be opened, or before what is shown of them can be computed.
  bool lacksLogin(const std::string& name) const;
  /// All that does, once more: somebody has logged in.
  void retryWhatLackedLogin();

 signals:
  /// To be shown in place of what was there under this id.
  void itemReady(farfield::app::ObjectId id, const farfield::scene::SceneItem& item, bool complete);
  void itemGone(farfield::app::ObjectId id);
  void statusChanged(farfield::app::ObjectId id);
  void dataStatusChanged(const std::string& name);
  /// There is more of shownValues() or wholeRange() of data under this key.
  void shownValuesChanged(const std::string& key);
  /// Data are open that were not before.
  void dataOpened(const std::string& name);
  /// They have more steps than before.
  void dataGrown(const std::string& name);
  /// They are what their files are now; `otherwise`: and what the document has said of them since.
  void dataReadAgain(const std::string& name, bool otherwise);
  /// A server that the data come from was lost, or is back: DataStatus::lostServer; or a renderer is back.
  void linkChanged(const std::string& name);
  void boundsChanged();
  void stepsChanged();
  void stepChanged(std::int64_t step);
  void busyChanged(bool busy);

 private:
  /// Data that are open and are opened once more in their own place. Asked until the engine tells what came of it; then gone, or waiting for
  /// its server, or over, where the document says what could not be opened.
  struct Again {
    std::string said;                              ///< what they are to be, as dataKey() has it
    std::function<fields::OpenRequest()> request;  ///< of that; empty: as they are
    std::optional<std::string> asked = {};         ///< while the engine is at it: `said` of then
    std::string server = {};                       ///< that did not answer; it is tried again
    Problem problem = {};                          ///< of the last time
    bool isGivenUp = false;                        ///< what was asked: something else was wanted meanwhile
    bool isStopped = false;                        ///< by the user
    bool isRefused = false;
  };

  /// Places as they were read last, whole.
  struct Reading {
    session::Probe probe;
    std::int64_t step = 0;
    std::vector<scene::PlaceMark> marks;
  };

  void shareScales(ObjectId changed);
  std::int64_t stepOf(const session::Object& object) const;
  void noteRead(ObjectId id);
  void showUnread();
  std::vector<scene::PlaceMark> marksNow(ObjectId id) const;
  void noteValues(ObjectId id, const std::string& function, std::array<double, 2> range);
  void noteColors(const ObjectPicture& picture);
  void syncAll();
  void syncData(bool mayKeep = true);
  void openData(const std::string& key, const session::DataSource& source);
  void watchFiles(const std::string& key, const session::DataSource& source);
  std::function<fields::OpenRequest()> requestOf(const session::DataSource& source) const;
  void syncObject(ObjectId id, bool anew = false);
  bool isWanted(ObjectId id) const;
  void dropObject(ObjectId id);
  void goOn(const std::string& key, const std::shared_ptr<const DataSummary>& summary);
  void takeAnew(const std::string& key, const std::shared_ptr<const DataSummary>& summary);
  bool canBeOpenedAgain(const std::string& key, const session::DataSource& source) const;
  void openAgain(const std::string& key, const std::string& said,
                 std::function<fields::OpenRequest()> request);
  void askAgain(const std::string& key, Again& again);
  void takeBack(const std::string& key);
  void hearNotReplaced(const std::string& key, const Problem& problem);
  void endReadingAgain(const std::string& key, const Problem& problem);
  void stopReadingAgain();
  bool comesOtherwise(const std::string& dataName) const;
  void syncDeferred(const std::vector<std::string>& names);
  void setLost(const std::string& key, DataStatus& status, const std::string& server);
  void updateBusy();
  void updateSteps();
  void setSteps(std::int64_t steps);
  void watchLinks(const WorkshopCounters& counters);
  std::vector<std::string> namesOf(const std::string& key) const;
  /// Data that have all the steps; null where none are open.
  const paging::DatasetDescription* withSteps() const;

  Document& m_document;
  Engine& m_engine;
  SeriesWatch m_watch;
  WholeRanges m_ranges;
  std::map<std::string, std::string>
      m_said;  ///< dataKey() of data in the document, by name, at the last look
  std::map<std::string, std::string> m_keys;  ///< of data in the document, by name
  std::map<std::string, DataStatus> m_data;   ///< by key
  /// By key: what is, or is being, opened under it, as dataKey() has it. Another one than the key where it has changed while they were open.
  std::map<std::string, std::string> m_opened;
  /// Keys under which the engine has had, or has, other data than they say.
  std::set<std::string> m_spent;
  std::map<std::string, Again> m_again;  ///< by key
  QTimer m_tryAgain;
  std::set<ObjectId> m_deferred;  ///< wait for data that are opened again otherwise
  std::map<ObjectId, ObjectStatus> m_objects;
  /// What is shown of an object.
  struct Shown {
    scene::SceneItem item;   ///< with the range of its own values
    scene::ColorScale sent;  ///< the scale with which it was handed out
    bool complete = false;
  };
  std::map<ObjectId, Shown> m_shown;
  std::map<ObjectId, Reading> m_readings;  ///< of probes
  std::set<ObjectId> m_unread;             ///< probes that are shown without what was read elsewhere
  QTimer m_readsSoon;                      ///< runs while what is read may still come before anybody looks
  std::set<ObjectId> m_held, m_open;
  bool m_holdsNew = false;
  ObjectId m_urgent = 0;
  QTimer m_settles;  ///< runs for a moment after each change of what is urgent
  std::map<std::pair<std::string, std::string>, std::array<double, 2>>
      m_shownValues;  ///< by key and function
  std::int64_t m_step = 0, m_steps = 1, m_nextStep = -1;
  /// Of a session that was opened, or of data that cannot be opened anew for now, until its data have it or somebody chooses another; 0: none.
  std::int64_t m_wantedStep = 0;
  /// The step that was shown when these data went, and their steps with them: by key, as they may come back with redo.
  std::map<std::string, std::int64_t> m_stepLeft;
  bool m_busy = false;
};

/// Equal for sources that open the same data in the same way, whatever they are called.
std::string dataKey(const session::Session& session, const session::DataSource& source);
/// The part of it that says which files, and which reader: options follow.
std::string filesKey(const session::Session& session, const session::DataSource& source);

}  // namespace farfield::app
