#pragma once
// Which values on nodes say how far the nodes have moved: those of solid mechanics, whose coordinates are of the body at rest.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace farfield::exodus {

struct Displacement {
  std::string name;       ///< without the letters of the axes
  std::size_t first = 0;  ///< of the values along x; those along the others follow
};

/// The first of `names` that are called alike but for a last letter of each of `axes` axes, and begin with "dis", as ParaView looks for them.
std::optional<Displacement> displacementAmong(const std::vector<std::string>& names, std::size_t axes);

/// A name without the letter of an axis and what stands before it; empty if it ends otherwise.
std::string stemOf(const std::string& name, char axis);

}  // namespace farfield::exodus
