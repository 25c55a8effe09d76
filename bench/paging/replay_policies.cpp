#include "bench/paging/replay_policies.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "bench/paging/own_traces.h"
#include "bench/policies/trace_file.h"

namespace farfield::bench {
namespace {

/// Capacities, as parts of the bytes of all pages that a trace asks for.
constexpr double kShares[] = {0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7};

/// The geometric mean of ratios.
class MeanRatio {
 public:
  void add(double ratio) {
    m_logarithms += std::log(ratio);
    ++m_count;
  }
  double value() const { return m_count ? std::exp(m_logarithms / m_count) : 1; }

 private:
  double m_logarithms = 0;
  int m_count = 0;
};

bool ofOneSize(const ReplayTrace& trace) {
  return std::all_of(trace.pageBytes.begin(), trace.pageBytes.end(),
                     [&](std::uint64_t bytes) { return bytes == trace.pageBytes.front(); });
}

Json compareAt(const ReplayTrace& trace, double share, std::map<std::string, MeanRatio>& means) {
  const auto capacity = static_cast<std::uint64_t>(share * static_cast<double>(trace.distinctBytes()));
  Json row = {{"trace", trace.name},
              {"requests", trace.requests.size()},
              {"pages", trace.pageBytes.size()},
              {"bytes", trace.distinctBytes()},
              {"pagesOfOneSize", ofOneSize(trace)},
              {"capacityShare", share},
              {"capacityBytes", capacity}};
  std::map<std::string, double> read;
  for (const char* name : replacementNames()) {
    const ReplayResult result = replay(trace, capacity, *makeReplacement(name, trace, capacity));
    row["hitRatio"][name] = result.hitRatio();
    read[name] = static_cast<double>(result.bytesRead);
  }
  for (const char* name : replacementNames()) {
    const double ratio = read.at(name) / read.at("optimum");
    row["readOverOptimum"][name] = ratio;
    means[name].add(ratio);
  }
  return row;
}

}  // namespace

Json runPolicies(const Request& request) {
  std::vector<TraceMaker> makers;
  for (const auto& file : request.files)
    makers.push_back({file.filename().string(), [file] { return loadTrace(file); }});
  if (makers.empty()) makers = ownTraces(request);
  Json out = {{"results", Json::array()}};
  std::map<std::string, MeanRatio> means;
  for (const TraceMaker& maker : makers) {
    request.say("policies: " + maker.name);
    const ReplayTrace trace = maker.make();
    if (trace.requests.empty()) continue;
    for (const double share : kShares) {
      request.throwIfStopped();
      out["results"].push_back(compareAt(trace, share, means));
    }
  }
  for (const char* name : replacementNames()) out["meanReadOverOptimum"][name] = means[name].value();
  return out;
}

}  // namespace farfield::bench
