#pragma once
// Shared by runs of objects made of lines: a spool of lines, which is drawn and counted.

#include "core/base/guarded_pointer.h"
#include "core/session/particles/polyline_spool.h"
#include "core/session/results/line_spool.h"
#include "core/session/run/object_run.h"

namespace farfield::session {

class LinesRun : public ObjectRun {
 public:
  using ObjectRun::item;
  scene::SceneItem item(const Object& look) const override;
  Bounds bounds() const override;
  void count(ObjectStats& stats) const override;
  ResultFacts facts(const TaskShare& share) const override;
  void handOver(const TaskShare& share, ResultSink& sink) const override;
  std::shared_ptr<ResultSink> takeOver(const ObjectSurroundings& surroundings,
                                       const paging::DatasetDescription& data, std::int64_t step,
                                       const ResultFacts& facts) override;

 protected:
  using ObjectRun::ObjectRun;
  /// Vertices are buffered per task up to this size before they go to the spool.
  static constexpr std::size_t kBlockBytes = 4096;
  static constexpr int kFirstValue = 4;  ///< the column of a vertex's first value, behind its point and time
  /// A new spool for `lines` lines, which is shown from now on; its vertices have so many `more` values behind those of the functions.
  std::shared_ptr<LineSpool> makeSpool(const ObjectSurroundings& surroundings, std::size_t lines,
                                       int more = 0);
  /// Of kinds that are handed over: how many lines there are at `step`, and how many that follow one another are shared as one.
  virtual std::uint64_t linesAt(const paging::DatasetDescription& data, std::int64_t step) const {
    (void)data, (void)step;
    return 0;
  }
  virtual std::uint64_t linesTogether() const { return 1; }
  /// And how many `more` values their vertices have; lines of an older renderer lack them.
  virtual int moreValues() const { return 0; }
  /// Of kinds that leave out lines: those that are shown, with columns as of polylinesOf(). Null: all are, or they are not chosen yet.
  virtual std::shared_ptr<const PolylineSpool> keptLines() const { return nullptr; }
  /// Of value `value` on what is shown.
  std::optional<std::array<double, 2>> shownRange(int value) const;
  /// The last one; null before the first.
  std::shared_ptr<LineSpool> spool() const { return m_spool.load(); }

 private:
  GuardedPointer<LineSpool> m_spool;
};

}  // namespace farfield::session
