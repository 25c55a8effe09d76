#include "app/lifelines/life_lines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>
#include <unordered_map>

#include "app/lifelines/column_sums.h"
#include "core/base/error.h"
#include "core/base/units.h"

namespace farfield::lifelines {
namespace {

constexpr std::size_t kMaxThreads = 4096, kMaxThreadLines = 64;
constexpr std::size_t kMaxNesting = 64;
constexpr std::size_t kMaxTaskMarks = 100'000;

using ThreadId = std::pair<std::int64_t, std::int64_t>;
/// Ids are unlike each other within a process only.
std::string taskId(const TraceEvent& event) {
  return std::to_string(event.process) + ' ' + event.id;
}

bool isTask(const TraceEvent& event) {
  return event.category == "tasks" && event.name == "task";
}
bool isWait(const TraceEvent& event) {
  return event.category == "tasks" && event.name == "wait";
}

struct KnownKind {
  std::string_view category, name, label;
};
constexpr std::array<KnownKind, 12> kKnownKinds{{
    {"tasks", "run", "computing"},
    {"paging", "decode", "checking and decoding pages"},
    {"tasks", "reap", "taking what was read"},
    {"read", "pread", "reading"},
    {"read", "box", "reading"},
    {"convert", "read window", "reading"},
    {"convert", "read coordinates again", "reading"},
    {"convert", "encode window", "encoding"},
    {"session", "draw", "drawing"},
    {"session", "object", "other work"},
    {"tasks", "pause", "waiting"},
    {"tasks", "idle", "idle"},
}};
/// Of rendering elsewhere (remote/slabs/tags.h), whose value is the step: those of even and of odd ones are told apart.
constexpr std::array<KnownKind, 7> kStepKinds{{
    {"slabd", "LOAD", "loading"},
    {"slabd", "RENDER", "rendering"},
    {"slabd", "LIGHT_SEND", "sending"},
    {"slabd", "HEAVY_SEND", "sending"},
    {"viewer", "FRAME", "awaiting a picture"},
    {"viewer", "LIGHTPAYLOAD", "receiving"},
    {"viewer", "HEAVYPAYLOAD", "receiving"},
}};
/// Those of the tables, and a few that these do not know; what else there is, is other work.
constexpr std::size_t kMaxKinds = 24;

class Kinds {
 public:
  Kinds() {
    for (const KnownKind& known : kKnownKinds) numberOf(known.label);
  }
  int of(const TraceEvent& event) {
    for (const KnownKind& known : kKnownKinds)
      if (known.category == event.category && known.name == event.name) return numberOf(known.label);
    for (const KnownKind& known : kStepKinds)
      if (known.category == event.category && known.name == event.name)
        return numberOf(std::string(known.label) + (std::fmod(event.value, 2) < 1 ? kEvenSteps : kOddSteps));
    return numberOf(event.category + ": " + event.name);
  }
  std::vector<Kind>& all() { return m_kinds; }
  const std::vector<Kind>& all() const { return m_kinds; }

 private:
  int numberOf(std::string_view label) {
    for (std::size_t n = 0; n < m_kinds.size(); ++n)
      if (m_kinds[n].label == label) return static_cast<int>(n);
    if (m_kinds.size() == kMaxKinds) return numberOf("other work");
    m_kinds.push_back({std::string(label), 0});
    return static_cast<int>(m_kinds.size()) - 1;
  }
  std::vector<Kind> m_kinds;
};

/// Tasks that live in some time, or as many of them, evenly chosen, as there is room for.
class TaskChoice {
 public:
  TaskChoice(double beginMicros, double endMicros) : m_begin(beginMicros), m_end(endMicros) {}
  void add(const TraceEvent& event) {
    if (!isTask(event) || event.micros >= m_end) return;
    if (event.phase == 'b' && m_begun++ % m_every == 0) m_tasks[taskId(event)] = event.micros;
    if (event.phase == 'e' && event.micros <= m_begin) m_tasks.erase(taskId(event));
    if (m_tasks.size() == kMost) thin();
  }
  /// The ids of `count` of them, evenly spread, in the order in which they begin.
  std::vector<std::string> choose(int count) const {
    const auto tasks = inOrder();
    std::vector<std::string> chosen;
    const std::size_t wanted = std::min<std::size_t>(tasks.size(), static_cast<std::size_t>(count));
    for (std::size_t n = 0; n < wanted; ++n) chosen.push_back(tasks[n * tasks.size() / wanted].second);
    return chosen;
  }

