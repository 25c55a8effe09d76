#pragma once
// The window: menus, tool bar, the view or the start page in the middle, and docks around it. It assembles
// parts; their behaviour is in the model.

#include <QMainWindow>
#include <QPointer>
#include <optional>
#include <set>
#include <string>

#include "app/model/app_model.h"
#include "app/model/document/kept_views.h"
#include "app/ui/dialogs/calculator.h"
#include "render/qt3d/viewport.h"

class QLabel;
class QMenu;
class QProgressBar;
class QProgressDialog;
class QStackedWidget;
class QToolButton;

namespace farfield::app {
class RendererStart;
}

namespace farfield::ui {

class ColorPanel;
class ConnectDialog;
class CoverNotice;
class ElidedLabel;
class RendererDialog;
class LinkLabel;
struct AnimationChoice;
class MemoryPanel;
class MessageList;
class NoticeBar;
class PanelFocus;
class PendingFile;
class PipelinePanel;
class PlotPanel;
class ProbePanel;
class ProgramJob;
class PropertyEditor;
class ReadingLabel;
class StartPage;
class TimeBar;
class ViewController;
class ViewGroup;
class ViewPanel;
class VolumePanel;

class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  explicit MainWindow(app::AppModel& model, QWidget* parent = nullptr);
  ~MainWindow() override;

  /// Files and URLs, as on the command line.
  void openPaths(const QStringList& paths) { openPaths(paths, {}); }
  /// The same of data that are read with these options.
  void openPaths(const QStringList& paths, const std::map<std::string, std::string>& options);
  enum class Offer {
    AsQuestion,  ///< at a start without files
    /// A line above the view, at a start with files.
    AsNotice,
    /// A question, or a message if there is no such work.
    OnDemand,
    /// A line, once more after a start: about what was not found before.
    Later,
  };
  /// Looks for work left behind by another program, and offers to continue it.
  void offerLeftWork(Offer how);
  /// Writes numbered pictures into `folder` while the window is used.
  void exportAnimationTo(const QString& folder, const AnimationChoice& choice);
  /// Converts data into a paged store, which the document then uses.
  void convertDataTo(const std::string& name, const QString& path);
  /// What a line of the recent list names.
  void openRecent(const QString& what);
  qt3d::Viewport& viewport() { return *m_viewport; }
  /// All views, of which that is the first.
  ViewGroup& views() { return *m_group; }
  PipelinePanel& pipeline() { return *m_pipeline; }

