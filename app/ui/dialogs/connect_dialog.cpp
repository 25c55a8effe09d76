#include "app/ui/dialogs/connect_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QGroupBox>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QShortcut>
#include <QSplitter>
#include <QToolButton>
#include <QTreeWidget>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/model/files/data_files.h"
#include "app/model/files/pair_names.h"
#include "app/ui/widgets/clear_button.h"
#include "app/ui/widgets/going_on_label.h"
#include "app/ui/widgets/look.h"
#include "core/base/units.h"

namespace farfield::ui {
namespace {

constexpr int kUrlRole = Qt::UserRole, kSolutionRole = Qt::UserRole + 1, kFolderRole = Qt::UserRole + 2;
constexpr const char* kLastPlace = "connect.last";
enum Column { NameColumn, KindColumn, SizeColumn };

/// `names`: of all files there, among which `grids` looks.
QString kindText(const app::PlaceEntry& entry, const QStringList& names, const app::GridFinder& grids) {
  switch (entry.kind) {
    case app::PlaceEntry::Kind::Folder:
      return ConnectDialog::tr("folder");
    case app::PlaceEntry::Kind::Store:
      return ConnectDialog::tr("paged store");
    case app::PlaceEntry::Kind::File:
      break;
  }
  // Which that is stands below once it is chosen: names of files need the room.
  if (!entry.solutionUrl.isEmpty()) return ConnectDialog::tr("file, with solution");
  if (!grids.gridOf(entry.name).isEmpty()) return ConnectDialog::tr("solution");
  const auto steps = static_cast<int>(app::stepsAmong(entry.name, names).size());
  return steps > 0 ? ConnectDialog::tr("file, with %n steps", nullptr, steps) : ConnectDialog::tr("file");
}

QString sentence(const app::PlaceProblem& problem) {
  return problem.advice.isEmpty() ? problem.message + '.'
                                  : ConnectDialog::tr("%1: %2.").arg(problem.message, problem.advice);
}

}  // namespace

ConnectDialog::ConnectDialog(app::AppModel& model, QWidget* parent)
    : QDialog(parent),
      m_model(model),
      m_place(new QLineEdit(this)),
      m_browse(new QPushButton(tr("&Connect"), this)),
      m_text(new GoingOnLabel("connect.text", this)),
      m_bar(new QProgressBar(this)),
      m_cancel(new QPushButton(tr("Stop &waiting"), this)) {
  setObjectName("connect");
  setWindowTitle(tr("Connect to data elsewhere"));
  setAttribute(Qt::WA_DeleteOnClose);
  resize(fontMetrics().averageCharWidth() * 110, fontMetrics().height() * 34);
  auto* const column = new QVBoxLayout(this);
  auto* const row = new QHBoxLayout;
  auto* const label = new QLabel(tr("&Place"), this);
  label->setBuddy(m_place);
  row->addWidget(label);
  m_place->setObjectName("connect.place");
  m_place->setPlaceholderText(
      "far://cluster:4780/runs     https://data.example.org/wing.h5     s3://bucket/wing.h5");
  addClearButton(*m_place);
  m_place->setToolTip(tr(
      "far:// of a paging server, far+ssh:// of a machine that ssh gets to, slab:// of a renderer (farfield-slabd), https:// or s3:// of a file "
      "there"));
  row->addWidget(m_place, 1);
  m_browse->setObjectName("connect.browse");
  m_browse->setToolTip(tr("Lists what a paging server has there"));
  row->addWidget(m_browse);
  column->addLayout(row);
  auto* const halves = new QSplitter(Qt::Horizontal, this);
  halves->addWidget(makePlaces());
  halves->addWidget(makeFolder());
  halves->setStretchFactor(0, 2);
  halves->setStretchFactor(1, 5);
  halves->setChildrenCollapsible(false);
  column->addWidget(halves, 1);
  column->addWidget(makeLogin());
  column->addWidget(m_text);
  auto* const last = new QHBoxLayout;
  m_bar->setRange(0, 0);
  QSizePolicy policy = m_bar->sizePolicy();
  policy.setRetainSizeWhenHidden(true);
  m_bar->setSizePolicy(policy);
  m_bar->setTextVisible(false);
  m_bar->setMaximumWidth(fontMetrics().averageCharWidth() * 24);
  m_bar->setAccessibleName(tr("Waiting"));
  m_cancel->setObjectName("connect.cancel");
  m_cancel->setToolTip(tr("Gives up asking the server"));
  last->addWidget(m_bar);
  last->addWidget(m_cancel);
  last->addStretch();
  auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Close, this);
  m_open = buttons->button(QDialogButtonBox::Open);
  m_close = buttons->button(QDialogButtonBox::Close);
  m_open->setObjectName("connect.open");
  m_open->setToolTip(tr("The data that are chosen or typed"));
  last->addWidget(buttons);
  column->addLayout(last);

