#pragma once
// File ▸ Connect to renderer…: a renderer that runs already, one that is started on this machine for a trial, or one on another
// machine, by ssh. The command is shown, for who would rather type it there.

#include <QDialog>
#include <memory>

#include "app/model/renderers/renderer_start.h"

class QButtonGroup;
class QCheckBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace farfield::ui {

class GoingOnLabel;

class RendererDialog : public QDialog {
  Q_OBJECT
 public:
  enum class Way { Here, Ssh, Running };
  /// `dataName`: of data whose renderer may give way to the new one; empty: there are none. `isInstead`: it does, unless somebody says
  /// otherwise.
  RendererDialog(QWidget* parent, const QString& dataName, bool isInstead);
  void choose(Way way);
  /// What was started before.
  void fill(const app::RendererPlan& plan);
  /// Of one that ran there before.
  void fillAddress(const QString& url);
  /// As its button does.
  void begin();
  /// Whether what is connected to takes the place of the one before.
  bool isInstead() const;

 signals:
  /// Data of a renderer that runs.
  void urlWanted(const QString& url);
  /// It listens at its url(). Whoever gets it keeps it as long as that is shown.
  void started(farfield::app::RendererStart* renderer);

 private:
  Way way() const;
  app::RendererPlan plan() const;
  void showWay();
  void showCommand();
  void browse();
  void say(const QString& text, bool problem = false);
  void setBusy(bool busy);

  QButtonGroup* m_ways;
  QLineEdit *m_host, *m_data, *m_solution, *m_address, *m_command;
  QPushButton *m_browse, *m_copy, *m_start;
  QSpinBox* m_ranks;
  GoingOnLabel* m_text;
  QProgressBar* m_bar;
  QCheckBox* m_instead;
  std::vector<QWidget*> m_ofSsh, m_ofStart, m_ofRunning;
  int m_port;
  std::unique_ptr<app::RendererStart> m_renderer;  ///< until it listens
};

}  // namespace farfield::ui
