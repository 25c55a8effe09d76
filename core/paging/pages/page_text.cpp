#include "core/paging/pages/page_text.h"

#include <new>

#include "core/base/error.h"

namespace farfield::paging {
namespace {

Io outOfMemory() {
  return Io("the system has no memory left", "lower --memory, or raise the limit (ulimit -v)");
}

/// Made while there is memory. A place is added to a copy.
const std::exception_ptr kOutOfMemory = std::make_exception_ptr(outOfMemory());

}  // namespace

std::string pageText(const DatasetDescription& description, std::uint32_t array, std::uint64_t page) {
  if (array >= description.arrays.size())
    return "array number " + std::to_string(array) + ": page " + std::to_string(page);
  const ArrayDescription& its = description.arrays[array];
  std::string text = "array " + its.name + " of block " + std::to_string(its.block) + ": page ";
  const auto perStep = static_cast<std::uint64_t>(its.layout.pageCount());
  if (its.steps <= 1 || perStep == 0) return text + std::to_string(page);
  return text + std::to_string(page % perStep) + " of step " + std::to_string(page / perStep);
}

std::exception_ptr checkRequest(const DatasetDescription& description, const PageRequest& request,
                                const std::string& place) {
  std::string wrong;
  if (request.array >= description.arrays.size())
    wrong = "there are " + std::to_string(description.arrays.size()) + " arrays";
  else if (request.page >= static_cast<std::uint64_t>(description.arrays[request.array].pageCount()))
    wrong = "the array has " + std::to_string(description.arrays[request.array].pageCount()) + " pages";
  else
    return nullptr;
  return std::make_exception_ptr(
      Invalid("no such page, " + wrong).at(pageText(description, request.array, request.page)).at(place));
}

std::exception_ptr withPlace(std::exception_ptr error, const std::string& place) {
  std::exception_ptr placed;
  try {
    try {
      std::rethrow_exception(error);
    } catch (const Error& known) {
      known.raise();  // a copy, because others may hold the original
    } catch (const std::bad_alloc&) {
      throw outOfMemory();
    } catch (const std::exception& other) {
      throw Io(other.what());
    } catch (...) {
      throw Io("an unknown error");
    }
  } catch (Error& own) {
    own.at(place);
    placed = std::current_exception();
  }
  return placed;
}

void failAt(const PageRequest& request, const DatasetDescription& description, const std::string& source,
            std::exception_ptr error) noexcept {
  try {
    if (!error) throw std::bad_alloc();
    error = withPlace(error, source + ": " + pageText(description, request.array, request.page));
  } catch (...) {
    error = kOutOfMemory;  // describing the place takes memory as well
  }
  request.sink->failed(request.tag, error);
}

void failCancelled(const PageRequest& request) noexcept {
  request.sink->failed(request.tag, std::make_exception_ptr(Cancelled()));
}

}  // namespace farfield::paging
