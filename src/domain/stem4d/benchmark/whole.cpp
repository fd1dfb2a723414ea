// Analyses of every pixel of a scan as contestants, in memory or straight from the files.
// SPDX-License-Identifier: Apache-2.0
#include "domain/stem4d/benchmark/contests.h"

namespace sluice::stem4d {
namespace {

using bench::Contestant;

Contestant whole(Scan const& scan, Options const& options, char const* name,
                 std::function<Status()> work) {
    Contestant who;
    who.contest = "whole detector";
    who.name = name;
    who.threads = options.device.threads();
    who.items = static_cast<double>(scan.dataset().frames);
    who.run = bench::timed(std::move(work));
    return who;
}

}  // namespace

std::vector<Contestant> whole_detector_contestants(Scan const& scan, Options const& options) {
    std::vector<Contestant> all;
    all.push_back(whole(scan, options, "center of mass", [&scan, &options]() -> Status {
        SLUICE_TRY([[maybe_unused]] auto const com, center_of_mass(scan, {}, options));
        return {};
    }));
    auto const pattern = [&](char const* name, Pattern kind) {
        all.push_back(whole(scan, options, name, [&scan, &options, kind]() -> Status {
            SLUICE_TRY([[maybe_unused]] auto const found,
                       diffraction_pattern(scan, kind, {}, options));
            return {};
        }));
    };
    pattern("mean pattern", Pattern::mean);
    pattern("variance pattern", Pattern::variance);
    return all;
}

}  // namespace sluice::stem4d
