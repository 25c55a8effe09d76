#pragma once
// The paging server: listens, accepts clients and answers them until it is stopped.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/fields/functions/open_data.h"

namespace farfield::remote {

class Upstream;

struct ServerOptions {
  struct Export {
    std::string name;  ///< empty if it is the only one
    std::filesystem::path folder;
  };
  std::vector<Export> exports;
  std::string listen = "127.0.0.1:0";  ///< ADDRESS:PORT, port 0: any
  /// A listening socket to take over; -1: none.
  int listenDescriptor = -1;
  /// A connected socket to take over: only this client is served, and run() ends with it. -1: none.
  int onlyClient = -1;
  std::uint64_t cacheBytes = std::uint64_t{256} << 20;
  std::filesystem::path tokenFile, tlsCertificate, tlsKey;
  std::string metrics;  ///< ADDRESS:PORT on loopback, empty: none
  double bytesPerSecond = 0, bytesPerSecondAndClient = 0;
  int threads = 2;
  /// Instead of exports; null: none.
  std::shared_ptr<Upstream> upstream;
  std::function<void(const std::string& line)> log;  ///< from any thread
};

class Server {
 public:
  /// Starts to listen. `readers` outlives it. Throws Invalid (off loopback without token or TLS, a malformed
  /// address), Io (the port is taken), and what files throw.
  Server(const ServerOptions& options, const fields::ReaderRegistry& readers);
  ~Server();
  /// "127.0.0.1:4780"; empty with one client.
  std::string address() const;
  std::string metricsAddress() const;
  /// Of its certificate; empty without TLS.
  std::string fingerprint() const;
  /// Serves until stop(); call once.
  void run();
  /// Ends run() after the answers on their way have been sent, or after some seconds. From any thread.
  void stop();
  /// Takes tokens, shared folders, rates and certificate from `options`; open connections stay. Throws as the
  /// constructor, and then changes nothing.
  void reload(const ServerOptions& options);

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

/// Throws what the constructor would throw, without listening.
void checkOptions(const ServerOptions& options);

}  // namespace farfield::remote
