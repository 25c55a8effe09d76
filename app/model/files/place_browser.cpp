#include "app/model/files/place_browser.h"

#include <QPointer>
#include <algorithm>

#include "core/base/error.h"
#include "core/base/stoppable_waits.h"
#include "core/base/url.h"
#include "remote/client/login.h"
#include "remote/client/server_folders.h"
#include "remote/slabs/slab_login.h"
#include "remote/slabs/slab_viewer.h"

namespace farfield::app {
namespace {

/// Of the exception being handled.
PlaceProblem problemNow() {
  try {
    throw;
  } catch (const Error& error) {
    PlaceProblem problem;
    problem.message =
        QString::fromStdString((error.place().empty() ? "" : error.place() + ": ") + error.message());
    problem.asksForLogin = remote::asksForLogin(error);
    problem.advice =
        problem.asksForLogin ? PlaceBrowser::tr("log in above") : QString::fromStdString(error.action());
    return problem;
  } catch (const std::exception& error) {
    return {QString::fromUtf8(error.what()), {}, false};
  }
}

QString serverOf(const remote::FarUrl& url) {
  return QString::fromStdString(remote::urlOf(url, ""));
}

/// Of a paging server, which may have several, or of a renderer.
std::vector<remote::Host> hostsOf(const std::string& url) {
  if (remote::isSlabUrl(url)) return {remote::parseSlabUrl(url)};
  return remote::parseFarUrl(url).hosts;
}

/// What a server calls a file that was named as a folder: not that one is not there.
bool isNoFolder(const Error& error) {
  return dynamic_cast<const Invalid*>(&error) && error.message() == "is not a folder";
}

PlaceListing listingOf(remote::ServerFolders& folders, const remote::FarUrl& url, std::string folder,
                       const std::stop_token& stop) {
  PlaceListing listing;
  while (folder.ends_with('/')) folder.pop_back();
  std::vector<remote::ListEntry> entries;
  try {
    entries = folders.list(folder, stop);
  } catch (const Error& error) {
    if (folder.empty() || !isNoFolder(error)) throw;
    // A file was named: what lies beside it, and which it is.
    const auto slash = folder.rfind('/');
    listing.chosen = QString::fromStdString(folder.substr(slash + 1));
    folder = slash == std::string::npos ? "" : folder.substr(0, slash);
    entries = folders.list(folder, stop);
  }
  const auto at = [&](const std::string& path) { return QString::fromStdString(remote::urlOf(url, path)); };
  const std::string below = folder.empty() ? "" : folder + "/";
  listing.url = at(below);
  if (!folder.empty()) {
    const auto slash = folder.rfind('/');
    listing.parentUrl = at(slash == std::string::npos ? "" : folder.substr(0, slash + 1));
  }
  listing.server = QString::fromStdString(folders.server());
  for (const remote::ListEntry& entry : entries) {
    PlaceEntry its;
    its.kind = static_cast<PlaceEntry::Kind>(entry.kind);
    its.name = QString::fromStdString(entry.name);
    its.url = at(below + entry.name + (entry.kind == remote::EntryKind::Folder ? "/" : ""));
    if (!entry.solution.empty()) its.solutionUrl = at(below + entry.solution);
    its.bytes = entry.bytes;
    listing.entries.push_back(std::move(its));
  }
  std::stable_sort(listing.entries.begin(), listing.entries.end(), [](const auto& a, const auto& b) {
    return a.kind == PlaceEntry::Kind::Folder && b.kind != PlaceEntry::Kind::Folder;
  });
  return listing;
}

}  // namespace

PlaceBrowser::PlaceBrowser(QObject* parent) : QObject(parent) {}

PlaceBrowser::~PlaceBrowser() {
  for (auto& [work, thread] : m_works) thread.request_stop();
}

void PlaceBrowser::begin(std::function<std::function<void()>(std::stop_token)> work) {
  for (auto& [before, thread] : m_works) thread.request_stop();
  std::erase_if(m_works, [](const auto& each) {
    const std::lock_guard lock(each.first->mutex);
    return each.first->isDone;
  });
  const std::uint64_t number = ++m_number;
  auto state = std::make_shared<Work>();
  // Threads end before this object does, and what they posted is dropped with it.
  m_works.emplace_back(state,
                       std::jthread([this, state, number, work = std::move(work)](std::stop_token stop) {
                         std::function<void()> tell;
                         try {
                           tell = work(stop);
                         } catch (const Cancelled&) {
                           tell = [] {};
                         } catch (...) {
                           tell = [this, problem = problemNow()] { emit failed(problem); };
                         }
                         QMetaObject::invokeMethod(
                             this,
                             [this, number, tell = std::move(tell)] {
                               if (number != m_number) return;
                               setBusy(false);
                               tell();
                             },
                             Qt::QueuedConnection);
                         const std::lock_guard lock(state->mutex);
                         state->isDone = true;
                       }));
  setBusy(true);
}

void PlaceBrowser::list(const QString& text) {
  // A connection serves one listing at a time; one whose listing is given up goes with it.
  begin([this, text = text.toStdString(), folders = std::exchange(m_folders, nullptr),
         server = m_server](const std::stop_token& stop) mutable -> std::function<void()> {
    const remote::FarUrl url = remote::parseFarUrl(text);
    if (!folders || server != serverOf(url)) folders = std::make_shared<remote::ServerFolders>(url, stop);
    const PlaceListing listing = listingOf(*folders, url, url.path, stop);
    return [this, listing, its = std::move(folders), name = serverOf(url)] {
      m_folders = its;
      m_server = name;
      emit listed(listing);
    };
  });
}

void PlaceBrowser::findBeside(const QString& url, const QStringList& names,
                              std::function<bool(const std::string& url)> isThere) {
  begin(
      [this, url, names, isThere = std::move(isThere)](const std::stop_token& stop) -> std::function<void()> {
        const StoppableWaits stoppable(stop);
        QString found;
        try {
          for (const QString& name : names) {
            const std::string other = besideUrl(url.toStdString(), name.toStdString());
            if (stop.stop_requested()) throw Cancelled();
            if (!isThere || !isThere(other)) continue;
            found = QString::fromStdString(other);
            break;
          }
        } catch (const Cancelled&) {
          throw;
        } catch (const Error&) {
          // Opening the file itself says what is wrong there.
        }
        return [this, url, found] { emit foundBeside(url, found); };
      });
}

void PlaceBrowser::lookAtCertificates(const QString& text) {
  begin([this, text = text.toStdString()](const std::stop_token& stop) -> std::function<void()> {
    QStringList seen;
    for (const remote::Host& host : hostsOf(text))
      seen.append(QString::fromStdString(remote::fingerprintOfServer(host, stop)));
    return [this, seen] { emit certificatesSeen(seen); };
  });
}

void PlaceBrowser::logIn(const QString& text, const QString& token, const QStringList& fingerprints) {
  m_folders.reset();  // it was made without
  begin([this, text = text.toStdString(), token = token.trimmed().toStdString(),
         fingerprints](const std::stop_token& stop) -> std::function<void()> {
    QString server;
    const std::vector<remote::Host> hosts = hostsOf(text);
    for (std::size_t n = 0; n < hosts.size(); ++n) {
      const auto isTheSame = [&](const std::string& shown) {
        if (shown == fingerprints.value(static_cast<qsizetype>(n)).toStdString()) return true;
        throw Invalid("the server shows another certificate now", "look at it again");
      };
      const remote::Login login = remote::isSlabUrl(text)
                                      ? remote::logInToRenderer(text, token, isTheSame, stop)
                                      : remote::logIn(hosts[n], token, isTheSame, stop);
      if (server.isEmpty()) server = QString::fromStdString(login.server);
    }
    return [this, server] { emit loggedIn(server); };
  });
}

void PlaceBrowser::leave() {
  cancel();
  if (!m_folders) return;
  // The end of a connection may take a moment.
  begin(
      [folders = std::exchange(m_folders, nullptr)](const std::stop_token&) mutable -> std::function<void()> {
        folders.reset();
        return [] {};
      });
}

void PlaceBrowser::cancel() {
  for (auto& [before, thread] : m_works) thread.request_stop();
  ++m_number;  // nothing more is told
  setBusy(false);
}

void PlaceBrowser::setBusy(bool busy) {
  if (busy == m_busy) return;
  m_busy = busy;
  emit busyChanged(busy);
}

}  // namespace farfield::app
