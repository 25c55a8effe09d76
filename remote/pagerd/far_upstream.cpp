#include "remote/pagerd/far_upstream.h"

#include <mutex>

#include "core/base/error.h"
#include "core/fields/functions/origin.h"
#include "remote/client/far_url.h"
#include "remote/client/link.h"
#include "remote/client/remote_data.h"
#include "remote/pagerd/shared_path.h"

namespace farfield::remote {
namespace {

/// Memory for what opened data sets keep, staging included.
constexpr std::uint64_t kSetBytes = std::uint64_t{64} << 20;

class FarUpstream final : public Upstream {
 public:
  FarUpstream(const std::string& url, std::chrono::milliseconds patience)
      : m_url(parseFarUrl(url)), m_patience(patience) {
    if (m_url.overSsh) throw Unsupported("a server is not reached over ssh").at(url);
    m_base = url.substr(0, url.find('/', std::string("far://").size()));
  }

  std::shared_ptr<ServedSet> open(const OpenRequestMessage& request) override {
    fields::OpenRequest asked;
    for (const std::string& source : request.sources) asked.sources.push_back(urlOf(source));
    for (const std::string& solution : request.solutions) asked.solutions.push_back(urlOf(solution));
    asked.reader = request.reader;
    asked.options.insert(request.options.begin(), request.options.end());
    asked.forConversion = request.forConversion;
    asked.stop = m_stop.get_token();
    auto data = RemoteDataReader(nullptr, {.patience = m_patience, .stop = m_stop.get_token()})
                    .open(asked, m_account);
    const fields::Origin origin = dynamic_cast<const fields::RemoteOrigin&>(*data).origin();
    Opened facts;
    facts.identity = origin.identity;
    facts.fileBytes = origin.fileBytes;
    facts.isStore = origin.isStore;  // levels of detail are asked for otherwise
    const auto* const servers = dynamic_cast<const HasServers*>(data.get());
    return servedData(std::move(data), std::move(facts), {}, request.forConversion, m_account,
                      m_stop.get_token(), [servers] { return servers && servers->isRefused(); });
  }

  std::vector<ListEntry> list(const std::string& path) override {
    const std::shared_ptr<Link> link = linkForLists();
    std::vector<ListEntry> all;
    try {
      for (const Bytes& part :
           link->call(MessageType::List, bytesOf(ListRequest{pathOf(path)}), false, m_stop.get_token()))
        for (ListEntry& entry : parseListing(part).entries) all.push_back(std::move(entry));
    } catch (const Error&) {
      // It may be broken for good, whatever it says: the next list makes another.
      const std::lock_guard lock(m_mutex);
      if (m_link == link) m_link.reset();
      throw;
    }
    return all;
  }

  void stop() noexcept override { m_stop.request_stop(); }

 private:
  /// Without the lock while it connects: several may, and one of theirs is kept.
  std::shared_ptr<Link> linkForLists() {
    {
      const std::lock_guard lock(m_mutex);
      if (m_link) return m_link;
    }
    LinkOptions options;
    options.host = m_url.hosts.front();
    options.credentials = credentialsFor(options.host);
    options.patience = m_patience;
    std::shared_ptr<Link> made = Link::connect(options, m_stop.get_token());
    const std::lock_guard lock(m_mutex);
    if (!m_link) m_link = std::move(made);
    return m_link;
  }
  /// On the other server, below the folder and nowhere else; empty: the folder itself.
  std::string pathOf(const std::string& path) const {
    if (path.empty()) return m_url.path;
    (void)partsOfSharedPath(path);
    return m_url.path.empty() ? path : m_url.path + "/" + path;
  }
  /// A '%' in a name is part of the name.
  std::string urlOf(const std::string& path) const {
    std::string encoded;
    for (const char letter : pathOf(path))
      encoded += letter == '%' ? std::string("%25") : std::string(1, letter);
    return m_base + "/" + encoded;
  }

  const FarUrl m_url;
  const std::chrono::milliseconds m_patience;
  std::string m_base;
  MemoryAccount m_account{kSetBytes};
  std::stop_source m_stop;
  std::mutex m_mutex;
  std::shared_ptr<Link> m_link;
};

}  // namespace

std::shared_ptr<Upstream> makeFarUpstream(const std::string& url, std::chrono::milliseconds patience) {
  return std::make_shared<FarUpstream>(url, patience);
}

}  // namespace farfield::remote
