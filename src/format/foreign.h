// What a file is that no format here reads, by its first bytes and its name.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "sluice/view.h"

namespace sluice {

struct Foreign {
    std::string_view name;    ///< "a Merlin file (MIB) of Quantum Detectors"
    std::string_view advice;  ///< what to do with it
};

/// `head` is the file's beginning, some 4096 bytes of it.
std::optional<Foreign> look_up_foreign(std::string const& path, Bytes head);

}  // namespace sluice
