#pragma once
// An object that was opened over HTTP.

#include "core/paging/bytes/growing_object.h"
#include "remote/http/http_store.h"
#include "remote/http/object_ranges.h"

namespace farfield::http {

struct HttpStore::Shared {
  explicit Shared(const HttpOptions& options);
  const std::shared_ptr<Transfers> transfers;
  BlockCache blocks;
};

class HttpObject final : public paging::ByteObject, public paging::GrowingObject {
 public:
  HttpObject(std::string name, std::shared_ptr<HttpTarget> target, paging::Generation generation,
             bool isSentWhole, std::string server, std::shared_ptr<HttpStore::Shared> shared,
             std::weak_ptr<const HttpStore> store);
  ~HttpObject() override;

  using ByteObject::readSomeAt;
  std::size_t readSomeAt(std::uint64_t offset, std::span<std::byte> out, std::size_t enough) const override;
  void expect(std::uint64_t offset, std::uint64_t bytes) const noexcept override;
  void checkUnchanged() const override;
  std::unique_ptr<paging::ReadEngine> makeEngine(const paging::ByteObjects& objects,
                                                 const paging::EngineOptions& options) const override;
  std::string server() const override { return m_server; }
  void letGrow(const std::vector<paging::LastingBytes>& lasting) const override { m_ranges.letGrow(lasting); }

  ObjectRanges& ranges() const { return m_ranges; }
  /// The first block came with opening.
  void keepBeginning(std::vector<std::byte> bytes) const { m_shared->blocks.put(m_ranges, std::move(bytes)); }
  /// An object that has changed is not shared with later openings.
  void noteError(const std::exception_ptr& error) const noexcept;

 private:
  void readInParts(std::uint64_t offset, std::span<std::byte> out) const;

  const std::string m_name;  ///< as it was opened
  const std::string m_server;
  const std::shared_ptr<HttpStore::Shared> m_shared;
  mutable ObjectRanges m_ranges;
  const std::weak_ptr<const HttpStore> m_store;
};

}  // namespace farfield::http