  // Return does what the field that has the keyboard is about.
  for (QPushButton* const button : findChildren<QPushButton*>()) button->setAutoDefault(false);
  connect(m_place, &QLineEdit::textChanged, this, &ConnectDialog::showTyped);
  connect(m_place, &QLineEdit::returnPressed, this, &ConnectDialog::activate);
  connect(m_browse, &QPushButton::clicked, this, [this] { browse(typed().url()); });
  connect(m_cancel, &QPushButton::clicked, this, [this] {
    m_browser.cancel();
    m_openWhenListed = false;
    say(tr("Stopped."));
  });
  connect(m_open, &QPushButton::clicked, this, &ConnectDialog::openChosen);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(&m_browser, &app::PlaceBrowser::listed, this, &ConnectDialog::showListing);
  connect(&m_browser, &app::PlaceBrowser::foundBeside, this,
          [this](const QString& solution, const QString& grid) {
            if (grid.isEmpty()) return openData(solution, {});
            openData(grid, {solution.section('/', -1)});
          });
  connect(&m_browser, &app::PlaceBrowser::failed, this, &ConnectDialog::showProblem);
  connect(&m_browser, &app::PlaceBrowser::busyChanged, this, &ConnectDialog::showBusy);
  connect(&m_browser, &app::PlaceBrowser::certificatesSeen, this, [this](const QStringList& seen) {
    m_fingerprints = seen;
    const bool encrypts = !seen.join(QString()).isEmpty();
    m_fingerprint->setText(encrypts ? seen.join('\n')
                                    : tr("The server is on this machine and does not encrypt."));
    m_trust->setText(encrypts ? tr("&Trust and log in") : tr("&Log in"));
    m_trust->setEnabled(true);
    say(encrypts
            ? tr("Compare the fingerprint with the one that the server printed there, and give the token that you were told.")
            : tr("Give the token that you were told."));
    m_token->setFocus();
  });
  connect(&m_browser, &app::PlaceBrowser::loggedIn, this, [this](const QString& server) {
    m_token->clear();
    m_login->hide();
    say(tr("Logged in to %1; the token is kept for the next time, for you alone.").arg(server));
    m_model.stage().retryWhatLackedLogin();
    // A renderer has one data set, which Open opens, unless it is what waited for the login.
    if (app::Place(m_loginUrl).canBeListed())
      browse(m_loginUrl);
    else if (isOpen(m_loginUrl))
      m_close->setFocus();
    else
      m_open->setFocus();
  });
  connect(&model.settings(), &app::Settings::placesChanged, this, &ConnectDialog::showPlaces);
  showPlaces();
  showBusy(false);
  showTyped();
  say(
      tr("Type a place, or choose one that you kept. Of a paging server its folders are listed; of a web "
         "server or S3 type the "
         "whole URL of a file."));
  m_place->setFocus();
  // Nobody is asked before it is wanted; Return lists it, and typing takes its place.
  if (const QString before = QString::fromUtf8(model.settings().windowLayout(kLastPlace));
      !before.isEmpty()) {
    m_place->setText(before);
    m_place->selectAll();
    say(tr("The place that was opened from last: Return lists it."));
  }
}

