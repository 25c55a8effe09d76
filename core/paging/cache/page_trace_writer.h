#pragma once
// Records the pages that tasks request of page caches into a file (page_trace_format.h). A request is a page
// that a task's cursor does not hold; gathers within held pages and prefetches are not recorded. One writer
// may serve the caches of several data sets.

#include <cstdint>
#include <exception>
#include <filesystem>
#include <mutex>
#include <vector>

#include "core/base/file.h"
#include "core/paging/cache/page_trace_format.h"

namespace farfield::paging {

/// Thread-safe; requests of all threads are written in the order in which they take the lock. Memory: the
/// file's buffer of 256 KiB, and 16 bytes per array.
class PageTraceWriter {
 public:
  /// The file appears with commit() or not at all. Throws Io.
  explicit PageTraceWriter(const std::filesystem::path& path);

  /// Returns the number of the next data set, for its arrays.
  std::uint64_t addDataset();
  /// Adds an array; returns its number. Throws Io.
  std::uint32_t addArray(const PageTraceArray& array);
  /// A page of array `array` was requested. Errors are thrown by commit().
  void request(std::uint32_t array, std::uint64_t page) noexcept;
  /// Ends the file and gives it its name. No thread may still be recording. Throws Io.
  void commit();

 private:
  void writeNumber(std::uint64_t number);

  std::mutex m_mutex;
  NewFile m_file;
  std::vector<std::uint64_t> m_lastPages;  ///< by array
  std::uint64_t m_datasets = 0, m_requests = 0;
  std::uint32_t m_lastArray = 0;
  std::exception_ptr m_error;
};

}  // namespace farfield::paging
