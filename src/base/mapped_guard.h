// Keeps a mapped file that becomes shorter from ending the program.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/view.h"

namespace sluice {

/// A mapping that is watched. Touching a page beyond the end of its file puts zeros there, from
/// that page on, and marks it as broken.
struct MappedGuard;

/// Starts to watch; null where too many are watched already. The first call sets the handler of
/// SIGBUS.
MappedGuard* guard(Bytes mapped);
/// Before the mapping goes.
void unguard(MappedGuard* guard);
bool is_broken(MappedGuard const* guard);

}  // namespace sluice
