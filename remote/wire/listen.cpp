#include "remote/wire/listen.h"

#include <system_error>

#include "core/base/error.h"

namespace farfield::remote {

using asio::ip::tcp;

tcp::endpoint endpointOf(const std::string& text, const std::string& option) {
  const auto colon = text.rfind(':');
  const auto refuse = [&]() -> tcp::endpoint {
    throw Invalid("'" + text + "' is not ADDRESS:PORT", "write 127.0.0.1:4780, or [::1]:4780").at(option);
  };
  if (colon == std::string::npos) return refuse();
  std::string address = text.substr(0, colon);
  const std::string port = text.substr(colon + 1);
  if (address.starts_with('[') && address.ends_with(']')) address = address.substr(1, address.size() - 2);
  if (address == "localhost") address = "127.0.0.1";
  if (address.empty() || address == "*") address = "0.0.0.0";
  std::error_code error;
  const auto parsed = asio::ip::make_address(address, error);
  if (error || port.empty() || port.size() > 5 || port.find_first_not_of("0123456789") != std::string::npos)
    return refuse();
  const int number = std::stoi(port);
  if (number > 65535) return refuse();
  return {parsed, static_cast<unsigned short>(number)};
}

std::string textOf(const tcp::endpoint& endpoint) {
  const std::string address = endpoint.address().to_string();
  return (endpoint.address().is_v6() ? "[" + address + "]" : address) + ":" + std::to_string(endpoint.port());
}

void listenOn(tcp::acceptor& acceptor, const tcp::endpoint& endpoint, const std::string& option) {
  try {
    acceptor.open(endpoint.protocol());
    acceptor.set_option(tcp::acceptor::reuse_address(true));
    acceptor.bind(endpoint);
    acceptor.listen(1024);
  } catch (const std::system_error& error) {
    throw Io("cannot listen: " + error.code().message(), "choose another port, or port 0 for any")
        .at(option + " " + textOf(endpoint));
  }
}

bool isLoopback(const std::string& addressAndPort, const std::string& option) {
  return endpointOf(addressAndPort, option).address().is_loopback();
}

void requireProtection(const std::string& listen, bool hasToken, bool hasTls) {
  if (!hasToken)
    throw Invalid("other machines could reach this server without a token",
                  "give --token-file FILE, or listen on 127.0.0.1")
        .at("--listen " + listen);
  if (!hasTls)
    throw Invalid("other machines could reach this server without TLS",
                  "give --tls-cert FILE and --tls-key FILE, or listen on 127.0.0.1")
        .at("--listen " + listen);
}

}  // namespace farfield::remote
