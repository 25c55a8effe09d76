#include "core/paging/arranging/face_table.h"

#include <algorithm>

namespace farfield::paging {
namespace {

/// Of an entry of the table, and of its place among the results.
constexpr std::uint64_t kEntryBytes = 80;
constexpr std::uint64_t kFirstRoom = 4096;

}  // namespace

bool sortFace(FaceNodes& nodes) {
  std::sort(nodes.begin(), nodes.end());
  const auto end = std::unique(nodes.begin(), nodes.end());
  if (end - nodes.begin() < 3) return false;
  std::fill(end, nodes.end(), -1);
  return true;
}

FaceNodes faceOf(const CellNodes& cell, std::size_t face) {
  FaceNodes nodes;
  for (std::size_t n = 0; n < nodes.size(); ++n) nodes[n] = cell[kFaceCorners[face][n]];
  return nodes;
}

std::size_t FaceTable::Hash::operator()(const FaceNodes& nodes) const {
  std::uint64_t hash = 0;
  for (const std::int32_t node : nodes) {
    // Fibonacci hashing, mixed
    hash = (hash ^ static_cast<std::uint32_t>(node)) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 29;
  }
  return static_cast<std::size_t>(hash);
}

FaceTable::FaceTable(MemoryAccount& account)
    : m_account(account), m_claim(account.claim(Purpose::Work, 0, "the border of an unstructured grid")) {}

void FaceTable::makeRoom() {
  const std::uint64_t more = std::max(kFirstRoom, m_room / 2);
  if (!m_claim.tryGrow(more * kEntryBytes))
    m_account.refuse(m_claim.bytes() + more * kEntryBytes, "the border of an unstructured grid");
  m_room += more;
}

CellFace FaceTable::meet(const FaceNodes& sorted, CellFace face) {
  const auto found = m_waiting.find(sorted);
  if (found != m_waiting.end()) {
    const CellFace other = found->second;
    m_waiting.erase(found);
    return other;
  }
  if (m_waiting.size() == m_room) makeRoom();
  m_waiting.emplace(sorted, face);
  return {};
}

std::vector<CellFace> FaceTable::rest() const {
  std::vector<CellFace> faces;
  faces.reserve(m_waiting.size());
  for (const auto& [nodes, face] : m_waiting) faces.push_back(face);
  std::sort(faces.begin(), faces.end());
  return faces;
}

}  // namespace farfield::paging
