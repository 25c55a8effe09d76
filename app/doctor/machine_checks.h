#pragma once
// What the machine gives to a process: processors, memory, limits, io_uring.

#include <cstdint>
#include <filesystem>
#include <optional>

#include "app/doctor/check.h"

namespace farfield::doctor {

/// `root` is that of the file system in which /proc and /sys are looked up; another for tests.
struct Machine {
  std::filesystem::path root = "/";
};

/// Bytes that the control groups of this process leave it, the narrowest of all; none: no limit.
std::optional<std::uint64_t> groupMemoryLimit(const Machine& machine);
/// Processors' worth of time that they leave it.
std::optional<double> groupProcessorLimit(const Machine& machine);

Finding checkProcessors(const Machine& machine, int available);
/// `budgetBytes`: what is used unless the user says otherwise.
Finding checkMemory(const Machine& machine, std::uint64_t budgetBytes);
Finding checkOpenFiles();
Finding checkLockedMemory();
Finding checkUring(const Machine& machine);

}  // namespace farfield::doctor
