#include "render/opencl/lines/line_tracer.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "render/opencl/lines/line_rounds.h"

namespace farfield::opencl {
namespace {

constexpr const char* kInstead = "the processors trace the lines";

/// Why processors are to do it; empty where a device can.
std::string reasonAgainst(const flow::LineJob& job) {
  if (job.options.method != flow::Method::Dopri5) return "OpenCL takes the steps of dopri5 alone";
  if (job.turns) return "OpenCL does not tell how far ribbons turn";
  const auto& blocks = job.data.description().blocks;
  if (std::any_of(blocks.begin(), blocks.end(), [](const auto& block) {
        return std::min({block.dims[0], block.dims[1], block.dims[2]}) < 2;
      }))
    return "OpenCL takes no blocks of one plane of nodes";
  return {};
}

}  // namespace

flow::LineEngine lineEngine(std::shared_ptr<OpenCl> openCl) {
  return [openCl = std::move(openCl)](const flow::LineJob& job) -> std::optional<flow::LineCounts> {
    if (job.count == 0) return std::nullopt;
    if (const std::string reason = reasonAgainst(job); !reason.empty()) {
      openCl->tell(reason + "; " + kInstead);
      return std::nullopt;
    }
    try {
      const std::optional<OpenCl::Use> use = openCl->use(job.account);
      if (!use) return std::nullopt;
      if (use->doubles) return LineRounds<double>(*use, job).run();
      return LineRounds<float>(*use, job).run();
    } catch (const volume::DeviceFailed& error) {
      openCl->failed(error, kInstead);
    } catch (const OverBudget& error) {
      openCl->failed(error, kInstead);
    }
    return std::nullopt;
  };
}

}  // namespace farfield::opencl
