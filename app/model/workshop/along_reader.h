#pragma once
// Reads functions along the lines of an object, for plots: the lines are computed anew for each function (core/session/results/values_along.h),
// as an object of the engine that is no object of the session. So it has its share of memory, makes way for what is urgent, and is
// stopped like other objects.

#include <QObject>
#include <QString>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/model/workshop/engine.h"
#include "core/session/results/values_along.h"

namespace farfield::app {

struct AlongRequest {
  std::string dataKey;
  session::Object lines;  ///< as session::linesBy() makes them, without a function
  std::int64_t step = 0;
  std::vector<std::string> functions;
  bool operator==(const AlongRequest&) const = default;
};

/// Lives on the UI thread; no call waits. One for an engine.
class AlongReader : public QObject {
  Q_OBJECT
 public:
  /// Of all lines: more would be a cloud in a plot, and slow to draw.
  static constexpr std::uint64_t kMostPoints = 50'000;

  explicit AlongReader(Engine& engine, QObject* parent = nullptr);
  ~AlongReader() override;
  /// In place of what was asked before.
  void read(const AlongRequest& request);
  void stop();
  bool isReading() const { return m_request.has_value(); }

 signals:
  /// From 0 to 1.
  void progressed(double part);
  /// Without values there is a problem.
  void ended(std::shared_ptr<const farfield::session::ValuesAlong> values, const QString& problem);

 private:
  void computeNext();
  void collect();
  void end(std::shared_ptr<const session::ValuesAlong> values, const QString& problem);

  Engine& m_engine;
  std::optional<AlongRequest> m_request;
  std::size_t m_next = 0;  ///< of its functions
  std::shared_ptr<session::AlongCollector> m_collector;
  std::uint64_t m_number = 0;  ///< of the request: answers to others come too late
};

}  // namespace farfield::app
