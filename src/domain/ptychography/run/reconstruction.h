// Reconstruction: the data from the first guess to the result, and the parts that work on them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "domain/ptychography/checkpoint/checkpoint.h"
#include "domain/ptychography/checkpoint/keeper.h"
#include "domain/ptychography/counts.h"
#include "domain/ptychography/remote/remote_work.h"
#include "domain/ptychography/start/start.h"
#include "domain/ptychography/state.h"
#include "domain/ptychography/watching.h"

namespace sluice::ptycho {

template <class Real>
struct Reconstruction {
    Measured const& measured;
    Share const& share;
    stem4d::PtychographyOptions const& options;
    Totals totals;
    double count = 0;  ///< the value of one count; 0: no counts
    Canvas canvas;
    Belongs const& belongs;
    remote::OnDevice on_device = {};  ///< without patterns: the host does the work

    State<Real> state = {};
    stem4d::PtychographyResult result = {};  ///< its rounds and notes until the end
    Keeper keeper = {options.checkpoint, options.checkpoint_every};
    std::optional<Checkpoint> reached = {};    ///< until its stage has begun
    std::function<Status()> fetch_stage = {};  ///< while a stage is at work: see fetch()
    index stage = 0;                           ///< the one at work, or the last one
    stem4d::Position probe_began = {};         ///< the centre of the first probe
    std::vector<double> powers_began = {};     ///< of its modes

    stem4d::Patterns const& patterns() const { return measured.patterns; }
    stem4d::PtychographyStage const& stage_options() const {
        return options.stages[static_cast<std::size_t>(stage)];
    }
};

/// The state of the stage at work comes here, from where it is.
template <class Real>
Status fetch(Reconstruction<Real> const& r) {
    return r.fetch_stage ? r.fetch_stage() : Status{};
}

/// The first guess, or where the checkpoint ends.
template <class Real>
Status begin(Reconstruction<Real>& r);

/// All stages that are left, one after the other.
template <class Real>
Status run_stages(Reconstruction<Real>& r, Watching<Real>& watching);

/// How patterns are modelled in the stage at work, with the slices as they are now.
template <class Real>
Model model_now(Reconstruction<Real> const& r);

/// The errors of up to 200 patterns, as they are modelled now: `of_all` ranks, or of this process'
/// own patterns, of which there may be 0.
template <class Real>
Result<Errors> errors_now(Reconstruction<Real> const& r, bool of_all);

/// The R that counting noise alone leaves; 0: not known.
double floor_of(Errors const& errors);

/// The result, with its notes. `ended` are the errors of the state.
template <class Real>
stem4d::PtychographyResult collect(Reconstruction<Real>& r, Errors const& ended);

}  // namespace sluice::ptycho
