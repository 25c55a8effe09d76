#pragma once
// A server's answer to a request for a range of bytes: parsed from its headers, and judged. Failures become
// errors that say what to do; what may be temporary is asked again.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "core/paging/bytes/byte_object.h"

namespace farfield::http {

/// The headers that matter, of the last of the answers to one request (others are redirections).
struct Answer {
  int status = 0;
  std::optional<std::uint64_t> first, last, total;  ///< of Content-Range
  std::optional<std::uint64_t> length;              ///< bytes of the body, as it was sent
  std::string etag, modified, encoding, server, location, region;
  std::optional<std::chrono::seconds> retryAfter;
  std::string body;  ///< the beginning of the body of an error

  /// Adds a header line; a status line begins a new answer.
  void take(std::string line);
  /// Whether it has the whole object, as servers answer that send no parts.
  bool isWhole() const { return status == 200; }
  /// Bytes of the whole object; null where the answer does not say, as of a whole one that is sent compressed.
  std::optional<std::uint64_t> size() const;
  /// The generation of the object, as far as the answer tells it.
  paging::Generation generation() const;
};

/// From a server that sends whole objects only, one of at most so many bytes is read, and nothing that begins so far behind its
/// beginning: what is before it comes each time, and is dropped.
constexpr std::uint64_t kMostWhole = std::uint64_t{64} << 20, kMostDropped = std::uint64_t{1} << 20;

struct Asked {
  std::uint64_t offset = 0, bytes = 0;  ///< bytes > 0
  /// Of the object, if known; null: the object is being opened.
  const paging::Generation* generation = nullptr;
  bool isS3 = false;
  bool mayBeLonger = false;  ///< of another generation, too, if that is no shorter
  std::uint64_t got = 0;     ///< before `offset`, of the same request
};

enum class Verdict {
  Take,  ///< the bytes asked for follow, or fewer up to the end of the object; of a whole one after those before them
  Empty,  ///< the object ends before
  Again,  ///< the server is busy
  Fail
};

/// Needs no body, except for details.
Verdict judge(const Answer& answer, const Asked& asked);
/// Whether an answer that is refused is of another generation than was asked for.
bool isOfAnother(const Answer& answer, const Asked& asked);
/// For Fail and, after the last attempt, for Again. Throws Corrupt (the object has changed), NotFound,
/// Unsupported, Io, Protocol, without the object's name.
[[noreturn]] void throwRefusal(const Answer& answer, const Asked& asked);

}  // namespace farfield::http
