// Small text files, whole or not at all.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/file.h"

namespace sluice::zarr {

/// At most 16 MiB.
inline Result<std::string> read_text(std::string const& path) {
    SLUICE_TRY(auto const bytes, read_file(path, 16U << 20U));
    return std::string(reinterpret_cast<char const*>(bytes.data()), bytes.size());
}

/// Adds a final newline.
inline Status write_text(std::string const& path, std::string text) {
    SLUICE_TRY(NewFile file, NewFile::create(path));
    text += '\n';
    SLUICE_CHECK(file.write(std::as_bytes(std::span(text))));
    return file.commit(Flush::later);
}

}  // namespace sluice::zarr
