#pragma once
// A window with data open and the panel of plots at hand.

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>

#include <optional>

#include "app/ui/plots/curve_view.h"
#include "app/ui/plots/plot_panel.h"
#include "tests/gui/window/support/studio.h"

namespace farfield::test {

struct PlotStudio : Studio {
  explicit PlotStudio(const QString& open) {
    model.open({open});
    (void)QTest::qWaitFor([&] { return rests() && !session().objects.empty(); }, kPatienceMs);
  }
  ui::PlotPanel& panel() const { return *window.findChild<ui::PlotPanel*>(); }
  const ui::Curve& curve() const { return panel().curve().curve(); }
  QComboBox* choice(const char* name) const { return child<QComboBox>(QString("plot.") + name); }
  QString note() const { return child<QLabel>("plot.note")->text(); }
  /// What is plotted; one function or several, with commas.
  void type(const QString& functions) const {
    QLineEdit* const edit = choice("by")->lineEdit();
    edit->setFocus();
    edit->selectAll();
    QTest::keyClicks(edit, functions);
    QTest::keyClick(edit, Qt::Key_Return);
  }
  const std::optional<session::PlotChoice>& kept() { return session().plot; }
  void keep(const QString& name) {
    if (const QString where = qEnvironmentVariable("FARFIELD_SCREENSHOTS"); !where.isEmpty())
      QVERIFY(window.grab().save(where + "/" + name + ".png"));
  }
};

}  // namespace farfield::test
