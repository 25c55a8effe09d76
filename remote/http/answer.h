#pragma once
// What a server answered to a request for a range of bytes: read from its headers, and judged. What is wrong becomes an
// error that says what to do, what may pass is asked again.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "core/paging/bytes/byte_object.h"

namespace farfield::http {

/// The headers that count, of the last of the answers to one request (others are redirections).
struct Answer {
  int status = 0;
  std::optional<std::uint64_t> first, last, total;  ///< of Content-Range
  std::string etag, modified, encoding, server, location, region;
  std::optional<std::chrono::seconds> retryAfter;
  std::string body;  ///< the beginning of what came with an error

  /// Takes a header line; a status line begins a new answer.
  void take(std::string line);
  /// Of the object, as far as the answer tells: `total` bytes.
  paging::Generation generation() const;
};

struct Asked {
  std::uint64_t offset = 0, bytes = 0;  ///< bytes > 0
  /// Of the object, where it is known; null: the object is being opened.
  const paging::Generation* generation = nullptr;
  bool isS3 = false;
};

enum class Verdict {
  Take,   ///< the bytes asked for follow, or there are fewer up to the end of the object
  Empty,  ///< nothing lies there: the object ends before
  Again,  ///< the server is busy
  Fail
};

/// Needs no body, except to say more.
Verdict judge(const Answer& answer, const Asked& asked);
/// For Fail and, where patience has ended, for Again. Throws Corrupt (the object has changed), NotFound, Unsupported, Io,
/// Protocol, none of which names the object.
[[noreturn]] void throwRefusal(const Answer& answer, const Asked& asked);

}  // namespace farfield::http
