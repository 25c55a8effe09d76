#pragma once
// The camera in numbers: to be read, typed, copied and pasted. What is set moves the view at once, and is one step.

#include <QDialog>
#include <array>
#include <optional>

#include "app/ui/view/view_controller.h"

class QCheckBox;
class QLabel;

namespace farfield::ui {

class NumberEdit;
class ViewGroup;

class CameraDialog : public QDialog {
  Q_OBJECT
 public:
  /// Of the active view, whichever that becomes. Both outlive it.
  CameraDialog(ViewGroup& views, ViewController& controller, QWidget* parent);

 private:
  void showCamera();
  void take();
  void copy();
  void paste();

  ViewGroup& m_views;
  ViewController& m_controller;
  std::array<NumberEdit*, 3> m_position{}, m_target{}, m_up{};
  NumberEdit* m_angle;
  QCheckBox* m_orthographic;
  QLabel *m_angleText, *m_problem;
};

}  // namespace farfield::ui
