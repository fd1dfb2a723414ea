// How much memory of this process is resident.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sluice::music {

/// In bytes; 0 where the system does not report it.
double resident_bytes();

}  // namespace sluice::music
