#pragma once
// Which of the seeds that are marked in the view lie in the data. Those in the hole of a shell lie within its bounds, and have no lines all
// the same. The data are asked once their lines have been computed, as what that takes has been read then; until the answer is there the
// bounds tell.

#include <QObject>
#include <optional>
#include <string>
#include <vector>

#include "app/model/app_model.h"
#include "render/view/handle.h"

namespace farfield::ui {

class SeedSight : public QObject {
  Q_OBJECT
 public:
  /// `model` outlives it.
  SeedSight(app::AppModel& model, QObject* parent);

  /// Asks about the marks of `handle`, which places seeds in these data at the step that is shown, unless that was asked last; and tells it
  /// what is known of them.
  void look(const std::string& data, view::Handle& handle, bool mayAsk);
  /// The data are others.
  void forget();

 signals:
  void answered();

 private:
  struct Question {
    std::string dataKey;
    std::int64_t step = 0;
    std::vector<Vec3> positions;
    std::array<std::int64_t, 3> seeds{};
    bool operator==(const Question&) const = default;
  };
  void take(const app::ProbeAnswer& answer);

  app::AppModel& m_model;
  std::uint64_t m_number = 0;  ///< of the last request
  std::optional<Question> m_asked;
  std::vector<bool> m_outside;  ///< of that, once it is answered
};

}  // namespace farfield::ui
