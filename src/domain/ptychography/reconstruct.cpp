// stem4d::ptychography(): checks, plans and runs a reconstruction.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/reconstruct.h"

#include <new>

#include "domain/ptychography/check_options.h"
#include "domain/ptychography/counting.h"
#include "domain/ptychography/grid.h"
#include "domain/ptychography/memory_plan.h"
#include "domain/ptychography/remote/plan.h"
#include "domain/ptychography/run/reconstruction.h"
#include "domain/ptychography/step/fast_step.h"
#include "sluice/ptychography_check.h"
#include "sluice/trace.h"

namespace sluice::ptycho {

namespace {

using stem4d::Patterns;
using stem4d::PtychographyOptions;
using stem4d::PtychographyResult;

// The R of counting noise in the middle of a stage; 0 where that is not known.
template <class Real>
double floor_now(Reconstruction<Real> const& r) {
    if (!fetch(r)) return 0;
    auto const found = errors_now(r, false);
    return found ? floor_of(*found) : 0;
}

template <class Real>
Result<PtychographyResult> run_all(Reconstruction<Real>& r) {
    Watching<Real> watching{r.options,
                            r.state,
                            r.result.rounds,
                            r.result.notes,
                            r.canvas.corners,
                            [&r] { return floor_now(r); },
                            [&r] { (void)fetch(r); }};  // the next iteration meets errors
    SLUICE_CHECK(begin(r));
    SLUICE_CHECK(run_stages(r, watching));
    Step const step(r.options.trace, Phase::judge, 0);
    SLUICE_TRY(Errors const ended, errors_now(r, true));
    return collect(r, ended);
}

template <class Real>
Result<PtychographyResult> run(Measured const& measured, Share const& share,
                               PtychographyOptions options, Totals const& totals,
                               Belongs const& belongs, std::uint64_t bytes,
                               remote::OnDevice const& on_device = {}) {
    std::vector<std::string> notes;
    double const count = value_of_count(measured, share);
    choose_likelihoods(count, options, notes);
    auto const positions = positions_on_grid(measured.patterns, options);
    SLUICE_TRY(auto canvas,
               make_canvas(positions, grid_of(measured.patterns, options).window, options.margin));
    Reconstruction<Real> r{.measured = measured,
                           .share = share,
                           .options = options,
                           .totals = totals,
                           .count = count,
                           .canvas = std::move(canvas),
                           .belongs = belongs,
                           .on_device = on_device};
    SLUICE_TRY(auto result, run_all(r));
    result.notes.insert(result.notes.begin(), notes.begin(), notes.end());
    result.memory = bytes;
    return result;
}

}  // namespace

}  // namespace sluice::ptycho

namespace sluice::stem4d {

Result<PtychographyGrid> ptychography_grid(Patterns const& patterns,
                                           PtychographyOptions const& options) {
    SLUICE_CHECK(ptycho::check_grid(patterns, options));
    return ptycho::grid_of(patterns, options);
}

Result<std::array<index, 2>> ptychography_canvas(Patterns const& patterns,
                                                 PtychographyOptions const& options) {
    SLUICE_TRY(auto const grid, ptychography_grid(patterns, options));
    SLUICE_TRY(auto const canvas, ptycho::make_canvas(ptycho::positions_on_grid(patterns, options),
                                                      grid.window, options.margin));
    return std::array{canvas.rows, canvas.cols};
}

namespace {

Result<PtychographyResult> reconstruct(Patterns patterns, PtychographyOptions const& options) {
    ptycho::Measured measured{.patterns = std::move(patterns)};
    SLUICE_TRY(ptycho::Share const share,
               ptycho::share_out(measured.patterns, options.communicator));
    bool const kept = !options.checkpoint.empty() || !options.resume.empty();
    SLUICE_TRY(auto totals, ptycho::check(measured, share));
    ptycho::Belongs belongs;
    if (kept) belongs = ptycho::belongs_to(measured, share, options);
    auto const bytes = ptycho::affordable(measured.patterns, options);
    SLUICE_CHECK(share.agree(bytes ? Status{} : bytes.error()));
    if (options.device.kind() == Device::Kind::reference)
        return ptycho::run<double>(measured, share, options, totals, belongs, *bytes);
    auto const model = ptycho::model_of(measured.patterns, options);
    if (ptycho::is_fast(model) && model.plain_detector())
        ptycho::order_for_passes(measured, options.device.threads());
    return ptycho::run<float>(measured, share, options, totals, belongs, *bytes);
}

Error ran_out() {
    return {Code::out_of_memory,
            "memory ran out during the reconstruction (another program took memory after the work "
            "was planned) take fewer modes, a smaller group or "
            "another solver"};
}

}  // namespace

Result<PtychographyResult> ptychography(Patterns patterns, PtychographyOptions const& options) {
    if (options.device.remote())
        return ptycho::reconstruct_by_launches(std::move(patterns), options);
    // Memory that was free when the work was planned may be taken by now.
    try {
        return reconstruct(std::move(patterns), options);
    } catch (std::bad_alloc const&) {
        return ran_out();
    }
}

}  // namespace sluice::stem4d

namespace sluice::ptycho {

Result<PtychographyResult> reconstruct_by_launches(Patterns patterns,
                                                   PtychographyOptions const& options) {
    SLUICE_CHECK(check_options(patterns, options));
    SLUICE_CHECK(remote::check_known(options));
    Measured measured{.patterns = std::move(patterns)};
    try {
        SLUICE_TRY(Share const share, share_out(measured.patterns, nullptr));
        SLUICE_TRY(auto totals, check(measured, share));
        SLUICE_TRY(Queue queue, Queue::of(options.device));
        SLUICE_TRY(index const waves, remote::waves_that_fit(queue, measured.patterns, options));
        SLUICE_TRY(auto const bytes, remote::planned(measured.patterns, options, waves));
        SLUICE_TRY(auto there, remote::RemotePatterns::upload(queue, measured, options));
        Belongs belongs;
        if (!options.checkpoint.empty() || !options.resume.empty())
            belongs = belongs_to(measured, share, options);
        return run<float>(measured, share, options, totals, belongs, bytes, {&there, waves});
    } catch (std::bad_alloc const&) {
        return stem4d::ran_out();
    }
}

}  // namespace sluice::ptycho
