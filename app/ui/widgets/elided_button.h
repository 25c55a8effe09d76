#pragma once
// A button of some words that makes its panel no wider than the panel has to be: words that have no room are left out with an ellipsis,
// and all of them are in the tip.

#include <QPushButton>

namespace farfield::ui {

class ElidedButton final : public QPushButton {
  Q_OBJECT
 public:
  ElidedButton(const QIcon& icon, const QString& text, QWidget* parent);
  ElidedButton(const QString& text, QWidget* parent);
  QSize minimumSizeHint() const override;
  /// As it is seen.
  QString shownText() const;

 protected:
  void initStyleOption(QStyleOptionButton* option) const override;
  bool event(QEvent* event) override;
};

}  // namespace farfield::ui
