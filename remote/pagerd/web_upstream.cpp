#include "remote/pagerd/web_upstream.h"

#include <atomic>
#include <random>

#include "core/base/error.h"
#include "core/base/url.h"
#include "core/fields/data/store_data.h"
#include "core/fields/functions/node_places.h"
#include "core/fields/functions/origin.h"
#include "plugins/formats/formats.h"
#ifdef FARFIELD_HTTP
#include "remote/http/http_store.h"
#include "remote/pagerd/shared_path.h"
#endif

namespace farfield::remote {

#ifdef FARFIELD_HTTP
namespace {

/// Memory for what opened data sets keep, staging included.
constexpr std::uint64_t kSetBytes = std::uint64_t{64} << 20;

class WebUpstream final : public Upstream {
 public:
  explicit WebUpstream(std::string url) : m_url(std::move(url)) {
    while (m_url.ends_with('/')) m_url.pop_back();
    if (m_url.find_first_of("?#") != std::string::npos || m_url.find("://") + 3 >= m_url.size())
      throw Invalid("is no folder of a web server", "give https://HOST/FOLDER").at(m_url);
    const auto stores = std::make_shared<paging::ByteStores>();
    http::addHttpStores(*stores, {.stop = m_stop.get_token()});
    m_readers.add(std::make_unique<fields::StoreDataReader>(stores));
    formats::addFormats(m_readers, {.stores = stores});
  }

  std::shared_ptr<ServedSet> open(const OpenRequestMessage& request) override {
    fields::OpenRequest asked;
    for (const std::string& source : request.sources) asked.sources.push_back(urlOf(source));
    for (const std::string& solution : request.solutions) asked.solutions.push_back(urlOf(solution));
    asked.reader = request.reader;
    for (const auto& [key, value] : request.options)
      if (key != kMadeLevel) asked.options.emplace(key, value);
    asked.forConversion = request.forConversion;
    asked.stop = m_stop.get_token();
    // what data name lies beside them or in folders there, and nowhere else
    asked.findNamed = [this](const std::string& file, const std::string& named) {
      if (isUrl(named))
        throw Invalid("leads out of what is shared", "name a file below the folder").at(named);
      return file.substr(0, file.rfind('/')) + urlOf(named).substr(m_url.size());
    };
    auto data = fields::withoutPlaces(m_readers.open(asked, m_account));
    Opened facts;
    std::uint64_t files = m_unknown++;
    if (const auto* const remote = dynamic_cast<const fields::RemoteOrigin*>(data.get())) {
      const fields::Origin origin = remote->origin();
      files = origin.identity;
      facts.fileBytes = origin.fileBytes;
    }
    facts.identity = identityOfReading({&files, 1}, request);
    data = atLevel(std::move(data), request, m_account);
    return servedData(std::move(data), std::move(facts), {}, request.forConversion, m_account,
                      m_stop.get_token());
  }

  std::vector<ListEntry> list(const std::string&) override {
    throw Unsupported("web servers do not say what they have", "name a file");
  }

  void stop() noexcept override { m_stop.request_stop(); }

 private:
  /// Below the folder and nowhere else; every character of a name is part of the name.
  std::string urlOf(const std::string& path) const {
    std::string url = m_url;
    for (const std::string_view part : partsOfSharedPath(path)) {
      url += '/';
      for (const char letter : part) {
        const bool isPlain = m_url.starts_with("s3://") || (letter != '%' && letter != '?' && letter != '#');
        if (static_cast<unsigned char>(letter) < 0x20)
          throw Invalid("is no name of a file", "check it").at(std::string(part));
        if (isPlain)
          url += letter;
        else
          url += letter == '%' ? "%25" : letter == '?' ? "%3F" : "%23";
      }
    }
    return url;
  }

  std::string m_url;
  std::stop_source m_stop;
  fields::ReaderRegistry m_readers;
  MemoryAccount m_account{kSetBytes};
  /// Of data that do not say which files they are of: like none before.
  std::atomic<std::uint64_t> m_unknown{(std::uint64_t{std::random_device()()} << 32) + 1};
};

}  // namespace

std::shared_ptr<Upstream> makeWebUpstream(const std::string& url) {
  return std::make_shared<WebUpstream>(url);
}
#else

std::shared_ptr<Upstream> makeWebUpstream(const std::string& url) {
  throw Unsupported("this build has no libcurl", "build with libcurl (Debian: libcurl4-openssl-dev)").at(url);
}

#endif

}  // namespace farfield::remote
