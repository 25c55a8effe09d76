#include "render/opencl/device.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>

#include "render/volume/device_caster.h"

namespace farfield::opencl {
namespace {

using volume::DeviceFailed;

constexpr std::pair<std::string_view, std::string_view> kSources[] = {
#include "kernels.inc"
};

std::string textOf(cl_device_id device, cl_device_info what) {
  std::size_t size = 0;
  if (clGetDeviceInfo(device, what, 0, nullptr, &size) != CL_SUCCESS || size == 0 || size > 65536) return {};
  std::string text(size, '\0');
  if (clGetDeviceInfo(device, what, size, text.data(), nullptr) != CL_SUCCESS) return {};
  text.resize(text.find_last_not_of(std::string_view("\0 ", 2)) + 1);
  return text;
}

template <class Number>
Number numberOf(cl_device_id device, cl_device_info what) {
  Number number{};
  clGetDeviceInfo(device, what, sizeof number, &number, nullptr);
  return number;
}

cl_channel_type channelOf(volume::BrickType type) {
  return type == volume::BrickType::U8    ? CL_UNORM_INT8
         : type == volume::BrickType::U16 ? CL_UNORM_INT16
                                          : CL_FLOAT;
}

DeviceFacts factsOf(cl_device_id id) {
  DeviceFacts facts;
  facts.id = id;
  facts.name = textOf(id, CL_DEVICE_NAME);
  facts.processor = (numberOf<cl_device_type>(id, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU) != 0;
  facts.shared = facts.processor || numberOf<cl_bool>(id, CL_DEVICE_HOST_UNIFIED_MEMORY) == CL_TRUE;
  facts.doubles = textOf(id, CL_DEVICE_EXTENSIONS).find("cl_khr_fp64") != std::string::npos;
  facts.images = numberOf<cl_bool>(id, CL_DEVICE_IMAGE_SUPPORT) == CL_TRUE;
  facts.units = static_cast<int>(numberOf<cl_uint>(id, CL_DEVICE_MAX_COMPUTE_UNITS));
  facts.memoryBytes = numberOf<cl_ulong>(id, CL_DEVICE_GLOBAL_MEM_SIZE);
  facts.largestBytes = numberOf<cl_ulong>(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  facts.imageSides = {numberOf<std::size_t>(id, CL_DEVICE_IMAGE3D_MAX_WIDTH),
                      numberOf<std::size_t>(id, CL_DEVICE_IMAGE3D_MAX_HEIGHT),
                      numberOf<std::size_t>(id, CL_DEVICE_IMAGE3D_MAX_DEPTH)};
  return facts;
}

constexpr const char* kInstall = "install the driver of the graphics card, or pocl-opencl-icd";

}  // namespace

std::string nameOfError(cl_int status) {
  switch (status) {
    case -1001:  // CL_PLATFORM_NOT_FOUND_KHR
      return "no driver is installed";
    case CL_DEVICE_NOT_FOUND:
      return "there is no device";
    case CL_DEVICE_NOT_AVAILABLE:
      return "the device is not available";
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    case CL_OUT_OF_RESOURCES:
      return "the device is out of memory";
    case CL_OUT_OF_HOST_MEMORY:
      return "the driver is out of memory";
    case CL_BUILD_PROGRAM_FAILURE:
      return "the driver does not take the program";
    default:
      return "OpenCL's error " + std::to_string(status);
  }
}

void check(cl_int status, const char* what) {
  if (status != CL_SUCCESS) throw DeviceFailed(std::string(what) + ": " + nameOfError(status));
}

std::vector<DeviceFacts> findDevices(const ClCalls& calls) {
  std::array<cl_platform_id, 64> platforms{};
  cl_uint count = 0;
  const cl_int status = calls.getPlatforms(static_cast<cl_uint>(platforms.size()), platforms.data(), &count);
  if (status != CL_SUCCESS) throw DeviceFailed("OpenCL: " + nameOfError(status), kInstall);
  std::vector<DeviceFacts> found;
  for (cl_uint n = 0; n < std::min<cl_uint>(count, platforms.size()); ++n) {
    std::array<cl_device_id, 64> devices{};
    cl_uint ofPlatform = 0;
    if (calls.getDevices(platforms[n], CL_DEVICE_TYPE_ALL, static_cast<cl_uint>(devices.size()),
                         devices.data(), &ofPlatform) != CL_SUCCESS)
      continue;
    std::array<char, 256> platform{};
    clGetPlatformInfo(platforms[n], CL_PLATFORM_NAME, platform.size() - 1, platform.data(), nullptr);
    for (cl_uint d = 0; d < std::min<cl_uint>(ofPlatform, devices.size()); ++d) {
      if (numberOf<cl_bool>(devices[d], CL_DEVICE_AVAILABLE) != CL_TRUE ||
          numberOf<cl_bool>(devices[d], CL_DEVICE_COMPILER_AVAILABLE) != CL_TRUE)
        continue;
      found.push_back(factsOf(devices[d]));
      found.back().platform = platform.data();
    }
  }
  if (found.empty())
    throw DeviceFailed(
        count == 0 ? "OpenCL: no driver is installed" : "OpenCL: no driver has a device",
        count == 0 ? kInstall : "a driver needs a folder that it may write to: see HOME, POCL_CACHE_DIR");
  std::stable_sort(found.begin(), found.end(), [](const DeviceFacts& a, const DeviceFacts& b) {
    return a.processor != b.processor ? b.processor : a.units > b.units;
  });
  return found;
}

bool mayHaveAccelerator() {
  const char* const named = std::getenv("OCL_ICD_VENDORS");
  const std::filesystem::path place = named && *named ? named : "/etc/OpenCL/vendors";
  std::error_code none;
  if (!std::filesystem::is_directory(place, none)) return std::filesystem::exists(place, none);
  for (const auto& entry : std::filesystem::directory_iterator(place, none)) {
    if (entry.path().extension() != ".icd") continue;
    std::ifstream file(entry.path());
    std::string library;
    std::getline(file, library);
    if (library.find("pocl") == std::string::npos) return true;
  }
  return false;
}

Device::Device(const ClCalls& calls, DeviceFacts facts) : m_calls(calls), m_facts(std::move(facts)) {
  cl_int status = CL_SUCCESS;
  m_context = Context(m_calls.createContext(nullptr, 1, &m_facts.id, nullptr, nullptr, &status));
  check(status, "using the device");
  m_queue = Queue(clCreateCommandQueue(m_context.get(), m_facts.id, CL_QUEUE_PROFILING_ENABLE, &status));
  check(status, "using the device");
}

Program Device::build(const KernelForm& form) const {
  std::string options = "-DVALUE_TYPE=" + std::to_string(static_cast<int>(form.type));
  if (form.image) options += filtersExactly(form.type) ? " -DWITH_IMAGE -DWITH_FILTER" : " -DWITH_IMAGE";
  if (form.doubles) options += " -DWITH_DOUBLE";
  return build(kSources[0].second, options);
}

Program Device::build(std::string_view source, const std::string& moreOptions) const {
  const std::string options = "-cl-std=CL1.2 " + moreOptions;
  const std::lock_guard lock(m_mutex);
  Program& known = m_programs[{source.data(), options}];
  if (!known) {
    const char* text = source.data();
    const std::size_t size = source.size();
    cl_int status = CL_SUCCESS;
    Program program(clCreateProgramWithSource(m_context.get(), 1, &text, &size, &status));
    check(status, "compiling kernels");
    status = m_calls.buildProgram(program.get(), 1, &m_facts.id, options.c_str(), nullptr, nullptr);
    if (status != CL_SUCCESS) {
      std::string log(4096, '\0');
      std::size_t length = 0;
      clGetProgramBuildInfo(program.get(), m_facts.id, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), &length);
      log.resize(std::min(length, log.size()));
      log = log.substr(0, std::min(log.find('\n'), log.find('\0')));
      throw DeviceFailed("compiling kernels: " + nameOfError(status) + (log.empty() ? "" : " (" + log + ")"));
    }
    known = std::move(program);
  }
  clRetainProgram(known.get());
  return Program(known.get());
}

Kernel Device::kernel(const Program& program, const char* name) const {
  cl_int status = CL_SUCCESS;
  Kernel kernel(clCreateKernel(program.get(), name, &status));
  check(status, "compiling kernels");
  return kernel;
}

Memory Device::buffer(std::size_t bytes, bool readOnly) const {
  cl_int status = CL_SUCCESS;
  Memory memory(m_calls.createBuffer(m_context.get(), readOnly ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE,
                                     std::max<std::size_t>(bytes, 16), nullptr, &status));
  check(status, "memory of the device");
  return memory;
}

Memory Device::hostBuffer(std::size_t bytes) const {
  cl_int status = CL_SUCCESS;
  Memory memory(m_calls.createBuffer(m_context.get(), CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR,
                                     std::max<std::size_t>(bytes, 16), nullptr, &status));
  check(status, "memory of the device");
  return memory;
}

Memory Device::image(volume::BrickType type, const std::array<std::size_t, 3>& sides) const {
  const cl_image_format format{CL_R, channelOf(type)};
  cl_image_desc shape{};
  shape.image_type = CL_MEM_OBJECT_IMAGE3D;
  shape.image_width = sides[0];
  shape.image_height = sides[1];
  shape.image_depth = sides[2];
  cl_int status = CL_SUCCESS;
  Memory memory(clCreateImage(m_context.get(), CL_MEM_READ_ONLY, &format, &shape, nullptr, &status));
  check(status, "an image of the device");
  return memory;
}

bool Device::takesImages(volume::BrickType type) const {
  if (!m_facts.images) return false;
  std::array<cl_image_format, 512> formats{};
  cl_uint count = 0;
  if (clGetSupportedImageFormats(m_context.get(), CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE3D,
                                 static_cast<cl_uint>(formats.size()), formats.data(), &count) != CL_SUCCESS)
    return false;
  return std::any_of(formats.begin(), formats.begin() + std::min<cl_uint>(count, formats.size()),
                     [&](const cl_image_format& format) {
                       return format.image_channel_order == CL_R &&
                              format.image_channel_data_type == channelOf(type);
                     });
}

bool Device::filtersExactly(volume::BrickType type) const {
  {
    const std::lock_guard lock(m_mutex);
    if (const auto known = m_filtersExactly.find(type); known != m_filtersExactly.end()) return known->second;
  }
  const bool exactly = measureFilter(type);
  const std::lock_guard lock(m_mutex);
  return m_filtersExactly[type] = exactly;
}

bool Device::measureFilter(volume::BrickType type) const {
  // More places than the fractions of a filter of eight bits, so that most lie between two of them.
  constexpr std::size_t kPlaces = 1000;
  constexpr double kExact = 1e-4;
  const Program program =
      build(kSources[0].second, "-DVALUE_TYPE=" + std::to_string(static_cast<int>(type)) + " -DWITH_IMAGE");
  const Kernel between = kernel(program, "filterBetween");
  const Memory row = image(type, {2, 2, 2}), out = buffer(kPlaces * sizeof(float));
  // The second value of each row is 1 to those who read it.
  std::array<std::byte, 8 * sizeof(float)> values{};
  const std::size_t each = volume::sizeOf(type);
  constexpr float kOne = 1;
  for (std::size_t n = 1; n < 8; n += 2) {
    if (type == volume::BrickType::F32)
      std::memcpy(values.data() + n * each, &kOne, sizeof kOne);
    else
      std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(n * each), each, std::byte{0xFF});
  }
  constexpr std::array<std::size_t, 3> kFrom{0, 0, 0}, kSides{2, 2, 2};
  check(clEnqueueWriteImage(m_queue.get(), row.get(), CL_TRUE, kFrom.data(), kSides.data(), 0, 0,
                            values.data(), 0, nullptr, nullptr),
        "writing to the device");
  const cl_mem from = row.get(), to = out.get();
  const auto count = static_cast<cl_int>(kPlaces);
  check(clSetKernelArg(between.get(), 0, sizeof from, &from), "running a kernel");
  check(clSetKernelArg(between.get(), 1, sizeof count, &count), "running a kernel");
  check(clSetKernelArg(between.get(), 2, sizeof to, &to), "running a kernel");
  launch(between, {0, 0}, {kPlaces, 1}, {0, 0});
  std::vector<float> got(kPlaces);
  read(out, 0, std::as_writable_bytes(std::span(got)));
  double most = 0;
  for (std::size_t n = 0; n < kPlaces; ++n)
    most = std::max(most, std::abs(static_cast<double>(got[n]) - static_cast<double>(n) / kPlaces));
  return most < kExact;
}

void Device::write(const Memory& to, std::size_t at, std::span<const std::byte> bytes) const {
  if (bytes.empty()) return;
  check(m_calls.writeBuffer(m_queue.get(), to.get(), CL_TRUE, at, bytes.size(), bytes.data(), 0, nullptr,
                            nullptr),
        "writing to the device");
}

void Device::read(const Memory& from, std::size_t at, std::span<std::byte> bytes) const {
  if (bytes.empty()) return;
  check(clEnqueueReadBuffer(m_queue.get(), from.get(), CL_TRUE, at, bytes.size(), bytes.data(), 0, nullptr,
                            nullptr),
        "reading from the device");
}

void Device::fill(const Memory& to, std::uint32_t pattern, std::size_t bytes) const {
  if (bytes == 0) return;
  check(clEnqueueFillBuffer(m_queue.get(), to.get(), &pattern, sizeof pattern, 0, bytes, 0, nullptr, nullptr),
        "writing to the device");
}

Event Device::launch(const Kernel& kernel, std::array<std::size_t, 2> first, std::array<std::size_t, 2> size,
                     std::array<std::size_t, 2> local) const {
  cl_event event = nullptr;
  check(m_calls.enqueueKernel(m_queue.get(), kernel.get(), 2, first.data(), size.data(),
                              local[0] == 0 ? nullptr : local.data(), 0, nullptr, &event),
        "running a kernel");
  return Event(event);
}

void Device::finish() const {
  check(clFinish(m_queue.get()), "running a kernel");
}

double Device::seconds(const Event& event) {
  cl_ulong start = 0, end = 0;
  if (clGetEventProfilingInfo(event.get(), CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr) !=
          CL_SUCCESS ||
      clGetEventProfilingInfo(event.get(), CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr) != CL_SUCCESS)
    return 0;
  return end > start ? 1e-9 * static_cast<double>(end - start) : 0;
}

}  // namespace farfield::opencl
