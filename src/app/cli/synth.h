// `sluice synth`: writes simulated acquisitions.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/shell/common_options.h"
#include "format/nxmx/writer.h"
#include "format/synthetic/options.h"

namespace sluice::cli {

/// What `sluice synth` is asked for.
struct SynthCommand {
    enum class Kind : std::uint8_t { arina, npy, raw };
    Kind kind = Kind::arina;
    std::string out;  ///< a prefix; a folder for a series; a file for npy and raw
    SyntheticOptions simulation = {};
    nxmx::Acquisition file = {};  ///< layout, compression, damage, ...: what the prefix is for
    index channels = 1;           ///< v2024 only
    index series = 0;             ///< members of a 5-D series; 0: a single acquisition
    CommonOptions common = {};
};

/// Writes it and returns the files.
Result<std::vector<std::string>> run_synth(SynthCommand const& command,
                                           Progress const& progress = {});

/// Adds to `synth` the subcommand stream, with one for each protocol.
void add_synth_stream(Verb const& synth, int& exit_code);
/// Adds the subcommand `synth` with its own subcommands arina, npy, raw and stream.
void add_synth(Verb const& parent, int& exit_code);

}  // namespace sluice::cli
