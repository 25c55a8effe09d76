#include "core/tasks/stack_arena.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <string>

#include "core/base/error.h"
#include "core/tasks/schedulers.h"

namespace farfield::tasks::detail {
namespace {

constexpr std::uint64_t kCanary = 0x5afe57ac6ca9a41fULL;

std::size_t pageBytes() {
  static const auto bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

}  // namespace

StackArena::StackArena(std::size_t count, std::size_t stackBytes) : m_count(count) {
  const std::size_t page = pageBytes();
  m_stackBytes = (std::max(stackBytes, kLeastFiberStackBytes) + page - 1) / page * page;
  if (__builtin_mul_overflow(count, m_stackBytes, &m_mappedBytes) ||
      __builtin_add_overflow(m_mappedBytes, 2 * page, &m_mappedBytes))
    throw Invalid("the stacks of all workers are larger than the address space",
                  "use fewer workers, or raise the limit on address space (ulimit -v)");
  void* const mapping = ::mmap(nullptr, m_mappedBytes, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (mapping == MAP_FAILED)
    throw ioError("cannot map the stacks of " + std::to_string(count) + " workers", errno)
        .advise("use fewer workers, or raise the limit on address space (ulimit -v)");
  m_mapping = static_cast<std::byte*>(mapping);
  ::mprotect(m_mapping, page, PROT_NONE);
  // Huge pages would make every stack resident as a whole at its first call.
  ::madvise(m_mapping, m_mappedBytes, MADV_NOHUGEPAGE);
  m_stacks = m_mapping + 2 * page - kCanaryBytes;
}

StackArena::~StackArena() {
  ::munmap(m_mapping, m_mappedBytes);
}

void StackArena::placeCanary(std::size_t index) {
  auto* const words = reinterpret_cast<std::uint64_t*>(m_stacks + index * m_stackBytes);
  std::fill_n(words, kCanaryBytes / sizeof(std::uint64_t), kCanary);
}

bool StackArena::isIntact(std::size_t index) const {
  const auto* const words = reinterpret_cast<const std::uint64_t*>(m_stacks + index * m_stackBytes);
  return std::all_of(words, words + kCanaryBytes / sizeof(std::uint64_t),
                     [](std::uint64_t word) { return word == kCanary; });
}

void StackArena::releaseFrom(std::size_t first) {
  if (first >= m_count) return;
  // From the first whole page, so that the top of the stack below stays.
  std::byte* const from = m_stacks + first * m_stackBytes + kCanaryBytes;
  ::madvise(from, static_cast<std::size_t>(m_mapping + m_mappedBytes - from), MADV_DONTNEED);
}

}  // namespace farfield::tasks::detail
