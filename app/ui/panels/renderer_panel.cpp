#include "app/ui/panels/renderer_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "app/ui/panels/renderer_lines_view.h"
#include "app/ui/widgets/look.h"

namespace farfield::ui {
namespace {

constexpr int kSeconds[] = {2, 5, 10, 30, 60};
constexpr int kUsual = 2;  ///< of these

/// The renderers that a session names.
QStringList renderersOf(const session::Session& session) {
  QStringList urls;
  const auto add = [&](const std::string& url) {
    const QString text = QString::fromStdString(url);
    if (text.startsWith(QLatin1String("slab://")) && !urls.contains(text)) urls.append(text);
  };
  for (const session::DataSource& data : session.data)
    for (const std::string& source : data.source) add(source);
  for (const session::Object& object : session.objects)
    if (const auto* const slabs = std::get_if<session::Slabs>(&object.shape)) add(slabs->source);
  return urls;
}

}  // namespace

RendererPanel::RendererPanel(app::AppModel& model, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_watch(new app::RendererWatch(this)),
      m_renderer(new QComboBox(this)),
      m_last(new QComboBox(this)),
      m_hold(new QToolButton(this)),
      m_note(new QLabel(this)),
      m_lines(new RendererLinesView) {
  setObjectName("rendererPanel");
  auto* const column = new QVBoxLayout(this);
  column->setContentsMargins(kPanelMargin, 6, kPanelMargin, 6);
  column->setSpacing(4);
  auto* const row = new QHBoxLayout;
  row->setSpacing(6);
  m_hold->setObjectName("renderer.hold");
  m_hold->setText(tr("Hold"));
  m_hold->setCheckable(true);
  m_hold->setFocusPolicy(Qt::StrongFocus);
  m_hold->setToolTip(tr("Keeps what is shown, to be looked at; what happens meanwhile is there afterwards"));
  m_hold->setWhatsThis(tr(
      "While it is pressed the life lines stand still. The ranks go on, and go on telling: pressed once more, the lines go on to now."));
  row->addWidget(m_hold);
  auto* const label = new QLabel(tr("Last"), this);
  label->setBuddy(m_last);
  row->addWidget(label);
  m_last->setObjectName("renderer.last");
  m_last->setAccessibleName(tr("Time that is shown"));
  m_last->setToolTip(tr("How long ago what is at the left was"));
  for (const int seconds : kSeconds) m_last->addItem(tr("%1 s").arg(seconds), seconds);
  m_last->setCurrentIndex(kUsual);
  row->addWidget(m_last);
  m_renderer->setObjectName("renderer.which");
  m_renderer->setAccessibleName(tr("Renderer"));
  m_renderer->setToolTip(tr("The renderer whose ranks are shown"));
  m_renderer->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  row->addWidget(m_renderer);
  m_note->setObjectName("renderer.note");
  m_note->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  m_note->setAccessibleName(tr("What keeps the renderer's ranks from being shown"));
  row->addWidget(m_note, 1);
  column->addLayout(row);
  auto* const area = new QScrollArea(this);
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  area->setMinimumHeight(12 * fontMetrics().height());  // as low as its neighbours it would show a row or two
  area->setAccessibleName(tr("Life lines"));
  area->setWidget(m_lines);
  area->setWhatsThis(m_lines->whatsThis());
  column->addWidget(area, 1);
  connect(m_watch, &app::RendererWatch::told, this, &RendererPanel::take);
  connect(m_hold, &QToolButton::toggled, this,
          [this](bool on) { m_hold->setText(on ? tr("Held") : tr("Hold")); });
  connect(m_last, &QComboBox::activated, this, &RendererPanel::draw);
  connect(m_renderer, &QComboBox::activated, this, &RendererPanel::watch);
  connect(&model.document(), &app::Document::changed, this, &RendererPanel::offerRenderers);
  connect(&model.document(), &app::Document::replaced, this, &RendererPanel::offerRenderers);
  offerRenderers();
}

QSize RendererPanel::sizeHint() const {
  return {fontMetrics().averageCharWidth() * 40, 18 * fontMetrics().height()};
}

double RendererPanel::seconds() const {
  return m_last->currentData().toDouble();
}

void RendererPanel::offerRenderers() {
  const QStringList urls = renderersOf(m_model.document().session());
  QStringList before;
  for (int n = 0; n < m_renderer->count(); ++n) before.append(m_renderer->itemText(n));
  if (urls != before) {
    const QString chosen = m_renderer->currentText();
    m_renderer->clear();
    m_renderer->addItems(urls);
    m_renderer->setCurrentIndex(std::max(0, static_cast<int>(urls.indexOf(chosen))));
  }
  m_renderer->setVisible(urls.size() > 1);
  m_hold->setEnabled(!urls.isEmpty());
  if (urls.isEmpty()) m_hold->setChecked(false);
  watch();
}

void RendererPanel::watch() {
  const QString url = isVisible() ? m_renderer->currentText() : QString();
  m_watch->watch(url);
  if (!url.isEmpty() && url != m_watched) {
    m_watched = url;
    m_hold->setChecked(false);
  }
  if (m_renderer->count() > 0) return;
  m_shown = {};
  showWarning(m_note, QPalette::WindowText, false);
  m_note->setText(
      tr("Nothing is rendered elsewhere: File ▸ Connect to renderer … starts or opens a renderer."));
  draw();
}

void RendererPanel::take(const app::RendererLives& lives) {
  if (m_hold->isChecked()) return;
  m_shown = lives;
  QStringList gone;
  for (std::size_t n = 1; n < lives.lives.size(); ++n)
    if (!lives.lives[n].isThere) gone.append(QString::fromStdString(lives.lives[n].name));
  const QString problem = !lives.problem.isEmpty() ? lives.problem
                          : !gone.isEmpty()        ? tr("gone: %1").arg(gone.join(QStringLiteral(", ")))
                                                   : QString();
  showWarning(m_note, QPalette::WindowText, !problem.isEmpty());
  m_note->setText(problem);
  m_note->setToolTip(problem);
  draw();
}

void RendererPanel::draw() {
  m_lines->showLives(m_shown.lives, m_shown.now, seconds());
}

void RendererPanel::showEvent(QShowEvent*) {
  watch();
}

void RendererPanel::hideEvent(QHideEvent*) {
  m_watch->watch({});
}

}  // namespace farfield::ui
