// Anything as messages of the paging protocol, of both sides: frames are cut from the bytes, and every body is taken
// for every message. What is parsed is written again and must parse to the same bytes.
//
// Run: fuzz_protocol CORPUS -max_len=4096

#include <algorithm>
#include <cstdlib>

#include "core/base/error.h"
#include "remote/protocol/frame.h"
#include "remote/protocol/messages.h"

using namespace farfield;
using namespace farfield::remote;

namespace {

/// Messages that hold what is equal when its bytes are.
template <class Parse>
void tryToParse(std::span<const std::byte> body, Parse parse) {
  try {
    const Bytes again = bytesOf(parse(body));
    const Bytes twice = bytesOf(parse(again));
    if (again != twice) std::abort();
  } catch (const Protocol&) {
  }
}

void parseAll(std::span<const std::byte> body) {
  tryToParse(body, parseHello);
  tryToParse(body, parseWelcome);
  tryToParse(body, parseListRequest);
  tryToParse(body, parseListing);
  tryToParse(body, parseOpenRequest);
  tryToParse(body, parseOpened);
  tryToParse(body, parseReadRequest);
  tryToParse(body, parseSequences);
  tryToParse(body, parseIndexRequest);
  tryToParse(body, parseIndexRecords);
  tryToParse(body, parseValuesRequest);
  tryToParse(body, parsePreloadRequest);
  tryToParse(body, parsePartsReply);
  tryToParse(body, parseFailed);
  try {
    parsePageHead(body);
    parseHandle(body);
    parseText(body);
  } catch (const Protocol&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::byte> input = std::as_bytes(std::span(data, size));
  parseAll(input);
  // As it comes from a socket: in pieces.
  FrameBuffer frames(kMostRequestBytes);
  std::size_t at = 0;
  try {
    while (at < input.size()) {
      const std::span<std::byte> room = frames.room();
      const std::size_t count = std::min({room.size(), input.size() - at, std::size_t{1} + at % 97});
      std::copy_n(input.begin() + static_cast<std::ptrdiff_t>(at), count, room.begin());
      frames.received(count);
      at += count;
      while (const auto frame = frames.next()) parseAll(frame->body);
      if (frames.capacity() > 2 * (kMostRequestBytes + kFrameHeaderBytes) + 8192) std::abort();
    }
  } catch (const Protocol&) {
  }
  return 0;
}
