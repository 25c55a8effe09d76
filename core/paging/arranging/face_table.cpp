#include "core/paging/arranging/face_table.h"

#include <algorithm>

namespace farfield::paging {
namespace {

constexpr const char* kWhat = "the border of an unstructured grid";
constexpr std::size_t kFirstPlaces = 4096;

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

std::size_t FaceTable::homeOf(const FaceNodes& nodes) const {
  std::uint64_t hash = 0;
  for (const std::int32_t node : nodes) {
    // Fibonacci hashing, mixed
    hash = (hash ^ static_cast<std::uint32_t>(node)) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 29;
  }
  return static_cast<std::size_t>(hash) & (m_places.size() - 1);
}

std::size_t FaceTable::find(const FaceNodes& nodes) const {
  std::size_t place = homeOf(nodes);
  while (m_places[place].face.cell >= 0 && m_places[place].nodes != nodes)
    place = (place + 1) & (m_places.size() - 1);
  return place;
}

void FaceTable::erase(std::size_t place) {
  const std::size_t mask = m_places.size() - 1;
  for (std::size_t next = (place + 1) & mask; m_places[next].face.cell >= 0; next = (next + 1) & mask) {
    // One that is as near to its home as it can be stays.
    if (((next - homeOf(m_places[next].nodes)) & mask) < ((next - place) & mask)) continue;
    m_places[place] = m_places[next];
    place = next;
  }
  m_places[place].face.cell = -1;
  --m_count;
}

FaceTable::FaceTable(MemoryAccount& account)
    : m_account(account), m_claim(account.claim(Purpose::Work, 0, kWhat)) {}

void FaceTable::makeRoom() {
  const std::size_t places = std::max(kFirstPlaces, 2 * m_places.size());
  // both are there for a moment
  if (!m_claim.tryGrow(places * sizeof(Waiting)))
    m_account.refuse(m_claim.bytes() + places * sizeof(Waiting), kWhat);
  std::vector<Waiting> before(places);
  before.swap(m_places);
  for (const Waiting& its : before)
    if (its.face.cell >= 0) m_places[find(its.nodes)] = its;
  before = {};
  m_claim.shrink(places * sizeof(Waiting));
}

CellFace FaceTable::meet(const FaceNodes& sorted, CellFace face) {
  if (m_places.empty()) makeRoom();
  std::size_t place = find(sorted);
  if (m_places[place].face.cell >= 0) {
    const CellFace other = m_places[place].face;
    erase(place);
    return other;
  }
  if (4 * (m_count + 1) > 3 * m_places.size()) {
    makeRoom();
    place = find(sorted);
  }
  m_places[place] = {sorted, face};
  ++m_count;
  return {};
}

Border FaceTable::takeRest() {
  Border border;
  border.claim = m_account.claim(Purpose::Work, m_count * sizeof(CellFace), kWhat);
  border.faces.reserve(m_count);
  for (const Waiting& its : m_places)
    if (its.face.cell >= 0) border.faces.push_back(its.face);
  m_places = {};
  m_count = 0;
  m_claim.shrink(0);
  std::sort(border.faces.begin(), border.faces.end());
  return border;
}

}  // namespace farfield::paging
