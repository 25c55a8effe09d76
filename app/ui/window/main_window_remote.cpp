// What the window does with data that stay on other machines.

#include <QStatusBar>
#include <algorithm>

#include "app/model/renderers/renderer_plans.h"
#include "app/model/settings/opening_options.h"
#include "app/model/stage/renderer_links.h"
#include "app/ui/dialogs/connect_dialog.h"
#include "app/ui/dialogs/renderer_dialog.h"
#include "app/ui/panels/pipeline_panel.h"
#include "app/ui/view/view_group.h"
#include "app/ui/window/link_label.h"
#include "app/ui/window/main_window.h"
#include "core/base/url.h"

namespace farfield::ui {

void MainWindow::watchLinks() {
  connect(&m_model.engine(), &app::Engine::counted, m_link, [this](const app::WorkshopCounters& counters) {
    std::set<std::string> lost, refusing;
    for (const session::DataSource& source : m_model.document().session().data) {
      const auto links = counters.links.find(m_model.stage().keyOf(source.name));
      if (links == counters.links.end()) continue;
      const bool isLost = !m_model.stage().dataStatus(source.name).lostServer.empty();
      const bool isRefused = m_model.stage().lacksLogin(source.name);
      for (const app::LinkSight& link : links->second) {
        if (isLost) lost.insert(link.name);
        if (isRefused) refusing.insert(link.name);
      }
    }
    m_link->showLinks(counters, lost, refusing);
  });
  connect(&m_model.stage(), &app::Stage::linkChanged, this, [this](const std::string& name) {
    const app::DataStatus status = m_model.stage().dataStatus(name);
    const QString shown = QString::fromStdString(name);
    const session::DataSource* const source = m_model.document().session().find(name);
    if (source && !app::rendererOf(*source).empty()) {
      tell(tr("%1: the renderer is back, and what waited goes on.").arg(shown));
      m_group->castVolumesAgain();
      return;
    }
    if (status.lostServer.empty())
      tell(tr("%1: the server is back, and what waited goes on.").arg(shown));
    else
      tell(tr("%1: the connection to %2 is lost. What waits for it goes on by itself when it is back; Esc "
              "stops it.")
               .arg(shown, QString::fromStdString(status.lostServer)),
           true);
    showBusy();
  });
}

ConnectDialog* MainWindow::connectDialog(const std::string& dataName) {
  auto* const dialog = new ConnectDialog(m_model, this);
  const auto open = [this, dataName](const QString& url, const QStringList& solutions) {
    app::DataFiles files{url, {}};
    for (const QString& solution : solutions)
      files.solutions.append(QString::fromStdString(besideUrl(url.toStdString(), solution.toStdString())));
    // Those that somebody logged in for have been tried again with the login, and are what is wanted.
    if (!dataName.empty() && m_model.isOf(dataName, files)) {
      m_model.stage().retryOpening(dataName);
      return m_pipeline->selectData(dataName);
    }
    m_model.openData({files});
  };
  connect(dialog, &ConnectDialog::dataWanted, this, open);
  dialog->open();
  return dialog;
}

RendererDialog* MainWindow::rendererDialog(const std::string& dataName) {
  const session::DataSource* const source = m_model.document().session().find(dataName);
  const bool isLacking = source && app::lacksRenderer(*source, m_model.stage());
  auto* const dialog = new RendererDialog(this, QString::fromStdString(dataName), isLacking);
  if (isLacking) {
    const QString url = QString::fromStdString(app::rendererOf(*source));
    if (const auto plan = app::rendererPlan(m_model.settings(), url))
      dialog->fill(*plan);
    else
      dialog->fillAddress(url);
  }
  const auto open = [this, dataName, dialog](const QString& url) {
    if (!dialog->isInstead() || !m_model.document().session().find(dataName))
      return m_model.openData({{url, {}}});
    m_model.giveAddress(dataName, url);
  };
  connect(dialog, &RendererDialog::urlWanted, this, open);
  connect(dialog, &RendererDialog::started, this, [this, open](app::RendererStart* renderer) {
    keepRenderer(renderer);
    open(renderer->url());
  });
  dialog->open();
  return dialog;
}

/// It ends with the window, or when another one is started and nothing shows its data any more.
void MainWindow::keepRenderer(app::RendererStart* renderer) {
  const auto isShown = [this](const QString& url) {
    const auto& opened = m_model.document().session().data;
    return std::any_of(opened.begin(), opened.end(), [&](const session::DataSource& its) {
      return !its.source.empty() && its.source.front() == url.toStdString();
    });
  };
  for (app::RendererStart* const other : findChildren<app::RendererStart*>(Qt::FindDirectChildrenOnly))
    if (!isShown(other->url())) delete other;
  renderer->setParent(this);
  app::keepRendererPlan(m_model.settings(), renderer->url(), renderer->plan());
  connect(renderer, &app::RendererStart::failed, this, [this](const QString& message, const QString& advice) {
    tell(tr("%1; %2.").arg(message, advice), true);
  });
}

QString MainWindow::savedWords(const QString& path) const {
  const auto renderers = findChildren<app::RendererStart*>(Qt::FindDirectChildrenOnly);
  for (const session::DataSource& its : m_model.document().session().data)
    for (const app::RendererStart* const renderer : renderers)
      if (!its.source.empty() && its.source.front() == renderer->url().toStdString())
        return tr("Saved. The renderer of %1 ends with this window: its data offer to start it again when the session is opened.")
            .arg(QString::fromStdString(its.name));
  return tr("Saved %1").arg(path);
}

void MainWindow::logInFor(const std::string& name) {
  const session::DataSource* const source = m_model.document().session().find(name);
  if (!source) return;
  connectDialog(name)->logInTo(QString::fromStdString(source->source.front()));
}

void MainWindow::openRecent(const QString& what) {
  // Of data elsewhere nobody can tell by looking which files go together: it is known.
  const std::map<std::string, std::string> options = app::openingOptions(m_model.settings(), what);
  const QStringList parts = what.split('\n');
  if (!isUrl(what.toStdString())) return openPaths(parts, options);
  m_model.openData({{parts.front(), parts.mid(1), options}});
}

}  // namespace farfield::ui
