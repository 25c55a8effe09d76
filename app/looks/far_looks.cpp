#include "app/looks/far_looks.h"

#include <algorithm>

#include "core/base/error.h"
#include "remote/client/far_url.h"
#include "remote/client/server_folders.h"
#ifdef FARFIELD_HTTP
#include "core/paging/bytes/byte_object.h"
#include "remote/http/http_store.h"
#endif

namespace farfield::app {
namespace {

/// Between looks at a place; and at least so many times as long as one takes.
constexpr std::chrono::milliseconds kLeast{2000};
constexpr int kTimesLook = 20;

[[maybe_unused]] bool isOnTheWeb(const std::string& name) {
  return name.starts_with("http://") || name.starts_with("https://") || name.starts_with("s3://");
}

}  // namespace

FarLooks::FarLooks() {
#ifdef FARFIELD_HTTP
  m_web = std::make_shared<http::HttpStore>(http::HttpOptions{.stop = m_stop.get_token()});
#endif
}

FarLooks::~FarLooks() = default;

void FarLooks::add(const session::Session& session, session::FileLook& look) {
  for (const session::DataSource& source : session.data)
    for (const auto* names : {&source.source, &source.solution})
      for (const std::string& name : *names) {
        if (m_web && isOnTheWeb(name)) {
          const Seen& seen = lookAt(name, [&] { return asked(name); });
          look.files.insert(look.files.end(), seen.begin(), seen.end());
        }
        if (!remote::isFarUrl(name)) continue;
        const remote::FarUrl url = remote::parseFarUrl(name);
        if (url.path.empty()) continue;
        std::string hosts = url.overSsh ? url.user + "@" : "";
        for (const remote::Host& host : url.hosts) hosts += host.text() + ",";
        const std::size_t slash = url.path.rfind('/');
        const std::string folder = slash == std::string::npos ? "" : url.path.substr(0, slash);
        const std::string file = url.path.substr(slash == std::string::npos ? 0 : slash + 1);
        for (session::FileLook::Seen entry :
             lookAt(hosts + folder, [&] { return listed(url, hosts, folder); })) {
          if (entry.name != file) continue;
          entry.name = name;
          look.files.push_back(std::move(entry));
        }
      }
}

session::FileLook FarLooks::at(const session::Session& session) {
  session::FileLook look = session::lookAt(session);
  try {
    session::FileLook elsewhere;
    add(session, elsewhere);
    m_last = std::move(elsewhere);
  } catch (const Cancelled&) {
    throw;
  } catch (const Error&) {
    // opening says what is wrong; the server may answer next time
  }
  look.files.insert(look.files.end(), m_last.files.begin(), m_last.files.end());
  return look;
}

const FarLooks::Seen& FarLooks::lookAt(const std::string& place, const std::function<Seen()>& look) {
  Place& its = m_places[place];
  const Clock::time_point began = Clock::now();
  if (began < its.due) return its.seen;
  // Also where it fails: what takes long to say so is not asked all the time.
  const auto waits = [&] {
    const Clock::time_point ended = Clock::now();
    its.due = ended + std::max<Clock::duration>(kLeast, kTimesLook * (ended - began));
  };
  try {
    its.seen = look();
  } catch (...) {
    waits();
    throw;
  }
  waits();
  return its.seen;
}

FarLooks::Seen FarLooks::listed(const remote::FarUrl& url, const std::string& hosts,
                                const std::string& folder) {
  if (m_givenUp.contains(hosts)) return {};
  auto& server = m_servers[hosts];
  Seen seen;
  try {
    if (!server)
      server = std::make_unique<remote::ServerFolders>(url, m_stop.get_token(), remote::Asks::Nobody);
    for (const remote::ListEntry& entry : server->list(folder, m_stop.get_token()))
      seen.push_back({entry.name, 0, entry.bytes, 0, 0});
    m_reached.insert(hosts);
  } catch (const Error&) {
    server.reset();
    // A network that is away for a moment is no reason to give a machine up.
    if (!url.overSsh || m_reached.contains(hosts) || m_stop.stop_requested()) throw;
    m_givenUp.insert(hosts);
  }
  return seen;
}

FarLooks::Seen FarLooks::asked([[maybe_unused]] const std::string& name) {
#ifdef FARFIELD_HTTP
  const paging::Generation now = m_web->look(name);
  // the name as it is, and what the server knows this version by
  return {{name + '\n' + now.tag, 0, now.bytes, 0, 0}};
#else
  return {};
#endif
}

}  // namespace farfield::app
