#pragma once
// What views of one scene have in common: the thread that draws, Qt 3D's engine with its graphics context, the buffers of all
// items and the targets that pictures are drawn into. Each of these would be held once more for each view otherwise, by the driver
// as well. Views take turns; their numbers of pixels are mostly equal, so the targets seldom change.

#include <QElapsedTimer>
#include <QObject>
#include <QOffscreenSurface>
#include <QThread>
#include <QTimer>
#include <atomic>
#include <functional>
#include <map>
#include <memory>

#include "render/qt3d/prepared_item.h"

namespace farfield::qt3d {

class Effects;
class FrameGraph;
class ItemNode;

/// Made and destroyed on the UI thread; everything else on the thread that draws, where the object lives.
class SharedScene : public QObject {
  Q_OBJECT
 public:
  /// With a thread of its own where the platform allows that.
  explicit SharedScene(int samples);
  /// Ends the engine and the thread. All who draw must be gone.
  ~SharedScene() override;
  SharedScene(const SharedScene&) = delete;
  SharedScene& operator=(const SharedScene&) = delete;

  /// From any thread: runs `call` on the thread that draws, and waits until it has.
  void runThere(const std::function<void()>& call);

  /// Makes the engine, once. Returns why nothing can be drawn; empty if it can.
  const QString& start();
  /// From now on nothing can be drawn.
  void fail(const QString& problem);
  bool isRunning() const { return m_engine != nullptr; }
  int samples() const { return m_samples; }
  bool isSoftware() const { return m_software; }

  // While it runs:
  FrameGraph& graph();
  Effects& effects();
  void processFrame();
  /// Holds the buffers of an item once more, until release(). Throws Invalid for an unknown colour map; then it is not held.
  void hold(const PreparedItemPtr& item, const Look& look);
  void release(const PreparedItem* item);
  /// Each item that is held.
  const std::map<const PreparedItem*, std::unique_ptr<ItemNode>>& nodes() const;

  /// Views say when they want a picture because something has changed, by any address that stands for them; or because dashes in them
  /// have moved on `byThemselves`.
  void wanted(const void* by, bool byThemselves = false);
  /// Milliseconds since any view did, but for others whose dashes move: that has no end, and no hand follows it.
  qint64 sinceWanted(const void* by) const;
  /// Whether other views than this one have wanted pictures lately.
  bool othersMove(const void* than) const;
  /// How many have wanted pictures lately, at least 1: so many share the time.
  int movingCount() const;
  /// After each picture: some time after the last of any view, and now and then while they follow one another, memory that was used for
  /// drawing goes back to the system.
  void drawn();

 private:
  struct Engine;
  QString probe();
  void endEngine();
  void giveBackMemory();

  QOffscreenSurface* m_surface;  // a child
  int m_samples;
  bool m_software = false;
  QString m_problem;
  std::unique_ptr<Engine> m_engine;
  std::shared_ptr<std::atomic<bool>>
      m_isOwed;  ///< the application's thread has yet to make a call for the engine
  QElapsedTimer m_clock;
  qint64 m_lastWanted = 0, m_lastGivenBack = 0;
  std::map<const void*, qint64> m_wantedBy;
  QTimer m_rest{this};
  QThread m_thread;
};

}  // namespace farfield::qt3d
