#include "app/model/paging_sight.h"

#include <algorithm>
#include <map>

namespace farfield::app {
namespace {

constexpr std::int64_t kMostCells = 48;  // along each side of a map
constexpr std::size_t kOldest = 6;
constexpr std::int64_t kMostSteps = 4096;

std::int64_t cellsOf(std::int64_t pages) {
  return std::min(pages, kMostCells);
}

Index3 placeOf(const paging::ArrayDescription& array, std::uint64_t page) {
  return unlinear(static_cast<std::int64_t>(page) % array.layout.pageCount(), array.layout.pagesPerAxis());
}

void layOut(const paging::ArrayDescription& array, const SightRequest& request, PageMap& map) {
  map.array = array.name;
  map.block = array.block;
  map.step = array.steps > 1 ? request.step : 0;
  map.along = std::clamp(request.along, 0, 2);
  map.pages = array.layout.pagesPerAxis();
  const auto across = static_cast<std::size_t>(map.along == 0 ? 1 : 0);
  const auto up = static_cast<std::size_t>(map.along == 2 ? 1 : 2);
  map.columns = static_cast<int>(cellsOf(map.pages[across]));
  map.rows = static_cast<int>(cellsOf(map.pages[up]));
  const auto perCell = [](std::int64_t pages) { return (pages + cellsOf(pages) - 1) / cellsOf(pages); };
  map.pagesPerCell = static_cast<std::uint64_t>(map.pages[static_cast<std::size_t>(map.along)] *
                                                perCell(map.pages[across]) * perCell(map.pages[up]));
  map.cells.assign(static_cast<std::size_t>(map.columns) * static_cast<std::size_t>(map.rows), {});
  map.total = static_cast<std::uint64_t>(array.layout.pageCount());
}

void mark(const paging::ArrayDescription& array, const paging::PageSight& page, PageMap& map) {
  const std::uint64_t number = paging::pageOf(page.key);
  if (array.steps > 1 && array.stepOf(number) != map.step) return;
  const Index3 place = placeOf(array, number);
  const auto across = static_cast<std::size_t>(map.along == 0 ? 1 : 0);
  const auto up = static_cast<std::size_t>(map.along == 2 ? 1 : 2);
  const std::int64_t column = place[across] * map.columns / map.pages[across];
  const std::int64_t row = place[up] * map.rows / map.pages[up];
  PageMap::Cell& cell = map.cells[static_cast<std::size_t>(row * map.columns + column)];
  (page.reading ? cell.reading : cell.resident) += 1;
  (page.reading ? map.reading : map.resident) += 1;
}

/// Calls `see(array, page)` for the pages of `data`, with the array as described.
template <class See>
void lookAt(const fields::PagedData& data, See see) {
  std::map<std::uint32_t, const paging::ArrayDescription*> arrays;
  for (std::size_t n = 0; n < data.handles().size(); ++n)
    arrays[data.handles()[n]] = &data.description().arrays[n];
  data.cache().look([&](const paging::PageSight& page) {
    if (const auto found = arrays.find(paging::arrayOf(page.key)); found != arrays.end())
      see(*found->second, page);
  });
}

}  // namespace

void look(const fields::PagedData& data, const SightRequest& request, bool ofRequest,
          std::int64_t nowNanoseconds, PagingSight& sight) {
  const paging::ArrayDescription* mapped = nullptr;
  if (ofRequest)
    for (const paging::ArrayDescription& array : data.description().arrays) {
      if (mapped || array.block != request.block) continue;
      if (request.array.empty() ? !array.isGrid() : array.name == request.array) mapped = &array;
    }
  if (mapped) layOut(*mapped, request, sight.map);
  lookAt(data, [&](const paging::ArrayDescription& array, const paging::PageSight& page) {
    if (&array == mapped) mark(array, page, sight.map);
    if (!page.reading) return;
    ++sight.reading;
    sight.awaited += page.waiters;
    ReadInFlight read;
    read.milliseconds = 1e-6 * static_cast<double>(nowNanoseconds - page.askedNanoseconds);
    if (sight.oldest.size() >= kOldest && read.milliseconds <= sight.oldest.back().milliseconds) return;
    read.array = array.name;
    read.block = array.block;
    read.step = array.stepOf(paging::pageOf(page.key));
    read.page = placeOf(array, paging::pageOf(page.key));
    read.waiters = page.waiters;
    const auto behind =
        std::find_if(sight.oldest.begin(), sight.oldest.end(),
                     [&](const ReadInFlight& other) { return other.milliseconds < read.milliseconds; });
    sight.oldest.insert(behind, std::move(read));
    if (sight.oldest.size() > kOldest) sight.oldest.pop_back();
  });
}

std::vector<float> residentSteps(const fields::PagedData& data) {
  const std::int64_t steps = data.description().steps();
  if (steps < 2 || steps > kMostSteps) return {};
  std::vector<std::uint64_t> resident(static_cast<std::size_t>(steps));
  std::uint64_t pagesOfStep = 0;
  for (const paging::ArrayDescription& array : data.description().arrays)
    if (array.steps > 1) pagesOfStep += static_cast<std::uint64_t>(array.layout.pageCount());
  if (pagesOfStep == 0) return {};
  lookAt(data, [&](const paging::ArrayDescription& array, const paging::PageSight& page) {
    if (array.steps < 2 || page.reading) return;
    const std::int64_t step = array.stepOf(paging::pageOf(page.key));
    if (step < steps) ++resident[static_cast<std::size_t>(step)];
  });
  std::vector<float> parts;
  parts.reserve(resident.size());
  for (const std::uint64_t pages : resident)
    parts.push_back(static_cast<float>(pages) / static_cast<float>(pagesOfStep));
  return parts;
}

}  // namespace farfield::app
