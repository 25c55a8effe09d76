// Anything as messages of the paging protocol, of both sides: the first byte chooses frames, which are cut from the
// bytes that follow and parsed by their type, or one message. What is parsed is written again and must parse to the same bytes.
//
// Run: fuzz_protocol CORPUS -max_len=4096

#include <algorithm>
#include <cstdlib>
#include <iterator>

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

template <class Message, Message (*kParse)(std::span<const std::byte>)>
void tryMessage(std::span<const std::byte> body) {
  tryToParse(body, kParse);
}

void tryRest(std::span<const std::byte> body) {
  try {
    parsePageHead(body);
    parseHandle(body);
    parseText(body);
  } catch (const Protocol&) {
  }
}

/// As it comes from a socket: in pieces.
void tryFrames(std::span<const std::byte> input);

constexpr void (*kParsers[])(std::span<const std::byte>) = {tryFrames,
                                                            tryMessage<Hello, parseHello>,
                                                            tryMessage<Welcome, parseWelcome>,
                                                            tryMessage<ListRequest, parseListRequest>,
                                                            tryMessage<Listing, parseListing>,
                                                            tryMessage<OpenRequestMessage, parseOpenRequest>,
                                                            tryMessage<Opened, parseOpened>,
                                                            tryMessage<ReadRequest, parseReadRequest>,
                                                            tryMessage<Sequences, parseSequences>,
                                                            tryMessage<IndexRequest, parseIndexRequest>,
                                                            tryMessage<IndexRecords, parseIndexRecords>,
                                                            tryMessage<ValuesRequest, parseValuesRequest>,
                                                            tryMessage<PreloadRequest, parsePreloadRequest>,
                                                            tryMessage<Failed, parseFailed>,
                                                            tryMessage<PartsReply, parsePartsReply>,
                                                            tryRest};

void tryFrames(std::span<const std::byte> input) {
  FrameBuffer frames(kMostRequestBytes);
  std::size_t at = 0;
  try {
    while (at < input.size()) {
      const std::span<std::byte> room = frames.room();
      const std::size_t count = std::min({room.size(), input.size() - at, std::size_t{1} + at % 97});
      std::copy_n(input.begin() + static_cast<std::ptrdiff_t>(at), count, room.begin());
      frames.received(count);
      at += count;
      while (const auto frame = frames.next()) {
        const auto type = static_cast<std::size_t>(frame->header.type);
        kParsers[1 + type % (std::size(kParsers) - 1)](frame->body);
      }
      if (frames.capacity() > 2 * (kMostRequestBytes + kFrameHeaderBytes) + 8192) std::abort();
    }
  } catch (const Protocol&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  kParsers[data[0] % std::size(kParsers)](std::as_bytes(std::span(data, size)).subspan(1));
  return 0;
}
