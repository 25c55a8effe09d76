#pragma once
// Names of sample data as users write them: "sample://cylinder?size=33,49,17&blocks=8&steps=20".

#include <string>

#include "core/fields/samples/sample.h"

namespace farfield::samples {

struct SampleUrl {
  std::string name;
  SampleOptions options;
};

bool isSampleUrl(const std::string& text);

/// Keys: `size` (NI,NJ,NK; or N for a cube), `blocks`, `steps`, `type` (f32, f64, u8, u16), `curvilinear`
/// (true, false), `edge` (of pages). Throws NotFound (no such sample), Invalid placed at the key.
SampleUrl parseSampleUrl(const std::string& url);

/// "64,64,32" or "64". Throws Invalid.
Index3 parseSize(const std::string& text);

}  // namespace farfield::samples
