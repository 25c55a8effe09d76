// Any text as the headers of a web server's answer to a request for 100 bytes at 1,000 of an object of 5,000: taken only
// where they are those bytes of that object, or all of it, or of one that is no shorter where it may grow, else asked again or refused
// with an error of ours.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "core/base/error.h"
#include "remote/http/answer.h"

using namespace farfield;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  const paging::Generation generation{5000, "\"1\""};
  for (const int way : {0, 1, 2}) {
    const bool isOpen = way > 0, mayBeLonger = way > 1;
    http::Answer answer;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size() - 1);
      answer.take(text.substr(at, end + 1 - at));
      at = end + 1;
    }
    answer.body = text;
    const http::Asked asked{1000, 100, isOpen ? &generation : nullptr, size % 2 == 1, mayBeLonger};
    switch (http::judge(answer, asked)) {
      case http::Verdict::Take:
        if (answer.isWhole() && answer.encoding.empty() && answer.length && *answer.length > 1000 &&
            *answer.length <= http::kMostWhole)
          answer.total = answer.length;
        else if (answer.first != 1000 || !answer.last || !answer.total || *answer.last >= *answer.total ||
                 *answer.last > 1099 || !answer.encoding.empty())
          std::abort();
        if (isOpen && (mayBeLonger ? *answer.total < generation.bytes : answer.generation() != generation))
          std::abort();
        break;
      case http::Verdict::Empty:
        if (!answer.size() || *answer.size() > 1000) std::abort();
        break;
      case http::Verdict::Again:
      case http::Verdict::Fail:
        try {
          http::throwRefusal(answer, asked);
        } catch (const Error& error) {
          if (std::string(error.what()).find('\n') != std::string::npos) std::abort();
        }
    }
  }
  return 0;
}
