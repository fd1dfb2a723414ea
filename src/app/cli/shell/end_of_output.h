// Whether what the program printed arrived.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sluice::cli {

/// From now on a reader that went away is an error of writing, and not the end of the program.
void outlive_readers();

/// What the program ends with: `code`, or 1 where something of what was printed could not be
/// written (and a word about it, unless the reader just went away).
int end_of_output(int code, int earlier_error = 0);

}  // namespace sluice::cli
