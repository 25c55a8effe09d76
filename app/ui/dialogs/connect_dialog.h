#pragma once
// File ▸ Connect…: data that stay on other machines. A place is typed or taken from those that are kept; of a paging server
// its folders are looked through, and one logs in to it here. Nothing in it waits: whatever takes time can be cancelled.

#include <QDialog>

#include "app/model/app_model.h"
#include "app/model/files/place.h"
#include "app/model/files/place_browser.h"

class QComboBox;
class QGroupBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QProgressBar;
class QPushButton;
class QToolButton;
class QTreeWidget;

namespace farfield::ui {

class GoingOnLabel;

class ConnectDialog : public QDialog {
  Q_OBJECT
 public:
  explicit ConnectDialog(app::AppModel& model, QWidget* parent);

  /// Begins at a place, as if it had been typed.
  void goTo(const QString& url);
  /// The same, and asks for a token at once.
  void logInTo(const QString& url);

 signals:
  /// Data to be opened: the grid or the whole, and its solutions, of which there may be none; several are its steps.
  void dataWanted(const QString& url, const QStringList& solutions);

 protected:
  void done(int result) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QWidget* makePlaces();
  QWidget* makeFolder();
  QWidget* makeLogin();
  void showPlaces();
  void showTyped();
  void browse(const QString& url);
  void showListing(const app::PlaceListing& listing);
  void showProblem(const app::PlaceProblem& problem);
  void showBusy(bool busy);
  void say(const QString& text, bool problem = false);
  void askForLogin();
  void logIn();
  void choose();
  QStringList namesThere() const;
  QStringList solutions() const;
  /// The grid beside the solution `url`, by what is listed there; empty where that is none, or there is none.
  QString gridOf(const QString& url) const;
  /// Whether the session has data that are at that address.
  bool isOpen(const QString& url) const;
  void openChosen();
  void openData(const QString& url, const QStringList& solutions);
  void activate();
  app::Place typed() const;

  app::AppModel& m_model;
  app::PlaceBrowser m_browser;
  QLineEdit* m_place;
  QPushButton* m_browse;
  QListWidget* m_places;
  QPushButton *m_keep, *m_forget;
  QTreeWidget* m_folder;
  QToolButton* m_up;
  QLabel* m_server;
  QLineEdit* m_solution;
  QGroupBox* m_login;
  QLabel* m_fingerprint;
  QLineEdit* m_token;
  QPushButton* m_trust;
  GoingOnLabel* m_text;
  QProgressBar* m_bar;
  QPushButton *m_cancel, *m_open, *m_close;
  app::PlaceListing m_listing;
  QStringList m_steps;                     ///< solutions of the chosen grid that differ by a number
  QString m_stepsPattern;                  ///< what stands for them in m_solution
  QString m_solutionOf, m_chosenSolution;  ///< that was taken from the folder, and the place that it is of
  QStringList m_fingerprints;
  QString m_loginUrl;             ///< where one logs in
  QString m_asked;                ///< what is on its way, for the end of it
  bool m_openWhenListed = false;  ///< what was typed is a solution, whose grid has to be looked for
};

}  // namespace farfield::ui