 protected:
  void closeEvent(QCloseEvent* event) override;
  void changeEvent(QEvent* event) override;
  void childEvent(QChildEvent* event) override;
  bool focusNextPrevChild(bool next) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  // main_window_menus.cpp
  void makeActions();
  void makeMenus();
  QAction* action(const char* name, const QString& iconName, const QString& text, const QKeySequence& keys,
                  const QString& tip, std::function<void()> work);
  void plotOverTime();
  void plotOverTimeAt(const std::string& dataName, Vec3 place);
  void addObject(session::ObjectType type, const std::string& dataName = {});
  void showRecentMenu();
  void showViewsMenu();
  void showObjectMenu(const QPoint& globalPosition);
  // main_window_split.cpp
  void makeSplitActions();
  void arrangeViews(int arrangement);
  void showSplit();
  // main_window_notices.cpp
  void stretchAxes();
  /// The selected data, those of what is selected, or the only ones; empty where there are none.
  std::string dataToRead() const;
  QString whyNotRead(const std::string& name) const;
  void makePlotActions();
  void updatePlots(const app::DataSummary* shown);
  static void setTip(QAction& action, const QString& tip);
  static Vec3 middleOf(const app::DataSummary& data);
  void updateReading();
  void readAgain(const std::string& name);
  void offerReading(const std::string& name, const QString& why);
  void checkReadingOffers();
  void tellReadAgain(const std::string& name, bool otherwise);
  /// Of lines that follow a velocity in units other than those of the axes and the steps.
  void tellUnits(const session::Object& lines);
  // main_window_files.cpp
  void openDialog();
  void openFolderDialog();
  void save(bool as);
  /// The session at `path` is not as it was when it was opened or saved here.
  void askToReplaceSession(const QString& path);
  /// A name for files about the open session: the session's name, or that of its data.
  QString suggestedName() const;
  /// Asks to save work that would be lost; returns whether to continue. False also if saving has only begun:
  /// `then` is called afterwards. `why` it is asked, where that cannot be seen.
  bool mayReplace(std::function<void()> then, const QString& why = {});
  /// The same where the data go as well, of which pictures may still be drawn.
  bool mayClose(std::function<void()> then, const QString& why = {});
  /// The same about jobs that write files, which end with the window: `then` is called where they may.
  bool mayStopJobs(const std::function<void()>& then);
  /// The newest first, of which one is chosen where there are several.
  void askAboutLeftWork(const std::vector<app::LeftWork>& found);
  void takeUp(const app::LeftWork& work);
  void sayLeftWork();
  void endOffer(const app::LeftWork& work);
  /// The present scene for pictures of these proportions; the items are added where they are drawn.
  struct Shot {
    std::vector<app::ObjectId> ids;
    scene::Scene scene;
    bool legend = true;
    double lineScale = 1;
    std::map<std::string, scene::ColorScale> scales = {};  ///< as they are shown, by the items' names
    std::map<std::string, std::string> legendOwners = {};  ///< the same, whose legends they have
    scene::LegendLooks legends = {};
    /// Gives what was added to a scene the looks that it has in the view.
    void finish(scene::Scene& whole) const;
  };
  /// From where the views look.
  struct Looks {
    std::variant<session::AutoCamera, session::FixedCamera> camera;
    session::ViewLayout layout;
    QSize seen;  ///< how large the first one was: lines above it take room from it
  };
  Looks looksNow() const;
  /// As it is now, but from where the view looked then; title and texts are those of a view, counted from 0.
  Shot shotNow(std::array<int, 2> sizePixels, const Looks& from, std::size_t view = 0) const;
  /// How many pixels of a picture are as wide as one in which the view's lines are measured; not less than 1.
  double lineScaleFor(std::array<int, 2> sizePixels, QSize seen) const;
  /// A small picture of what is shown from there; null where none can be drawn.
  void drawView(const std::variant<session::AutoCamera, session::FixedCamera>& camera,
                std::array<int, 2> sizePixels, std::function<void(QImage)> done);
  void keepView();
  app::SeenIn seenIn() const;
  void flyTo(const std::string& view);
  /// Where views have been moved to becomes a step now, before a command.
  void restViews();
  /// Of what is seen, and what is offered for pictures: a size that was chosen once stays.
  std::array<int, 2> seenPixels() const;
  std::array<int, 2> offeredPixels() const;
  /// The same for pictures of the first view alone.
  std::array<int, 2> offeredPixelsOfOne() const;
  void exportImage();
  void exportImageTo(const QString& path, std::array<int, 2> sizePixels);
  void drawImageTo(const QString& path, std::array<int, 2> sizePixels, const Looks& from);
  /// Does `write`, which writes `path`, at once where all that is seen is computed; else says what that waits for, and does it then, unless
  /// the user will not have it or wants what is there already. Of another step than the one that is shown now nothing is written.
  /// `besides` is said with it.
  void whenComplete(const QString& path, std::function<void()> write, const QString& besides = {});
  /// All views as they are arranged.
  void exportViewsTo(const QString& path, std::array<int, 2> sizePixels, const Looks& from);
  /// `draw` writes it, from what is added to the scene of `shot`: that is said then, or that it was left out.
  void drawFile(const QString& path, const Shot& shot, std::function<void(const scene::Scene&)> draw);
  /// How far it is, with a way to stop it, where it is not there soon.
  QProgressDialog* progressOf(const QString& picture, const std::function<void()>& stop);
  /// Until it is written, which is said then.
  void sayDrawing(const QString& path);
  /// One that is not there yet; null: none.
  PendingFile* pendingFile() const;
  /// `missing`: what could not be computed, so that it is not in it.
  void tellWritten(const QString& path, const std::optional<app::Problem>& problem,
                   const QStringList& missing = {});
  void tellLeftOut(const QString& path);
  void fitSelection();
  void exportGeometry();
  void showCalculator(const std::string& dataName);
  void copyBatchCommand();
  // main_window_remote.cpp
  void watchLinks();
  /// `dataName`: of data that it is opened for, which are not opened a second time.
  ConnectDialog* connectDialog(const std::string& dataName = {});
  /// `dataName`: of data whose renderer is gone, and which take the new one's place then; empty: they are added.
  RendererDialog* rendererDialog(const std::string& dataName = {});
  /// That a session was saved, and what it cannot bring back.
  QString savedWords(const QString& path) const;
  void keepRenderer(app::RendererStart* renderer);
  void logInFor(const std::string& name);
  // main_window_jobs.cpp
  /// Of `source`, by whole paths, which reads from the store at `path` then; what was written before it is stopped can be gone on with.
  void runConversion(const session::DataSource& source, const QString& path, const QStringList& arguments);
  void offerRestOfStore(const session::DataSource& source, const QString& path, const QStringList& arguments);
  /// `made` is done once it has ended well, and gives what is said then, `failed` where it has not, once that is said. Null, which is
  /// said, while another one runs.
  ProgramJob* runJob(const QString& what, const QStringList& arguments, std::function<QString()> made,
                     std::function<void()> stopped = {}, std::function<void()> failed = {});
  /// The data read from the store from now on; gives what is said of it.
  QString useStore(const session::DataSource& source, const QString& path);
  void convertData(const std::string& name);
  /// The selected data, or the only ones; empty where that makes no sense of them.
  std::string dataToConvert() const;
  void askForGrid(const std::string& dataName);
  // main_window_animation.cpp
  void exportAnimation();
  void exportSteps(const QString& folder, const AnimationChoice& choice);
  struct StepPictures;
  void runSteps(const std::shared_ptr<const StepPictures>& its, bool goesOn);
  void exportSeries(const QString& folder, const AnimationChoice& choice, const Looks& from);
  struct Series;
  void drawSeries(const std::shared_ptr<const Series>& series, int first);
  void endSeries(const std::shared_ptr<const Series>& series, int count, bool filmed,
                 const std::optional<app::Problem>& problem);
  void offerRest(const std::shared_ptr<const Series>& series, int count, const QString& there);
  bool showsWhatMoves() const;
  // main_window_panels.cpp
  void makeDocks();
  /// Where the window was, as far as there is room for it on the screen that there is now.
  void restorePlace();
  void restoreLayout(const QByteArray& layout);
  void resetLayout();
  void showMemoryDetails(bool shown);
  /// Hides the panel for data of one step, unless the user has opened or closed it.
  void showTimeWhereThereIsAny();
  void keepTimeChoice(std::optional<bool> shown);
  void makePanelActions();
  /// That something is to be done with: which the keyboard is in, or was before it went to the menus. Null, which is said, where it is in none.
  QDockWidget* panelAtHand();
  /// The line of the memory budget, as low as it is, keeps no other panel from being higher.
  void boundMemory();
  void tearOffPanel();
  /// In front of the largest panel there.
  void movePanelTo(Qt::DockWidgetArea area);
  /// Where it is closed or behind others, too.
  void showPanel(const QWidget* panel);
  /// Instead of being closed, where it lies behind others; false where it does not. Who chooses it in the menu means to see it.
  bool comesToFront(QDockWidget* dock);
  QDockWidget* dockOf(const QWidget* panel) const;
  // main_window.cpp
  void connectModel();
  void showCenter();
  /// Lines of text would take Ctrl+K for deleting, and Ctrl+E for going to their end.
  bool isCommandBesideText(const QObject* widget, const QKeyEvent& key) const;
  void showTitle();
  void showBusy();
  void showStatus(app::ObjectId id);
  void takeBackProblem(app::ObjectId id);
  void showSelection();
  void showSight(app::ObjectId id, const qt3d::VolumeSight& sight);
  void showSights();
  void removeSelected();
  void duplicateSelected();
  void updateActions();
  /// Whether what is open can be seen in an animation, were no job running.
  bool hasAnimations() const;
  void retrySights();
  void tell(const QString& text, bool problem = false);
  /// A message box for a request of the user that failed.
  void warn(const QString& text, const QString& why);

