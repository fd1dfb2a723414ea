// The first guess of a reconstruction, or where its checkpoint ends.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "domain/ptychography/checkpoint/of_share.h"
#include "domain/ptychography/constraints/check_constraints.h"
#include "domain/ptychography/few_counts.h"
#include "domain/ptychography/grid.h"
#include "domain/ptychography/judge/outcome.h"
#include "domain/ptychography/modes.h"
#include "domain/ptychography/run/reconstruction.h"
#include "domain/ptychography/start/doubts.h"
#include "domain/ptychography/start/first_object.h"
#include "sluice/trace.h"

namespace sluice::ptycho {

namespace {

// What the first probe reveals about the patterns and the options.
template <class Real>
Status check_probe(Reconstruction<Real>& r, Planar<Real> const& mode) {
    auto& notes = r.result.notes;
    for (auto& note : notes_of_constraints(r.options)) notes.push_back(std::move(note));
    index const width = probe_width(mode);
    if (r.canvas.nearest >= static_cast<double>(width))
        return Error{Code::invalid_argument,
                     fmt::format("the windows do not overlap (the nearest positions are {:.1f} "
                                 "pixels apart, and the probe is {} wide) check the units of "
                                 "the positions and the pixel's size",
                                 r.canvas.nearest, width)};
    if (r.canvas.nearest > 0.5 * static_cast<double>(width))
        notes.push_back(fmt::format(
            "neighbouring places share little: they are {:.1f} pixels apart, and the probe is "
            "{} wide",
            r.canvas.nearest, width));
    for (auto& note : doubts_of(r.measured, r.share, r.totals, r.canvas, width,
                                r.options.propagation == stem4d::Propagation::near, r.count))
        notes.push_back(std::move(note));
    if (auto note = warn_of_few_counts(r.totals, r.options, r.count); !note.empty())
        notes.push_back(std::move(note));
    if (width > mode.rows() * 9 / 10 && r.options.propagation == stem4d::Propagation::far)
        notes.push_back(fmt::format(
            "the probe fills its window ({} of {} pixels): a detector_bin of {} makes one that "
            "holds it",
            width, mode.rows(), 2 * r.options.detector_bin));
    return {};
}

// Object and positions. Ranks begin with those of the first, and with its probe: a file that
// they were read from may be another one on another machine.
template <class Real>
Status place(Reconstruction<Real>& r, Planar<Real> const& mode) {
    auto object =
        first_object<Real>(r.measured, r.share, r.options, r.canvas, mode, r.result.notes);
    SLUICE_CHECK(r.share.agree(object ? Status{} : object.error()));
    auto positions = first_positions(r.options.positions, r.canvas, mode.rows());
    SLUICE_CHECK(r.share.agree(positions ? Status{} : positions.error()));
    r.state.object = *std::move(object);
    r.state.positions = *std::move(positions);
    for (auto* const planes : {&r.state.object, &r.state.probe})
        for (auto& plane : *planes) r.share.send(bytes_of(plane), 0);
    r.share.send(std::as_writable_bytes(std::span(r.state.positions)), 0);
    return {};
}

template <class Real>
Status resume(Reconstruction<Real>& r) {
    if (r.options.resume.empty()) return {};
    SLUICE_TRY(r.reached, Checkpoint::open(r.options.resume, r.belongs, r.share, r.options));
    SLUICE_CHECK(r.reached->restore(r.state));
    r.result.rounds = r.reached->reached().rounds;
    r.result.notes = r.reached->reached().notes;
    return {};
}

}  // namespace

template <class Real>
Status begin(Reconstruction<Real>& r) {
    Step const step(r.options.trace, Phase::guess, 0);
    auto probe =
        first_probe<Real>(model_of(r.patterns(), r.options), r.options, r.totals, r.result.notes);
    SLUICE_CHECK(r.share.agree(probe ? Status{} : probe.error()));
    r.state.probe = *std::move(probe);
    auto const& mode = r.state.probe.front();
    SLUICE_CHECK(check_probe(r, mode));
    SLUICE_CHECK(place(r, mode));
    r.probe_began = center_of(r.state.probe);
    r.powers_began = mode_powers(r.state.probe);
    r.state.slice_nm = r.options.slice_nm;
    r.state.tilt_rad = model_of(r.patterns(), r.options).tilt_rad;
    SLUICE_CHECK(check_grid(r.patterns(), r.options, &r.result.notes));
    return resume(r);
}

template Status begin(Reconstruction<float>&);
template Status begin(Reconstruction<double>&);

}  // namespace sluice::ptycho
