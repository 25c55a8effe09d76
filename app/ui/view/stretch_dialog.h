#pragma once
// By how much the axes are stretched in a view: three numbers, which take effect at once, and what fills the view.

#include <QDialog>
#include <array>
#include <functional>

#include "app/ui/view/view_controller.h"

namespace farfield::ui {

class NumberEdit;
class ViewGroup;

/// Three numbers for the stretch of a view's axes; of a view in a dialog.
class StretchEdits : public QObject {
  Q_OBJECT
 public:
  /// The edits are children of `parent`, and so is this. Both others outlive it.
  StretchEdits(ViewGroup& views, ViewController& controller, const QString& name, QWidget* parent);
  const std::array<NumberEdit*, 3>& edits() const { return m_edits; }

 private:
  void showStretch();
  void take(bool final);

  ViewGroup& m_views;
  ViewController& m_controller;
  std::array<NumberEdit*, 3> m_edits{};
};

class StretchDialog : public QDialog {
  Q_OBJECT
 public:
  /// `bounds` are asked for the data that are shown. All outlive it.
  StretchDialog(ViewGroup& views, ViewController& controller, const std::function<Bounds()>& bounds,
                QWidget* parent);
};

}  // namespace farfield::ui
