#pragma once
// How the servers fare that data come from, in the status bar: speed and round trip, or that the connection is lost.

#include <QLabel>
#include <set>
#include <string>

#include "app/model/workshop/lost_links.h"
#include "app/model/workshop/workshop_types.h"

namespace farfield::ui {

class LinkLabel : public QLabel {
  Q_OBJECT
 public:
  explicit LinkLabel(QWidget* parent = nullptr);
  /// Hidden where no data are elsewhere. `lost`: servers that data wait for, `refusing`: those that ask for a login, whatever their last
  /// connection says.
  void showLinks(const app::WorkshopCounters& counters, const std::set<std::string>& lost = {},
                 const std::set<std::string>& refusing = {});
  /// Whether something waits for one that is lost.
  bool isLost() const { return m_lost; }

 private:
  app::LostLinks m_lostLinks;  ///< by server
  bool m_lost = false;
};

/// By server, of all data; `disk`: what came from pages that are kept on disk.
struct LinkSum {
  std::map<std::string, app::LinkSight> servers;
  app::LinkSight disk;
};
LinkSum sumOfLinks(const app::WorkshopCounters& counters);

}  // namespace farfield::ui
