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
constexpr std::size_t kWindowBytes = 8192, kMostWindows = 256;

}  // namespace

PathLog::PathLog(const std::filesystem::path& folder, int width, std::shared_ptr<SpoolRoom> room)
    : m_width(width), m_file(folder, 0, std::move(room)) {}

void PathLog::Writer::vertex(Vec3 point, double time, std::span<const double> values) {
  if (!m_log) return;
  const std::size_t bytes = static_cast<std::size_t>(m_log->m_width) * sizeof(double);
  if (m_run && m_size + bytes > m_room) end();
  if (!m_run) {
    if (m_size + sizeof(Head) + bytes > m_room) flush();
    if (!m_bytes) {
      m_room = std::max(kWriterBytes, sizeof(Head) + bytes);
      m_bytes = std::make_unique_for_overwrite<std::byte[]>(m_room);
      m_ended.reserve(m_room / (sizeof(Head) + bytes));
    }
    m_run = m_size;
    m_size += sizeof(Head);
  }
  std::byte* const to = m_bytes.get() + m_size;
  m_size += bytes;
  const std::array<double, 4> place{point.x, point.y, point.z, time};
  std::memcpy(to, place.data(), sizeof place);
  std::memcpy(to + sizeof place, values.data(), bytes - sizeof place);
}

void PathLog::Writer::end() {
  if (!m_run) return;
  const std::size_t at = *std::exchange(m_run, std::nullopt);
  const Head head{0, (m_size - at - sizeof(Head)) / sizeof(double)};
  std::memcpy(m_bytes.get() + at, &head, sizeof head);
  m_ended.push_back({m_lastRun, at});
}

void PathLog::Writer::flush() {
  end();
  if (m_size == 0) return;
  const std::uint64_t first = m_log->m_file.allocate(m_size);
  for (const Ended& run : m_ended) {
    std::memcpy(m_bytes.get() + run.at + offsetof(Head, previous), run.lastRun, sizeof *run.lastRun);
    *run.lastRun = first + run.at;
  }
  m_log->m_file.write(first, {m_bytes.get(), m_size});
  m_size = 0;
  m_ended.clear();
}

std::uint64_t PathLog::Writer::bytesFor(int width) {
  const std::uint64_t vertex = static_cast<std::uint64_t>(width) * sizeof(double),
                      run = sizeof(Head) + vertex;
  const std::uint64_t room = std::max<std::uint64_t>(kWriterBytes, run);
  return room + room / run * sizeof(Ended);
}

void PathLog::Reader::visit(std::uint64_t last, const std::function<void(std::span<const double>)>& visit) {
  ++m_path;
  m_runs.clear();
  Head head;
  for (std::uint64_t at = last; at != 0; at = head.previous) {
    m_runs.push_back(at);
    read(at, std::as_writable_bytes(std::span(&head, 1)));
  }
  for (auto at = m_runs.rbegin(); at != m_runs.rend(); ++at) {
    read(*at, std::as_writable_bytes(std::span(&head, 1)));
    m_run.resize(head.doubles);
    read(*at + sizeof head, std::as_writable_bytes(std::span(m_run)));
    visit(m_run);
  }
}

void PathLog::Reader::read(std::uint64_t at, std::span<std::byte> out) {
  while (!out.empty()) {
    const Window* const found = window(at / kWindowBytes);
    const std::size_t first = at % kWindowBytes;
    if (!found || found->bytes.size() <= first) return m_log.m_file.read(at, out);
    const std::size_t count = std::min(out.size(), found->bytes.size() - first);
    std::memcpy(out.data(), found->bytes.data() + first, count);
    at += count;
    out = out.subspan(count);
  }
}

/// Null where all windows are needed for this path and the one before.
const PathLog::Reader::Window* PathLog::Reader::window(std::uint64_t number) {
  const auto known = m_byNumber.find(number);
  if (known != m_byNumber.end()) {
    m_windows[known->second].path = m_path;
    return &m_windows[known->second];
  }
  const std::size_t free = unused();
  if (free == kMostWindows) return nullptr;
  Window& window = m_windows[free];
  if (!window.bytes.empty()) m_byNumber.erase(window.number);
  window.bytes.resize(kWindowBytes);
  window.bytes.resize(m_log.m_file.readSome(number * kWindowBytes, window.bytes));
  window.number = number;
  window.path = m_path;
  if (!window.bytes.empty()) m_byNumber[number] = free;
  return &window;
}

std::size_t PathLog::Reader::unused() {
  if (m_windows.size() < kMostWindows) {
    m_windows.emplace_back();
    return m_windows.size() - 1;
  }
  // where paths need more windows than there are, giving up those of the next path would only move them about
  for (std::size_t n = 0; n < kMostWindows; ++n) {
    const std::size_t at = (m_hand + n) % kMostWindows;
    if (m_windows[at].path + 1 >= m_path) continue;
    m_hand = at + 1;
    return at;
  }
  return kMostWindows;
}

void PathLog::copyTo(File& file, std::uint64_t first, const Copied& copied) const {
  std::vector<std::byte> bytes(kCopyBytes);
  for (const std::uint64_t end = length(); first < end;) {
    const auto part = std::span(bytes).first(std::min<std::uint64_t>(kCopyBytes, end - first));
    m_file.read(first, part);
    file.writeAt(first, part);
    copied(part);
    first += part.size();
  }
}

void PathLog::copyFrom(const File& file, std::uint64_t length, const Copied& copied) {
  std::vector<std::byte> bytes(kCopyBytes);
  for (std::uint64_t at = m_file.length(); at < length;) {
    const auto part = std::span(bytes).first(std::min<std::uint64_t>(kCopyBytes, length - at));
    file.readAt(at, part);
    m_file.write(m_file.allocate(part.size()), part);
    copied(part);
    at += part.size();
  }
}

}  // namespace farfield::session
