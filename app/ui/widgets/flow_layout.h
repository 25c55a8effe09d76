#pragma once
// Things beside one another, in as many rows as they need, like words: a panel need not be as wide as all of its buttons together.

#include <QLayout>
#include <memory>
#include <vector>

namespace farfield::ui {

class FlowLayout final : public QLayout {
  Q_OBJECT
 public:
  /// Without margins at first. `spacing` in pixels, between neighbours and between rows.
  explicit FlowLayout(QWidget* parent, int spacing);
  ~FlowLayout() override;

  void addItem(QLayoutItem* item) override;
  int count() const override;
  QLayoutItem* itemAt(int index) const override;
  QLayoutItem* takeAt(int index) override;
  Qt::Orientations expandingDirections() const override { return {}; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  void setGeometry(const QRect& place) override;
  /// In one row.
  QSize sizeHint() const override;
  /// As wide as the widest.
  QSize minimumSize() const override;

 private:
  /// The height that it takes; `moves`: and puts them there.
  int arrange(const QRect& place, bool moves) const;

  std::vector<std::unique_ptr<QLayoutItem>> m_items;
};

}  // namespace farfield::ui