  /// Of the layout that is remembered: another number where docks have changed.
  static constexpr int kLayoutVersion = 6;
  static constexpr const char *kTimeChoice = "time", *kMemoryDetails = "memory.details", *kShown = "shown",
                              *kClosed = "closed";

  app::AppModel& m_model;
  QStackedWidget* m_center;
  NoticeBar* m_notice;
  CoverNotice* m_cover;
  StartPage* m_start;
  qt3d::Viewport* m_viewport;
  ViewController* m_controller;
  ViewGroup* m_group;
  PipelinePanel* m_pipeline;
  PropertyEditor* m_properties;
  ColorPanel* m_colors;
  VolumePanel* m_volume;
  TimeBar* m_time;
  MessageList* m_messages;
  MemoryPanel* m_memory;
  ProbePanel* m_probes;
  PlotPanel* m_plots;
  ViewPanel* m_kept;
  QList<QDockWidget*> m_docks;
  QDockWidget *m_timeDock = nullptr, *m_memoryDock = nullptr;
  std::unique_ptr<PanelFocus> m_panelFocus;
  /// The user's last choice; none: depends on the data.
  std::optional<bool> m_timeChoice;
  ReadingLabel* m_probe;
  ElidedLabel* m_sight;
  QLabel* m_budget;
  LinkLabel* m_link;
  bool m_drawsAgain = false;  ///< volumes that the view could not draw, once nothing is computed any more
  std::map<app::ObjectId, qt3d::VolumeSight> m_sights;  ///< of volumes in the view
  QProgressBar* m_progress;
  QToolButton* m_cancel;
  QMenu *m_recent = nullptr, *m_views = nullptr;
  std::map<std::string, QAction*> m_actions;
  QByteArray m_usualLayout;
  bool m_laysOut = false;   ///< panels are being put where they are to be, all of them
  QByteArray m_workLayout;  ///< of docks and tool bars, while the start page hides them
  bool m_centerShown = false;
  std::uint64_t m_budgetBytes = 0;  ///< as counted last
  Calculator::Draft m_calculatorDraft;
  std::set<std::string> m_readingOffered;  ///< data whose files have changed, as is said above the view
  std::vector<app::LeftWork> m_saidWork;   ///< that the line above the view speaks of, or spoke of
  QStringList m_offeredWork;               ///< folders of work that was left and has been offered
  QString m_drawingSaid;                   ///< of a picture that is on its way
  std::function<void()> m_afterSave;
  bool m_closing = false;
  std::map<app::ObjectId, QString> m_toldProblems;
};

}  // namespace farfield::ui
