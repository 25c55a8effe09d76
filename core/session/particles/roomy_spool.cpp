#include "core/session/particles/roomy_spool.h"

#include <algorithm>
#include <cstring>

#include "core/base/error.h"

namespace farfield::session {
namespace {

constexpr std::uint64_t kPiece = SpoolRoom::kPieceBytes;
constexpr std::uint64_t kMostPieces = 1 << 14;  // what is beyond is on disk

}  // namespace

bool SpoolRoom::claim() {
  // pages of the data have the better use for what is left
  if (m_isClosed || m_claim.bytes() + kPieceBytes > m_most ||
      m_account.freeBytes() < kPieceBytes + m_account.budgetBytes() / 2)
    return false;
  if (m_claim.bytes() > 0) return m_claim.tryGrow(kPieceBytes);
  auto claim = m_account.tryClaim(Purpose::Results, kPieceBytes);
  if (claim) m_claim = std::move(*claim);
  return claim.has_value();
}

SpoolRoom::Piece SpoolRoom::take() {
  const std::lock_guard lock(m_mutex);
  if (!m_free.empty()) {
    Piece piece = std::move(m_free.back());
    m_free.pop_back();
    return piece;
  }
  if (!claim()) return nullptr;
  // written once, from beginning to end: huge pages would only be cleared for longer where the machine is a virtual one
  return std::make_unique<AnonymousMemory>(kPieceBytes, MemoryPages::Ordinary, "results");
}

void SpoolRoom::giveBack(std::vector<Piece> pieces) {
  const std::lock_guard lock(m_mutex);
  if (m_isClosed) {
    m_claim.shrink(m_claim.bytes() - std::min<std::uint64_t>(m_claim.bytes(), pieces.size() * kPieceBytes));
    return;
  }
  for (Piece& piece : pieces) m_free.push_back(std::move(piece));
}

void SpoolRoom::close() {
  const std::lock_guard lock(m_mutex);
  m_isClosed = true;
  const std::uint64_t bytes = m_free.size() * kPieceBytes;
  m_free.clear();
  m_claim.shrink(m_claim.bytes() - std::min(m_claim.bytes(), bytes));
}

RoomySpool::RoomySpool(const std::filesystem::path& folder, std::uint64_t reservedBytes,
                       std::shared_ptr<SpoolRoom> room)
    : m_room(std::move(room)), m_file(folder, reservedBytes), m_full(!m_room) {
  if (m_full) return;
  m_pieces.reserve(kMostPieces);
  makeRoomUpTo(reservedBytes);
}

RoomySpool::~RoomySpool() {
  if (m_room) m_room->giveBack(std::move(m_pieces));
}

/// Has pieces of memory up to `end`, as far as there is room. What was once left to the disk stays there.
void RoomySpool::makeRoomUpTo(std::uint64_t end) {
  if (end <= bytesInMemory()) return;
  const std::lock_guard lock(m_mutex);
  while (!m_full && m_pieces.size() * kPiece < end) {
    SpoolRoom::Piece piece = m_pieces.size() < kMostPieces ? m_room->take() : nullptr;
    m_full = !piece;
    if (m_full) break;
    m_pieces.push_back(std::move(piece));
    m_inMemory.store(m_pieces.size() * kPiece, std::memory_order_release);
  }
}

std::uint64_t RoomySpool::allocate(std::uint64_t bytes) {
  const std::uint64_t first = m_file.allocate(bytes);
  makeRoomUpTo(first + bytes);
  return first;
}

void RoomySpool::leaveMemory() {
  if (!m_room) return;
  std::vector<SpoolRoom::Piece> pieces;
  {
    const std::scoped_lock lock(m_mutex, m_leaving);
    m_full = true;
    const std::uint64_t written = std::min(length(), bytesInMemory());
    for (std::uint64_t at = 0; at < written; at += kPiece)
      m_file.write(at,
                   std::span<const std::byte>(m_pieces[at / kPiece]->data(), std::min(kPiece, written - at)));
    m_inMemory.store(0, std::memory_order_release);
    pieces.swap(m_pieces);
  }
  m_room->giveBack(std::move(pieces));
  m_room->close();
}

template <class Bytes, class Work>
std::size_t RoomySpool::inMemory(std::uint64_t offset, Bytes bytes, Work work) const {
  if (bytesInMemory() == 0) return 0;
  const std::shared_lock stays(m_leaving);
  const std::uint64_t end = bytesInMemory();
  const std::size_t count = offset < end ? std::min<std::uint64_t>(bytes.size(), end - offset) : 0;
  for (std::size_t done = 0; done < count;) {
    const std::uint64_t at = offset + done, within = at % kPiece;
    const std::size_t part = std::min<std::uint64_t>(count - done, kPiece - within);
    work(m_pieces[at / kPiece]->data() + within, bytes.subspan(done, part));
    done += part;
  }
  return count;
}

std::byte* RoomySpool::inPlace(std::uint64_t offset, std::uint64_t bytes) const {
  const std::uint64_t end = bytesInMemory(), within = offset % kPiece;
  if (offset >= end || bytes > end - offset || bytes > kPiece - within) return nullptr;
  return m_pieces[offset / kPiece]->data() + within;
}

void RoomySpool::write(std::uint64_t offset, std::span<const std::byte> data) {
  const std::size_t done = inMemory(offset, data, [](std::byte* at, std::span<const std::byte> part) {
    std::memcpy(at, part.data(), part.size());
  });
  if (done < data.size()) m_file.write(offset + done, data.subspan(done));
}

/// Returns how much of `out` is from memory.
std::size_t RoomySpool::readMemory(std::uint64_t offset, std::span<std::byte> out) const {
  return inMemory(offset, out, [](const std::byte* at, std::span<std::byte> part) {
    std::memcpy(part.data(), at, part.size());
  });
}

void RoomySpool::read(std::uint64_t offset, std::span<std::byte> out) const {
  const std::size_t done = readMemory(offset, out);
  if (done < out.size()) m_file.read(offset + done, out.subspan(done));
}

std::size_t RoomySpool::readSome(std::uint64_t offset, std::span<std::byte> out) const {
  const std::uint64_t end = length();
  out = out.first(offset < end ? std::min<std::uint64_t>(out.size(), end - offset) : 0);
  const std::size_t done = readMemory(offset, out);
  return done < out.size() ? done + m_file.readSome(offset + done, out.subspan(done)) : done;
}

}  // namespace farfield::session
