#pragma once
// What is shown while nothing is open: samples that are made on the spot, what was opened last, and a tour of
// three steps.

#include <QScrollArea>

#include "app/model/app_model.h"

class QVBoxLayout;

namespace farfield::ui {

class StartPage : public QScrollArea {
  Q_OBJECT
 public:
  explicit StartPage(app::AppModel& model, QWidget* parent = nullptr);

 signals:
  void openWanted();
  void connectWanted();
  /// What a line of the recent list names.
  void recentWanted(const QString& what);
  /// One of the samples.
  void sampleWanted(const QString& url);

 private:
  void showRecent();

  app::AppModel& m_model;
  QVBoxLayout* m_recent;
};

/// The samples on offer: URL, name, one line.
struct SampleOffer {
  QString url, name, line;
};
std::vector<SampleOffer> sampleOffers();
/// Worked sessions that come with the program, all of samples: the name of the file, what it is called, one line.
std::vector<SampleOffer> sessionOffers();
/// A copy of a worked session that can be opened as a file, and its name; empty if it cannot be written.
QString copyOfSession(const QString& name);
/// What a line of the recent list is called: "wing.xyz + wing.q".
QString recentText(const QString& what);

}  // namespace farfield::ui
