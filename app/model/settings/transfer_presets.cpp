#include "app/model/settings/transfer_presets.h"

#include <QCoreApplication>

namespace farfield::app {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("TransferPresets", text);
}

}  // namespace

std::vector<TransferPreset> transferPresets() {
  return {
      {0, tr("Ramp"), tr("The greater, the less transparent")},
      {1, tr("Falling ramp"), tr("The smaller, the less transparent")},
      {2, tr("Solid above the middle"), tr("Opaque from the middle of the values on")},
      {3, tr("Both ends"), tr("The smallest and the greatest values, as of what goes both ways from 0")},
      {4, tr("Shells"), tr("Thin layers of four values, one in the other")},
  };
}

}  // namespace farfield::app
