#pragma once
// Says, above the view, that adding an object has hidden the surface around it, and offers to show that again. Where nothing is seen of
// that object, once it has been computed, the surface comes back by itself; and where something of it is there later, at another step or
// by another function, it is offered to be hidden once more.

#include <QObject>
#include <QString>
#include <map>
#include <set>

#include "app/model/document/document.h"
#include "app/model/object_tree.h"
#include "app/model/stage/stage.h"
#include "render/qt3d/volume_sight.h"

namespace farfield::ui {

class NoticeBar;

class CoverNotice : public QObject {
  Q_OBJECT
 public:
  /// All outlive it.
  CoverNotice(app::Document& document, app::Stage& stage, app::ObjectTree& tree, NoticeBar& bar,
              QObject* parent);
  /// The surface that is hidden for an object, or was for one that has gone, and was not shown since; 0: none.
  app::ObjectId hiddenFor(app::ObjectId added) const;
  /// Of a volume it is known by its picture whether anything is seen.
  void showSight(app::ObjectId id, const qt3d::VolumeSight& sight);

 private:
  void noteHidden(app::ObjectId id, const session::Object& before);
  void look();
  void seeAdded(app::ObjectId id);
  void endWait(app::ObjectId id, bool showsNothing);
  /// It showed nothing when it was added.
  void offerHiding(app::ObjectId id, const app::ObjectStatus& status);

  app::Document& m_document;
  app::Stage& m_stage;
  app::ObjectTree& m_tree;
  NoticeBar& m_bar;
  app::ObjectId m_added = 0, m_hidden = 0;  ///< by the change that is being told of
  std::set<app::ObjectId> m_said;           ///< hidden ones that the bar spoke of
  struct Hidden {
    app::ObjectId surface = 0;
    bool isOver = false;  ///< what it was hidden for has gone, and it was shown since
  };
  std::map<app::ObjectId, Hidden> m_hiddenFor;  ///< by what was added
  /// By what was added, until that has been computed: what was hidden for it.
  std::map<app::ObjectId, app::ObjectId> m_awaited;
  std::map<app::ObjectId, app::ObjectId> m_back;  ///< by what showed nothing then: what came back for it
  std::set<app::ObjectId> m_offered;              ///< surfaces that the bar offers to hide
};

}  // namespace farfield::ui
