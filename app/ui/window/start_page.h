#pragma once
// What is shown while nothing is open: samples that are made on the spot, what was opened last, and a tour of
// four steps, the last of which is a file of the user's own.

#include <QScrollArea>
#include <QTimer>

#include "app/model/app_model.h"

class QCommandLinkButton;
class QGridLayout;
class QLabel;
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
  /// Why something that was asked for was not done.
  void message(const QString& text);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  /// Columns of the samples and of the worked sessions; what was opened last is beside the samples or below them.
  struct Arrangement {
    int samples = 0, sessions = 0;
    bool beside = true;
    bool operator==(const Arrangement&) const = default;
  };
  void arrangeOffers(const Arrangement& wanted);
  void showRecent();
  /// With the budget that there is.
  void showHint();
  /// Once all is where it stays: cards move under a pointer that rests, and Qt tells none of them.
  void unmarkCards();

  app::AppModel& m_model;
  QTimer m_moved;
  QGridLayout *m_halves, *m_offers, *m_worked;
  QList<QCommandLinkButton*> m_samples, m_sessions;
  QLabel *m_sessionHeading, *m_recentHeading, *m_hint;
  QWidget* m_recentPart;
  QVBoxLayout* m_recent;
  Arrangement m_arrangement;
};

}  // namespace farfield::ui
