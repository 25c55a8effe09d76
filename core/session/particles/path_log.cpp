#include "core/session/particles/path_log.h"

#include <algorithm>
#include <cstring>

namespace farfield::session {
namespace {

constexpr std::size_t kCopyBytes = 1 << 16;

}  // namespace

PathLog::PathLog(const std::filesystem::path& folder, int width) : m_width(width), m_file(folder, 0) {}

std::uint64_t PathLog::append(std::uint64_t previous, std::span<const double> vertices) {
  const Head head{previous, vertices.size()};
  std::vector<std::byte> bytes(sizeof head + vertices.size_bytes());
  std::memcpy(bytes.data(), &head, sizeof head);
  std::memcpy(bytes.data() + sizeof head, vertices.data(), vertices.size_bytes());
  const std::uint64_t at = m_file.allocate(bytes.size());
  m_file.write(at, bytes);
  return at;
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
