// of_file(): an error that knows of no file gets one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "sluice/result.h"

namespace sluice {

/// What was made of a file's content, by something that does not know the file.
template <class T>
Result<T> of_file(std::string const& path, Result<T> made) {
    if (made || path.empty() || !made.error().file.empty()) return made;
    Error e = std::move(made).error();
    e.file = path;
    return e;
}

}  // namespace sluice
