// What a batch of beams has done, so that it can go on later.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "base/file_lock.h"
#include "sluice/proton_config.h"

namespace sluice::proton {

/// A hash of all that the results depend on: the file's text, its phantom and beams, and the
/// options.
std::string fingerprint(std::string const& config_path, Config const& config,
                        std::string const& options);

/// The folder of a batch: its state.json tells which beams of which configuration are done, and is
/// replaced as a whole. One process at a time has it.
class BatchState {
  public:
    using Json = nlohmann::ordered_json;

    /// Reads what is there. Errors: another process marches into the folder; the folder belongs to
    /// another configuration or version, unless `force` discards its state.
    static Result<BatchState> open(std::string const& folder, std::string const& fingerprint,
                                   bool force);

    /// The entry of a beam (its number from 1 on) that was done before; null if none.
    Json const* find(std::uint64_t beam) const;
    /// Enters a beam, and writes the state unless that was done a moment ago.
    Status add(std::uint64_t beam, Json entry);
    Status save();
    /// A line of CSV for each beam that is done.
    Status save_library(std::string const& path) const;
    std::map<std::uint64_t, Json> const& done() const { return done_; }

  private:
    BatchState(FileLock lock, std::string path, std::string fingerprint)
        : lock_(std::move(lock)), path_(std::move(path)), fingerprint_(std::move(fingerprint)) {}
    Status read();

    FileLock lock_;
    std::string path_, fingerprint_;
    std::map<std::uint64_t, Json> done_ = {};
    std::chrono::steady_clock::time_point saved_ = {};
};

}  // namespace sluice::proton
