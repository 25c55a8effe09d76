#include "app/model/files/pair_names.h"

namespace farfield::app {
namespace {

QStringList listOf(const std::vector<std::string>& names) {
  QStringList list;
  for (const std::string& name : names) list.append(QString::fromStdString(name));
  return list;
}

std::vector<std::string> plain(const QStringList& names) {
  std::vector<std::string> all;
  for (const QString& name : names) all.push_back(name.toStdString());
  return all;
}

}  // namespace

QStringList namesByCustom(const QString& name, bool toSolution) {
  return listOf(plot3d::namesByCustom(name.toStdString(), toSolution));
}

QStringList shorterNames(const QString& name) {
  return listOf(plot3d::shorterNames(name.toStdString()));
}

GridFinder::GridFinder(const QStringList& names) : m_finder(plain(names)) {}

QString GridFinder::gridOf(const QString& solution) const {
  return QString::fromStdString(m_finder.gridOf(solution.toStdString()));
}

}  // namespace farfield::app
