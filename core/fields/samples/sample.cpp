#include "core/fields/samples/sample.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/base/error.h"
#include "core/base/units.h"
#include "core/fields/samples/formulas.h"
#include "core/fields/samples/sample_parts.h"
#include "core/paging/pages/role_names.h"

namespace farfield::samples {
namespace {

constexpr std::int64_t kMostNodesPerAxis = std::int64_t{1} << 24;
constexpr int kMostBlocks = 1 << 16, kMostSteps = 1 << 16;

Bounds boxOf(Vec3 min, Vec3 max) {
  Bounds bounds;
  bounds.add(min);
  bounds.add(max);
  return bounds;
}

/// Fills in defaults and refuses impossible options.
SampleOptions checked(const Sample& sample, SampleOptions options) {
  if (options.size == Index3{0, 0, 0}) options.size = sample.defaultSize;
  if (options.blocks == 0) options.blocks = sample.defaultBlocks;
  for (const std::int64_t n : options.size) {
    if (n < 2 || n > kMostNodesPerAxis) {
      throw Invalid(std::to_string(n) + " nodes along an axis make no grid", "give 2 to 2^24 along each axis")
          .at("size");
    }
  }
  if (options.blocks < 1 || options.blocks > kMostBlocks) {
    throw Invalid(std::to_string(options.blocks) + " is not a number of blocks", "give 1 to 65536")
        .at("blocks");
  }
  if (options.steps < 1 || options.steps > kMostSteps) {
    throw Invalid(std::to_string(options.steps) + " is not a number of steps", "give 1 to 65536").at("steps");
  }
  if (options.pageEdge < 1) throw Invalid("a page edge is at least 1").at("edge");
  // the bytes of the largest array over all steps must be a possible file size
  const double values = static_cast<double>(options.size[0]) * static_cast<double>(options.size[1]) *
                        static_cast<double>(options.size[2]) * options.steps;
  if (values > 0x1p55) throw Invalid("more data than any file can hold", "give a smaller size").at("size");
  const bool real = options.type == ScalarType::F32 || options.type == ScalarType::F64;
  const bool whole = !real && options.type != ScalarType::I32;
  if (!real && (sample.hasVelocity || !whole)) {
    throw Invalid("the sample does not come in type " + std::string(nameOf(options.type)),
                  sample.hasVelocity ? "use f32 or f64" : "use f32, f64, u8, i8, u16 or i16")
        .at("type");
  }
  if (options.curvilinear && !sample.hasVelocity) {
    throw Invalid("the sample has no flow, so it does not come as curvilinear data", "leave the option out")
        .at("curvilinear");
  }
  return options;
}

}  // namespace

const std::vector<Sample>& samples() {
  static const std::vector<Sample> all{
      {"tornado", "A whirl that winds upwards over the ground", {64, 64, 64}, 1, 0.1},
      {"abc", "Arnold-Beltrami-Childress flow: chaotic streamlines", {65, 65, 65}, 1, 0.1},
      {"taylor-green", "Taylor-Green vortices, decaying", {65, 65, 33}, 1, 0.2},
      {"cylinder",
       "Flow around a cylinder on an O-grid of overlapping blocks",
       {35, 49, 17},
       4,
       0.25,
       true,
       true},
      {"marschner-lobb", "Marschner and Lobb's test signal", {64, 64, 64}, 1, 0, false},
      {"turbulence", "Fourier modes of many sizes, free of divergence", {64, 64, 64}, 1, 0.05},
  };
  return all;
}

const Sample& sampleNamed(const std::string& name) {
  std::string list;
  for (const Sample& sample : samples()) {
    if (sample.name == name) return sample;
    list += (list.empty() ? "" : ", ") + sample.name;
  }
  throw NotFound("there is no sample '" + name + "'", "use one of: " + list);
}

std::unique_ptr<paging::BoxReader> makeSample(const std::string& name, const SampleOptions& options) {
  const Sample& sample = sampleNamed(name);
  try {
    const SampleOptions full = checked(sample, options);
    return sample.alwaysCurvilinear ? detail::makeCylinderSample(sample, full)
                                    : detail::makeBoxSample(sample, full);
  } catch (Error& error) {
    error.at("sample " + name);
    throw;
  }
}

Vec3 exactVelocity(const std::string& name, Vec3 point, double time) {
  const detail::Formulas formulas = detail::formulasOf(sampleNamed(name).name);
  if (!formulas.flowAt) throw Invalid("the sample has no velocity").at("sample " + name);
  return formulas.flowAt(time)(point);
}

double exactScalar(const std::string& name, const std::string& variable, Vec3 point, double time) {
  const detail::Formulas formulas = detail::formulasOf(sampleNamed(name).name);
  if (variable == "pressure" && formulas.pressure) return formulas.pressure(point, time);
  if (variable == "density" && formulas.density) return formulas.density(point);
  throw NotFound("there is no '" + variable + "' in it").at("sample " + name);
}

namespace detail {
namespace {
template <class Flow>
std::function<Vec3(Vec3)> flowAt(double time) {
  return [time](Vec3 point) { return Flow::velocity(point, time); };
}
}  // namespace

Formulas formulasOf(const std::string& name) {
  constexpr double kTwoPi = 2 * std::numbers::pi;
  const Bounds periodic = boxOf({0, 0, 0}, {kTwoPi, kTwoPi, kTwoPi});
  if (name == "tornado") return {flowAt<Tornado>, Tornado::pressure, nullptr, boxOf({-1, -1, 0}, {1, 1, 2})};
  if (name == "abc") return {flowAt<Abc>, Abc::pressure, nullptr, periodic};
  if (name == "taylor-green") return {flowAt<TaylorGreen>, TaylorGreen::pressure, nullptr, periodic};
  if (name == "cylinder") return {flowAt<Cylinder>, Cylinder::pressure, nullptr, {}};
  if (name == "turbulence")
    return {[](double t) { return std::function<Vec3(Vec3)>(Turbulence(t)); }, nullptr, nullptr, periodic};
  return {nullptr, nullptr, marschnerLobb, boxOf({-1, -1, -1}, {1, 1, 1})};
}

Bounds storedBounds(const Bounds& exact, ScalarType type) {
  if (type != ScalarType::F32) return exact;
  Bounds stored;
  for (const Vec3& corner : {exact.min, exact.max})
    stored.add(
        Vec3{static_cast<float>(corner.x), static_cast<float>(corner.y), static_cast<float>(corner.z)});
  return stored;
}

paging::DatasetDescription emptyDescription(const Sample& sample, const SampleOptions& options,
                                            bool conserved) {
  paging::DatasetDescription description;
  description.format = "sample";
  description.pageEdge = options.pageEdge;
  description.attributes = {{"source", "sample://" + sample.name}};
  if (conserved) {
    description.attributes["gamma"] = formatNumber(kGamma);
    description.attributes["R"] = "1";
  }
  for (int step = 0; step < options.steps; ++step) {
    const double time = step * (sample.timeStep > 0 ? sample.timeStep : 1.0);
    description.times.push_back(time);
    if (!conserved) continue;
    const std::string number = "." + std::to_string(step);
    description.attributes["mach" + number] = formatNumber(kMach);
    description.attributes["alpha" + number] = "0";
    description.attributes["reynolds" + number] = "0";
    description.attributes["time" + number] = formatNumber(time);
  }
  return description;
}

paging::ArrayDescription arrayOf(const SampleOptions& options, int block, const Index3& dims,
                                 const std::string& name, std::vector<std::string> componentNames,
                                 ScalarType type, std::int64_t steps) {
  paging::ArrayDescription array;
  array.name = name;
  array.block = block;
  array.layout = paging::PageLayout::even(dims, options.pageEdge);
  array.steps = steps;
  array.components = std::max(1, static_cast<int>(componentNames.size()));
  array.type = type;
  array.componentNames = std::move(componentNames);
  return array;
}

void addConservedArrays(paging::DatasetDescription& description, const SampleOptions& options, int block,
                        const Index3& dims, std::int64_t steps) {
  description.arrays.push_back(
      arrayOf(options, block, dims, paging::kCoordinatesName, {"x", "y", "z"}, options.type, 1));
  description.arrays.back().role = paging::ArrayRole::Coordinates;
  description.arrays.push_back(arrayOf(options, block, dims, "q",
                                       {"density", "momentum-x", "momentum-y", "momentum-z", "energy"},
                                       options.type, steps));
}

void checkRead(const paging::DatasetDescription& description, std::uint32_t array, std::int64_t step,
               const IndexBox& box, std::size_t bytes) {
  const auto require = [](bool good, const char* what) {
    if (!good) throw Invalid(what).at("reading a sample");
  };
  require(array < description.arrays.size(), "there is no array of that number");
  const paging::ArrayDescription& asked = description.arrays[array];
  require(step >= 0 && step < asked.steps, "there is no such step");
  for (std::size_t a = 0; a < 3; ++a) {
    const std::int64_t nodes = asked.layout.dims()[a];
    require(
        box.first[a] >= 0 && box.size[a] >= 0 && box.size[a] <= nodes && box.first[a] <= nodes - box.size[a],
        "the box is not inside the block");
  }
  require(bytes == static_cast<std::size_t>(product(box.size) * asked.nodeBytes()),
          "the memory is not of the size of the box");
}

void conserved(Vec3 velocity, double pressure, double (&values)[5]) {
  values[0] = 1;
  for (int a = 0; a < 3; ++a) values[1 + a] = velocity[a];
  values[4] = pressure / (kGamma - 1) + 0.5 * dot(velocity, velocity);
}

void Output::put(double value) {
  const auto write = [this](auto number) {
    std::memcpy(m_at, &number, sizeof number);
    m_at += sizeof number;
  };
  switch (m_type) {
    case ScalarType::F32:
      return write(static_cast<float>(value));
    case ScalarType::F64:
      return write(value);
    case ScalarType::U8:
      return write(static_cast<std::uint8_t>(std::lround(255 * value)));
    case ScalarType::I8:
      return write(static_cast<std::int8_t>(std::lround(127 * value)));
    case ScalarType::U16:
      return write(static_cast<std::uint16_t>(std::lround(65535 * value)));
    case ScalarType::I16:
      return write(static_cast<std::int16_t>(std::lround(32767 * value)));
    case ScalarType::I32:
      return write(static_cast<std::int32_t>(value));
  }
}

void Output::putNumber(std::int16_t number) {
  std::memcpy(m_at, &number, sizeof number);
  m_at += sizeof number;
}

}  // namespace detail
}  // namespace farfield::samples
