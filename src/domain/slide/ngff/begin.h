// The two ends of an output: what it begins with, be it new or unfinished, and its final name.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/slide/ngff/work.h"

namespace sluice::slide::ome {

/// Makes the unfinished output, or goes on with the one that is there: fills work.journal and
/// work.kept. An error where a folder is in the way that may not be removed.
Status begin(Work& work);

/// Gives a complete output its name, and removes the journal.
Status give_name(Work& work);

}  // namespace sluice::slide::ome
