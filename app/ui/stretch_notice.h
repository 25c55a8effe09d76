#pragma once
// Says, above the view, that data are seen as a line or a needle, and offers to stretch the axes: once for new data, and again where the
// same data are read in another way, with another vertical axis, and have other proportions then. Where axes of different units were
// stretched for the first view, it says so.

#include <QObject>
#include <QString>
#include <map>
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
  bool isNewAndUntouched(const app::DataSummary& summary) const;
  void sayStretched(const app::UnevenSides& sides);
  void offer(const app::UnevenSides& sides, Vec3 now, Vec3 wanted);

  app::AppModel& m_model;
  ViewController& m_controller;
  NoticeBar& m_bar;
  std::map<std::string, Vec3> m_sizes;  ///< of data, by name, as they were opened last
  Vec3 m_saidOf;                        ///< the stretch of the view when something was said
};

}  // namespace farfield::ui
