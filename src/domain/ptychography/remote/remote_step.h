// RemoteStep: the step on a device: a group's patterns to the detector, and their gradients' sums.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "domain/ptychography/errors.h"
#include "domain/ptychography/model.h"
#include "domain/ptychography/remote/arrays.h"
#include "domain/ptychography/remote/remote_patterns.h"
#include "domain/ptychography/remote/sum_kernels.h"
#include "domain/ptychography/step/step.h"
#include "fft/remote.h"

namespace sluice::ptycho::remote {

/// Of one stage. All is given to the queue, and done after its wait().
class RemoteStep {
  public:
    /// `patterns` live as long as this.
    static Result<std::unique_ptr<RemoteStep>> make(RemotePatterns& patterns, Sizes const& sizes,
                                                    Model const& model);

    Queue& queue() const { return patterns_->queue(); }
    Sizes const& sizes() const { return sizes_; }
    Arrays const& at() const { return at_; }
    /// The queue keeps the values until they are copied.
    template <class T>
    Status upload(T* to, std::vector<T> values) {
        auto const held = std::make_shared<std::vector<T> const>(std::move(values));
        queue().hold(held);
        return queue().upload(to, std::as_bytes(std::span(*held)));
    }

    /// The groups of an iteration.
    Status begin(std::vector<std::vector<index>> const& groups);
    /// Windows are elsewhere from the next iteration on.
    Status place(std::vector<Position> const& positions) {
        return patterns_->place(positions, model_.sub_pixel);
    }
    std::vector<Group> const& groups() const { return order_.groups; }
    std::size_t number(Group const& group) const {
        return static_cast<std::size_t>(&group - order_.groups.data());
    }
    index pattern(index slot) const { return order_.patterns[static_cast<std::size_t>(slot)]; }
    Tiles tiles(Group const& group) const;
    /// Its patterns from slot `first` on.
    Some some(Group const& group, index first = 0) const;

    struct Wanted {
        bool object = true, probe = true;
        bool position = false;  ///< also at().position_gradients
        bool each = false;  ///< also each pattern's own gradients, of the first slice and the probe
    };
    /// Sums the gradients of a group, and notes its errors. Each pattern's probe gradients stay
    /// spectra where the probe moves by parts of a pixel.
    Status run(Group const& group, Wanted wanted);

    /// The probe times the object's windows, of slots `first` to `first` + `count` - 1.
    Status see(Group const& group, index first, index count, Z* out);
    /// An update of the waves that projections keep, of at most sizes().piece patterns.
    Status project(Group const& group, index first, index count, Projection const& projection);

    /// |probe|^2 of all modes in a slice, as light_of_slices() has it, and the largest of it:
    /// at().probe_power, `peak`. Slices are asked for in their order.
    Status weigh_probe(index slice, float* peak);
    /// What a group is lit with, and the largest of it: at().of_tiles, `peak`.
    Status weigh_light(Group const& group, float* peak);
    /// The sum of |object|^2 over a group, and the largest of it: at().object_power, `peak`.
    Status weigh_object(Group const& group, float* peak);
    /// The largest |object|^2 in a group's windows.
    Status find_object_peak(Group const& group, float* peak);
    /// at().turned_way, the directions of the probe as its gradients are.
    Status turn_way();
    /// Sums of each row of numbers in columns: sums[slot][quantity].
    Status add_columns(index rows, index length, double* to);

    /// The errors of all groups; waits. Fails where they are not finite.
    Result<Errors> errors(index iteration);

  private:
    /// Patterns `first` to `end` - 1 of a group.
    struct Piece {
        Group const& group;
        index first, end;

        index count() const { return end - first; }
    };
    RemoteStep(RemotePatterns& patterns, Sizes const& sizes, Model const& model)
        : patterns_(&patterns), sizes_(sizes), model_(model) {}

    Status take_memory();
    Status to_detector(Piece const& piece);
    Status weigh(Piece const& piece, Z const* spectra, double* errors);
    double* errors_of(Piece const& piece) const;
    Status back(Piece const& piece, Wanted wanted);
    Status back_through(Piece const& piece, index slice, Wanted wanted);
    Status keep_each(Piece const& piece);
    Status back_to_probe(Piece const& piece, Wanted wanted);
    Status find_slopes(Piece const& piece);
    // As ptycho::weighs_residuals() of the stage.
    bool weighs_residuals() const {
        return sizes_.solver == stem4d::PtychographyStage::Solver::lsqml &&
               model_.likelihood == stem4d::Likelihood::poisson;
    }
    Status propagate(Z const* by, Z* waves, index count, bool is_back);
    Status transform(Z* waves, bool is_back);
    Status travel(Z* waves, index count, bool is_back);
    Entry entry(index slice) const;
    Z* entries(index slice) const;
    Z const* slice(index s) const { return at_.object + s * sizes_.canvas.size(); }
    Status spread_probe(index slice);
    Status largest(float const* from, index n, float* to);

    RemotePatterns* patterns_;
    Sizes sizes_;
    Model model_;
    Arena arena_;
    Arrays at_;
    Order order_;
    std::unique_ptr<fft::RemotePlan<float>> waves_, modes_;
};

}  // namespace sluice::ptycho::remote
