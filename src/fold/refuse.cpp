// The words in which folding refuses groups.
// SPDX-License-Identifier: Apache-2.0
#include "fold/refuse.h"

#include <fmt/format.h>

namespace sluice::fold {

Error refuse_group(index group, index groups) {
    if (group < 0 || group >= groups)
        return {Code::invalid_argument,
                fmt::format("a partial result of group {} (there are {} groups) fold parts of the "
                            "same source",
                            group, groups)};
    return {Code::invalid_argument,
            fmt::format("group {} comes twice (its items would count twice) fold each part once",
                        group)};
}

Error refuse_missing(index missing, index groups) {
    if (groups == endless)
        return {Code::incomplete,
                "the source has no end (so there is no last answer) take a snapshot"};
    return {Code::incomplete,
            fmt::format("group {} of {} is missing (its part has not come) fold it and add it",
                        missing, groups)};
}

Error refuse_range(Range range, index groups) {
    return {Code::invalid_argument,
            fmt::format("a part of groups {} to {} (the source has {}) ask for groups it has",
                        range.first, range.last, groups)};
}

}  // namespace sluice::fold
