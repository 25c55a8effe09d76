#include "core/paging/writing/store_writer.h"

#include <fcntl.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>

#include "core/base/error.h"
#include "core/paging/store/catalog.h"
#include "core/paging/store/description_check.h"
#include "core/paging/store/partial_store.h"
#include "core/paging/store/store_check.h"
#include "core/paging/writing/hdf5_structures.h"
#include "core/paging/writing/index_writer.h"
#include "core/paging/writing/journal.h"
#include "core/paging/writing/page_encoder.h"
#include "core/paging/writing/page_sequence.h"
#include "core/paging/writing/placed_hdf5.h"
#include "core/paging/writing/store_growth.h"

namespace farfield::paging {
namespace {

namespace fs = std::filesystem;
using namespace detail;

/// Write-back is started this often, so that the last sync has little left to do.
constexpr std::uint64_t kWriteBackBytes = std::uint64_t{32} << 20;
constexpr std::uint64_t kVerifyBytes = std::uint64_t{4} << 20;
constexpr std::uint64_t kPieceBytes = std::uint64_t{1} << 16;
/// The attribute that may differ between the run that started a conversion and the one that resumes it.
constexpr const char* kCommandAttribute = "command";

std::uint64_t alignedTo8(std::uint64_t n) {
  return (n + 7) / 8 * 8;
}

/// What the pages were made for, as the journal records it: codec and description.
std::string journalText(Codec codec, const DatasetDescription& description) {
  return std::string(nameOf(codec)) + "\n" + descriptionText(description);
}

/// The same text for both runs of an interrupted conversion, and for the store once it is finished, which knows where its nodes lie.
std::string comparable(Codec codec, DatasetDescription description) {
  description.attributes.erase(kCommandAttribute);
  description.storedBytes = 0;
  for (BlockDescription& block : description.blocks) block.bounds = {};
  return journalText(codec, description);
}

DatasetDescription asStore(DatasetDescription description, Codec codec) {
  if (description.format != "farfield")
    description.attributes.try_emplace("sourceFormat", description.format);
  description.format = "farfield";
  description.codec = nameOf(codec);
  description.storedBytes = 0;
  // As the journal and the catalog will have it (names that are not UTF-8 change).
  checkDescription(description);
  return descriptionFromText(descriptionText(description));
}

/// Throws Invalid unless `longer` is `before` with more steps.
void checkLonger(const DatasetDescription& before, const DatasetDescription& longer) {
  const auto sameArray = [&](const ArrayDescription& a, const ArrayDescription& b) {
    return a.name == b.name && a.block == b.block && a.layout.dims() == b.layout.dims() &&
           a.layout.extent() == b.layout.extent() && a.components == b.components && a.type == b.type &&
           (a.steps == b.steps || b.steps == longer.steps()) && (a.steps == 1 || b.steps > 1);
  };
  if (longer.steps() <= before.steps() || longer.arrays.size() != before.arrays.size() ||
      !std::equal(before.arrays.begin(), before.arrays.end(), longer.arrays.begin(), sameArray) ||
      !std::equal(before.times.begin(), before.times.end(), longer.times.begin()) ||
      // a step that exists has pages of every array that changes
      (before.steps() > 1 &&
       !std::equal(before.arrays.begin(), before.arrays.end(), longer.arrays.begin(),
                   [](const auto& a, const auto& b) { return (a.steps > 1) == (b.steps > 1); })))
    throw Invalid("the store is not what it was a moment ago", "try again");
}

}  // namespace

struct StoreWriter::State {
  State(const fs::path& storePath, DatasetDescription&& wanted, const StoreWriterOptions& writerOptions,
        MemoryAccount& memory)
      : path(storePath),
        codec(writerOptions.codec),
        sync(writerOptions.sync),
        keepPartial(writerOptions.keepPartial),
        forVtk(writerOptions.forVtk),
        account(memory),
        description(asStore(std::move(wanted), codec)),
        sequence(description) {}

  void start();
  void startBehind();
  void discard();
  bool resume();
  void checkFinished() const;
  void verifyPages();
  void fillBounds(Catalog& catalog) const;
  void append(const EncodedPage& page, const PageSummary& summary);
  void finishGrowth(PlacedFile& placed, const Trailer& trailer, const Catalog& catalog);
  Catalog writeIndices(FileAppender& out) const;
  std::uint64_t structuresChecksum(const PlacedFile& placed, std::uint64_t begin) const;

