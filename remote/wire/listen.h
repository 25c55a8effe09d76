#pragma once
// Where servers listen: addresses as users write them, and what is asked of a server that other machines can reach.

#include <asio/ip/tcp.hpp>
#include <string>

namespace farfield::remote {

/// "127.0.0.1:4780", "[::1]:0", "localhost:0", "*:4780". `option` names it in errors. Throws Invalid.
asio::ip::tcp::endpoint endpointOf(const std::string& text, const std::string& option);
std::string textOf(const asio::ip::tcp::endpoint& endpoint);
/// Throws Io (the port is taken).
void listenOn(asio::ip::tcp::acceptor& acceptor, const asio::ip::tcp::endpoint& endpoint,
              const std::string& option);
/// Whether ADDRESS:PORT can be reached from this machine only. Throws Invalid.
bool isLoopback(const std::string& addressAndPort, const std::string& option);
/// Throws Invalid for a server that other machines can reach, at `listen`, and that lacks a token or TLS.
void requireProtection(const std::string& listen, bool hasToken, bool hasTls);

}  // namespace farfield::remote
