// Anything as what ranks of farfield-slabd say to each other about bricks: the first byte chooses a request, a measurement, or a
// brick of one of three formats, of few cells. What is parsed is written again and must parse to the same bytes.
//
// Run: fuzz_slab_inputs CORPUS -max_len=4096

#include <cstdlib>

#include "core/base/error.h"
#include "remote/slabd/input_messages.h"

using namespace farfield;
using namespace farfield::remote;

namespace {

using Body = std::span<const std::byte>;

template <class Message, Message (*kParse)(Body)>
void tryMessage(Body body) {
  const Bytes again = bytesOf(kParse(body));
  if (bytesOf(kParse(again)) != again) std::abort();
}

void tryBrick(Body body, volume::BrickType type) {
  volume::Brick brick({type, 1, 0}, {3, 2, 1});
  decodeBrick(body, brick);
  const BrickSubject subject;
  volume::Brick other(brick.format(), brick.cells());
  decodeBrick(encodeBrick(brick, subject), other);
  if (encodeBrick(other, subject) != encodeBrick(brick, subject)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const Body body = std::as_bytes(std::span(data, size)).subspan(1);
  try {
    switch (data[0] % 5) {
      case 0:
        tryMessage<BrickRequest, parseBrickRequest>(body);
        break;
      case 1:
        tryMessage<StepMeasured, parseStepMeasured>(body);
        break;
      case 2:
        tryBrick(body, volume::BrickType::U8);
        break;
      case 3:
        tryBrick(body, volume::BrickType::U16);
        break;
      default:
        tryBrick(body, volume::BrickType::F32);
    }
  } catch (const Protocol&) {
  }
  return 0;
}
