#include "app/levels/volume_levels.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/log.h"
#include "core/fields/data/store_data.h"
#include "core/fields/functions/node_places.h"

namespace farfield::app {

std::optional<paging::LevelsWanted> levelsWantedOf(const fields::OpenData& data,
                                                   const std::vector<std::string>& arrays,
                                                   std::int64_t step) {
  const fields::OpenRequest* const request = data.request();
  if (!request) return std::nullopt;
  paging::LevelsWanted wanted{data.files(), request->reader, request->options, arrays, step};
  if (wanted.files.empty()) return std::nullopt;
  // Places of nodes without coordinates are in no file: levels of them cannot be made from there.
  for (const paging::ArrayDescription& array : data.description().arrays)
    if (fields::areComputedPlaces(data.description(), array) &&
        std::find(arrays.begin(), arrays.end(), array.name) != arrays.end())
      return std::nullopt;
  return wanted;
}

std::unique_ptr<fields::OpenData> openKeptLevel(const paging::KeptLevels& kept, const fields::OpenData& data,
                                                const std::vector<std::string>& arrays, std::int64_t step,
                                                int level, MemoryAccount& account) {
  const auto wanted = levelsWantedOf(data, arrays, step);
  const auto place = wanted ? kept.placeOf(*wanted, data.description()) : std::nullopt;
  if (!place || level < 1 || level >= place->levels || !kept.isThere(*place)) return nullptr;
  fields::OpenRequest request;
  request.sources = {place->file.string()};
  if (level > 1) request.options["level"] = std::to_string(level - 1);
  try {
    auto opened = fields::StoreDataReader().open(request, account);
    if (paging::KeptLevels::isOf(*place, opened->description())) {
      kept.use(*place);
      return opened;
    }
  } catch (const OverBudget&) {
    throw;
  } catch (const Error& error) {
    log::detail(std::string("levels of detail that were kept are made anew: ") + error.what());
  }
  // Damaged, or somebody else's: whoever has it open goes on reading it.
  std::error_code ignored;
  std::filesystem::remove(place->file, ignored);
  return nullptr;
}

}  // namespace farfield::app
