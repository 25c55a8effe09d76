#pragma once
// Many ranges of objects over HTTP at a time, handed over in reap(), so that processors decode.

#include "core/paging/bytes/read_engine.h"
#include "remote/http/http_object.h"

namespace farfield::http {

std::unique_ptr<paging::ReadEngine> makeHttpEngine(std::vector<std::shared_ptr<const HttpObject>> objects,
                                                   std::shared_ptr<Transfers> transfers, int depth);

}  // namespace farfield::http
