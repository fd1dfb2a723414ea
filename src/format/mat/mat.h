// MAT files of MATLAB, version 5 (what `save` writes without -v7.3), for reading.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sluice/result.h"
#include "sluice/view.h"

namespace sluice::mat {

enum class Kind : std::uint8_t {
    numbers,
    text,
    cells,
    structures,
    other,  ///< sparse, complex, an object or a function: not read
};

/// A variable, or what is inside one.
struct Value {
    Kind kind = Kind::numbers;
    std::string name = {};
    std::vector<index> sides = {};
    std::vector<double> numbers = {};      ///< column by column
    std::string text = {};                 ///< UTF-8
    std::vector<std::string> fields = {};  ///< of structures
    std::vector<Value> items = {};  ///< cells, or all fields of one structure after the other

    /// How many numbers, cells or structures there are.
    index count() const;
    /// A field of one of the structures; null where there is none.
    Value const* field(std::string_view name, index structure = 0) const;
};

/// Whether bytes begin as MAT files do, of version 5 or 7.3.
bool is_mat(Bytes head);

/// What the first variable is called, out of a file's first bytes; nothing where they do not say.
std::optional<std::string> first_variable(Bytes head);

/// A variable of a file; `file` is what errors call it.
Result<Value> read_variable(Bytes bytes, std::string_view name, std::string const& file);

}  // namespace sluice::mat
