#include "core/paging/bytes/byte_object.h"

#include "core/base/changed_file.h"
#include "core/base/error.h"
#include "core/paging/bytes/local_file.h"
#include "core/paging/bytes/read_engine.h"

namespace farfield::paging {

std::size_t ByteObject::readSomeAt(std::uint64_t offset, std::span<std::byte> out) const {
  try {
    return readSomeAt(offset, out, out.size());
  } catch (Error& error) {
    error.at(m_name);
    throw;
  }
}

void ByteObject::readAt(std::uint64_t offset, std::span<std::byte> out) const {
  const std::size_t got = readSomeAt(offset, out);
  if (got == out.size()) return;
  checkUnchanged();  // one that is being written anew is short for a while: then it is that
  throw Corrupt("ends at byte " + std::to_string(offset + got) + ", but " + std::to_string(out.size()) +
                    " bytes are expected at byte " + std::to_string(offset),
                "the file is cut short; copy or convert it again")
      .at(m_name);
}

std::unique_ptr<ReadEngine> ByteObject::makeEngine(const ByteObjects& objects,
                                                   const EngineOptions& options) const {
  return makeThreadEngine(objects, options.readers);
}

void ByteObject::throwChanged() {
  throw fileHasChanged();
}

ByteStores::ByteStores() {
  m_stores[""] = m_stores["file"] = std::make_shared<LocalStore>();
}

std::string ByteStores::schemeOf(const std::string& name) {
  const std::size_t end = name.find("://");
  return end == std::string::npos ? std::string() : name.substr(0, end);
}

std::shared_ptr<const ByteObject> ByteStores::open(const std::string& name) const {
  const auto store = m_stores.find(schemeOf(name));
  if (store != m_stores.end()) return store->second->open(name);
  std::string known;
  for (const auto& [scheme, ignored] : m_stores)
    if (!scheme.empty()) known += (known.empty() ? "" : ", ") + scheme + "://";
  throw Unsupported("no reader for names of this kind", "use a file, or one of: " + known).at(name);
}

}  // namespace farfield::paging
