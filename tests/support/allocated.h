#pragma once
// How much a test program has from the heap: for what is to be claimed before it is allocated. Included by one source of a program.

#include <malloc.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace farfield::test {

inline std::atomic<std::int64_t> g_allocated{0}, g_mostAllocated{0};

inline std::int64_t allocatedBytes() {
  return g_allocated.load();
}
/// Since it was forgotten.
inline std::int64_t mostAllocated() {
  return g_mostAllocated.load();
}
inline void forgetMostAllocated() {
  g_mostAllocated = g_allocated.load();
}

}  // namespace farfield::test

void* operator new(std::size_t bytes) {
  void* const memory = std::malloc(bytes > 0 ? bytes : 1);
  if (!memory) throw std::bad_alloc();
  const auto size = static_cast<std::int64_t>(::malloc_usable_size(memory));
  const std::int64_t now = farfield::test::g_allocated += size;
  for (std::int64_t most = farfield::test::g_mostAllocated;
       now > most && !farfield::test::g_mostAllocated.compare_exchange_weak(most, now);) {
  }
  return memory;
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  try {
    return operator new(bytes);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* memory) noexcept {
  if (memory) farfield::test::g_allocated -= static_cast<std::int64_t>(::malloc_usable_size(memory));
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  operator delete(memory);
}
