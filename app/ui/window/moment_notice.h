#pragma once
// A session knows the step that is to be shown by its number among all files that it names. Where its data can only be opened without the
// bad ones, those behind them have other numbers: the step that was meant is shown, or the nearest, with a word. Where a pattern finds
// fewer files, or more, the time tells which step was meant.

#include <QObject>
#include <QString>
#include <functional>
#include <set>
#include <string>

#include "app/model/document/document.h"
#include "app/model/stage/stage.h"

namespace farfield::ui {

class MomentNotice : public QObject {
  Q_OBJECT
 public:
  /// All outlive it.
  MomentNotice(app::Document& document, app::Stage& stage, std::function<void(const QString&)> tell,
               QObject* parent);

 private:
  void look(const std::string& name);
  void lookAtTime();

  app::Document& m_document;
  app::Stage& m_stage;
  std::function<void(const QString&)> m_tell;
  /// Data of the session that was opened, in which all steps of theirs count, until they are open.
  std::set<std::string> m_counted;
  bool m_wantsTime = false;  ///< of the session that was opened, until all data are open
};

}  // namespace farfield::ui
