#include "app/lifelines/trace_events.h"

#include <array>
#include <cmath>
#include <istream>
#include <nlohmann/json.hpp>
#include <streambuf>

#include "core/base/error.h"
#include "core/base/file.h"

namespace farfield::lifelines {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxText = 200;
constexpr std::size_t kMaxDepth = 64;

/// A file as a stream, which tells how far it is and stops when asked.
class FileBuffer final : public std::streambuf {
 public:
  FileBuffer(const std::filesystem::path& path, std::stop_token stop, const ReadProgress& progress)
      : m_file(File::openForReading(path)), m_stop(std::move(stop)), m_progress(progress) {}

 protected:
  int_type underflow() override {
    if (m_stop.stop_requested()) throw Cancelled();
    const std::size_t count = m_file.readSomeAt(m_offset, std::as_writable_bytes(std::span(m_buffer)));
    m_offset += count;
    m_progress(m_offset, m_file.size());
    setg(m_buffer.data(), m_buffer.data(), m_buffer.data() + count);
    return count == 0 ? traits_type::eof() : traits_type::to_int_type(m_buffer[0]);
  }

 private:
  File m_file;
  std::stop_token m_stop;
  const ReadProgress& m_progress;
  std::uint64_t m_offset = 0;
  std::array<char, 1 << 18> m_buffer;
};

/// Puts the values of an event together.
class Events final : public nlohmann::json_sax<Json> {
 public:
  explicit Events(const std::function<void(const TraceEvent&)>& visit) : m_visit(visit) {}
  /// Whether there was a list of events.
  bool found() const { return m_listFound; }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t value) override {
    return number(static_cast<double>(value), std::to_string(value));
  }
  bool number_unsigned(number_unsigned_t value) override {
    return number(static_cast<double>(value), std::to_string(value));
  }
  bool number_float(number_float_t value, const string_t& text) override { return number(value, text); }
  bool string(string_t& value) override {
    if (value.size() > kMaxText) value.resize(kMaxText);
    if (inEvent()) {
      if (m_key == "ph") m_event.phase = value.empty() ? '\0' : value[0];
      if (m_key == "cat") m_event.category = value;
      if (m_key == "name") m_event.name = value;
      if (m_key == "id") m_event.id = value;
    }
    if (inArguments() && m_key == "name") m_event.givenName = value;
    return true;
  }
  bool binary(binary_t&) override { return false; }
  bool key(string_t& name) override {
    m_key = name;
    return true;
  }
  bool start_object(std::size_t) override {
    open();
    if (inEvent()) m_event = {};
    if (m_depth == m_eventDepth + 1) m_inArguments = m_key == "args";
    return true;
  }
  bool end_object() override {
    if (inEvent()) m_visit(m_event);
    --m_depth;
    return true;
  }
  bool start_array(std::size_t) override {
    open();
    // The whole document, or what is called traceEvents at its top.
    if (m_depth == 1 || (m_depth == 2 && m_eventDepth == 0 && m_key == "traceEvents")) {
      m_eventDepth = m_depth + 1;
      m_listFound = true;
    }
    return true;
  }
  bool end_array() override {
    if (m_depth + 1 == m_eventDepth) m_eventDepth = 0;
    --m_depth;
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
    throw Corrupt("is not JSON, or was cut off", "record it again with farfield batchvis --trace")
        .at("byte " + std::to_string(position));
  }

 private:
  bool inEvent() const { return m_eventDepth > 0 && m_depth == m_eventDepth; }
  bool inArguments() const { return m_eventDepth > 0 && m_depth == m_eventDepth + 1 && m_inArguments; }
  void open() {
    if (++m_depth > kMaxDepth) throw Corrupt("is nested too deeply for an event log");
  }
  bool number(double value, const std::string& text) {
    if (!std::isfinite(value)) return true;
    const auto whole = [&](double most) { return value >= 0 && value < most ? value : 0; };
    if (inEvent()) {
      if (m_key == "ts") m_event.micros = value;
      if (m_key == "pid") m_event.process = static_cast<std::int64_t>(whole(9e15));
      if (m_key == "tid") m_event.thread = static_cast<std::int64_t>(whole(9e15));
      if (m_key == "id") m_event.id = text.substr(0, kMaxText);
    }
    if (inArguments() && m_key == "value") m_event.value = value;
    if (inArguments() && m_key == "count") m_event.droppedCount = static_cast<std::uint64_t>(whole(1e18));
    return true;
  }

  const std::function<void(const TraceEvent&)>& m_visit;
  TraceEvent m_event;
  std::string m_key;
  std::size_t m_depth = 0;
  std::size_t m_eventDepth = 0;  ///< of the events' objects while their list is open, else 0
  bool m_inArguments = false, m_listFound = false;
};

}  // namespace

void readTrace(const std::filesystem::path& path, const std::stop_token& stop, const ReadProgress& progress,
               const std::function<void(const TraceEvent&)>& visit) {
  try {
    FileBuffer buffer(path, stop, progress);
    std::istream stream(&buffer);  // the parser reads the buffer itself, so what that throws comes through
    Events events(visit);
    Json::sax_parse(stream, &events);
    if (!events.found())
      throw Corrupt("has no list of events", "name a file that farfield batchvis --trace wrote");
  } catch (Corrupt& error) {
    error.at("file " + path.string());
    throw;
  }
}

}  // namespace farfield::lifelines