 private:
  static constexpr std::size_t kMost = 1 << 14;
  std::vector<std::pair<double, std::string>> inOrder() const {
    std::vector<std::pair<double, std::string>> tasks;
    for (const auto& [id, begin] : m_tasks) tasks.emplace_back(begin, id);
    std::sort(tasks.begin(), tasks.end());
    return tasks;
  }
  void thin() {
    const auto tasks = inOrder();
    for (std::size_t n = 1; n < tasks.size(); n += 2) m_tasks.erase(tasks[n].second);
    m_every *= 2;
  }
  double m_begin, m_end;
  std::unordered_map<std::string, double> m_tasks;  ///< their beginnings
  std::uint64_t m_begun = 0, m_every = 1;
};

/// What the first reading finds out.
struct Survey {
  double begin = std::numeric_limits<double>::infinity(), end = -begin;  ///< µs
  std::map<ThreadId, std::string> names;
  std::map<ThreadId, std::uint64_t> works;
  std::uint64_t tasks = 0, reads = 0, dropped = 0;

  void add(const TraceEvent& event) {
    const ThreadId thread{event.process, event.thread};
    if (event.phase == 'M') {
      if (event.name == "thread_name" && names.size() < kMaxThreads) names[thread] = event.givenName;
      if (event.name == "dropped_events") dropped += event.droppedCount;
      return;
    }
    if (std::string_view("BEbeiC").find(event.phase) == std::string_view::npos) return;
    begin = std::min(begin, event.micros);
    end = std::max(end, event.micros);
    if (event.phase == 'B' && (works.size() < kMaxThreads || works.contains(thread))) ++works[thread];
    if (event.phase == 'b' && isTask(event)) ++tasks;
    if ((event.phase == 'b' || event.phase == 'B') && event.category == "read") ++reads;
  }

  /// The busiest, in the order of their numbers.
  std::vector<ThreadId> lines() const {
    std::vector<std::pair<std::uint64_t, ThreadId>> busiest;
    for (const auto& [thread, count] : works) busiest.emplace_back(count, thread);
    std::sort(busiest.rbegin(), busiest.rend());
    if (busiest.size() > kMaxThreadLines) busiest.resize(kMaxThreadLines);
    std::vector<ThreadId> threads;
    for (const auto& [count, thread] : busiest) threads.push_back(thread);
    std::sort(threads.begin(), threads.end());
    return threads;
  }
};

/// What is shown, µs of the log's clock.
struct Span {
  double begin, end;
};

Span spanOf(const Survey& survey, const GatherOptions& options) {
  if (!(survey.end > survey.begin))
    throw Corrupt("holds no work", "name a file that farfield batchvis --trace wrote");
  Span span{survey.begin + 1e6 * options.from, survey.end};
  if (options.to) span.end = std::min(span.end, survey.begin + 1e6 * *options.to);
  if (!(span.begin >= survey.begin && span.end > span.begin))
    throw Invalid("nothing of the log lies between these times",
                  "it lasts " + formatSeconds((survey.end - survey.begin) * 1e-6));
  return span;
}

/// The works of a thread that have begun and not ended.
struct Nest {
  std::vector<int> kinds;
  double since = 0;  ///< µs; what went before is accounted for
};

class Gatherer {
 public:
  /// `tasks` are those whose lives are shown.
  Gatherer(const Survey& survey, const Span& span, int columns, const std::vector<std::string>& tasks)
      : m_survey(survey), m_ids(survey.lines()), m_begin(span.begin), m_end(span.end) {
    m_out.logSeconds = (survey.end - survey.begin) * 1e-6;
    m_out.begin = (m_begin - survey.begin) * 1e-6;
    m_out.end = (m_end - survey.begin) * 1e-6;
    m_out.columns = columns;
    m_tasks = m_waiting = m_reads = ColumnSums(m_begin, m_end, columns);
    m_time.assign(m_ids.size(), std::vector<ColumnSums>(kMaxKinds, m_tasks));
    m_nests.resize(m_ids.size());
    for (Nest& nest : m_nests) nest.since = m_begin;
    for (const std::string& id : tasks) m_chosen.emplace(id, m_chosen.size());
    m_marks.resize(m_chosen.size());
  }

  void add(const TraceEvent& event) {
    const double at = event.micros;
    const bool begins = event.phase == 'b' || event.phase == 'B';
    if (event.phase == 'b' || event.phase == 'e') {
      if (isTask(event)) m_tasks.step(at, begins ? 1 : -1);
      if (isWait(event)) m_waiting.step(at, begins ? 1 : -1);
      if (isTask(event) || isWait(event)) mark(event);
    }
    if (event.category == "read" && std::string_view("BEbe").find(event.phase) != std::string_view::npos)
      m_reads.step(at, begins ? 1 : -1);
    if (event.phase == 'B' || event.phase == 'E') work(event);
  }

  LifeLines take() {
    m_out.tasks = m_tasks.values();
    m_out.waiting = m_waiting.values();
    m_out.reads = m_reads.values();
    m_out.kinds = m_kinds.all();
    for (std::size_t n = 0; n < m_ids.size(); ++n) addThread(n);
    m_out.threadsLeftOut = static_cast<int>(m_survey.works.size() - m_ids.size());
    for (auto& marks : m_marks) m_out.someTasks.push_back(lineOf(marks));
    m_out.taskCount = m_survey.tasks;
    m_out.readCount = m_survey.reads;
    m_out.dropped = m_survey.dropped;
    return std::move(m_out);
  }

