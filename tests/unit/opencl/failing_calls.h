#pragma once
// Calls to OpenCL that fail: always, or from the n-th on.

#include <atomic>

#include "render/opencl/cl_calls.h"

namespace farfield::test {

/// Calls until one fails; below 0: none does.
inline std::atomic<int> callsLeft{-1};
inline bool failsNow() {
  return callsLeft >= 0 && callsLeft-- <= 0 ? (callsLeft = 0, true) : false;
}

inline cl_int noPlatforms(cl_uint, cl_platform_id*, cl_uint*) {
  return -1001;
}
inline cl_int noDevices(cl_platform_id, cl_device_type, cl_uint, cl_device_id*, cl_uint*) {
  return CL_DEVICE_NOT_FOUND;
}
inline cl_context noContext(const cl_context_properties*, cl_uint, const cl_device_id*,
                            void (*)(const char*, const void*, size_t, void*), void*, cl_int* status) {
  *status = CL_OUT_OF_RESOURCES;
  return nullptr;
}
inline cl_int noProgram(cl_program, cl_uint, const cl_device_id*, const char*, void (*)(cl_program, void*),
                        void*) {
  return CL_BUILD_PROGRAM_FAILURE;
}
inline cl_mem scarceBuffer(cl_context context, cl_mem_flags flags, size_t size, void* host, cl_int* status) {
  if (!failsNow()) return clCreateBuffer(context, flags, size, host, status);
  *status = CL_MEM_OBJECT_ALLOCATION_FAILURE;
  return nullptr;
}
inline cl_int scarceKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t* first,
                           const size_t* size, const size_t* local, cl_uint waits, const cl_event* waitFor,
                           cl_event* event) {
  if (!failsNow())
    return clEnqueueNDRangeKernel(queue, kernel, dimensions, first, size, local, waits, waitFor, event);
  return CL_MEM_OBJECT_ALLOCATION_FAILURE;
}
inline cl_int scarceWrite(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t at, size_t size,
                          const void* from, cl_uint waits, const cl_event* waitFor, cl_event* event) {
  if (!failsNow())
    return clEnqueueWriteBuffer(queue, buffer, blocking, at, size, from, waits, waitFor, event);
  return CL_OUT_OF_RESOURCES;
}

}  // namespace farfield::test
