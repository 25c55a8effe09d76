#pragma once
// A paging server inside a test, on a port of its own.

#include <memory>
#include <thread>

#include "core/fields/data/store_data.h"
#include "plugins/formats/formats.h"
#include "remote/server/server.h"

namespace farfield::test {

inline const fields::ReaderRegistry& servedReaders() {
  static const auto* const readers = [] {
    auto* const its = new fields::ReaderRegistry;
    its->add(std::make_unique<fields::StoreDataReader>());
    formats::addFormats(*its);
    return its;
  }();
  return *readers;
}

class LoopbackServer {
 public:
  /// Of `root`, or of the upstream of `options`.
  explicit LoopbackServer(const std::filesystem::path& root, remote::ServerOptions options = {}) {
    if (!options.upstream) options.exports = {{"", root}};
    m_server = std::make_unique<remote::Server>(options, servedReaders());
    m_thread = std::thread([this] { m_server->run(); });
  }
  ~LoopbackServer() {
    m_server->stop();
    m_thread.join();
  }
  std::string address() const { return m_server->address(); }
  std::string url(const std::string& path) const { return "far://" + address() + "/" + path; }
  remote::Server& server() { return *m_server; }

 private:
  std::unique_ptr<remote::Server> m_server;
  std::thread m_thread;
};

}  // namespace farfield::test