  fs::path path;
  Codec codec;
  bool sync, keepPartial, forVtk;
  MemoryAccount& account;
  DatasetDescription description;
  PageSequence sequence;
  File file;                            ///< OUT.part
  std::optional<Journal> journal;       ///< OUT.part.journal
  std::unique_ptr<StoreGrowth> growth;  ///< of a store that gets more steps, which is `file`; null: a new one
  std::uint64_t end = kPayloadStart;
  std::uint64_t writeBackAt = kPayloadStart;
  bool finished = false;
};

void StoreWriter::State::start() {
  file = openLocked(partialPath(path), path);
  try {
    file.resize(0);
    std::byte head[kPayloadStart]{};
    std::memcpy(head, kPartialMagic, sizeof kPartialMagic);
    file.writeAt(0, head);
    journal.emplace(Journal::create(journalPath(path), journalText(codec, description), sequence));
  } catch (...) {
    discard();
    throw;
  }
}

void StoreWriter::State::startBehind() {
  growth = std::make_unique<StoreGrowth>(path, account);
  if (growth->before().codec != codec) throw Invalid("has another codec").at("file " + path.string());
  checkLonger(growth->before().description, description);
  journal.emplace(Journal::createBehind(
      StoreGrowth::journalPath(path), journalText(codec, description), sequence,
      sequence.firstOf(static_cast<std::uint64_t>(growth->before().description.steps())),
      [this](std::uint32_t array, std::uint64_t firstPage, std::uint64_t count, std::size_t recordBytes,
             std::span<std::byte> records) {
        growth->records().read(array, firstPage, count, recordBytes, records);
      }));
  file = File::openForWriting(path, false);
  end = writeBackAt = growth->begin(file);
  forVtk = listsVtk(path);
}

void StoreWriter::State::discard() {
  journal.reset();
  if (growth) {
    growth.reset();
    return;
  }
  std::error_code ignored;
  for (const fs::path& each : partialFiles(path)) fs::remove(each, ignored);
}

/// False if there is nothing to resume.
bool StoreWriter::State::resume() {
  const std::optional<std::string> text = Journal::textOf(journalPath(path));
  if (!text || !fs::exists(partialPath(path))) return false;
  const std::size_t line = text->find('\n');
  if (line == std::string::npos) return false;
  DatasetDescription begun = descriptionFromText(text->substr(line + 1));
  const Codec begunCodec = codecNamed(text->substr(0, line));
  if (comparable(begunCodec, begun) != comparable(codec, description))
    throw Invalid("the interrupted conversion had other input or other options",
                  "use the same, or convert without --resume")
        .at("file " + partialPath(path).string());
  description = std::move(begun);
  file = openLocked(partialPath(path), path);
  journal.emplace(Journal::open(journalPath(path), *text, sequence));
  verifyPages();
  journal->cutTo(journal->entries());
  return true;
}

/// That the store which is there is the one that is to be made. Throws Invalid where it is another, or none.
void StoreWriter::State::checkFinished() const {
  MemoryClaim claim;
  const Catalog there = catalogOf(*openStore(path), account, claim);
  if (comparable(there.codec, there.description) != comparable(codec, description))
    throw Invalid("is a finished store of other input or other options",
                  "use the same, name another, or convert with --overwrite")
        .at("file " + path.string());
}

/// Reads entries and their pages, up to the first that is not intact.
void StoreWriter::State::verifyPages() {
  std::uint64_t largest = 0;
  for (const ArrayDescription& array : description.arrays)
    largest = std::max(largest, static_cast<std::uint64_t>(array.maxPageBytes()));
  const std::uint64_t bufferBytes = std::max(kVerifyBytes, largest);
  const MemoryClaim claim =
      account.claim(Purpose::Work, bufferBytes, "checking the pages of a partial store");
  std::vector<std::byte> buffer(bufferBytes);
  std::uint64_t bufferAt = 0, bufferEnd = 0, good = 0;
  while (const std::optional<JournalEntry> entry = journal->readNext()) {
    const PagePlace& place = entry->place;
    if (place.offset != end || place.bytes == 0 || place.bytes > largest) break;
    if (end + place.bytes > bufferEnd) {
      bufferAt = end;
      bufferEnd = end + file.readSomeAt(end, buffer);
      if (end + place.bytes > bufferEnd) break;
    }
    if (checksum({buffer.data() + (end - bufferAt), place.bytes}) != place.checksum) break;
    end += place.bytes;
    ++good;
  }
  file.resize(end);
  if (good < journal->entries()) journal->cutTo(good);
  // an interrupted finish() may have put HDF5's superblock here
  std::byte head[kPayloadStart]{};
  std::memcpy(head, kPartialMagic, sizeof kPartialMagic);
  file.writeAt(0, head);
  writeBackAt = end;
}

void StoreWriter::State::append(const EncodedPage& page, const PageSummary& summary) {
  const std::uint64_t next = journal->entries();
  if (next == sequence.count() || !(sequence.page(next) == page.id))
    throw Invalid("page " + std::to_string(page.id.page) + " of array " + std::to_string(page.id.array) +
                  " is not the next one to be written");
  if (summary.components.size() != static_cast<std::size_t>(description.arrays[page.id.array].components))
    throw Invalid("the summary of a page has the wrong number of components");
  file.writeAt(end, page.bytes);
  journal->append({{end, static_cast<std::uint32_t>(page.bytes.size()), page.flags, page.checksum}, summary});
  end += page.bytes.size();
  if (end - writeBackAt >= kWriteBackBytes) {
    // only a hint: if it fails, the sync at the end does the work
    ::sync_file_range(file.fd(), static_cast<off64_t>(writeBackAt), static_cast<off64_t>(end - writeBackAt),
                      SYNC_FILE_RANGE_WRITE);
    writeBackAt = end;
  }
}

/// Of what finish() will leave before the pages, and of the bytes from `begin` to the end of the structures.
std::uint64_t StoreWriter::State::structuresChecksum(const PlacedFile& placed, std::uint64_t begin) const {
  StructuresChecksum sum;
  std::vector<std::byte> head(kPayloadStart);
  file.readAt(0, head);
  std::copy(placed.superblock.begin(), placed.superblock.end(), head.begin());
  sum.addHead(head);
  std::vector<std::byte> piece(kPieceBytes);
  while (begin < placed.end) {
    const auto bytes = std::span(piece).first(std::min(kPieceBytes, placed.end - begin));
    // what was allocated last may end before its room does: the trailer, behind it, makes zeros of the rest
    const std::size_t got = file.readSomeAt(begin, bytes);
    std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(got), bytes.end(), std::byte{0});
    sum.add(bytes);
    begin += bytes.size();
  }
  return sum.value();
}

