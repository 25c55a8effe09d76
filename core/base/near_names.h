#pragma once
// Names that a mistyped or half typed word may have been meant to be.

#include <cstddef>
#include <string>
#include <vector>

namespace farfield {

/// The one of `candidates` that takes fewest letters to change, add, leave out or swap with their neighbour, ignoring case; empty where
/// that is more than a third of the word.
std::string nearestName(const std::string& word, const std::vector<std::string>& candidates);

/// At most `most`: the nearest one, those that `word` is the beginning of, and those that it is a part of. Of words of one or two letters
/// only those that it is the beginning of.
std::vector<std::string> nearNames(const std::string& word, const std::vector<std::string>& candidates,
                                   std::size_t most = 3);

/// "did you mean a, b or c?"; empty of no names.
std::string asGuess(const std::vector<std::string>& names);

}  // namespace farfield
