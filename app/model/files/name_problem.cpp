#include "app/model/files/name_problem.h"

#include <QCoreApplication>

#include "core/session/json/names.h"
#include "core/session/terms.h"

namespace farfield::app {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("Names", text);
}

}  // namespace

QString nameProblem(const QString& name) {
  static const QString kForbidden = QString::fromLatin1(session::kForbiddenInNames);
  if (name.isEmpty()) return tr("A name is needed.");
  if (static_cast<std::size_t>(name.toUtf8().size()) > session::kMostNameBytes)
    return tr("The name is too long: it has %1 bytes, and %2 is the most. Letters with accents take two, those of many scripts three.")
        .arg(name.toUtf8().size())
        .arg(session::kMostNameBytes);
  for (const QChar letter : name)
    if (kForbidden.contains(letter) || !letter.isPrint())
      return tr("“%1” cannot be part of a name.").arg(letter);
  return {};
}

}  // namespace farfield::app
