// One file that is a whole model: its weights as safetensors, with their configuration.
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include "base/file.h"
#include "domain/music/embedded.h"
#include "format/weights/writer.h"
#include "sluice/music.h"

namespace sluice::music {

Result<Inspection> convert(std::string const& model, std::optional<std::string> const& config,
                           std::string const& out, bool force) {
    std::error_code none;
    if (std::filesystem::exists(out, none)) {
        if (!force)
            return Error{Code::invalid_argument,
                         "exists already; choose another name, or replace it with --force", out};
        // The weights are read while the other file is written, and a model is not easily had
        // again.
        if (std::filesystem::equivalent(model, out, none))
            return Error{Code::invalid_argument, "is the model itself; choose another name", out};
    }
    SLUICE_TRY(Inspection const before, inspect(model, config));
    SLUICE_TRY(weights::Weights const w, weights::open_weights(model));
    auto metadata = w.metadata;
    if (config) {
        constexpr std::uint64_t most = 1 << 20;
        SLUICE_TRY(auto const yaml, read_file(*config, most));
        metadata[embedded_key] = {reinterpret_cast<char const*>(yaml.data()), yaml.size()};
    }
    SLUICE_CHECK(weights::write_safetensors(out, w, metadata));
    return inspect(out, {});
}

}  // namespace sluice::music
