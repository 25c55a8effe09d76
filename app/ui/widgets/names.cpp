#include "app/ui/widgets/names.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <algorithm>
#include <vector>

#include "app/model/files/series_names.h"
#include "app/ui/widgets/sample_offers.h"

namespace farfield::ui {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("Names", text);
}

/// "Cylinder (sample)", as the start page calls it; with what its address asks for otherwise, by which several are told apart.
QString nameOfSample(const QString& address) {
  const QString plain = address.section('?', 0, 0), asked = address.section('?', 1);
  for (const SampleOffer& offer : sampleOffers()) {
    if (offer.url.section('?', 0, 0) != plain) continue;
    return asked.isEmpty() || asked == offer.url.section('?', 1)
               ? tr("%1 (sample)").arg(offer.name)
               : tr("%1 (sample, %2)").arg(offer.name, asked);
  }
  return address;
}

/// Of data on another machine with the machine behind it, of which the name alone says little; formulas have no folders.
QString nameOf(const QString& path) {
  const qsizetype scheme = path.indexOf("://");
  if (scheme < 0) return path.section('/', -1, -1, QString::SectionSkipEmpty);
  if (path.startsWith("sample://")) return nameOfSample(path);
  const QString rest = path.mid(scheme + 3), host = rest.section('/', 0, 0),
                name = rest.section('/', 1).section('/', -1, -1, QString::SectionSkipEmpty);
  return name.isEmpty() ? path : tr("%1 on %2").arg(name, host);
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
  for (const QString& path : paths.mid(0, 2)) names.append(app::shownPattern(nameOf(path)));
  if (paths.size() > 2) names.append(tr("%1 more").arg(paths.size() - 2));
  return names.join(" + ");
}

QString elidedNames(const QString& text, const QFontMetrics& metrics, int width) {
  if (metrics.horizontalAdvance(text) <= width) return text;
  static const QString kJoin = QStringLiteral(" + ");
  QStringList names = text.split(kJoin);
  // Short ones leave their room to the others.
  std::vector<QString*> byWidth;
  for (QString& name : names) byWidth.push_back(&name);
  std::sort(byWidth.begin(), byWidth.end(), [&](const QString* a, const QString* b) {
    return metrics.horizontalAdvance(*a) < metrics.horizontalAdvance(*b);
  });
  int room = width - metrics.horizontalAdvance(kJoin) * static_cast<int>(names.size() - 1);
  auto left = static_cast<int>(names.size());
  for (QString* const name : byWidth) {
    *name = metrics.elidedText(*name, Qt::ElideMiddle, room / left);
    room -= metrics.horizontalAdvance(*name);
    --left;
  }
  return names.join(kJoin);
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
