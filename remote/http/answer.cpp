#include "remote/http/answer.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string_view>

#include "core/base/changed_file.h"
#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/refused.h"

namespace farfield::http {
namespace {

constexpr std::size_t kMostWords = 200;  ///< of a header that is kept

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return text;
}

std::optional<std::uint64_t> numberOf(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// "bytes 0-15/700", "bytes */700", "bytes 0-15/*".
void takeRange(std::string_view text, Answer& answer) {
  if (!text.starts_with("bytes")) return;
  text = trimmed(text.substr(5));
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) return;
  answer.total = numberOf(trimmed(text.substr(slash + 1)));
  const std::string_view range = trimmed(text.substr(0, slash));
  const auto dash = range.find('-');
  if (dash == std::string_view::npos) return;
  answer.first = numberOf(range.substr(0, dash));
  answer.last = numberOf(range.substr(dash + 1));
}

bool hasChanged(const Answer& answer, const Asked& asked) {
  if (!asked.generation) return false;
  const paging::Generation now = answer.generation();
  const auto size = answer.size();
  if (asked.mayBeLonger) return size && *size < asked.generation->bytes;
  // not all answers give the size
  return now.tag != asked.generation->tag || (size && *size != asked.generation->bytes);
}

/// The error code of S3.
std::string codeIn(const std::string& body) {
  const auto begin = body.find("<Code>");
  const auto end = body.find("</Code>");
  if (begin == std::string::npos || end == std::string::npos || end <= begin + 6) return {};
  return printable(body.substr(begin + 6, std::min<std::size_t>(60, end - begin - 6)));
}

[[noreturn]] void throwChanged() {
  throw fileHasChanged();
}

[[noreturn]] void throwCompressed(const Answer& answer) {
  throw Unsupported(
      "the server sends it compressed (" + printable(answer.encoding) + ")",
      "have the server send files of this kind as they are: of compressed ones no part can be read");
}

[[noreturn]] void throwSizeless() {
  throw Unsupported("the server does not say how large it is",
                    "copy the file, or serve it by another server");
}

[[noreturn]] void throwDenied(const Answer& answer, const Asked& asked) {
  const std::string code = codeIn(answer.body);
  const std::string what =
      "the server refuses it (" + std::to_string(answer.status) + (code.empty() ? "" : ", " + code) + ")";
  const std::string advice =
      asked.isS3
          ? "check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION, and that the key may read it"
          : "put user and password into ~/.netrc if it asks for them, or have the file shared";
  if (answer.status == 403) throw Refused(what, advice);
  throw Io(what, advice);
}

}  // namespace

void Answer::take(std::string line) {
  while (!line.empty() && (line.back() == '\r' || line.back() == '\n')) line.pop_back();
  if (line.starts_with("HTTP/")) {
    *this = {};
    const auto space = line.find(' ');
    if (space != std::string::npos)
      if (const auto code = numberOf(std::string_view(line).substr(space + 1, 3)))
        status = static_cast<int>(*code);
    return;
  }
  const auto colon = line.find(':');
  if (colon == std::string::npos) return;
  std::string name = line.substr(0, colon);
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  const std::string value(trimmed(std::string_view(line).substr(colon + 1)).substr(0, kMostWords));
  if (name == "content-range")
    takeRange(value, *this);
  else if (name == "content-length")
    length = numberOf(value);
  else if (name == "etag")
    etag = value;
  else if (name == "last-modified")
    modified = value;
  else if (name == "content-encoding")
    encoding = value == "identity" ? "" : value;
  else if (name == "server")
    server = value;
  else if (name == "location")
    location = value;
  else if (name == "x-amz-bucket-region")
    region = value;
  else if (name == "retry-after")
    // a date is ignored: it refers to the server's clock
    if (const auto seconds = numberOf(value))
      retryAfter = std::chrono::seconds(std::min<std::uint64_t>(*seconds, 86400));
}

std::optional<std::uint64_t> Answer::size() const {
  if (!isWhole()) return total;
  return encoding.empty() ? length : std::nullopt;
}

paging::Generation Answer::generation() const {
  return {size().value_or(0), !etag.empty() ? etag : modified};
}

Verdict judge(const Answer& answer, const Asked& asked) {
  switch (answer.status) {
    case 200: {
      const auto size = answer.size();
      if (!size || hasChanged(answer, asked)) return Verdict::Fail;
      if (asked.offset >= *size) return Verdict::Empty;
      return *size <= kMostWhole && asked.offset - asked.got <= kMostDropped ? Verdict::Take : Verdict::Fail;
    }
    case 206: {
      const bool fits =
          answer.first == asked.offset && answer.last && answer.total && *answer.last >= asked.offset &&
          *answer.last < *answer.total &&
          *answer.last - asked.offset + 1 == std::min(asked.bytes, *answer.total - asked.offset);
      return fits && answer.encoding.empty() && !hasChanged(answer, asked) ? Verdict::Take : Verdict::Fail;
    }
    case 416:
      // an object of the same size has answered a request past its end
      if (answer.total && *answer.total <= asked.offset &&
          (!asked.generation || *answer.total == asked.generation->bytes))
        return Verdict::Empty;
      return Verdict::Fail;
    case 408:
    case 429:
    case 500:
    case 502:
    case 503:
    case 504:
      return Verdict::Again;
    default:
      return Verdict::Fail;
  }
}

bool isOfAnother(const Answer& answer, const Asked& asked) {
  switch (answer.status) {
    case 200:
    case 206:
      return hasChanged(answer, asked);
    case 304:
    case 412:
      return true;
    case 416:
      return asked.generation != nullptr;
    default:
      return false;
  }
}

void throwRefusal(const Answer& answer, const Asked& asked) {
  const std::string status = std::to_string(answer.status);
  switch (answer.status) {
    case 200:
      if (!answer.encoding.empty()) throwCompressed(answer);
      if (hasChanged(answer, asked)) throwChanged();
      if (!answer.length) throwSizeless();
      throw Unsupported(
          "the server sends the whole file where a part of it was asked for",
          "serve it by nginx, Apache, farfield-pagerd or another server that honours ranges of bytes, or copy it; from this one only "
          "small files can be read, and chunks in files of their own");
    case 206:
      if (!answer.encoding.empty()) throwCompressed(answer);
      if (hasChanged(answer, asked)) throwChanged();
      if (answer.first == asked.offset && answer.last && !answer.total) throwSizeless();
      throw Protocol("the server sends another part than was asked for",
                     "a server or proxy between does not honour ranges of bytes as it should; copy the file");
    case 301:
    case 302:
    case 303:
    case 307:
    case 308:
      if (asked.isS3)
        throw Invalid(answer.region.empty() ? "its bucket is in another region"
                                            : "its bucket is in the region " + printable(answer.region),
                      "set AWS_REGION");
      throw Io("the server sends on to an address that cannot be followed (" + status + ")", "check the URL");
    case 304:
    case 412:
      throwChanged();
    case 400:
    case 401:
    case 403:
    case 407:
      throwDenied(answer, asked);
    case 404:
    case 410:
      throw NotFound(asked.isS3 ? "there is no such object (" + status + ")"
                                : "the server has no such file (" + status + ")",
                     "check the name");
    case 416:
      if (asked.generation) throwChanged();
      throw Protocol("the server refuses the part that was asked for (416)", "check the file there");
    case 408:
    case 429:
    case 500:
    case 502:
    case 503:
    case 504:
      throw Io("the server is busy or out of order (" + status + "), and stayed so", "try again later");
    default:
      throw Io("the server answers with " + status, "check the URL");
  }
}

}  // namespace farfield::http
