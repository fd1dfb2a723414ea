// Small text files, whole or not at all.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>

#include "base/file.h"
#include "zarr/place.h"

namespace sluice::zarr {

/// How deeply brackets nest in a JSON text, outside of its strings.
inline int depth_of(std::string_view json) {
    int depth = 0, deepest = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        char const c = json[i];
        if (quoted && c == '\\')
            ++i;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && (c == '[' || c == '{'))
            deepest = std::max(deepest, ++depth);
        else if (!quoted && (c == ']' || c == '}'))
            --depth;
    }
    return deepest;
}

/// A JSON text of at most 16 MiB. One that nests deeper than any metadata is refused: copying and
/// printing it takes the stack of the program for each bracket.
inline Result<std::string> read_text(std::string const& path) {
    constexpr int most_deep = 200;
    constexpr std::uint64_t most_bytes = 16U << 20U;
    SLUICE_TRY(auto const file, open_file(path));
    if (file->size() > most_bytes)
        return Error{Code::unsupported, "is longer than 16 MiB, which no metadata are", path};
    std::vector<std::byte> bytes(static_cast<std::size_t>(file->size()));
    SLUICE_CHECK(file->read(0, bytes));
    std::string text(reinterpret_cast<char const*>(bytes.data()), bytes.size());
    if (depth_of(text) <= most_deep) return text;
    return Error{Code::corrupt, "nests more than 200 brackets; write it again", path};
}

/// Adds a final newline.
inline Status write_text(std::string const& path, std::string text) {
    SLUICE_TRY(NewFile file, NewFile::create(path));
    text += '\n';
    SLUICE_CHECK(file.write(std::as_bytes(std::span(text))));
    return file.commit(Flush::later);
}

}  // namespace sluice::zarr
