#pragma once
// The errors of Farfield. Whatever fails outside our own code (a file, a socket, a number that a user typed)
// is thrown as one of these. An error reads as one line: where it happened, what is wrong, what to do.
// Callers that know more about the place add it in front as the error passes:
//
//   try { readHeader(file); } catch (Error& error) { error.at("file " + path); throw; }

#include <exception>
#include <memory>
#include <string>

namespace farfield {

class Error : public std::exception {
 public:
  /// `what` says what is wrong; `action`, if any, what the user can do about it.
  explicit Error(std::string what, std::string action = {});

  /// Puts a place (a file, a key, a page) in front of those already named. Returns *this.
  Error& at(const std::string& place);
  /// Replaces the advice.
  Error& advise(const std::string& action);

  /// "place: place: what; action", without a line break.
  const char* what() const noexcept override { return m_line.c_str(); }
  const std::string& message() const { return m_message; }
  const std::string& place() const { return m_place; }
  const std::string& action() const { return m_action; }
  /// Throws a copy of the same type. For an error that several threads get: each may add its place to its own
  /// copy.
  [[noreturn]] virtual void raise() const { throw Error(*this); }
  /// A copy of the same type, to be kept and raised later by any number of threads.
  virtual std::shared_ptr<const Error> share() const { return std::make_shared<Error>(*this); }

 private:
  void compose();
  std::string m_place, m_message, m_action, m_line;
};

/// Makes at() and advise() return the type of the error, so that `throw Corrupt(…).at(…)` throws a Corrupt.
template <class Self>
class ErrorKind : public Error {
 public:
  using Error::Error;
  Self& at(const std::string& place) {
    Error::at(place);
    return static_cast<Self&>(*this);
  }
  Self& advise(const std::string& action) {
    Error::advise(action);
    return static_cast<Self&>(*this);
  }
  [[noreturn]] void raise() const override { throw Self(static_cast<const Self&>(*this)); }
  std::shared_ptr<const Error> share() const override {
    return std::make_shared<Self>(static_cast<const Self&>(*this));
  }
};

/// Something named does not exist.
struct NotFound : ErrorKind<NotFound> {
  using ErrorKind::ErrorKind;
};
/// Bytes are not as they must be: truncated, inconsistent, or with a wrong checksum.
struct Corrupt : ErrorKind<Corrupt> {
  using ErrorKind::ErrorKind;
};
/// The operating system refused or failed a read, a write or an allocation.
struct Io : ErrorKind<Io> {
  using ErrorKind::ErrorKind;
};
/// The other side of a connection broke the protocol.
struct Protocol : ErrorKind<Protocol> {
  using ErrorKind::ErrorKind;
};
/// What the user asked for makes no sense: a wrong value, key or combination.
struct Invalid : ErrorKind<Invalid> {
  using ErrorKind::ErrorKind;
};
/// The input is valid, but of a kind that is not supported.
struct Unsupported : ErrorKind<Unsupported> {
  using ErrorKind::ErrorKind;
};
/// The memory budget is too small; the message names the smallest that works.
struct OverBudget : ErrorKind<OverBudget> {
  using ErrorKind::ErrorKind;
};
/// The work was cancelled; not a failure.
struct Cancelled : ErrorKind<Cancelled> {
  using ErrorKind::ErrorKind;
  Cancelled() : ErrorKind("cancelled") {}
};

/// Io with the operating system's words for `errnoValue`.
Io ioError(const std::string& what, int errnoValue);

}  // namespace farfield
