#include "remote/http/transfer.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <utility>

#include "core/base/error.h"
#include "core/base/printable.h"

namespace farfield::http {
namespace {

constexpr std::size_t kMostBody = 4096;  ///< of an error
constexpr std::chrono::milliseconds kFirstPause{100}, kLongestPause{8000};
constexpr long kMostRedirections = 10;

template <class Value>
void set(CURL* curl, CURLoption option, Value value) {
  curl_easy_setopt(curl, option, value);
}

/// Errors that may be temporary.
bool mayPass(CURLcode code) {
  switch (code) {
    case CURLE_COULDNT_CONNECT:
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_PARTIAL_FILE:
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
    case CURLE_AGAIN:
      return true;
    default:
      return false;
  }
}

const char* adviceFor(CURLcode code) {
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
      return "check the name of the host";
    case CURLE_COULDNT_RESOLVE_PROXY:
      return "check http_proxy and https_proxy";
    case CURLE_COULDNT_CONNECT:
      return "check the port, that the server runs, and firewalls between";
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
      return "install the certificate of the server's authority (package ca-certificates), or name its file "
             "in "
             "SSL_CERT_FILE";
    case CURLE_TOO_MANY_REDIRECTS:
    case CURLE_UNSUPPORTED_PROTOCOL:
      return "check where the server sends on to";
    default:
      return "check the URL and the server";
  }
}

}  // namespace

