#include "core/paging/writing/store_growth.h"

#include <algorithm>
#include <cstring>

#include "core/base/error.h"
#include "core/paging/bytes/local_file.h"
#include "core/paging/store/partial_store.h"
#include "core/paging/store/store_check.h"
#include "core/paging/store/store_trailer.h"

namespace farfield::paging::detail {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kPieceBytes = std::uint64_t{1} << 16;
/// As whoever opens a store (store_file.cpp): parsing makes a tree of nodes first; a few MiB belong to the program.
constexpr std::uint64_t kParsingFactor = 36, kFreeBytes = std::uint64_t{8} << 20;

}  // namespace

std::shared_ptr<const ByteObject> openStore(const fs::path& path) {
  return LocalFile::open(path);
}

Catalog catalogOf(const ByteObject& store, MemoryAccount& account, MemoryClaim& claim,
                  std::uint64_t* fileBytes) {
  const Trailer trailer = readTrailer(store);
  const std::uint64_t needed = trailer.catalog.bytes * kParsingFactor;
  claim = account.claim(Purpose::Index, needed - std::min(needed, kFreeBytes),
                        "the catalog of a store that grows");
  std::string text(trailer.catalog.bytes, '\0');
  readChecked(store, trailer.catalog, std::as_writable_bytes(std::span(text)), "catalog");
  if (fileBytes) *fileBytes = trailer.fileBytes;
  return catalogFromText(text);
}

fs::path StoreGrowth::journalPath(const fs::path& store) {
  return store.string() + ".append";
}

StoreGrowth::StoreGrowth(const fs::path& path, MemoryAccount& account) : m_path(path) {
  std::error_code unseen;
  if (!fs::exists(path, unseen))
    throw NotFound("there is no such store", "convert without --append first").at("file " + path.string());
  m_lock = openLocked(journalPath(path), path);
  try {
    readStore(account);
  } catch (...) {
    fs::remove(journalPath(path), unseen);
    throw;
  }
}

void StoreGrowth::readStore(MemoryAccount& account) {
  m_object = LocalFile::open(m_path);
  m_before = catalogOf(*m_object, account, m_catalogClaim, &m_fileBytes);
  m_isCut = m_object->size() != m_fileBytes;
  if (!m_before.stripes.parts.empty())
    throw Unsupported("is a striped set, which does not grow", "append to the store that it was made of")
        .at("file " + m_path.string());
  m_pagesEnd = kPayloadStart + m_before.description.storedBytes + m_before.leftBytes();
  m_records.emplace(*m_object, m_before, m_fileBytes, account);
  m_superblock.resize(GrowthNote::kSuperblockBytes);
  m_object->readAt(0, m_superblock);
  if (m_isCut)
    if (const auto note = readGrowthNote(*m_object); note && note->fileBytes == m_fileBytes)
      m_superblock.assign(std::begin(note->superblock), std::end(note->superblock));
}

StoreGrowth::~StoreGrowth() {
  if (m_file) try {
      m_file->writeAt(0, m_superblock);
      m_file->resize(m_fileBytes);
    } catch (...) {
      // What is left behind the store's end is passed over by readers, and cut off the next time.
    }
  std::error_code ignored;
  if (m_lock.isOpen()) fs::remove(journalPath(m_path), ignored);
}

std::uint64_t StoreGrowth::begin(File& file) {
  GrowthNote note;
  note.fileBytes = m_fileBytes;
  std::copy(m_superblock.begin(), m_superblock.end(), note.superblock);
  note.checksum = checksumOf(note);
  file.writeAt(kGrowthNoteAt, std::as_bytes(std::span(&note, 1)));
  file.sync();
  m_file = &file;
  if (m_isCut) {
    file.writeAt(0, m_superblock);
    file.resize(m_fileBytes);
  }
  return m_fileBytes;
}

std::vector<NodePlace> StoreGrowth::left() const {
  std::vector<NodePlace> left = m_before.left;
  StructuresChecksum sum;
  std::vector<std::byte> piece(kPieceBytes);
  for (std::uint64_t at = m_pagesEnd; at < m_fileBytes;) {
    const auto bytes = std::span(piece).first(std::min(kPieceBytes, m_fileBytes - at));
    m_object->readAt(at, bytes);
    sum.add(bytes);
    at += bytes.size();
  }
  left.push_back({m_pagesEnd, m_fileBytes - m_pagesEnd, sum.value()});
  return left;
}

}  // namespace farfield::paging::detail
