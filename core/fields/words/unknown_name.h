#pragma once
// What is wrong with an expression where it is one word of it, which is no name: an error that whoever knows all names can advise on.

#include <string>
#include <utility>

#include "core/base/error.h"

namespace farfield::fields {

class UnknownName : public Invalid {
 public:
  UnknownName(const std::string& what, std::string word, std::string around)
      : Invalid(what, "use names of functions, or put any other name into { }"),
        m_word(std::move(word)),
        m_around(std::move(around)) {}
  const std::string& word() const { return m_word; }
  /// With what stands before it and may belong to it: of "velocity-magnitud" the word is "magnitud" where there is a velocity.
  const std::string& around() const { return m_around; }

 private:
  std::string m_word, m_around;
};

}  // namespace farfield::fields
