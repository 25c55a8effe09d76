#include "app/ui/editors/raw_options.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLocale>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/ui/widgets/look.h"
#include "app/ui/widgets/number_edit.h"
#include "app/ui/widgets/tab_order.h"

namespace farfield::ui {
namespace {

struct Type {
  const char* name;  ///< of the option
  const char *is, *also;
  int bytes;
};
constexpr Type kTypes[] = {
    {"u8", QT_TRANSLATE_NOOP("RawOptions", "8 bits, whole, from 0"), "uint8|uchar|byte", 1},
    {"i8", QT_TRANSLATE_NOOP("RawOptions", "8 bits, whole, signed"), "int8|char", 1},
    {"u16", QT_TRANSLATE_NOOP("RawOptions", "16 bits, whole, from 0"), "uint16|ushort", 2},
    {"i16", QT_TRANSLATE_NOOP("RawOptions", "16 bits, whole, signed"), "int16|short", 2},
    {"u32", QT_TRANSLATE_NOOP("RawOptions", "32 bits, whole, from 0"), "uint32|uint", 4},
    {"i32", QT_TRANSLATE_NOOP("RawOptions", "32 bits, whole, signed"), "int32|int", 4},
    {"f32", QT_TRANSLATE_NOOP("RawOptions", "32 bits, real (float)"), "float32|float", 4},
    {"f64", QT_TRANSLATE_NOOP("RawOptions", "64 bits, real (double)"), "float64|double", 8}};
constexpr double kMostNodes = 1e9;  // along an axis

int bytesOf(const QString& type) {
  for (const Type& each : kTypes)
    if (type == QLatin1String(each.name)) return each.bytes;
  return 0;
}

/// As many of them as there are.
void setNumbers(QString list, const std::array<NumberEdit*, 3>& edits) {
  const QStringList parts = list.remove('[').remove(']').split(',');
  for (std::size_t n = 0; n < edits.size() && static_cast<qsizetype>(n) < parts.size(); ++n) {
    bool good = false;
    if (const double value = parts[static_cast<qsizetype>(n)].toDouble(&good); good)
      edits[n]->setValue(value);
  }
}

}  // namespace

std::map<std::string, std::string> rawOptionsInName(const QString& name) {
  std::map<std::string, std::string> options;
  static const QRegularExpression kDims("(?<!\\d)(\\d+)x(\\d+)x(\\d+)(?!\\d)",
                                        QRegularExpression::CaseInsensitiveOption);
  if (const auto found = kDims.match(name); found.hasMatch())
    options["dims"] = (found.captured(1) + ',' + found.captured(2) + ',' + found.captured(3)).toStdString();
  for (const Type& type : kTypes) {
    const QRegularExpression word(QStringLiteral("(?<![A-Za-z0-9])(%1|%2)(?![A-Za-z0-9])")
                                      .arg(QLatin1String(type.name), QLatin1String(type.also)),
                                  QRegularExpression::CaseInsensitiveOption);
    if (word.match(name).hasMatch()) options["type"] = type.name;
  }
  return options;
}

std::map<std::string, std::string> rawOptionsOfSquare(std::int64_t bytes, const std::string& type) {
  for (const char* const name : {"u8", "u16", "f32", "f64"}) {
    const std::string its = type.empty() ? name : type;
    const int each = bytesOf(QString::fromStdString(its));
    const auto side = each > 0 ? std::llround(std::sqrt(static_cast<double>(bytes) / each)) : 0;
    if (side > 1 && side * side * each == bytes)
      return {{"dims", std::to_string(side) + ',' + std::to_string(side)}, {"type", its}};
  }
  return {};
}

RawOptions::RawOptions(QWidget* parent)
    : QWidget(parent),
      m_offset(new NumberEdit({.least = 0, .whole = true}, this)),
      m_components(new NumberEdit({.least = 1, .greatest = 9, .whole = true}, this)),
      m_type(new QComboBox(this)),
      m_order(new QComboBox(this)),
      m_role(new QLabel(this)),
      m_sum(new QLabel(this)) {
  setObjectName("raw");
  auto* const grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 0);
  int row = 0;
  const auto add = [&](const QString& text, const QString& tip, std::initializer_list<QWidget*> widgets) {
    auto* const label = new QLabel(text, this);
    label->setBuddy(*widgets.begin());
    grid->addWidget(label, row, 0);
    const int each = 3 / static_cast<int>(widgets.size());
    int column = 1;
    for (QWidget* const widget : widgets) {
      if (widget->accessibleName().isEmpty()) widget->setAccessibleName(text);
      widget->setToolTip(tip);
      grid->addWidget(widget, row, std::exchange(column, column + each), 1, each);
    }
    ++row;
  };
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const QChar name("ijk"[axis]), along("xyz"[axis]);
    m_dims[axis] =
        new NumberEdit({.least = 1, .greatest = kMostNodes, .whole = true, .mayBeEmpty = true}, this);
    m_dims[axis]->setObjectName(QStringLiteral("raw.dims.%1").arg(name));
    m_dims[axis]->setAccessibleName(tr("Nodes along %1").arg(name));
    m_spacing[axis] = new NumberEdit({.least = 0, .leastExcluded = true}, this);
    m_spacing[axis]->setObjectName(QStringLiteral("raw.spacing.%1").arg(along));
    m_spacing[axis]->setAccessibleName(tr("Spacing along %1").arg(along));
    m_spacing[axis]->setValue(1);
  }
  add(tr("Nodes i, j, k"),
      tr("How many there are along each axis; along i they follow one another in the file"),
      {m_dims[0], m_dims[1], m_dims[2]});
  m_type->setObjectName("raw.type");
  m_type->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_type->setMinimumContentsLength(12);
  m_type->addItem(tr("to be chosen"), QString());
  for (const Type& type : kTypes) m_type->addItem(tr(type.is), QString::fromLatin1(type.name));
  add(tr("Each number"), tr("How a number is stored"), {m_type});
  m_order->setObjectName("raw.endian");
  m_order->addItem(tr("little endian"), QStringLiteral("little"));
  m_order->addItem(tr("big endian"), QStringLiteral("big"));
  add(tr("Byte order"), tr("Which byte of a number comes first; little endian, the lowest, on most machines"),
      {m_order});
  m_components->setObjectName("raw.components");
  m_components->setValue(1);
  add(tr("Numbers per node"), tr("1, or 3 of a vector; those of a node follow one another"), {m_components});
  m_offset->setObjectName("raw.offset");
  m_offset->setValue(0);
  add(tr("Bytes before them"), tr("Of a header, which are passed over"), {m_offset});
  add(tr("Spacing x, y, z"), tr("How far neighbouring nodes are apart along each axis"),
      {m_spacing[0], m_spacing[1], m_spacing[2]});
  for (int column = 1; column <= 3; ++column) grid->setColumnStretch(column, 1);
  m_role->setObjectName("raw.role");
  m_role->setWordWrap(true);
  m_role->setMinimumHeight(2 * fontMetrics().lineSpacing());
  m_role->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  m_role->hide();
  grid->addWidget(m_role, row++, 0, 1, 4);
  m_sum->setObjectName("raw.sum");
  m_sum->setWordWrap(true);
  m_sum->setMinimumHeight(2 * fontMetrics().lineSpacing());
  m_sum->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  grid->addWidget(m_sum, row, 0, 1, 4);
  tabAsLaidOut(*grid);
  for (NumberEdit* const edit : findChildren<NumberEdit*>())
    connect(edit, &NumberEdit::edited, this, &RawOptions::check);
  for (QComboBox* const list : {m_type, m_order})
    connect(list, &QComboBox::currentIndexChanged, this, &RawOptions::check);
  check();
}