QWidget* ConnectDialog::makePlaces() {
  auto* const part = new QWidget(this);
  auto* const column = new QVBoxLayout(part);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(makeHeading(tr("Kept places"), part));
  m_places = new QListWidget(part);
  m_places->setObjectName("connect.places");
  m_places->setAccessibleName(tr("Kept places"));
  m_places->setWhatsThis(tr("Places that were kept. Return lists what is there, or opens it."));
  m_places->setTextElideMode(Qt::ElideMiddle);
  column->addWidget(m_places, 1);
  auto* const row = new QHBoxLayout;
  m_keep = new QPushButton(tr("&Keep this"), part);
  m_keep->setObjectName("connect.keep");
  m_keep->setToolTip(tr("Keeps the place above in this list; never a token or a password"));
  m_forget = new QPushButton(tr("&Remove"), part);
  m_forget->setObjectName("connect.forget");
  m_forget->setToolTip(tr("Takes the chosen place out of this list"));
  row->addWidget(m_keep);
  row->addWidget(m_forget);
  row->addStretch();
  column->addLayout(row);
  connect(m_keep, &QPushButton::clicked, this, [this] {
    const QString url = typed().toKeep();
    if (url.isEmpty()) return say(tr("A URL with a query is not kept: it may hold what is secret."), true);
    m_model.settings().addPlace(url);
  });
  connect(m_forget, &QPushButton::clicked, this, [this] {
    if (const QListWidgetItem* const item = m_places->currentItem())
      m_model.settings().removePlace(item->text());
  });
  connect(m_places, &QListWidget::currentRowChanged, this,
          [this](int place) { m_forget->setEnabled(place >= 0); });
  connect(m_places, &QListWidget::itemClicked, this,
          [this](const QListWidgetItem* item) { m_place->setText(item->text()); });
  connect(m_places, &QListWidget::itemActivated, this,
          [this](const QListWidgetItem* item) { goTo(item->text()); });
  return part;
}

QWidget* ConnectDialog::makeFolder() {
  auto* const part = new QWidget(this);
  auto* const column = new QVBoxLayout(part);
  column->setContentsMargins(0, 0, 0, 0);
  auto* const row = new QHBoxLayout;
  m_up = new QToolButton(part);
  m_up->setObjectName("connect.up");
  m_up->setText(tr("Up"));
  m_up->setToolTip(tr("The folder above (Backspace)"));
  m_up->setEnabled(false);
  row->addWidget(m_up);
  m_server = makeHeading(tr("What is there"), part);
  row->addWidget(m_server, 1);
  column->addLayout(row);
  m_folder = new QTreeWidget(part);
  m_folder->setObjectName("connect.folder");
  m_folder->setAccessibleName(tr("What is there"));
  m_folder->setWhatsThis(tr("Folders and data of the server. Return goes into a folder and opens data."));
  m_folder->setHeaderLabels({tr("Name"), tr("What it is"), tr("Size")});
  m_folder->setRootIsDecorated(false);
  m_folder->setUniformRowHeights(true);
  m_folder->setAllColumnsShowFocus(true);
  m_folder->header()->setStretchLastSection(false);
  m_folder->header()->setSectionResizeMode(NameColumn, QHeaderView::Stretch);
  auto* const up = new QShortcut(Qt::Key_Backspace, m_folder, nullptr, nullptr, Qt::WidgetShortcut);
  connect(up, &QShortcut::activated, m_up, &QToolButton::click);
  column->addWidget(m_folder, 1);
  auto* const form = new QFormLayout;
  m_solution = new QLineEdit(part);
  m_solution->setObjectName("connect.solution");
  m_solution->setPlaceholderText(tr("of a PLOT3D grid: a name beside it, or a URL"));
  m_solution->setToolTip(tr("Empty for everything but PLOT3D, and for a grid alone"));
  form->addRow(tr("&Solution"), m_solution);
  column->addLayout(form);
  connect(m_up, &QToolButton::clicked, this, [this] { browse(m_listing.parentUrl); });
  connect(m_folder, &QTreeWidget::itemSelectionChanged, this, &ConnectDialog::choose);
  connect(m_folder, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
    if (item->data(NameColumn, kFolderRole).toBool())
      return browse(item->data(NameColumn, kUrlRole).toString());
    item->setSelected(true);  // the first of a list has the keyboard without being chosen
    openChosen();
  });
  return part;
}

