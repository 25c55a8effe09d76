#pragma once
// How a picture is to be written: how large, and with what behind it.

#include <QDialog>
#include <array>

class QCheckBox;
class QLabel;

namespace farfield::ui {

class WholeNumberBox;

class ExportImageDialog : public QDialog {
  Q_OBJECT
 public:
  /// Begins with `sizePixels`; `viewPixels` is that of the view.
  ExportImageDialog(std::array<int, 2> sizePixels, std::array<int, 2> viewPixels, bool transparent,
                    QWidget* parent);
  std::array<int, 2> sizePixels() const;
  bool isTransparent() const;

 private:
  void check();

  WholeNumberBox *m_width, *m_height;
  QCheckBox* m_transparent;
  QLabel* m_problem;
};

}  // namespace farfield::ui
