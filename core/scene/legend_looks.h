#pragma once
// Whose look the look of a legend is: that of a function, whatever it is of, or of a function of its owner, which goes before it. Owners
// are data sets, of which each has a legend of its own, with a place of its own, and objects with scales of their own.

#include <array>
#include <map>
#include <string>
#include <vector>

#include "core/scene/annotation.h"

namespace farfield::scene {

/// By functions, or by legendKey().
using LegendLooks = std::map<std::string, LegendLook>;

/// The owner that one object of the data is. No name has a slash.
inline std::string ownLegend(const std::string& data, const std::string& object) {
  return data + '/' + object;
}

inline bool isOfOneObject(const std::string& owner) {
  return owner.find('/') != std::string::npos;
}

/// Under which the look of a legend of an owner is kept. No name has a colon.
inline std::string legendKey(const std::string& owner, const std::string& function) {
  return owner + ':' + function;
}

/// The look that the legend of `function` has for `owner`: its own, else that of its data, else of all; null: as at first.
inline const LegendLook* legendLook(const LegendLooks& looks, const std::string& owner,
                                    const std::string& function) {
  for (const std::string& each : {owner, owner.substr(0, owner.find('/'))})
    if (const auto own = looks.find(legendKey(each, function)); own != looks.end()) return &own->second;
  const auto all = looks.find(function);
  return all == looks.end() ? nullptr : &all->second;
}

/// Where a legend is put.
struct LegendPlace {
  std::string owner;  ///< empty: of all
  std::string function;
  std::array<double, 2> place{};
  std::string key() const { return owner.empty() ? function : legendKey(owner, function); }
  bool operator==(const LegendPlace&) const = default;
};

/// Before the look of `function` under `key` is changed: those of `owners` that are objects, and have theirs from there, keep it.
inline void keepOwnLooks(LegendLooks& looks, const std::string& key, const std::string& function,
                         const std::vector<std::string>& owners) {
  for (const std::string& owner : owners) {
    const std::string own = legendKey(owner, function);
    const bool isFromThere = key == function || key == legendKey(owner.substr(0, owner.find('/')), function);
    if (!isOfOneObject(owner) || !isFromThere || looks.contains(own)) continue;
    const LegendLook* const now = legendLook(looks, owner, function);
    const LegendLook its = now ? *now : LegendLook{};
    looks.emplace(own, its);
  }
}

}  // namespace farfield::scene
