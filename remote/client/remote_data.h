#pragma once
// far:// URLs as data to open.

#include <chrono>
#include <functional>
#include <stop_token>
#include <string>

#include "core/fields/functions/open_data.h"
#include "core/paging/sources/page_folder.h"

namespace farfield::remote {

struct RemoteDataOptions {
  /// How long a lost connection is tried for before what waits for it fails.
  std::chrono::milliseconds patience{60000};
  /// Once it is requested, all waits for servers end with Cancelled, of data that are open as well.
  std::stop_token stop = {};
  /// LinkOptions::tell of its connections.
  std::function<void(const std::string& line)> tell = {};
};

/// Implemented by what RemoteDataReader opens.
class HasServers {
 public:
  /// Some pages will never come, since every server that has them has refused to open the data again: opened anew they may.
  /// From any thread.
  virtual bool isRefused() const = 0;

 protected:
  ~HasServers() = default;
};

/// Reads what paging servers share. Each opening has connections of its own.
class RemoteDataReader final : public fields::DataReader {
 public:
  /// Pages are kept in `kept` (null: nowhere).
  explicit RemoteDataReader(std::shared_ptr<const paging::PageFolder> kept = nullptr,
                            const RemoteDataOptions& options = {})
      : m_kept(std::move(kept)), m_options(options) {}
  std::string name() const override { return "remote"; }
  bool recognizes(const std::string& source) const override;
  /// All sources are on the same servers; solutions that are not URLs are beside the first source. The server
  /// handles options and forConversion. Throws the server's errors, Io if no server can be reached.
  std::unique_ptr<fields::OpenData> open(const fields::OpenRequest& request,
                                         MemoryAccount& account) const override;

 private:
  const std::shared_ptr<const paging::PageFolder> m_kept;
  const RemoteDataOptions m_options;
};

}  // namespace farfield::remote
