#pragma once
// The folders that a paging server shares, for somebody who looks for data there: one connection, on which one folder
// after the other is listed.

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "remote/client/far_url.h"
#include "remote/protocol/messages.h"

namespace farfield::remote {

class Link;

/// Who is asked for passwords where ssh needs them.
enum class Asks { User, Nobody };

/// For one thread at a time.
class ServerFolders {
 public:
  /// Connects to the first of the hosts that can be reached. Waits. Throws as Link::connect.
  explicit ServerFolders(const FarUrl& url, const std::stop_token& stop = {}, Asks asks = Asks::User);
  ~ServerFolders();
  ServerFolders(const ServerFolders&) = delete;
  ServerFolders& operator=(const ServerFolders&) = delete;

  /// What is in a folder, by '/' below what is shared (over ssh from the root of the machine); empty: the topmost. Sorted by
  /// name. Waits. Throws NotFound, Invalid (no folder), Io, Cancelled; all name the server.
  std::vector<ListEntry> list(const std::string& folder, const std::stop_token& stop = {});
  /// What the server calls itself.
  std::string server() const;

 private:
  std::shared_ptr<Link> m_link;
};

/// The URL of `path` on the servers of `url`, with odd characters percent-encoded.
std::string urlOf(const FarUrl& url, const std::string& path);

}  // namespace farfield::remote
