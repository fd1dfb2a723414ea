// Launches: the probe moved, slices, the detector, weights, and back. No wait between groups.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/remote/remote_step.h"

#include <algorithm>

#include "domain/ptychography/job.h"
#include "domain/ptychography/remote/move_kernels.h"
#include "domain/ptychography/step/optics.h"
#include "launch/map.h"

namespace sluice::ptycho::remote {

Result<std::unique_ptr<RemoteStep>> RemoteStep::make(RemotePatterns& patterns, Sizes const& sizes,
                                                     Model const& model) {
    std::unique_ptr<RemoteStep> step(new RemoteStep(patterns, sizes, model));
    SLUICE_CHECK(step->take_memory());
    return step;
}

Status RemoteStep::take_memory() {
    Arena counted;
    Arrays::of(sizes_, counted);
    SLUICE_TRY(arena_, Arena::make(queue(), counted.used()));
    at_ = Arrays::of(sizes_, arena_);
    using Plan = fft::RemotePlan<float>;
    SLUICE_TRY(auto waves, Plan::make(queue(), sizes_.waves()));
    waves_ = std::make_unique<Plan>(std::move(waves));
    if (sizes_.modes_travel()) {
        SLUICE_TRY(auto modes, Plan::make(queue(), sizes_.modes_alone()));
        modes_ = std::make_unique<Plan>(std::move(modes));
    }
    if (!at_.propagator && !at_.near) return {};
    SLUICE_TRY(auto const optics, Optics<float>::make(model_));
    auto const take = [&](Z* to, Wave<float> const& wave) -> Status {
        std::vector<Z> numbers;
        for (auto const& z : wave) numbers.push_back({z.real(), z.imag()});
        return to ? upload(to, std::move(numbers)) : Status{};
    };
    SLUICE_CHECK(take(at_.propagator, optics.propagator()));
    return take(at_.near, optics.near_field());
}

Status RemoteStep::begin(std::vector<std::vector<index>> const& groups) {
    order_ =
        order_of(groups, patterns_->corners(), sizes_.n(), sizes_.canvas.rows, sizes_.canvas.cols);
    SLUICE_CHECK(upload(at_.order, order_.patterns));
    SLUICE_CHECK(upload(at_.begins, order_.begins));
    SLUICE_CHECK(upload(at_.tiles, std::move(order_.tiles)));
    return upload(at_.windows, std::move(order_.windows));
}

Some RemoteStep::some(Group const& group, index first) const {
    return {patterns_->corners_there(), at_.order + group.first + first};
}

Tiles RemoteStep::tiles(Group const& group) const {
    return {sizes_.canvas, sizes_.n(), some(group), at_.tiles + group.tile, at_.windows};
}

Z* RemoteStep::entries(index slice) const {
    return at_.entries + (slice - (sizes_.moves ? 0 : 1)) * sizes_.piece * sizes_.probe();
}

Entry RemoteStep::entry(index slice) const {
    if (slice == 0 && !sizes_.moves) return {at_.probe, true};
    return {entries(slice), false};
}

// All waves at once: those behind a piece's end are not used.
Status RemoteStep::transform(Z* waves, bool is_back) {
    auto* const z = reinterpret_cast<fft::Complex<float>*>(waves);
    return is_back ? waves_->inverse(queue(), z) : waves_->forward(queue(), z);
}

Status RemoteStep::propagate(Z const* by, Z* waves, index count, bool is_back) {
    SLUICE_CHECK(transform(waves, false));
    SLUICE_CHECK(launch::map(queue(), count * sizes_.probe(),
                             Propagate{by, sizes_.window(), is_back, waves}));
    return transform(waves, true);
}

// From behind the object to the detector, and its adjoint.
Status RemoteStep::travel(Z* waves, index count, bool is_back) {
    return at_.near ? propagate(at_.near, waves, count, is_back) : transform(waves, is_back);
}

Status RemoteStep::run(Group const& group, Wanted wanted) {
    if (sizes_.moves) {
        auto* const z = reinterpret_cast<fft::Complex<float>*>(at_.spectra);
        SLUICE_CHECK(launch::map(queue(), sizes_.probe(), Copy{at_.probe, at_.spectra}));
        SLUICE_CHECK(modes_->forward(queue(), z));
    }
    for (index first = 0; first < group.count; first += sizes_.piece) {
        Piece const piece{group, first, std::min(first + sizes_.piece, group.count)};
        SLUICE_CHECK(to_detector(piece));
        SLUICE_CHECK(weigh(piece, at_.waves, errors_of(piece)));
        SLUICE_CHECK(
            launch::map(queue(), piece.count() * sizes_.probe(),
                        ApplyWeights{at_.weights, sizes_.pixels, sizes_.modes, at_.waves}));
        SLUICE_CHECK(travel(at_.waves, piece.count(), true));
        SLUICE_CHECK(back(piece, wanted));
    }
    if (!sizes_.moves || !wanted.probe) return {};
    return modes_->inverse(queue(), reinterpret_cast<fft::Complex<float>*>(at_.probe_sum));
}

Status RemoteStep::to_detector(Piece const& piece) {
    index const n = sizes_.n(), numbers = piece.count() * sizes_.probe();
    Some const here = some(piece.group, piece.first);
    if (sizes_.moves) {
        SLUICE_CHECK(
            launch::map(queue(), piece.count() * 2 * n, MakeFactors{here, n, at_.factors}));
        SLUICE_CHECK(launch::map(queue(), numbers,
                                 MoveProbe{at_.spectra, at_.factors, n, sizes_.modes, entries(0)}));
        SLUICE_CHECK(transform(entries(0), true));
    }
    for (index s = 0; s < sizes_.canvas.slices; ++s) {
        bool const last = s + 1 == sizes_.canvas.slices;
        Z* const to = last ? at_.waves : entries(s + 1);
        SLUICE_CHECK(
            launch::map(queue(), numbers,
                        PassSlice{here, entry(s), slice(s), sizes_.canvas, n, sizes_.modes, to}));
        if (!last) SLUICE_CHECK(propagate(at_.propagator, to, piece.count(), false));
    }
    return travel(at_.waves, piece.count(), false);
}

double* RemoteStep::errors_of(Piece const& piece) const {
    return at_.errors + (piece.group.first + piece.first) * quantities;
}

Status RemoteStep::weigh(Piece const& piece, Z const* spectra, double* errors) {
    index const side = sizes_.pixels.detector;
    SLUICE_CHECK(patterns_->with_counts([&]<class T>(T const* counts) {
        return launch::map(
            queue(), piece.count() * side,
            WeighPixels<T>{some(piece.group, piece.first), spectra, counts, patterns_->bad(),
                           sizes_.pixels, sizes_.modes, model_.likelihood, weighs_residuals(),
                           at_.weights, at_.columns, static_cast<float>(model_.count)});
    }));
    return add_columns(piece.count() * quantities, side, errors);
}

Status RemoteStep::add_columns(index rows, index length, double* to) {
    return launch::map(queue(), rows, AddRows{at_.columns, length, to});
}

Status RemoteStep::back(Piece const& piece, Wanted wanted) {
    for (index s = sizes_.canvas.slices - 1; s >= 0; --s)
        SLUICE_CHECK(back_through(piece, s, wanted));
    return wanted.probe || wanted.position ? back_to_probe(piece, wanted) : Status{};
}

Status RemoteStep::back_through(Piece const& piece, index s, Wanted wanted) {
    index const n = sizes_.n(), numbers = piece.count() * sizes_.probe();
    if (wanted.object)
        SLUICE_CHECK(
            launch::map(queue(), piece.group.tiles * Tile::area,
                        AddObject{tiles(piece.group), piece.first, piece.end, entry(s), at_.waves,
                                  sizes_.modes, at_.object_sum + s * sizes_.canvas.size()}));
    if (wanted.each && s == 0) SLUICE_CHECK(keep_each(piece));
    if (s == 0 && !wanted.probe && !wanted.position) return {};
    SLUICE_CHECK(launch::map(queue(), numbers,
                             PassBack{some(piece.group, piece.first), slice(s), sizes_.canvas, n,
                                      sizes_.modes, at_.waves}));
    return s > 0 ? propagate(at_.propagator, at_.waves, piece.count(), true) : Status{};
}

Status RemoteStep::keep_each(Piece const& piece) {
    return launch::map(queue(), piece.count() * sizes_.window(),
                       KeepObject{entry(0), at_.waves, sizes_.window(), sizes_.modes,
                                  at_.object_gradients + piece.first * sizes_.window()});
}

// Sums of spectra are the spectra of sums: one transform for each group instead of each pattern.
Status RemoteStep::back_to_probe(Piece const& piece, Wanted wanted) {
    index const numbers = piece.count() * sizes_.probe();
    if (sizes_.moves) {
        SLUICE_CHECK(transform(at_.waves, false));
        if (wanted.position) SLUICE_CHECK(find_slopes(piece));
        if (!wanted.probe) return {};
        SLUICE_CHECK(launch::map(queue(), numbers,
                                 MoveBack{at_.factors, sizes_.n(), sizes_.modes, at_.waves}));
    }
    if (wanted.each)
        SLUICE_CHECK(launch::map(
            queue(), numbers, Copy{at_.waves, at_.probe_gradients + piece.first * sizes_.probe()}));
    return launch::map(
        queue(), sizes_.probe(),
        AddProbe{at_.waves, piece.count(), sizes_.probe(), piece.first == 0, at_.probe_sum});
}

Status RemoteStep::find_slopes(Piece const& piece) {
    index const n = sizes_.n();
    SLUICE_CHECK(launch::map(
        queue(), piece.count() * n,
        PositionSlopes{at_.spectra, at_.factors, at_.waves, n, sizes_.modes, at_.columns}));
    return add_columns(piece.count() * 2, n,
                       at_.position_gradients + (piece.group.first + piece.first) * 2);
}

Status RemoteStep::turn_way() {
    if (!sizes_.moves) return {};
    SLUICE_CHECK(launch::map(queue(), sizes_.probe(), Copy{at_.probe_way, at_.turned_way}));
    return modes_->forward(queue(), reinterpret_cast<fft::Complex<float>*>(at_.turned_way));
}

Result<Errors> RemoteStep::errors(index iteration) {
    constexpr auto width = static_cast<std::size_t>(errors_of_groups + 1);
    std::size_t const groups = order_.groups.size();
    std::vector<double> found(groups * width);
    SLUICE_CHECK(launch::map(queue(), std::ssize(found),
                             AddErrors{at_.errors, at_.begins, at_.group_errors}));
    SLUICE_CHECK(queue().download(std::as_writable_bytes(std::span(found)), at_.group_errors));
    SLUICE_CHECK(queue().wait());
    Errors sum;
    for (std::size_t g = 0; g < groups; ++g) {
        double const* const of = found.data() + g * width;
        if (of[errors_of_groups] >= 0)
            return no_numbers(pattern(static_cast<index>(of[errors_of_groups])), iteration);
        sum += {.amplitude = of[0], .model = of[1], .difference = of[2], .loss = of[3]};
    }
    for (std::int32_t const j : order_.patterns) {
        sum.counts += patterns_->measured().sums[static_cast<std::size_t>(j)];
        sum.squares += patterns_->measured().squares[static_cast<std::size_t>(j)];
    }
    return sum;
}

}  // namespace sluice::ptycho::remote
