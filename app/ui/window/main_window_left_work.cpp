// Work that programs left behind which were ended: it is offered, the newest first, and none of it is dropped unless the user says so.

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QGridLayout>
#include <QLocale>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QTimer>
#include <vector>

#include "app/model/words/some_names.h"
#include "app/ui/widgets/notice_bar.h"
#include "app/ui/window/main_window.h"

namespace farfield::ui {
namespace {

constexpr int kLookAgainMs = 5000;
const auto kAboutLeftWork = QStringLiteral("leftWork");

/// "wing.json, as of 21.11.26, 14:03".
QString describe(const app::LeftWork& work) {
  QStringList data;
  for (const session::DataSource& source : work.session.data)
    data.append(QString::fromStdString(source.name));
  const QString what =
      !work.path.isEmpty() ? QFileInfo(work.path).fileName()
      : data.isEmpty()
          ? MainWindow::tr("a session that was never saved")
          : MainWindow::tr("a session of %1 that was never saved").arg(app::someNames(data, ", "));
  return MainWindow::tr("%1, as of %2")
      .arg(what, QLocale().toString(work.changed.toLocalTime(), QLocale::ShortFormat));
}

}  // namespace

void MainWindow::offerLeftWork(Offer how) {
  if (!m_model.recovery().problem().isEmpty()) tell(m_model.recovery().problem(), true);
  // One that was killed just now may still be about to go: its work is not left before that, and may be the newest.
  if (how == Offer::AsQuestion || how == Offer::AsNotice)
    QTimer::singleShot(kLookAgainMs, this, [this] { offerLeftWork(Offer::Later); });
  m_model.recovery().findLeftWork([how, guard = QPointer(this)](const std::vector<app::LeftWork>& all) {
    if (!guard) return;
    std::vector<app::LeftWork> found;
    for (const app::LeftWork& work : all)
      if (how != Offer::Later || !guard->m_offeredWork.contains(work.folder)) found.push_back(work);
    if (found.empty()) {
      if (how == Offer::OnDemand) guard->tell(tr("Nothing was left behind by a program that was ended."));
      return;
    }
    for (const app::LeftWork& work : found) guard->m_offeredWork.append(work.folder);
    // Work that was begun meanwhile is not to be dropped for it: no question then.
    if (how == Offer::OnDemand || (how == Offer::AsQuestion && guard->m_model.document().isEmpty()))
      return guard->askAboutLeftWork(found);
    guard->m_saidWork = found;
    guard->sayLeftWork();
  });
}

void MainWindow::sayLeftWork() {
  QStringList descriptions;
  for (const app::LeftWork& work : m_saidWork) descriptions.append(describe(work));
  if (descriptions.isEmpty()) return m_notice->unsay(kAboutLeftWork);
  // All that there is when the button is pressed, also what was found before.
  m_notice->say(
      tr("Farfield ended unexpectedly before. What was not saved then is kept: %1.")
          .arg(app::someNames(descriptions, "; ")),
      tr("Go on with it …"), [this] { offerLeftWork(Offer::OnDemand); }, {}, kAboutLeftWork);
}

/// Whoever has gone on with it, or dropped it, by whichever way, is not offered it any more.
void MainWindow::endOffer(const app::LeftWork& work) {
  const auto isIt = [&](const app::LeftWork& each) { return each.folder == work.folder; };
  if (std::erase_if(m_saidWork, isIt) > 0 && m_notice->says(kAboutLeftWork)) sayLeftWork();
}

void MainWindow::askAboutLeftWork(const std::vector<app::LeftWork>& found) {
  auto* const box = new QMessageBox(QMessageBox::Question, tr("Farfield"),
                                    tr("Farfield ended unexpectedly. Go on with what was not saved?"),
                                    QMessageBox::NoButton, this);
  box->setObjectName("recovery");
  const QString place = tr("It takes the place of what is open now.");
  if (found.size() > 1)
    box->setInformativeText(
        tr("There is work of %1 programs. What you do not choose stays kept.").arg(found.size()) +
        (m_model.document().isEmpty() ? QString() : ' ' + place));
  else
    box->setInformativeText(m_model.document().isEmpty() ? describe(found.front())
                                                         : describe(found.front()) + ". " + place);
  QPushButton* const restore = box->addButton(tr("&Restore"), QMessageBox::AcceptRole);
  QPushButton* const discard = box->addButton(tr("&Discard"), QMessageBox::DestructiveRole);
  box->addButton(tr("&Later"), QMessageBox::RejectRole);
  QComboBox* which = nullptr;
  auto* const grid = qobject_cast<QGridLayout*>(box->layout());
  if (found.size() > 1 && grid) {
    which = new QComboBox(box);
    which->setObjectName("recovery.which");
    which->setAccessibleName(tr("Work that was not saved"));
    for (const app::LeftWork& work : found) which->addItem(describe(work));
    // Above the buttons, which are the last row.
    const int last = grid->rowCount() - 1;
    auto* const buttons = box->findChild<QDialogButtonBox*>();
    grid->removeWidget(buttons);
    grid->addWidget(which, last, 0, 1, grid->columnCount());
    grid->addWidget(buttons, last + 1, 0, 1, grid->columnCount());
  }
  box->setAttribute(Qt::WA_DeleteOnClose);
  connect(box, &QMessageBox::buttonClicked, this, [=, this](QAbstractButton* clicked) {
    const app::LeftWork work = found[which ? static_cast<std::size_t>(which->currentIndex()) : 0];
    if (clicked == restore && mayClose([this, work] { takeUp(work); })) takeUp(work);
    if (clicked != discard) return;
    m_model.recovery().discard(work);
    endOffer(work);
    std::vector<app::LeftWork> others = found;
    std::erase_if(others, [&](const app::LeftWork& each) { return each.folder == work.folder; });
    if (!others.empty()) askAboutLeftWork(others);
  });
  box->open();
}

void MainWindow::takeUp(const app::LeftWork& work) {
  m_model.document().replace(work.session, work.path, true);
  // This program's work from now on; what was left goes when that is safe.
  m_model.recovery().takeOver(work);
  endOffer(work);
  if (!work.leftOut.isEmpty())
    warn(tr("Not all of it could be taken up. The rest is there."), app::someNames(work.leftOut));
}

}  // namespace farfield::ui