void RawOptions::setFiles(const std::optional<app::NumberFiles>& files) {
  m_files = files;
  fillIn();
  check();
}

void RawOptions::fillIn() {
  if (!m_files || m_files->count < 2) return;
  if (!m_dims[0]->value() && !m_dims[1]->value() && m_files->count * m_files->least == m_files->bytes) {
    m_guess = rawOptionsOfSquare(m_files->least, m_type->currentData().toString().toStdString());
    if (!m_guess.empty()) {
      setNumbers(QString::fromStdString(m_guess["dims"]), m_dims);
      m_type->setCurrentIndex(m_type->findData(QString::fromStdString(m_guess["type"])));
    }
  }
  if (!m_dims[2]->value()) m_dims[2]->setValue(static_cast<double>(m_files->count));
}

double RawOptions::bytesOfVolume() const {
  double bytes = m_components->value().value_or(1) * bytesOf(m_type->currentData().toString());
  for (const NumberEdit* const edit : m_dims) bytes *= edit->value().value_or(0);
  return bytes;
}

bool RawOptions::isSteps() const {
  return m_files && m_files->count > 1 &&
         static_cast<double>(m_files->least) >= m_offset->value().value_or(0) + bytesOfVolume();
}

QString RawOptions::roleOfFiles() const {
  if (!m_files || m_files->count < 2) return {};
  const QString count = QLocale().toString(m_files->count);
  if (options().empty()) return tr("There are %1 files, in the order of their numbers.").arg(count);
  if (isSteps()) return tr("Each of the %1 files is a step.").arg(count);
  const auto planes = static_cast<std::int64_t>(m_dims[2]->value().value_or(0));
  if (planes % m_files->count != 0)
    return tr("k is the number of files, %1, or a multiple of it where each holds several planes.")
        .arg(count);
  const std::int64_t each = planes / m_files->count;
  QString role = each == 1 ? tr("Each of the %1 files is a plane of one volume.").arg(count)
                           : tr("Each of the %1 files holds %2 planes of one volume.").arg(count).arg(each);
  const auto said = options();
  const auto isAsGuessed = [&](const auto& option) {
    return (said.at(option.first) + ',').starts_with(option.second + ',');
  };
  if (m_files->missing.isEmpty() && !m_guess.empty() &&
      std::all_of(m_guess.begin(), m_guess.end(), isAsGuessed))
    role += ' ' + tr("i, j and the type are a guess, from their size.");
  if (const qsizetype missing = m_files->missing.size(); missing == 1)
    role += ' ' + tr("“%1” is missing among them; what follows moves up.").arg(m_files->missing.front());
  else if (missing > 1)
    role += ' ' + tr("“%1” and %2 more are missing among them; what follows moves up.")
                      .arg(m_files->missing.front())
                      .arg(missing - 1);
  return role;
}

