#pragma once
// The panel of plots: functions along a line, along the lines of an object, over time at a point, or how often values of one occur, in all
// of the data or on an object, as a curve beside the view that follows what is shown. Curves are written as tables and drawings. What somebody
// chose is kept in the session, and undone.

#include <QTimer>
#include <QWidget>
#include <array>
#include <memory>
#include <optional>

#include "app/model/app_model.h"
#include "app/model/plot_choice.h"
#include "app/model/workshop/along_reader.h"
#include "app/model/workshop/curve_reader.h"
#include "app/model/workshop/item_sums.h"
#include "app/ui/plots/curve_view.h"
#include "app/ui/widgets/problem_label.h"

class QCheckBox;
class QComboBox;
class QGridLayout;
class QLabel;
class QToolButton;

namespace farfield::ui {

class NumberEdit;

class PlotPanel : public QWidget {
  Q_OBJECT
 public:
  using Kind = session::PlotChoice::Kind;

  explicit PlotPanel(app::AppModel& model, QWidget* parent = nullptr);
  /// Of the data of `selected`, or the first that are open; along its rake, where it has one, else along the line that these
  /// data were last plotted along, or a new one through their middle.
  void showFor(app::ObjectId selected);
  void setKind(Kind kind);
  /// Over time there; `function` may be empty. `probe`, with its place `number`, is what stands there.
  void showOverTime(const std::string& data, Vec3 point, const std::string& function, app::ObjectId probe = 0,
                    std::size_t number = 0);
  /// The object of the document whose place is plotted: it is dragged in the view, undone, and kept. 0: there is none.
  app::ObjectId place() const { return m_place; }
  /// How often its values occur on it.
  void showValuesOn(app::ObjectId object);
  /// Along its lines; along those of the first object of the data that has some, where it has none.
  void showAlong(app::ObjectId object);
  CurveView& curve() { return *m_curve; }
  /// Of an object, once they are there.
  const std::optional<app::ItemSums>& sums() const { return m_sums; }
  /// False if there is nothing to write, or not yet all of it, or the file cannot be written.
  bool writeCsv(const QString& path) const;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 signals:
  /// place() is another object now.
  void placeChanged();
  /// What became of a file.
  void message(const QString& text);

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void buildControls(QGridLayout* grid);
  void fillData();
  void fillFunctions(const std::string& wish);
  void fillObjects();
  void showControls();
  void askSoon();
  void ask();
  void askObject(app::ObjectId object);
  /// What is read of one data set.
  struct Asked {
    std::string data;
    app::CurveRequest request;
    bool operator==(const Asked&) const = default;
  };
  /// The same once it is read, whole or in part, and where its values are on the axis.
  struct Read {
    QString data;
    std::shared_ptr<const app::DataSummary> summary;
    const app::CurveAnswer* answer;
    std::vector<double> places;
  };
  std::vector<Asked> curvesToRead(const QString& functions);
  app::CurveRequest requestOf(const std::string& data, const app::DataSummary& summary,
                              std::vector<std::string> functions) const;
  void takeAnswers(const std::vector<app::CurveAnswer>& answers);
  void showAnswers(const std::vector<app::CurveAnswer>& answers);
  bool isAnswered() const;
  /// Whether the curve that is shown is all of what was asked for last.
  bool isWhole() const;
  /// What is not whole is saved once it is.
  void showSavable();
  void showValues(const Read& read, double part);
  void showLines(std::vector<Read> all, double part);
  void showTimes(std::vector<Read> all, double part);
  void noteOutside(const Read& read, QStringList& notes) const;
  /// Over the places of all of them.
  void addCurves(Curve& curve, const std::vector<Read>& all);
  void finish(const Curve& curve, QStringList notes, double part);
  QString textOfOneStep(const std::vector<Read>& all, const Curve& curve) const;
  void showSums(app::ObjectId object);
  void askAlong(const app::DataSummary& summary, const QString& functions);
  void takeAlong(std::shared_ptr<const session::ValuesAlong> values, const QString& problem);
  void showAlongProgress(double part);
  void drawAlong();
  QString tableAlong() const;
  /// Nothing of the kind is asked for any more.
  void stopCurve();
  void stopAlong();
  /// `comes`: there will be something, which is being read.
  void showNothing(const QString& text, bool comes = false);
  void save(const QString& filter, const char* suffix);
  /// Writes what waits for the curve, now that it is there.
  void writeAwaited();
  /// Nothing is written any more, and why.
  void giveUpWriting(const QString& why);
  QString table() const;
  Kind kind() const;
  /// object() is one whose values are counted, or along whose lines is plotted.
  bool isOfObjects() const;
  /// Whether curves over time are at all probes of the data.
  bool plotsAllProbes() const;
  /// At which the curves over time are: one, or all that are shown, as many as have room in one plot. One alone has no name.
  std::vector<app::PlacedProbe> probes(std::size_t functions) const;
  /// What curve `n` of these is called, and its column in a table, of `function`, which it is of.
  QString nameOfCurve(const Read& read, std::size_t n, const QString& function) const;
  /// 0: all of the data.
  app::ObjectId object() const;
  /// Whose line or point it is, and whose functions are listed.
  std::string data() const;
  /// Whether there are curves of all data that have the function.
  bool plotsAllData() const;
  bool canPlotAllData() const;
  void chooseData(const std::string& name);
  Vec3 end(std::size_t n) const;
  void setEnd(std::size_t n, Vec3 point);
  void setPlace(app::ObjectId id, std::size_t number = 0);
  /// Its rake, or one through the middle of the data.
  void showLineThrough(const session::Object* object);
  session::PlotChoice choice() const;
  /// In the session; see app::keepPlot().
  void keep(const QString& key = {});
  /// The same, as one step for all that is met in a list with the keys, until the keyboard leaves it or it opens.
  void keepMet(const QComboBox& list);
  /// Of that step.
  static QString keyOf(const QComboBox& list, std::uint64_t visit);
  /// Whether these data have the function that is named or typed.
  bool makesSense(const QString& function) const;
  /// Why there is no plot of this kind of these data; empty where there may be one.
  QString whyNone() const;
  /// What is wrong with it; empty: makesSense().
  QString problemOf(const QString& function) const;
  /// The field says what is wrong with what stands in it.
  void seeTyped();
  /// As typing pauses: what makes no sense may yet become something.
  void takeTyped();
  /// With Return, or as the keyboard goes elsewhere.
  void endTyping();
  /// Esc, which puts back what was there before typing began; other keys go on.
  bool takesKey(QEvent& event);
  void showTyped();
  /// In the place of a curve.
  void showWrong(const QString& problem);
  /// Shows what the session says, where that is not what it was.
  void takeChoice();
  /// Of these data.
  std::string keptFunction() const;
  /// What a plot along the lines of an object begins with: what is seen of it.
  std::string functionAlong(app::ObjectId id) const;
  /// Shows where that is now.
  void readPlace();
  /// The line along which these data were plotted last. Without one, ends that were a point of a plot over time, or the other way
  /// round, are put where one begins.
  void takeKnownLine();
  /// Of a line or a point: none is needed; it is a step of the document now; or it is looked for, and will be one with the choice.
  enum class Put { Nothing, Now, Later };
  /// The line or the point in the data that somebody has chosen, where they have none: it has handles from the beginning.
  Put putPlace();
  /// Where the panel put the ends by itself and there are no data: to the nearest place that has some, once.
  void moveInside();
  /// Puts it to what was typed.
  void movePlace(bool finished);