Catalog StoreWriter::State::writeIndices(FileAppender& out) const {
  Catalog catalog;
  catalog.description = description;
  if (growth) catalog.left = growth->left();
  catalog.description.storedBytes = end - kPayloadStart - catalog.leftBytes();
  catalog.codec = codec;
  for (std::uint32_t n = 0; n < description.arrays.size(); ++n) {
    const IndexShape shape(description.arrays[n].pageCount(), description.arrays[n].components);
    const MemoryClaim claim = account.claim(Purpose::Work, indexWriterBytes(shape), "the index of a store");
    catalog.indices.push_back(writeIndex(out, *journal, n, shape));
  }
  fillBounds(catalog);
  return catalog;
}

/// HDF5 finds the longer store by its superblock, everybody else by the trailer: each only once all before it is on the disk. Between
/// them the note has the superblock that it was before.
void StoreWriter::State::finishGrowth(PlacedFile& placed, const Trailer& trailer, const Catalog& catalog) {
  if (placed.superblock.size() > GrowthNote::kSuperblockBytes)
    throw Io("HDF5's superblock is larger than any that a growing store has had").at("file " + path.string());
  if (sync) file.sync();
  placed.writeSuperblock();
  if (sync) file.sync();
  file.writeAt(placed.end, std::as_bytes(std::span(&trailer, 1)));
  if (sync) file.sync();
  growth->finished();
  journal.reset();
  growth.reset();
  file.close();
  description = catalog.description;
  finished = true;
}