void RawOptions::setOptions(const std::map<std::string, std::string>& options) {
  const auto of = [&](const char* key) {
    const auto found = options.find(key);
    return found == options.end() ? QString() : QString::fromStdString(found->second);
  };
  setNumbers(of("dims"), m_dims);
  setNumbers(of("spacing"), m_spacing);
  m_type->setCurrentIndex(std::max(0, m_type->findData(of("type"))));
  m_order->setCurrentIndex(std::max(0, m_order->findData(of("endian"))));
  if (const QString offset = of("offset"); !offset.isEmpty()) m_offset->setValue(offset.toDouble());
  if (const QString count = of("components"); !count.isEmpty()) m_components->setValue(count.toDouble());
  check();
}

std::map<std::string, std::string> RawOptions::options() const {
  std::map<std::string, std::string> options;
  const auto text = [](double value) { return textOfNumber(value).toStdString(); };
  const auto list = [&](const std::array<NumberEdit*, 3>& edits) {
    std::string all;
    for (const NumberEdit* const edit : edits)
      all += (all.empty() ? "" : ",") + text(edit->value().value_or(1));
    return all;
  };
  const auto whole = [](const NumberEdit* edit) {
    return std::to_string(static_cast<std::int64_t>(edit->value().value_or(0)));
  };
  if (std::any_of(m_dims.begin(), m_dims.end(), [](const NumberEdit* edit) { return !edit->value(); }) ||
      m_type->currentData().toString().isEmpty())
    return options;
  options["dims"] = whole(m_dims[0]) + ',' + whole(m_dims[1]);
  // Where each file is a plane the number of planes is left to how many there are.
  if (!m_files || m_files->count < 2 || m_dims[2]->value() != static_cast<double>(m_files->count) ||
      isSteps())
    options["dims"] += ',' + whole(m_dims[2]);
  options["type"] = m_type->currentData().toString().toStdString();
  if (m_order->currentIndex() > 0) options["endian"] = "big";
  if (m_components->value().value_or(1) > 1) options["components"] = whole(m_components);
  if (m_offset->value().value_or(0) > 0) options["offset"] = whole(m_offset);
  if (const std::string spacing = list(m_spacing); spacing != "1,1,1") options["spacing"] = spacing;
  return options;
}

std::vector<std::string> RawOptions::keys() {
  return {"dims", "type", "endian", "components", "offset", "spacing"};
}

void RawOptions::check() {
  const bool enough = !options().empty();
  const double count = m_files ? static_cast<double>(m_files->count) : 1,
               header = m_offset->value().value_or(0), volume = bytesOfVolume(),
               each = header + (isSteps() ? volume : volume / count), bytes = count * each;
  const bool isWhole =
      isSteps() || std::fmod(m_dims[2]->value().value_or(count), count) == 0;  // planes in each file
  const bool tooMany = enough && m_files && each > static_cast<double>(m_files->least);
  const auto number = [](double value) { return QLocale().toString(value, 'f', 0); };
  const QString there = m_files ? number(static_cast<double>(m_files->bytes)) : QString();
  m_role->setText(roleOfFiles());
  m_role->setVisible(!m_role->text().isEmpty());
  showWarning(m_role, QPalette::WindowText, enough && (!isWhole || (m_files && !m_files->missing.isEmpty())));
  if (!enough)
    m_sum->setText(m_files ? tr("There are %1 bytes.").arg(there) : QString());
  else if (!m_files)
    m_sum->setText(tr("That takes %1 bytes.").arg(number(bytes)));
  else
    m_sum->setText(bytes == static_cast<double>(m_files->bytes)
                       ? tr("That takes %1 bytes, as many as there are.").arg(number(bytes))
                       : tr("That takes %1 bytes; there are %2.").arg(number(bytes), there));
  showWarning(m_sum, QPalette::WindowText, tooMany);
  emit changed(enough && isWhole && !tooMany);
}

}  // namespace farfield::ui
