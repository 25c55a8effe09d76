#include "app/ui/dialogs/renderer_dialog.h"

#include <QApplication>
#include <QButtonGroup>
#include <QCheckBox>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>
#include <QThread>
#include <QVBoxLayout>

#include "app/model/files/place.h"
#include "app/ui/dialogs/file_dialogs.h"
#include "app/ui/widgets/going_on_label.h"
#include "app/ui/widgets/look.h"

namespace farfield::ui {
namespace {

constexpr int kMostRanks = 512, kUsualRanks = 2;

}  // namespace

RendererDialog::RendererDialog(QWidget* parent, const QString& dataName, bool isInstead)
    : QDialog(parent), m_ways(new QButtonGroup(this)), m_port(app::somePort()) {
  setObjectName("renderer");
  setWindowTitle(tr("Connect to a renderer"));
  setAttribute(Qt::WA_DeleteOnClose);
  setMinimumWidth(fontMetrics().averageCharWidth() * 90);
  auto* const column = new QVBoxLayout(this);
  auto* const what = new QLabel(
      tr("farfield-slabd renders beside the data, on as many processes (ranks) as it is given, and sends pictures."),
      this);
  what->setWordWrap(true);
  what->setForegroundRole(QPalette::PlaceholderText);
  column->addWidget(what);
  const auto way = [&](Way which, const char* name, const QString& text, const QString& tip) {
    auto* const button = new QRadioButton(text, this);
    button->setObjectName(name);
    button->setToolTip(tip);
    m_ways->addButton(button, static_cast<int>(which));
    column->addWidget(button);
  };
  way(Way::Here, "renderer.here", tr("Start one on &this machine, for a trial"),
      tr("To see what rendering elsewhere is like"));
  way(Way::Ssh, "renderer.ssh", tr("Start one on &another machine, by ssh"),
      tr("Where the data lie; ssh has to get there without asking for a password"));
  way(Way::Running, "renderer.running", tr("One that r&uns already"),
      tr("That somebody started by hand, or as a job of a cluster"));

  auto* const grid = new QGridLayout;
  int row = 0;
  const auto line = [&](const char* name, const QString& text, const QString& hint, const QString& tip,
                        std::vector<QWidget*>* of) {
    auto* const label = new QLabel(text, this);
    auto* const edit = new QLineEdit(this);
    edit->setObjectName(name);
    edit->setPlaceholderText(hint);
    edit->setToolTip(tip);
    label->setBuddy(edit);
    grid->addWidget(label, row, 0);
    grid->addWidget(edit, row, 1);
    if (of) of->insert(of->end(), {label, edit});
    ++row;
    connect(edit, &QLineEdit::textChanged, this, &RendererDialog::showCommand);
    return edit;
  };
  m_host =
      line("renderer.host", tr("&Machine"), tr("user@cluster.example.org"), tr("As ssh names it"), &m_ofSsh);
  m_data = line("renderer.data", tr("&Data"), tr("a file as that machine sees it, or a URL"),
                tr("What is rendered, as the machine that renders it finds it"), &m_ofStart);
  m_browse = new QPushButton(tr("&Browse …"), this);
  m_browse->setObjectName("renderer.browse");
  m_browse->setToolTip(tr("Chooses a file of this machine"));
  grid->addWidget(m_browse, row - 1, 2);
  m_solution = line("renderer.solution", tr("&Solution"), tr("of PLOT3D; else leave it empty"),
                    tr("The file with the values, where the data are a PLOT3D grid"), &m_ofStart);
  m_ranks = new QSpinBox(this);
  m_ranks->setObjectName("renderer.ranks");
  m_ranks->setRange(1, kMostRanks);
  m_ranks->setToolTip(tr("How many processes share the work, 1 to %1").arg(kMostRanks));
  m_ranks->setValue(std::clamp(QThread::idealThreadCount() / 2, 1, kUsualRanks));
  auto* const ranks = new QLabel(tr("&Ranks"), this);
  ranks->setBuddy(m_ranks);
  grid->addWidget(ranks, row, 0);
  grid->addWidget(m_ranks, row++, 1, Qt::AlignLeft);
  m_ofStart.insert(m_ofStart.end(), {ranks, m_ranks});
  m_address = line("renderer.address", tr("A&ddress"), "slab://127.0.0.1:4790",
                   tr("Which it printed when it started: slab://machine:port"), &m_ofRunning);
  m_command = line("renderer.command", tr("C&ommand"), {},
                   tr("What Start runs; it can be typed in a terminal as well"), &m_ofStart);
  m_command->setReadOnly(true);
  m_command->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  m_copy = new QPushButton(icon("copy-command"), tr("Co&py"), this);
  m_copy->setObjectName("renderer.copy");
  m_copy->setToolTip(tr("The command, to paste it into a terminal"));
  grid->addWidget(m_copy, row - 1, 2);
  m_ofStart.push_back(m_copy);
  grid->setColumnStretch(1, 1);
  column->addLayout(grid);
  m_instead = new QCheckBox(tr("&In place of the renderer of “%1”, for all that is shown of it")
                                .arg(QString(dataName).replace('&', QStringLiteral("&&"))),
                            this);
  m_instead->setObjectName("renderer.instead");
  m_instead->setToolTip(tr("Else its data are opened beside them"));
  m_instead->setChecked(isInstead);
  m_instead->setVisible(!dataName.isEmpty());
  column->addWidget(m_instead);
  m_text = new GoingOnLabel("renderer.text", this);
  column->addWidget(m_text);
  column->addStretch();
  auto* const last = new QHBoxLayout;
  m_bar = new QProgressBar(this);
  m_bar->setRange(0, 0);
  m_bar->setTextVisible(false);
  m_bar->setMaximumWidth(fontMetrics().averageCharWidth() * 24);
  m_bar->setAccessibleName(tr("Waiting"));
  last->addWidget(m_bar);
  last->addStretch();
  auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  m_start = buttons->addButton(tr("Start"), QDialogButtonBox::AcceptRole);
  m_start->setObjectName("renderer.start");
  m_start->setToolTip(tr("Connects to the renderer; what it has is opened in this window"));
  m_start->setDefault(true);
  last->addWidget(buttons);
  column->addLayout(last);

  connect(m_ways, &QButtonGroup::idToggled, this, [this](int, bool checked) {
    if (checked) showWay();
  });
  connect(m_ranks, &QSpinBox::valueChanged, this, &RendererDialog::showCommand);
  connect(m_browse, &QPushButton::clicked, this, &RendererDialog::browse);
  connect(m_copy, &QPushButton::clicked, this, [this] {
    QApplication::clipboard()->setText(m_command->text());
    say(tr(
        "The command is in the clipboard. What it starts prints its address; connect to it as to one that runs "
        "already."));
  });
  connect(m_start, &QPushButton::clicked, this, &RendererDialog::begin);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  setBusy(false);
  choose(Way::Here);
}

void RendererDialog::choose(Way way) {
  m_ways->button(static_cast<int>(way))->setChecked(true);
  showWay();
}

void RendererDialog::fill(const app::RendererPlan& plan) {
  choose(plan.isHere ? Way::Here : Way::Ssh);
  m_host->setText(plan.host);
  m_data->setText(plan.data);
  m_solution->setText(plan.solution);
  m_ranks->setValue(plan.ranks);
  m_start->setFocus();
}

void RendererDialog::fillAddress(const QString& url) {
  choose(Way::Running);
  m_address->setText(url);
  m_address->selectAll();
}

bool RendererDialog::isInstead() const {
  return m_instead->isChecked();
}

RendererDialog::Way RendererDialog::way() const {
  return static_cast<Way>(m_ways->checkedId());
}

app::RendererPlan RendererDialog::plan() const {
  app::RendererPlan plan;
  plan.isHere = way() == Way::Here;
  plan.host = m_host->text().trimmed();
  plan.data = m_data->text().trimmed();
  plan.solution = m_solution->text().trimmed();
  plan.ranks = m_ranks->value();
  plan.port = plan.isHere ? 0 : m_port;
  return plan;
}

void RendererDialog::showWay() {
  m_renderer.reset();  // it was of another way
  setBusy(false);
  const Way its = way();
  for (QWidget* const widget : m_ofSsh) widget->setVisible(its == Way::Ssh);
  for (QWidget* const widget : m_ofStart) widget->setVisible(its != Way::Running);
  for (QWidget* const widget : m_ofRunning) widget->setVisible(its == Way::Running);
  m_browse->setVisible(its == Way::Here);
  m_start->setText(its == Way::Running ? tr("Open") : tr("Start"));
  say(its == Way::Ssh
          ? tr("ssh carries the connection, with a key that it finds by itself. farfield-slabd listens "
               "there for that machine alone, which others who use it could reach: on a shared one start "
               "it with a token.")
          : QString());
  showCommand();
  (its == Way::Running                           ? m_address
   : its == Way::Ssh && m_host->text().isEmpty() ? m_host
                                                 : m_data)
      ->setFocus();
}

void RendererDialog::showCommand() {
  m_command->setText(app::commandText(plan()));
  m_command->setCursorPosition(0);
  const bool isEnough = way() == Way::Running ? !m_address->text().trimmed().isEmpty()
                        : way() == Way::Ssh
                            ? !m_host->text().trimmed().isEmpty() && !m_data->text().trimmed().isEmpty()
                            : !m_data->text().trimmed().isEmpty();
  m_start->setEnabled(isEnough && !m_renderer);
  m_copy->setEnabled(isEnough);
}

void RendererDialog::browse() {
  askForFile(this, tr("Data to render"), {}, tr("All files (*)"),
             [this](const QString& path) { m_data->setText(path); });
}

void RendererDialog::begin() {
  if (way() == Way::Running) {
    QString address = m_address->text().trimmed();
    if (!address.contains(QLatin1String("://"))) address.prepend(QLatin1String("slab://"));
    const app::Place place(address);
    if (!place.problem().isEmpty()) return say(place.problem(), true);
    if (!address.startsWith(QLatin1String("slab://")))
      return say(tr("A renderer is at slab://HOST:PORT; data elsewhere are opened by File ▸ Connect …"),
                 true);
    emit urlWanted(place.url());
    return accept();
  }
  if (plan().host.startsWith('-')) return say(tr("That is no machine: write user@host."), true);
  m_renderer = std::make_unique<app::RendererStart>(plan());
  connect(m_renderer.get(), &app::RendererStart::failed, this,
          [this](const QString& message, const QString& advice) {
            m_renderer.release()->deleteLater();
            m_port = app::somePort();
            setBusy(false);
            showCommand();
            say(tr("%1; %2.").arg(message, advice), true);
          });
  connect(m_renderer.get(), &app::RendererStart::listening, this, [this] {
    app::RendererStart* const renderer = m_renderer.release();
    renderer->disconnect(this);
    emit started(renderer);
    accept();
  });
  setBusy(true);
  say(tr("Starting; the ranks open the data …"));
  m_renderer->start();
}

void RendererDialog::say(const QString& text, bool problem) {
  m_text->say(text, problem);
}

void RendererDialog::setBusy(bool busy) {
  m_bar->setVisible(busy);
  m_start->setEnabled(!busy);
}

}  // namespace farfield::ui
