#include "app/ui/names.h"

#include <QCoreApplication>
#include <QFileInfo>

#include "app/model/series_names.h"

namespace farfield::ui {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("Names", text);
}

}  // namespace

QString withoutMnemonics(QString name) {
  return name.replace('&', QLatin1String("&&"));
}

QString recentText(const QString& what) {
  QStringList names;
  const QStringList paths = what.split('\n');
  const auto ofSeries = [](const QStringList& files) {
    const QString series = app::nameOfSeries(files);
    return series.isEmpty() ? series : tr("%1 (%2 files)").arg(series).arg(files.size());
  };
  if (const QString series = ofSeries(paths); !series.isEmpty()) return series;
  if (const QString series = ofSeries(paths.mid(1)); !series.isEmpty())
    return recentText(paths.front()) + " + " + series;
  for (const QString& path : paths.mid(0, 2))
    // Of what lies beside another its name says enough.
    names.append(path.contains("://") && names.isEmpty() ? path : path.section('/', -1));
  if (paths.size() > 2) names.append(tr("%1 more").arg(paths.size() - 2));
  return names.join(" + ");
}

QStringList recentTexts(const QStringList& all) {
  QStringList texts;
  for (const QString& what : all) texts.append(recentText(what));
  const QStringList plain = texts;
  for (qsizetype n = 0; n < all.size(); ++n)
    if (plain.count(plain[n]) > 1)
      texts[n] = tr("%1 in %2").arg(plain[n], QFileInfo(all[n].section('\n', 0, 0)).absolutePath());
  return texts;
}

}  // namespace farfield::ui