void StoreWriter::State::fillBounds(Catalog& catalog) const {
  for (std::size_t b = 0; b < catalog.description.blocks.size(); ++b) {
    BlockDescription& block = catalog.description.blocks[b];
    const int xyz = catalog.description.find(static_cast<int>(b), ArrayRole::Coordinates);
    if (xyz >= 0 && catalog.description.arrays[static_cast<std::size_t>(xyz)].components == 3) {
      const std::vector<ValueRange>& ranges =
          catalog.indices[static_cast<std::size_t>(xyz)].summary.components;
      block.bounds.min = {ranges[0].min, ranges[1].min, ranges[2].min};
      block.bounds.max = {ranges[0].max, ranges[1].max, ranges[2].max};
    } else if (block.kind == GridKind::Regular) {
      Vec3 last = block.origin;
      for (int a = 0; a < 3; ++a)
        last[a] += block.spacing[a] * static_cast<double>(block.dims[static_cast<std::size_t>(a)] - 1);
      block.bounds = {};
      block.bounds.add(block.origin);
      block.bounds.add(last);
    } else if (block.axes) {
      const GridAxes& axes = *block.axes;
      block.bounds = {};
      block.bounds.add(Vec3{axes[0].front(), axes[1].front(), axes[2].front()});
      block.bounds.add(Vec3{axes[0].back(), axes[1].back(), axes[2].back()});
    }
  }
}

StoreWriter::StoreWriter(const fs::path& path, DatasetDescription description,
                         const StoreWriterOptions& options, MemoryAccount& account)
    : m_state(std::make_unique<State>(path, std::move(description), options, account)) {
  if (options.append) {
    m_state->startBehind();
    return;
  }
  // in a folder that cannot be entered this sees nothing; making the partial store then fails with an error
  std::error_code unseen;
  const bool partial = fs::exists(partialPath(path), unseen);
  if (fs::is_directory(path, unseen)) throw Invalid("is a folder", "name a file").at("file " + path.string());
  if (fs::exists(path, unseen) && !options.overwrite) {
    if (options.resume && !partial) {
      m_state->checkFinished();
      m_state->finished = true;
      std::error_code ignored;
      fs::remove(journalPath(path), ignored);  // left by a process killed at the very end
      return;
    }
    if (!options.resume)
      throw Invalid("exists already", "remove it, name another, or use --overwrite")
          .at("file " + path.string());
  }
  if (!options.resume || !m_state->resume()) m_state->start();
}

StoreWriter::~StoreWriter() {
  if (!m_state->journal) return;
  try {
    if (m_state->growth || m_state->journal->entries() == 0 || !m_state->keepPartial) {
      discard();
    } else {
      m_state->journal->flush();
    }
  } catch (...) {
    // The disk is full or gone; a resume finds out how much was written.
  }
}

const DatasetDescription& StoreWriter::description() const {
  return m_state->description;
}
bool StoreWriter::alreadyFinished() const {
  return m_state->finished;
}
std::uint64_t StoreWriter::pageCount() const {
  return m_state->sequence.count();
}
std::uint64_t StoreWriter::written() const {
  return m_state->journal ? m_state->journal->entries() : m_state->finished ? pageCount() : 0;
}
PageId StoreWriter::page(std::uint64_t sequence) const {
  return m_state->sequence.page(sequence);
}
std::uint64_t StoreWriter::sequenceOf(const PageId& id) const {
  return m_state->sequence.sequenceOf(id);
}
IndexBox StoreWriter::boxOf(const PageId& id) const {
  return description().arrays[id.array].boxOf(id.page);
}
std::uint64_t StoreWriter::storedBytes() const {
  return m_state->finished ? description().storedBytes : m_state->end - kPayloadStart;
}

EncodedPage StoreWriter::encode(const PageId& id, std::span<const std::byte> nodes) const {
  EncoderWork work;
  EncodedPage page;
  encodePage(m_state->codec, description().arrays[id.array], id, nodes, work, page);
  return page;
}

void StoreWriter::append(const EncodedPage& page, const PageSummary& summary) {
  m_state->append(page, summary);
}

