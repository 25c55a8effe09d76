#include "core/flow/cell_stock.h"

#include <algorithm>
#include <utility>

namespace farfield::flow {

CellStock::CellStock(int bits, int values)
    : m_shift(64 - bits),
      m_numbersEach(16 * static_cast<std::size_t>(values)),
      m_linesEach(m_numbersEach * sizeof(double) / kLine),
      m_held(std::size_t{1} << bits),
      m_cells(m_held.size()),
      m_numbers(std::make_unique_for_overwrite<Line[]>(m_cells.size() * m_linesEach)) {}

void CellStock::open(fields::CellsBetween& source, std::int64_t step) {
  m_source = &source;
  m_step = step;
}

const CellStock::Cell& CellStock::take(std::int32_t block, std::int64_t number) {
  const std::size_t place = placeOf(block, number);
  Cell& cell = m_cells[place];
  double* const numbers = numbersAt(place);
  m_held[place] = {};  // until it is there: something may be thrown
  m_source->takeCell(block, number, m_step, cell, {numbers, m_numbersEach});
  cell.now = numbers;
  cell.next = numbers + m_numbersEach / 2;
  m_held[place] = {number, m_step, block};
  return cell;
}

const CellStock::Cell* CellStock::carryOn(std::int32_t block, std::int64_t number, std::int64_t step,
                                          std::span<const double> next) {
  if (const Cell* const found = find(block, number, step)) return found;
  const std::size_t place = placeOf(block, number);
  if (m_held[place] != Held{number, step - 1, block}) return nullptr;
  m_held[place].step = step;
  Cell& cell = m_cells[place];
  std::swap(cell.now, cell.next);
  std::copy(next.begin(), next.end(), numbersAt(place) + (cell.next - numbersAt(place)));
  return &cell;
}

void CellStock::copy(const Cell& other, std::int64_t step) {
  const std::size_t place = placeOf(other.block, other.number);
  Cell& cell = m_cells[place];
  double* const numbers = numbersAt(place);
  const std::size_t half = m_numbersEach / 2;
  cell = other;
  cell.now = std::copy_n(other.now, half, numbers) - half;
  cell.next = std::copy_n(other.next, half, numbers + half) - half;
  m_held[place] = {other.number, step, other.block};
}

std::uint64_t CellStock::bytesFor(int bits, int values) {
  const std::uint64_t cell =
      sizeof(Held) + sizeof(Cell) + 16 * static_cast<std::uint64_t>(values) * sizeof(double);
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
