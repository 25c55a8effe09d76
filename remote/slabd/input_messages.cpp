#include "remote/slabd/input_messages.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/base/error.h"
#include "remote/slabs/look_bytes.h"

namespace farfield::remote {
namespace {

constexpr std::size_t kMostName = 1024;
constexpr std::int32_t kMostLevels = 64;
enum class Coding : std::uint8_t { Raw = 1, Byte = 2, LogarithmicByte = 3 };
/// A byte is one of 255 values of the range, evenly or evenly in the logarithm, or says that there is none.
constexpr std::uint8_t kNoValue = 255;
constexpr double kMostByte = 254;

/// Each row of the brick's nodes, as where it begins in the layout and how many values it has.
template <class Visit>
void eachRow(const volume::Brick& brick, Visit visit) {
  const Index3& cells = brick.cells();
  for (std::int64_t k = 0; k < cells[2] + 3; ++k)
    for (std::int64_t j = 0; j < cells[1] + 3; ++j)
      visit(static_cast<std::size_t>(volume::kBrickSide * (j + volume::kBrickSide * k)),
            static_cast<std::size_t>(cells[0] + 3));
}

std::size_t valuesOf(const volume::Brick& brick) {
  const Index3& cells = brick.cells();
  return static_cast<std::size_t>((cells[0] + 3) * (cells[1] + 3) * (cells[2] + 3));
}

}  // namespace

Bytes bytesOf(const BrickRequest& message) {
  Bytes bytes;
  ByteWriter out(bytes);
  out.number(message.serial);
  out.text(message.subject.by);
  out.number(static_cast<std::uint8_t>(message.subject.quantized));
  for (const double end : message.subject.range) out.number(end);
  out.number(static_cast<std::uint8_t>(message.subject.logarithmic));
  out.number(message.step);
  out.number(message.level);
  out.number(message.brick);
  return bytes;
}

BrickRequest parseBrickRequest(std::span<const std::byte> body) {
  ByteReader in(body);
  BrickRequest request;
  request.serial = in.number<std::uint64_t>();
  request.subject.by = in.text(kMostName);
  request.subject.quantized = readFlag(in);
  for (double& end : request.subject.range) end = readFinite(in);
  request.subject.logarithmic = readFlag(in);
  request.step = in.number<std::int64_t>();
  request.level = in.number<std::int32_t>();
  request.brick = in.number<std::int64_t>();
  in.end();
  if (request.step < 0 || request.level < 0 || request.level >= kMostLevels || request.brick < 0)
    throw Protocol("there is no such brick");
  if (request.subject.logarithmic && !(request.subject.range[0] > 0))
    throw Protocol("a logarithm of what is not above 0");
  return request;
}

Bytes bytesOf(const StepMeasured& message) {
  Bytes bytes;
  ByteWriter out(bytes);
  out.number(message.serial);
  for (const double seconds : {message.fetch, message.prepare, message.send, message.render, message.wait})
    out.number(seconds);
  return bytes;
}

StepMeasured parseStepMeasured(std::span<const std::byte> body) {
  ByteReader in(body);
  StepMeasured measured;
  measured.serial = in.number<std::uint64_t>();
  for (double* const seconds :
       {&measured.fetch, &measured.prepare, &measured.send, &measured.render, &measured.wait}) {
    *seconds = readFinite(in);
    if (*seconds < 0) throw Protocol("a time below nothing");
  }
  in.end();
  return measured;
}

Bytes encodeBrick(const volume::Brick& brick, const BrickSubject& subject) {
  const bool quantized = subject.quantized && brick.format().type == volume::BrickType::F32;
  const std::size_t size = quantized ? 1 : sizeOf(brick.format().type);
  Bytes bytes;
  bytes.reserve(1 + 2 * sizeof(double) + valuesOf(brick) * size);
  ByteWriter out(bytes);
  const Coding coding = !quantized            ? Coding::Raw
                        : subject.logarithmic ? Coding::LogarithmicByte
                                              : Coding::Byte;
  out.number(static_cast<std::uint8_t>(coding));
  if (!quantized) {
    eachRow(brick, [&](std::size_t at, std::size_t count) {
      out.raw({brick.data() + at * size, count * size});
    });
    return bytes;
  }
  for (const double end : subject.range) out.number(end);
  const auto placeOf = [&](double value) { return subject.logarithmic ? std::log(value) : value; };
  // Halves: the width of what reaches from one end of the numbers to the other is none of them.
  const double low = placeOf(subject.range[0]) / 2, width = placeOf(subject.range[1]) / 2 - low;
  const double scale = width > 0 ? kMostByte / width : 0;
  std::array<std::byte, volume::kBrickSide> row;
  eachRow(brick, [&](std::size_t at, std::size_t count) {
    const auto* const values = reinterpret_cast<const float*>(brick.data()) + at;
    for (std::size_t i = 0; i < count; ++i) {
      const auto value = static_cast<double>(values[i]);
      // An infinite one in a range of no width has no place either.
      const double place = (placeOf(std::max(value, subject.range[0])) / 2 - low) * scale;
      row[i] = static_cast<std::byte>(std::isnan(value) || std::isnan(place)
                                          ? kNoValue
                                          : static_cast<std::uint8_t>(std::min(place, kMostByte) + 0.5));
    }
    out.raw(std::span(row).first(count));
  });
  return bytes;
}

void decodeBrick(std::span<const std::byte> body, volume::Brick& brick) {
  ByteReader in(body);
  const auto coding = in.number<std::uint8_t>();
  const std::size_t size = sizeOf(brick.format().type);
  if (coding == static_cast<std::uint8_t>(Coding::Raw)) {
    eachRow(brick, [&](std::size_t at, std::size_t count) {
      const std::span<const std::byte> row = in.raw(count * size);
      std::memcpy(brick.raw() + at * size, row.data(), row.size());
    });
  } else if (coding == static_cast<std::uint8_t>(Coding::Byte) ||
             coding == static_cast<std::uint8_t>(Coding::LogarithmicByte)) {
    if (brick.format().type != volume::BrickType::F32) throw Protocol("bytes for what is no floating point");
    const bool logarithmic = coding == static_cast<std::uint8_t>(Coding::LogarithmicByte);
    const double low = readFinite(in), high = readFinite(in);
    if (logarithmic && !(low > 0 && high > 0)) throw Protocol("a logarithm of what is not above 0");
    const auto placeOf = [&](double value) { return logarithmic ? std::log(value) : value; };
    constexpr double kMost = std::numeric_limits<float>::max();  // the range may go beyond
    std::array<float, 256> values;
    for (std::size_t n = 0; n < values.size(); ++n) {
      const double part = static_cast<double>(n) / kMostByte;
      const double place = (1 - part) * placeOf(low) + part * placeOf(high);
      values[n] = static_cast<float>(std::clamp(logarithmic ? std::exp(place) : place, -kMost, kMost));
    }
    values[kNoValue] = std::numeric_limits<float>::quiet_NaN();
    eachRow(brick, [&](std::size_t at, std::size_t count) {
      const std::span<const std::byte> row = in.raw(count);
      auto* const to = reinterpret_cast<float*>(brick.raw()) + at;
      for (std::size_t i = 0; i < count; ++i) to[i] = values[static_cast<std::size_t>(row[i])];
    });
  } else {
    throw Protocol("a brick that is coded in no way that is known");
  }
  in.end();
  IndexBox all;
  for (std::size_t a = 0; a < 3; ++a) {
    all.first[a] = 0;
    all.size[a] = brick.cells()[a] + 3;
  }
  brick.finish(all);
}

}  // namespace farfield::remote
