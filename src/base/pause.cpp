// The shipped program does not pause; tests/paused/pause.cpp takes the place of this file for
// tests. SPDX-License-Identifier: Apache-2.0
#include "base/pause.h"

namespace sluice {

// Alone in its file: a program with a pause of its own takes nothing from here.
void pause_at(std::string_view) {}

}  // namespace sluice
