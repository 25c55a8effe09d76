#pragma once
// Looks for data on paging servers for a window: lists folders, looks at a certificate, logs in, to renderers as well. Each is done on a thread
// of its own, ends at once for the window when it is cancelled, and is told on the UI thread.

#include <QObject>
#include <QString>
#include <QStringList>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

namespace farfield::remote {
class ServerFolders;
}

namespace farfield::app {

struct PlaceEntry {
  enum class Kind { Folder, File, Store } kind = Kind::File;
  QString name, url;
  QString solutionUrl;  ///< what lies beside a grid as its solution; may be empty
  quint64 bytes = 0;
};
struct PlaceListing {
  QString url;        ///< of the folder
  QString parentUrl;  ///< empty: it is the topmost
  QString server;     ///< what the server calls itself
  QString chosen;     ///< the name in it that was asked for, where that is no folder; else empty
  std::vector<PlaceEntry> entries;  ///< folders first
};
struct PlaceProblem {
  QString message, advice;
  bool asksForLogin = false;
};

/// Lives on the UI thread; no call waits. One thing at a time: what is begun ends what was.
class PlaceBrowser : public QObject {
  Q_OBJECT
 public:
  explicit PlaceBrowser(QObject* parent = nullptr);
  /// Waits for what cannot be cancelled, such as the system's looking for a name.
  ~PlaceBrowser() override;

  /// A folder, or the folder of a file, by URL.
  void list(const QString& url);
  /// The first of `names` beside the URL of a file on a web server or S3 that `isThere`, where folders cannot be listed.
  void findBeside(const QString& url, const QStringList& names,
                  std::function<bool(const std::string& url)> isThere);
  /// The fingerprint of the certificate of each of the URL's servers; empty: one on this machine that does not encrypt.
  void lookAtCertificates(const QString& url);
  /// Keeps the token (empty: none) and the certificates, which must have these fingerprints.
  void logIn(const QString& url, const QString& token, const QStringList& fingerprints);
  void cancel();
  /// Ends the connection, too, that is kept for the next listing.
  void leave();
  bool isBusy() const { return m_busy; }

 signals:
  void listed(const farfield::app::PlaceListing& listing);
  /// Empty: there is none, or it cannot be told.
  void foundBeside(const QString& url, const QString& found);
  void certificatesSeen(const QStringList& fingerprints);
  void loggedIn(const QString& server);
  void failed(const farfield::app::PlaceProblem& problem);
  void busyChanged(bool busy);

 private:
  struct Work {
    std::mutex mutex;
    bool isDone = false;
  };
  /// Does `work` on a thread, whose result, a call on the UI thread, is dropped where another was begun meanwhile.
  void begin(std::function<std::function<void()>(std::stop_token)> work);
  void setBusy(bool busy);

  std::uint64_t m_number = 0;
  bool m_busy = false;
  std::shared_ptr<remote::ServerFolders> m_folders;  ///< of the server that was listed last
  QString m_server;                                  ///< which that is
  std::list<std::pair<std::shared_ptr<Work>, std::jthread>> m_works;
};

}  // namespace farfield::app
