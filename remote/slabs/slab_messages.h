#pragma once
// What farfield-slabd and its viewers say to each other, and what the ranks of one farfield-slabd do (docs/dev/slabs.md). The
// frames are those of the paging protocol; the types of these messages begin where its end. One parser for all sides: what is
// written here is read here. All parse functions throw Protocol if the bytes are not such a message.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/geometry.h"
#include "core/scene/scene.h"
#include "remote/protocol/frame.h"

namespace farfield::remote {

constexpr std::uint16_t kSlabVersion = 5;
/// Ping, Pong, Failed and Goodbye are the paging protocol's.
enum class SlabMessage : std::uint16_t {
  // viewers say
  Hello = 129,
  Survey = 130,
  Show = 131,
  Compute = 132,  ///< geometry_messages.h has what is said of it
  Forget = 133,   ///< what was asked for by this number is not wanted any more
  Watch = 134,    ///< to a rank, on its connection (life_messages.h)
  // the gateway says to viewers
  Welcome = 145,
  Attached = 146,
  Surveyed = 147,
  Planned = 148,
  Computing = 149,
  // ranks say to viewers, through the gateway
  Slab = 161,    ///< the light payload
  Pixels = 162,  ///< the heavy one, which follows it
  Rows = 163,
  Geometry = 164,  ///< the light payload of a result
  Vertices = 165,  ///< the heavy ones, which follow it
  Watched = 166,   ///< answers Watch
  News = 167,
  // ranks say to the gateway
  RankHello = 177,
  Finished = 178,
  Measured = 179,
  // the gateway says to ranks
  Attach = 193,
  Detach = 194,
  Work = 195,
  Gone = 196,  ///< a rank, as an Attach names it
  ComputeWork = 197,
  ForgetWork = 198,  ///< of a viewer, as an Attach names both
  // ranks say to each other
  Part = 209,
  Fetch = 210,
  Fetched = 211,
};

constexpr std::uint32_t kMostRanks = 4096, kMostSlabs = 256;
/// Pixels along a side of a slab's picture, and of a frame; points along a side of a slab's mesh.
constexpr std::int32_t kMostSlabPixels = 4096, kMostFramePixels = 16384, kMostMeshPoints = 129;
constexpr std::uint32_t kMostDataBytes = 64 << 20;  ///< of what is said of the data
/// Largest body: what a viewer may ask for, and what it is sent.
constexpr std::uint32_t kMostAskedBytes = 64 << 20, kMostSentBytes = 128 << 20;

/// The first message of each connection. A viewer has one for control, which the others name.
struct SlabHello {
  static constexpr std::uint32_t kControl = 0xffffffff;
  std::uint16_t leastVersion = kSlabVersion, mostVersion = kSlabVersion;
  std::string token, client;
  std::uint64_t viewer = 0;       ///< as the gateway said; 0 for control
  std::uint32_t rank = kControl;  ///< whose pictures come on this connection
};

/// About where the values of a function lie.
struct FunctionRange {
  std::string function;
  std::array<double, 2> range{0, 0};
  bool isWhole = false;  ///< of all nodes of all steps; else of some that were looked at
};

/// What is rendered.
struct VolumeFacts {
  std::string name;  ///< of the file, without its folder
  Index3 nodes{2, 2, 2};
  Bounds bounds;
  std::vector<double> times;  ///< one per step
  std::vector<std::string> functions;
  std::vector<FunctionRange> ranges;  ///< that are known without much reading
  std::uint32_t dataBytes = 0;
  Bytes data;  ///< what the data are, packed (setData); empty: not said
};

struct SlabWelcome {
  std::uint16_t version = kSlabVersion;
  std::uint64_t viewer = 0;
  std::string server;
  std::vector<std::uint8_t> alive;  ///< by rank
  VolumeFacts facts;
};

/// Asks for the range of values and for opacities over it, or over another range.
struct SurveyRequest {
  std::int64_t step = 0;
  std::string by;
  bool hasRange = false;
  std::array<double, 2> range{0, 1};
};
struct Surveyed {
  std::array<double, 2> range{0, 1};
  std::vector<scene::OpacityPoint> opacity;
};

enum class ShowKind : std::uint8_t { Slabs = 0, Frame = 1 };

/// What a viewer wants to see. A later one takes the place of an earlier one.
struct ShowRequest {
  ShowKind kind = ShowKind::Slabs;
  std::int64_t step = 0;
  std::int64_t nextStep = -1;  ///< whose pages may be asked for ahead
  std::string by;
  scene::VolumeLook look;
  scene::ColorScale scale;
  // of slabs
  std::uint8_t axis = 0;
  bool fromAbove = true;    ///< seen from greater coordinates along the axis
  std::int32_t pixels = 0;  ///< along the longer side of their pictures
  bool mesh = true;
  // of a frame; of slabs only how axes are stretched
  scene::Camera camera;
  std::int32_t width = 0, height = 0, firstRow = 0, rows = 0;
  bool whole = true;  ///< scene::VolumeCast::whole
  Bytes from, to;     ///< packed (packFloats); empty: none
};

/// How a Show is divided along an axis: part n lies between edges n and n + 1.
struct Planned {
  std::uint64_t show = 0;
  std::uint8_t axis = 0;
  std::vector<double> edges;         ///< ascending
  std::vector<std::uint32_t> ranks;  ///< one per part
};

/// The light payload of a slab.
struct SlabHead {
  std::uint32_t part = 0;
  std::uint8_t axis = 0;
  bool fromAbove = true;
  std::int64_t step = 0;
  double low = 0, high = 0;            ///< along the axis
  std::int32_t width = 0, height = 0;  ///< of the picture
  std::int32_t columns = 0, rows = 0;  ///< points of the mesh; 0: a plane in the middle
  std::uint64_t samples = 0;
  std::uint8_t valueBytes = 1;  ///< of a pixel's four values: 1 or 2
};
/// The heavy payload: packed bytes of the picture (4 valueBytes width × height) and of the mesh's offsets from the middle.
struct SlabPixels {
  std::uint32_t part = 0;
  Bytes rgba, offsets;
};

/// Some rows of a frame: packed bytes, 4 a pixel.
struct FrameRows {
  std::int32_t width = 0, firstRow = 0, rows = 0;
  std::uint64_t samples = 0;
  Bytes rgba;
};

struct RankHello {
  std::string secret;
  std::uint32_t rank = 0;
  std::uint64_t channel = 0;  ///< for a viewer, as Attach says; 0: to the gateway
};
struct Finished {
  std::uint64_t viewer = 0, show = 0;
  std::uint32_t part = 0;
  double seconds = 0;
};
struct Attach {
  std::uint64_t viewer = 0, channel = 0;
};
/// Which ranks read for the others.
struct InputPlan {
  std::uint64_t serial = 0;    ///< of the Work, of all viewers together
  std::uint32_t together = 1;  ///< so many share a step
  bool isFollowed = true;  ///< what is read ahead follows it; else it is another viewer's that they read for
  std::vector<std::uint32_t>
      ranks;  ///< groups of as many, one after the other; none: each reads what it renders
};
struct Work {
  std::uint64_t viewer = 0;
  Planned plan;
  InputPlan inputs;
  ShowRequest request;
};

/// Some rows of a part of a frame, for the rank that puts these rows together: packed, 16 bits a value.
struct FramePart {
  std::uint64_t viewer = 0, show = 0;
  std::uint32_t part = 0;
  bool failed = false;  ///< it could not be rendered, and nobody need wait for it
  FrameRows pixels;
};

Bytes bytesOf(const SlabHello& message);
Bytes bytesOf(const SlabWelcome& message);
Bytes bytesOf(const SurveyRequest& message);
Bytes bytesOf(const Surveyed& message);
Bytes bytesOf(const ShowRequest& message);
Bytes bytesOf(const Planned& message);
Bytes bytesOf(const SlabHead& message);
Bytes bytesOf(const SlabPixels& message);
Bytes bytesOf(const FrameRows& message);
Bytes bytesOf(const RankHello& message);
Bytes bytesOf(const Finished& message);
Bytes bytesOf(const Attach& message);
Bytes bytesOf(const Work& message);
Bytes bytesOf(const FramePart& message);

SlabHello parseSlabHello(std::span<const std::byte> body);
SlabWelcome parseSlabWelcome(std::span<const std::byte> body);
SurveyRequest parseSurveyRequest(std::span<const std::byte> body);
Surveyed parseSurveyed(std::span<const std::byte> body);
ShowRequest parseShowRequest(std::span<const std::byte> body);
Planned parsePlanned(std::span<const std::byte> body);
SlabHead parseSlabHead(std::span<const std::byte> body);
SlabPixels parseSlabPixels(std::span<const std::byte> body);
FrameRows parseFrameRows(std::span<const std::byte> body);
RankHello parseRankHello(std::span<const std::byte> body);
Finished parseFinished(std::span<const std::byte> body);
Attach parseAttach(std::span<const std::byte> body);
Work parseWork(std::span<const std::byte> body);
FramePart parseFramePart(std::span<const std::byte> body);

/// A frame of such a message.
inline Bytes slabFrame(SlabMessage type, std::uint64_t sequence, std::span<const std::byte> body) {
  return frameOf(static_cast<MessageType>(type), sequence, body);
}
inline SlabMessage slabMessage(const FrameHeader& header) {
  return static_cast<SlabMessage>(header.type);
}

/// Pictures of slabs of which many lie behind each other have 16 bits a value: what bytes round off adds up.
constexpr std::size_t kMostSlabsOfBytes = 16;
constexpr int valueBytesFor(std::size_t slabs) {
  return slabs > kMostSlabsOfBytes ? 2 : 1;
}

/// paging::descriptionText of the data; left out where it is too long.
void setData(VolumeFacts& facts, const std::string& text);
/// Empty: it was left out. Throws Protocol.
std::string dataOf(const VolumeFacts& facts);

/// Compressed without loss.
Bytes packBytes(std::span<const std::uint8_t> bytes, int elementBytes);
Bytes packFloats(std::span<const float> values);
/// Exactly `count` of them. Throws Protocol for anything else.
std::vector<std::uint8_t> unpackBytes(std::span<const std::byte> packed, int elementBytes, std::size_t count);
std::vector<float> unpackFloats(std::span<const std::byte> packed, std::size_t count);

}  // namespace farfield::remote
