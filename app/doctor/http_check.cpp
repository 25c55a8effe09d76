#include "app/doctor/network_checks.h"

#ifdef FARFIELD_CURL
#include <curl/curl.h>
#endif

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <memory>
#include <optional>

#include "core/base/units.h"

namespace farfield::doctor {

#ifdef FARFIELD_CURL
namespace {

constexpr std::size_t kAsked = 16;

struct Answer {
  std::size_t bytes = 0;
  std::optional<std::uint64_t> size;  ///< of the whole, from Content-Range
};

/// Ends the transfer once more came than was asked for.
std::size_t takeBytes(char*, std::size_t, std::size_t count, void* answer) {
  auto& bytes = static_cast<Answer*>(answer)->bytes;
  bytes += count;
  return bytes > kAsked ? 0 : count;
}

std::size_t takeHeader(char* text, std::size_t, std::size_t count, void* answer) {
  std::string line(text, count);
  std::transform(line.begin(), line.end(), line.begin(), [](unsigned char c) { return std::tolower(c); });
  const std::size_t slash = line.find('/');
  std::uint64_t size = 0;
  if (line.starts_with("content-range:") && slash != std::string::npos &&
      std::from_chars(line.data() + slash + 1, line.data() + line.size(), size).ec == std::errc{})
    static_cast<Answer*>(answer)->size = size;
  return count;
}

std::string adviceFor(CURLcode code) {
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
      return "check the name of the host";
    case CURLE_COULDNT_RESOLVE_PROXY:
      return "check http_proxy and https_proxy";
    case CURLE_COULDNT_CONNECT:
      return "check the port, that the server runs, and firewalls between";
    case CURLE_OPERATION_TIMEDOUT:
      return "try again, or give it more time with --timeout";
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
      return "install the certificate of the server's authority (package ca-certificates)";
    default:
      return "check the URL";
  }
}

}  // namespace

Finding checkHttp(const std::string& url, std::chrono::milliseconds timeout) {
  const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> request(curl_easy_init(), curl_easy_cleanup);
  if (!request) return {Status::Fail, "libcurl cannot be used", ""};
  CURL* const curl = request.get();
  Answer answer;
  char problem[CURL_ERROR_SIZE] = {};
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
#if LIBCURL_VERSION_NUM >= 0x075500
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
#else
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS, CURLPROTO_HTTP | CURLPROTO_HTTPS);
  curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS, CURLPROTO_HTTP | CURLPROTO_HTTPS);
#endif
  curl_easy_setopt(curl, CURLOPT_RANGE, "0-15");
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(curl, CURLOPT_MAXREDIRS, 5L);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(timeout.count()));
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "farfield/" FARFIELD_VERSION);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, problem);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, takeBytes);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &answer);
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, takeHeader);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, &answer);
  const CURLcode code = curl_easy_perform(curl);
  const bool tookEnough = code == CURLE_WRITE_ERROR && answer.bytes > kAsked;
  if (code != CURLE_OK && !tookEnough)
    return {Status::Fail, url + " cannot be reached: " + (*problem ? problem : curl_easy_strerror(code)),
            adviceFor(code)};
  long status = 0;
  double seconds = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  curl_easy_getinfo(curl, CURLINFO_STARTTRANSFER_TIME, &seconds);
  const std::string answered =
      url + " answers with " + std::to_string(status) + " after " + formatSeconds(seconds);
  if (status == 206 && answer.bytes <= kAsked)
    return {Status::Ok,
            answered + " and honours ranges of bytes" +
                (answer.size ? "; the file has " + formatBytes(*answer.size) : ""),
            ""};
  if (status == 200 || status == 206)
    return {
        Status::Fail, answered + " and sends the whole file where a part of it was asked for",
        "pages can be read only from servers that honour ranges of bytes, as nginx and Apache do for files; of this one small files and Zarr without shards can be"};
  if (status == 416) return {Status::Fail, answered + ": the file is empty", "check the URL"};
  return {Status::Fail, answered,
          status == 401 || status == 403 ? "check what the server asks of its users" : "check the URL"};
}
#else

Finding checkHttp(const std::string& url, std::chrono::milliseconds) {
  return {Status::Warn, url + " was not tried: this build has no libcurl",
          "build with libcurl (Debian: libcurl4-openssl-dev)"};
}

#endif

}  // namespace farfield::doctor
