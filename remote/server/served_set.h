#pragma once
// A data set that a server has opened: its description, and its pages as they are stored.

#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>

#include "core/base/memory_account.h"
#include "core/fields/functions/open_data.h"
#include "remote/protocol/messages.h"
#include "remote/server/page_blob.h"
#include "remote/server/root_folder.h"
#include "remote/server/set_files.h"

namespace farfield::remote {

/// Receives a page that was read: exactly one of the two is given. From any thread.
using PageDone = std::function<void(PageBlobPointer page, std::exception_ptr error)>;

/// Thread-safe.
class ServedSet {
 public:
  virtual ~ServedSet() = default;
  virtual const paging::DatasetDescription& description() const = 0;
  /// Everything except the handle.
  const Opened& opened() const { return m_opened; }
  std::uint64_t identity() const { return m_opened.identity; }
  /// Tells these very files from others, also from such with the same bytes.
  std::uint64_t filesKey() const { return m_filesKey ? m_filesKey : identity(); }
  std::uint64_t mostStoredBytes(std::uint32_t array) const { return m_opened.arrays[array].mostStoredBytes; }
  /// Sets each of `out`, one for each page, to the page if it is there without waiting; the others stay null. The pages
  /// exist.
  virtual void tryRead(std::span<const PageName> pages, std::span<PageBlobPointer> out) = 0;
  /// Reads it; `done` may be called before this returns.
  virtual void read(std::uint32_t array, std::uint64_t page, PageDone done) = 0;
  /// Waits. Throws Corrupt, Io.
  virtual IndexRecord indexOf(std::uint32_t array, std::uint64_t page) = 0;
  /// For a striped set: which parts are here.
  virtual PartsReply parts() const { return {{{true, ""}}}; }
  bool isWhole() const;
  /// Whether opening `request`, which led to this set, would lead to the same once more.
  virtual bool isCurrent(const RootFolder& /*root*/, const OpenRequestMessage& /*request*/) const {
    return isWhole();  // what a striped set lacks may have come meanwhile
  }
  /// What it is read from is closed for good, and opened anew may be there.
  virtual bool isOver() const { return false; }
  /// Values of a box of nodes at one step, i fastest; null if values are only in pages.
  virtual const paging::BoxReader* boxes() const { return nullptr; }
  /// The array of boxes() that corresponds to an array of the description; -1: none.
  virtual int boxArray(std::uint32_t /*array*/) const { return -1; }

 protected:
  /// The constructor of a derived class fills it in.
  Opened m_opened;
  std::uint64_t m_filesKey = 0;  ///< 0: the identity
};

/// Runs work that waits on some thread.
using RunElsewhere = std::function<void(std::function<void()>)>;

/// What sets are opened with. All of it outlives the sets.
struct SetSurroundings {
  const fields::ReaderRegistry& readers;  ///< for other data than stores
  MemoryAccount& account;
  RunElsewhere run;
  std::stop_token stop = {};  ///< ends openings, and waits for pages
};

/// The level of detail of `data` that the option kMadeLevel of `request` names, which has all of what it needs of them; `data`
/// themselves if it names none. Throws Invalid, and what opening throws.
std::unique_ptr<fields::OpenData> atLevel(std::unique_ptr<fields::OpenData> data,
                                          const OpenRequestMessage& request, MemoryAccount& account);

/// Opens what `request` names below `root`. Waits. Throws what opening throws; errors use the client's names
/// of files.
std::shared_ptr<ServedSet> openSet(const RootFolder& root, const OpenRequestMessage& request,
                                   const SetSurroundings& surroundings);
/// The identity that openSet would give; the same errors if the files do not exist.
std::uint64_t identityOf(const RootFolder& root, const OpenRequestMessage& request);

/// Of data that are read as `request` says, from files with these identities: how they are read makes other pages of them.
std::uint64_t identityOfReading(std::span<const std::uint64_t> files, const OpenRequestMessage& request);

/// Any opened data as a set; `facts` has identity and fileBytes. With `forConversion` it has no pages. Once `stop` is asked for,
/// pages that are waited for, and later ones, end with Cancelled. `isOver`: ServedSet::isOver(), from any thread while the data
/// are open; null: never. Throws OverBudget.
std::shared_ptr<ServedSet> servedData(std::unique_ptr<fields::OpenData> data, Opened facts, SetFiles files,
                                      bool forConversion, MemoryAccount& account,
                                      const std::stop_token& stop = {}, std::function<bool()> isOver = {});

}  // namespace farfield::remote
