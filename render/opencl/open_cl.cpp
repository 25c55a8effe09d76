#include "render/opencl/open_cl.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "render/opencl/opencl_caster.h"

namespace farfield::opencl {
namespace {

/// Of a device's own memory, what volumes may have together; of what is free, what bricks of one may have.
constexpr double kOfDevice = 0.7, kOfFree = 0.75;
/// Of the host's budget; the rest is for the pages that bricks are made of.
constexpr std::uint64_t kHostShare = 2;

}  // namespace

struct OpenCl::Chosen {
  Chosen(const ClCalls& calls, const DeviceFacts& facts)
      : device(std::make_shared<Device>(calls, facts)),
        account(static_cast<std::uint64_t>(kOfDevice * static_cast<double>(facts.memoryBytes))) {}
  std::shared_ptr<const Device> device;
  MemoryAccount account;  ///< of the device's own memory
  std::optional<DeviceSpeed> speed;
};

OpenCl::OpenCl(Options options) : m_options(std::move(options)) {}
OpenCl::~OpenCl() = default;

OpenCl::Chosen& OpenCl::choose() {
  if (!m_chosen) m_chosen = std::make_unique<Chosen>(m_options.calls, findDevices(m_options.calls).front());
  return *m_chosen;
}

volume::DeviceMaker OpenCl::anyDevice() {
  return [self = shared_from_this()](const volume::BrickFormat& format, std::int64_t bricks,
                                     MemoryAccount& account) {
    return self->make(false, format, bricks, account);
  };
}

volume::DeviceMaker OpenCl::accelerator() {
  return [self = shared_from_this()](const volume::BrickFormat& format, std::int64_t bricks,
                                     MemoryAccount& account) {
    return self->make(true, format, bricks, account);
  };
}

std::unique_ptr<volume::DeviceCaster> OpenCl::make(bool onlyAccelerator, const volume::BrickFormat& format,
                                                   std::int64_t bricks, MemoryAccount& account) {
  const std::lock_guard lock(m_mutex);
  if (m_failed || (onlyAccelerator && !m_chosen && !mayHaveAccelerator())) return nullptr;
  Chosen* chosen = nullptr;
  try {
    chosen = &choose();
  } catch (const volume::DeviceFailed&) {
    if (onlyAccelerator) return nullptr;  // nobody asked for it
    throw;
  }
  const DeviceFacts& facts = chosen->device->facts();
  if (onlyAccelerator && facts.processor) return nullptr;
  bool image = m_options.image.value_or(false);
  if (!m_options.image) {
    if (!chosen->speed) chosen->speed = measureSpeed(chosen->device);
    image = chosen->speed->prefersImage();
  }
  image = image && chosen->device->canFilter(format.type);
  MemoryAccount& memory = facts.shared ? account : chosen->account;
  const std::uint64_t most =
      facts.shared ? account.obtainableBytes() / kHostShare
                   : static_cast<std::uint64_t>(kOfFree * static_cast<double>(chosen->account.freeBytes()));
  return std::make_unique<OpenClCaster>(
      CasterParts{.device = chosen->device,
                  .form = {format.type, image, facts.doubles && m_options.doubles},
                  .format = format,
                  // With those of all coarser levels.
                  .bricks = bricks + bricks / 7 + 64,
                  .mostBytes = most,
                  .deviceAccount = memory,
                  .host = account});
}

void OpenCl::failed(const Error& error) {
  const std::lock_guard lock(m_mutex);
  m_failed = true;
  if (m_told.insert(error.what()).second && m_options.notice)
    m_options.notice(std::string(error.what()) + "; the processors cast volumes");
}

OpenCl::Description OpenCl::describe() {
  const std::lock_guard lock(m_mutex);
  Chosen& chosen = choose();
  if (!chosen.speed) chosen.speed = measureSpeed(chosen.device);
  return {chosen.device->facts(), *chosen.speed};
}

std::string textOf(const OpenCl::Description& description) {
  const auto& [facts, speed] = description;
  const auto millions = [](double perSecond) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3g", 1e-6 * perSecond);
    return std::string(text.data());
  };
  const bool image = speed.prefersImage();
  std::string text = facts.name + " (" + facts.platform + ") casts " +
                     millions(std::max(speed.image, speed.buffer)) +
                     " million samples a second with bricks in " + (image ? "an image" : "a buffer");
  if (image || speed.image > 0)
    text += ", " + millions(std::min(speed.image, speed.buffer)) + " in " + (image ? "a buffer" : "an image");
  if (facts.processor) text += "; it is the processor, which \"engine\": \"auto\" uses without OpenCL";
  return text;
}

}  // namespace farfield::opencl
