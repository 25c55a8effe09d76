#include "core/trace/chrome_json.h"

#include <bit>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <string>
#include <string_view>

#include "core/base/file.h"
#include "core/trace/trace.h"

namespace farfield::trace::detail {
namespace {

std::string jsonString(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      out += escape;
    } else {
      out += c;
    }
  }
  return out += '"';
}

class Writer {
 public:
  explicit Writer(const std::filesystem::path& path) : m_file(path) {
    m_file.write(kFileHead);
    line("{\"ph\":\"M\",\"pid\":1,\"tid\":0,\"name\":\"process_name\",\"args\":{\"name\":\"farfield\"}}");
  }

  void write(const ThreadLog& log) {
    const std::string thread = ",\"pid\":1,\"tid\":" + std::to_string(log.number());
    const std::string name =
        log.threadName().empty() ? "thread " + std::to_string(log.number()) : log.threadName();
    line("{\"ph\":\"M\"" + thread + ",\"name\":\"thread_name\",\"args\":{\"name\":" + jsonString(name) +
         "}}");
    line("{\"ph\":\"M\"" + thread +
         ",\"name\":\"dropped_events\",\"args\":{\"count\":" + std::to_string(log.dropped()) + "}}");
    m_dropped += log.dropped();

    std::vector<Event> open;
    std::uint64_t last = 0;
    log.forEach([&](const Event& event) {
      last = event.nanoseconds();
      if (event.phase() == 'B') open.push_back(event);
      if (event.phase() == 'E') {
        if (open.empty()) return;
        open.pop_back();
      }
      write(event, event.phase(), last, thread);
    });
    for (; !open.empty(); open.pop_back()) write(open.back(), 'E', last, thread);
  }

  void commit() {
    m_file.write("\n],\"otherData\":{\"droppedEvents\":" + std::to_string(m_dropped) + "}}\n");
    m_file.commit();
  }

 private:
  void write(const Event& event, char phase, std::uint64_t nanoseconds, const std::string& thread) {
    char head[64];
    std::snprintf(head, sizeof head, "{\"ph\":\"%c\",\"ts\":%" PRIu64 ".%03d", phase, nanoseconds / 1000,
                  static_cast<int>(nanoseconds % 1000));
    std::string text =
        head + thread + ",\"cat\":" + jsonString(event.category) + ",\"name\":" + jsonString(event.name);
    char number[64];
    switch (phase) {
      case 'i':
        text += ",\"s\":\"t\"";
        [[fallthrough]];
      case 'B':
        text += ",\"args\":{\"value\":" + std::to_string(event.value) + '}';
        break;
      case 'C': {
        const double value = std::bit_cast<double>(event.value);
        if (!std::isfinite(value)) return;  // JSON has no such number
        std::snprintf(number, sizeof number, ",\"args\":{\"value\":%.17g}", value);
        text += number;
        break;
      }
      case 'b':
      case 'e':
        std::snprintf(number, sizeof number, ",\"id\":\"0x%" PRIx64 "\"", event.value);
        text += number;
        break;
      default:
        break;
    }
    line(text + '}');
  }

  void line(const std::string& text) {
    m_file.write(m_first ? "\n" : ",\n");
    m_first = false;
    m_file.write(text);
  }

  NewFile m_file;
  bool m_first = true;
  std::uint64_t m_dropped = 0;
};

}  // namespace

void writeChromeJson(const std::filesystem::path& path, const std::vector<std::shared_ptr<ThreadLog>>& logs) {
  Writer writer(path);
  for (const auto& log : logs) writer.write(*log);
  writer.commit();
}

}  // namespace farfield::trace::detail
