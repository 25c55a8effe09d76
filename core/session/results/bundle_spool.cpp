#include "core/session/results/bundle_spool.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace farfield::session {
namespace {

constexpr std::size_t kVerticesPerRun = 256;

}  // namespace

/// The numbers of one bundle after the other.
class BundleSpool::Numbers {
 public:
  explicit Numbers(const ChainSpool& chains) : m_reader(chains) {}
  void start(const ChainEntry& entry) {
    m_reader.start(entry);
    m_have = {};
  }
  /// False at the end of the bundle.
  bool read(std::span<double> out) {
    std::span<std::byte> bytes = std::as_writable_bytes(out);
    while (!bytes.empty()) {
      if (m_have.empty()) m_have = m_reader.next();
      if (m_have.empty()) return false;
      const std::size_t n = std::min(bytes.size(), m_have.size());
      std::copy_n(m_have.begin(), n, bytes.begin());
      bytes = bytes.subspan(n);
      m_have = m_have.subspan(n);
    }
    return true;
  }

 private:
  ChainSpool::Reader m_reader;
  std::span<const std::byte> m_have;
};

BundleSpool::BundleSpool(const BundleSpoolOptions& options, MemoryAccount& account)
    : m_chains(options.folder, options.bundleCount, options.blockBytes, account),
      m_width(options.width),
      m_cells(options.cells),
      m_extent(options.width - 3) {}

// A line is its number of vertices (the bits of an integer), its cells, its vertices.
void BundleSpool::Writer::line(std::uint64_t vertices, std::span<const double> cells) {
  m_chain.append(std::as_bytes(std::span(&vertices, 1)));
  m_chain.append(std::as_bytes(cells));
  ++m_lines;
  m_vertices += vertices;
}

void BundleSpool::Writer::vertex(std::span<const double> vertex) {
  m_chain.append(std::as_bytes(vertex));
  m_extent.add({vertex[0], vertex[1], vertex[2]}, vertex.subspan(3));
}

void BundleSpool::Writer::finish() {
  m_chain.finish({});
  m_spool->m_lines += m_lines;
  m_spool->m_vertices += m_vertices;
  const std::lock_guard lock(m_spool->m_extentMutex);
  m_spool->m_extent.add(m_extent);
}

void BundleSpool::visitLines(const std::function<void(const PolylineSummary&)>& visit) const {
  std::optional<std::uint64_t> last;
  visitVertices([&](const PolylineSummary& line, std::span<const double>) {
    if (line.number != last) visit(line);
    last = line.number;
  });
}

void BundleSpool::visitVertices(
    const std::function<void(const PolylineSummary&, std::span<const double>)>& visit) const {
  visitBundles(
      [&](std::uint64_t, const PolylineSummary& line, std::span<const double> run) { visit(line, run); });
}

void BundleSpool::visitBundles(
    const std::function<void(std::uint64_t, const PolylineSummary&, std::span<const double>)>& visit) const {
  const auto width = static_cast<std::size_t>(m_width);
  const MemoryClaim claim =
      m_chains.account().claim(Purpose::Results, kVerticesPerRun * width * sizeof(double), "reading lines");
  std::vector<double> run(kVerticesPerRun * width), head(1 + static_cast<std::size_t>(m_cells));
  Numbers numbers(m_chains);
  PolylineSummary line;
  line.cells = std::span<const double>(head).subspan(1);
  m_chains.forEachEntry([&](std::uint64_t bundle, const ChainEntry& entry) {
    if (!entry.finished) return;
    numbers.start(entry);
    for (; numbers.read(head); ++line.number) {
      line.vertices = std::bit_cast<std::uint64_t>(head.front());
      for (std::uint64_t left = line.vertices; left > 0;) {
        const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(left, kVerticesPerRun));
        const std::span<double> vertices = std::span(run).first(n * width);
        if (!numbers.read(vertices)) return;
        visit(bundle, line, vertices);
        left -= n;
      }
    }
  });
}

std::optional<double> BundleSpool::usualLeast(int column) const {
  const std::lock_guard lock(m_extentMutex);
  return m_extent.usualLeast(column - 3);
}

std::optional<std::array<double, 2>> BundleSpool::range(int column) const {
  const std::lock_guard lock(m_extentMutex);
  return m_extent.range(column - 3);
}

Bounds BundleSpool::bounds() const {
  const std::lock_guard lock(m_extentMutex);
  return m_extent.bounds();
}

}  // namespace farfield::session
