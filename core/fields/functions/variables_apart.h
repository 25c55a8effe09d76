#pragma once
// Data whose files keep variables apart, first all numbers of one and then all of the next, as PLOT3D's do. As one array of
// several components a page answers a gather of many of them, which is what lines need; who needs one of them, as a slice
// coloured by density does, reads it alone if each is an array of its own.

namespace farfield::fields {

/// An optional part of OpenData.
class VariablesApart {
 public:
  /// Makes an array of each variable that files keep apart, named after it. Changes description(); called before anything is
  /// read. False, and nothing is changed, if there is nothing to take apart or names would not be unique.
  virtual bool takeApart() = 0;
  /// Undoes that.
  virtual void putTogether() = 0;

 protected:
  ~VariablesApart() = default;
};

}  // namespace farfield::fields
