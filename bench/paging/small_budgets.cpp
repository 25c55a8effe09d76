#include "bench/paging/small_budgets.h"

#include <algorithm>

#include "bench/shared/line_job.h"
#include "bench/shared/store_set.h"
#include "core/fields/samples/sample.h"

namespace farfield::bench {
namespace {

/// Of the decoded bytes of the pages that the lines touch: with 2.3 GB of data and 200 seeds in them about 100 and 40 MB.
constexpr double kShares[] = {0.3, 0.12};
/// With it the smallest data can be looked at.
constexpr std::uint64_t kLeastBudget = std::uint64_t{1} << 20;
constexpr std::chrono::milliseconds kLatencies[] = {std::chrono::milliseconds(0),
                                                    std::chrono::milliseconds(5)};

samples::SampleOptions sampleOf(const Request& request) {
  samples::SampleOptions options;
  options.blocks = 5;
  options.size = {request.choose<std::int64_t>(17, 121, 161, 321),
                  request.choose<std::int64_t>(17, 81, 105, 209),
                  request.choose<std::int64_t>(17, 81, 109, 217)};
  return options;
}

LineJob jobIn(const Bounds& bounds, const Request& request) {
  LineJob job;
  job.seeds =
      flow::boxSeeds({-6, -6, 0.3}, {6, 6, 3.7},
                     {request.choose<std::int64_t>(2, 10, 10, 10), request.choose<std::int64_t>(2, 5, 5, 5),
                      request.choose<std::int64_t>(1, 4, 4, 4)});
  job.options.maxLength = 2 * bounds.diagonal();
  return job;
}

/// `unlimited`: the run of the same device without a limit, or nothing where this is it.
Json row(const PagedLineRun& run, const Device& device, std::uint64_t budget, const PagedLineRun* unlimited) {
  Json out{{"latencyMs", std::chrono::duration<double, std::milli>(device.latency).count()},
           {"budgetBytes", budget},
           {"reads", run.source.reads},
           {"bytesRead", run.source.bytesRead},
           {"decodedBytes", run.cache.decodedBytes},
           {"wallSeconds", run.lines.wallSeconds},
           {"cpuSeconds", run.lines.cpuSeconds},
           {"mostTasksInFlight", run.lines.mostInFlight}};
  if (unlimited != nullptr) {
    out["bytesOfUnlimited"] =
        static_cast<double>(run.source.bytesRead) / static_cast<double>(unlimited->source.bytesRead);
    out["wallOfUnlimited"] = run.lines.wallSeconds / unlimited->lines.wallSeconds;
    out["bitIdentical"] = run.lines.hashes == unlimited->lines.hashes;
  }
  return out;
}

}  // namespace

Json runSmallBudgets(const Request& request) {
  const auto data = samples::makeSample("cylinder", sampleOf(request));
  StoreSet stores(request, *data);
  request.say("budgets: making the data");
  StoreImage& image = stores.image(16, paging::Codec::Zstd);
  const LineJob job = jobIn(boundsOf(data->description()), request);
  fields::PagedDataOptions options;
  options.processors = request.processors;

  Json results = Json::array();
  for (const std::chrono::milliseconds latency : kLatencies) {
    image.setDevice({"latency", latency, 0, 0});
    const auto under = [&](std::uint64_t budget) {
      request.throwIfStopped();
      request.say("budgets: " + std::to_string(latency.count()) + " ms, " + std::to_string(budget >> 20) +
                  " MB");
      MemoryAccount account(budget);
      return tracePaged(image, account, options, job, request.stop);
    };
    const std::uint64_t all = std::uint64_t{1} << 36;
    const PagedLineRun unlimited = under(all);
    results.push_back(row(unlimited, image.device(), all, nullptr));
    for (const double share : kShares) {
      const auto budget =
          std::max(kLeastBudget,
                   static_cast<std::uint64_t>(share * static_cast<double>(unlimited.cache.decodedBytes)));
      results.push_back(row(under(budget), image.device(), budget, &unlimited));
    }
  }
  Json out;
  out["what"] =
      "streamlines under budgets of 0.3 and 0.12 of the pages that they touch, on a device that answers at "
      "once and on one that "
      "takes 5 ms; limit: each page read once, as without a limit of memory";
  out["lines"] = 2 * job.seeds->count();
  out["results"] = std::move(results);
  return out;
}

}  // namespace farfield::bench
