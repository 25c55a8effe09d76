#include "plugins/enzo/enzo_hierarchy.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/url.h"
#include "plugins/amr/amr_hierarchy.h"
#include "plugins/arrays/text_lines.h"

namespace farfield::enzo {
namespace {

using arrays::trimmed;

/// Grids for which memory is claimed at a time, and what one takes.
constexpr std::size_t kTogether = 256;
constexpr std::uint64_t kGridBytes = 512;

/// Up to three numbers. Throws Corrupt.
template <class T>
std::vector<T> numbersIn(std::string_view text, std::string_view key) {
  std::vector<T> numbers;
  for (;;) {
    text = trimmed(text);
    if (text.empty()) return numbers;
    T value{};
    const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc() || numbers.size() == 3)
      throw Corrupt("its " + printable(key) + " '" + printable(text) + "' is wrong", "check the file");
    numbers.push_back(value);
    text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  }
}

class Reader {
 public:
  Reader(MemoryAccount& account, std::vector<MemoryClaim>& claims) : m_account(account), m_claims(claims) {}

  void line(std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || text.starts_with("Pointer")) return;
    const std::string_view key = trimmed(text.substr(0, equals)), value = text.substr(equals + 1);
    if (key == "Grid") return begin(value);
    if (m_grids.empty()) return;
    Grid& grid = m_grids.back();
    if (key == "GridRank")
      grid.rank = static_cast<int>(one(value, key, 1, 3));
    else if (key == "GridStartIndex")
      m_start = numbersIn<std::int64_t>(value, key);
    else if (key == "GridEndIndex")
      m_end = numbersIn<std::int64_t>(value, key);
    else if (key == "GridLeftEdge")
      grid.left = vector(value, key);
    else if (key == "GridRightEdge")
      grid.right = vector(value, key);
    else if (key == "Time")
      grid.time = first(value, key);
    else if (key == "BaryonFileName")
      // where the run wrote it; here it lies beside the hierarchy
      grid.file = lastPartOf(std::string(trimmed(value)));
  }

  std::vector<Grid> finish() {
    endGrid();
    if (m_grids.empty()) throw Corrupt("names no grids", "check that it is a hierarchy file");
    return std::move(m_grids);
  }

 private:
  static std::int64_t one(std::string_view text, std::string_view key, std::int64_t least,
                          std::int64_t most) {
    const auto numbers = numbersIn<std::int64_t>(text, key);
    if (numbers.empty() || numbers[0] < least || numbers[0] > most)
      throw Corrupt("its " + printable(key) + " '" + printable(text) + "' is wrong", "check the file");
    return numbers[0];
  }
  static double first(std::string_view text, std::string_view key) {
    const auto numbers = numbersIn<double>(text, key);
    return numbers.empty() || !std::isfinite(numbers[0]) ? 0 : numbers[0];
  }
  static Vec3 vector(std::string_view text, std::string_view key) {
    const auto numbers = numbersIn<double>(text, key);
    Vec3 result;
    for (std::size_t a = 0; a < numbers.size(); ++a) result[static_cast<int>(a)] = numbers[a];
    return result;
  }

  void begin(std::string_view value) {
    endGrid();
    if (m_grids.size() % kTogether == 0)
      m_claims.push_back(m_account.claimInEarnest(Purpose::Index, kTogether * kGridBytes, "lists of boxes"));
    if (m_grids.size() == amr::kMostBoxes) throw Unsupported("has too many grids");
    m_grids.emplace_back();
    m_grids.back().number = one(value, "Grid", 0, 99'999'999);
    m_start.clear();
    m_end.clear();
  }

  void endGrid() {
    if (m_grids.empty()) return;
    Grid& grid = m_grids.back();
    const auto rank = static_cast<std::size_t>(grid.rank);
    const auto wrong = [&] {
      return Corrupt("grid " + std::to_string(grid.number) + " has no place or no cells",
                     "check that the copy is complete");
    };
    if (m_start.size() < rank || m_end.size() < rank) throw wrong();
    for (std::size_t a = 0; a < rank; ++a) {
      const std::int64_t first = m_start[a], last = m_end[a];
      if (first < 0 || last < first || last > amr::kFarthest) throw wrong();
      grid.cells[a] = last - first + 1;
      const double left = grid.left[static_cast<int>(a)], right = grid.right[static_cast<int>(a)];
      if (!std::isfinite(left) || !std::isfinite(right) || !(right > left)) throw wrong();
    }
  }

  MemoryAccount& m_account;
  std::vector<MemoryClaim>& m_claims;
  std::vector<Grid> m_grids;
  std::vector<std::int64_t> m_start, m_end;
};

}  // namespace

std::vector<Grid> readHierarchy(const arrays::ByteSource& file, MemoryAccount& account,
                                std::vector<MemoryClaim>& claims) {
  Reader reader(account, claims);
  arrays::TextLines lines(file);
  for (std::string_view line; lines.next(line);) reader.line(line);
  return reader.finish();
}

bool isHierarchy(const std::string& text) {
  const std::size_t at = text.find_first_not_of(" \t\r\n");
  return at != std::string::npos && text.compare(at, 6, "Grid =") == 0 &&
         text.find("GridRank") != std::string::npos;
}

bool isParameterFile(const std::string& text) {
  return text.find("InitialCycleNumber") != std::string::npos &&
         text.find("TopGridRank") != std::string::npos;
}

}  // namespace farfield::enzo
