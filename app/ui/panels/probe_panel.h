#pragma once
// The panel of probes that stay: a table of all of them with what is read there at the step that is shown.

#include <QWidget>
#include <array>
#include <map>
#include <vector>

#include "app/model/app_model.h"
#include "app/model/probes.h"
#include "core/fields/words/axis_names.h"

class QHBoxLayout;
class QLabel;
class QMenu;
class QTableWidget;
class QToolButton;

namespace farfield::ui {

class FunctionEditor;

class ProbePanel : public QWidget {
  Q_OBJECT
 public:
  explicit ProbePanel(app::AppModel& model, QWidget* parent = nullptr);
  QTableWidget& table() { return *m_table; }
  const std::vector<app::ProbeRow>& rows() const { return m_rows; }
  /// Of the chosen rows, or of all where none is chosen.
  void copy() const;
  /// All rows. False if the file cannot be written.
  bool writeCsv(const QString& path) const;
  /// Chooses the last place of an object.
  void showLast(app::ObjectId id);
  QSize sizeHint() const override;

 signals:
  void objectChosen(farfield::app::ObjectId id);
  void message(const QString& text);
  /// Of place `number` of an object; `function` may be empty.
  void timePlotWanted(farfield::app::ObjectId probe, std::size_t number, const std::string& function);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void refresh();
  /// With units, where all data that have `function` agree.
  QString hint() const;
  std::array<fields::AxisName, 3> axesOfRows() const;
  QString headOf(const std::string& function) const;
  void fillFunctions();
  /// The line for functions and expressions, with the names that there are now.
  void makeAdding();
  QString problemOf(const QString& typed) const;
  void removeChosen();
  void plotChosen();
  void save();
  std::vector<std::size_t> chosenRows() const;
  /// Where no row was chosen.
  bool copiesAll() const;
  void showWhatIsCopied();

  app::AppModel& m_model;
  QLabel* m_hint;
  QTableWidget* m_table;
  bool m_marking = false;   ///< a row is selected as it was pinned, marked for the eye, which nobody chose
  bool m_isMarked = false;  ///< that is what is selected
  QToolButton *m_functions, *m_time, *m_copy, *m_csv, *m_remove;
  QMenu* m_menu;
  QLabel* m_adding;
  QHBoxLayout* m_addingRow;
  FunctionEditor* m_added = nullptr;
  std::vector<std::string> m_names;                                ///< that it completes
  std::map<app::ObjectId, std::vector<scene::PlaceMark>> m_marks;  ///< as they were read last
  std::vector<app::ProbeRow> m_rows;
  QStringList m_heads;  ///< of the columns
};

}  // namespace farfield::ui
