#include "remote/slabs/geometry_show.h"

#include <utility>

#include "core/base/error.h"

namespace farfield::remote {

template <class Work>
void GeometryShow::guarded(Work work) {
  if (m_closed || m_error) return;
  try {
    work();
  } catch (const Protocol&) {
    throw;
  } catch (...) {
    m_error = std::current_exception();
  }
}

void GeometryShow::takePlan(const Computing& plan) {
  const std::lock_guard lock(m_mutex);
  if (m_ranks.empty()) m_ranks = plan.ranks;
}

void GeometryShow::takeHead(std::uint32_t rank, const GeometryHead& head) {
  const std::lock_guard lock(m_mutex);
  const bool fits = m_ranks.empty() || (head.of == m_ranks.size() && m_ranks[head.part] == rank);
  if (!fits || m_shares.contains(head.part)) throw Protocol("a result that was not asked for");
  guarded([&] {
    m_sink = m_request.begin(head.facts, head.step, std::exchange(m_again, false));
    m_shares[head.part] = {rank, head.facts.width, false};
  });
}

void GeometryShow::takeBlock(std::uint32_t rank, const GeometryBlock& block) {
  const std::lock_guard lock(m_mutex);
  if (m_closed || m_error) return;
  const auto found = m_shares.find(block.part);
  if (found == m_shares.end() || found->second.rank != rank || found->second.isWhole)
    throw Protocol("a part of a result that was not announced");
  guarded([&] {
    unpackGeometry(block, found->second.width, m_request.account, *m_sink);
    found->second.isWhole = block.last;
    if (!block.last || !m_request.progress || m_ranks.empty()) return;
    std::size_t whole = 0;
    for (const auto& [part, share] : m_shares) whole += share.isWhole;
    m_request.progress(whole, m_ranks.size());
  });
}

void GeometryShow::lose(std::uint32_t rank) {
  const std::lock_guard lock(m_mutex);
  m_gone.insert(rank);
}

void GeometryShow::fail(const std::exception_ptr& error) {
  const std::lock_guard lock(m_mutex);
  if (!m_error) m_error = error;
}

void GeometryShow::close() {
  const std::lock_guard lock(m_mutex);
  m_closed = true;
  m_sink.reset();
}

bool GeometryShow::isLost(std::size_t n) const {
  const auto found = m_shares.find(static_cast<std::uint32_t>(n));
  return m_gone.contains(m_ranks[n]) && (found == m_shares.end() || !found->second.isWhole);
}

std::size_t GeometryShow::missingNow() const {
  std::size_t count = 0;
  for (std::size_t n = 0; n < m_ranks.size(); ++n) count += isLost(n);
  return count;
}

bool GeometryShow::isDone() const {
  const std::lock_guard lock(m_mutex);
  if (m_error) return true;
  if (m_ranks.empty()) return false;
  if (missingNow() > 0) return true;  // some of a result is none
  std::size_t whole = 0;
  for (const auto& [part, share] : m_shares) whole += share.isWhole;
  return whole == m_ranks.size();
}

std::exception_ptr GeometryShow::error() const {
  const std::lock_guard lock(m_mutex);
  return m_error;
}

std::size_t GeometryShow::missing() const {
  const std::lock_guard lock(m_mutex);
  return missingNow();
}

std::size_t GeometryShow::shares() const {
  const std::lock_guard lock(m_mutex);
  return m_ranks.size();
}

}  // namespace farfield::remote
