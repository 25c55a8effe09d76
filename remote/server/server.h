#pragma once
// The paging server: listens, lets clients in, answers until it is told to stop.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/fields/open_data.h"

namespace farfield::remote {

class Upstream;

struct ServerOptions {
  struct Export {
    std::string name;  ///< empty where there is one
    std::filesystem::path folder;
  };
  std::vector<Export> exports;
  std::string listen = "127.0.0.1:0";  ///< ADDRESS:PORT, port 0: any
  int listenDescriptor = -1;           ///< a listening socket that was handed over; -1: none
  /// A connected socket: this client alone is served, and run() ends with it. -1: none. The server's from now on.
  int onlyClient = -1;
  std::uint64_t cacheBytes = std::uint64_t{256} << 20;
  std::filesystem::path tokenFile, tlsCertificate, tlsKey;
  std::string metrics;  ///< ADDRESS:PORT on loopback, empty: none
  double bytesPerSecond = 0, bytesPerSecondAndClient = 0;
  int threads = 2;
  std::shared_ptr<Upstream> upstream;                ///< in place of exports; null: none
  std::function<void(const std::string& line)> log;  ///< from any thread
};

class Server {
 public:
  /// Listens from now on. `readers` outlives it. Throws what is wrong with the options: Invalid (off loopback without
  /// token or TLS, an address that is none), Io (the port is taken), and what files throw.
  Server(const ServerOptions& options, const fields::ReaderRegistry& readers);
  ~Server();
  /// "127.0.0.1:4780"; empty with one client.
  std::string address() const;
  std::string metricsAddress() const;
  /// Of its certificate; empty without TLS.
  std::string fingerprint() const;
  /// Serves until stop(); call once.
  void run();
  /// Ends run() after what is on its way to clients has been sent, or some seconds. From any thread.
  void stop();
  /// Takes tokens, shared folders, rates and certificate from `options`; what is open stays so. Throws as the
  /// constructor, and then nothing has changed.
  void reload(const ServerOptions& options);

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

/// What the constructor would throw, without listening.
void checkOptions(const ServerOptions& options);
/// Whether ADDRESS:PORT is only reached from this machine. Throws Invalid.
bool isLoopback(const std::string& addressAndPort);

}  // namespace farfield::remote
