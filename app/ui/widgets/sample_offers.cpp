#include "app/ui/widgets/sample_offers.h"

#include <QCoreApplication>

namespace farfield::ui {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("SampleOffers", text);
}

}  // namespace

std::vector<SampleOffer> sampleOffers() {
  return {{"sample://cylinder", tr("Cylinder"),
           tr("Flow around a cylinder: four overlapping blocks, as of a solver")},
          {"sample://tornado", tr("Tornado"), tr("A whirl that winds upwards over the ground")},
          {"sample://taylor-green?steps=12", tr("Taylor–Green vortices"),
           tr("Decaying vortices, in twelve steps of time")},
          {"sample://abc", tr("ABC flow"), tr("Chaotic streamlines in a simple field")},
          {"sample://turbulence", tr("Turbulence"), tr("Random waves with the spectrum of turbulence")},
          {"sample://marschner-lobb", tr("Marschner–Lobb"), tr("The scalar that is hard to draw well")}};
}

std::vector<SampleOffer> sessionOffers() {
  return {{"cylinder-streaks", tr("Streaks around a cylinder"),
           tr("Particles released one after the other, in a flow that swings")},
          {"tornado-paths", tr("Paths in a tornado"),
           tr("Where particles go, and where they are, in a hundred steps")},
          {"taylor-green-streaks", tr("Streaks in decaying vortices"),
           tr("Taylor–Green vortices over their pressure")}};
}

}  // namespace farfield::ui
