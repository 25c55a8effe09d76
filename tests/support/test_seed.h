#pragma once
// The seed of tests that draw at random: the same in each run, so that what fails once fails again, unless
// FARFIELD_TEST_SEED names another one to look further.

#include <QtGlobal>

#include <cstdint>
#include <cstdlib>

namespace farfield::test {

/// FARFIELD_TEST_SEED, or `usual`. Prints it, for whoever wants to repeat a run.
inline std::uint64_t testSeed(std::uint64_t usual = 1) {
  const char* const text = std::getenv("FARFIELD_TEST_SEED");
  const std::uint64_t seed = text ? std::strtoull(text, nullptr, 10) : usual;
  qInfo("FARFIELD_TEST_SEED=%llu", static_cast<unsigned long long>(seed));
  return seed;
}

}  // namespace farfield::test
