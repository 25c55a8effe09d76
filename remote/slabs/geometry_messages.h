#pragma once
// Results of objects that ranks compute beside the data, as messages: which are asked for, by whom they are computed, a light
// payload that says what comes from a rank, and heavy ones with lines and triangles. All parse functions throw Protocol if the
// bytes are not such a message. A result goes by the sequence number of the frame that asked for it.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/base/memory_account.h"
#include "core/session/run/result_parts.h"
#include "remote/slabs/slab_messages.h"

namespace farfield::remote {

constexpr std::uint32_t kMostDocumentBytes = 4 << 20;
/// Values of a vertex, and bytes of a heavy payload once it is unpacked.
constexpr std::uint32_t kMostWidth = 256, kMostBlockBytes = 64 << 20;
/// Results that a viewer may wait for at a time.
constexpr std::size_t kMostComputing = 256;

/// Asks for the result of an object.
struct ComputeRequest {
  std::int64_t step = 0;
  std::string document;  ///< session::documentOf
};

/// Which ranks share it: share n is of ranks[n].
struct Computing {
  std::vector<std::uint32_t> ranks;
};

/// For one of them.
struct ComputeWork {
  std::uint64_t viewer = 0;
  std::uint32_t part = 0, of = 1;
  ComputeRequest request;
};

/// The light payload.
struct GeometryHead {
  std::uint32_t part = 0, of = 1;
  std::int64_t step = 0;  ///< of the data
  session::ResultFacts facts;
};

/// A heavy one: packed records of lines and triangles, whole ones.
struct GeometryBlock {
  std::uint32_t part = 0;
  bool last = false;        ///< nothing follows
  std::uint32_t bytes = 0;  ///< of the records
  Bytes packed;
};

Bytes bytesOf(const ComputeRequest& message);
Bytes bytesOf(const Computing& message);
Bytes bytesOf(const ComputeWork& message);
Bytes bytesOf(const GeometryHead& message);
Bytes bytesOf(const GeometryBlock& message);

ComputeRequest parseComputeRequest(std::span<const std::byte> body);
Computing parseComputing(std::span<const std::byte> body);
ComputeWork parseComputeWork(std::span<const std::byte> body);
GeometryHead parseGeometryHead(std::span<const std::byte> body);
GeometryBlock parseGeometryBlock(std::span<const std::byte> body);

/// Makes heavy payloads of what it takes. Used by one thread.
class GeometryPacker final : public session::ResultSink {
 public:
  /// `send` is called with each; what it throws ends the packing. `account` outlives it.
  GeometryPacker(std::uint32_t part, MemoryAccount& account, std::function<void(const GeometryBlock&)> send);
  void line(const session::LinePart& part) override;
  void patch(std::uint64_t number, const extract::SurfacePatch& patch) override;
  /// The last one.
  void finish() { flush(true); }

 private:
  /// So that `bytes` more can be put in.
  void makeRoom(std::size_t bytes);
  void flush(bool last);

  const std::uint32_t m_part;
  MemoryAccount& m_account;
  const std::function<void(const GeometryBlock&)> m_send;
  MemoryClaim m_claim;
  Bytes m_records;
};

/// Gives the records of `block` to `sink`; vertices have `width` values, and lines a point and a time more. Throws Protocol, OverBudget,
/// and what the sink throws.
void unpackGeometry(const GeometryBlock& block, std::uint32_t width, MemoryAccount& account,
                    session::ResultSink& sink);

}  // namespace farfield::remote
