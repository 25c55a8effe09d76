#include "core/session/results/bound_by.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/base/units.h"

namespace farfield::session {
namespace {

/// shorter runs measure start-up and chance
constexpr double kTooShortSeconds = 0.02;
constexpr double kBusy = 0.8;
constexpr double kMost = 0.5;

std::string percent(double share) {
  return std::to_string(static_cast<int>(std::lround(100 * std::clamp(share, 0.0, 1.0)))) + " %";
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

/// What would let more reads be on their way.
std::string moreTasks(const RunMeasures& run) {
  if (run.tasksAllowed >= run.tasksAsked)
    return "more tasks at a time (--workers, or more lines) would help.";
  return "a larger --memory than " + formatBytes(run.budgetBytes) + ", which allows " +
         std::to_string(run.tasksAllowed) + " tasks at a time, would help.";
}

}  // namespace

BoundBy judge(const RunMeasures& run) {
  if (run.wallSeconds < kTooShortSeconds)
    return {"nothing", "The run was too short to tell what it was bound by."};
  const double busy = run.cpuSeconds / (run.wallSeconds * run.processors);
  const double decoding = run.cpuSeconds > 0 ? run.decodeSeconds / run.cpuSeconds : 0;
  const auto pages = static_cast<double>(std::max<std::uint64_t>(1, run.pagesRead));
  // What is read again without having been evicted was given up for another reason, as of data that were opened anew.
  const double again = std::min(1 - static_cast<double>(run.distinctPages) / pages,
                                static_cast<double>(run.evictions) / pages);
  const double latency = run.readSeconds / pages;
  const double chain = static_cast<double>(run.longestMissChain) * latency;
  const double onTheirWay = run.readSeconds / run.wallSeconds;
  const bool isRemote = 2 * run.remoteBytes > run.bytesRead;

  if (run.pagesRead > 0 && again > kMost && (busy <= kBusy || decoding > kMost))
    return {"budget", "Bound by the budget: " + percent(again) +
                          " of the pages read had been read and evicted before; a larger --memory than " +
                          formatBytes(run.budgetBytes) + " would help."};
  if (busy > kBusy && decoding > kMost)
    return {"decode",
            "Bound by decoding: the processors were busy " + percent(busy) + " of the time, " +
                percent(decoding) +
                " of it decoding pages; more --processors, or a store with --codec lz4, would help."};
  if (busy > kBusy)
    return {"compute", "Bound by computing: the processors were busy " + percent(busy) +
                           " of the time; more --processors would help, a faster " +
                           (isRemote ? "link" : "disk") + " would not."};
  if (run.pagesRead == 0)
    return {"nothing", "Bound by nothing in particular: the processors were busy " + percent(busy) +
                           " of the time, and nothing was read."};
  if (onTheirWay < kMost && chain < kMost * run.wallSeconds)
    return {"compute",
            "Bound by computing: hardly any read was on its way, and the processors were busy " +
                percent(busy) +
                " of the time; the rest went to other programs, or there was too little to do at a "
                "time for all processors."};
  if (chain > kMost * run.wallSeconds)
    return {"latency", "Bound by latency: one task waited " + std::to_string(run.longestMissChain) +
                           " times in a row for reads of " + formatSeconds(latency) +
                           "; data nearer by, or larger pages, would help."};
  const std::string rate =
      formatBytes(static_cast<std::uint64_t>(static_cast<double>(run.bytesRead) / run.wallSeconds)) + "/s";
  if (onTheirWay > kMost * run.readers && isRemote)
    return {"link", "Bound by the link: " + number(onTheirWay) +
                        " pages were on their way from other machines on average, at " + rate +
                        "; a faster link, or a second server with a copy, would help."};
  if (onTheirWay > kMost * run.readers)
    return {"disk", "Bound by the disk: " + number(std::min<double>(onTheirWay, run.readers)) + " of " +
                        std::to_string(run.readers) + " reads were on their way on average, at " + rate +
                        "; a faster disk, or more --readers where it has room for them, would help."};
  return {"latency", "Bound by latency: only " + number(onTheirWay) +
                         " reads were on their way on average, each " + formatSeconds(latency) + "; " +
                         moreTasks(run)};
}

}  // namespace farfield::session
