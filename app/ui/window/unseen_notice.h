#pragma once
// Says, above the view, that data have come of which none of several views shows anything, as a third data set beside two that are
// compared, and offers to show them.

#include <QObject>
#include <QString>
#include <set>
#include <string>

#include "app/model/document/document.h"

namespace farfield::ui {

class NoticeBar;

class UnseenNotice : public QObject {
  Q_OBJECT
 public:
  /// `document` and `bar` outlive it.
  UnseenNotice(app::Document& document, NoticeBar& bar, QObject* parent);

 private:
  void look();
  bool isUnseen(const std::string& data) const;
  void say(const std::string& data);

  app::Document& m_document;
  NoticeBar& m_bar;
  std::set<app::ObjectId> m_added;  ///< by the change that is being told of
  std::set<std::string> m_said;     ///< data that the bar spoke of
};

}  // namespace farfield::ui
