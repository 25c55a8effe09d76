#pragma once
// Files of web servers and objects of S3 in the byte layer: https://…, http://…, s3://bucket/key. Every
// answer is compared with what the object was when it was opened (its ETag, or the time of the last change,
// and its size), so that a replaced object is an error and never a mixture. Needs a server that honours
// ranges of bytes; from others small objects are read, and larger ones from their beginning (answer.h).

#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "core/paging/bytes/byte_object.h"
#include "remote/http/block_cache.h"
#include "remote/http/http_options.h"

namespace farfield::http {

class HttpObject;

/// All its objects share one thread and its connections, which are made with the first.
class HttpStore final : public paging::ByteStore, public std::enable_shared_from_this<HttpStore> {
 public:
  explicit HttpStore(const HttpOptions& options = {});
  ~HttpStore() override;
  /// Recently opened objects are shared: readers examine a file one after the other. After a moment they are looked at
  /// before, and what could not be opened is tried anew.
  std::shared_ptr<const paging::ByteObject> open(const std::string& name) const override;
  /// What it is now. Waits. Throws as open().
  paging::Generation look(const std::string& name) const;

 private:
  friend class HttpObject;
  struct Shared;
  struct Opened;
  std::shared_ptr<Shared> shared() const;
  RangeEnd askAnew(const std::shared_ptr<HttpTarget>& target, std::span<std::byte> first) const;
  /// An opening that may be shared; null: none. Throws its error.
  std::shared_ptr<const HttpObject> sharedOne(const std::string& name, bool& isOld) const;
  void forget(const std::string& name) const;

  const HttpOptions m_options;
  mutable std::mutex m_mutex;
  mutable std::shared_ptr<Shared> m_shared;
  mutable std::list<Opened> m_opened;
};

/// Adds a store for each scheme.
void addHttpStores(paging::ByteStores& stores, const HttpOptions& options = {});

}  // namespace farfield::http
