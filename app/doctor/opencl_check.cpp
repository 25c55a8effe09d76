#include "app/doctor/opencl_check.h"

#include <dlfcn.h>

#include <algorithm>

#include <cstdint>
#include <string>
#include <vector>

namespace farfield::doctor {
namespace {

// The few of OpenCL 1.2's functions and numbers (CL/cl.h) that are needed to list what is there.
using Handle = void*;
using GetPlatforms = std::int32_t (*)(std::uint32_t, Handle*, std::uint32_t*);
using GetDevices = std::int32_t (*)(Handle, std::uint64_t, std::uint32_t, Handle*, std::uint32_t*);
using GetInfo = std::int32_t (*)(Handle, std::uint32_t, std::size_t, void*, std::size_t*);
constexpr std::uint32_t kPlatformVersion = 0x0901, kPlatformName = 0x0902, kDeviceName = 0x102B;
constexpr std::uint64_t kAllDevices = 0xFFFFFFFF;
constexpr std::uint32_t kMost = 16;

constexpr const char* kUse = "this version computes nothing with it";

std::string textOf(GetInfo get, Handle of, std::uint32_t what) {
  char text[256] = {};
  if (get(of, what, sizeof text - 1, text, nullptr) != 0) return "?";
  std::string name(text);
  while (name.ends_with(' ')) name.pop_back();
  return name;
}

}  // namespace

Finding checkOpenCl() {
  // Never closed: drivers leave threads behind that run its code.
  void* const library = ::dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) return {Status::Ok, std::string("libOpenCL.so.1 is not installed; ") + kUse, ""};
  const auto platforms = reinterpret_cast<GetPlatforms>(::dlsym(library, "clGetPlatformIDs"));
  const auto devices = reinterpret_cast<GetDevices>(::dlsym(library, "clGetDeviceIDs"));
  const auto ofPlatform = reinterpret_cast<GetInfo>(::dlsym(library, "clGetPlatformInfo"));
  const auto ofDevice = reinterpret_cast<GetInfo>(::dlsym(library, "clGetDeviceInfo"));
  if (!platforms || !devices || !ofPlatform || !ofDevice)
    return {Status::Warn, "libOpenCL.so.1 is not what it says", "install the package ocl-icd-libopencl1"};
  Handle found[kMost] = {};
  std::uint32_t count = 0;
  if (platforms(kMost, found, &count) != 0 || count == 0)
    return {Status::Ok, std::string("no platform; ") + kUse, ""};
  count = std::min(count, kMost);
  std::string text;
  bool empty = false;
  for (std::uint32_t p = 0; p < count; ++p) {
    text += (p ? "; " : "") + textOf(ofPlatform, found[p], kPlatformName) + ", " +
            textOf(ofPlatform, found[p], kPlatformVersion) + ": ";
    Handle list[kMost] = {};
    std::uint32_t number = 0;
    if (devices(found[p], kAllDevices, kMost, list, &number) != 0) number = 0;
    number = std::min(number, kMost);
    if (number == 0) text += "no device";
    empty = empty || number == 0;
    for (std::uint32_t d = 0; d < number; ++d)
      text += (d ? ", " : "") + textOf(ofDevice, list[d], kDeviceName);
  }
  text += std::string("; ") + kUse;
  if (empty)
    return {
        Status::Warn, text,
        "where the platform is PoCL, let POCL_CACHE_DIR name a folder that can be written; else install the "
        "device's driver"};
  return {Status::Ok, text, ""};
}

}  // namespace farfield::doctor