QWidget* ConnectDialog::makeLogin() {
  m_login = new QGroupBox(tr("Log in"), this);
  m_login->setObjectName("connect.login");
  auto* const form = new QFormLayout(m_login);
  m_fingerprint = new QLabel(m_login);
  m_fingerprint->setObjectName("connect.fingerprint");
  m_fingerprint->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_fingerprint->setWordWrap(true);
  m_fingerprint->setTextFormat(Qt::PlainText);
  form->addRow(tr("The server's certificate"), m_fingerprint);
  m_token = new QLineEdit(m_login);
  m_token->setObjectName("connect.token");
  m_token->setEchoMode(QLineEdit::Password);
  m_token->setToolTip(tr("Kept in servers.json of your configuration folder, which nobody else may read"));
  form->addRow(tr("T&oken"), m_token);
  m_trust = new QPushButton(tr("&Trust and log in"), m_login);
  m_trust->setObjectName("connect.trust");
  m_trust->setToolTip(tr(
      "Keeps the certificate and the token for this server; a server with another certificate is refused"));
  auto* const row = new QHBoxLayout;
  row->addStretch();
  row->addWidget(m_trust);
  form->addRow(row);
  m_login->hide();
  connect(m_trust, &QPushButton::clicked, this, &ConnectDialog::logIn);
  connect(m_token, &QLineEdit::returnPressed, this, &ConnectDialog::logIn);
  return m_login;
}

app::Place ConnectDialog::typed() const {
  return app::Place(m_place->text());
}

void ConnectDialog::goTo(const QString& url) {
  m_place->setText(url);
  activate();
}

void ConnectDialog::logInTo(const QString& url) {
  m_place->setText(url);
  m_loginUrl = url;
  askForLogin();
}

bool ConnectDialog::isOpen(const QString& url) const {
  const auto& data = m_model.document().session().data;
  return std::any_of(data.begin(), data.end(), [&](const session::DataSource& source) {
    return !source.source.empty() && source.source.front() == url.toStdString();
  });
}

void ConnectDialog::activate() {
  const app::Place place = typed();
  if (place.canBeListed())
    browse(place.url());
  else if (place.canBeOpened())
    openChosen();
  else
    showTyped();
}

void ConnectDialog::showPlaces() {
  m_places->clear();
  m_places->addItems(m_model.settings().places());
  m_forget->setEnabled(m_places->currentRow() >= 0);
}

void ConnectDialog::showTyped() {
  // What was chosen with a grid is not of another place.
  if (!m_chosenSolution.isEmpty() && m_place->text() != m_solutionOf) {
    if (m_solution->text() == m_chosenSolution) m_solution->clear();
    m_chosenSolution.clear();
  }
  const app::Place place = typed();
  m_browse->setEnabled(place.canBeListed());
  m_keep->setEnabled(!place.isEmpty() && place.problem().isEmpty());
  const bool isFolder = place.url() == m_listing.url || (place.canBeListed() && place.url().endsWith('/'));
  m_open->setEnabled(place.canBeOpened() && !isFolder);
  if (!place.problem().isEmpty())
    say(place.problem(), true);
  else if (place.canBeOpened() && !place.canBeListed())
    say(tr("Open reads it from there, as far as it is needed."));
  else
    say({});
}

void ConnectDialog::browse(const QString& url) {
  if (url.isEmpty()) return;
  m_login->hide();
  m_fingerprints.clear();  // they are of another server, perhaps
  m_openWhenListed = false;
  m_asked = url;
  m_loginUrl = url;
  say(tr("Asking %1 …").arg(url));
  m_browser.list(url);
}

