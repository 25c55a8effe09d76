#pragma once
// How a PLOT3D file was written, chosen by hand: what is left alone is found by looking.

#include <QWidget>
#include <map>
#include <string>
#include <vector>

class QComboBox;

namespace farfield::ui {

class Plot3dOptions : public QWidget {
  Q_OBJECT
 public:
  /// So many choices beside one another.
  explicit Plot3dOptions(int inRow, QWidget* parent = nullptr);
  /// Reader's options, of what is chosen: for the grid, and the same for the solution where that has them.
  std::map<std::string, std::string> options() const;
  void setOptions(const std::map<std::string, std::string>& options);
  /// The keys that it may set.
  static std::vector<std::string> keys();

 private:
  std::vector<QComboBox*> m_choices;
};

}  // namespace farfield::ui
