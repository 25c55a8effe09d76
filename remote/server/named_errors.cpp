#include "remote/server/named_errors.h"

#include "remote/protocol/messages.h"

namespace farfield::remote {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  if (from.empty()) return text;
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

std::exception_ptr renamed(const std::exception_ptr& error, const std::string& from, const std::string& to) {
  Failed failed = failedFrom(error);
  for (std::string* text : {&failed.place, &failed.message, &failed.action})
    *text = replaced(*text, from, to);
  return errorFrom(failed);
}

std::exception_ptr renamed(const std::exception_ptr& error, const SharedFile& file) {
  return renamed(error, file.path(), file.name());
}

}  // namespace farfield::remote
