#include "app/model/words/info_words.h"

#include <QRegularExpression>
#include <string_view>

namespace farfield::app {

QString InfoWords::forWindow(const QString& info) {
  static const QRegularExpression kChoices("^otherwise  ([0-9]+) \\(--option KEY=VALUE\\)$");
  // "; --option variable=NAME shows one of them", "--option on=nodes shows them", "(--verbose lists them)"
  static const QRegularExpression kAside("(;? \\(--[a-z][^)]*\\)|; --[a-z].*$)");
  constexpr qsizetype kTextAt =
      25;  // in a line of a choice, behind its key and value, or behind these where they are longer
  QStringList lines = info.split('\n');
  bool isChoice = false;
  for (QString& line : lines) {
    if (const auto choices = kChoices.match(line); choices.hasMatch()) {
      isChoice = true;
      line = tr("otherwise  %1, in their properties once they are open").arg(choices.captured(1));
      continue;
    }
    isChoice = isChoice && line.startsWith("  ");
    if (const qsizetype space = line.indexOf(' ', kTextAt - 1); isChoice && line.contains('=') && space > 0)
      line = "  " + line.mid(space + 1);
    line.remove(kAside);
  }
  return lines.join('\n');
}

QStringList InfoWords::leftOut(const std::vector<std::string>& explanation) {
  constexpr std::string_view kBegins = "left out: ";
  QStringList lines;
  for (const std::string& line : explanation)
    if (line.starts_with(kBegins))
      lines.append(forWindow(QString::fromStdString(line.substr(kBegins.size()))));
  return lines;
}

}  // namespace farfield::app