Transfer::Transfer(const HttpOptions& options) : m_options(options), m_curl(curl_easy_init()) {
  if (!m_curl) throw Io("libcurl cannot be used", "check the installation");
  set(m_curl, CURLOPT_NOSIGNAL, 1L);
#if LIBCURL_VERSION_NUM >= 0x075700
  // else who takes a transfer away while a name is looked up waits for that to end
  set(m_curl, CURLOPT_QUICK_EXIT, 1L);
#endif
  set(m_curl, CURLOPT_USERAGENT, "farfield/" FARFIELD_VERSION);
  set(m_curl, CURLOPT_ERRORBUFFER, m_problem);
  set(m_curl, CURLOPT_HEADERFUNCTION, &Transfer::takeHeader);
  set(m_curl, CURLOPT_HEADERDATA, this);
  set(m_curl, CURLOPT_WRITEFUNCTION,
      static_cast<std::size_t (*)(char*, std::size_t, std::size_t, void*)>(&Transfer::takeBytes));
  set(m_curl, CURLOPT_WRITEDATA, this);
  set(m_curl, CURLOPT_PRIVATE, this);
  set(m_curl, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(options.connectWithin.count()));
  set(m_curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
  set(m_curl, CURLOPT_LOW_SPEED_TIME, std::max(1L, static_cast<long>(options.silence.count() / 1000)));
  set(m_curl, CURLOPT_MAXREDIRS, kMostRedirections);
  set(m_curl, CURLOPT_PATH_AS_IS, 1L);
  set(m_curl, CURLOPT_TCP_KEEPALIVE, 1L);
  // over TLS only; in clear text libcurl 7.88 and nginx 1.22 fail when such a connection is reused
  set(m_curl, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS);
  set(m_curl, CURLOPT_PIPEWAIT, 1L);
  set(m_curl, CURLOPT_BUFFERSIZE, 256 * 1024L);
  for (const char* const name : {"CURL_CA_BUNDLE", "SSL_CERT_FILE"}) {
    const char* const file = std::getenv(name);
    if (!file || !*file) continue;
    set(m_curl, CURLOPT_CAINFO, file);
    break;
  }
}

Transfer::~Transfer() {
  curl_easy_cleanup(m_curl);
  curl_slist_free_all(m_headers);
}

void Transfer::take(RangeAsk ask, Transfers::Done done) {
  m_ask = std::move(ask);
  m_done = std::move(done);
  m_end = {};
  m_pause = kFirstPause;
  m_failingSince = {};
}

Asked Transfer::asked() const {
  return {m_ask.offset + m_end.got, m_ask.to.size() - m_end.got, m_ask.generation,
          m_ask.target->isS3,       m_ask.mayBeLonger,           m_end.got};
}

void Transfer::prepare() {
  const HttpTarget& target = *m_ask.target;
  const std::string place = target.place();
  m_askedAtPlace = place != target.url;
  m_isJudged = m_tooMuch = false;
  m_end.answer = {};
  m_gotBefore = m_end.got;
  m_problem[0] = '\0';
  set(m_curl, CURLOPT_URL, place.c_str());
  // never from https to http
  const char* const protocols = target.url.starts_with("https://") ? "https" : "http,https";
#if LIBCURL_VERSION_NUM >= 0x075500
  set(m_curl, CURLOPT_PROTOCOLS_STR, protocols);
  set(m_curl, CURLOPT_REDIR_PROTOCOLS_STR, protocols);
#else
  const long bits = CURLPROTO_HTTPS | (std::strcmp(protocols, "https") == 0 ? 0 : CURLPROTO_HTTP);
  set(m_curl, CURLOPT_PROTOCOLS, bits);
  set(m_curl, CURLOPT_REDIR_PROTOCOLS, bits);
#endif
  // a signature is valid for one address
  set(m_curl, CURLOPT_FOLLOWLOCATION, target.isS3 ? 0L : 1L);
  set(m_curl, CURLOPT_NETRC, static_cast<long>(target.isS3 ? CURL_NETRC_IGNORED : CURL_NETRC_OPTIONAL));
  const Asked range = asked();
  const std::string words =
      std::to_string(range.offset) + "-" + std::to_string(range.offset + range.bytes - 1);
  set(m_curl, CURLOPT_RANGE, words.c_str());

  curl_slist_free_all(m_headers);
  m_headers = nullptr;
  const auto add = [&](const std::string& header) {
    m_headers = curl_slist_append(m_headers, header.c_str());
  };
  add("Accept-Encoding: identity");
  const std::string tag = m_ask.generation && !m_ask.mayBeLonger ? m_ask.generation->tag : std::string();
  if (tag.starts_with('"')) add((target.isS3 ? "If-Match: " : "If-Range: ") + tag);
  if (!target.signing.what.empty()) {
    // libcurl signs this header, but some versions do not send it
    add("x-amz-content-sha256: UNSIGNED-PAYLOAD");
    if (!target.signing.sessionToken.empty()) add("x-amz-security-token: " + target.signing.sessionToken);
    set(m_curl, CURLOPT_AWS_SIGV4, target.signing.what.c_str());
    set(m_curl, CURLOPT_USERNAME, target.signing.key.c_str());
    set(m_curl, CURLOPT_PASSWORD, target.signing.secret.c_str());
  } else {
    const char* const none = nullptr;
    set(m_curl, CURLOPT_AWS_SIGV4, none);
    set(m_curl, CURLOPT_USERNAME, none);
    set(m_curl, CURLOPT_PASSWORD, none);
  }
  set(m_curl, CURLOPT_HTTPHEADER, m_headers);
}

std::size_t Transfer::takeHeader(char* text, std::size_t, std::size_t count, void* self) {
  try {
    auto& its = *static_cast<Transfer*>(self);
    std::string line(text, count);
    // Behind the bytes there may be more, as trailers; they have been judged by what came before them.
    if (!its.m_isJudged || line.starts_with("HTTP/")) its.m_end.answer.take(std::move(line));
    return count;
  } catch (...) {
    return 0;
  }
}

std::size_t Transfer::takeBytes(char* bytes, std::size_t, std::size_t count, void* self) {
  try {
    return static_cast<Transfer*>(self)->takeBytes(bytes, count);
  } catch (...) {
    return 0;
  }
}

std::size_t Transfer::takeBytes(const char* bytes, std::size_t count) {
  if (!m_isJudged) {
    m_isJudged = true;
    m_verdict = judge(m_end.answer, asked());
    m_toDrop = m_end.answer.isWhole() ? asked().offset : 0;
  }
  if (m_verdict == Verdict::Take) {
    const auto dropped = static_cast<std::size_t>(std::min<std::uint64_t>(m_toDrop, count));
    m_toDrop -= dropped;
    const std::size_t left = m_ask.to.size() - static_cast<std::size_t>(m_end.got);
    m_tooMuch = !m_end.answer.isWhole() && count > left;
    if (m_tooMuch) return 0;
    const std::size_t taken = std::min(count - dropped, left);
    std::memcpy(m_ask.to.data() + m_end.got, bytes + dropped, taken);
    m_end.got += taken;
    return dropped + taken;  // fewer end it: the rest of a whole object is not waited for
  }
  std::string& body = m_end.answer.body;
  body.append(bytes, std::min(count, kMostBody - body.size()));
  return body.size() < kMostBody ? count : 0;  // the rest of an unwanted file is not waited for
}

Transfer::Next Transfer::over(CURLcode code) {
  try {
    return judged(code);
  } catch (...) {
    fail(std::current_exception());
    return {};
  }
}

Transfer::Next Transfer::judged(CURLcode code) {
  double ahead = 0, first = 0;
  curl_easy_getinfo(m_curl, CURLINFO_PRETRANSFER_TIME, &ahead);
  curl_easy_getinfo(m_curl, CURLINFO_STARTTRANSFER_TIME, &first);
  if (first > ahead) m_end.roundTripMs = (first - ahead) * 1000;
  if (m_tooMuch)
    throw Protocol("the server sends more than it says",
                   "a server or proxy between is broken; copy the file");
  const bool isAnswered =
      m_end.answer.status != 0 && (code == CURLE_OK || code == CURLE_WRITE_ERROR || m_isJudged);
  if (!isAnswered) {
    if (!mayPass(code)) throwBroken(code);
    if (code != CURLE_COULDNT_CONNECT) ++m_end.lost;
    return againOrFail([&] { throwBroken(code); });
  }
  // what has been accepted is not judged again
  if (!m_isJudged) m_verdict = judge(m_end.answer, asked());
  switch (m_verdict) {
    case Verdict::Take: {
      const Answer& answer = m_end.answer;
      const std::uint64_t end = std::min<std::uint64_t>(m_ask.offset + m_ask.to.size(), *answer.size());
      if ((code == CURLE_OK || answer.isWhole()) && m_ask.offset + m_end.got >= end) {
        char* where = nullptr;
        curl_easy_getinfo(m_curl, CURLINFO_EFFECTIVE_URL, &where);
        if (where && !m_ask.target->isS3 && m_ask.target->place() != where)
          m_ask.target->rememberPlace(where);
        return {};
      }
      ++m_end.lost;
      return againOrFail([&] {
        throw Io("the connection ends in the middle of what was asked for",
                 "check the server and the network");
      });
    }
    case Verdict::Empty:
      return {};
    case Verdict::Again:
      return againOrFail([&] { throwRefusal(m_end.answer, asked()); });
    case Verdict::Fail:
      break;
  }
  if (m_askedAtPlace && m_end.answer.status >= 400 && m_end.answer.status < 500) {
    m_ask.target->forgetPlace();
    return {true, Clock::now()};
  }
  m_end.hasChanged = isOfAnother(m_end.answer, asked());
  throwRefusal(m_end.answer, asked());
}

Transfer::Next Transfer::againOrFail(const std::function<void()>& refuse) {
  const Clock::time_point now = Clock::now();
  if (m_failingSince == Clock::time_point{} || m_end.got > m_gotBefore) {
    m_failingSince = now;
    m_pause = kFirstPause;
  }
  const auto asked = m_end.answer.retryAfter;
  const auto pause = asked ? std::chrono::milliseconds(*asked) : m_pause;
  m_pause = std::min(2 * m_pause, kLongestPause);
  const auto patience = m_ask.patience.count() > 0 ? m_ask.patience : m_options.patience;
  if (now + pause - m_failingSince > patience) refuse();
  if (m_askedAtPlace) m_ask.target->forgetPlace();
  return {true, now + pause};
}

void Transfer::throwBroken(CURLcode code) const {
  if (code == CURLE_OPERATION_TIMEDOUT)
    throw Io("the server does not answer", "check the server and the network, and try again later");
  if (code == CURLE_OUT_OF_MEMORY) throw Io("there is no memory for a request", "end other programs");
  throw Io("cannot be reached: " + printable(*m_problem ? m_problem : curl_easy_strerror(code)),
           adviceFor(code));
}

void Transfer::fail(std::exception_ptr error) {
  m_end.error = std::move(error);
}

void Transfer::tell() {
  Transfers::Done done = std::move(m_done);
  m_done = nullptr;
  m_ask.target = nullptr;
  done(std::move(m_end));
}

}  // namespace farfield::http
