#pragma once
// What a pattern has in the place of the numbers of a series ("w_[0-9]*.vtu"), for whoever makes, finds and shows such patterns.

namespace farfield::fields {

/// Stands for numbers alone where it is all that is not a plain name (expandPattern).
inline constexpr char kNumbers[] = "[0-9]*";

}  // namespace farfield::fields