void ConnectDialog::showListing(const app::PlaceListing& listing) {
  m_listing = listing;
  const QSignalBlocker quiet(m_folder);
  m_folder->clear();
  QTreeWidgetItem* chosen = nullptr;
  // Each is compared with all: of more, which are no folder for people, numbered solutions are found once a grid is chosen.
  constexpr qsizetype kMostCompared = 1000;
  const QStringList names = namesThere().size() <= kMostCompared ? namesThere() : QStringList();
  const app::GridFinder grids(names);
  for (const app::PlaceEntry& entry : listing.entries) {
    const bool folder = entry.kind == app::PlaceEntry::Kind::Folder;
    auto* const item = new QTreeWidgetItem(
        m_folder, {entry.name, kindText(entry, names, grids),
                   folder ? QString() : QString::fromStdString(formatBytes(entry.bytes))});
    item->setIcon(NameColumn, icon(folder ? "open" : "data"));
    item->setToolTip(NameColumn, entry.name);
    item->setTextAlignment(SizeColumn, Qt::AlignRight | Qt::AlignVCenter);
    item->setData(NameColumn, kUrlRole, entry.url);
    item->setData(NameColumn, kSolutionRole, entry.solutionUrl);
    item->setData(NameColumn, kFolderRole, folder);
    if (entry.name == listing.chosen) chosen = item;
  }
  m_folder->resizeColumnToContents(KindColumn);
  m_folder->resizeColumnToContents(SizeColumn);
  m_up->setEnabled(!listing.parentUrl.isEmpty());
  m_server->setText(listing.server.isEmpty() ? tr("What is there") : listing.server);
  m_place->setText(listing.url);
  m_solution->clear();
  if (chosen) {
    m_folder->setCurrentItem(chosen);
    choose();
  }
  if (m_folder->topLevelItemCount() > 0 && !m_folder->currentItem())
    m_folder->setCurrentItem(m_folder->topLevelItem(0), NameColumn, QItemSelectionModel::NoUpdate);
  say(listing.entries.empty() ? tr("There is nothing in this folder that is shared.")
                              : tr("Choose data to open, or a folder to go into."));
  m_folder->setFocus();
  if (std::exchange(m_openWhenListed, false) && chosen) openChosen();
}

void ConnectDialog::choose() {
  const QList<QTreeWidgetItem*> items = m_folder->selectedItems();
  if (items.isEmpty()) return;
  m_place->setText(items.front()->data(NameColumn, kUrlRole).toString());
  m_steps.clear();
  QString solution = items.front()->data(NameColumn, kSolutionRole).toString().section('/', -1);
  if (solution.isEmpty() && !items.front()->data(NameColumn, kFolderRole).toBool()) {
    m_steps = app::stepsAmong(items.front()->text(NameColumn), namesThere());
    // Several as a pattern, which one can type as well.
    static const QRegularExpression kLastNumber("[0-9]+(?=[^0-9]*$)");
    if (!m_steps.isEmpty()) solution = QString(m_steps.front()).replace(kLastNumber, "*");
  }
  m_solution->setText(solution);
  m_solutionOf = m_place->text();
  m_chosenSolution = solution;
  m_stepsPattern = m_steps.isEmpty() ? QString() : solution;
  if (const QString grid = gridOf(m_place->text()); !grid.isEmpty())
    say(tr("It is the solution of %1 beside it, which is opened with it.")
            .arg(QUrl::fromPercentEncoding(grid.section('/', -1).toUtf8())));
}

QString ConnectDialog::gridOf(const QString& url) const {
  const auto named = [&](const auto& isIt) {
    return std::find_if(m_listing.entries.begin(), m_listing.entries.end(), [&](const app::PlaceEntry& its) {
      return its.kind != app::PlaceEntry::Kind::Folder && isIt(its);
    });
  };
  const auto solution = named([&](const app::PlaceEntry& its) { return its.url == url; });
  if (solution == m_listing.entries.end()) return {};
  const QString name = app::GridFinder(namesThere()).gridOf(solution->name);
  const auto grid = named([&](const app::PlaceEntry& its) { return !name.isEmpty() && its.name == name; });
  return grid == m_listing.entries.end() ? QString() : grid->url;
}

