#include "app/lifelines/trace_set.h"

#include <map>
#include <optional>

#include "core/base/error.h"

namespace farfield::lifelines {
namespace {

/// Marks in a log: its beginning was so many microseconds after that of the first log, or before it.
constexpr const char *kClock = "clock", *kBegunAfter = "BEGUN_AFTER", *kBegunBefore = "BEGUN_BEFORE";

std::optional<double> begunAfter(const TraceEvent& event) {
  if (event.phase != 'i' || event.category != kClock) return std::nullopt;
  if (event.name == kBegunAfter) return event.value;
  if (event.name == kBegunBefore) return -event.value;
  return std::nullopt;
}

}  // namespace

TraceSet::TraceSet(std::vector<std::filesystem::path> paths, const std::stop_token& stop) {
  for (std::filesystem::path& path : paths) m_logs.push_back({std::move(path), 0, {}});
  if (m_logs.size() < 2) return;
  struct Enough {};
  for (Log& log : m_logs) {
    std::optional<double> found;
    const bool isFirst = &log == &m_logs.front();
    try {
      readTrace(
          log.path, stop, [](std::uint64_t, std::uint64_t) {},
          [&](const TraceEvent& event) {
            if (log.process.empty() && event.name == "thread_name") log.process = event.givenName;
            if (const auto after = begunAfter(event)) found = after;
            if (!log.process.empty() && (found || isFirst)) throw Enough();
          });
    } catch (const Enough&) {
    }
    if (!found && !isFirst)
      throw Invalid("does not say how its clock goes beside that of " + m_logs.front().path.string(),
                    "name the logs of one run of farfield-slabd, the first rank's first")
          .at("file " + log.path.string());
    log.ahead = found.value_or(0);
  }
}

void TraceSet::read(const std::stop_token& stop, const ReadProgress& progress,
                    const std::function<void(const TraceEvent&)>& visit) const {
  if (m_logs.size() == 1) return readTrace(m_logs.front().path, stop, progress, visit);
  const auto count = static_cast<std::uint64_t>(m_logs.size());
  for (std::uint64_t n = 0; n < count; ++n) {
    const Log& log = m_logs[n];
    // what goes on under one name on threads one after the other is one line
    std::map<std::string, std::int64_t> named;
    std::map<std::int64_t, std::int64_t> same;
    readTrace(
        log.path, stop,
        [&](std::uint64_t done, std::uint64_t total) { progress(n * total + done, count * total); },
        [&](const TraceEvent& event) {
          TraceEvent moved = event;
          moved.process = static_cast<std::int64_t>(n) + 1;
          if (event.phase != 'M') moved.micros += log.ahead;
          if (!moved.givenName.empty() && moved.name == "thread_name" && moved.givenName != log.process)
            moved.givenName = log.process + " " + moved.givenName;
          if (event.name == "thread_name")
            same[event.thread] = named.try_emplace(event.givenName, event.thread).first->second;
          if (const auto known = same.find(event.thread); known != same.end()) moved.thread = known->second;
          visit(moved);
        });
  }
}

std::string TraceSet::name() const {
  return "file " + m_logs.front().path.string();
}

}  // namespace farfield::lifelines
