#pragma once
// Says, above the view, that adding an object has hidden the surface around it, and offers to show that again.

#include <QObject>
#include <QString>
#include <set>

#include "app/model/document.h"

namespace farfield::ui {

class NoticeBar;

class CoverNotice : public QObject {
  Q_OBJECT
 public:
  /// `document` and `bar` outlive it.
  CoverNotice(app::Document& document, NoticeBar& bar, QObject* parent);

 private:
  void noteHidden(app::ObjectId id, const session::Object& before);
  void look();

  app::Document& m_document;
  NoticeBar& m_bar;
  app::ObjectId m_added = 0, m_hidden = 0;  ///< by the change that is being told of
  std::set<app::ObjectId> m_said;           ///< hidden ones that the bar spoke of
};

}  // namespace farfield::ui