  app::AppModel& m_model;
  QComboBox *m_kind, *m_data, *m_by, *m_over;
  QComboBox* m_across;  ///< what curves along lines go over
  QLabel *m_dataLabel = nullptr, *m_byLabel = nullptr, *m_overLabel = nullptr, *m_acrossLabel = nullptr;
  std::array<QLabel*, 2> m_endLabels{};
  std::array<std::array<NumberEdit*, 3>, 2> m_ends{};
  QCheckBox* m_allData;  ///< that are open, along a line and over time
  QCheckBox* m_all;      ///< of the probes, over time
  CurveView* m_curve;
  QLabel* m_note;
  QToolButton *m_csv, *m_svg;
  QTimer m_soon{this};
  Kind m_endsOf = Kind::Line;  ///< what they are the ends, or the point, of
  std::optional<std::array<Vec3, 2>>
      m_filledIn;  ///< by the panel itself, until a better place has been sought
  app::ObjectId m_place = 0;
  std::size_t m_placeNumber = 0;              ///< of several of a probe's
  std::optional<session::PlotChoice> m_kept;  ///< as the session had it last
  std::uint64_t m_visit = 0;                  ///< to a list
  QTimer m_typingPause{this};
  bool m_typing = false;        ///< in the field of the function, since it had the keyboard
  bool m_typed = false;         ///< there, and not taken yet
  QString m_before, m_taken;    ///< in that field when typing began, and as it was taken last
  bool m_listsOfWalls = false;  ///< the field of the function has those that have values on walls only
  bool m_saysWrong = false;     ///< there is no curve, but what is wrong with the function
  ProblemLabel m_byProblem;
  std::uint64_t m_typedVisit = 0;  ///< in which that began
  app::CurveReader m_curves;
  std::vector<Asked> m_asked;              ///< last
  QStringList m_leftOut, m_unread;         ///< why other data have no curve
  std::vector<app::PlacedProbe> m_probes;  ///< at which that is, over time
  std::vector<app::CurveAnswer> m_answers;
  QStringList m_columns;      ///< of a table of what is shown
  bool m_samePlaces = false;  ///< its curves are over the places of the first
  /// A file that is written once the curve is whole, and of what that is to be.
  struct Awaited {
    QString path;
    bool isTable = false;
    session::PlotChoice choice;
  };
  std::optional<Awaited> m_toWrite;
  bool m_comes = false;  ///< a curve is there, or is being read
  std::optional<app::ItemSums> m_sums;
  std::uint64_t m_sumsAsked = 0;
  app::AlongReader m_reader;
  std::optional<app::AlongRequest> m_alongAsked;            ///< last
  std::shared_ptr<const session::ValuesAlong> m_alongRead;  ///< last, which is shown until there is more
  app::ObjectId m_alongObject = 0;                          ///< along whose lines
  bool m_isAlongWhole = false;                              ///< it is what was asked for last
  std::vector<std::string> m_alongFunctions;                ///< of that
};

}  // namespace farfield::ui
