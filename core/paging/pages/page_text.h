#pragma once
// What errors of sources have in common: how a page is named, and the check that it exists at all.

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

/// `error` with `place` and the page put in front, keeping its type where it is an Error; other exceptions
/// become Io.
std::exception_ptr withPlace(std::exception_ptr error, const std::string& place);

/// Ends each of the requests with Cancelled.
void failCancelled(const PageRequest& request) noexcept;

}  // namespace farfield::paging
