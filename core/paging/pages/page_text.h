#pragma once
// What sources have in common: how a page is named, the check that it exists at all, and how requests end in
// errors.

#include <exception>
#include <string>

#include "core/paging/pages/page_source.h"

namespace farfield::paging {

/// "array q of block 3: page 17", and " of step 2" where the array has steps; what fits numbers out of range,
/// too.
std::string pageText(const DatasetDescription& description, std::uint32_t array, std::uint64_t page);

/// Null where `request` names a page that exists; else an Invalid with `place` and the page in it.
std::exception_ptr checkRequest(const DatasetDescription& description, const PageRequest& request,
                                const std::string& place);

/// `error` with `place` put in front, keeping its type where it is an Error; other exceptions become Io.
std::exception_ptr withPlace(std::exception_ptr error, const std::string& place);

/// Ends the request in `error`, with `source` (a name) and the page put in front. Where the system has no
/// memory for that, or `error` is null for want of it, in an Io that says so.
void failAt(const PageRequest& request, const DatasetDescription& description, const std::string& source,
            std::exception_ptr error) noexcept;

/// Whether both are the same request, whatever their priorities.
inline bool isSame(const PageRequest& a, const PageRequest& b) {
  return a.sink == b.sink && a.tag == b.tag && a.array == b.array && a.page == b.page;
}

/// Ends the request with Cancelled.
void failCancelled(const PageRequest& request) noexcept;

}  // namespace farfield::paging
