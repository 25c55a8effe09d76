#pragma once
// The error of a server that cannot be reached, and may be there again in a while: who can wait tries again.

#include <memory>
#include <string>
#include <utility>

#include "core/base/error.h"

namespace farfield {

class NoAnswer : public Io {
 public:
  /// `server` is the place, and how the server is called where it is waited for.
  NoAnswer(std::string server, const std::string& what, const std::string& action)
      : Io(what, action), m_server(std::move(server)) {
    at(m_server);
  }
  const std::string& server() const { return m_server; }
  [[noreturn]] void raise() const override { throw NoAnswer(*this); }
  std::shared_ptr<const Error> share() const override { return std::make_shared<NoAnswer>(*this); }

 private:
  std::string m_server;
};

}  // namespace farfield
