// What every matching of a scan begins with, and ends with.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/match/match_work.h"

#include "device/per_isa.h"
#include "domain/orientation/match/fields.h"
#include "domain/orientation/match/map_of.h"
#include "domain/orientation/match/memory.h"

namespace sluice::orient {

MatchWork::MatchWork(stem4d::CalibratedVectors const& vectors,
                     stem4d::OrientationLibrary const& library, stem4d::MatchOptions const& options,
                     stem4d::Options const& run, DiskReader reader)
    : vectors_(vectors),
      library_(library),
      run_(run),
      reader_(reader),
      rules_{options,
             FitRules(library_.state(), reader_, options.tolerance, options.refine,
                      first_errors(options, library_.options())),
             table_for(run.device.host(), match_twin(), match_kernels)},
      analysis_{rules_, pool_},
      groups_(reader_.patterns()) {}

Result<std::unique_ptr<MatchWork>> MatchWork::begin(stem4d::CalibratedVectors const& vectors,
                                                    stem4d::OrientationLibrary const& library,
                                                    stem4d::MatchOptions const& options,
                                                    stem4d::Options const& run) {
    SLUICE_CHECK(
        stem4d::refuse_references(run.references, "orientations are matched to disks that were"));
    SLUICE_CHECK(config::check_fields(options, stem4d::match_fields()));
    SLUICE_TRY(DiskReader const reader, DiskReader::make(vectors, library.state()));
    SLUICE_CHECK(check_memory(library.state(), reader.patterns(), options.grains,
                              run.device.host().threads()));
    std::unique_ptr<MatchWork> work(new MatchWork(vectors, library, options, run, reader));
    SLUICE_TRY(work->measured_, measured_errors(work->rules_, run));
    work->rules_.fit.set_errors(work->measured_.errors);
    return work;
}

fold::RunOptions MatchWork::run_options() const {
    fold::RunOptions options{.threads = run_.device.host().threads(), .trace = run_.trace};
    if (run_.progress)
        options.progress = [&run = run_, all = reader_.patterns()](index done) {
            return run.progress(static_cast<std::uint64_t>(done), static_cast<std::uint64_t>(all));
        };
    return options;
}

stem4d::OrientationMap MatchWork::map_of(std::vector<std::vector<Match>> const& found) const {
    return orient::map_of(found, vectors_, library_, rules_, measured_);
}

}  // namespace sluice::orient
