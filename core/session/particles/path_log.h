#pragma once
// The paths of many particles, in memory as far as there is room and on disk, as runs of vertices in the order in which they were made. Each run
// knows the position of the particle's run before it, so a path is found from its last run backwards. What
// has been written never changes: a copy up to some length is a state to return to.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/base/geometry.h"
#include "core/session/particles/roomy_spool.h"

namespace farfield::session {

/// Thread-safe.
class PathLog {
 public:
  /// Vertices have `width` doubles; `room` may be null. Throws Io.
  PathLog(const std::filesystem::path& folder, int width, std::shared_ptr<SpoolRoom> room = nullptr);

  int width() const { return m_width; }

  /// Collects runs of several particles, so that the file is written seldom. Belongs to one task.
  class Writer {
   public:
    /// Null: keeps nothing. The log outlives it.
    explicit Writer(PathLog* log) : m_log(log) {}
    /// What follows, until end(), is of the particle whose last run is at `lastRun` (0: it has none). That becomes the position of
    /// the new run, never 0, by flush() at the latest. Vertices have the log's width. Throw Io.
    void begin(std::uint64_t& lastRun) { m_lastRun = &lastRun; }
    void vertex(Vec3 point, double time, std::span<const double> values);
    void end();
    void flush();
    /// Of memory, for vertices of `width`.
    static std::uint64_t bytesFor(int width);

   private:
    struct Ended {
      std::uint64_t* lastRun;
      std::size_t at;  ///< of its head
    };
    PathLog* m_log;
    std::uint64_t* m_lastRun = nullptr;
    std::optional<std::size_t> m_run;  ///< where the head of the run being made is
    std::unique_ptr<std::byte[]> m_bytes;
    std::size_t m_room = 0, m_size = 0;  ///< of these bytes
    std::vector<Ended> m_ended;
  };
  /// Reads paths, best those of neighbouring particles one after the other: their runs were written together, so what is read of
  /// the file for one path is kept for the next ones, up to 2 MiB. Of paths that need more, what does not fit is read run by run.
  class Reader {
   public:
    /// The log outlives it.
    explicit Reader(const PathLog& log) : m_log(log) {}
    /// Visits the runs of the path that ends with `last`, from the first on. Throws Io.
    void visit(std::uint64_t last, const std::function<void(std::span<const double>)>& visit);

   private:
    struct Window {
      std::uint64_t path = 0;  ///< the last one that used it
      std::uint64_t number = 0;
      std::vector<std::byte> bytes;  ///< of the file, from `number` times the size of a window on
    };
    void read(std::uint64_t at, std::span<std::byte> out);
    const Window* window(std::uint64_t number);
    std::size_t unused();

    const PathLog& m_log;
    std::uint64_t m_path = 1;
    std::vector<Window> m_windows;
    std::unordered_map<std::uint64_t, std::size_t> m_byNumber;
    std::size_t m_hand = 0;  ///< where the next window to be given up is looked for
    std::vector<std::uint64_t> m_runs;
    std::vector<double> m_run;
  };

  /// As RoomySpool::leaveMemory(), while nobody writes.
  void leaveMemory() { m_file.leaveMemory(); }
  /// Bytes so far; all of them are written while no task appends.
  std::uint64_t length() const { return m_file.length(); }
  /// Copies bytes from `first` on, or those that are not here yet, to or from the same position in `file`; `copied` is shown them all,
  /// in order. Throw Io.
  using Copied = std::function<void(std::span<const std::byte> part)>;
  void copyTo(File& file, std::uint64_t first, const Copied& copied) const;
  void copyFrom(const File& file, std::uint64_t length, const Copied& copied);

 private:
  struct Head {
    std::uint64_t previous = 0, doubles = 0;
  };
  int m_width;
  RoomySpool m_file;
};

}  // namespace farfield::session
