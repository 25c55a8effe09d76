#pragma once
// The document as a tree for views: the data, and under each the objects that show it, in the order of the
// session. Names are edited, objects shown, hidden and dragged about in it; all of that goes through the
// document and can be undone. How far each is comes from the stage.

#include <QAbstractItemModel>
#include <QString>
#include <string>
#include <vector>

#include "app/model/document/document.h"
#include "app/model/stage/stage.h"

namespace farfield::app {

class ObjectTree : public QAbstractItemModel {
  Q_OBJECT
 public:
  enum Role {
    IdRole = Qt::UserRole,  ///< ObjectId; 0 for data
    TypeRole,               ///< "streamlines", …; "data"
    StateRole,              ///< ObjectState or DataState as int
    ProblemRole,            ///< QString, one line; empty where there is none
    FractionRole,           ///< done, 0 … 1
    WaitsRole,              ///< bool: waits for a server that cannot be reached now
  };

  ObjectTree(Document& document, Stage& stage, QObject* parent = nullptr);

  QModelIndex indexOf(ObjectId id) const;
  QModelIndex indexOfData(const std::string& name) const;
  ObjectId idAt(const QModelIndex& index) const;
  /// Of the data, or of the data that an object shows.
  std::string dataAt(const QModelIndex& index) const;
  bool isData(const QModelIndex& index) const { return index.isValid() && !index.parent().isValid(); }

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& index) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
  QStringList mimeTypes() const override;
  QMimeData* mimeData(const QModelIndexList& indexes) const override;
  bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                    const QModelIndex& parent) override;

 signals:
  /// By hand, in the step of this key.
  void shownOrHidden(farfield::app::ObjectId id, const QString& step);
  /// A name was typed that cannot be.
  void nameRefused(const QString& problem);

 private:
  struct DataRow {
    std::string name;
    std::vector<ObjectId> objects;
    bool operator==(const DataRow&) const = default;
  };
  std::vector<DataRow> rowsNow() const;
  void rebuild();
  void refresh(const QModelIndex& index);
  QString tipOf(const QModelIndex& index) const;

  Document& m_document;
  Stage& m_stage;
  std::vector<DataRow> m_rows;
  std::uint64_t m_ticks = 0;
};

/// "running, 40 %, 3 s left" for people; empty where all is well and done.
QString stateText(const ObjectStatus& status);
/// Whether what that says of an object is no problem: it is shown as it should be.
bool isNote(const ObjectStatus& status);
/// What is wrong with an object of which nothing is seen, as long as that is so: it has a mark for it. Empty where it is seen, or hidden.
QString whyNotSeen(const ObjectStatus& status);
QString stateText(const DataStatus& status);

}  // namespace farfield::app
