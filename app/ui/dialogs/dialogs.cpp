#include "app/ui/dialogs/dialogs.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabWidget>
#include <QVBoxLayout>
#include <utility>

#include "app/ui/dialogs/command_palette.h"
#include "app/ui/widgets/budget_edit.h"
#include "app/ui/widgets/look.h"
#include "app/ui/widgets/whole_number_box.h"
#include "core/base/machine.h"

namespace farfield::ui {
namespace {

using Rows = std::vector<std::pair<QString, QString>>;

/// Below what stands in these two columns already.
void addTable(QGridLayout* grid, int column, const QString& heading, const Rows& rows) {
  QWidget* const parent = grid->parentWidget();
  int row = 0;
  while (grid->itemAtPosition(row, column)) ++row;
  if (!heading.isEmpty()) grid->addWidget(makeHeading(heading, parent), row++, column, 1, 2);
  for (const auto& [key, what] : rows) {
    auto* const name = new QLabel(key, parent);
    name->setForegroundRole(QPalette::PlaceholderText);
    grid->addWidget(name, row, column, Qt::AlignLeft | Qt::AlignTop);
    grid->addWidget(new QLabel(what, parent), row, column + 1, Qt::AlignLeft | Qt::AlignTop);
    ++row;
  }
}

QString licenceText() {
  return QStringLiteral(
      "Farfield is free software under the Apache License, version 2.0.\n\n"
      "It is built with:\n"
      "Qt 6 and Qt 3D (LGPL 3)\n"
      "Boost.Context (Boost Software License 1.0)\n"
      "HDF5 (BSD-style, The HDF Group)\n"
      "Zstandard (BSD), LZ4 (BSD), zlib (zlib licence), xxHash (BSD)\n"
      "liburing (LGPL 2.1 / MIT)\n"
      "nlohmann/json (MIT), CLI11 (BSD)\n"
      "libpng (PNG licence), FreeType (FreeType licence), Fontconfig (MIT-style)\n\n"
      "Colour maps: viridis, plasma (CC0, matplotlib), cividis (CC0), turbo (Apache 2.0, Google), "
      "cool-warm after K. Moreland, 2009; batlow, hawaii, lajolla, oslo, vik, berlin, romaO (MIT, Fabio "
      "Crameri); thermal, haline, deep, ice, speed, balance, phase (MIT, Kristen M. Thyng: cmocean). This product "
      "includes color specifications and designs developed by Cynthia Brewer (http://colorbrewer.org/): RdBu, "
      "Spectral, YlGnBu (Apache 2.0).\n");
}

}  // namespace

QDialog* makeCheatSheet(const QList<QAction*>& actions, QWidget* parent) {
  auto* const dialog = new QDialog(parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(QObject::tr("Keys and mouse"));
  dialog->setObjectName("cheatSheet");
  auto* const column = new QVBoxLayout(dialog);
  // On a small screen it is scrolled.
  auto* const area = new QScrollArea(dialog);
  area->setObjectName("cheatSheet.area");
  area->setFrameShape(QFrame::NoFrame);
  area->setWidgetResizable(true);
  area->setWhatsThis(QObject::tr("All keys, and what the mouse does in the view. Arrow keys scroll."));
  auto* const tables = new QWidget(area);
  auto* const grid = new QGridLayout(tables);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(18);
  grid->setVerticalSpacing(3);
  const Rows mouse{{QObject::tr("Left"), QObject::tr("turn, or drag a handle")},
                   {QObject::tr("Middle, Shift+left"), QObject::tr("pan")},
                   {QObject::tr("Right, Ctrl+left, wheel"), QObject::tr("zoom")},
                   {QObject::tr("Double click"), QObject::tr("turn about this place")},
                   {QObject::tr("Shift while dragging a handle"), QObject::tr("along one axis")},
                   {QObject::tr("Arrows"), QObject::tr("turn; with Shift pan")},
                   {QObject::tr("+ and −"), QObject::tr("zoom")},
                   {QObject::tr("Esc"), QObject::tr("stop computing; put a dragged handle back")}};
  Rows keys;
  for (const QAction* const action : actions)
    if (!action->shortcut().isEmpty())
      keys.emplace_back(action->shortcut().toString(QKeySequence::NativeText),
                        // Their text says what would be taken back now.
                        action->objectName() == "undo"   ? QObject::tr("Undo")
                        : action->objectName() == "redo" ? QObject::tr("Redo")
                                                         : plainText(*action));
  // Two columns of tables are no wider than a small screen; those of the mouse and its heading stand above the first keys.
  const std::size_t half = (keys.size() + mouse.size() + 1) / 2;
  const auto cut =
      keys.begin() + static_cast<std::ptrdiff_t>(half > mouse.size() ? half - mouse.size() : std::size_t{0});
  addTable(grid, 0, QObject::tr("Mouse in the view"), mouse);
  addTable(grid, 0, QObject::tr("Keys"), {keys.begin(), cut});
  addTable(grid, 2, QString(), {cut, keys.end()});
  grid->setRowStretch(grid->rowCount(), 1);
  area->setWidget(tables);
  column->addWidget(area);
  auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  column->addWidget(buttons);
  // All of it, where the screen has room for that; the keyboard scrolls.
  constexpr int kTitleBar = 40;
  const QSize screen = parent->screen()->availableSize() - QSize(0, kTitleBar);
  const QSize margins = column->sizeHint() - area->sizeHint();
  const QSize all = tables->sizeHint() + QSize(2, 2);
  const int bar = area->verticalScrollBar()->sizeHint().width();
  const bool scrolls = all.height() + margins.height() > screen.height();
  dialog->resize(QSize(all.width() + (scrolls ? bar : 0) + column->contentsMargins().left() +
                           column->contentsMargins().right(),
                       all.height() + margins.height())
                     .boundedTo(screen));
  area->setFocus();
  return dialog;
}

QDialog* makeAbout(app::AppModel& model, QWidget* parent) {
  auto* const dialog = new QDialog(parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(QObject::tr("About Farfield"));
  dialog->setObjectName("about");
  auto* const column = new QVBoxLayout(dialog);
  QLabel* const name = makeHeading(QStringLiteral("Farfield " FARFIELD_VERSION), dialog);
  column->addWidget(name);
  column->addWidget(
      new QLabel(QObject::tr("Looks at simulation results that do not fit in memory."), dialog));
  auto* const tabs = new QTabWidget(dialog);
  const auto addPage = [&](const QString& title, const QString& what, const QString& text) {
    auto* const page = new QPlainTextEdit(text, tabs);
    page->setReadOnly(true);
    page->setAccessibleName(title);
    page->setWhatsThis(what);
    page->setMinimumSize(page->fontMetrics().averageCharWidth() * 80, page->fontMetrics().height() * 16);
    tabs->addTab(page, title);
    return page;
  };
  addPage(QObject::tr("Licences"),
          QObject::tr("Under which terms Farfield, and what it is made of, may be used."), licenceText());
  const QPlainTextEdit* const diagnostics =
      addPage(QObject::tr("Diagnostics"),
              QObject::tr("This program and this machine, as whoever looks for a fault has to know them."),
              model.diagnostics());
  tabs->setWhatsThis(QObject::tr("Licences, and what to say of a fault; arrow keys choose."));
  column->addWidget(tabs);
  auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
  QPushButton* const copy = buttons->addButton(QObject::tr("Copy diagnostics"), QDialogButtonBox::ActionRole);
  copy->setToolTip(QObject::tr("To paste them into a report"));
  QObject::connect(copy, &QPushButton::clicked, dialog,
                   [diagnostics] { QApplication::clipboard()->setText(diagnostics->toPlainText()); });
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  column->addWidget(buttons);
  return dialog;
}

QDialog* makeSettings(app::AppModel& model, QWidget* parent) {
  auto* const dialog = new QDialog(parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(QObject::tr("Settings"));
  dialog->setObjectName("settings");
  auto* const form = new QFormLayout(dialog);
  app::Settings& settings = model.settings();
  auto* const theme = new QComboBox(dialog);
  theme->addItems({QObject::tr("As the system"), QObject::tr("Light"), QObject::tr("Dark")});
  theme->setCurrentIndex(static_cast<int>(settings.theme()));
  theme->setToolTip(QObject::tr("Of the window, at once: light, dark, or as the desktop has it"));
  form->addRow(QObject::tr("Appearance"), theme);
  QObject::connect(theme, &QComboBox::activated, dialog,
                   [&settings](int at) { settings.setTheme(static_cast<app::Theme>(at)); });
  auto* const memory = new BudgetEdit(model, dialog);
  memory->setObjectName("settings.memory");
  form->addRow(QObject::tr("Memory budget"), memory);
  auto* const processors = new WholeNumberBox(dialog);
  processors->setObjectName("settings.processors");
  processors->setRange(0, availableProcessors());
  processors->setSpecialValueText(QObject::tr("All (%1)").arg(availableProcessors()));
  processors->setValue(settings.processors() == availableProcessors() ? 0 : settings.processors());
  processors->setToolTip(QObject::tr("From the next start on"));
  form->addRow(QObject::tr("Processors, from the next start on"), processors);
  QObject::connect(processors, &QSpinBox::valueChanged, dialog,
                   [&settings](int count) { settings.setProcessors(count); });
  auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
  buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);  // Return takes what was typed
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  form->addRow(buttons);
  return dialog;
}

}  // namespace farfield::ui
