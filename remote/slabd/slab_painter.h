#pragma once
// What a rank renders: parts of the volume between two coordinates of an axis, from the data that it opened itself.

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <list>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/fields/paged/paged_data.h"
#include "remote/slabd/input_bricks.h"
#include "remote/slabd/input_server.h"
#include "remote/slabs/slab_messages.h"
#include "render/volume/device_caster.h"

namespace farfield::volume {
class ShownVolume;
}

namespace farfield::remote {

/// Values of parts of a frame are 16 bits.
constexpr float kFixedOne = 65535;

struct PaintedSlab {
  SlabHead head;
  std::vector<std::uint8_t> rgba;  ///< 4 width × height values of SlabHead::valueBytes
  std::vector<float> offsets;      ///< of the mesh's points from the middle, along the axis
};

/// As it is sent.
SlabPixels sentPixels(std::uint32_t part, const PaintedSlab& slab);
/// Rows of a part of a frame, as ranks send them to each other: 16 bits a value, packed.
Bytes packRows(std::span<const float> rgba);

/// Used by one thread.
class SlabPainter {
 public:
  struct Options {
    int processors = 1;
    std::filesystem::path scratchFolder;   ///< for resampled bricks
    std::vector<std::int64_t> steps = {};  ///< of the data, that are shown; empty: all
    bool quantize = false;                 ///< what other ranks read comes as a byte a value
    double enhance = 0;                    ///< what changed since the step shown before, added so many times
    volume::DeviceMaker makeDevice = {};   ///< empty: processors cast
    std::function<void(const Error&)> deviceFailed = {};
  };
  /// `data` and `account` outlive it. Throws OverBudget, Unsupported.
  SlabPainter(const fields::OpenData& data, MemoryAccount& account, Options options);
  ~SlabPainter();

  /// Of all that it reads; may be shared with others, on any thread.
  const std::shared_ptr<paging::PageCache>& cache() const { return m_cache; }
  /// From now on bricks come through it where other ranks read them (input_bricks.h). Outlives the painter.
  void setInputs(InputClient* inputs);
  /// Nodes and bounds of what is rendered; times and functions of the data.
  VolumeFacts facts();
  /// Throws NotFound (no such function), Invalid (a vector), and what reading throws.
  Surveyed survey(const SurveyRequest& request);
  /// The slab of `request` between `low` and `high`, with so many bytes a value (valueBytesFor). Throws as survey(), OverBudget,
  /// Cancelled.
  PaintedSlab slab(const ShowRequest& request, std::uint32_t part, double low, double high,
                   const std::stop_token& stop, int valueBytes = 1);
  /// Reads what slab() or frame() will need of `step` for the same parts, pairs of coordinates; to be called on any thread while
  /// the painter paints another step. It throws as they do.
  using Load = std::function<void(const std::stop_token& stop)>;
  Load load(const ShowRequest& request, int axis, std::int64_t step,
            std::vector<std::array<double, 2>> parts);
  /// What bricks of `request` are, for who reads them for others; and what does so, of the whole volume at `step`: to be called on
  /// any thread, as what load() gives.
  BrickSubject subject(const ShowRequest& request) const;
  InputServer::Read stream(const ShowRequest& request, std::int64_t step);
  /// How long rendering waited for data so far, in seconds.
  double waitSeconds() const { return m_waitSeconds; }
  /// The same part of a frame: red, green, blue (times alpha), alpha for each pixel of the rows that are asked for.
  std::uint64_t frame(const ShowRequest& request, int axis, double low, double high,
                      const std::stop_token& stop, std::span<float> rgba);

 private:
  struct Variable;  ///< a function and what is in memory of it
  struct Step;
  /// `step` counts those that are shown.
  std::shared_ptr<volume::ShownVolume> volumeOf(const std::string& by, std::int64_t step);
  /// Of what is shown, as its bricks come for that.
  std::shared_ptr<volume::ShownVolume> shownOf(const ShowRequest& request, std::int64_t step);
  void cast(volume::ShownVolume& volume, const scene::VolumeCast& cast, const Bounds& part,
            std::span<float> rgba);
  Variable& variableOf(const std::string& by);
  std::int64_t clamped(std::int64_t step) const;
  /// Of the data, for one of those that are shown.
  std::int64_t ofData(std::int64_t step) const {
    return m_options.steps.empty() ? step : m_options.steps[static_cast<std::size_t>(step)];
  }
  /// `fromOthers`: as far as they read it.
  std::shared_ptr<volume::ShownVolume> makeVolume(const Variable& variable, std::int64_t step,
                                                  bool fromOthers);
  std::vector<float> depths(volume::ShownVolume& volume, const ShowRequest& request, double low, double high,
                            int columns, int rows, const std::stop_token& stop);

  const fields::OpenData& m_data;
  MemoryAccount& m_account;
  const Options m_options;
  std::shared_ptr<paging::PageCache> m_cache;
  std::shared_ptr<Variable> m_variable;  ///< also of what is loading
  InputClient* m_inputs = nullptr;
  double m_waitSeconds = 0;
};

}  // namespace farfield::remote
