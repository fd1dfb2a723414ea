// Reads an earlier result of ptychography to begin with.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/ptychography/start.h"

#include "sluice/ptychography_file.h"

namespace sluice::cli {

namespace {

Status begin(std::string const& file, stem4d::Patterns const& patterns,
             stem4d::PtychographyOptions& options, std::vector<std::string>& notes) {
    SLUICE_TRY(auto const earlier, stem4d::load_ptychography(file));
    Status status = stem4d::start_with(earlier.result, patterns, options, &notes);
    if (!status && status.error().file.empty()) status.error().file = file;
    return status;
}

}  // namespace

void StartOptions::add(Verb const& app) {
    app->add_option("--start", file,
                    "a result of the same patterns, as --format hdf5 writes it: begin with its "
                    "object, probe and positions");
}

Status StartOptions::choose(stem4d::Patterns const& patterns, Ranks& ranks,
                            stem4d::PtychographyOptions& options,
                            std::vector<std::string>& notes) const {
    if (file.empty()) return {};
    return ranks.agree(begin(file, patterns, options, notes));
}

}  // namespace sluice::cli
