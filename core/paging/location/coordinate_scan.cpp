#include "core/paging/location/coordinate_scan.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <mutex>
#include <optional>

#include "core/base/error.h"
#include "core/paging/pages/component_reader.h"
#include "core/paging/pages/page_layout.h"

namespace farfield::paging {
namespace {

constexpr std::int64_t kGroup = kCellsPerBoxAxis;
/// Bytes given to a thread: more leaves the processor's cache, less makes short reads.
constexpr std::int64_t kLeastThreadBytes = 64 * 1024, kMostThreadBytes = 2 * 1024 * 1024;
/// Rows are read about so many bytes at a time, so that what was copied is still in the processor's cache
/// when it is used.
constexpr std::int64_t kReadBytes = 64 * 1024;
/// A thread keeps to layers of about so many bytes before it takes the next, because the system reads ahead
/// only along them. Fewer if there would be too few for all threads.
constexpr std::int64_t kLeastUnitBytes = 16 * 1024 * 1024, kMostUnitBytes = 64 * 1024 * 1024;
/// Groups with a blank node that are computed again together; above this share of all groups, all are.
constexpr std::int64_t kAnewGroups = 64, kMostAnewShare = 10;
constexpr std::int64_t kAnewNodes = (kAnewGroups * kGroup + 1) * (kGroup + 1) * (kGroup + 1);
constexpr const char* kName = "location bounds";

template <class T>
void addNodes(const std::vector<std::byte>& nodes, std::int64_t count, Bounds& bounds) {
  const T* xyz = reinterpret_cast<const T*>(nodes.data());
  for (std::int64_t n = 0; n < count; ++n) {
    const Vec3 point{xyz[3 * n], xyz[3 * n + 1], xyz[3 * n + 2]};
    if (isFinite(point)) bounds.add(point);
  }
}

/// Extends low and high by a row; false if a number is not finite.
template <class T>
bool widen(const T* row, std::int64_t count, T* low, T* high) {
  constexpr std::int64_t kLanes = 8;
  T poison[kLanes] = {};
  std::int64_t n = 0;
  for (; n + kLanes <= count; n += kLanes)
    for (std::int64_t l = 0; l < kLanes; ++l) {
      const T value = row[n + l];
      low[n + l] = value < low[n + l] ? value : low[n + l];
      high[n + l] = value > high[n + l] ? value : high[n + l];
      poison[l] += value - value;
    }
  T sum = 0;
  for (; n < count; ++n) {
    low[n] = row[n] < low[n] ? row[n] : low[n];
    high[n] = row[n] > high[n] ? row[n] : high[n];
    sum += row[n] - row[n];
  }
  for (const T lane : poison) sum += lane;
  return sum == 0;
}

struct Block {
  const BoxReader& reader;
  const ComponentReader& components;
  std::uint32_t xyz;
  int iblank;  ///< array, or -1
  std::int64_t step, iblankStep;
  ScalarType type;
  Index3 dims, groups;
  std::stop_token stop;

  /// The first node of group `first` of an axis.
  std::int64_t firstNode(std::int64_t first) const { return first * kGroup; }
  std::int64_t nodeCount(std::size_t axis, std::int64_t first, std::int64_t count) const {
    return std::min((first + count) * kGroup + 1, dims[axis]) - first * kGroup;
  }
};

/// The extremes of each group along one component, and whether one of its nodes is blank.
class Pass {
 public:
  Pass(const Block& block, std::vector<CellBox>& boxes, std::int64_t threadBytes, int threads)
      : m_block(block), m_boxes(boxes), m_blank(boxes.size()) {
    const std::int64_t element = sizeOf(block.type);
    m_bufferBytes = std::min(threadBytes / 4, kReadBytes);
    // two layers' extremes, low and high, of a tile of groups
    const std::int64_t room = (threadBytes - m_bufferBytes) / (4 * element);
    m_tile[0] = std::clamp<std::int64_t>((room - 1) / kGroup, 1, block.groups[0]);
    const std::int64_t columns = block.nodeCount(0, 0, m_tile[0]);
    m_tile[1] = std::clamp<std::int64_t>(room / columns, 1, block.groups[1]);
    const std::int64_t layerBytes = columns * block.nodeCount(1, 0, m_tile[1]) * kGroup * element;
    const std::int64_t unitBytes =
        std::clamp(product(block.dims) * element / (2 * threads), kLeastUnitBytes, kMostUnitBytes);
    m_tile[2] = std::clamp<std::int64_t>(unitBytes / layerBytes, 1, block.groups[2]);
    for (std::size_t a = 0; a < 3; ++a) m_tiles[a] = (block.groups[a] + m_tile[a] - 1) / m_tile[a];
  }

