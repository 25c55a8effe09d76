#pragma once
// What ranks say to each other where some of them read for the others: requests for bricks of a step, and bricks, as they are
// or as a byte a value; and what they tell the gateway of the time that steps took. All parse functions throw Protocol.

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "remote/slabs/slab_messages.h"
#include "render/volume/brick.h"

namespace farfield::remote {

/// What bricks are of, and how they are passed on.
struct BrickSubject {
  std::string by;
  /// Floating-point values as a byte each, over this range: those beyond are its ends.
  bool quantized = false;
  std::array<double, 2> range{0, 1};
  /// Evenly in the logarithm, as colours are: the range is above 0.
  bool logarithmic = false;
  bool operator==(const BrickSubject&) const = default;
};

struct BrickRequest {
  std::uint64_t serial = 0;  ///< of the newest Work that who asks knows (InputPlan)
  BrickSubject subject;
  std::int64_t step = 0;
  std::int32_t level = 0;
  std::int64_t brick = 0;
};

/// What a rank measured of one step. Seconds; 0: not of this rank.
struct StepMeasured {
  std::uint64_t serial = 0;  ///< of the Work of that step
  double fetch = 0, prepare = 0, send = 0;
  double render = 0;  ///< without waiting for data
  double wait = 0;    ///< that
};

Bytes bytesOf(const BrickRequest& message);
Bytes bytesOf(const StepMeasured& message);
BrickRequest parseBrickRequest(std::span<const std::byte> body);
StepMeasured parseStepMeasured(std::span<const std::byte> body);

/// A body of Fetched. One of no bytes says that the brick is not to be had there.
Bytes encodeBrick(const volume::Brick& brick, const BrickSubject& subject);
/// Into a brick of the same cells and format, with its ranges.
void decodeBrick(std::span<const std::byte> body, volume::Brick& brick);

}  // namespace farfield::remote
