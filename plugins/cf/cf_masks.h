#pragma once
// Masks of land beside grids by the CF conventions: oceans keep numbers on land, often 0, and say in a variable of its own where that is.

#include <optional>
#include <string>

#include "core/fields/functions/reading_choices.h"
#include "plugins/arrays/array_reader.h"
#include "plugins/arrays/placed_array.h"
#include "plugins/cf/cf_axes.h"

namespace farfield::cf {

struct LandMask {
  const Variable* variable = nullptr;
  double land = 0;  ///< its number on land
};

/// Of the nodes of `grid`: numbers along its y and x alone whose variable says which of them is land, as flag_values and flag_meanings, the
/// standard names land_binary_mask and sea_binary_mask, and ROMS do it (option_0, or the names mask_rho, mask_u, mask_v, mask_psi).
std::optional<LandMask> landMaskOf(const File& file, const CfGrid& grid);

/// Whether the option `land`, "blank" or "data" (which is the default: sessions that were made before masks were known mean that), is
/// "blank". Throws Invalid of another text.
bool isLandBlank(const std::string& text);
/// Of that option.
fields::ReadingChoice landChoice(const LandMask& mask, bool isBlank);

/// Blanking by `blanks` (none: nothing is blank) and, in all layers, where `mask` has the number `land`. `mask` lies along x and y.
arrays::ComputedArray blanksWithLand(arrays::ComputedArray blanks, arrays::PlacedArray mask, double land);

}  // namespace farfield::cf