  /// False if a coordinate is not finite; the results are then invalid.
  bool run(tasks::LoopThreads& threads) {
    const std::int64_t tiles = product(m_tiles);
    threads.forPieces(tiles * (m_block.iblank < 0 ? 3 : 4), 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t n = begin; n < end && !m_poisoned; ++n) {
        const IndexBox tile = tileAt(n % tiles);
        const auto component = static_cast<int>(n / tiles);
        if (component == 3)
          findBlank(tile);
        else if (m_block.type == ScalarType::F32)
          scan<float>(component, tile);
        else
          scan<double>(component, tile);
      }
    });
    return !m_poisoned;
  }
  const Bounds& bounds() const { return m_bounds; }
  /// Per group: 1 if a node has another iblank than 1.
  const std::vector<std::uint8_t>& blank() const { return m_blank; }

 private:
  /// In groups.
  IndexBox tileAt(std::int64_t number) const {
    const Index3 at = unlinear(number, m_tiles);
    IndexBox tile;
    for (std::size_t a = 0; a < 3; ++a) {
      tile.first[a] = at[a] * m_tile[a];
      tile.size[a] = std::min(m_tile[a], m_block.groups[a] - tile.first[a]);
    }
    return tile;
  }

  /// Delivers the rows of the tile, of numbers of T, plane by plane: deliver(k, j, row), with j and k within
  /// the tile; planeDone(k, last) after each.
  template <class T, class Read, class Deliver, class PlaneDone>
  void forRows(const IndexBox& tile, Read read, Deliver deliver, PlaneDone planeDone) const {
    const Block& b = m_block;
    IndexBox nodes;
    for (std::size_t a = 0; a < 3; ++a) {
      nodes.first[a] = b.firstNode(tile.first[a]);
      nodes.size[a] = b.nodeCount(a, tile.first[a], tile.size[a]);
    }
    const std::int64_t rowBytes = nodes.size[0] * static_cast<std::int64_t>(sizeof(T));
    const std::int64_t rowsAtOnce = std::clamp<std::int64_t>(m_bufferBytes / rowBytes, 1, nodes.size[1]);
    std::vector<T> buffer(static_cast<std::size_t>(nodes.size[0] * rowsAtOnce));
    for (std::int64_t k = 0; k < nodes.size[2]; ++k) {
      if (b.stop.stop_requested()) throw Cancelled();
      for (std::int64_t j = 0; j < nodes.size[1]; j += rowsAtOnce) {
        const std::int64_t rows = std::min(rowsAtOnce, nodes.size[1] - j);
        const IndexBox box{{nodes.first[0], nodes.first[1] + j, nodes.first[2] + k},
                           {nodes.size[0], rows, 1}};
        read(box,
             std::as_writable_bytes(std::span(buffer.data(), static_cast<std::size_t>(product(box.size)))));
        for (std::int64_t r = 0; r < rows; ++r) deliver(k, j + r, buffer.data() + r * nodes.size[0]);
      }
      planeDone(k, k + 1 == nodes.size[2]);
    }
  }

