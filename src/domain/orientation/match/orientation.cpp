// orientation(): the fold over patterns, and the map that comes of it.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/match/match_work.h"
#include "fold/packed.h"

namespace sluice::stem4d {

using orient::MatchWork;

Result<OrientationMap> orientation(CalibratedVectors const& vectors,
                                   OrientationLibrary const& library, MatchOptions const& options,
                                   Options const& run) {
    SLUICE_TRY(auto const work, MatchWork::begin(vectors, library, options, run));
    SLUICE_TRY(auto const found, fold::fold(work->groups(), work->analysis(), work->run_options()));
    return work->map_of(found);
}

Result<OrientationMap> orientation(BraggVectors const& vectors, Calibration const& calibration,
                                   OrientationLibrary const& library, MatchOptions const& options,
                                   Options const& run) {
    SLUICE_TRY(CalibratedVectors const calibrated, apply_calibration(vectors, calibration));
    return orientation(calibrated, library, options, run);
}

struct OrientationParts::State {
    CalibratedVectors vectors;
    Options run;
    std::unique_ptr<MatchWork> work = {};
    std::unique_ptr<fold::Folding<orient::MatchPatterns>> folding = {};
};

OrientationParts::OrientationParts(std::unique_ptr<State> state) : state_(std::move(state)) {}
OrientationParts::OrientationParts(OrientationParts&&) noexcept = default;
OrientationParts& OrientationParts::operator=(OrientationParts&&) noexcept = default;
OrientationParts::~OrientationParts() = default;

Result<OrientationParts> OrientationParts::begin(CalibratedVectors vectors,
                                                 OrientationLibrary const& library,
                                                 MatchOptions const& options, Options const& run) {
    auto state = std::make_unique<State>(State{std::move(vectors), run});
    SLUICE_TRY(state->work, MatchWork::begin(state->vectors, library, options, state->run));
    state->folding = std::make_unique<fold::Folding<orient::MatchPatterns>>(state->work->analysis(),
                                                                            state->work->groups());
    return OrientationParts(std::move(state));
}

index OrientationParts::groups() const {
    return state_->work->groups().groups();
}

Result<std::vector<std::byte>> OrientationParts::part(index first, index count) {
    MatchWork const& work = *state_->work;
    if (first < 0 || count < 0 || first > groups() - count)
        return fold::refuse_range({first, first + count}, groups());
    SLUICE_TRY(auto const part, fold::fold_part(work.groups(), work.analysis(),
                                                {first, first + count}, work.run_options()));
    return fold::pack(work.groups(), work.analysis(), part);
}

Status OrientationParts::add(Bytes packed) {
    MatchWork const& work = *state_->work;
    SLUICE_TRY(auto part, fold::unpack(work.groups(), work.analysis(), packed));
    return fold::add_part(*state_->folding, std::move(part));
}

Result<OrientationMap> OrientationParts::finish() && {
    SLUICE_TRY(auto const found, std::move(*state_->folding).finish());
    return state_->work->map_of(found);
}

}  // namespace sluice::stem4d
