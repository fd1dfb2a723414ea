// The result of a reconstruction, and the notes that need its end.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "domain/ptychography/arrays_of.h"
#include "domain/ptychography/constraints/probe_support.h"
#include "domain/ptychography/grid.h"
#include "domain/ptychography/judge/outcome.h"
#include "domain/ptychography/modes.h"
#include "domain/ptychography/run/reconstruction.h"
#include "domain/ptychography/run/rounds.h"
#include "domain/ptychography/stage_kind.h"
#include "domain/ptychography/variable_probe.h"

namespace sluice::ptycho {

namespace {

template <class Real>
void take_weights(Reconstruction<Real>& r) {
    index const count = std::ssize(r.state.positions);
    r.result.opr_weights = {{count, std::ssize(r.state.opr_weights) / count}, r.state.opr_weights};
    double const part = variation_power(r.state);
    if (part > 0.2)
        r.result.notes.push_back(
            fmt::format("the probe varies by {:.0f} % of its power, which is much: wrong "
                        "positions, further modes or a changing intensity may cause it",
                        100 * part));
    if (r.state.probe.size() > 1)
        r.result.notes.push_back(
            "modes are not orthogonal, since the variations belong to the first of them");
}

// Modes that were made of the first, and have together about the power that they were given.
template <class Real>
void note_powers(Reconstruction<Real>& r) {
    auto const& powers = r.result.mode_powers;
    auto const n = static_cast<std::size_t>(r.state.probe.front().rows());
    std::size_t const given = std::max<std::size_t>(1, r.options.probe.size() / (n * n));
    double now = 0, began = 0;
    for (std::size_t k = given; k < powers.size(); ++k) {
        now += powers[k];
        began += r.powers_began[k];
    }
    bool const stayed =
        !r.options.stages.back().fix_probe && now > 0.6 * began && now < 1.7 * began;
    if (stayed)
        r.result.notes.emplace_back(
            "the powers of the modes stayed near their first values: the patterns hardly determine "
            "them, so do not take them as measured (take 100 to 200 iterations of lsqml "
            "or mlcg, or a probe of known modes to begin with)");
}

// Where the usual support of a stage cuts the probe off.
template <class Real>
void note_support(Reconstruction<Real>& r) {
    Model const model = model_of(r.patterns(), r.options);
    if (std::ranges::any_of(r.options.stages, [&](stem4d::PtychographyStage const& stage) {
            return has_usual_support(stage, model);
        }))
        if (auto note = note_of_support(r.state.probe); !note.empty())
            r.result.notes.push_back(std::move(note));
}

// The quantities that were refined beside object and probe.
template <class Real>
void take_refined(Reconstruction<Real>& r) {
    r.result.positions = r.state.positions;
    r.result.started = r.canvas.corners;
    r.result.shift = r.canvas.shift;
    r.result.descan = r.state.descan;
    if (!r.state.background.empty()) {
        r.result.background = Array<float>::zeros({r.patterns().size, r.patterns().size});
        std::copy(r.state.background.begin(), r.state.background.end(),
                  r.result.background.values.begin());
    }
    r.result.slice_nm = r.state.slice_nm;
    r.result.tilt_row_mrad = r.state.tilt_rad[0] * 1e3;
    r.result.tilt_col_mrad = r.state.tilt_rad[1] * 1e3;
}

}  // namespace

template <class Real>
stem4d::PtychographyResult collect(Reconstruction<Real>& r, Errors const& ended) {
    r.result.floor = floor_of(ended);
    if (auto note = note_of_last_step(r.result.rounds, ended.r()); !note.empty())
        r.result.notes.push_back(std::move(note));
    note_support(r);
    if (!r.options.stages.back().fix_probe && !r.state.varies()) make_orthogonal(r.state.probe);
    r.result.object = array_of<Real>(r.state.object);
    r.result.probe = array_of<Real>(r.state.probe);
    if (!r.state.opr_modes.empty()) r.result.opr_modes = array_of<Real>(r.state.opr_modes);
    if (r.state.varies()) take_weights(r);
    r.result.mode_powers = mode_powers(r.state.probe);
    note_powers(r);
    double all = 0;
    for (double p : r.result.mode_powers) all += p;
    for (double& p : r.result.mode_powers) p /= all;
    take_refined(r);
    r.result.pixel_nm = grid_of(r.patterns(), r.options).pixel_nm;
    r.result.propagation = r.options.propagation;
    for (auto const& stage : r.options.stages) r.result.likelihoods.push_back(fitted(stage));
    stem4d::Position const center = center_of(r.state.probe);
    r.result.probe_moved = {center.row - r.probe_began.row, center.col - r.probe_began.col};
    r.result.probe_power = all / r.totals.mean;
    // Of this run: a checkpoint may be of more ranks, or fewer.
    if (!r.share.alone())
        r.result.notes.push_back(
            fmt::format("{} ranks share the patterns", r.options.communicator->ranks()));
    note_findings(r.result);
    return std::move(r.result);
}

template stem4d::PtychographyResult collect(Reconstruction<float>&, Errors const&);
template stem4d::PtychographyResult collect(Reconstruction<double>&, Errors const&);

}  // namespace sluice::ptycho
