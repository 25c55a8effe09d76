#pragma once
// What paging is at, as a window shows it: which pages of a block are there, what is being read and who waits
// for it, what tasks do, which steps are in memory.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/geometry.h"
#include "core/fields/paged/paged_data.h"
#include "core/trace/live.h"

namespace farfield::app {

/// What somebody looks at.
struct SightRequest {
  bool wanted = false;
  std::string dataKey;
  int block = 0;
  std::string array;  ///< empty: the first that is not of the grid
  std::int64_t step = 0;
  int along = 2;  ///< the axis that is looked along, 0 … 2: pages behind one another are one cell
  bool operator==(const SightRequest&) const = default;
};

/// The pages of one array of one block at one step, looked at along an axis.
struct PageMap {
  struct Cell {
    std::uint32_t resident = 0, reading = 0;
    float keptPart =
        0;  ///< of its pages, that are on this machine's disk though the data are elsewhere; 0 … 1
  };
  std::string array;
  int block = 0;
  std::int64_t step = 0;
  int along = 2;
  Index3 pages{0, 0, 0};  ///< per axis
  int columns = 0, rows = 0;
  std::uint64_t pagesPerCell = 1;  ///< about, in a full cell
  std::vector<Cell> cells;         ///< columns fastest; rows from the lowest index
  std::uint64_t resident = 0, reading = 0, total = 0;
  double keptPart = 0;  ///< of all its pages
};

/// A page that is on its way.
struct ReadInFlight {
  std::string array;
  int block = 0;
  std::int64_t step = 0;
  Index3 page{0, 0, 0};
  std::uint32_t waiters = 0;  ///< tasks; 0: asked for ahead
  double milliseconds = 0;    ///< since it was asked for
};

struct PagingSight {
  PageMap map;
  std::vector<ReadInFlight> oldest;  ///< a few, the oldest first
  std::uint64_t reading = 0;         ///< pages
  std::uint64_t awaited = 0;         ///< waits of tasks for them, summed
  std::vector<trace::LiveEvent> lives;
  std::int64_t atNanoseconds = 0;
};

/// How a server fares that data come from, or the disk that keeps pages of it.
struct LinkSight {
  std::string name;           ///< "cluster:4780", "data.example.org"; empty: what is kept on disk
  double bytesPerSecond = 0;  ///< in the last interval
  double roundTripMs = 0;     ///< of a request
  std::uint64_t reads = 0, bytesRead = 0, reconnects = 0;
  double lostSeconds = 0;    ///< since it cannot be reached, though something is asked of it; 0: it can
  double silentSeconds = 0;  ///< since something came of what is on its way; 0: nothing is
  /// For so long that it is worth telling.
  bool isLost() const { return lostSeconds > 0.3 || silentSeconds > 5; }
};

/// Looks at the pages of `data`, and adds what it sees. The map is of `request` where `ofRequest` is true and the data have its
/// array.
void look(const fields::PagedData& data, const SightRequest& request, bool ofRequest,
          std::int64_t nowNanoseconds, PagingSight& sight);

/// The part of the pages of solutions, by step, that is resident; 0 … 1. Of data with one step or very many:
/// nothing.
std::vector<float> residentSteps(const fields::PagedData& data);
/// The same of what is kept on this machine's disk of data that are elsewhere, from a sample of the pages.
std::vector<float> keptSteps(const fields::PagedData& data);
/// Of data that are on this machine: nothing.
std::vector<LinkSight> linksOf(const fields::PagedData& data);
/// The machine in a URL, with its port: "cluster:4780"; of several "a:1, b:2".
std::string serverIn(const std::string& url);

}  // namespace farfield::app
