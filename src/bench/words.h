// Shares, times and counts as text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/plural.h"

namespace sluice::bench {

std::string percent(double share);
/// In seconds or milliseconds.
std::string duration(double s);
/// "one thread", "2 threads".
std::string count(int threads);

}  // namespace sluice::bench
