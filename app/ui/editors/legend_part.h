#pragma once
// How the legend of the selected object's function looks: whether there is one, its title, numbers, size and place.
// A part of the panel of colours.

#include <QWidget>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "app/model/app_model.h"

class QCheckBox;
class QPushButton;

namespace farfield::ui {

class NumberEdit;
class TextEditor;

class LegendPart : public QWidget {
  Q_OBJECT
 public:
  /// Gives the legend of a function of its owner the place at which it stays where it was put once it has a look.
  using Holder = std::function<scene::LegendLook(const std::string& owner, const std::string& function,
                                                 const scene::LegendLook& look)>;
  explicit LegendPart(app::AppModel& model, QWidget* parent = nullptr);
  void setHolder(Holder hold) { m_hold = std::move(hold); }
  /// Of which function of which owner (session::legendOwner()); empty: none.
  void showLegend(const std::string& owner, const std::string& function);
  bool shows(const std::string& owner, const std::string& function) const {
    return owner == m_owner && function == m_function;
  }

 private:
  void refresh();
  /// What is typed into `field` is `set` in the look.
  void take(NumberEdit* field, const char* key, const QString& text,
            void (*set)(scene::LegendLook&, std::optional<double>));
  /// Under which its look is kept.
  std::string key() const;
  void change(const QString& text, const QString& key, const std::function<void(scene::LegendLook&)>& edit);

  app::AppModel& m_model;
  std::string m_owner, m_function;
  Holder m_hold;
  QCheckBox* m_visible;
  TextEditor* m_title;
  NumberEdit *m_digits, *m_labels, *m_size;
  QPushButton* m_reset;
};

}  // namespace farfield::ui
