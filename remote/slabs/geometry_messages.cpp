#include "remote/slabs/geometry_messages.h"

#include <algorithm>
#include <cstring>

#include "remote/slabs/look_bytes.h"

namespace farfield::remote {
namespace {

/// Records are sent when they have so many bytes.
constexpr std::size_t kBlockBytes = 512 << 10;
constexpr std::size_t kHeadBytes = 32;  // at least as large as what comes before the numbers of a record
constexpr std::uint8_t kLine = 0, kPatch = 1;
/// Nodes of a patch (SurfaceSpool::patch).
constexpr std::uint32_t kMostPatchNodes = 65'536, kMostPatchTriangles = 4 * kMostPatchNodes;

void requireShare(std::uint32_t part, std::uint32_t of) {
  if (of == 0 || of > kMostRanks || part >= of)
    throw Protocol("there is no share " + std::to_string(part) + " of " + std::to_string(of));
}

template <class T>
void writeNumbers(ByteWriter& out, std::span<const T> numbers) {
  out.raw(std::as_bytes(numbers));
}

/// Any alignment.
template <class T>
void readNumbers(ByteReader& in, std::size_t count, std::vector<T>& numbers) {
  const auto raw = in.raw(count * sizeof(T));
  numbers.resize(count);
  if (count > 0) std::memcpy(numbers.data(), raw.data(), raw.size());
}

void writeRequest(ByteWriter& out, const ComputeRequest& request) {
  out.number(request.step);
  out.text(request.document);
}

ComputeRequest readRequest(ByteReader& in) {
  ComputeRequest request;
  request.step = readStep(in);
  request.document = in.text(kMostDocumentBytes);
  return request;
}

}  // namespace

Bytes bytesOf(const ComputeRequest& message) {
  Bytes bytes;
  ByteWriter out(bytes);
  writeRequest(out, message);
  return bytes;
}

ComputeRequest parseComputeRequest(std::span<const std::byte> body) {
  ByteReader in(body);
  ComputeRequest request = readRequest(in);
  in.end();
  return request;
}

Bytes bytesOf(const Computing& message) {
  Bytes bytes;
  ByteWriter out(bytes);
  out.number(static_cast<std::uint32_t>(message.ranks.size()));
  for (const std::uint32_t rank : message.ranks) out.number(rank);
  return bytes;
}

Computing parseComputing(std::span<const std::byte> body) {
  ByteReader in(body);
  Computing computing;
  const std::uint32_t ranks = in.count(sizeof(std::uint32_t));
  if (ranks == 0 || ranks > kMostRanks)
    throw Protocol("an object shared by " + std::to_string(ranks) + " ranks");
  for (std::uint32_t n = 0; n < ranks; ++n) {
    computing.ranks.push_back(in.number<std::uint32_t>());
    if (computing.ranks.back() >= kMostRanks) throw Protocol("there is no such rank");
  }
  in.end();
  return computing;
}

Bytes bytesOf(const ComputeWork& message) {
  Bytes bytes;
  ByteWriter out(bytes);
  out.number(message.viewer);
  out.number(message.part);
  out.number(message.of);
  writeRequest(out, message.request);
  return bytes;
}

ComputeWork parseComputeWork(std::span<const std::byte> body) {
  ByteReader in(body);
  ComputeWork work;
  work.viewer = in.number<std::uint64_t>();
  work.part = in.number<std::uint32_t>();
  work.of = in.number<std::uint32_t>();
  requireShare(work.part, work.of);
  work.request = readRequest(in);
  in.end();
  return work;
}

Bytes bytesOf(const GeometryHead& message) {
  Bytes bytes;
  ByteWriter out(bytes);
  out.number(message.part);
  out.number(message.of);
  out.number(message.step);
  out.number(message.facts.numbers);
  out.number(message.facts.width);
  out.number(message.facts.missing);
  out.number(message.facts.missingOf);
  return bytes;
}

GeometryHead parseGeometryHead(std::span<const std::byte> body) {
  ByteReader in(body);
  GeometryHead head;
  head.part = in.number<std::uint32_t>();
  head.of = in.number<std::uint32_t>();
  requireShare(head.part, head.of);
  head.step = readStep(in);
  head.facts.numbers = in.number<std::uint64_t>();
  head.facts.width = in.number<std::uint32_t>();
  head.facts.missing = in.number<std::uint64_t>();
  head.facts.missingOf = in.number<std::uint64_t>();
  if (head.facts.width > kMostWidth || head.facts.missing > head.facts.missingOf)
    throw Protocol("a result that cannot be");
  in.end();
  return head;
}

Bytes bytesOf(const GeometryBlock& message) {
  Bytes bytes;
  bytes.reserve(message.packed.size() + kHeadBytes);
  ByteWriter out(bytes);
  out.number(message.part);
  out.number(static_cast<std::uint8_t>(message.last));
  out.number(message.bytes);
  out.raw(message.packed);
  return bytes;
}

GeometryBlock parseGeometryBlock(std::span<const std::byte> body) {
  ByteReader in(body);
  GeometryBlock block;
  block.part = in.number<std::uint32_t>();
  block.last = readFlag(in);
  block.bytes = in.number<std::uint32_t>();
  if (block.part >= kMostRanks || block.bytes > kMostBlockBytes)
    throw Protocol("a part of a result that cannot be");
  const auto packed = in.rest();
  block.packed.assign(packed.begin(), packed.end());
  return block;
}

GeometryPacker::GeometryPacker(std::uint32_t part, MemoryAccount& account,
                               std::function<void(const GeometryBlock&)> send)
    : m_part(part), m_account(account), m_send(std::move(send)) {}

void GeometryPacker::makeRoom(std::size_t bytes) {
  if (!m_records.empty() && m_records.size() + bytes > kBlockBytes) flush(false);
  const std::size_t needed = m_records.size() + bytes;
  if (needed > kMostBlockBytes)
    throw Unsupported("a part of the result is too large to be sent", "colour it by fewer functions");
  // they, and what they are packed into
  if (const std::uint64_t wanted = 2 * std::max(needed, kBlockBytes) + kHeadBytes; m_claim.bytes() < wanted) {
    m_claim.release();
    m_claim = m_account.claim(Purpose::Results, wanted, "a result on its way to a viewer");
  }
  m_records.reserve(std::max(needed, kBlockBytes));
}

void GeometryPacker::flush(bool last) {
  if (m_records.empty() && !last) return;
  GeometryBlock block;
  block.part = m_part;
  block.last = last;
  block.bytes = static_cast<std::uint32_t>(m_records.size());
  if (!m_records.empty())
    block.packed = packBytes({reinterpret_cast<const std::uint8_t*>(m_records.data()), m_records.size()},
                             sizeof(double));
  m_records.clear();
  m_send(block);
}

void GeometryPacker::line(const session::LinePart& part) {
  makeRoom(kHeadBytes + part.vertices.size_bytes());
  ByteWriter out(m_records);
  out.number(kLine);
  out.number(part.number);
  out.number(static_cast<std::uint8_t>(part.ends));
  out.number(part.termination);
  out.number(part.block);
  out.number(static_cast<std::uint32_t>(part.vertices.size()));
  writeNumbers(out, part.vertices);
}

void GeometryPacker::patch(std::uint64_t number, const extract::SurfacePatch& patch) {
  makeRoom(kHeadBytes + patch.points.size_bytes() + patch.normals.size_bytes() + patch.values.size_bytes() +
           patch.triangles.size_bytes() + patch.sides.size_bytes());
  ByteWriter out(m_records);
  out.number(kPatch);
  out.number(number);
  out.number(static_cast<std::uint32_t>(patch.points.size() / 3));
  out.number(static_cast<std::uint32_t>(patch.triangles.size() / 3));
  out.number(static_cast<std::uint8_t>(patch.seenFromBehind));
  out.number(static_cast<std::uint8_t>(!patch.sides.empty()));
  writeNumbers(out, patch.points);
  writeNumbers(out, patch.normals);
  writeNumbers(out, patch.values);
  writeNumbers(out, patch.triangles);
  writeNumbers(out, patch.sides);
}

void unpackGeometry(const GeometryBlock& block, std::uint32_t width, MemoryAccount& account,
                    session::ResultSink& sink) {
  if (block.bytes == 0) return;
  // its records, and the numbers of one of them
  const MemoryClaim claim =
      account.claim(Purpose::Results, 2 * std::uint64_t{block.bytes}, "a result that a renderer sent");
  const std::vector<std::uint8_t> bytes = unpackBytes(block.packed, sizeof(double), block.bytes);
  std::vector<double> points, normals, values;
  std::vector<std::uint32_t> triangles;
  std::vector<std::uint8_t> sides;
  ByteReader in(std::as_bytes(std::span(bytes)));
  while (in.left() > 0) {
    const auto kind = in.number<std::uint8_t>();
    const auto number = in.number<std::uint64_t>();
    if (kind == kLine) {
      session::LinePart part;
      part.number = number;
      part.ends = readFlag(in);
      part.termination = in.number<std::int32_t>();
      part.block = in.number<std::int32_t>();
      readNumbers(in, in.count(sizeof(double)), points);
      part.vertices = points;
      sink.line(part);
    } else if (kind == kPatch) {
      const auto nodes = in.number<std::uint32_t>(), count = in.number<std::uint32_t>();
      if (nodes > kMostPatchNodes || count > kMostPatchTriangles)
        throw Protocol("a part of a surface that cannot be");
      extract::SurfacePatch patch;
      patch.seenFromBehind = readFlag(in);
      const bool hasSides = readFlag(in);
      readNumbers(in, 3 * std::size_t{nodes}, points);
      readNumbers(in, 3 * std::size_t{nodes}, normals);
      readNumbers(in, std::size_t{width} * nodes, values);
      readNumbers(in, 3 * std::size_t{count}, triangles);
      readNumbers(in, hasSides ? count : 0, sides);
      patch.points = points, patch.normals = normals, patch.values = values;
      patch.triangles = triangles, patch.sides = sides;
      sink.patch(number, patch);
    } else {
      throw Protocol("a part of a result of an unknown kind");
    }
  }
}

}  // namespace farfield::remote