  template <class T>
  void scan(int component, const IndexBox& tile) {
    const Block& b = m_block;
    const std::int64_t columns = b.nodeCount(0, tile.first[0], tile.size[0]);
    const auto size = static_cast<std::size_t>(columns * tile.size[1]);
    // of the current layer and of the one that begins with its last plane
    struct Layer {
      std::vector<T> low, high;
      void clear(std::size_t count) {
        low.assign(count, std::numeric_limits<T>::max());
        high.assign(count, std::numeric_limits<T>::lowest());
      }
    } layer, next;
    layer.clear(size);
    next.clear(size);
    std::int64_t layerNumber = 0;
    T least = std::numeric_limits<T>::max(), most = std::numeric_limits<T>::lowest();
    bool finite = true;
    const auto borders = [&](std::int64_t k) {
      return k > 0 && k % kGroup == 0 && k / kGroup < tile.size[2];
    };
    forRows<T>(
        tile,
        [&](const IndexBox& box, std::span<std::byte> out) {
          b.components.readComponent(b.xyz, b.step, component, box, out);
        },
        [&](std::int64_t k, std::int64_t j, const T* row) {
          const std::int64_t group = std::min(j / kGroup, tile.size[1] - 1);
          const auto add = [&](Layer& to, std::int64_t g) {
            const auto at = static_cast<std::size_t>(g * columns);
            finite = widen(row, columns, to.low.data() + at, to.high.data() + at) && finite;
          };
          add(layer, group);
          if (j > 0 && j % kGroup == 0 && group == j / kGroup) add(layer, group - 1);
          if (!borders(k)) return;
          add(next, group);
          if (j > 0 && j % kGroup == 0 && group == j / kGroup) add(next, group - 1);
        },
        [&](std::int64_t k, bool last) {
          if (!borders(k) && !last) return;
          for (std::int64_t gj = 0; gj < tile.size[1]; ++gj)
            for (std::int64_t gi = 0; gi < tile.size[0]; ++gi) {
              const auto from = static_cast<std::size_t>(gj * columns + gi * kGroup);
              const auto count = static_cast<std::size_t>(std::min(kGroup + 1, columns - gi * kGroup));
              const T low = *std::min_element(&layer.low[from], &layer.low[from] + count);
              const T high = *std::max_element(&layer.high[from], &layer.high[from] + count);
              least = std::min(least, low);
              most = std::max(most, high);
              CellBox& box = m_boxes[static_cast<std::size_t>(
                  linear({tile.first[0] + gi, tile.first[1] + gj, tile.first[2] + layerNumber}, b.groups))];
              box.min[component] = roundedDown(static_cast<double>(low));
              box.max[component] = roundedUp(static_cast<double>(high));
            }
          std::swap(layer, next);
          next.clear(size);
          ++layerNumber;
        });
    if (!finite) m_poisoned = true;
    const std::lock_guard lock(m_mutex);
    m_bounds.min[component] = std::min(m_bounds.min[component], static_cast<double>(least));
    m_bounds.max[component] = std::max(m_bounds.max[component], static_cast<double>(most));
  }

  void findBlank(const IndexBox& tile) {
    const Block& b = m_block;
    const std::int64_t columns = b.nodeCount(0, tile.first[0], tile.size[0]);
    // a node on a border belongs to the groups on both sides
    const auto groupsOf = [](std::int64_t node, std::int64_t count) {
      const std::int64_t high = std::min(node / kGroup, count - 1);
      return std::array{node > 0 && node % kGroup == 0 ? std::min(node / kGroup - 1, high) : high, high};
    };
    forRows<std::int16_t>(
        tile,
        [&](const IndexBox& box, std::span<std::byte> out) {
          b.reader.read(static_cast<std::uint32_t>(b.iblank), b.iblankStep, box, out);
        },
        [&](std::int64_t k, std::int64_t j, const std::int16_t* row) {
          for (std::int64_t i = 0; i < columns; ++i) {
            if (row[i] != 0) continue;
            const auto gi = groupsOf(i, tile.size[0]), gj = groupsOf(j, tile.size[1]),
                       gk = groupsOf(k, tile.size[2]);
            for (std::int64_t z = gk[0]; z <= gk[1]; ++z)
              for (std::int64_t y = gj[0]; y <= gj[1]; ++y)
                for (std::int64_t x = gi[0]; x <= gi[1]; ++x)
                  m_blank[static_cast<std::size_t>(
                      linear({tile.first[0] + x, tile.first[1] + y, tile.first[2] + z}, b.groups))] = 1;
          }
        },
        [](std::int64_t, bool) {});
  }

  const Block& m_block;
  std::vector<CellBox>& m_boxes;
  std::vector<std::uint8_t> m_blank;  // each tile writes its own groups
  std::int64_t m_bufferBytes;
  Index3 m_tile, m_tiles;  // groups of a tile, tiles of the block
  std::atomic<bool> m_poisoned = false;
  std::mutex m_mutex;
  Bounds m_bounds;
};

