#pragma once
// A function along a line through the data, as a curve that follows the step shown and the line as it is changed.

#include <QDialog>
#include <QTimer>
#include <array>
#include <optional>

#include "app/model/app_model.h"

class QComboBox;
class QLabel;
class QPushButton;

namespace farfield::ui {

class CurveView;
class NumberEdit;

class PlotDialog : public QDialog {
  Q_OBJECT
 public:
  /// Of the data of `selected`, or the first that are open; along its rake, where it has one.
  PlotDialog(app::AppModel& model, app::ObjectId selected, QWidget* parent);
  ~PlotDialog() override;
  CurveView& curve() { return *m_curve; }
  /// False if the file cannot be written.
  bool writeCsv(const QString& path) const;

 private:
  void ask();
  void showAnswer(const app::LineAnswer& answer);
  void save(const QString& filter, const char* suffix);
  Vec3 end(std::size_t n) const;

  app::AppModel& m_model;
  std::string m_data;
  std::optional<app::LineRequest> m_asked;  ///< last
  std::optional<app::LineAnswer> m_answer;
  QComboBox* m_by;
  std::array<std::array<NumberEdit*, 3>, 2> m_ends{};
  CurveView* m_curve;
  QLabel* m_note;
  QPushButton *m_csv, *m_svg;
  QTimer m_soon{this};
};

}  // namespace farfield::ui
