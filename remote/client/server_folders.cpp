#include "remote/client/server_folders.h"

#include <chrono>

#include "core/base/error.h"
#include "remote/client/known_servers.h"
#include "remote/client/link.h"

namespace farfield::remote {
namespace {

/// Over ssh the user may have to give a password.
constexpr std::chrono::minutes kSshWithin{2};
/// Somebody looks, and can ask again.
constexpr std::chrono::seconds kPatience{15};

bool isPlain(char letter) {
  const bool word = (letter >= '0' && letter <= '9') || (letter >= 'A' && letter <= 'Z') ||
                    (letter >= 'a' && letter <= 'z');
  return word || std::string("-_.~/+=@,:!$&'()*;").find(letter) != std::string::npos;
}

}  // namespace

ServerFolders::ServerFolders(const FarUrl& url, const std::stop_token& stop, Asks asks) {
  std::exception_ptr first;
  for (const Host& host : url.hosts) {
    try {
      LinkOptions options;
      options.host = host;
      options.patience = kPatience;
      if (url.overSsh) {
        options.overSsh = true;
        options.user = url.user;
        options.connectWithin = kSshWithin;
        options.asksNobody = asks == Asks::Nobody;
      } else {
        options.credentials = credentialsFor(host);
      }
      m_link = Link::connect(options, stop);
      return;
    } catch (const Cancelled&) {
      throw;
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  }
  std::rethrow_exception(first);
}

ServerFolders::~ServerFolders() = default;

std::vector<ListEntry> ServerFolders::list(const std::string& folder, const std::stop_token& stop) {
  std::vector<ListEntry> all;
  for (const Bytes& part : m_link->call(MessageType::List, bytesOf(ListRequest{folder}), false, stop))
    for (ListEntry& entry : parseListing(part).entries) all.push_back(std::move(entry));
  return all;
}

std::string ServerFolders::server() const {
  return m_link->welcome().server;
}

std::string urlOf(const FarUrl& url, const std::string& path) {
  std::string text = url.overSsh ? "far+ssh://" + (url.user.empty() ? "" : url.user + "@") : "far://";
  for (std::size_t n = 0; n < url.hosts.size(); ++n) text += (n ? "," : "") + url.hosts[n].text();
  text += '/';
  for (const char letter : path) {
    if (isPlain(letter) || static_cast<unsigned char>(letter) >= 0x80) {
      text += letter;
      continue;
    }
    constexpr const char* kDigits = "0123456789abcdef";
    text += '%';
    text += kDigits[static_cast<unsigned char>(letter) >> 4];
    text += kDigits[static_cast<unsigned char>(letter) & 15];
  }
  return text;
}

}  // namespace farfield::remote
