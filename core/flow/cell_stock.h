#pragma once
// Cells between two steps of the data that particles go through, kept ready for lanes (lane_steps.h): each is taken from the
// sampler once, as long as no other one needs its place. A task borrows a stock while it moves its particles, so that
// the next tasks find the cells that it took.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/fields/cells_between.h"

namespace farfield::flow {

/// Belongs to one task at a time.
class CellStock {
 public:
  struct Cell : fields::CellBetween {
    double* values = nullptr;  ///< as CellsBetween::takeCell() has them
  };
  /// Of 2 to the power of `bits` cells, with so many values at a node.
  CellStock(int bits, int values);

  /// What follows are cells from `step` on to the next one, taken from `source`, which outlives the use.
  void open(fields::CellsBetween& source, std::int64_t step);
  /// Valid until the next call. Throws what the sampler throws.
  const Cell& of(std::int32_t block, std::int64_t number) {
    Cell& cell = m_cells[placeOf(block, number)];
    if (cell.number != number || cell.block != block) take(cell, block, number);
    return cell;
  }
  /// Has the processor fetch the cell, if it is there.
  void expect(std::int32_t block, std::int64_t number) const {
    constexpr std::size_t kLine = 64;
    const std::size_t place = placeOf(block, number);
    const auto* const its = reinterpret_cast<const std::byte*>(m_cells.data() + place);
    for (std::size_t at = 0; at < sizeof(Cell); at += kLine) __builtin_prefetch(its + at);
    const auto* const numbers = reinterpret_cast<const std::byte*>(m_numbers.get() + place * m_numbersEach);
    for (std::size_t at = 0; at < m_numbersEach * sizeof(double); at += kLine)
      __builtin_prefetch(numbers + at);
  }
  /// Lets no cell be found that was taken before.
  void forget();
  /// At least so many bytes for whoever has borrowed it, with nothing in them; valid until the next call. To allocate them for each
  /// task again would have the system clear their pages each time.
  std::byte* space(std::size_t bytes);
  /// With `spaceBytes` for its borrowers.
  static std::uint64_t bytesFor(int bits, int values, std::size_t spaceBytes);

 private:
  std::size_t placeOf(std::int32_t block, std::int64_t number) const {
    return static_cast<std::uint64_t>(number + block * std::int64_t{977}) * 0x9e3779b97f4a7c15U >> m_shift;
  }
  void take(Cell& cell, std::int32_t block, std::int64_t number);

  const int m_shift;
  const std::size_t m_numbersEach;
  fields::CellsBetween* m_source = nullptr;
  std::int64_t m_step = -1;
  std::vector<Cell> m_cells;
  std::unique_ptr<double[]> m_numbers;
  std::size_t m_spaceBytes = 0;
  std::unique_ptr<std::byte[]> m_space;
};

/// Stocks that tasks borrow, the one used last first. Thread-safe.
class CellStocks {
 public:
  /// Null if none is free.
  std::unique_ptr<CellStock> borrow();
  void giveBack(std::unique_ptr<CellStock> stock);
  /// As CellStock::forget() of all; none is borrowed.
  void forget();

 private:
  std::mutex m_mutex;
  std::vector<std::unique_ptr<CellStock>> m_free;
};

}  // namespace farfield::flow
