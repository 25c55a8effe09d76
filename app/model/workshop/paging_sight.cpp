#include "app/model/workshop/paging_sight.h"

#include <algorithm>
#include <map>

namespace farfield::app {
namespace {

constexpr std::int64_t kMostCells = 48;  // along each side of a map
constexpr std::size_t kOldest = 6;
constexpr std::int64_t kMostSteps = 4096;
/// So many pages at most are looked for on the disk at a time: in runs, spread evenly over all.
constexpr std::uint64_t kMostLookedFor = 16'384, kRun = 64;

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

/// Calls `see(page, isKept)` for up to `most` of `count` pages from `first`.
template <class See>
void lookForKept(const fields::PagedData& data, std::uint32_t array, std::uint64_t first, std::uint64_t count,
                 std::uint64_t most, See see) {
  const std::uint64_t run = count <= most ? count : std::min(kRun, most);
  const std::uint64_t runs = count <= most ? 1 : std::max<std::uint64_t>(1, most / run);
  for (std::uint64_t n = 0; n < runs; ++n) {
    const std::uint64_t from = runs == 1 ? 0 : n * (count - run) / (runs - 1);
    const std::vector<bool> kept = data.lookForKept(array, first + from, run);
    if (kept.empty()) return;
    for (std::uint64_t at = 0; at < kept.size(); ++at) see(from + at, kept[at]);
  }
}

void markKept(const fields::PagedData& data, const paging::ArrayDescription& array, std::uint32_t number,
              PageMap& map) {
  struct Count {
    std::uint32_t looked = 0, kept = 0;
  };
  std::vector<Count> counts(map.cells.size());
  Count all;
  const auto across = static_cast<std::size_t>(map.along == 0 ? 1 : 0);
  const auto up = static_cast<std::size_t>(map.along == 2 ? 1 : 2);
  lookForKept(data, number, static_cast<std::uint64_t>(map.step) * map.total, map.total, kMostLookedFor,
              [&](std::uint64_t page, bool kept) {
                const Index3 place = placeOf(array, page);
                const std::int64_t column = place[across] * map.columns / map.pages[across];
                const std::int64_t row = place[up] * map.rows / map.pages[up];
                Count& its = counts[static_cast<std::size_t>(row * map.columns + column)];
                ++its.looked;
                its.kept += kept;
                ++all.looked;
                all.kept += kept;
              });
  const auto part = [](const Count& count) {
    return count.looked ? static_cast<float>(count.kept) / static_cast<float>(count.looked) : 0.0f;
  };
  for (std::size_t n = 0; n < counts.size(); ++n)
    map.cells[n].keptPart = counts[n].looked ? part(counts[n]) : part(all);
  map.keptPart = part(all);
}

}  // namespace

std::string serverIn(const std::string& url) {
  const auto scheme = url.find("://");
  if (scheme == std::string::npos) return {};
  std::string hosts = url.substr(scheme + 3, url.find('/', scheme + 3) - scheme - 3);
  if (const auto at = hosts.rfind('@'); at != std::string::npos) hosts.erase(0, at + 1);
  for (std::size_t comma = 0; (comma = hosts.find(',', comma)) != std::string::npos; comma += 2)
    hosts.replace(comma, 1, ", ");
  return hosts;
}

std::vector<LinkSight> linksOf(const fields::PagedData& data) {
  std::vector<LinkSight> links;
  bool isRemote = false;
  for (const paging::SourceReport& report : data.sourceReports()) {
    isRemote |= !report.isHere;
    LinkSight link;
    if (!report.isHere) link.name = serverIn(report.name);
    link.roundTripMs = report.roundTripMs;
    link.reads = report.counters.reads;
    link.bytesRead = report.counters.bytesRead;
    link.reconnects = report.reconnects;
    link.lostSeconds = report.lostSeconds;
    link.silentSeconds = report.silentSeconds;
    links.push_back(std::move(link));
  }
  return isRemote ? links : std::vector<LinkSight>{};
}

std::vector<float> keptSteps(const fields::PagedData& data) {
  const std::int64_t steps = data.description().steps();
  if (steps < 2 || steps > kMostSteps) return {};
  const auto& arrays = data.description().arrays;
  const auto moving = std::count_if(arrays.begin(), arrays.end(), [](const auto& a) { return a.steps > 1; });
  if (moving == 0) return {};
  const auto most = std::max<std::uint64_t>(1, kMostLookedFor / static_cast<std::uint64_t>(steps * moving));
  std::vector<float> parts(static_cast<std::size_t>(steps));
  bool any = false;
  for (std::int64_t step = 0; step < steps; ++step) {
    double kept = 0, all = 0;
    for (std::uint32_t n = 0; n < arrays.size(); ++n) {
      if (arrays[n].steps < 2 || step >= arrays[n].steps) continue;
      const auto pages = static_cast<std::uint64_t>(arrays[n].layout.pageCount());
      std::uint64_t its = 0, looked = 0;
      lookForKept(data, n, static_cast<std::uint64_t>(step) * pages, pages, most,
                  [&](std::uint64_t, bool isKept) { its += isKept, ++looked; });
      if (looked > 0)
        kept += static_cast<double>(pages) * static_cast<double>(its) / static_cast<double>(looked);
      any |= looked > 0;
      all += static_cast<double>(pages);
    }
    if (all > 0) parts[static_cast<std::size_t>(step)] = static_cast<float>(kept / all);
  }
  return any ? parts : std::vector<float>{};
}

void look(const fields::PagedData& data, const SightRequest& request, bool ofRequest,
          std::int64_t nowNanoseconds, PagingSight& sight) {
  const paging::ArrayDescription* mapped = nullptr;
  const auto& arrays = data.description().arrays;
  if (ofRequest)
    for (const paging::ArrayDescription& array : arrays) {
      if (mapped || array.block != request.block) continue;
      if (request.array.empty() ? !array.isGrid() : array.name == request.array) mapped = &array;
    }
  if (mapped) {
    layOut(*mapped, request, sight.map);
    markKept(data, *mapped, static_cast<std::uint32_t>(mapped - arrays.data()), sight.map);
  }
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
