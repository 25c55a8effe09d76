#include "core/session/results/stats.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

#include "core/base/file.h"
#include "core/session/json/json_document.h"

namespace farfield::session {

using detail::Json;

namespace {

/// The most that this program has had resident, in bytes; 0 if the system does not say. getrusage() goes on counting from what the
/// process that started it had resident.
std::uint64_t peakRssBytes() {
  std::ifstream status("/proc/self/status");
  const std::string key = "VmHWM:";
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(key)) return std::strtoull(line.c_str() + key.size(), nullptr, 10) * 1024;
  return 0;
}

}  // namespace

void measureProcess(RunStats& stats) {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  stats.cpuSeconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  const std::uint64_t peak = peakRssBytes();
  stats.peakRssBytes = peak > 0 ? peak : static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

std::uint64_t currentRssBytes() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t all = 0, resident = 0;
  if (!(statm >> all >> resident)) return 0;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

const StatsValue* ObjectStats::find(const std::string& key) const {
  const auto found =
      std::find_if(more.begin(), more.end(), [&](const auto& each) { return each.first == key; });
  return found == more.end() ? nullptr : &found->second;
}

void ObjectStats::set(const std::string& key, StatsValue value) {
  const auto found =
      std::find_if(more.begin(), more.end(), [&](const auto& each) { return each.first == key; });
  if (found != more.end())
    found->second = std::move(value);
  else
    more.emplace_back(key, std::move(value));
}

std::string toJson(const RunStats& stats) {
  const PagingStats& p = stats.paging;
  Json out = {{"wallSeconds", stats.wallSeconds},
              {"cpuSeconds", stats.cpuSeconds},
              {"peakRssBytes", stats.peakRssBytes},
              {"steps", stats.steps},
              {"stepsLeftOut", stats.stepsLeftOut},
              {"boundBy", stats.boundBy.what},
              {"boundByText", stats.boundBy.sentence},
              {"paging",
               {{"budgetBytes", p.budgetBytes},
                {"peakBytes", p.peakBytes},
                {"requests", p.requests},
                {"hits", p.hits},
                {"misses", p.misses},
                {"reads", p.reads},
                {"bytesRead", p.bytesRead},
                {"prefetches", p.prefetches},
                {"prefetchesUsed", p.prefetchesUsed},
                {"evictions", p.evictions},
                {"longestMissChain", p.longestMissChain}}},
              {"objects", Json::array()}};
  Json& sources = out["paging"]["sources"] = Json::array();
  for (const SourceStats& source : p.sources)
    sources.push_back({{"name", source.name},
                       {"reads", source.reads},
                       {"bytesRead", source.bytesRead},
                       {"roundTripMs", source.roundTripMs},
                       {"mbPerSecond", source.mbPerSecond},
                       {"reconnects", source.reconnects}});
  for (const ObjectStats& object : stats.objects) {
    out["objects"].push_back({{"name", object.name},
                              {"type", object.type},
                              {"count", object.count},
                              {"points", object.points},
                              {"seconds", object.seconds},
                              {"cpuSeconds", object.cpuSeconds},
                              {"mostTasksInFlight", object.mostTasksInFlight},
                              {"terminations", object.terminations}});
    for (const auto& [key, value] : object.more)
      std::visit([&out, &name = key](const auto& its) { out["objects"].back()[name] = its; }, value);
  }
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void writeStats(const std::filesystem::path& path, const RunStats& stats) {
  NewFile file(path);
  file.write(toJson(stats));
  file.commit();
}

}  // namespace farfield::session
