#pragma once
// Notices when a renderer ends whose data are open, also while nothing is asked of it, and when it is back: a connection to each is
// kept for that.

#include <QObject>
#include <cstdint>
#include <map>
#include <set>
#include <stop_token>
#include <string>

#include "app/model/renderers/unwaited_threads.h"
#include "app/model/workshop/workshop_types.h"
#include "core/session/session.h"

namespace farfield::app {

class Document;
class Stage;

/// The address of the renderer that has these data; empty: they are no renderer's.
std::string rendererOf(const session::DataSource& source);
/// Whether these data lack their renderer: it has ended, refuses what asks, or was not there when they were opened.
bool lacksRenderer(const session::DataSource& source, const Stage& stage);
/// Data for which another renderer may be wanted: `selected`, if a renderer has them, else the only ones that lack theirs. Empty: there are
/// none.
std::string dataForRenderer(const Document& document, const Stage& stage, const std::string& selected);

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
  /// Why nothing can be had from a renderer that is watched: it is not there or, Problem::isRefused, lacks something, as a token; then it is
  /// not asked again before connectAnew(). Without a message: all can be had. `isOther`: it has other data than before.
  void told(const std::string& url, const farfield::app::Problem& why, bool isOther);

 private:
  struct Link {
    std::uint64_t serial = 0;  ///< what another one said before is not taken for this one's
    std::stop_source stop;
  };
  void begin(const std::string& url);
  void work(const std::stop_token& stop, const std::string& url, std::uint64_t serial);

  std::uint64_t m_serial = 0;
  std::map<std::string, Link> m_links;  ///< by address
  UnwaitedThreads m_threads{*this};     ///< last: they use the others
};

}  // namespace farfield::app
