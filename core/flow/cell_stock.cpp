#include "core/flow/cell_stock.h"

#include <algorithm>
#include <utility>

namespace farfield::flow {

CellStock::CellStock(int bits, int values)
    : m_shift(64 - bits),
      m_numbersEach(16 * static_cast<std::size_t>(values)),
      m_cells(std::size_t{1} << bits),
      m_numbers(std::make_unique_for_overwrite<double[]>(m_cells.size() * m_numbersEach)) {
  for (std::size_t n = 0; n < m_cells.size(); ++n) m_cells[n].values = m_numbers.get() + n * m_numbersEach;
}

void CellStock::open(fields::CellsBetween& source, std::int64_t step) {
  m_source = &source;
  m_step = step;
}

void CellStock::take(Cell& cell, std::int32_t block, std::int64_t number) {
  cell.step = -1;  // until it is there: something may be thrown
  m_source->takeCell(block, number, m_step, cell, {cell.values, m_numbersEach});
  cell.step = m_step;
}

const CellStock::Cell* CellStock::carryOn(std::int32_t block, std::int64_t number, std::int64_t step,
                                          std::span<const double> next) {
  Cell& cell = m_cells[placeOf(block, number)];
  if (cell.number != number || cell.block != block || (cell.step != step && cell.step + 1 != step))
    return nullptr;
  if (cell.step == step) return &cell;
  double* const old = cell.values + next.size();
  std::copy_n(old, next.size(), cell.values);
  std::copy(next.begin(), next.end(), old);
  cell.step = step;
  return &cell;
}

void CellStock::copy(const Cell& other) {
  Cell& cell = m_cells[placeOf(other.block, other.number)];
  double* const values = cell.values;
  cell = other;
  cell.values = values;
  std::copy_n(other.values, m_numbersEach, values);
}

std::uint64_t CellStock::bytesFor(int bits, int values) {
  const std::uint64_t cell = sizeof(Cell) + 16 * static_cast<std::uint64_t>(values) * sizeof(double);
  return sizeof(CellStock) + (cell << bits);
}

std::unique_ptr<CellStock> CellStocks::borrow() {
  const std::lock_guard lock(m_mutex);
  if (m_free.empty()) return nullptr;
  std::unique_ptr<CellStock> stock = std::move(m_free.back());
  m_free.pop_back();
  return stock;
}

void CellStocks::giveBack(std::unique_ptr<CellStock> stock) {
  const std::lock_guard lock(m_mutex);
  m_free.push_back(std::move(stock));
}

}  // namespace farfield::flow
