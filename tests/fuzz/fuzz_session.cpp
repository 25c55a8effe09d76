// Any text as a session, the part behind a zero byte as an override: refused with an error of ours, or what
// is written of it is read as the same.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "core/base/error.h"
#include "core/session/json/session_json.h"

using namespace farfield;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::uint8_t* const end = data + size;
  const std::uint8_t* const zero = std::find(data, end, std::uint8_t{0});
  const std::string text(data, zero);
  std::vector<session::Override> changes;
  if (zero != end) changes.emplace_back(zero + 1, end);
  session::Session read;
  try {
    read = session::parseSession(text, changes);
  } catch (const Error&) {
    return 0;
  }
  if (!(session::parseSession(session::toJson(read)) == read)) std::abort();
  return 0;
}
