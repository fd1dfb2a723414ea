// Block: the named values of one block of a CIF.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "domain/crystal/cif/tokens.h"

namespace sluice::crystal::cif {

struct Block {
    std::string name;
    /// By names in small letters, with "_" for the "." of mmCIF; one that is in no loop has one
    /// value. The columns of a loop are of one length.
    std::map<std::string, std::vector<std::string_view>, std::less<>> values;

    std::vector<std::string_view> const* find(std::string_view key) const {
        auto const at = values.find(key);
        return at == values.end() ? nullptr : &at->second;
    }
    /// The first of these names that there is.
    std::vector<std::string_view> const* find(std::initializer_list<std::string_view> keys) const {
        for (auto key : keys)
            if (auto const* found = find(key)) return found;
        return nullptr;
    }
};

/// All blocks of a text that outlives them. Errors: words out of place, with their line.
Result<std::vector<Block>> read_blocks(std::string_view text);

/// "4.049(2)" is 4.049; empty where it is no finite number.
std::optional<double> number_of(std::string_view text);

}  // namespace sluice::crystal::cif
