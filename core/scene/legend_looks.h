#pragma once
// Whose look the look of a legend is: that of a function, whatever data it is of, or of a function of certain data, which goes before it.
// Of several data sets each has a legend of its own, with a place of its own.

#include <array>
#include <map>
#include <string>

#include "core/scene/annotation.h"

namespace farfield::scene {

/// By functions, or by legendKey().
using LegendLooks = std::map<std::string, LegendLook>;

/// Under which the look of a legend of certain data is kept. No name of data has a colon.
inline std::string legendKey(const std::string& data, const std::string& function) {
  return data + ':' + function;
}

/// The look that the legend of `function` has for `data`; null: as at first.
inline const LegendLook* legendLook(const LegendLooks& looks, const std::string& data,
                                    const std::string& function) {
  if (const auto own = looks.find(legendKey(data, function)); own != looks.end()) return &own->second;
  const auto all = looks.find(function);
  return all == looks.end() ? nullptr : &all->second;
}

/// Where a legend is put.
struct LegendPlace {
  std::string data;  ///< empty: of all
  std::string function;
  std::array<double, 2> place{};
  std::string key() const { return data.empty() ? function : legendKey(data, function); }
  bool operator==(const LegendPlace&) const = default;
};

}  // namespace farfield::scene
