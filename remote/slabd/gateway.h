#pragma once
// The one port of a renderer, on its first rank: lets viewers in, joins each of their connections to a rank, which dials out to
// the gateway because nobody can reach the nodes it runs on, divides what is to be shown among the ranks that are there, and
// goes on with the others when one is gone.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "remote/slabd/input_plan.h"
#include "remote/slabs/slab_messages.h"

namespace farfield::remote {

struct GatewayOptions {
  std::string listen = "127.0.0.1:0";
  std::filesystem::path tokenFile, tlsCertificate, tlsKey;
  std::uint32_t ranks = 1;
  std::uint32_t slabs = 8;  ///< along an axis
  bool sizesInputs =
      false;  ///< ranks read for others: `inputs`, or, where there is none, as many as should by what is measured
  std::optional<InputNeed> inputs;
  bool otherNodes = false;  ///< ranks dial from other machines, not from this one alone
  std::string secret;       ///< that ranks know
  VolumeFacts facts;
  std::function<void(const std::string& line)> log;     ///< called on its thread
  std::function<void(const std::string& line)> notice;  ///< likewise: what whoever started it wants to know
};

/// Has a thread of its own.
class Gateway {
 public:
  /// Listens. Throws Invalid (off loopback without token or TLS, a malformed address), Io (the port is taken), and what files throw.
  explicit Gateway(GatewayOptions options);
  ~Gateway();
  /// For viewers: "127.0.0.1:4790".
  std::string address() const;
  /// Where ranks dial.
  std::uint16_t rankPort() const;
  std::string fingerprint() const;
  /// Throws Io if they do not all come within some seconds.
  void waitForRanks();

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace farfield::remote
