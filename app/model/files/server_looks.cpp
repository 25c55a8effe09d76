#include "app/model/files/server_looks.h"

namespace farfield::app {
namespace {

constexpr const char* kName = "serverLooks";

}  // namespace

ServerLooks::ServerLooks(QObject* parent) : QObject(parent) {
  setObjectName(kName);
}

ServerLooks& ServerLooks::of(const QObject& parent) {
  return *static_cast<ServerLooks*>(parent.findChild<QObject*>(kName, Qt::FindDirectChildrenOnly));
}

}  // namespace farfield::app
