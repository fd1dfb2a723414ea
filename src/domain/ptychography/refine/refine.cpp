// What a stage refines, in which order, and when it gives up.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/refine/refine.h"

#include <fmt/format.h>

#include <cmath>

#include "domain/ptychography/refine/affine.h"
#include "domain/ptychography/stage_kind.h"

namespace sluice::ptycho {

namespace {

constexpr double furthest = 2;  // that half of the positions may move in a stage, in pixels

// How far each position moved in the stage, without what all did.
template <class Real>
std::vector<double> moved(State<Real> const& state) {
    auto const count = static_cast<double>(state.positions.size());
    double mean[2] = {};
    for (std::size_t j = 0; j < state.positions.size(); ++j) {
        mean[0] += (state.positions[j].row - state.stage_positions[j].row) / count;
        mean[1] += (state.positions[j].col - state.stage_positions[j].col) / count;
    }
    std::vector<double> all;
    for (std::size_t j = 0; j < state.positions.size(); ++j)
        all.push_back(std::hypot(state.positions[j].row - state.stage_positions[j].row - mean[0],
                                 state.positions[j].col - state.stage_positions[j].col - mean[1]));
    return all;
}

double median(std::vector<double> values) {
    auto const middle = values.begin() + std::ssize(values) / 2;
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

template <class Real>
void guard_positions(Job<Real>& job, std::vector<std::string>& notes) {
    if (job.stage.position_model == PtychographyStage::PositionModel::affine) return;
    auto& state = job.state;
    double const half = median(moved(state));
    if (half <= furthest) return;
    notes.push_back(fmt::format(
        "in iteration {} of a stage half of the positions had moved by more than {:.2f} pixels, "
        "and "
        "all were put back (most often the pixel's size or the scan's rotation is wrong: {}); a "
        "stage with position_model affine finds such errors",
        job.iteration, half, describe_affine(state.stage_positions, state.positions)));
    state.positions = state.stage_positions;
    state.positions_rest = true;
}

Error cannot(std::string message) {
    return {Code::invalid_argument, std::move(message)};
}

Status check_positions(PtychographyStage const& stage, bool sub_pixel) {
    if (stage.position_search < 0 || stage.position_search > 8)
        return cannot(fmt::format("position_search is {} places (0 to 8 are possible)",
                                  stage.position_search));
    if (!(stage.position_search_radius > 0 && stage.position_search_radius <= 100))
        return cannot("position_search_radius must be above 0 and at most 100 pixels");
    if (stage.position_search > 0 && !stage.refine_positions)
        return cannot(
            "a stage searches for positions and does not refine them (no position would move) set "
            "refine_positions, too");
    bool const affine = stage.position_model == PtychographyStage::PositionModel::affine;
    if (stage.position_search > 0 && affine)
        return cannot(
            "a search moves each position on its own (an affine map moves all) take "
            "position_model each for that stage");
    if (stage.refine_positions && !sub_pixel && (affine || stage.position_search == 0))
        return cannot(
            "positions of whole pixels have no gradient (they cannot move by parts of a pixel) "
            "allow "
            "parts of pixels, or give a position_search");
    return {};
}

}  // namespace

Status check_refinement(stem4d::PtychographyOptions const& options) {
    bool shifted = false;
    for (auto const& stage : options.stages) {
        SLUICE_CHECK(check_positions(stage, options.sub_pixel));
        bool const detector = stage.refine_descan || stage.refine_background;
        bool const slices = stage.refine_slice_distance || stage.refine_tilt;
        if (slices && options.slices < 2)
            return cannot(
                "one slice has no distance and no tilt (waves do not spread in it) give two slices "
                "or more");
        if (stage.refine_descan && options.propagation == stem4d::Propagation::near)
            return cannot(
                "descan belongs to far fields (in a near field a shift of the image is one of the "
                "position) refine positions");
        shifted = shifted || detector;
        if (projects(stage) && (shifted || options.detector_bin > 1 || options.detector_blur > 0 ||
                                options.window > 0))
            return cannot(
                "projections take patterns as they are (they keep waves behind the object, and "
                "allow no descan, background, blur, bins or larger window) take lsqml, sgd, adam "
                "or an engine of the PIE family from there on");
    }
    return {};
}

template <class Real>
void begin_refinement(Job<Real>& job, Totals const& totals, std::vector<std::uint8_t> const& bad) {
    auto& state = job.state;
    state.stage_positions = state.positions;
    state.positions_rest = false;
    state.affine_speed = {};
    state.slices_speed = {};
    if (job.stage.refine_descan && state.descan.empty())
        state.descan.resize(state.positions.size());
    std::vector<double> valid;
    for (std::size_t q = 0; q < totals.pattern.size(); ++q)
        if (bad.empty() || !bad[q]) valid.push_back(totals.pattern[q]);
    auto const tenth = valid.begin() + std::ssize(valid) / 10;
    std::nth_element(valid.begin(), tenth, valid.end());
    double const mean = totals.mean / static_cast<double>(valid.size());
    job.collected.dark_counts = 1e-3 * mean;
    if (!job.stage.refine_background || !state.background.empty()) return;
    // A little everywhere: a background of 0 has a step of length 0.
    auto const first = static_cast<Real>(std::max(0.1 * *tenth, 1e-3 * mean));
    for (std::size_t q = 0; q < totals.pattern.size(); ++q)
        state.background.push_back(bad.empty() || !bad[q] ? first : Real{0});
}

template <class Real>
Status refine(Job<Real>& job, std::vector<std::string>& notes) {
    bool const begun = job.iteration >= job.stage.probe_from;
    auto const& stage = job.stage;
    if (begun && (stage.refine_positions || stage.refine_descan || stage.refine_background ||
                  stage.refine_slice_distance || stage.refine_tilt))
        job.gather();
    if (begun && job.stage.refine_positions && !job.state.positions_rest) {
        std::vector<std::uint8_t> placed;
        if (job.stage.position_search > 0) {
            SLUICE_TRY(placed, search_positions(job));
        }
        if (job.step.model().sub_pixel) step_positions(job, placed);
        guard_positions(job, notes);
    }
    if (begun && job.stage.refine_descan) step_descan(job);
    if (begun && job.stage.refine_background) step_background(job);
    if (begun && (job.stage.refine_slice_distance || job.stage.refine_tilt)) step_slices(job);
    return {};
}

template <class Real>
void end_refinement(Job<Real> const& job, std::vector<std::string>& notes) {
    if (!job.stage.refine_positions || job.state.positions_rest) return;
    auto const all = moved(job.state);
    double squares = 0, largest = 0;
    for (double d : all) {
        squares += d * d;
        largest = std::max(largest, d);
    }
    notes.push_back(
        fmt::format("positions moved by {:.3f} pixels (root mean square; {:.3f} the furthest): {}",
                    std::sqrt(squares / static_cast<double>(all.size())), largest,
                    describe_affine(job.state.stage_positions, job.state.positions)));
}

template void begin_refinement(Job<float>&, Totals const&, std::vector<std::uint8_t> const&);
template void begin_refinement(Job<double>&, Totals const&, std::vector<std::uint8_t> const&);
template Status refine(Job<float>&, std::vector<std::string>&);
template Status refine(Job<double>&, std::vector<std::string>&);
template void end_refinement(Job<float> const&, std::vector<std::string>&);
template void end_refinement(Job<double> const&, std::vector<std::string>&);

}  // namespace sluice::ptycho