QStringList ConnectDialog::namesThere() const {
  QStringList names;
  for (const app::PlaceEntry& entry : m_listing.entries)
    if (entry.kind != app::PlaceEntry::Kind::Folder) names.append(entry.name);
  return names;
}

QStringList ConnectDialog::solutions() const {
  const QString text = m_solution->text().trimmed();
  if (text.isEmpty()) return {};
  if (text == m_stepsPattern) return m_steps;
  if (!text.contains('*') && !text.contains('?')) return {text};
  const auto pattern = QRegularExpression::fromWildcard(text);
  QStringList matching;
  for (const QString& name : namesThere())
    if (pattern.match(name).hasMatch()) matching.append(name);
  return matching.isEmpty() ? QStringList{text} : matching;
}

void ConnectDialog::showProblem(const app::PlaceProblem& problem) {
  m_openWhenListed = false;
  // While one is logging in, the certificate is known, and what the server says of a token must stay.
  const bool isLoggingIn = !m_login->isHidden() && !m_fingerprints.isEmpty();
  if (problem.asksForLogin && !isLoggingIn) askForLogin();
  if (isLoggingIn) {
    // Another try is the next thing to do.
    m_token->setFocus();
    m_token->selectAll();
  }
  say(sentence(problem), true);
}

void ConnectDialog::askForLogin() {
  if (!app::Place(m_loginUrl).hasLogin())
    return say(
        tr("One logs in to paging servers, as far://HOST:PORT, and to renderers, as slab://HOST:PORT."),
        true);
  m_login->show();
  m_trust->setEnabled(false);
  m_fingerprint->setText(tr("being asked for …"));
  say(tr("Asking for the server's certificate …"));
  m_browser.lookAtCertificates(m_loginUrl);
}

void ConnectDialog::logIn() {
  if (!m_trust->isEnabled()) return;
  say(tr("Logging in …"));
  m_browser.logIn(m_loginUrl, m_token->text(), m_fingerprints);
}

void ConnectDialog::showBusy(bool busy) {
  m_bar->setVisible(busy);  // its place stays
  m_cancel->setEnabled(busy);
  m_trust->setEnabled(!busy && !m_fingerprints.isEmpty());
}

void ConnectDialog::say(const QString& text, bool problem) {
  m_text->say(text, problem);
}

void ConnectDialog::openChosen() {
  const app::Place place = typed();
  if (!place.canBeOpened()) return showTyped();
  QString url = place.url();
  QStringList itsSolutions = solutions();
  if (itsSolutions.isEmpty() && app::isNamedAsSolution(url)) {
    // Where nobody has looked yet, that is done first.
    const QString folder = url.left(url.lastIndexOf('/') + 1);
    if (place.canBeListed() && folder != m_listing.url) {
      browse(url);
      m_openWhenListed = true;
      return;
    }
    if (const QString grid = gridOf(url); !grid.isEmpty()) {
      itsSolutions = {url.section('/', -1)};
      url = grid;
    } else if (!place.canBeListed() && m_model.parts().isThere && !url.contains('?')) {
      say(tr("Looking for the grid of %1 …").arg(url.section('/', -1)));
      return m_browser.findBeside(url, app::gridNames(url.section('/', -1)), m_model.parts().isThere);
    }
  }
  openData(url, itsSolutions);
}

void ConnectDialog::openData(const QString& url, const QStringList& solutions) {
  if (const QString folder = app::Place(m_listing.url).toKeep(); !folder.isEmpty())
    m_model.settings().setWindowLayout(kLastPlace, folder.toUtf8());
  emit dataWanted(url, solutions);
  accept();
}

void ConnectDialog::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Return && event->key() != Qt::Key_Enter) return QDialog::keyPressEvent(event);
  // Fields and the folder have done with it what they are about; it does not open data as well.
  if (auto* const button = qobject_cast<QAbstractButton*>(focusWidget())) button->click();
}

void ConnectDialog::done(int result) {
  m_browser.leave();
  QDialog::done(result);
}

}  // namespace farfield::ui
