#pragma once
// The part of OpenCL that the program calls. Calls that can fail because of a driver, a device or its memory
// are held as pointers, so that tests can let each of them fail. Also handles that release what they hold.

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <string>
#include <utility>

namespace farfield::opencl {

struct ClCalls {
  decltype(&clGetPlatformIDs) getPlatforms = &clGetPlatformIDs;
  decltype(&clGetDeviceIDs) getDevices = &clGetDeviceIDs;
  decltype(&clCreateContext) createContext = &clCreateContext;
  decltype(&clBuildProgram) buildProgram = &clBuildProgram;
  decltype(&clCreateBuffer) createBuffer = &clCreateBuffer;
  decltype(&clEnqueueNDRangeKernel) enqueueKernel = &clEnqueueNDRangeKernel;
  decltype(&clEnqueueWriteBuffer) writeBuffer = &clEnqueueWriteBuffer;
};

/// "out of device memory", "no driver is installed"; the number if there are no words for it.
std::string nameOfError(cl_int status);
/// Throws volume::DeviceFailed naming the call, unless `status` is CL_SUCCESS.
void check(cl_int status, const char* what);

/// Holds one reference.
template <class Thing, auto kRelease>
class Handle {
 public:
  Handle() = default;
  explicit Handle(Thing thing) : m_thing(thing) {}
  Handle(Handle&& other) noexcept : m_thing(std::exchange(other.m_thing, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(m_thing, other.m_thing);
    return *this;
  }
  ~Handle() {
    if (m_thing) kRelease(m_thing);
  }
  Thing get() const { return m_thing; }
  explicit operator bool() const { return m_thing != nullptr; }

 private:
  Thing m_thing = nullptr;
};

using Context = Handle<cl_context, &clReleaseContext>;
using Queue = Handle<cl_command_queue, &clReleaseCommandQueue>;
using Program = Handle<cl_program, &clReleaseProgram>;
using Kernel = Handle<cl_kernel, &clReleaseKernel>;
using Memory = Handle<cl_mem, &clReleaseMemObject>;
using Event = Handle<cl_event, &clReleaseEvent>;

}  // namespace farfield::opencl
