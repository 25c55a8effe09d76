#pragma once
// Where nodes are, as functions: x, y and z, in the units of the data, of every data set that does not call anything else so. Blocks
// with coordinates have them in an array, whose components they are. Blocks without, regular and rectilinear ones, are given such an
// array, whose pages are computed when somebody asks for them; so whoever reads variables reads places, and need not know. It is
// no part of what data have on disk: only what opens data to show them adds it, and takes memory for it where a function needs it.

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/fields/functions/functions.h"
#include "core/fields/functions/open_data.h"

namespace farfield::fields {

/// Whether the pages of `array` are places that are computed, as its block has no coordinates.
inline bool areComputedPlaces(const paging::DatasetDescription& data, const paging::ArrayDescription& array) {
  return array.role == paging::ArrayRole::Coordinates &&
         !data.blocks[static_cast<std::size_t>(array.block)].hasCoordinates();
}

/// The axis, 0 to 2, of which `name` is the place where nothing else has that name; -1 of any other name.
int placeAxisOf(std::string_view name);

/// The array in which the first block has its nodes' places; -1 where not all blocks have them in one of that name.
int placesIn(const paging::DatasetDescription& data);

/// What is said of the place along the axis `name`, for people.
std::string formulaOfPlace(const std::string& name);
/// Whether it is one of placeFunctions().
bool isPlace(const FunctionInfo& function);
/// For lists of functions, which end with them: those of x, y and z that are places in these data.
std::vector<FunctionInfo> placeFunctions(const paging::DatasetDescription& data);

/// Least and greatest place of any node along the axis `name`, over all steps; nothing where that is another function, or not known.
std::optional<std::array<double, 2>> placeRangeOf(const paging::DatasetDescription& data,
                                                  const std::string& name);

/// `data`, whose blocks without coordinates have their nodes' places in an array; itself if there are no such blocks.
std::unique_ptr<OpenData> withPlaces(std::unique_ptr<OpenData> data);
/// How that describes them, whether they have been given places or will be.
paging::DatasetDescription describedWithPlaces(const OpenData& data);
/// Undoes that, for who hands on what data have and nothing else.
std::unique_ptr<OpenData> withoutPlaces(std::unique_ptr<OpenData> data);

}  // namespace farfield::fields
