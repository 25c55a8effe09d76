#pragma once
// One request over HTTP for libcurl: its handle, its result, and its attempts.

#include <curl/curl.h>

#include <chrono>
#include <string>

#include "remote/http/transfers.h"

namespace farfield::http {

class Transfer {
 public:
  using Clock = std::chrono::steady_clock;

  /// Throws Io (no handle).
  explicit Transfer(const HttpOptions& options);
  ~Transfer();
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  /// Takes a request; a transfer is reused after it has ended.
  void take(RangeAsk ask, Transfers::Done done);
  /// Sets the handle up for the missing bytes.
  void prepare();
  CURL* handle() const { return m_curl; }
  const void* owner() const { return m_ask.owner; }

  struct Next {
    bool again = false;
    Clock::time_point at;  ///< when
  };
  /// After libcurl is done with the handle: whether and when it is asked again. If not, m_end has the result.
  Next over(CURLcode code);
  void fail(std::exception_ptr error);
  /// Delivers the result.
  void tell();

 private:
  static std::size_t takeHeader(char* text, std::size_t, std::size_t count, void* self);
  static std::size_t takeBytes(char* bytes, std::size_t, std::size_t count, void* self);
  std::size_t takeBytes(const char* bytes, std::size_t count);
  Asked asked() const;
  Next againOrFail(const std::function<void()>& refuse);
  Next judged(CURLcode code);
  [[noreturn]] void throwBroken(CURLcode code) const;

  const HttpOptions& m_options;
  CURL* m_curl = nullptr;
  curl_slist* m_headers = nullptr;
  char m_problem[CURL_ERROR_SIZE] = {};
  RangeAsk m_ask;
  Transfers::Done m_done;
  RangeEnd m_end;
  bool m_isJudged = false, m_tooMuch = false, m_askedAtPlace = false;
  Verdict m_verdict = Verdict::Fail;
  std::uint64_t m_gotBefore = 0;  ///< when it was last asked
  std::uint64_t m_toDrop = 0;     ///< of the body, of a whole object, before what was asked for
  std::chrono::milliseconds m_pause{};
  Clock::time_point m_failingSince{};  ///< none: it is not failing
};

}  // namespace farfield::http
