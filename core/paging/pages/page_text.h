#pragma once
// Shared by sources: how a page is named in messages, the check that it exists, and ending requests with an
// error.

#include <exception>
#include <string>

#include "core/paging/pages/page_source.h"

namespace farfield::paging {

/// "array q of block 3: page 17", with " of step 2" if the array has steps. Numbers may be out of range.
std::string pageText(const DatasetDescription& description, std::uint32_t array, std::uint64_t page);

/// Null if `request` names a page that exists; else an Invalid with `place` and the page in it.
std::exception_ptr checkRequest(const DatasetDescription& description, const PageRequest& request,
                                const std::string& place);

/// `error` with `place` in front; an Error keeps its type, other exceptions become Io.
std::exception_ptr withPlace(std::exception_ptr error, const std::string& place);

/// Fails the request with `error`, with `source` (a name) and the page in front. If there is no memory for
/// that, or `error` is null for the same reason, with an Io that says so.
void failAt(const PageRequest& request, const DatasetDescription& description, const std::string& source,
            std::exception_ptr error) noexcept;

/// Whether both are the same request, whatever their priorities.
inline bool isSame(const PageRequest& a, const PageRequest& b) {
  return a.sink == b.sink && a.tag == b.tag && a.array == b.array && a.page == b.page;
}

/// Ends the request with Cancelled.
void failCancelled(const PageRequest& request) noexcept;

}  // namespace farfield::paging
