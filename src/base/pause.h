// Moments that tests want to meet: the program that people have passes them without a halt.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace sluice {

/// Does nothing in the shipped program. `sluice_paused` has another body (tests/paused/pause.cpp),
/// which waits at the moment that a test names. Call it on the thread that has the signals: the
/// first.
void pause_at(std::string_view moment);

}  // namespace sluice
