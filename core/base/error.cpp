#include "core/base/error.h"

#include "core/base/printable.h"

#include <cerrno>
#include <system_error>

namespace farfield {

Error::Error(std::string what, std::string action) : m_message(std::move(what)), m_action(std::move(action)) {
  compose();
}

Error& Error::at(const std::string& place) {
  if (place.empty()) return *this;
  m_place = m_place.empty() ? place : place + ": " + m_place;
  compose();
  return *this;
}

Error& Error::advise(const std::string& action) {
  m_action = action;
  compose();
  return *this;
}

void Error::compose() {
  // each separately, so that the advice is kept however long a name is
  for (std::string* part : {&m_place, &m_message, &m_action}) *part = printable(*part);
  m_line = m_place.empty() ? m_message : m_place + ": " + m_message;
  if (!m_action.empty()) m_line += "; " + m_action;
}

Io ioError(const std::string& what, int errnoValue) {
  std::string action;
  if (errnoValue == ENOSPC || errnoValue == EDQUOT) action = "free some space or write elsewhere";
  if (errnoValue == EFBIG) action = "raise the limit on the size of files (ulimit -f) or write elsewhere";
  if (errnoValue == ENOMEM) action = "lower --memory, or raise the limit on address space (ulimit -v)";
  if (errnoValue == EMFILE) action = "raise the limit on open files (ulimit -n)";
  if (errnoValue == EACCES || errnoValue == EPERM) action = "check the permissions";
  return Io(what + ": " + std::generic_category().message(errnoValue), action);
}

}  // namespace farfield
