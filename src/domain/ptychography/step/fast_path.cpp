// FastPath: mode by mode and slice by slice through the kernels.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/step/fast_path.h"

#include "device/per_isa.h"
#include "domain/ptychography/step/moves.h"

namespace sluice::ptycho {

SLUICE_PER_ISA(FastKernels, fast_kernels)
SLUICE_PER_ISA(SliceKernels, slice_kernels)
SLUICE_PER_ISA(LineKernels, line_kernels)
SLUICE_PER_ISA(ProjectKernels, project_kernels)

namespace {

template <class Kernels>
auto const* of_side(Kernels const& kernels, index side) {
    for (auto const& kernel : kernels.of)
        if (kernel.side == side) return &kernel;
    return static_cast<decltype(&kernels.of[0])>(nullptr);
}

// The pattern's own probe of mode k: sums of planes or of spectra, [mode] and then what is added to
// the first.
template <class PlaneOf>
void vary(State<float> const& state, index j, index k, PlaneOf const& plane_of, index numbers,
          float* to) {
    auto const weights = state.weights_of(j);
    float const* const own = plane_of(k);
    auto const by = static_cast<float>(weights[0]);
    for (index i = 0; i < numbers; ++i) to[i] = by * own[i];
    for (index m = 0; k == 0 && m < std::ssize(state.opr_modes); ++m) {
        float const* const more = plane_of(std::ssize(state.probe) + m);
        auto const weight = static_cast<float>(weights[static_cast<std::size_t>(m + 1)]);
        for (index i = 0; i < numbers; ++i) to[i] += weight * more[i];
    }
}

Planar<float> const& plane_of_probe(State<float> const& state, index k) {
    auto const at = static_cast<std::size_t>(k);
    std::size_t const modes = state.probe.size();
    return at < modes ? state.probe[at] : state.opr_modes[at - modes];
}

}  // namespace

FastKernel const* fast_kernel_of(index side, Isa isa) {
    return of_side(fast_kernels(isa), side);
}

FastPath::FastPath(Model const& model, Measured const& measured, Isa isa)
    : model_(model),
      measured_(measured),
      kernel_(*fast_kernel_of(model.window, isa)),
      slice_kernel_(*of_side(slice_kernels(isa), model.window)),
      line_kernel_(*of_side(line_kernels(isa), model.window)),
      project_kernel_(*of_side(project_kernels(isa), model.window)),
      roots_(fft::roots_of_square(model.window)) {
    if (model.slices > 1) tables_ = SliceTables(model);
    if (!model.plain_detector()) bins_ = Bins(model);
    set_valid();
}

// In the order of the passes; with bins row by row, and filled up.
void FastPath::set_valid() {
    auto const& bad = measured_.patterns.bad;
    auto const valid = [&](index pixel) {
        return bad.empty() || !bad[static_cast<std::size_t>(pixel)] ? 1.0f : 0.0f;
    };
    for (index p = 0; p < bins_.pixels(); ++p) valid_.push_back(valid(p));
    valid_.resize(static_cast<std::size_t>(bins_.filled()));
    if (bad.empty() || !bins_.none()) return;
    index const side = model_.window;
    for (index i = 0; i < side * side; ++i) valid_.push_back(valid(fft::natural_place(side, i)));
}

void FastPath::set_slices(double slice_nm, std::array<double, 2> tilt_rad) {
    if (model_.slices == 1 || (slice_nm == model_.slice_nm && tilt_rad == model_.tilt_rad)) return;
    model_.slice_nm = slice_nm;
    model_.tilt_rad = tilt_rad;
    tables_ = SliceTables(model_);
}

Room FastPath::make_room(index modes) const {
    Room room(modes, model_.slices, kernel_);
    room.pixels.resize(static_cast<std::size_t>(bins_.filled()));
    room.counts.resize(room.pixels.size());
    return room;
}

Planar<float> FastPath::spectrum_of(State<float> const& state, index k, Room& room) const {
    Planar<float> spectrum(1, model_.window * model_.window);
    kernel_.spectrum(roots_, room.tile(0), window(plane_of_probe(state, k)), spectrum.re(0));
    return spectrum;
}

float const* FastPath::own_spectrum(State<float> const& state, index j, index k,
                                    Spectra const& spectra, Room& room) const {
    auto const plane_of = [&](index i) { return spectra[static_cast<std::size_t>(i)].re(0); };
    if (!state.varies()) return plane_of(k);
    vary(state, j, k, plane_of, room.varied.size(), room.varied.re(0));
    return room.varied.re(0);
}

// The probe of a mode where the pattern was taken.
Window FastPath::probe_at(State<float> const& state, WindowPlace const& place, index k,
                          Room& room) const {
    return is_moved(place) || state.varies() ? window(room.moved, k * model_.window)
                                             : window(state.probe[static_cast<std::size_t>(k)]);
}

void FastPath::move_probe(State<float> const& state, index j, WindowPlace const& place, index k,
                          Spectra const& spectra, Room& room) const {
    float* const own = room.moved.re(k * model_.window);
    if (is_moved(place))
        move(own_spectrum(state, j, k, spectra, room), room.factors.data(), k, room, own);
    else if (state.varies())
        vary(
            state, j, k, [&](index i) { return plane_of_probe(state, i).re(0); },
            state.probe.front().size(), own);
}

void FastPath::set_shift(State<float> const& state, index j, Wanted wanted, Room& room) const {
    auto const d =
        state.descan.empty() ? stem4d::Position{} : state.descan[static_cast<std::size_t>(j)];
    room.shifted = wanted.descan || d.row != 0 || d.col != 0;
    if (room.shifted) set_ramp(model_.window, d, room.ramp);
}

// A mode through all slices; the largest |object|^2.
float FastPath::enter(State<float> const& state, WindowPlace const& place, index k, Wanted wanted,
                      Room& room) const {
    float* const tile = room.tile(k);
    float peak = 0;
    for (index s = 0; s < model_.slices; ++s) {
        Window const object =
            window(state.object[static_cast<std::size_t>(s)], place.row, place.col);
        float const* const ramp = s + 1 == model_.slices ? room.ramp_if_shifted() : nullptr;
        if (s == 0) {
            peak = kernel_.enter(roots_, tile, object, probe_at(state, place, k, room), ramp);
            continue;
        }
        slice_kernel_.propagate(roots_, tile, tables_.propagator(),
                                wanted.slice_and_tilt ? room.exit(s - 1, k) : nullptr);
        peak = std::max(peak, slice_kernel_.next(roots_, tile, object, room.entry(s, k), ramp));
    }
    return peak;
}

void FastPath::enter_and_weigh(State<float> const& state, index j, WindowPlace const& place,
                               Spectra const& spectra, Wanted wanted, Room& room,
                               Gradients<float>& out) const {
    if (is_moved(place)) set_factors(model_.window, place, 1, room.factors);
    set_shift(state, j, wanted, room);
    float peak = 0;
    for (index k = 0; k < room.modes; ++k) {
        move_probe(state, j, place, k, spectra, room);
        peak = std::max(peak, enter(state, place, k, wanted, room));
    }
    out.object_peak = static_cast<double>(peak);
    out.position = out.descan = {};
    out.slice = out.slice_reach = 0;
    out.tilt = out.tilt_reach = {};
    PixelSums const sums = weigh(state, j, wanted, room, out);
    out.errors = errors_of(sums, j);
    std::ranges::copy(sums.slopes, out.slopes.begin());
}

Leaving FastPath::leaving(State<float> const& state, WindowPlace const& place, index slice, index k,
                          Wanted wanted, Room& room, Gradients<float>& out) const {
    Leaving to{};
    to.object = window(state.object[static_cast<std::size_t>(slice)], place.row, place.col);
    to.probe =
        slice > 0 ? Window{room.entry(slice, k), room.side} : probe_at(state, place, k, room);
    to.ramp = slice + 1 == model_.slices ? room.ramp_if_shifted() : nullptr;
    to.descan = wanted.descan ? out.descan.data() : nullptr;
    return to;
}

void FastPath::leave(index slice, index k, Leaving const& to, index first, index last,
                     Room& room) const {
    (slice > 0 ? slice_kernel_.leave : kernel_.leave)(roots_, room.tile(k), to, first, last);
}

void FastPath::go_back(index slice, index k, Wanted wanted, Room& room,
                       Gradients<float>& out) const {
    if (!wanted.slice_and_tilt)
        return slice_kernel_.propagate_back(roots_, room.tile(k), tables_.propagator());
    RateSums sums = slice_kernel_.propagate_back_and_sum(roots_, room.tile(k), tables_.propagator(),
                                                         room.exit(slice - 1, k), tables_.rates());
    auto const area = static_cast<double>(room.side * room.side);
    sums.power /= area;
    for (double& mean : sums.mean) mean /= area;
    for (double& square : sums.square) square /= area;
    add_rates(sums, model_.slices - 1, out);
}

void FastPath::turn_back(WindowPlace const& place, float const* probe, index k, Window gradient,
                         Wanted wanted, Room& room, std::array<double, 2>& position) const {
    kernel_.spectrum(roots_, room.tile(k), gradient, room.spectra.re(0));
    set_factors(model_.window, place, -1, room.factors);
    if (wanted.position)
        add_position(model_.window, probe, room.spectra.re(0), room.factors, position);
}

void FastPath::move(float const* spectrum, float const* factors, index k, Room& room,
                    float* to) const {
    kernel_.moved(roots_, room.tile(k), spectrum, factors, to);
}

PixelSums FastPath::weigh_modes(Pixels const& pixels, Room& room) const {
    if (room.modes == 1) return kernel_.weigh(roots_, room.tile(0), pixels);
    float* const intensity = room.intensity.re(0);
    for (index k = 0; k < room.modes; ++k)
        kernel_.to_detector(roots_, room.tile(k), k == 0, intensity);
    PixelSums const sums = kernel_.weigh_sum(intensity, room.intensity.cols(), pixels);
    for (index k = 0; k < room.modes; ++k) kernel_.from_detector(roots_, room.tile(k), intensity);
    return sums;
}

// Kernels do not scale their transforms.
void FastPath::add_background(State<float> const& state, float* intensity) const {
    index const side = model_.window;
    auto const area = static_cast<float>(side * side);
    for (index i = 0; i < side * side; ++i)
        intensity[i] +=
            area * state.background[static_cast<std::size_t>(fft::natural_place(side, i))];
}

// The intensity of all modes goes through memory, and the background is added to it there.
PixelSums FastPath::weigh_on_background(State<float> const& state, Pixels const& pixels, Room& room,
                                        Gradients<float>& out) const {
    index const side = model_.window;
    auto const area = static_cast<float>(side * side);
    float* const intensity = room.intensity.re(0);
    for (index k = 0; k < room.modes; ++k)
        kernel_.to_detector(roots_, room.tile(k), k == 0, intensity);
    add_background(state, intensity);
    for (index i = 0; i < side * side; ++i) {
        auto const pixel = static_cast<std::size_t>(fft::natural_place(side, i));
        float const valid = valid_.empty() ? 1.0f : valid_[static_cast<std::size_t>(i)];
        out.model[pixel] = valid * intensity[i] / area;
    }
    PixelSums const sums = kernel_.weigh_sum(intensity, side * side, pixels);
    for (index i = 0; i < side * side; ++i)
        out.background[static_cast<std::size_t>(fft::natural_place(side, i))] = area * intensity[i];
    for (index k = 0; k < room.modes; ++k) kernel_.from_detector(roots_, room.tile(k), intensity);
    return sums;
}

PixelSums FastPath::weigh(State<float> const& state, index j, Wanted wanted, Room& room,
                          Gradients<float>& out) const {
    if (!bins_.none()) return weigh_bins(state, j, wanted, room, out);
    Pixels const pixels = pixels_of(j, wanted);
    if (!state.background.empty()) return weigh_on_background(state, pixels, room, out);
    return weigh_modes(pixels, room);
}

Errors FastPath::errors_of(PixelSums const& sums, index j) const {
    auto const at = measured_.slot(j);
    return {.amplitude = sums.amplitude,
            .counts = measured_.sums[at],
            .model = sums.model,
            .difference = sums.difference,
            .squares = measured_.squares[at],
            .loss = sums.loss};
}

Pixels FastPath::pixels_of(index j, Wanted wanted) const {
    float const* const valid = valid_.empty() ? nullptr : valid_.data();
    return with_pattern(measured_.patterns, j, [&](auto const* first) {
        return Pixels{first, valid, model_.likelihood, wanted.slopes,
                      static_cast<float>(model_.count)};
    });
}

}  // namespace sluice::ptycho
