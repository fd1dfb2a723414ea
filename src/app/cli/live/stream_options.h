// The options of every command that hears a detector's stream.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <span>

#include "app/cli/shell/verb.h"
#include "sluice/stem4d_live.h"

namespace sluice::cli {

/// "tcp://127.0.0.1:31001", and no path of a file.
bool is_stream(std::string const& path);

struct StreamWords {
    stem4d::LiveOptions live = {};  ///< also what is usual for the verb
    std::string positions;          ///< NPY [image][row, column]

    /// All but --scan, and but those in `known`, which the verb has already. `of` begins what the
    /// help says of them.
    void add(Verb const& app, std::string const& of = {},
             std::span<std::string_view const> known = {});
    /// The names of all that add() may add.
    static std::vector<std::string> names();
    /// With what the files say. Errors: a file of positions that cannot be read.
    Result<stem4d::LiveOptions> read() const;
};

}  // namespace sluice::cli
