#include "app/model/server_looks.h"

#include <algorithm>

#include "core/base/error.h"
#include "remote/client/far_url.h"
#include "remote/client/server_folders.h"

namespace farfield::app {
namespace {

constexpr const char* kName = "serverLooks";
/// Between looks at a folder; and at least so many times as long as one takes.
constexpr std::chrono::milliseconds kLeast{2000};
constexpr int kTimesLook = 20;

}  // namespace

ServerLooks::ServerLooks(QObject* parent) : QObject(parent) {
  setObjectName(kName);
}
ServerLooks::~ServerLooks() = default;

ServerLooks& ServerLooks::of(const QObject& parent) {
  return *static_cast<ServerLooks*>(parent.findChild<QObject*>(kName, Qt::FindDirectChildrenOnly));
}

void ServerLooks::add(const session::Session& alone, session::FileLook& look) {
  for (const session::DataSource& source : alone.data)
    for (const auto* names : {&source.source, &source.solution})
      for (const std::string& name : *names) {
        if (!remote::isFarUrl(name)) continue;
        const remote::FarUrl url = remote::parseFarUrl(name);
        if (url.overSsh || url.path.empty()) continue;
        std::string hosts;
        for (const remote::Host& host : url.hosts) hosts += host.text() + ",";
        const std::size_t slash = url.path.rfind('/');
        const std::string folder = slash == std::string::npos ? "" : url.path.substr(0, slash);
        const std::string file = url.path.substr(slash == std::string::npos ? 0 : slash + 1);
        for (const remote::ListEntry& entry : list(hosts, folder, name))
          if (entry.name == file) look.files.push_back({name, 0, entry.bytes, 0, 0});
      }
}

const std::vector<remote::ListEntry>& ServerLooks::list(const std::string& hosts, const std::string& path,
                                                        const std::string& url) {
  Folder& folder = m_folders[hosts + path];
  const Clock::time_point began = Clock::now();
  if (began < folder.due) return folder.entries;
  auto& server = m_servers[hosts];
  try {
    if (!server)
      server = std::make_unique<remote::ServerFolders>(remote::parseFarUrl(url), m_stop.get_token());
    folder.entries = server->list(path, m_stop.get_token());
  } catch (const Error&) {
    server.reset();
    throw;
  }
  const Clock::time_point ended = Clock::now();
  folder.due = ended + std::max<Clock::duration>(kLeast, kTimesLook * (ended - began));
  return folder.entries;
}

}  // namespace farfield::app
