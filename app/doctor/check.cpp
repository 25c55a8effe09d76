#include "app/doctor/check.h"

#include "core/base/error.h"

namespace farfield::doctor {

const char* nameOf(Status status) {
  switch (status) {
    case Status::Ok:
      return "ok";
    case Status::Warn:
      return "warn";
    case Status::Fail:
      break;
  }
  return "fail";
}

Finding findingOf(const Check& check) {
  try {
    return check.look();
  } catch (const Error& error) {
    return {Status::Fail, (error.place().empty() ? "" : error.place() + ": ") + error.message(),
            error.action()};
  } catch (const std::exception& error) {
    return {Status::Fail, error.what(), ""};
  }
}

}  // namespace farfield::doctor
