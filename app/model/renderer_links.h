#pragma once
// Notices when a renderer ends whose data are open, also while nothing is asked of it, and when it is back: a connection to each is
// kept for that.

#include <QObject>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "core/session/session.h"

namespace farfield::app {

class Document;
class Stage;

/// The address of the renderer that has these data; empty: they are no renderer's.
std::string rendererOf(const session::DataSource& source);
/// Data whose renderer has ended or was not there when they were opened: `selected`, or the only ones; empty: there are none.
std::string dataWithoutRenderer(const Document& document, const Stage& stage, const std::string& selected);

/// Lives on the UI thread.
class RendererLinks : public QObject {
  Q_OBJECT
 public:
  explicit RendererLinks(QObject* parent = nullptr);
  ~RendererLinks() override;

  /// These, and no others any more. Returns at once.
  void watch(const std::set<std::string>& urls);
  /// What refused a connection may have been logged in to since.
  void connectAnew(const std::string& url);

 signals:
  /// Why a renderer that is watched is not there; empty: it is. `isOther`: it has other data than before.
  void told(const std::string& url, const std::string& whyGone, bool isOther);

 private:
  struct Link {
    std::uint64_t serial = 0;  ///< what another one said before is not taken for this one's
    std::unique_ptr<std::jthread> thread;
  };
  void begin(const std::string& url);
  void end(Link& link);
  void work(const std::stop_token& stop, const std::string& url, std::uint64_t serial);

  std::uint64_t m_serial = 0;
  std::map<std::string, Link> m_links;                   ///< by address
  std::vector<std::unique_ptr<std::jthread>> m_threads;  ///< that end
};

}  // namespace farfield::app
