// The files of the page, as they were built from page/ and embedded in the program.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/server.h"

namespace sluice::app {

/// The file for a path as in "/" or "/page.js"; null where there is none.
server::Asset const* page_asset(std::string_view path);

/// Why this program was built without its page; null when it has one.
char const* page_lacks();

}  // namespace sluice::app
