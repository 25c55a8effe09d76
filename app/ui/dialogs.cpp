#include "app/ui/dialogs.h"

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
#include <QSpinBox>
#include <QTabWidget>
#include <QTimer>
#include <QVBoxLayout>
#include <functional>
#include <memory>
#include <utility>

#include "app/ui/command_palette.h"
#include "app/ui/look.h"
#include "app/ui/problem_label.h"
#include "core/base/machine.h"

namespace farfield::ui {
namespace {

void addTable(QGridLayout* grid, int column, const QString& heading,
              const std::vector<std::pair<QString, QString>>& rows) {
  QWidget* const parent = grid->parentWidget();
  grid->addWidget(makeHeading(heading, parent), 0, column, 1, 2);
  int row = 1;
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
  auto* const tables = new QWidget(dialog);
  auto* const grid = new QGridLayout(tables);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(18);
  grid->setVerticalSpacing(3);
  addTable(grid, 0, QObject::tr("Mouse in the view"),
           {{QObject::tr("Left"), QObject::tr("turn, or drag a handle")},
            {QObject::tr("Middle, Shift+left"), QObject::tr("pan")},
            {QObject::tr("Right, Ctrl+left, wheel"), QObject::tr("zoom")},
            {QObject::tr("Double click"), QObject::tr("turn about this place")},
            {QObject::tr("Shift while dragging a handle"), QObject::tr("along one axis")},
            {QObject::tr("Arrows"), QObject::tr("turn; with Shift pan")},
            {QObject::tr("+ and −"), QObject::tr("zoom")},
            {QObject::tr("Esc"), QObject::tr("stop computing; put a dragged handle back")}});
  std::vector<std::pair<QString, QString>> keys;
  for (const QAction* const action : actions)
    if (!action->shortcut().isEmpty())
      keys.emplace_back(action->shortcut().toString(QKeySequence::NativeText),
                        // Their text says what would be taken back now.
                        action->objectName() == "undo"   ? QObject::tr("Undo")
                        : action->objectName() == "redo" ? QObject::tr("Redo")
                                                         : plainText(*action));
  const std::size_t half = (keys.size() + 1) / 2;
  addTable(grid, 2, QObject::tr("Keys"), {keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(half)});
  addTable(grid, 4, QString(), {keys.begin() + static_cast<std::ptrdiff_t>(half), keys.end()});
  grid->setRowStretch(grid->rowCount(), 1);
  column->addWidget(tables);
  auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  column->addWidget(buttons);
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
  const auto addPage = [&](const QString& title, const QString& text) {
    auto* const page = new QPlainTextEdit(text, tabs);
    page->setReadOnly(true);
    page->setAccessibleName(title);
    page->setMinimumSize(page->fontMetrics().averageCharWidth() * 80, page->fontMetrics().height() * 16);
    tabs->addTab(page, title);
    return page;
  };
  addPage(QObject::tr("Licences"), licenceText());
  const QPlainTextEdit* const diagnostics = addPage(QObject::tr("Diagnostics"), model.diagnostics());
  column->addWidget(tabs);
  auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
  QPushButton* const copy = buttons->addButton(QObject::tr("Copy diagnostics"), QDialogButtonBox::ActionRole);
  QObject::connect(copy, &QPushButton::clicked, dialog,
                   [diagnostics] { QApplication::clipboard()->setText(diagnostics->toPlainText()); });
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  column->addWidget(buttons);
  return dialog;
}

namespace {

/// Red while it is being typed, and what the least and the most are beside it, and why, which stays to be read once the number has been put
/// back.
void sayWhatIsNotTaken(QSpinBox* box, const std::function<QString()>& why) {
  struct Saying {
    ProblemLabel label;
    QTimer read;
    bool isWrong = false;
  };
  auto* const line = box->findChild<QLineEdit*>();
  const auto saying = std::make_shared<Saying>();
  saying->read.setSingleShot(true);
  saying->read.setInterval(kProblemReadMs);
  const auto say = [box, line, why, its = std::weak_ptr(saying)](bool wrong) {
    const auto saying = its.lock();
    if (!saying) return;
    saying->isWrong = wrong;
    saying->read.stop();
    showWarning(line, QPalette::Text, wrong);
    saying->label.show(box,
                       wrong ? QObject::tr("From %1 to %2%3. %4")
                                   .arg(box->minimum())
                                   .arg(box->maximum())
                                   .arg(box->suffix(), why())
                                   .trimmed()
                             : QString(),
                       box->objectName() + ".error");
  };
  QObject::connect(line, &QLineEdit::textEdited, box, [=] { say(!line->hasAcceptableInput()); });
  QObject::connect(box, &QSpinBox::editingFinished, box, [=] {
    if (!std::exchange(saying->isWrong, false)) return;
    showWarning(line, QPalette::Text, false);
    saying->read.start();
  });
  QObject::connect(&saying->read, &QTimer::timeout, box, [=] { say(false); });
}

}  // namespace

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
  form->addRow(QObject::tr("Appearance"), theme);
  QObject::connect(theme, &QComboBox::activated, dialog,
                   [&settings](int at) { settings.setTheme(static_cast<app::Theme>(at)); });
  auto* const memory = new QSpinBox(dialog);
  const auto setRange = [memory, &model] {
    constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
    memory->setRange(static_cast<int>((model.leastMemoryBytes() + kMiB - 1) / kMiB),
                     static_cast<int>(machineMemoryBytes() / kMiB));
    const QString why = model.whyNotLessMemory();
    memory->setToolTip(
        why.isEmpty()
            ? QObject::tr("Never exceeded: data that do not fit are read again when they are needed")
            : QObject::tr("At least %1%2. %3").arg(memory->minimum()).arg(memory->suffix(), why));
  };
  memory->setObjectName("settings.memory");
  memory->setSuffix(QObject::tr(" MiB"));
  setRange();
  QObject::connect(&model, &app::AppModel::memoryLent, memory, setRange);
  memory->setSingleStep(128);
  memory->setValue(static_cast<int>(model.memoryBytes() >> 20));
  memory->setKeyboardTracking(false);
  form->addRow(QObject::tr("Memory budget"), memory);
  sayWhatIsNotTaken(memory, [&model] { return model.whyNotLessMemory(); });
  QObject::connect(memory, &QSpinBox::valueChanged, dialog,
                   [&model](int mib) { model.setMemoryBytes(static_cast<std::uint64_t>(mib) << 20); });
  auto* const processors = new QSpinBox(dialog);
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
