// The window: axes that are stretched, and what it says of data by itself: units that do not go together; files that have changed, and
// reading them again.

#include "app/model/stage/renderer_links.h"
#include "app/model/words/unit_words.h"
#include "app/model/workshop/changed_files.h"
#include "app/ui/dialogs/guide.h"
#include "app/ui/dialogs/renderer_dialog.h"
#include "app/ui/panels/pipeline_panel.h"
#include "app/ui/view/stretch_dialog.h"
#include "app/ui/view/view_group.h"
#include "app/ui/widgets/notice_bar.h"
#include "app/ui/window/main_window.h"

namespace farfield::ui {
namespace {
const QString kUnits = QStringLiteral("units");

QString aboutReading(const std::string& name) {
  return QStringLiteral("read again/") + QString::fromStdString(name);
}

bool isOfRenderer(const std::string& name, app::AppModel& model) {
  const session::DataSource* const source = model.document().session().find(name);
  return source && !app::rendererOf(*source).empty();
}
}  // namespace

void MainWindow::stretchAxes() {
  auto* const dialog = new StretchDialog(
      *m_group, *m_controller, [this] { return m_model.stage().bounds(); }, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->show();
}

void MainWindow::tellUnits(const session::Object& lines) {
  const auto summary = m_model.stage().summary(lines.data);
  const QString words = summary ? app::wordsOfUnits(lines, *summary) : QString();
  if (words.isEmpty()) return;
  m_notice->say(
      words, tr("What to do"),
      [this] {
        m_actions.at("guide")->trigger();
        if (auto* const guide = findChild<Guide*>()) guide->showPage("time.md#units-of-velocities");
      },
      {}, kUnits);
  const auto end = [notice = m_notice] { notice->unsay(kUnits); };
  connect(&m_model.document(), &app::Document::replaced, m_notice, end, Qt::SingleShotConnection);
}

std::string MainWindow::dataToRead() const {
  const auto& sources = m_model.document().session().data;
  const std::string selected = m_pipeline->selectedData();
  return selected.empty() && sources.size() == 1 ? sources.front().name : selected;
}

QString MainWindow::whyNotRead(const std::string& name) const {
  const session::Session& session = m_model.document().session();
  if (session.data.empty()) return tr("No data are open.");
  const session::DataSource* const source = session.find(name);
  if (!source) return tr("Select the data in the pipeline, of which there are several.");
  const app::DataStatus status = m_model.stage().dataStatus(name);
  if (status.state == app::DataState::Opening || status.isReadAgain) return tr("They are being read.");
  const bool isAsked = status.state == app::DataState::Failed || !status.problem.message.empty();
  return isAsked ? QString() : app::whyNotReadAgain(*source);
}

void MainWindow::updateReading() {
  QAction* const read = m_actions.at("readAgain");
  const QString why = whyNotRead(dataToRead());
  read->setEnabled(why.isEmpty());
  const QString tip =
      why.isEmpty() ? tr("Take the data as their files are now, if another program has changed them") : why;
  read->setStatusTip(tip);
  read->setToolTip(tip + " (" + read->shortcut().toString(QKeySequence::NativeText) + ')');
}

void MainWindow::readAgain(const std::string& name) {
  if (const QString why = whyNotRead(name); !why.isEmpty()) return tell(why);
  m_model.stage().readAgain(name);
}

/// Once for several objects of these data.
void MainWindow::offerReading(const std::string& name, const QString& why) {
  m_readingOffered.insert(name);
  // With the login they are read again by themselves.
  const bool rendered = isOfRenderer(name, m_model);
  const app::Problem problem = m_model.stage().dataStatus(name).problem;
  // A renderer that is not there is not logged in to.
  const bool isGone = rendered && !problem.message.empty() && !problem.isRefused;
  const bool login = m_model.stage().lacksLogin(name) && !isGone;
  m_notice->say(
      why,
      login      ? tr("Log in …")
      : rendered ? tr("Connect to renderer …")
                 : tr("Read again"),
      [this, name, login, rendered] {
        if (login)
          logInFor(name);
        else if (rendered)
          rendererDialog(name);
        else
          readAgain(name);
      },
      {}, aboutReading(name));
}

void MainWindow::tellReadAgain(const std::string& name, bool otherwise) {
  if (m_readingOffered.erase(name) > 0) m_notice->unsay(aboutReading(name));
  // Who defines a function, or chooses another way to read them, is told of that.
  if (!otherwise) tell(tr("%1 was read again.").arg(QString::fromStdString(name)));
}

/// Data that are gone, or are being read, ask for nothing.
void MainWindow::checkReadingOffers() {
  std::erase_if(m_readingOffered, [this](const std::string& name) {
    const app::DataStatus status = m_model.stage().dataStatus(name);
    const bool isBack =
        isOfRenderer(name, m_model) && status.problem.message.empty() && !m_model.stage().lacksLogin(name);
    if (status.state == app::DataState::Open && !status.isReadAgain && !isBack) return false;
    m_notice->unsay(aboutReading(name));
    return true;
  });
}

}  // namespace farfield::ui
