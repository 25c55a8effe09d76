#pragma once
// The samples and the worked sessions that a new user can begin with.

#include <QString>
#include <vector>

namespace farfield::ui {

/// The samples on offer: URL, name, one line.
struct SampleOffer {
  QString url, name, line;
};
std::vector<SampleOffer> sampleOffers();
/// Worked sessions that come with the program, all of samples: the name of the file, what it is called, one line.
std::vector<SampleOffer> sessionOffers();

}  // namespace farfield::ui
