#pragma once
// The panel of life lines of a renderer: what its ranks and this window do, as it happens. While it is seen the ranks tell; hidden it
// costs nothing.

#include <QWidget>

#include "app/model/app_model.h"
#include "app/model/renderers/renderer_watch.h"

class QComboBox;
class QLabel;
class QToolButton;

namespace farfield::ui {

class RendererLinesView;

class RendererPanel : public QWidget {
  Q_OBJECT
 public:
  explicit RendererPanel(app::AppModel& model, QWidget* parent = nullptr);
  QSize sizeHint() const override;
  /// What was told last, or what is held.
  const app::RendererLives& shown() const { return m_shown; }

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void offerRenderers();
  void watch();
  void take(const app::RendererLives& lives);
  void draw();
  double seconds() const;

  app::AppModel& m_model;
  app::RendererWatch* m_watch;
  QComboBox *m_renderer, *m_last;
  QToolButton* m_hold;
  QLabel* m_note;
  RendererLinesView* m_lines;
  app::RendererLives m_shown;
  QString m_watched;  ///< last
};

}  // namespace farfield::ui
