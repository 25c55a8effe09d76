#pragma once
// Volumes in the view. Frames drawn by Qt 3D pass through here before they are shown, and get the volumes:
// rays are cast on a thread of their own, up to opaque items, first few of them, so that the view follows the
// hand, then more, and at last all. Where there are transparent items, all of a pixel count as one veil at the
// depth of the nearest: rays are cast before it and behind it.
//
// A frame is waiting, or being shown: its first pass runs to its end unless it takes long, because otherwise
// a view that turns, or a look that is dragged, would never show anything; later passes stop for a frame of
// another view. A frame of the same view, in more detail, is shown at once with what has been cast, and gets
// a last pass of its own if its depths differ.

#include <QString>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <thread>
#include <vector>

#include "render/qt3d/scene_renderer.h"
#include "render/qt3d/volume_sight.h"

namespace farfield::qt3d {

struct ViewedVolume {
  QString id;
  std::shared_ptr<const scene::VolumeGeometry> volume;
  scene::VolumeLook look;
  scene::ColorScale scale;
  double opacity = 1;
};

/// Whether volumes look the same in both.
bool sameView(const View& a, const View& b);

/// Its functions may be called from any thread, and do not wait.
class VolumeLayer {
 public:
  struct Events {
    /// A frame to be shown.
    std::function<void(const Frame&)> made;
    std::function<void(const QString& id, const VolumeSight&)> seen;
  };
  /// Events are called on the thread that presents frames, and on its own.
  explicit VolumeLayer(Events events);
  /// Waits until casting has stopped.
  ~VolumeLayer();
  VolumeLayer(const VolumeLayer&) = delete;
  VolumeLayer& operator=(const VolumeLayer&) = delete;

  void setVolumes(std::vector<ViewedVolume> volumes);
  void present(const Frame& frame);
  /// With everything cast completely; before anything else.
  void finish(const Frame& frame, std::function<void(const Frame&)> done);
  /// What is shown of the view of this number stays until something else is to be shown. Frames of that view may be yet to come.
  void stopRefining(std::uint64_t view);

 private:
  using Clock = std::chrono::steady_clock;
  struct Pass {
    int divisor = 1;
    bool whole = true;
    bool soon = false;
  };
  struct Capture {
    Frame frame;
    std::function<void(const Frame&)> done;
  };

  void run(const std::stop_token& stop);
  void endPatience(const std::stop_token& stop);
  void stopPassSoon();
  bool hasWork() const;
  bool hasPass() const;
  void takeFrame();
  void doPass(std::unique_lock<std::mutex>& lock);
  void doCapture(std::unique_lock<std::mutex>& lock);
  Pass passNow() const;
  struct Layers {
    QImage before;  ///< the veil, or what is opaque
    QImage behind;  ///< the veil; null: there is none
    QImage near;    ///< what is near where edges cross pixels; null: there are none
    bool isNull() const { return before.isNull(); }
  };
  void showDone(std::unique_lock<std::mutex>& lock, const Frame& frame,
                const std::vector<ViewedVolume>& volumes, const Layers& layer);
  void showPass(std::unique_lock<std::mutex>& lock, const Frame& frame,
                const std::vector<ViewedVolume>& volumes, const Layers& layer);
  /// Throws Cancelled; other errors of a volume are reported by an event.
  Layers cast(const Frame& frame, const std::vector<ViewedVolume>& volumes, Pass pass,
              const std::stop_token& stop, bool tells, bool& converged);
  struct CastJob {
    const Frame& frame;
    const std::vector<ViewedVolume>& volumes;
    Pass pass;
    QSize size;
    const std::stop_token& stop;
    bool tells;
  };
  struct Between {
    std::span<const float> from, to;  ///< empty: from the eye, without end
    bool veiled, behind;
  };
  std::vector<float> castBetween(const CastJob& what, const Between& between, bool& converged);
  void findCovered(const CastJob& what);
  /// Of this and later passes. False if another one has its name by now, which is not to be left out for it.
  bool leaveOut(const ViewedVolume& volume);
  /// The newest frame; null: none yet.
  const Frame* newest() const { return m_next ? &*m_next : m_frame ? &*m_frame : nullptr; }
  /// What is refined is said to be stopped where that has been asked for meanwhile.
  void tell(const QString& id, VolumeSight sight) const;
  void tellHolding(const QString& id, VolumeSight sight) const;
  static Frame composed(const Frame& frame, const Layers& layers);

  const Events m_events;
  mutable std::mutex
      m_telling;  // held while something is said, so that the last word is true; taken before the other
  mutable std::mutex m_mutex;  // guards everything below
  std::condition_variable_any m_wake;
  std::vector<ViewedVolume> m_volumes;
  std::uint64_t m_version = 0;              // of the volumes
  bool m_waits = false;                     // in this view, for volumes that are handed out anew
  std::atomic<bool> m_isWithdrawn = false;  // in this pass, of one that had been cast
  std::set<QString> m_leftOut;              // which failed, or whose pages were taken, until there are others
  std::map<QString, scene::VolumeShown> m_shown;  // of the last pass
  std::set<QString> m_lookedAt, m_seen;           // of the last pass: with rays in them; that show something
  std::set<QString> m_covered;                    // that would, were it not for what is opaque
  std::map<QString, scene::SlabsShown> m_slabsShown;
  std::optional<Frame> m_next;
  std::deque<Capture> m_captures;
  std::optional<Frame> m_frame;  // the one shown, without volumes
  Layers m_layers;               // cast for its view; null: nothing yet
  int m_reached = -1;            // the last pass in it
  int m_pass = 0;                // the next one; kDone: none
  bool m_stopped = false;        // by the user: what is refined of the newest view, not its first pass
  std::optional<std::uint64_t>
      m_stoppedIn;              // the view that it was stopped in, whether its frame is here or not
  bool m_firstStopped = false;  // the first pass took too long after that
  int m_castPass = -1;          // the running pass; -1: none
  Clock::time_point m_began;    // of the running pass
  std::stop_source m_stop;      // of the running pass
  double m_msPerRay = 0;        // of first passes; 0: unknown
  int m_divisor = 6;            // of the first pass
  Clock::time_point m_patientUntil =
      Clock::time_point::max();  // deadline of the running first pass, whose frame is outdated
  std::condition_variable_any m_hurry;
  std::jthread m_thread, m_patience;  // last: they use all of the above
};

}  // namespace farfield::qt3d
