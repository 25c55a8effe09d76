#include "core/session/json/names.h"

#include <algorithm>

#include "core/base/printable.h"
#include "core/session/terms.h"

namespace farfield::session {
namespace {

bool continuesLetter(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0) == 0x80;
}

bool isControl(char byte) {
  const auto code = static_cast<unsigned char>(byte);
  return code < 0x20 || code == 0x7f;
}

std::string_view withoutBlanks(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

}  // namespace

std::string cutAtLetter(std::string_view text, std::size_t mostBytes) {
  std::size_t bytes = std::min(text.size(), mostBytes);
  while (bytes > 0 && bytes < text.size() && continuesLetter(text[bytes])) --bytes;
  return std::string(text.substr(0, bytes));
}

std::string nameFault(const std::string& name) {
  if (name.empty()) return "is empty";
  if (name.size() > kMostNameBytes)
    return "has " + std::to_string(name.size()) + " bytes, and a name has " + std::to_string(kMostNameBytes) +
           " at most";
  if (const auto at = name.find_first_of(kForbiddenInNames); at != std::string::npos)
    return std::string("has the letter ") + name[at] + ", which no name may have";
  if (printable(name) != name) return "has letters that cannot be printed";
  return {};
}

std::string fittedName(std::string_view wish) {
  // Escapes of what cannot be printed have letters that names may not have.
  std::string good = printable(wish);
  for (char& letter : good)
    if (std::string_view(kForbiddenInNames).find(letter) != std::string_view::npos) letter = '_';
  return std::string(withoutBlanks(cutAtLetter(withoutBlanks(good), kMostNameBytes)));
}

std::string withoutControls(std::string text) {
  std::replace_if(text.begin(), text.end(), isControl, ' ');
  return text;
}

}  // namespace farfield::session
