// The words in which folding refuses groups.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fold/items.h"

namespace sluice::fold {

/// A group has come twice, or is not one of the source's.
Error refuse_group(index group, index groups);
/// Group `missing` has not come.
Error refuse_missing(index missing, index groups);
/// A part is asked for that reaches beyond the source.
Error refuse_range(Range range, index groups);

}  // namespace sluice::fold
