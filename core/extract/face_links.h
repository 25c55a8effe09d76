#pragma once
// Which faces of a surface of an unstructured block meet at which of their sides. Grids store which cells meet, but not
// which faces of a border do, and cells of surfaces in space (flat_mesh.h) meet none. So the sides of all faces are sorted
// by their nodes, in as much memory as there is and on disk beyond, and what meets what is a table on disk, which is read at a place whenever
// a line leaves a face. Two faces meet at a side that just these two have; where three or more do, a surface
// branches, and none meets another. Sides whose nodes one face alone has are sorted once more, by where their nodes are: faces that have
// nodes of their own, as some files have them, meet where they have the very same coordinates, by the same rule.

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/base/file.h"
#include "core/base/geometry.h"
#include "core/base/memory_account.h"
#include "core/base/record_sorter.h"

namespace farfield::extract {

/// Corners of a face in order around it; of a triangle the last is there twice. Side n goes from corner n to the next.
using FaceCorners = std::array<std::int64_t, 4>;

/// A side of a face, seen from the other one that has it.
struct FaceSide {
  std::int64_t face = 0;
  int side = 0;
  bool isTurned = false;  ///< it goes the same way as there: one of the two faces is turned over
};

/// Immutable and thread-safe.
class FaceLinks {
 public:
  /// What lies beyond the sides of face `face`, counted from the first of the surface. Throws Io.
  std::array<std::optional<FaceSide>, 4> beyond(std::int64_t face) const;

 private:
  friend class FaceLinker;
  std::shared_ptr<const File> m_file;
  std::uint64_t m_at = 0;  ///< there, of each side the number of the one beyond it and 1; 0: none
};

/// Makes them.
class FaceLinker {
 public:
  /// A side of a face, numbered by the face, its place and which way it goes; at its ends the lower node first.
  struct Side {
    std::int64_t low, high;
    std::int64_t number;
    bool operator<(const Side& other) const {
      return low != other.low     ? low < other.low
             : high != other.high ? high < other.high
                                  : number < other.number;
    }
    bool hasEndsOf(const Side& other) const { return low == other.low && high == other.high; }
  };

  /// For `faces` faces, in about `bytes` of memory, which it claims as it needs them; what it does not hold waits in `folder`.
  /// Throws OverBudget.
  FaceLinker(std::int64_t faces, std::uint64_t bytes, MemoryAccount& account,
             const std::filesystem::path& folder);
  /// Of memory that is of use for so many faces.
  static std::uint64_t bytesFor(std::int64_t faces);

  /// Face `number` from the first on. Thread-safe; the order does not matter. Throws OverBudget, Io.
  void add(std::int64_t number, const FaceCorners& corners);
  /// Once, when all are added: links what meets by its nodes. False where it is not done when `isTimeUp`, which is asked now and then.
  /// Throws Io, OverBudget, Cancelled.
  bool linkByNodes(const std::stop_token& stop, const std::function<bool()>& isTimeUp = {});
  /// How many sides are of one face alone then, and some of them. Thread-safe. Throws Io.
  std::int64_t looseSides() const { return m_looseSides; }
  std::vector<Side> loose(std::int64_t first, std::int64_t count) const;
  /// Where the ends of one of these are. Thread-safe; the order does not matter. Throws OverBudget, Io.
  void place(const Side& side, const Vec3& low, const Vec3& high);
  /// Once, when all are added, and those placed that are to meet by place. They are written behind what is in `file`, a temporary one, which many surfaces share: a grid may have more of them
  /// than a program may have files open. Null where it is not done when `isTimeUp`. Throws Io, OverBudget, Cancelled. What it had written is still there then.
  std::shared_ptr<const FaceLinks> finish(const std::stop_token& stop, std::shared_ptr<File> file,
                                          const std::function<bool()>& isTimeUp = {});

 private:
  /// The same with the ends in the order of their coordinates.
  struct PlacedSide {
    std::array<double, 3> low, high;
    std::int64_t number;
    bool operator<(const PlacedSide& other) const {
      return low != other.low     ? low < other.low
             : high != other.high ? high < other.high
                                  : number < other.number;
    }
    bool hasEndsOf(const PlacedSide& other) const { return low == other.low && high == other.high; }
  };
  struct Link {
    std::int64_t from, to;
    bool operator<(const Link& other) const { return from < other.from; }
  };

  struct Looks;
  template <class Its>
  void pairUp(RecordSorter<Its>& sides, Looks& looks, const std::function<void(const Its&)>& alone);

  std::int64_t m_faces, m_looseSides = 0;
  std::uint64_t m_bytes;
  MemoryAccount& m_account;
  const std::filesystem::path m_folder;
  bool m_areLinked = false;  ///< by nodes
  std::mutex m_mutex;        ///< of what follows
  std::optional<RecordSorter<Side>> m_sides;
  File m_loose;
  std::optional<RecordSorter<PlacedSide>> m_placed;
  RecordSorter<Link> m_links;
};

}  // namespace farfield::extract
