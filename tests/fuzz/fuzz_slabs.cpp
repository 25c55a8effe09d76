// Anything as messages of farfield-slabd, its ranks and its viewers: the first byte chooses one, and what follows is parsed as
// it. What is parsed is written again and must parse to the same bytes. Three choices are what a viewer receives: heads, pixels
// and rows, results of objects, and lives of ranks, as the bytes say, into what it waits for.
//
// Run: fuzz_slabs CORPUS -max_len=4096

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "core/base/error.h"
#include "remote/slabs/geometry_show.h"
#include "remote/slabs/life_log.h"
#include "remote/slabs/slab_messages.h"
#include "remote/slabs/slab_show.h"

using namespace farfield;
using namespace farfield::remote;

namespace {

using Body = std::span<const std::byte>;

template <class Message, Message (*kParse)(Body)>
void tryMessage(Body body) {
  try {
    const Bytes again = bytesOf(kParse(body));
    if (bytesOf(kParse(again)) != again) std::abort();
  } catch (const Protocol&) {
  }
}

void tryUnpacking(Body body) {
  try {
    unpackBytes(body, 4, 256);
  } catch (const Protocol&) {
  }
  try {
    unpackFloats(body, 64);
  } catch (const Protocol&) {
  }
}

/// Messages one after the other: a byte chooses which, two say how long it is.
void tryShow(Body body) {
  if (body.empty()) return;
  MemoryAccount account(std::uint64_t{16} << 20);
  Bounds bounds;
  bounds.add(Vec3{0, 0, 0});
  bounds.add(Vec3{1, 2, 3});
  ShowRequest request;
  request.kind = static_cast<ShowKind>(static_cast<unsigned>(body[0]) & 1);
  request.pixels = 8;
  request.width = request.height = request.rows = 8;
  SlabShow show(1, request, bounds, account);
  body = body.subspan(1);
  while (body.size() > 3) {
    const auto which = static_cast<unsigned>(body[0]);
    const std::size_t said = load<std::uint16_t>(body.data() + 1);
    const std::size_t bytes = std::min(body.size() - 3, said);
    const Body part = body.subspan(3, bytes);
    body = body.subspan(3 + bytes);
    try {
      switch (which % 5) {
        case 0:
          show.takePlan(parsePlanned(part));
          break;
        case 1:
          show.takeHead(which & 3, parseSlabHead(part));
          break;
        case 2:
          show.takePixels(which & 3, parseSlabPixels(part));
          break;
        case 3:
          show.takeRows(parseFrameRows(part));
          break;
        default:
          show.lose(which & 3);
      }
    } catch (const Protocol&) {
    } catch (const OverBudget&) {
    }
    if (show.isDone() && !show.error()) show.slabs();
  }
}

/// Reads all that it is given, which must be what a vertex of this width has.
struct ReadingSink final : session::ResultSink {
  explicit ReadingSink(std::size_t its) : width(its) {}
  void line(const session::LinePart& part) override {
    for (const double value : part.vertices) sum += value;
  }
  void patch(std::uint64_t, const extract::SurfacePatch& patch) override {
    const std::size_t nodes = patch.points.size() / 3;
    if (patch.values.size() != nodes * width || patch.normals.size() != 3 * nodes ||
        (!patch.sides.empty() && 3 * patch.sides.size() != patch.triangles.size()))
      std::abort();
    for (const double value : patch.values) sum += value;
  }
  std::size_t width;
  double sum = 0;
};

/// As tryShow. Records of heavy payloads are the bytes as they are, packed: a packed form would hardly ever be met.
void tryResult(Body body) {
  MemoryAccount account(std::uint64_t{16} << 20);
  session::ResultRequest request{.source = "", .document = "", .account = account, .begin = {}};
  request.begin = [](const session::ResultFacts& facts, std::int64_t, bool) {
    return std::make_shared<ReadingSink>(facts.width);
  };
  GeometryShow show(request, false);
  while (body.size() > 3) {
    const auto which = static_cast<unsigned>(body[0]);
    const std::size_t said = load<std::uint16_t>(body.data() + 1);
    const std::size_t bytes = std::min(body.size() - 3, said);
    const Body part = body.subspan(3, bytes);
    body = body.subspan(3 + bytes);
    try {
      switch (which % 5) {
        case 0:
          show.takePlan(parseComputing(part));
          break;
        case 1:
          show.takeHead(which & 3, parseGeometryHead(part));
          break;
        case 2:
          show.takeBlock(which & 3, parseGeometryBlock(part));
          break;
        case 3: {
          GeometryBlock block;
          block.part = which & 3;
          block.last = (which & 64) != 0;
          block.bytes = static_cast<std::uint32_t>(part.size());
          if (!part.empty())
            block.packed =
                packBytes({reinterpret_cast<const std::uint8_t*>(part.data()), part.size()}, sizeof(double));
          show.takeBlock(which & 3, block);
          break;
        }
        default:
          show.lose(which & 3);
      }
    } catch (const Protocol&) {
    }
    if (show.isDone()) show.error();
  }
  show.close();
  if (account.usedBytes() != 0) std::abort();
}

/// Clocks and events of a rank, as a viewer takes them.
void tryLives(Body body) {
  LifeRecord record;
  while (body.size() > 3) {
    const auto which = static_cast<unsigned>(body[0]);
    const std::size_t said = load<std::uint16_t>(body.data() + 1);
    const std::size_t bytes = std::min(body.size() - 3, said);
    const Body part = body.subspan(3, bytes);
    body = body.subspan(3 + bytes);
    try {
      if (which % 3 == 0) {
        const LifeClock clock = parseLifeClock(part);
        record.asked(clock.asked);
        record.heard(clock, clock.asked + which);
      } else {
        record.take(parseLifeNews(part));
      }
    } catch (const Protocol&) {
    }
  }
  for (const LifeSpan& span : record.life("rank", 0).spans)
    if (span.from > span.to || !isLifeTag(span.what)) std::abort();
}

constexpr void (*kParsers[])(Body) = {tryMessage<SlabHello, parseSlabHello>,
                                      tryMessage<SlabWelcome, parseSlabWelcome>,
                                      tryMessage<SurveyRequest, parseSurveyRequest>,
                                      tryMessage<Surveyed, parseSurveyed>,
                                      tryMessage<ShowRequest, parseShowRequest>,
                                      tryMessage<Planned, parsePlanned>,
                                      tryMessage<SlabHead, parseSlabHead>,
                                      tryMessage<SlabPixels, parseSlabPixels>,
                                      tryMessage<FrameRows, parseFrameRows>,
                                      tryMessage<RankHello, parseRankHello>,
                                      tryMessage<Finished, parseFinished>,
                                      tryMessage<Attach, parseAttach>,
                                      tryMessage<Work, parseWork>,
                                      tryMessage<FramePart, parseFramePart>,
                                      tryUnpacking,
                                      tryShow,
                                      tryMessage<ComputeRequest, parseComputeRequest>,
                                      tryMessage<Computing, parseComputing>,
                                      tryMessage<ComputeWork, parseComputeWork>,
                                      tryMessage<GeometryHead, parseGeometryHead>,
                                      tryMessage<GeometryBlock, parseGeometryBlock>,
                                      tryResult,
                                      tryMessage<LifeAsk, parseLifeAsk>,
                                      tryMessage<LifeClock, parseLifeClock>,
                                      tryMessage<LifeNews, parseLifeNews>,
                                      tryLives};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  kParsers[data[0] % std::size(kParsers)](std::as_bytes(std::span(data, size)).subspan(1));
  return 0;
}
