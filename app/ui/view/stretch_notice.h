#pragma once
// Says, above the view, that data are seen as a line or a needle, and offers to stretch the axes: once for new data, also for those that
// come to others and make a line or a needle of the whole, and again where the same data are read in another way, with another vertical
// axis, and have other proportions then. Where axes of different units were stretched for the first view, it says so.

#include <QObject>
#include <QString>
#include <map>
#include <set>
#include <string>

#include "app/first/first_view.h"
#include "app/model/app_model.h"

namespace farfield::ui {

class NoticeBar;
class ViewController;

class StretchNotice : public QObject {
  Q_OBJECT
 public:
  /// All outlive it.
  StretchNotice(app::AppModel& model, ViewController& controller, NoticeBar& bar, QObject* parent);

 private:
  void look(const std::string& name);
  void check();
  bool isStretchedAtFirst(const app::DataSummary& summary) const;
  bool isSeenAsWasSaved(const std::string& name, const app::DataSummary& summary) const;
  bool wasUnevenWithout(const std::string& name, Vec3 stretch) const;
  void sayStretched(const std::string& name, const app::UnevenSides& sides);
  void offer(const std::string& name, const app::UnevenSides& sides, Vec3 now, Vec3 wanted);

  app::AppModel& m_model;
  ViewController& m_controller;
  NoticeBar& m_bar;
  std::map<std::string, Vec3> m_sizes;  ///< of data, by name, as they were opened last
  std::set<std::string> m_saved;        ///< data of the session that was opened
  std::set<std::string> m_told;         ///< data that were stretched at first, of which that was said
  Vec3 m_saidOf;                        ///< the stretch of the view when something was said
  std::string m_saidFor;                ///< the data that it was said of
};

}  // namespace farfield::ui