/// The groups with a blank node, and some between them, in boxes of at most kAnewNodes nodes that have none in common: as many
/// rows as fit, because rows are read with what lies between them.
std::vector<IndexBox> anewWindows(const Block& b, const std::vector<std::uint8_t>& blank) {
  std::vector<IndexBox> windows;
  const auto nodesOf = [&](const Index3& size) {
    return (size[0] * kGroup + 1) * (size[1] * kGroup + 1) * (size[2] * kGroup + 1);
  };
  Index3 at;
  for (std::int64_t column = 0; column < b.groups[0]; column += kAnewGroups)
    for (at[2] = 0; at[2] < b.groups[2]; ++at[2])
      for (at[1] = 0; at[1] < b.groups[1]; ++at[1]) {
        at[0] = column;
        const auto row = blank.begin() + linear(at, b.groups);
        const auto end = row + std::min(kAnewGroups, b.groups[0] - column);
        const auto first = std::find(row, end, std::uint8_t{1});
        if (first == end) continue;
        const auto last =
            std::find(std::reverse_iterator(end), std::reverse_iterator(first), std::uint8_t{1});
        IndexBox window{{column + (first - row), at[1], at[2]}, {last.base() - first, 1, 1}};
        if (!windows.empty()) {
          IndexBox& before = windows.back();
          const std::int64_t low = std::min(before.first[0], window.first[0]),
                             high =
                                 std::max(before.first[0] + before.size[0], window.first[0] + window.size[0]);
          const Index3 both{high - low, before.size[1] + 1, 1};
          if (before.first[0] >= column && before.first[2] == at[2] &&
              before.first[1] + before.size[1] == at[1] && nodesOf(both) <= kAnewNodes) {
            before.first[0] = low;
            before.size = both;
            continue;
          }
        }
        windows.push_back(window);
      }
  return windows;
}

/// Computes again the bounds of groups with a blank node, from the cells that are not blank. Each thread has kAnewNodes nodes in
/// memory.
void makeAnew(const Block& b, const std::vector<std::uint8_t>& blank, std::vector<CellBox>& boxes,
              tasks::LoopThreads& threads) {
  const std::vector<IndexBox> windows = anewWindows(b, blank);
  threads.forPieces(static_cast<std::int64_t>(windows.size()), 1, [&](std::int64_t begin, std::int64_t end) {
    tasks::LoopThreads alone(1);
    std::vector<std::byte> nodes;
    std::vector<std::int16_t> iblank;
    for (std::int64_t n = begin; n < end; ++n) {
      if (b.stop.stop_requested()) throw Cancelled();
      const IndexBox& groups = windows[static_cast<std::size_t>(n)];
      CellBoxBuilder builder(b.dims, groups);
      const IndexBox window = builder.nodes();
      const auto size = static_cast<std::size_t>(product(window.size));
      nodes.resize(size * 3 * static_cast<std::size_t>(sizeOf(b.type)));
      iblank.resize(size);
      b.reader.read(b.xyz, b.step, window, nodes);
      b.reader.read(static_cast<std::uint32_t>(b.iblank), b.iblankStep, window,
                    std::as_writable_bytes(std::span(iblank)));
      builder.add(window, nodes, b.type, iblank, alone);
      for (std::int64_t j = 0; j < groups.size[1]; ++j)
        std::copy_n(
            builder.boxes().begin() + j * groups.size[0], groups.size[0],
            boxes.begin() + linear({groups.first[0], groups.first[1] + j, groups.first[2]}, b.groups));
    }
  });
}

}  // namespace