 private:
  struct Mark {
    double micros;
    char what;  ///< 'b', 'e' of the task; 'w', 'g' (goes on) of a wait
    bool operator<(const Mark& other) const { return micros < other.micros; }
  };

  void work(const TraceEvent& event) {
    const auto place = std::lower_bound(m_ids.begin(), m_ids.end(), ThreadId{event.process, event.thread});
    if (place == m_ids.end() || *place != ThreadId{event.process, event.thread}) return;
    const auto thread = static_cast<std::size_t>(place - m_ids.begin());
    Nest& nest = m_nests[thread];
    const double at = std::clamp(event.micros, nest.since, std::max(nest.since, m_end));
    if (!nest.kinds.empty()) {
      const auto kind = static_cast<std::size_t>(nest.kinds.back());
      m_time[thread][kind].add(nest.since, at);
      m_kinds.all()[kind].seconds += (at - nest.since) * 1e-6;
    }
    nest.since = at;
    if (event.phase == 'E') {
      if (!nest.kinds.empty()) nest.kinds.pop_back();
    } else if (nest.kinds.size() < kMaxNesting) {
      nest.kinds.push_back(m_kinds.of(event));
    } else {
      throw Corrupt("works are nested too deeply for an event log");
    }
  }

  void mark(const TraceEvent& event) {
    const auto chosen = m_chosen.find(taskId(event));
    if (chosen == m_chosen.end() || m_markCount == kMaxTaskMarks) return;
    const bool begins = event.phase == 'b';
    m_marks[chosen->second].push_back(
        {event.micros, isTask(event) ? (begins ? 'b' : 'e') : (begins ? 'w' : 'g')});
    ++m_markCount;
  }

  void addThread(std::size_t n) {
    ThreadLine line;
    const auto name = m_survey.names.find(m_ids[n]);
    line.name = name != m_survey.names.end() && !name->second.empty()
                    ? name->second
                    : "thread " + std::to_string(m_ids[n].second);
    bool any = false;
    for (std::size_t kind = 0; kind < m_out.kinds.size(); ++kind) {
      const std::vector<float> shares = m_time[n][kind].values();
      any = any || std::any_of(shares.begin(), shares.end(), [](float share) { return share > 0; });
      line.shares.insert(line.shares.end(), shares.begin(), shares.end());
    }
    if (any) m_out.threads.push_back(std::move(line));
  }

  TaskLine lineOf(std::vector<Mark>& marks) const {
    // A thread's events are in order; a task may have gone from one thread to another.
    std::stable_sort(marks.begin(), marks.end());
    const auto seconds = [&](const Mark& mark) { return (mark.micros - m_survey.begin) * 1e-6; };
    TaskLine line;
    line.end = m_out.logSeconds;
    double waitsSince = -1;  // negative: does not wait
    for (const Mark& mark : marks) {
      const double at = seconds(mark);
      if (mark.what == 'b') line.begin = at;
      if (mark.what == 'e') line.end = at;
      if (mark.what == 'w') waitsSince = at;
      if (mark.what != 'g' || waitsSince < 0) continue;
      line.waits.emplace_back(waitsSince, at);
      waitsSince = -1;
    }
    if (waitsSince >= 0) line.waits.emplace_back(waitsSince, line.end);
    return line;
  }

  const Survey& m_survey;
  std::vector<ThreadId> m_ids;  ///< of the lines, ascending
  double m_begin, m_end;        ///< µs of the log's clock
  LifeLines m_out;
  Kinds m_kinds;
  ColumnSums m_tasks, m_waiting, m_reads;
  std::vector<std::vector<ColumnSums>> m_time;  ///< per thread and kind
  std::vector<Nest> m_nests;
  std::unordered_map<std::string, std::size_t> m_chosen;
  std::vector<std::vector<Mark>> m_marks;
  std::size_t m_markCount = 0;
};

}  // namespace

LifeLines gatherLifeLines(const TraceSet& traces, const GatherOptions& options, const std::stop_token& stop,
                          const ReadProgress& progress) {
  constexpr std::uint64_t kReadings = 3;
  std::uint64_t reading = 0;
  const auto readAll = [&](auto& reader) {
    const auto soFar = [&](std::uint64_t done, std::uint64_t total) {
      progress(reading * total + done, kReadings * total);
    };
    traces.read(stop, soFar, [&](const TraceEvent& event) { reader.add(event); });
    ++reading;
  };
  Survey survey;
  readAll(survey);
  try {
    const Span span = spanOf(survey, options);
    TaskChoice choice(span.begin, span.end);
    readAll(choice);
    Gatherer gatherer(survey, span, options.columns, choice.choose(options.tasks));
    readAll(gatherer);
    return gatherer.take();
  } catch (Error& error) {
    if (error.place().empty()) error.at(traces.name());
    throw;
  }
}

}  // namespace farfield::lifelines
