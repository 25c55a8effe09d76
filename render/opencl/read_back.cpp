#include "render/opencl/read_back.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "render/volume/device_caster.h"

namespace farfield::opencl {
namespace {

/// Copied on the host at a time.
constexpr std::size_t kPart = std::size_t{2} << 20;

}  // namespace

ReadBack::~ReadBack() {
  release();
}

void ReadBack::release() {
  if (m_place) {
    clEnqueueUnmapMemObject(m_device.queue(), m_memory.get(), m_place, 0, nullptr, nullptr);
    clFinish(m_device.queue());
  }
  m_place = nullptr;
  m_memory = {};
  m_claim.release();
  m_bytes = 0;
}

bool ReadBack::provide(std::size_t bytes) {
  if (m_device.facts().shared) return false;
  if (bytes <= m_bytes) return true;
  release();
  std::optional<MemoryClaim> claim = m_host.tryClaim(Purpose::Results, bytes);
  if (!claim) return false;
  Memory memory;
  try {
    memory = m_device.hostBuffer(bytes);
  } catch (const volume::DeviceFailed&) {
    return false;
  }
  cl_int status = CL_SUCCESS;
  void* const place = clEnqueueMapBuffer(m_device.queue(), memory.get(), CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                         0, bytes, 0, nullptr, nullptr, &status);
  if (status != CL_SUCCESS || !place) return false;
  m_claim = std::move(*claim);
  m_memory = std::move(memory);
  m_place = static_cast<std::byte*>(place);
  m_bytes = bytes;
  return true;
}

void ReadBack::read(const Memory& from, std::span<std::byte> to) {
  if (!provide(to.size())) return m_device.read(from, 0, to);
  std::vector<Event> events;
  for (std::size_t at = 0; at < to.size(); at += kPart) {
    cl_event event = nullptr;
    check(clEnqueueReadBuffer(m_device.queue(), from.get(), CL_FALSE, at, std::min(kPart, to.size() - at),
                              m_place + at, 0, nullptr, &event),
          "reading from the device");
    events.emplace_back(event);
  }
  check(clFlush(m_device.queue()), "reading from the device");
  for (std::size_t n = 0; n < events.size(); ++n) {
    const cl_event event = events[n].get();
    check(clWaitForEvents(1, &event), "reading from the device");
    const std::size_t at = n * kPart;
    std::memcpy(to.data() + at, m_place + at, std::min(kPart, to.size() - at));
  }
}

}  // namespace farfield::opencl
