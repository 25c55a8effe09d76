#pragma once
// The properties of what is selected in the pipeline: an object's fields, edited live, or what is known of
// data, or, with nothing selected, of the picture.

#include <QPointer>
#include <QScrollArea>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/model/app_model.h"
#include "app/model/fields/picture_fields.h"
#include "app/model/settings/kept_choices.h"

class QGridLayout;
class QLabel;
class QPushButton;
class QToolButton;

namespace farfield::ui {

class ElidedButton;
class FieldEditor;

class PropertyEditor : public QScrollArea {
  Q_OBJECT
 public:
  explicit PropertyEditor(app::AppModel& model, QWidget* parent = nullptr);
  ~PropertyEditor() override;

  void showObject(app::ObjectId id);
  void showData(const std::string& name);
  void showPicture();
  app::ObjectId object() const { return m_object; }

  QSize sizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 signals:
  void convertWanted(const std::string& dataName);
  void calculatorWanted(const std::string& dataName);
  void loginWanted(const std::string& dataName);
  /// A solution was opened without the grid that it belongs to.
  void gridWanted(const std::string& dataName);
  /// Nothing answers where these data were rendered.
  void rendererWanted(const std::string& dataName);
  /// The same renderer once more, as this program started it before.
  void startWanted(const std::string& dataName);
  void addWanted(farfield::session::ObjectType type, const std::string& dataName);

 private:
  struct Row {
    app::Field field;
    FieldEditor* editor = nullptr;
    QToolButton* reset = nullptr;
  };
  enum class Subject { Nothing, Object, Data, Picture };
  /// Made once for all objects that have the same fields, and kept: making a few dozen widgets takes longer
  /// than a picture may. While it is not shown it has no parent.
  struct Page {
    Subject subject = Subject::Nothing;
    QWidget* widget = nullptr;
    QLabel* state = nullptr;
    QWidget* stateBox = nullptr;
    std::vector<Row> rows;
    bool failed = false;  ///< so the state is coloured
  };

  void rebuild();
  /// In which the keyboard is.
  const Row* heldRow() const;
  /// Where it is seen, from the upper edge.
  int heightOf(const Row& row) const;
  /// Whether what is in the field that has the keyboard is to be typed over: it is chosen, or will be as soon as the keyboard, which Tab
  /// is about to bring there, has come.
  bool isToBeTypedOver() const;
  /// Where the keyboard is, for when the page is made anew.
  struct Held {
    QStringList keys;  ///< of the field, and of those that may get it where that one goes
    int height = 0;    ///< of the field, from the upper edge
    FieldEditor* editor = nullptr;
    bool typedOver = false;             ///< isToBeTypedOver()
    bool onReset = false;               ///< it is on the arrow beside the field
    const QMetaObject* kind = nullptr;  ///< of the widget that has it, and which of those of the field
    qsizetype number = -1;
  };
  Held whatIsHeld(const Row& row) const;
  /// Gives the keyboard to the field of the first of the keys that is there, to the same part of it, and shows it at that height.
  /// What was being typed in the field before, which holds it, goes on in that of the very first key.
  void holdRow(const Held& held);
  QStringList keysFrom(const Row& held) const;
  /// What is being typed belongs to what is shown until now.
  void finishTyping();
  void detachPage();
  Page* keptPage(const std::vector<app::Field>& fields);
  void makePage(const std::vector<app::Field>& fields);
  /// Rebuilds only where there are other fields than before.
  void refresh();
  void buildFields(QGridLayout* grid, const std::vector<app::Field>& fields);
  void buildData(QWidget* page, QGridLayout* grid);
  void buildPlot3dOptions(QWidget* page, QGridLayout* grid);
  void buildRawOptions(QWidget* page, QGridLayout* grid);
  /// What of the data can be read in another way.
  void buildReadingChoices(const std::vector<fields::ReadingChoice>& choices, QWidget* page,
                           QGridLayout* grid);
  /// For when the data are read in a way in which they cannot be opened.
  void keepChoices(const std::string& dataName);
  void addRow(QGridLayout* grid, int row, const app::Field& field);
  void addHeading(QGridLayout* grid, const QString& text);
  void addHint(QGridLayout* grid, const QString& text);
  void addText(QGridLayout* grid, const QString& label, const QString& text);
  /// A button for something that helps.
  QPushButton* addOffer(QGridLayout* grid, const char* iconName, const QString& text, const QString& what,
                        std::function<void()> work);
  /// Of data whose renderer is gone.
  void addRendererOffers(QGridLayout* grid);
  void setField(std::size_t row, const QVariant& value, bool final);
  void showValues();
  void showState();
  void showNote(const QString& text, bool failed, bool asksToRead);
  void orderNote();
  void placeNote();
  std::vector<app::Field> fieldsNow() const;
  std::vector<app::PictureField> pictureFieldsNow() const;
  void checkTaken(const app::Field& field, const QVariant& wanted, bool final);
  static void takeFields(Page& page, const std::vector<app::Field>& fields);
  static bool sameFields(const Page& page, const std::vector<app::Field>& fields);

  /// Columns: label, editor, unit, reset.
  static constexpr int kColumns = 4;

  app::AppModel& m_model;
  Subject m_subject = Subject::Nothing;
  app::ObjectId m_object = 0;
  std::string m_data;
  app::KeptChoices m_keptChoices;
  std::vector<std::unique_ptr<Page>> m_pages;      ///< the latest last
  Page* m_page = nullptr;                          ///< that is shown
  std::optional<session::Coloring> m_colorBefore;  ///< of the object, while colours are typed or slid
  scene::Clip m_cutLast;        ///< plane and box of the picture, for when they are wanted again
  QPointer<QWidget> m_reached;  ///< that the keyboard was last said to have come to
  QWidget* m_noteBox;           ///< what is to be said of an object, below its fields
  QLabel* m_note;
  app::ObjectId m_noteOf = 0;  ///< which one
  ElidedButton* m_readAgain;   ///< its data, where that helps
};

}  // namespace farfield::ui
