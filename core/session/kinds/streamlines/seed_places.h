#pragma once
// Where seeds were located recently: a line in both directions is two tasks that begin at the same point, one
// soon after the other. An entry is what a search would find, so results do not depend on the order of tasks.

#include <array>
#include <cstddef>
#include <mutex>

#include "core/fields/paged/sampler.h"

namespace farfield::session {

/// Thread-safe.
class SeedPlaces {
 public:
  /// Invalid if it is not known.
  fields::Location find(std::size_t seed) {
    const std::scoped_lock lock(m_mutex);
    const Kept& kept = m_kept[seed % kPlaces];
    return kept.seed == seed ? kept.place : fields::Location{};
  }
  void keep(std::size_t seed, const fields::Location& place) {
    const std::scoped_lock lock(m_mutex);
    m_kept[seed % kPlaces] = {seed, place};
  }

 private:
  static constexpr std::size_t kPlaces = 64;
  struct Kept {
    std::size_t seed = 0;
    fields::Location place;  ///< invalid: nothing is kept
  };
  std::mutex m_mutex;
  std::array<Kept, kPlaces> m_kept;
};

}  // namespace farfield::session
