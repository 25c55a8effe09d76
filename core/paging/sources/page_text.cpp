#include "core/paging/sources/page_text.h"

#include "core/base/error.h"

namespace farfield::paging {

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
  try {
    std::rethrow_exception(error);
  } catch (Error& known) {
    // The exception object may be shared with other requests, so a copy of its own type gets the place.
    const auto copied = [&](auto&& itsKind) {
      itsKind.at(place);
      return std::make_exception_ptr(itsKind);
    };
    if (const auto* kind = dynamic_cast<Corrupt*>(&known)) return copied(Corrupt(*kind));
    if (const auto* kind = dynamic_cast<NotFound*>(&known)) return copied(NotFound(*kind));
    if (const auto* kind = dynamic_cast<Invalid*>(&known)) return copied(Invalid(*kind));
    if (const auto* kind = dynamic_cast<Protocol*>(&known)) return copied(Protocol(*kind));
    if (const auto* kind = dynamic_cast<Unsupported*>(&known)) return copied(Unsupported(*kind));
    if (const auto* kind = dynamic_cast<OverBudget*>(&known)) return copied(OverBudget(*kind));
    if (const auto* kind = dynamic_cast<Cancelled*>(&known)) return copied(Cancelled(*kind));
    if (const auto* kind = dynamic_cast<Io*>(&known)) return copied(Io(*kind));
    return copied(Error(known));
  } catch (const std::exception& other) {
    return std::make_exception_ptr(Io(other.what()).at(place));
  } catch (...) {
    return std::make_exception_ptr(Io("an unknown error").at(place));
  }
}

void failCancelled(const PageRequest& request) noexcept {
  request.sink->failed(request.tag, std::make_exception_ptr(Cancelled()));
}

}  // namespace farfield::paging
