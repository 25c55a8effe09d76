#pragma once
// The workshop as the user interface sees it: signals on the UI thread. What arrives of things that were
// forgotten meanwhile is dropped here, so that nobody is told of an object that is gone.

#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <stop_token>
#include <unordered_map>

#include "app/model/workshop/workshop.h"

namespace farfield::app {

/// Advice and findings of the command line in the words of a window: no "--memory 300M" there.
QString windowAdvice(const std::string& advice);
/// The same of both in one, as an error's line has them: "... are left; give at least --memory 22419K".
QString windowText(const QString& line);
/// The same of what is wrong: a key of the session in front is called as its property is.
QString windowMessage(const std::string& message);

/// Lives on the UI thread; no call waits.
class Engine : public QObject {
  Q_OBJECT
 public:
  Engine(std::shared_ptr<const fields::ReaderRegistry> readers, const WorkshopOptions& options,
         QObject* parent = nullptr);
  /// Stops everything and waits for it.
  ~Engine() override;

  void open(const std::string& key, std::function<fields::OpenRequest()> request);
  /// Workshop::lookAgain().
  void lookAgain(const std::string& key) { m_workshop->lookAgain(key); }
  /// Workshop::readAgain().
  void readAgain(const std::string& key, std::function<fields::OpenRequest()> request = {}) {
    m_workshop->readAgain(key, std::move(request));
  }
  /// Workshop::stopReading().
  void stopReading(const std::string& key) { m_workshop->stopReading(key); }
  void close(const std::string& key);
  /// Whether it was there, and is shown at once.
  bool compute(const ObjectRequest& request);
  void forget(ObjectId id);
  /// Workshop::hide().
  void hide(ObjectId id) { m_workshop->hide(id); }
  void cancel(ObjectId id) { m_workshop->cancel(id); }
  void cancelAll() { m_workshop->cancelAll(); }
  void setMemoryBytes(std::uint64_t bytes) { m_workshop->setMemoryBytes(bytes); }
  std::uint64_t memoryBytes() const { return m_workshop->memoryBytes(); }
  void makeLevels(ObjectId id) { m_workshop->makeLevels(id); }
  void stopLevels(ObjectId id) { m_workshop->stopLevels(id); }
  void probe(const ProbeRequest& request) { m_workshop->probe(request); }
  void readCurve(const std::optional<CurveRequest>& request) { m_workshop->readCurve(request); }
  /// Workshop::findRanges().
  void findRanges(const std::vector<RangeRequest>& requests) { m_workshop->findRanges(requests); }
  /// `done` is called on the UI thread, unless the engine is gone by then.
  void writeGeometry(ObjectId id, const QString& path, std::function<void(std::optional<Problem>)> done,
                     std::stop_token unwanted = {});
  /// The same for a picture of what is shown of `ids`, which `draw` makes on another thread (Workshop::draw).
  void draw(const std::vector<ObjectId>& ids, const scene::Scene& scene,
            std::function<void(const scene::Scene&)> draw, std::function<void(std::optional<Problem>)> done,
            std::stop_token unwanted = {});
  void setSight(const SightRequest& request) { m_workshop->setSight(request); }
  const WorkshopCounters& counters() const { return m_counters; }

 signals:
  void opening(const std::string& key);
  void opened(const std::string& key, std::shared_ptr<const farfield::app::DataSummary> summary);
  void grown(const std::string& key, std::shared_ptr<const farfield::app::DataSummary> summary);
  void replaced(const std::string& key, std::shared_ptr<const farfield::app::DataSummary> summary);
  void notReplaced(const std::string& key, const farfield::app::Problem& problem);
  void openFailed(const std::string& key, const farfield::app::Problem& problem);
  void started(farfield::app::ObjectId id);
  void pictureReady(const farfield::app::ObjectPicture& picture);
  void progressed(const farfield::app::ObjectProgress& progress);
  void ended(const farfield::app::ObjectOutcome& outcome);
  void levelsReported(const farfield::app::LevelsReport& report);
  void probed(const farfield::app::ProbeAnswer& answer);
  void curveRead(const farfield::app::CurveAnswer& answer);
  void rangeFound(const farfield::app::RangeFound& found);
  void counted(const farfield::app::WorkshopCounters& counters);

 private:
  bool isKnown(ObjectId id, std::uint64_t request) const;
  bool isSuperseded(const ObjectOutcome& outcome) const;

  std::unordered_map<ObjectId, std::uint64_t> m_firstRequest;  ///< since the object was last forgotten
  std::unordered_map<ObjectId, std::uint64_t> m_lastRequest;   ///< that has, or had, to be computed
  WorkshopCounters m_counters;
  std::unique_ptr<Workshop> m_workshop;
};

}  // namespace farfield::app
