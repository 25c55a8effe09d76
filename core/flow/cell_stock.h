#pragma once
// Cells between two steps of the data that particles go through, kept ready for lanes (lane_steps.h): each is taken from the
// sampler once, as long as no other one needs its place, and goes on into the next interval with the values that are new. A task has a small stock
// of its own and borrows a large one, for the next tasks to find the cells that it took.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "core/fields/cells/cells_between.h"
#include "core/tasks/task_context.h"

namespace farfield::flow {

/// Belongs to one task at a time.
class CellStock {
  static constexpr std::size_t kLine = 64;  ///< bytes that the processor fetches together

 public:
  struct Corners {
    const double* now = nullptr;   ///< the functions there, one corner after the other
    const double* next = nullptr;  ///< at the next step
  };
  struct alignas(kLine) Cell : Corners, fields::CellBetween {};
  /// Of 2 to the power of `bits` cells, with so many values at a node.
  CellStock(int bits, int values);

  /// What follows are cells from `step` on to the next one, taken from `source`, which outlives the use.
  void open(fields::CellsBetween& source, std::int64_t step);
  /// Valid until the next call. Throws what the sampler throws.
  const Cell& of(std::int32_t block, std::int64_t number) {
    if (const Cell* const found = find(block, number, m_step)) return *found;
    return take(block, number);
  }
  /// The cell from `step` on, where it is there; else null.
  const Cell* find(std::int32_t block, std::int64_t number, std::int64_t step) const {
    const std::size_t place = placeOf(block, number);
    return m_held[place] == Held{number, step, block} ? &m_cells[place] : nullptr;
  }
  /// The cell from `step` on where it is there, or made of the one from the step before; `next` are its values at its next step. Else null.
  const Cell* carryOn(std::int32_t block, std::int64_t number, std::int64_t step,
                      std::span<const double> next);
  /// Takes over the `cell` from `step` on of another stock.
  void copy(const Cell& cell, std::int64_t step);
  /// Has the processor fetch what lanes need of the cell, if it is there and does not move.
  void expect(std::int32_t block, std::int64_t number) const {
    const std::size_t place = placeOf(block, number);
    const auto* const its = reinterpret_cast<const std::byte*>(m_cells.data() + place);
    const auto* const end = reinterpret_cast<const std::byte*>(&m_cells[place].map.position() + 1);
    for (const std::byte* at = its; at < end; at += kLine) __builtin_prefetch(at);
    const Line* const numbers = m_numbers.get() + place * m_linesEach;
    for (std::size_t n = 0; n < m_linesEach; ++n) __builtin_prefetch(numbers + n);
  }
  static std::uint64_t bytesFor(int bits, int values);

 private:
  struct alignas(kLine) Line {
    std::array<double, kLine / sizeof(double)> numbers;
  };
  /// Which cell a place holds. Apart from the cells: looking for one takes few bytes.
  struct Held {
    std::int64_t number = -1, step = -1;  ///< from which step on
    std::int32_t block = -1;
    bool operator==(const Held&) const = default;
  };
  /// Consecutive cells of a block are in consecutive places, so that few of a layer take another one's.
  std::size_t placeOf(std::int32_t block, std::int64_t number) const {
    const auto its = static_cast<std::uint64_t>(number);
    const std::uint64_t rest = (its >> (64 - m_shift)) + static_cast<std::uint64_t>(block) * 977;
    return (its + (rest * 0x9e3779b97f4a7c15U >> m_shift)) & (m_cells.size() - 1);
  }
  double* numbersAt(std::size_t place) const { return m_numbers[place * m_linesEach].numbers.data(); }
  const Cell& take(std::int32_t block, std::int64_t number);

  const int m_shift;
  const std::size_t m_numbersEach, m_linesEach;  ///< of a cell, at both steps
  fields::CellsBetween* m_source = nullptr;
  std::int64_t m_step = -1;
  std::vector<Held> m_held;
  std::vector<Cell> m_cells;
  std::unique_ptr<Line[]> m_numbers;
};

/// Stocks that tasks borrow, the one used last first. Thread-safe.
class CellStocks {
 public:
  /// Null if none is free.
  std::unique_ptr<CellStock> borrow();
  void giveBack(std::unique_ptr<CellStock> stock);

 private:
  std::mutex m_mutex;
  std::vector<std::unique_ptr<CellStock>> m_free;
};

/// The stock that a task has from `stocks`. While the task waits it is given back: tasks that could go on would be without one. So
/// whatever waits for the task has to do so by this.
class StockLoan final : public tasks::TaskContext {
 public:
  StockLoan(CellStocks& stocks, tasks::TaskContext& task) : m_stocks(stocks), m_task(task) {}
  ~StockLoan() { giveBack(); }
  StockLoan(const StockLoan&) = delete;
  StockLoan& operator=(const StockLoan&) = delete;

  /// Null if none is free. Valid until the task waits.
  CellStock* stock() {
    if (!m_stock) m_stock = m_stocks.borrow();
    return m_stock.get();
  }
  void wait(tasks::Gate& gate, const std::function<void()>& submit) override {
    giveBack();
    m_task.wait(gate, submit);
  }
  tasks::Waker& waker() override { return m_task.waker(); }
  bool stopRequested() const override { return m_task.stopRequested(); }
  bool outOfTime() const override { return m_task.outOfTime(); }

 private:
  void giveBack() {
    if (m_stock) m_stocks.giveBack(std::move(m_stock));
  }

  CellStocks& m_stocks;
  tasks::TaskContext& m_task;
  std::unique_ptr<CellStock> m_stock;
};

}  // namespace farfield::flow
