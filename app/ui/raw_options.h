#pragma once
// What a file of plain numbers does not say itself: how many there are, and of which type. Names of files often say it
// (big_512x512x300_uint16.raw), and that is what is there at first.

#include <QWidget>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

class QComboBox;
class QLabel;

namespace farfield::ui {

class NumberEdit;

/// Options of the reader that the name of a file says: `dims`, `type`; none where it says nothing.
std::map<std::string, std::string> rawOptionsInName(const QString& name);

class RawOptions : public QWidget {
  Q_OBJECT
 public:
  explicit RawOptions(QWidget* parent = nullptr);
  /// Of all files together, where they are known.
  void setBytes(std::optional<std::int64_t> bytes);

  void setOptions(const std::map<std::string, std::string>& options);
  /// Of the reader; none while there are not enough of them to read anything.
  std::map<std::string, std::string> options() const;
  /// The keys that it may set.
  static std::vector<std::string> keys();

 signals:
  /// Whether there are enough, and the file has as many numbers.
  void changed(bool fits);

 private:
  void check();

  std::optional<std::int64_t> m_bytes;
  std::array<NumberEdit*, 3> m_dims{}, m_spacing{};
  NumberEdit *m_offset, *m_components;
  QComboBox *m_type, *m_order;
  QLabel* m_sum;
};

}  // namespace farfield::ui
