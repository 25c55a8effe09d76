#include "plugins/plot3d/grid_of_solution.h"

#include <string>
#include <system_error>
#include <vector>

#include "core/base/error.h"
#include "plugins/plot3d/pair_names.h"
#include "plugins/plot3d/plot3d_detect.h"
#include "plugins/plot3d/text_file.h"

namespace farfield::plot3d {
namespace {

namespace fs = std::filesystem;

/// A folder with more files than this is one of steps, or of something else.
constexpr std::size_t kMostLookedAt = 300;

/// Whether the blocks of both have equal sizes.
bool goWith(const paging::ByteStores& stores, const fs::path& grid, const paging::ByteObject& solution) {
  try {
    const auto file = stores.open(grid.string());
    if (looksLikeText(*file)) return false;  // it would have to be read whole
    detectSolution(solution, detectGrid(*file, {}).layout, {});
    return true;
  } catch (const Error&) {
    return false;  // it is something else, or cannot be read
  }
}

fs::path gridBySize(const fs::path& solution, const fs::path& folder, const std::vector<std::string>& names) {
  try {
    const paging::ByteStores stores;
    const auto file = stores.open(solution.string());
    if (looksLikeText(*file)) return {};
    fs::path found;
    for (const std::string& name : names) {
      if (isNamedAsSolution(name) || !goWith(stores, folder / name, *file)) continue;
      if (!found.empty()) return {};
      found = folder / name;
    }
    return found;
  } catch (const Error&) {
    return {};  // opening it says why
  }
}

}  // namespace

GridOfSolution gridOfSolution(const fs::path& solution) {
  if (!isNamedAsSolution(solution.filename().string())) return {};
  const fs::path folder = solution.parent_path();
  std::vector<std::string> names;
  std::error_code problem;
  for (fs::directory_iterator files(folder.empty() ? fs::path(".") : folder, problem), end;
       !problem && files != end; files.increment(problem)) {
    std::error_code unseen;
    if (files->is_regular_file(unseen)) names.push_back(files->path().filename().string());
  }
  if (const std::string name = GridFinder(names).gridOf(solution.filename().string()); !name.empty())
    return {folder / name, false};
  if (names.size() > kMostLookedAt) return {};
  const fs::path found = gridBySize(solution, folder, names);
  return {found, !found.empty()};
}

}  // namespace farfield::plot3d
