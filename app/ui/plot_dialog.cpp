#include "app/ui/plot_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QSaveFile>
#include <algorithm>
#include <cmath>

#include "app/first/first_objects.h"
#include "app/model/line_shapes.h"
#include "app/ui/curve_view.h"
#include "app/ui/look.h"
#include "app/ui/number_edit.h"

namespace farfield::ui {
namespace {

constexpr int kPoints = 401;
/// While somebody types or plays.
constexpr int kSoonMs = 60;

/// The rake of an object that has one; else from end to end of the data, through their middle, along the longest way.
std::array<Vec3, 2> lineFor(const session::Object* object, const Bounds& bounds) {
  if (object)
    if (const session::Seeds* const seeds = app::seedsIn(*object))
      if (const auto* const line = std::get_if<session::LineSeeds>(seeds)) return {line->from, line->to};
  if (bounds.empty()) return {Vec3{0, 0, 0}, Vec3{1, 0, 0}};
  std::array<Vec3, 2> line{bounds.center(), bounds.center()};
  const Vec3 size = bounds.max - bounds.min;
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  line[0][axis] = bounds.min[axis];
  line[1][axis] = bounds.max[axis];
  return line;
}

}  // namespace

PlotDialog::PlotDialog(app::AppModel& model, app::ObjectId selected, QWidget* parent)
    : QDialog(parent),
      m_model(model),
      m_by(new QComboBox(this)),
      m_curve(new CurveView(this)),
      m_note(new QLabel(this)),
      m_csv(new QPushButton(tr("Save as CSV …"), this)),
      m_svg(new QPushButton(tr("Save as SVG …"), this)) {
  setObjectName("plotDialog");
  setWindowTitle(tr("Plot along a line"));
  const session::Object* const object = model.document().object(selected);
  if (object) m_data = object->data;
  for (const session::DataSource& source : model.document().session().data)
    if (m_data.empty() && model.stage().summary(source.name)) m_data = source.name;
  const auto summary = model.stage().summary(m_data);

  auto* const grid = new QGridLayout(this);
  auto* const of = new QLabel(tr("Of"), this);
  of->setBuddy(m_by);
  m_by->setObjectName("plot.by");
  m_by->setAccessibleName(tr("Function"));
  m_by->setToolTip(tr("The function whose values are plotted"));
  if (summary)
    for (const std::string& name : app::scalarFunctions(*summary))
      m_by->addItem(QString::fromStdString(name));
  const std::string shown = object && !object->color.by.empty() ? object->color.by
                            : summary                           ? app::usualScalar(*summary)
                                                                : std::string();
  if (const int at = m_by->findText(QString::fromStdString(shown)); at >= 0) m_by->setCurrentIndex(at);
  grid->addWidget(of, 0, 0);
  grid->addWidget(m_by, 0, 1, 1, 3);
  const std::array<Vec3, 2> line = lineFor(object, summary ? summary->bounds : Bounds{});
  const QString names[2] = {tr("From"), tr("To")};
  for (std::size_t n = 0; n < 2; ++n) {
    const int row = static_cast<int>(n) + 1;
    grid->addWidget(new QLabel(names[n], this), row, 0);
    for (int axis = 0; axis < 3; ++axis) {
      auto* const edit = new NumberEdit({}, this);
      edit->setObjectName(QStringLiteral("plot.%1.%2").arg(n == 0 ? "from" : "to").arg(QChar("xyz"[axis])));
      edit->setAccessibleName(names[n] + ' ' + QChar("xyz"[axis]));
      edit->setValue(line[n][axis]);
      grid->addWidget(edit, row, 1 + axis);
      connect(edit, &NumberEdit::edited, this, [this] { m_soon.start(); });
      m_ends[n][static_cast<std::size_t>(axis)] = edit;
    }
  }
  m_curve->setObjectName("plot.curve");
  grid->addWidget(m_curve, 3, 0, 1, 4);
  grid->setRowStretch(3, 1);
  m_note->setForegroundRole(QPalette::PlaceholderText);
  m_note->setWordWrap(true);
  m_note->setMinimumHeight(fontMetrics().lineSpacing());
  grid->addWidget(m_note, 4, 0, 1, 4);
  auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  buttons->addButton(m_csv, QDialogButtonBox::ActionRole);
  buttons->addButton(m_svg, QDialogButtonBox::ActionRole);
  grid->addWidget(buttons, 5, 0, 1, 4);
  for (QPushButton* const button : {m_csv, m_svg}) button->setEnabled(false);

  m_soon.setSingleShot(true);
  m_soon.setInterval(kSoonMs);
  connect(&m_soon, &QTimer::timeout, this, &PlotDialog::ask);
  connect(m_by, &QComboBox::currentIndexChanged, this, [this] { m_soon.start(); });
  connect(&model.stage(), &app::Stage::stepChanged, this, [this] { m_soon.start(); });
  connect(&model.engine(), &app::Engine::lineSampled, this, &PlotDialog::showAnswer);
  connect(&model.document(), &app::Document::replaced, this, &QDialog::close);
  connect(m_csv, &QPushButton::clicked, this, [this] { save(tr("Tables (*.csv)"), "csv"); });
  connect(m_svg, &QPushButton::clicked, this, [this] { save(tr("Drawings (*.svg)"), "svg"); });
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  m_curve->showText(m_by->count() > 0 ? tr("Looking …") : tr("There is nothing to plot in these data."));
  ask();
}

PlotDialog::~PlotDialog() {
  if (m_asked) m_model.engine().sampleLine(std::nullopt);
}

Vec3 PlotDialog::end(std::size_t n) const {
  Vec3 point;
  for (int axis = 0; axis < 3; ++axis)
    point[axis] = m_ends[n][static_cast<std::size_t>(axis)]->value().value_or(0);
  return point;
}

void PlotDialog::ask() {
  const auto summary = m_model.stage().summary(m_data);
  if (!summary || m_by->currentText().isEmpty()) return;
  app::LineRequest request;
  request.dataKey = m_model.stage().keyOf(m_data);
  request.step = m_model.stage().step();
  request.from = end(0);
  request.to = end(1);
  request.count = kPoints;
  request.function = m_by->currentText().toStdString();
  m_asked = request;
  m_model.engine().sampleLine(request);
}

void PlotDialog::showAnswer(const app::LineAnswer& answer) {
  if (answer.request != m_asked) return;
  if (!answer.problem.empty()) {
    m_answer.reset();
    m_curve->showText(QString::fromStdString(answer.problem));
    m_note->clear();
  } else {
    m_answer = answer;
    Curve curve;
    curve.across = tr("distance from the first point");
    curve.up = QString::fromStdString(answer.request.function);
    curve.length = length(answer.request.to - answer.request.from);
    curve.values = answer.values;
    const auto outside = std::count_if(answer.values.begin(), answer.values.end(),
                                       [](double value) { return !std::isfinite(value); });
    m_curve->showCurve(curve);
    m_note->setText(
        outside == 0 ? QString()
                     : tr("%1 of %2 points lie outside of the data.").arg(outside).arg(answer.values.size()));
  }
  for (QPushButton* const button : {m_csv, m_svg}) button->setEnabled(m_answer.has_value());
}

void PlotDialog::save(const QString& filter, const char* suffix) {
  auto* const dialog = new QFileDialog(this, tr("Save the curve"), {}, filter);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(suffix);
  dialog->setOption(QFileDialog::DontUseNativeDialog);
  dialog->selectFile(QString::fromStdString(m_answer->request.function) + '.' + suffix);
  const bool table = suffix == std::string("csv");
  connect(dialog, &QFileDialog::fileSelected, this, [this, table](const QString& path) {
    const bool good = table ? writeCsv(path) : m_curve->writeSvg(path);
    m_note->setText(good ? tr("Wrote %1").arg(path) : tr("%1 could not be written.").arg(path));
  });
  dialog->open();
}

bool PlotDialog::writeCsv(const QString& path) const {
  if (!m_answer) return false;
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly)) return false;
  const auto number = [](double value) {
    return std::isfinite(value) ? QByteArray::number(value, 'g', 17) : QByteArray();
  };
  const app::LineRequest& request = m_answer->request;
  QString name = QString::fromStdString(request.function);
  if (name.contains(',') || name.contains('"')) name = '"' + name.replace('"', "\"\"") + '"';
  QByteArray table = "distance,x,y,z," + name.toUtf8() + '\n';
  const std::size_t count = m_answer->values.size();
  const Vec3 way = request.to - request.from;
  for (std::size_t n = 0; n < count; ++n) {
    const double part = count > 1 ? static_cast<double>(n) / static_cast<double>(count - 1) : 0;
    const Vec3 at = request.from + part * way;
    table += number(part * length(way)) + ',' + number(at.x) + ',' + number(at.y) + ',' + number(at.z) + ',' +
             number(m_answer->values[n]) + '\n';
  }
  file.write(table);
  return file.commit();
}

}  // namespace farfield::ui
