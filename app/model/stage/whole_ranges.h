#pragma once
// Between which values functions lie in the whole of their data, over all steps or in the one that is shown: what the data say, or what is found by looking
// through them in the background. Keeps the engine at what the document needs: functions of isosurfaces, whose sliders go over them,
// and of colours over the range of the whole data.

#include <QObject>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "app/model/document/document.h"
#include "app/model/fields/object_fields.h"
#include "app/model/workshop/engine.h"

namespace farfield::app {

/// Lives on the UI thread.
class WholeRanges : public QObject {
  Q_OBJECT
 public:
  /// Data of the document: the key of the engine, and what is known of them; null where they are not open.
  struct Place {
    std::string key;
    std::shared_ptr<const DataSummary> data;
  };
  using Finder = std::function<Place(const std::string& dataName)>;
  WholeRanges(Document& document, Engine& engine, Finder find, QObject* parent = nullptr);

  /// In all steps, or in one.
  WholeRange of(const std::string& dataName, const std::string& function,
                std::optional<std::int64_t> step = {}) const;
  /// The document has changed, or data have been opened or closed. `step` is the one that is shown.
  void update(std::int64_t step);
  /// Data are other ones now under this key. What is still looked for is told anew; of the rest nothing is known.
  void forget(const std::string& key);

 signals:
  /// Of data under this key.
  void changed(const std::string& key);

 private:
  /// Key of the data, function, and step of the data; none: all of them.
  using Name = std::tuple<std::string, std::string, std::optional<std::int64_t>>;
  enum class Of { AllSteps, Step };
  void add(std::map<Name, RangeRequest>& wanted, const std::string& dataName, const std::string& function,
           std::int64_t step, Of of, bool asked) const;
  void take(const RangeFound& found);

  Document& m_document;
  Engine& m_engine;
  const Finder m_find;
  std::map<Name, bool> m_wanted;  ///< and whether the user asks for it
  bool m_asksAnew = false;        ///< though the same is wanted
  std::map<Name, RangeFound> m_found;
};

}  // namespace farfield::app
