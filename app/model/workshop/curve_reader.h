#pragma once
// Reads the curves of a plot: those of one data set, or of several, which are read one after the other and shown together.

#include <QObject>
#include <vector>

#include "app/model/workshop/engine.h"

namespace farfield::app {

/// Whether it is of a line between two places that go with cells: `places` has these, and `from` and `to` are where they are at the step
/// only in the answer.
bool lineMoves(const CurveRequest& request);
/// But for these.
bool isAnswerTo(const CurveRequest& request, const CurveAnswer& answer);

/// Lives on the UI thread; no call waits. One for an engine.
class CurveReader : public QObject {
  Q_OBJECT
 public:
  explicit CurveReader(Engine& engine, QObject* parent = nullptr);
  /// In place of what was asked before.
  void read(std::vector<CurveRequest> requests);
  void stop();

 signals:
  /// Of the first requests, in their order; the last may be a part of an answer, and those behind it have not begun.
  void answered(const std::vector<farfield::app::CurveAnswer>& answers);

 private:
  void take(const CurveAnswer& answer);

  Engine& m_engine;
  std::vector<CurveRequest> m_requests;
  std::vector<CurveAnswer> m_answers;  ///< whole ones
};

}  // namespace farfield::app
