// What a batch of beams has done, so that it can go on later.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "app/cli/shell/outputs.h"
#include "sluice/proton_config.h"

namespace sluice::cli {

/// Of all that the results depend on: the file's text, its phantom and beams, and the options.
std::string fingerprint(std::string const& config_path, proton::Config const& config,
                        std::string const& options);

/// The folder of a batch: what is done of which configuration is in its state.json, which is
/// replaced as a whole.
class BatchState {
  public:
    /// Reads what is there; a folder that belongs to another configuration or version is an error,
    /// unless `force` gives it up.
    static Result<BatchState> open(std::string const& folder, std::string const& fingerprint,
                                   bool force);

    /// The entry of a beam (its number from 1 on) that was done before; null if none.
    Json const* find(std::uint64_t beam) const;
    /// Enters a beam, and writes the state unless that was done a moment ago.
    Status add(std::uint64_t beam, Json entry);
    Status save();
    /// A line for each beam that is done.
    Status save_library(std::string const& path) const;
    std::map<std::uint64_t, Json> const& done() const { return done_; }

  private:
    std::string path_, fingerprint_;
    std::map<std::uint64_t, Json> done_;
    double saved_ = 0;  ///< seconds of now()
};

}  // namespace sluice::cli
