#pragma once
// far:// URLs as data to open.

#include "core/fields/open_data.h"
#include "core/paging/sources/page_folder.h"

namespace farfield::remote {

/// Reads what paging servers share. Each opening has connections of its own.
class RemoteDataReader final : public fields::DataReader {
 public:
  /// Pages are kept in `kept` (null: nowhere).
  explicit RemoteDataReader(std::shared_ptr<const paging::PageFolder> kept = nullptr)
      : m_kept(std::move(kept)) {}
  std::string name() const override { return "remote"; }
  bool recognizes(const std::string& source) const override;
  /// All sources are on the same servers; solutions that are not URLs are beside the first source. The server
  /// handles options and forConversion. Throws the server's errors, Io if no server can be reached.
  std::unique_ptr<fields::OpenData> open(const fields::OpenRequest& request,
                                         MemoryAccount& account) const override;

 private:
  std::shared_ptr<const paging::PageFolder> m_kept;
};

}  // namespace farfield::remote
