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

#include "app/model/files/plain_numbers.h"

class QComboBox;
class QLabel;

namespace farfield::ui {

class NumberEdit;

/// Options of the reader that the name of a file says: `dims`, `type`; none where it says nothing.
std::map<std::string, std::string> rawOptionsInName(const QString& name);
/// The same of a file of `bytes` that may be a square plane: two numbers of `dims`, and the `type`, which is the smallest that fits where
/// none is given; none where it can be no such plane.
std::map<std::string, std::string> rawOptionsOfSquare(std::int64_t bytes, const std::string& type = {});

class RawOptions : public QWidget {
  Q_OBJECT
 public:
  explicit RawOptions(QWidget* parent = nullptr);
  /// The files that hold them, where they are known. Of several that may be the planes of one volume what nobody has said is filled in: how
  /// many there are, and what their size lets one guess.
  void setFiles(const std::optional<app::NumberFiles>& files);

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
  void fillIn();
  /// Of one volume, or one step.
  double bytesOfVolume() const;
  /// Whether each of several files holds all of a volume.
  bool isSteps() const;
  /// What several files are, taken together as it is said here.
  QString roleOfFiles() const;

  std::optional<app::NumberFiles> m_files;
  std::map<std::string, std::string> m_guess;  ///< that was filled in
  std::array<NumberEdit*, 3> m_dims{}, m_spacing{};
  NumberEdit *m_offset, *m_components;
  QComboBox *m_type, *m_order;
  QLabel *m_role, *m_sum;
};

}  // namespace farfield::ui
