#pragma once
// The pages of a block as a map: which are in memory, which are being read, which are on disk.

#include <QWidget>

#include "app/model/workshop/paging_sight.h"

namespace farfield::ui {

class PageMapView : public QWidget {
  Q_OBJECT
 public:
  explicit PageMapView(QWidget* parent = nullptr);
  void showMap(const app::PageMap& map);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {90, 60}; }
  /// Of the kinds of cells, for a legend.
  QColor residentColor() const;
  static QColor readingColor();
  QColor missingColor() const;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  /// Of a cell, in the widget.
  QRectF cellAt(int column, int row) const;

  app::PageMap m_map;
};

}  // namespace farfield::ui
