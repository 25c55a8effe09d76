#pragma once
// Brings what a device has made to the host. A driver copies what goes to ordinary memory twice, and waits in between; memory
// that it shares with the host is filled by the device itself, and copied from there part by part while the next ones come.

#include <cstddef>
#include <span>

#include "core/base/memory_account.h"
#include "render/opencl/device.h"

namespace farfield::opencl {

/// Used by one thread at a time.
class ReadBack {
 public:
  /// Both outlive it. Memory is taken when it is first needed, and kept.
  ReadBack(const Device& device, MemoryAccount& host) : m_device(device), m_host(host) {}
  ~ReadBack();
  ReadBack(const ReadBack&) = delete;
  ReadBack& operator=(const ReadBack&) = delete;

  /// The first bytes of `from`. Without room for memory that is shared, or where the device's is the host's, as Device::read
  /// does it. Throws volume::DeviceFailed.
  void read(const Memory& from, std::span<std::byte> to);

 private:
  bool provide(std::size_t bytes);
  void release();

  const Device& m_device;
  MemoryAccount& m_host;
  MemoryClaim m_claim;
  Memory m_memory;
  std::byte* m_place = nullptr;  ///< where the host sees it
  std::size_t m_bytes = 0;
};

}  // namespace farfield::opencl
