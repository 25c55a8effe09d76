#pragma once
// Functions of the data and their formulas, and those that the user makes of them by expressions: named, kept in the session, and
// offered wherever a function is chosen.

#include <QDialog>

#include "app/model/app_model.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;

namespace farfield::ui {

class FunctionEditor;

/// Not modal: what it adds is seen at once. `model` outlives it.
class Calculator : public QDialog {
  Q_OBJECT
 public:
  Calculator(app::AppModel& model, const std::string& dataName, QWidget* parent);

  /// What stands in it and is not kept yet.
  struct Draft {
    std::string data;
    QString name, expression;
  };
  Draft draft() const;
  /// Nothing where it is of other data.
  void setDraft(const Draft& draft);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  std::string dataName() const;
  void refreshData();
  void refresh();
  void makeExpression();
  void showChosen();
  void insertChosen();
  void check();
  QString problemOfExpression(const QString& text) const;
  void keep();
  /// Asks first where something shows it.
  void removeChosen();
  QLineEdit* line() const;
  /// The data are open with it, as the session has it: not yet while they are read, nor while a server or files are away.
  bool isListed(const QString& name) const;

  app::AppModel& m_model;
  std::shared_ptr<const app::DataSummary> m_shown;  ///< of which the list is
  std::map<std::string, QString> m_own;
  QString m_kept;  ///< last, and nothing has been done since: it is shown in the list
  QComboBox* m_data;
  QLineEdit *m_filter, *m_name;
  QTreeWidget* m_functions;
  QWidget* m_place;  ///< of the expression
  QLabel* m_expressionLabel;
  FunctionEditor* m_expression = nullptr;
  QLabel* m_problem;
  QPushButton *m_insert, *m_keep, *m_remove;
};

}  // namespace farfield::ui
