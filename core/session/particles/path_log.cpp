#include "core/session/particles/path_log.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <utility>

namespace farfield::session {
namespace {

constexpr std::size_t kCopyBytes = 1 << 16;
constexpr std::size_t kWriterBytes = 8192;  // that a writer collects

}  // namespace

PathLog::PathLog(const std::filesystem::path& folder, int width) : m_width(width), m_file(folder, 0) {}

void PathLog::Writer::vertex(Vec3 point, double time, std::span<const double> values) {
  if (!m_log) return;
  const std::size_t bytes = static_cast<std::size_t>(m_log->m_width) * sizeof(double);
  if (m_run && m_bytes.size() + bytes > kWriterBytes) end();
  if (!m_run) {
    if (m_bytes.size() + sizeof(Head) + bytes > kWriterBytes) flush();
    m_run = m_bytes.size();
    m_bytes.resize(m_bytes.size() + sizeof(Head));
  }
  const std::array<double, 4> place{point.x, point.y, point.z, time};
  const auto add = [&](std::span<const double> numbers) {
    const auto raw = std::as_bytes(numbers);
    m_bytes.insert(m_bytes.end(), raw.begin(), raw.end());
  };
  add(place);
  add(values);
}

void PathLog::Writer::end() {
  if (!m_run) return;
  const std::size_t at = *std::exchange(m_run, std::nullopt);
  const Head head{0, (m_bytes.size() - at - sizeof(Head)) / sizeof(double)};
  std::memcpy(m_bytes.data() + at, &head, sizeof head);
  m_ended.push_back({m_lastRun, at});
}

void PathLog::Writer::flush() {
  end();
  if (m_bytes.empty()) return;
  const std::uint64_t first = m_log->m_file.allocate(m_bytes.size());
  for (const Ended& run : m_ended) {
    std::memcpy(m_bytes.data() + run.at + offsetof(Head, previous), run.lastRun, sizeof *run.lastRun);
    *run.lastRun = first + run.at;
  }
  m_log->m_file.write(first, m_bytes);
  m_bytes.clear();
  m_ended.clear();
}

std::uint64_t PathLog::Writer::bytesFor(int width) {
  const std::uint64_t vertex = static_cast<std::uint64_t>(width) * sizeof(double),
                      run = sizeof(Head) + vertex;
  // vectors may take twice what they hold
  return 2 * (std::max<std::uint64_t>(kWriterBytes, run) + (kWriterBytes / run + 1) * sizeof(Ended));
}

void PathLog::visit(std::uint64_t last, std::vector<double>& run,
                    const std::function<void(std::span<const double>)>& visit) const {
  std::vector<std::uint64_t> runs;
  for (std::uint64_t at = last; at != 0;) {
    runs.push_back(at);
    Head head;
    m_file.read(at, std::as_writable_bytes(std::span(&head, 1)));
    at = head.previous;
  }
  for (auto at = runs.rbegin(); at != runs.rend(); ++at) {
    Head head;
    m_file.read(*at, std::as_writable_bytes(std::span(&head, 1)));
    run.resize(head.doubles);
    m_file.read(*at + sizeof head, std::as_writable_bytes(std::span(run)));
    visit(run);
  }
}

void PathLog::copyTo(File& file, std::uint64_t first) const {
  std::vector<std::byte> bytes(kCopyBytes);
  for (const std::uint64_t end = length(); first < end;) {
    const auto part = std::span(bytes).first(std::min<std::uint64_t>(kCopyBytes, end - first));
    m_file.read(first, part);
    file.writeAt(first, part);
    first += part.size();
  }
}

void PathLog::copyFrom(const File& file, std::uint64_t length) {
  std::vector<std::byte> bytes(kCopyBytes);
  for (std::uint64_t at = m_file.length(); at < length;) {
    const auto part = std::span(bytes).first(std::min<std::uint64_t>(kCopyBytes, length - at));
    file.readAt(at, part);
    m_file.write(m_file.allocate(part.size()), part);
    at += part.size();
  }
}

}  // namespace farfield::session
