#pragma once
// Places in space by which one can ask whether any is near: for what keeps its distance. Those on the other side of a thin layer are not
// near, however little there is between.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/base/geometry.h"
#include "core/base/memory_account.h"

namespace farfield::session {

/// Found by boxes twice as wide as the largest distance that is asked for: what is near lies in the box of a place, or in the next
/// one on the side of the box where it is, so in one of eight. Not thread-safe.
class NearPlaces {
 public:
  /// `what` they are, for the account. Memory is claimed as places are added.
  NearPlaces(double distance, MemoryAccount& account, const char* what)
      : m_edge(2 * distance), m_account(account), m_what(what) {}

  /// Claimed with the first place; later more at a time.
  static constexpr std::uint64_t kBytesAtFirst = 16 * 1024;

  /// `side`: to which the surface faces there that it lies on, of unit length; 0 for what lies on none. Throws OverBudget, and has not
  /// added it.
  void add(Vec3 place, Vec3 side = {}) {
    if (m_count == m_room) {
      const std::uint64_t bytes = m_claims.empty() ? kBytesAtFirst : kBytesPerClaim;
      m_claims.push_back(m_account.claim(Purpose::Results, bytes, m_what));
      m_room += bytes / kBytesPerPlace;
    }
    m_boxes[boxOf(place)].push_back({place, shortened(side)});
    ++m_count;
  }
  bool isEmpty() const { return m_count == 0; }
  /// Whether one is nearer than `distance`, which is at most that given to the constructor, and not on the opposite side.
  bool isNear(Vec3 place, double distance, Vec3 side = {}) const {
    const Side facing = shortened(side);
    const Box own = boxOf(place);
    Box aside;
    for (std::size_t a = 0; a < 3; ++a) {
      const double within = place[static_cast<int>(a)] / m_edge - static_cast<double>(own[a]);
      aside[a] = own[a] + (within < 0.5 ? -1 : 1);
    }
    for (unsigned corner = 0; corner < 8; ++corner) {
      Box box;
      for (std::size_t a = 0; a < 3; ++a) box[a] = corner >> a & 1 ? aside[a] : own[a];
      const auto found = m_boxes.find(box);
      if (found == m_boxes.end()) continue;
      for (const Placed& each : found->second)
        if (length(each.place - place) < distance && !areOpposite(each.side, facing)) return true;
    }
    return false;
  }

 private:
  static constexpr std::uint64_t kBytesPerPlace = 144, kBytesPerClaim = 8 * 1024;
  using Side = std::array<float, 3>;
  struct Placed {
    Vec3 place;
    Side side;
  };
  static Side shortened(Vec3 side) {
    return {static_cast<float>(side.x), static_cast<float>(side.y), static_cast<float>(side.z)};
  }
  /// By more than 120 degrees: faces at a corner, and what is bent, are one side.
  static bool areOpposite(const Side& a, const Side& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] < -0.5F;
  }
  using Box = std::array<std::int64_t, 3>;
  struct Hash {
    std::size_t operator()(const Box& box) const {
      std::uint64_t hash = 0;
      for (const std::int64_t each : box)
        hash = (hash ^ static_cast<std::uint64_t>(each)) * 0x9e3779b97f4a7c15u;
      return hash ^ hash >> 29;
    }
  };
  Box boxOf(Vec3 place) const {
    Box box;
    for (int a = 0; a < 3; ++a)
      box[static_cast<std::size_t>(a)] = std::llround(std::clamp(std::floor(place[a] / m_edge), -1e15, 1e15));
    return box;
  }
  double m_edge;
  MemoryAccount& m_account;
  const char* m_what;
  std::uint64_t m_count = 0, m_room = 0;  ///< places, and how many are claimed
  std::vector<MemoryClaim> m_claims;
  std::unordered_map<Box, std::vector<Placed>, Hash> m_boxes;
};

}  // namespace farfield::session
