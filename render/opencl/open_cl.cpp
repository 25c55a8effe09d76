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
/// Of what is free of the host's budget; the rest is for the pages that bricks are made of, and for rays.
constexpr double kOfBudget = 0.4;

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
  image = image && chosen->device->takesImages(format.type);
  MemoryAccount& memory = facts.shared ? account : chosen->account;
  return std::make_unique<OpenClCaster>(
      CasterParts{.device = chosen->device,
                  .form = {format.type, image, facts.doubles && m_options.doubles},
                  .format = format,
                  // With those of all coarser levels.
                  .bricks = bricks + bricks / 7 + 64,
                  .mostBytes = mostBytesOf(*chosen, account),
                  .deviceAccount = memory,
                  .host = account});
}

std::uint64_t OpenCl::mostBytesOf(const Chosen& chosen, const MemoryAccount& host) {
  return static_cast<std::uint64_t>(chosen.device->facts().shared
                                        ? kOfBudget * static_cast<double>(host.obtainableBytes())
                                        : kOfFree * static_cast<double>(chosen.account.freeBytes()));
}

std::optional<OpenCl::Use> OpenCl::use(MemoryAccount& host) {
  const std::lock_guard lock(m_mutex);
  if (m_failed) return std::nullopt;
  Chosen& chosen = choose();
  const DeviceFacts& facts = chosen.device->facts();
  return Use{chosen.device, facts.doubles && m_options.doubles, facts.shared ? host : chosen.account,
             mostBytesOf(chosen, host)};
}

void OpenCl::tellOnce(const std::string& about, const std::string& line) {
  if (m_told.insert(about).second && m_options.notice) m_options.notice(line);
}

void OpenCl::tell(const std::string& line) {
  const std::lock_guard lock(m_mutex);
  tellOnce(line, line);
}

void OpenCl::failed(const Error& error, const std::string& instead) {
  const std::lock_guard lock(m_mutex);
  // Another budget, or another volume, may do.
  const bool budget = dynamic_cast<const OverBudget*>(&error) != nullptr;
  m_failed = m_failed || !budget;
  tellOnce(budget ? "budget; " + instead : error.what(), std::string(error.what()) + "; " + instead);
}

OpenCl::Description OpenCl::describe() {
  const std::lock_guard lock(m_mutex);
  Chosen& chosen = choose();
  if (!chosen.speed) chosen.speed = measureSpeed(chosen.device);
  return {chosen.device->facts(), *chosen.speed};
}

std::string textOf(const OpenCl::Description& description) {
  const auto& [facts, speed] = description;
  const auto rate = [](double perSecond) {
    const bool billions = perSecond >= 1e9;
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), "%.3g %s", perSecond * (billions ? 1e-9 : 1e-6),
                  billions ? "billion" : "million");
    return std::string(text.data());
  };
  const bool image = speed.prefersImage();
  std::string text = facts.name + " (" + facts.platform + ") casts " +
                     rate(std::max(speed.image, speed.buffer)) + " samples a second with bricks in " +
                     (image ? "an image" : "a buffer");
  if (image || speed.image > 0)
    text += ", " + rate(std::min(speed.image, speed.buffer)) + " in " + (image ? "a buffer" : "an image");
  if (facts.processor) text += "; it is the processor, which \"engine\": \"auto\" uses without OpenCL";
  return text;
}

}  // namespace farfield::opencl
