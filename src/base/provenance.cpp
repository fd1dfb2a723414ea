// The fields that all outputs have in common.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/provenance.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/version.h"

namespace sluice {

Provenance provenance_of(std::string const& command, std::vector<std::string> const& sources) {
    Provenance p;
    p.add("program", "sluice");
    p.add("version", std::string(version));
    p.add("commit", std::string(commit));
    if (!command.empty()) p.add("command", command);
    for (std::string const& path : sources) {
        std::error_code failed;
        auto const size = std::filesystem::file_size(path, failed);
        // A folder has no size of its own.
        p.add("source", failed ? path : fmt::format("{} ({} bytes)", path, size));
    }
    return p;
}

}  // namespace sluice
