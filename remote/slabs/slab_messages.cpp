#include "remote/slabs/slab_messages.h"

#include <cstring>

#include "core/paging/pages/codec.h"
#include "remote/slabs/look_bytes.h"

namespace farfield::remote {
namespace {

constexpr std::size_t kMostToken = 1024, kMostName = 1024;

template <class Message, class Write>
Bytes written(const Message& message, Write write) {
  Bytes bytes;
  bytes.reserve(64);  // as long as most are
  ByteWriter out(bytes);
  write(out, message);
  return bytes;
}

template <class Message, class Read>
Message parsed(std::span<const std::byte> body, Read read) {
  ByteReader in(body);
  Message message = read(in);
  in.end();
  return message;
}

void writeBlob(ByteWriter& out, const Bytes& blob) {
  out.number(static_cast<std::uint32_t>(blob.size()));
  out.raw(blob);
}

Bytes readBlob(ByteReader& in) {
  const std::uint32_t bytes = in.count(1);
  const auto raw = in.raw(bytes);
  return {raw.begin(), raw.end()};
}

std::uint8_t readAxis(ByteReader& in) {
  const auto axis = in.number<std::uint8_t>();
  if (axis > 2) throw Protocol("there is no axis " + std::to_string(axis));
  return axis;
}

/// 0 … most.
std::int32_t readSize(ByteReader& in, std::int32_t most) {
  const auto size = in.number<std::int32_t>();
  if (size < 0 || size > most) throw Protocol("a picture of " + std::to_string(size) + " pixels");
  return size;
}

std::array<double, 2> readRange(ByteReader& in) {
  const double low = readFinite(in), high = readFinite(in);
  if (!(low <= high)) throw Protocol("a range that does not ascend");
  return {low, high};
}

void writePlan(ByteWriter& out, const Planned& plan) {
  out.number(plan.show);
  out.number(plan.axis);
  out.number(static_cast<std::uint32_t>(plan.ranks.size()));
  for (const double edge : plan.edges) out.number(edge);
  for (const std::uint32_t rank : plan.ranks) out.number(rank);
}

Planned readPlan(ByteReader& in) {
  Planned plan;
  plan.show = in.number<std::uint64_t>();
  plan.axis = readAxis(in);
  const std::uint32_t parts = in.count(sizeof(double) + sizeof(std::uint32_t));
  if (parts == 0 || parts > kMostSlabs) throw Protocol("a volume in " + std::to_string(parts) + " slabs");
  for (std::uint32_t n = 0; n <= parts; ++n) {
    plan.edges.push_back(readFinite(in));
    if (n > 0 && !(plan.edges[n - 1] <= plan.edges[n])) throw Protocol("slabs that do not ascend");
  }
  for (std::uint32_t n = 0; n < parts; ++n) {
    plan.ranks.push_back(in.number<std::uint32_t>());
    if (plan.ranks.back() >= kMostRanks) throw Protocol("there is no such rank");
  }
  return plan;
}

void writeShow(ByteWriter& out, const ShowRequest& show) {
  out.number(static_cast<std::uint8_t>(show.kind));
  out.number(show.step);
  out.number(show.nextStep);
  out.text(show.by);
  writeLook(out, show.look);
  writeScale(out, show.scale);
  out.number(show.axis);
  out.number(static_cast<std::uint8_t>(show.fromAbove));
  out.number(show.pixels);
  out.number(static_cast<std::uint8_t>(show.mesh));
  writeCamera(out, show.camera);
  for (const std::int32_t number : {show.width, show.height, show.firstRow, show.rows}) out.number(number);
  out.number(static_cast<std::uint8_t>(show.whole));
  writeBlob(out, show.from);
  writeBlob(out, show.to);
}

ShowRequest readShow(ByteReader& in) {
  ShowRequest show;
  const auto kind = in.number<std::uint8_t>();
  if (kind > 1) throw Protocol("nothing of kind " + std::to_string(kind) + " can be shown");
  show.kind = static_cast<ShowKind>(kind);
  show.step = readStep(in);
  show.nextStep = in.number<std::int64_t>();
  if (show.nextStep < -1 || show.nextStep >= static_cast<std::int64_t>(kMostTimes))
    throw Protocol("there is no step " + std::to_string(show.nextStep));
  show.by = in.text(kMostName);
  show.look = readLook(in);
  show.scale = readScale(in);
  show.axis = readAxis(in);
  show.fromAbove = readFlag(in);
  show.pixels = readSize(in, kMostSlabPixels);
  show.mesh = readFlag(in);
  show.camera = readCamera(in);
  show.width = readSize(in, kMostFramePixels);
  show.height = readSize(in, kMostFramePixels);
  show.firstRow = readSize(in, show.height);
  show.rows = readSize(in, show.height - show.firstRow);
  show.whole = readFlag(in);
  show.from = readBlob(in);
  show.to = readBlob(in);
  if (show.kind == ShowKind::Slabs ? show.pixels < 2 : show.width < 1 || show.rows < 1)
    throw Protocol("a picture without pixels");
  return show;
}

void writeRows(ByteWriter& out, const FrameRows& rows) {
  for (const std::int32_t size : {rows.width, rows.firstRow, rows.rows}) out.number(size);
  out.number(rows.samples);
  writeBlob(out, rows.rgba);
}

FrameRows readRows(ByteReader& in) {
  FrameRows rows;
  rows.width = readSize(in, kMostFramePixels);
  rows.firstRow = readSize(in, kMostFramePixels);
  rows.rows = readSize(in, kMostFramePixels - rows.firstRow);
  rows.samples = in.number<std::uint64_t>();
  rows.rgba = readBlob(in);
  if (rows.width < 1) throw Protocol("a picture without pixels");
  return rows;
}

void writeFacts(ByteWriter& out, const VolumeFacts& facts) {
  out.text(facts.name);
  for (const std::int64_t nodes : facts.nodes) out.number(nodes);
  writePoint(out, facts.bounds.min);
  writePoint(out, facts.bounds.max);
  out.number(static_cast<std::uint32_t>(facts.times.size()));
  for (const double time : facts.times) out.number(time);
  out.number(static_cast<std::uint32_t>(facts.functions.size()));
  for (const std::string& name : facts.functions) out.text(name);
  out.number(static_cast<std::uint32_t>(facts.ranges.size()));
  for (const FunctionRange& its : facts.ranges) {
    out.text(its.function);
    for (const double end : its.range) out.number(end);
    out.number(static_cast<std::uint8_t>(its.isWhole));
  }
  out.number(facts.dataBytes);
  writeBlob(out, facts.data);
}

VolumeFacts readFacts(ByteReader& in) {
  VolumeFacts facts;
  facts.name = in.text(kMostName);
  for (std::int64_t& nodes : facts.nodes) {
    nodes = in.number<std::int64_t>();
    if (nodes < 2 || nodes > (std::int64_t{1} << 31)) throw Protocol("a volume without cells");
  }
  facts.bounds.min = readPoint(in);
  facts.bounds.max = readPoint(in);
  for (int a = 0; a < 3; ++a)
    if (!(facts.bounds.min[a] < facts.bounds.max[a])) throw Protocol("a volume without a size");
  const std::uint32_t times = in.count(sizeof(double));
  if (times == 0 || times > kMostTimes) throw Protocol("data of " + std::to_string(times) + " steps");
  for (std::uint32_t n = 0; n < times; ++n) facts.times.push_back(readFinite(in));
  const std::uint32_t functions = in.count(sizeof(std::uint32_t));
  for (std::uint32_t n = 0; n < functions; ++n) facts.functions.push_back(in.text(kMostName));
  // a text's length, two numbers, a flag
  const std::uint32_t ranges = in.count(sizeof(std::uint32_t) + 2 * sizeof(double) + 1);
  for (std::uint32_t n = 0; n < ranges; ++n) {
    FunctionRange its;
    its.function = in.text(kMostName);
    its.range = readRange(in);
    its.isWhole = readFlag(in);
    facts.ranges.push_back(std::move(its));
  }
  facts.dataBytes = in.number<std::uint32_t>();
  if (facts.dataBytes > kMostDataBytes) throw Protocol("a description of data that is too long");
  facts.data = readBlob(in);
  return facts;
}

}  // namespace

Bytes bytesOf(const SlabHello& message) {
  return written(message, [](ByteWriter& out, const SlabHello& its) {
    out.number(its.leastVersion);
    out.number(its.mostVersion);
    out.text(its.token);
    out.text(its.client);
    out.number(its.viewer);
    out.number(its.rank);
  });
}

SlabHello parseSlabHello(std::span<const std::byte> body) {
  return parsed<SlabHello>(body, [](ByteReader& in) {
    SlabHello its;
    its.leastVersion = in.number<std::uint16_t>();
    its.mostVersion = in.number<std::uint16_t>();
    its.token = in.text(kMostToken);
    its.client = in.text(kMostName);
    its.viewer = in.number<std::uint64_t>();
    its.rank = in.number<std::uint32_t>();
    return its;
  });
}

Bytes bytesOf(const SlabWelcome& message) {
  return written(message, [](ByteWriter& out, const SlabWelcome& its) {
    out.number(its.version);
    out.number(its.viewer);
    out.text(its.server);
    out.number(static_cast<std::uint32_t>(its.alive.size()));
    for (const std::uint8_t alive : its.alive) out.number(alive);
    writeFacts(out, its.facts);
  });
}

SlabWelcome parseSlabWelcome(std::span<const std::byte> body) {
  return parsed<SlabWelcome>(body, [](ByteReader& in) {
    SlabWelcome its;
    its.version = in.number<std::uint16_t>();
    its.viewer = in.number<std::uint64_t>();
    its.server = in.text(kMostName);
    const std::uint32_t ranks = in.count(1);
    if (ranks == 0 || ranks > kMostRanks) throw Protocol("a renderer of " + std::to_string(ranks) + " ranks");
    for (std::uint32_t n = 0; n < ranks; ++n) its.alive.push_back(readFlag(in));
    its.facts = readFacts(in);
    return its;
  });
}

Bytes bytesOf(const SurveyRequest& message) {
  return written(message, [](ByteWriter& out, const SurveyRequest& its) {
    out.number(its.step);
    out.text(its.by);
    out.number(static_cast<std::uint8_t>(its.hasRange));
    for (const double end : its.range) out.number(end);
  });
}

SurveyRequest parseSurveyRequest(std::span<const std::byte> body) {
  return parsed<SurveyRequest>(body, [](ByteReader& in) {
    SurveyRequest its;
    its.step = readStep(in);
    its.by = in.text(kMostName);
    its.hasRange = readFlag(in);
    its.range = readRange(in);
    return its;
  });
}

Bytes bytesOf(const Surveyed& message) {
  return written(message, [](ByteWriter& out, const Surveyed& its) {
    for (const double end : its.range) out.number(end);
    writeOpacity(out, its.opacity);
  });
}

Surveyed parseSurveyed(std::span<const std::byte> body) {
  return parsed<Surveyed>(body, [](ByteReader& in) {
    Surveyed its;
    its.range = readRange(in);
    its.opacity = readOpacity(in);
    return its;
  });
}

Bytes bytesOf(const ShowRequest& message) {
  return written(message, writeShow);
}
ShowRequest parseShowRequest(std::span<const std::byte> body) {
  return parsed<ShowRequest>(body, readShow);
}

Bytes bytesOf(const Planned& message) {
  return written(message, writePlan);
}
Planned parsePlanned(std::span<const std::byte> body) {
  return parsed<Planned>(body, readPlan);
}

Bytes bytesOf(const SlabHead& message) {
  return written(message, [](ByteWriter& out, const SlabHead& its) {
    out.number(its.part);
    out.number(its.axis);
    out.number(static_cast<std::uint8_t>(its.fromAbove));
    out.number(its.step);
    out.number(its.low);
    out.number(its.high);
    for (const std::int32_t size : {its.width, its.height, its.columns, its.rows}) out.number(size);
    out.number(its.samples);
    out.number(its.valueBytes);
  });
}

SlabHead parseSlabHead(std::span<const std::byte> body) {
  return parsed<SlabHead>(body, [](ByteReader& in) {
    SlabHead its;
    its.part = in.number<std::uint32_t>();
    its.axis = readAxis(in);
    its.fromAbove = readFlag(in);
    its.step = readStep(in);
    const auto range = readRange(in);
    its.low = range[0];
    its.high = range[1];
    its.width = readSize(in, kMostSlabPixels);
    its.height = readSize(in, kMostSlabPixels);
    its.columns = readSize(in, kMostMeshPoints);
    its.rows = readSize(in, kMostMeshPoints);
    its.samples = in.number<std::uint64_t>();
    its.valueBytes = in.number<std::uint8_t>();
    if (its.width < 1 || its.height < 1) throw Protocol("a picture without pixels");
    if (its.valueBytes != 1 && its.valueBytes != 2)
      throw Protocol("pixels of " + std::to_string(its.valueBytes) + " bytes a value");
    const bool none = its.columns == 0 && its.rows == 0;
    if (!none && (its.columns < 2 || its.rows < 2)) throw Protocol("a mesh without a face");
    return its;
  });
}

Bytes bytesOf(const SlabPixels& message) {
  return written(message, [](ByteWriter& out, const SlabPixels& its) {
    out.number(its.part);
    writeBlob(out, its.rgba);
    writeBlob(out, its.offsets);
  });
}

SlabPixels parseSlabPixels(std::span<const std::byte> body) {
  return parsed<SlabPixels>(body, [](ByteReader& in) {
    SlabPixels its;
    its.part = in.number<std::uint32_t>();
    its.rgba = readBlob(in);
    its.offsets = readBlob(in);
    return its;
  });
}

Bytes bytesOf(const FrameRows& message) {
  return written(message, writeRows);
}
FrameRows parseFrameRows(std::span<const std::byte> body) {
  return parsed<FrameRows>(body, readRows);
}

Bytes bytesOf(const FramePart& message) {
  return written(message, [](ByteWriter& out, const FramePart& its) {
    out.number(its.viewer);
    out.number(its.show);
    out.number(its.part);
    out.number(static_cast<std::uint8_t>(its.failed));
    writeRows(out, its.pixels);
  });
}

FramePart parseFramePart(std::span<const std::byte> body) {
  return parsed<FramePart>(body, [](ByteReader& in) {
    FramePart its;
    its.viewer = in.number<std::uint64_t>();
    its.show = in.number<std::uint64_t>();
    its.part = in.number<std::uint32_t>();
    its.failed = readFlag(in);
    its.pixels = readRows(in);
    if (its.part >= kMostRanks) throw Protocol("there is no such part");
    return its;
  });
}

Bytes bytesOf(const RankHello& message) {
  return written(message, [](ByteWriter& out, const RankHello& its) {
    out.text(its.secret);
    out.number(its.rank);
    out.number(its.channel);
  });
}

RankHello parseRankHello(std::span<const std::byte> body) {
  return parsed<RankHello>(body, [](ByteReader& in) {
    RankHello its;
    its.secret = in.text(kMostToken);
    its.rank = in.number<std::uint32_t>();
    its.channel = in.number<std::uint64_t>();
    return its;
  });
}

Bytes bytesOf(const Finished& message) {
  return written(message, [](ByteWriter& out, const Finished& its) {
    out.number(its.viewer);
    out.number(its.show);
    out.number(its.part);
    out.number(its.seconds);
  });
}

Finished parseFinished(std::span<const std::byte> body) {
  return parsed<Finished>(body, [](ByteReader& in) {
    Finished its;
    its.viewer = in.number<std::uint64_t>();
    its.show = in.number<std::uint64_t>();
    its.part = in.number<std::uint32_t>();
    its.seconds = readFinite(in);
    return its;
  });
}

Bytes bytesOf(const Attach& message) {
  return written(message, [](ByteWriter& out, const Attach& its) {
    out.number(its.viewer);
    out.number(its.channel);
  });
}

Attach parseAttach(std::span<const std::byte> body) {
  return parsed<Attach>(body, [](ByteReader& in) {
    Attach its;
    its.viewer = in.number<std::uint64_t>();
    its.channel = in.number<std::uint64_t>();
    return its;
  });
}

Bytes bytesOf(const Work& message) {
  return written(message, [](ByteWriter& out, const Work& its) {
    out.number(its.viewer);
    writePlan(out, its.plan);
    out.number(its.inputs.serial);
    out.number(its.inputs.together);
    out.number(static_cast<std::uint8_t>(its.inputs.isFollowed));
    out.number(static_cast<std::uint32_t>(its.inputs.ranks.size()));
    for (const std::uint32_t rank : its.inputs.ranks) out.number(rank);
    writeShow(out, its.request);
  });
}

Work parseWork(std::span<const std::byte> body) {
  return parsed<Work>(body, [](ByteReader& in) {
    Work its;
    its.viewer = in.number<std::uint64_t>();
    its.plan = readPlan(in);
    its.inputs.serial = in.number<std::uint64_t>();
    its.inputs.together = in.number<std::uint32_t>();
    its.inputs.isFollowed = readFlag(in);
    const std::uint32_t inputs = in.count(sizeof(std::uint32_t));
    if (its.inputs.together == 0 || inputs % its.inputs.together != 0)
      throw Protocol("ranks that read in no groups");
    for (std::uint32_t n = 0; n < inputs; ++n) {
      its.inputs.ranks.push_back(in.number<std::uint32_t>());
      if (its.inputs.ranks.back() >= kMostRanks) throw Protocol("there is no such rank");
    }
    its.request = readShow(in);
    return its;
  });
}

Bytes packBytes(std::span<const std::uint8_t> bytes, int elementBytes) {
  paging::Scratch scratch;
  Bytes packed(paging::encodedBound(paging::Codec::Zstd, bytes.size()));
  packed.resize(paging::encode(paging::Codec::Zstd, elementBytes, std::as_bytes(bytes), packed, scratch));
  return packed;
}

Bytes packFloats(std::span<const float> values) {
  return packBytes({reinterpret_cast<const std::uint8_t*>(values.data()), values.size_bytes()},
                   sizeof(float));
}

std::vector<std::uint8_t> unpackBytes(std::span<const std::byte> packed, int elementBytes,
                                      std::size_t count) {
  paging::Scratch scratch;
  std::vector<std::uint8_t> bytes(count);
  try {
    paging::decode(paging::Codec::Zstd, elementBytes, packed, std::as_writable_bytes(std::span(bytes)),
                   scratch);
  } catch (const Corrupt& error) {
    throw Protocol(std::string("pixels cannot be unpacked: ") + error.message());
  }
  return bytes;
}

void setData(VolumeFacts& facts, const std::string& text) {
  if (text.size() > kMostDataBytes) return;  // viewers do without
  facts.dataBytes = static_cast<std::uint32_t>(text.size());
  facts.data = packBytes({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, 1);
}

std::string dataOf(const VolumeFacts& facts) {
  if (facts.data.empty()) return {};
  const std::vector<std::uint8_t> bytes = unpackBytes(facts.data, 1, facts.dataBytes);
  return {bytes.begin(), bytes.end()};
}

std::vector<float> unpackFloats(std::span<const std::byte> packed, std::size_t count) {
  const std::vector<std::uint8_t> bytes = unpackBytes(packed, sizeof(float), count * sizeof(float));
  std::vector<float> values(count);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

}  // namespace farfield::remote
