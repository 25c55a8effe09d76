#pragma once
// Says, above the view, that adding an object has hidden the surface around it, and offers to show that again.

#include <QObject>
#include <QString>

#include "app/model/document.h"

namespace farfield::ui {

class NoticeBar;

class CoverNotice : public QObject {
  Q_OBJECT
 public:
  /// `document` and `bar` outlive it. What the bar says of something else gives way.
  CoverNotice(app::Document& document, NoticeBar& bar, QObject* parent);

 private:
  void noteHidden(app::ObjectId id, const session::Object& before);
  void look();
  bool isSaid() const;

  app::Document& m_document;
  NoticeBar& m_bar;
  app::ObjectId m_added = 0, m_hidden = 0;  ///< by the change that is being told of
  app::ObjectId m_said = 0;                 ///< the hidden one that the bar speaks of
  QString m_text;
};

}  // namespace farfield::ui
