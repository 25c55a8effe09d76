#include "core/flow/cell_stock.h"

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
  if (step != m_step) forget();
  m_step = step;
}

void CellStock::forget() {
  for (Cell& cell : m_cells) cell.number = -1;
}

void CellStock::take(Cell& cell, std::int32_t block, std::int64_t number) {
  cell.number = -1;  // until it is there: something may be thrown
  m_source->takeCell(block, number, m_step, cell, {cell.values, m_numbersEach});
}

std::byte* CellStock::space(std::size_t bytes) {
  if (bytes > m_spaceBytes) {
    m_space.reset();
    m_space = std::make_unique_for_overwrite<std::byte[]>(bytes);
    m_spaceBytes = bytes;
  }
  return m_space.get();
}

std::uint64_t CellStock::bytesFor(int bits, int values, std::size_t spaceBytes) {
  const std::uint64_t cell = sizeof(Cell) + 16 * static_cast<std::uint64_t>(values) * sizeof(double);
  return sizeof(CellStock) + (cell << bits) + spaceBytes;
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

void CellStocks::forget() {
  const std::lock_guard lock(m_mutex);
  for (const auto& stock : m_free) stock->forget();
}

}  // namespace farfield::flow
