#include "plugins/cf/cf_masks.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <sstream>
#include <utility>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/base/printable.h"

namespace farfield::cf {
namespace {

constexpr const char* kBlank = "blank";
constexpr const char* kData = "data";
constexpr const char* kWord = "land";

/// The number that the variable itself calls land.
std::optional<double> landSaid(const Variable& variable) {
  if (const Attribute* const values = variable.find("flag_values")) {
    std::istringstream meanings(variable.textOf("flag_meanings"));
    std::size_t n = 0;
    for (std::string word; meanings >> word && n < values->numbers.size(); ++n)
      if (word == kWord) return values->numbers[n];
  }
  for (const int number : {0, 1})
    if (variable.textOf("option_" + std::to_string(number)) == kWord) return number;
  for (const char* const name : {"mask_rho", "mask_u", "mask_v", "mask_psi"})
    if (variable.name == name) return 0;
  // Last: CROCO gives its masks of water this name.
  const std::string standard = variable.textOf("standard_name");
  if (standard == "land_binary_mask") return 1;
  if (standard == "sea_binary_mask") return 0;
  return std::nullopt;
}

}  // namespace

std::optional<LandMask> landMaskOf(const File& file, const CfGrid& grid) {
  if (grid.space[0] < 0 || grid.space[1] < 0) return std::nullopt;
  const std::vector<int> dims{grid.space[1], grid.space[0]};
  for (const Variable& variable : file.variables)
    if (variable.hasNumbers() && variable.dims == dims && variable.componentDim < 0)
      if (const auto land = landSaid(variable)) return LandMask{&variable, *land};
  return std::nullopt;
}

bool isLandBlank(const std::string& text) {
  if (text == kBlank) return true;
  if (text == kData) return false;
  throw Invalid("is '" + printable(text) + "'", "use blank or data").at("option land");
}

fields::ReadingChoice landChoice(const LandMask& mask, bool isBlank) {
  const std::string name = printable(mask.variable->name);
  fields::ReadingChoice choice{kWord,
                               "Land",
                               {{kData, "with the numbers of the file"}, {kBlank, "blank, by " + name}},
                               isBlank ? std::size_t{1} : std::size_t{0}};
  choice.atFirst = 1;
  return choice;
}

arrays::ComputedArray blanksWithLand(arrays::ComputedArray blanks, arrays::PlacedArray mask, double land) {
  return [blanks = std::move(blanks), mask = std::move(mask), land](
             std::int64_t step, const IndexBox& box, int first, int count, std::span<std::byte> out) {
    const IndexBox layer{{box.first[0], box.first[1], 0}, {box.size[0], box.size[1], 1}};
    const auto nodes = static_cast<std::size_t>(product(layer.size));
    std::vector<std::byte> stored(nodes * static_cast<std::size_t>(sizeOf(mask.valueType())));
    std::vector<double> values(nodes);
    arrays::readBox(mask, 0, layer, 0, 1, stored);
    toDouble(stored.data(), mask.valueType(), 0, static_cast<std::int64_t>(nodes), values.data());
    if (blanks) blanks(step, box, first, count, out);
    std::byte* to = out.data();
    for (std::int64_t k = 0; k < box.size[2]; ++k)
      for (std::size_t n = 0; n < nodes; ++n, to += sizeof(std::int16_t))
        // Packed masks are whole numbers only nearly.
        if (std::abs(values[n] - land) < 0.5)
          store(to, std::int16_t{0});
        else if (!blanks)
          store(to, std::int16_t{1});
  };
}

}  // namespace farfield::cf
