#include "app/ui/editors/plot3d_options.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>

namespace farfield::ui {
namespace {

struct Choice {
  const char* key;
  bool gridOnly;
  const char *label, *tip;
  std::vector<std::pair<const char*, const char*>> values;  ///< and what they are called
};

const std::vector<Choice>& choices() {
  static const std::vector<Choice> all = {
      {"byteOrder",
       false,
       QT_TRANSLATE_NOOP("Plot3dOptions", "Byte order"),
       QT_TRANSLATE_NOOP("Plot3dOptions",
                         "Which byte of a number comes first; little endian, the lowest, on most machines"),
       {{"little", QT_TRANSLATE_NOOP("Plot3dOptions", "little endian")},
        {"big", QT_TRANSLATE_NOOP("Plot3dOptions", "big endian")}}},
      {"markers",
       false,
       QT_TRANSLATE_NOOP("Plot3dOptions", "Record markers"),
       QT_TRANSLATE_NOOP("Plot3dOptions",
                         "Fortran writes the length of a record before and behind it, C does not"),
       {{"0", QT_TRANSLATE_NOOP("Plot3dOptions", "none (C binary)")},
        {"4", QT_TRANSLATE_NOOP("Plot3dOptions", "4 bytes (Fortran)")},
        {"8", QT_TRANSLATE_NOOP("Plot3dOptions", "8 bytes (Fortran)")}}},
      {"multiGrid",
       false,
       QT_TRANSLATE_NOOP("Plot3dOptions", "Blocks"),
       QT_TRANSLATE_NOOP("Plot3dOptions", "Whether the file begins with how many blocks it has"),
       {{"false", QT_TRANSLATE_NOOP("Plot3dOptions", "a single grid")},
        {"true", QT_TRANSLATE_NOOP("Plot3dOptions", "a count first")}}},
      {"precision",
       false,
       QT_TRANSLATE_NOOP("Plot3dOptions", "Precision"),
       QT_TRANSLATE_NOOP("Plot3dOptions", "Of each number: 4 bytes, or 8"),
       {{"f32", QT_TRANSLATE_NOOP("Plot3dOptions", "single")},
        {"f64", QT_TRANSLATE_NOOP("Plot3dOptions", "double")}}},
      {"iblank",
       true,
       QT_TRANSLATE_NOOP("Plot3dOptions", "iblank"),
       QT_TRANSLATE_NOOP("Plot3dOptions",
                         "A whole number at each node, behind the coordinates; 0 where there is a hole"),
       {{"true", QT_TRANSLATE_NOOP("Plot3dOptions", "in the grid")},
        {"false", QT_TRANSLATE_NOOP("Plot3dOptions", "none")}}},
      {"dimensions",
       false,
       QT_TRANSLATE_NOOP("Plot3dOptions", "Dimensions"),
       QT_TRANSLATE_NOOP("Plot3dOptions", "Whether nodes have x, y and z, or x and y alone"),
       {{"3", "3"}, {"2", "2"}}},
      {"layout",
       false,
       QT_TRANSLATE_NOOP("Plot3dOptions", "Layout"),
       QT_TRANSLATE_NOOP("Plot3dOptions",
                         "Whether a block is written as a whole, or one plane of it after the other"),
       {{"whole", QT_TRANSLATE_NOOP("Plot3dOptions", "whole blocks")},
        {"planes", QT_TRANSLATE_NOOP("Plot3dOptions", "planes")}}}};
  return all;
}

}  // namespace

Plot3dOptions::Plot3dOptions(int inRow, QWidget* parent) : QWidget(parent) {
  setObjectName("plot3d");
  auto* const grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 0);
  for (std::size_t n = 0; n < choices().size(); ++n) {
    const Choice& choice = choices()[n];
    auto* const label = new QLabel(tr(choice.label), this);
    auto* const list = new QComboBox(this);
    list->setObjectName(QString("plot3d.") + choice.key);
    list->setAccessibleName(tr(choice.label));
    list->setToolTip(tr(choice.tip));
    list->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    list->setMinimumContentsLength(12);
    list->addItem(tr("found by looking"), QString());
    for (const auto& [value, text] : choice.values) list->addItem(tr(text), QString(value));
    label->setBuddy(list);
    const int row = static_cast<int>(n) / inRow, column = 2 * (static_cast<int>(n) % inRow);
    grid->addWidget(label, row, column);
    grid->addWidget(list, row, column + 1);
    grid->setColumnStretch(column + 1, 1);
    m_choices.push_back(list);
  }
}

std::map<std::string, std::string> Plot3dOptions::options() const {
  std::map<std::string, std::string> options;
  for (std::size_t n = 0; n < m_choices.size(); ++n) {
    const std::string value = m_choices[n]->currentData().toString().toStdString();
    if (value.empty()) continue;
    options[choices()[n].key] = value;
    if (!choices()[n].gridOnly) options[std::string("solution.") + choices()[n].key] = value;
  }
  return options;
}

void Plot3dOptions::setOptions(const std::map<std::string, std::string>& options) {
  for (std::size_t n = 0; n < m_choices.size(); ++n) {
    const auto found = options.find(choices()[n].key);
    m_choices[n]->setCurrentIndex(
        found == options.end() ? 0
                               : std::max(0, m_choices[n]->findData(QString::fromStdString(found->second))));
  }
}

std::vector<std::string> Plot3dOptions::keys() {
  std::vector<std::string> keys;
  for (const Choice& choice : choices()) {
    keys.emplace_back(choice.key);
    if (!choice.gridOnly) keys.push_back(std::string("solution.") + choice.key);
  }
  return keys;
}

}  // namespace farfield::ui