void StoreWriter::writePages(tasks::LoopThreads& threads, std::uint64_t count, const Fill& fill,
                             int inFlight) {
  const std::uint64_t first = written(), last = std::min(first + count, pageCount());
  if (first >= last) return;
  // memory of one page: its nodes, and for encoding
  std::uint64_t nodeBytes = 0, slotBytes = 0;
  for (const ArrayDescription& array : description().arrays) {
    const auto bytes = static_cast<std::uint64_t>(array.maxPageBytes());
    nodeBytes = std::max(nodeBytes, bytes);
    slotBytes = std::max(slotBytes, bytes + encoderBytes(m_state->codec, array));
  }
  auto slotCount = static_cast<std::uint64_t>(inFlight > 0 ? inFlight : 2 * threads.threads());
  slotCount = std::clamp<std::uint64_t>(m_state->account.freeBytes() / slotBytes, 1,
                                        std::min(slotCount, last - first));
  // Others claim meanwhile: fewer pages at a time are slower, and no reason to end.
  std::optional<MemoryClaim> claim;
  while (slotCount > 1 && !(claim = m_state->account.tryClaim(Purpose::Work, slotCount * slotBytes)))
    slotCount /= 2;
  if (!claim) claim = m_state->account.claim(Purpose::Work, slotBytes, "pages being encoded");

  struct Slot {
    std::vector<std::byte> nodes;
    EncoderWork work;
    EncodedPage page;
    PageSummary summary;
  };
  std::vector<Slot> slots(slotCount);
  const auto make = [&](std::uint64_t number) {
    Slot& slot = slots[number % slotCount];
    const PageId id = page(number);
    const ArrayDescription& array = description().arrays[id.array];
    slot.nodes.reserve(nodeBytes);
    slot.nodes.resize(static_cast<std::size_t>(product(boxOf(id).size) * array.nodeBytes()));
    slot.summary = fill(id, slot.nodes);
    encodePage(m_state->codec, array, id, slot.nodes, slot.work, slot.page);
  };
  const auto put = [&](std::uint64_t number) {
    const Slot& slot = slots[number % slotCount];
    append(slot.page, slot.summary);
  };
  threads.inOrder({.first = first, .last = last, .places = slotCount, .make = make, .put = put});
  // Whoever kills the process loses the pages of one call.
  m_state->journal->flush();
}

void StoreWriter::finish() {
  State& state = *m_state;
  if (state.finished) return;
  if (written() != pageCount())
    throw Invalid("only " + std::to_string(written()) + " of " + std::to_string(pageCount()) +
                  " pages are written")
        .at("file " + state.path.string());
  state.journal->flush();
  const std::uint64_t indexAt = alignedTo8(state.end);
  FileAppender out(state.file, indexAt);
  const Catalog catalog = state.writeIndices(out);
  const std::uint64_t catalogAt = out.position();
  const std::string text = catalogText(catalog);
  const std::span<const std::byte> textBytes = std::as_bytes(std::span(text));
  out.write(textBytes);
  out.flush();

  PlacedFile placed(state.file, alignedTo8(out.position()));
  writeHdf5Structures(placed, catalog, *state.journal, {indexAt, catalogAt - indexAt},
                      {catalogAt, text.size()}, state.forVtk, state.account);

  Trailer trailer;
  trailer.catalog = {catalogAt, text.size(), checksum(textBytes)};
  trailer.version = storeVersionOf(catalog.description);
  trailer.fileBytes = placed.end + sizeof trailer;
  trailer.structures = state.structuresChecksum(placed, catalogAt + text.size());
  trailer.checksum =
      checksum(std::as_bytes(std::span(&trailer, 1)).first(sizeof trailer - sizeof trailer.checksum));
  if (state.growth) return state.finishGrowth(placed, trailer, catalog);
  state.file.writeAt(placed.end, std::as_bytes(std::span(&trailer, 1)));
  // The superblock makes it an HDF5 file and the name makes it a store: each only after everything before is
  // on the disk.
  if (state.sync) state.file.sync();
  placed.writeSuperblock();
  if (state.sync) state.file.sync();
  if (::rename(state.file.path().c_str(), state.path.c_str()) != 0)
    throw ioError("cannot take its name", errno).at("file " + state.path.string());
  if (state.sync) syncFolder(state.path);
  state.file.close();
  const fs::path journal = state.journal->path();
  state.journal.reset();
  std::error_code ignored;
  fs::remove(journal, ignored);
  state.description = catalog.description;
  state.finished = true;
}

void StoreWriter::discard() {
  m_state->discard();
}

std::array<fs::path, 2> StoreWriter::partialFiles(const fs::path& path) {
  return {partialPath(path), journalPath(path)};
}

fs::path StoreWriter::fileOfGrowth(const fs::path& path) {
  return StoreGrowth::journalPath(path);
}

bool StoreWriter::hasPartial(const fs::path& path) {
  return fs::exists(partialPath(path)) && Journal::textOf(journalPath(path)).has_value();
}

}  // namespace farfield::paging