Bounds nodeBounds(const BoxReader& reader, std::uint32_t xyz, std::int64_t step, std::stop_token stop) {
  constexpr std::int64_t kNodesAtOnce = 64 * 1024;
  const ArrayDescription& array = reader.description().arrays[xyz];
  const Index3& dims = array.layout.dims();
  // Rows of one plane at a time, as they usually lie in the file; a row longer than the buffer in pieces.
  const std::int64_t columns = std::min(dims[0], kNodesAtOnce);
  const std::int64_t rows = std::clamp<std::int64_t>(kNodesAtOnce / columns, 1, dims[1]);
  const std::int64_t planes =
      rows == dims[1] ? std::clamp<std::int64_t>(kNodesAtOnce / (columns * rows), 1, dims[2]) : 1;
  const PageLayout pieces = PageLayout::ofExtent(dims, {columns, rows, planes});
  Bounds bounds;
  std::vector<std::byte> nodes;
  for (std::int64_t piece = 0; piece < pieces.pageCount(); ++piece) {
    if (stop.stop_requested()) throw Cancelled();
    const IndexBox box = pieces.box(piece);
    const std::int64_t count = product(box.size);
    nodes.resize(static_cast<std::size_t>(count * array.nodeBytes()));
    reader.read(xyz, step, box, nodes);
    if (array.type == ScalarType::F32)
      addNodes<float>(nodes, count, bounds);
    else
      addNodes<double>(nodes, count, bounds);
  }
  return bounds;
}

CoordinateScan scanCoordinates(const BoxReader& reader, int block, std::int64_t step, MemoryAccount& account,
                               tasks::LoopThreads& threads, std::stop_token stop) {
  const DatasetDescription& data = reader.description();
  const int number = data.find(block, ArrayRole::Coordinates);
  if (number < 0) throw Invalid("block " + std::to_string(block) + " has no coordinates");
  const auto xyz = static_cast<std::uint32_t>(number);
  const ArrayDescription& array = data.arrays[xyz];
  const Index3 cells = cellDims(array.layout.dims());
  const auto* components = dynamic_cast<const ComponentReader*>(&reader);
  const auto slowly = [&](std::optional<Bounds> bounds) {
    CoordinateScan scan;
    scan.bounds = bounds ? *bounds : nodeBounds(reader, xyz, step, stop);
    scan.pyramid = buildBoxPyramid(reader, block, step, account, threads, stop);
    return scan;
  };

  const auto entries = static_cast<std::uint64_t>(pyramidEntries(cells));
  const std::uint64_t levelBytes = entries * sizeof(CellBox);
  const auto anewBytes = static_cast<std::uint64_t>(kAnewNodes * (3 * sizeOf(array.type) + 2));
  const auto count = static_cast<std::uint64_t>(threads.threads());
  const std::uint64_t fixedBytes = levelBytes + entries + anewBytes;
  // where memory is short, opening must not need more than buildBoxPyramid does
  const std::uint64_t room = account.freeBytes() / 2;
  if (!components || levelCount(cells) == 0 || room < fixedBytes + count * kLeastThreadBytes)
    return slowly(std::nullopt);
  const std::uint64_t perThread =
      std::min<std::uint64_t>((room - fixedBytes) / count, static_cast<std::uint64_t>(kMostThreadBytes));

  CoordinateScan scan;
  scan.pyramid.claim = account.claim(Purpose::Index, levelBytes, kName);
  MemoryClaim work = account.claim(Purpose::Work, entries + anewBytes + count * perThread, kName);
  const int iblank = data.find(block, ArrayRole::Blanking);
  const bool iblankMoves = iblank >= 0 && data.arrays[static_cast<std::size_t>(iblank)].steps > 1;
  const Block b{reader,
                *components,
                xyz,
                iblank,
                step,
                iblankMoves ? step : 0,
                array.type,
                array.layout.dims(),
                levelDims(cells, 0),
                stop};
  std::vector<CellBox> boxes(static_cast<std::size_t>(product(b.groups)));
  Pass pass(b, boxes, static_cast<std::int64_t>(perThread), threads.threads());
  const bool finite = pass.run(threads);
  const auto blank = std::count(pass.blank().begin(), pass.blank().end(), std::uint8_t{1});
  if (!finite || blank * kMostAnewShare > product(b.groups)) {
    work.release();
    scan.pyramid.claim.release();
    return slowly(finite ? std::optional(pass.bounds()) : std::nullopt);
  }
  // what the pass had for each thread is free again
  tasks::LoopThreads alone(1);
  if (blank > 0) makeAnew(b, pass.blank(), boxes, perThread >= anewBytes ? threads : alone);
  scan.bounds = pass.bounds();
  scan.pyramid.levels.push_back(std::move(boxes));
  scan.pyramid.dims.push_back(b.groups);
  finishPyramid(cells, scan.pyramid);
  return scan;
}

}  // namespace farfield::paging
