// The fast step: a thread takes a pattern through the kernels, mode by mode.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/step/fast_step.h"

#include "device/per_isa.h"
#include "device/workers.h"
#include "domain/ptychography/overlap.h"
#include "domain/ptychography/row_loops.h"
#include "domain/ptychography/step/fast_kernels.h"
#include "domain/ptychography/step/moves.h"
#include "domain/ptychography/step/turns.h"

namespace sluice::ptycho {

SLUICE_PER_ISA(FastKernels, fast_kernels)

namespace {

FastKernel const* kernel_of(index side, Isa isa) {
    for (FastKernel const& kernel : fast_kernels(isa).of)
        if (kernel.side == side) return &kernel;
    return nullptr;
}

// Patterns take turns with so many sums, so that threads rarely wait for each other.
constexpr index lanes = 2;
constexpr index rows_at_once = 16;  // that a pattern adds before others may go on

// A thread's memory. Planars begin at cache lines and have no gaps where sides are multiples of 16.
struct Room {
    Planar<float> tiles;   ///< [mode]
    Planar<float> moved;   ///< the pattern's own probe where it stood, [mode] windows
    Planar<float> varied;  ///< a spectrum of the pattern's own probe
    Planar<float> of_object, of_probe;
    Planar<float> spectra, intensity;
    std::vector<float> factors;

    Room(index modes, FastKernel const& kernel)
        : tiles(modes, kernel.tile_floats / 2),
          moved(modes * kernel.side, kernel.side),
          varied(1, kernel.side * kernel.side),
          of_object(kernel.side, kernel.side),
          of_probe(kernel.side, kernel.side),
          spectra(1, kernel.side * kernel.side),
          intensity(1, kernel.side * kernel.side),
          factors(static_cast<std::size_t>(4 * kernel.side)) {}

    float* tile(index k) { return tiles.re(k); }
};

class FastStep final : public Step<float> {
  public:
    FastStep(Model const& model, Measured const& measured, FastKernel const& kernel,
             std::unique_ptr<Step<float>> plain, Isa isa)
        : model_(model),
          measured_(measured),
          kernel_(kernel),
          roots_(fft::roots_of_square(model.window)),
          plain_(std::move(plain)),
          isa_(isa) {
        index const side = model.window;
        unmoved_.assign(static_cast<std::size_t>(2 * side), 1);
        unmoved_.resize(static_cast<std::size_t>(4 * side), 0);
        auto const& bad = measured.patterns.bad;
        if (bad.empty()) return;
        for (index i = 0; i < side * side; ++i)
            valid_.push_back(bad[static_cast<std::size_t>(fft::natural_place(side, i))] ? 0.0f
                                                                                        : 1.0f);
    }

    void gradients(State<float> const& state, std::span<index const> group, Wanted wanted,
                   std::span<Gradients<float>> out, int threads) const override {
        if (!state.descan.empty() || wanted.noise || (state.varies() && !state.background.empty()))
            return plain_->gradients(state, group, wanted, out, threads);
        open_rooms(std::ssize(state.probe), threads);
        Spectra const spectra = model_.sub_pixel ? spectra_of(state, threads) : Spectra{};
        parallel_for(std::ssize(group), threads, 1, [&](index i, int worker) {
            auto const at = static_cast<std::size_t>(i);
            one(state, group[at], spectra, wanted, room_of(worker), out[at]);
        });
    }

    void add_gradients(State<float> const& state, std::span<index const> group, Wanted wanted,
                       std::span<Gradients<float>> out, Sums<float>& sums,
                       int threads) const override {
        if (!state.descan.empty() || state.varies() || wanted.noise)
            return plain_->add_gradients(state, group, wanted, out, sums, threads);
        index const side = model_.window, modes = std::ssize(state.probe);
        std::vector<Place> places;
        for (index j : group) places.push_back(place_of_pattern(state, j));
        // Whole pixels take no transforms of the probe.
        bool const parts = model_.sub_pixel &&
                           (wanted.position || std::any_of(places.begin(), places.end(), is_moved));
        open_rooms(modes, threads);
        Spectra const spectra = parts ? spectra_of(state, threads) : Spectra{};
        // Of the probe in each lane: windows, or spectra where positions are parts of a pixel.
        std::vector<Planar<float>> of_probe;
        for (index i = 0; i < lanes * modes; ++i)
            of_probe.push_back(parts ? Planar<float>(1, side * side) : Planar<float>(side, side));
        std::vector<Place> of_second;
        for (std::size_t i = 1; i < places.size(); i += lanes) of_second.push_back(places[i]);
        Turns turns(std::move(places), side, lanes);
        Planar<float>& object_sum = sums.object.front();
        if (second_.rows() != object_sum.rows() || second_.cols() != object_sum.cols())
            second_ = Planar<float>(object_sum.rows(), object_sum.cols());
        parallel_for(std::ssize(group), threads, 1, [&](index i, int worker) {
            Room& room = room_of(worker);
            auto const at = static_cast<std::size_t>(i);
            Gradients<float>& mine = out[at];
            enter_and_weigh(state, group[at], turns.place(i), spectra, room, mine);
            mine.position = {};
            for (index k = 0; k < modes; ++k)
                leave_in_turn(state, i, k, turns, parts, spectra, wanted, room,
                              i % lanes == 0 ? object_sum : second_,
                              of_probe[static_cast<std::size_t>(i % lanes * modes + k)], mine);
            turns.pass(i, turns.all_done());
        });
        auto const& loops = row_loops<float>(isa_);
        each_canvas_row<float>(
            of_second, side, {second_.rows(), second_.cols()}, 0, threads,
            [](index, index, float* const*) {},
            [&](index y, index first, index last, float* const*) {
                loops.take_scaled(second_.re(y) + first, 1, last - first, object_sum.re(y) + first);
                loops.take_scaled(second_.im(y) + first, 1, last - first, object_sum.im(y) + first);
            });
        for (index k = 0; k < modes; ++k) {
            Planar<float>& sum = of_probe[static_cast<std::size_t>(k)];
            for (index lane = 1; lane < lanes; ++lane) {
                Planar<float> const& other = of_probe[static_cast<std::size_t>(lane * modes + k)];
                for (index i = 0; i < sum.size(); ++i) sum.re(0)[i] += other.re(0)[i];
            }
            Planar<float>& to = sums.probe[static_cast<std::size_t>(k)];
            if (parts)
                kernel_.moved(roots_, room_of(0).tile(0), sum.re(0), unmoved_.data(), to.re(0));
            else
                std::swap(to, sum);
        }
    }

    void project(State<float> const& state, std::span<index const> group,
                 Projection const& projection, std::span<Planar<float>> waves,
                 std::span<Errors> errors, int threads) const override {
        plain_->project(state, group, projection, waves, errors, threads);
    }

    void lines(State<float> const& state, State<float> const& way, std::span<index const> group,
               std::span<Line> out, int threads) const override {
        plain_->lines(state, way, group, out, threads);
    }

    Model const& model() const override { return model_; }

    void set_slices(double, std::array<double, 2>) override {}  // there is one

  private:
    // Calls follow each other, so that they share their threads' memory.
    void open_rooms(index modes, int threads) const {
        if (rooms_modes_ != modes) rooms_.clear();
        rooms_modes_ = modes;
        rooms_.resize(std::max(rooms_.size(), static_cast<std::size_t>(std::max(threads, 1))));
    }
    Room& room_of(int worker) const {
        auto& room = rooms_[static_cast<std::size_t>(worker)];
        if (!room) room = std::make_unique<Room>(rooms_modes_, kernel_);
        return *room;
    }

    // Of each mode and of what is added to the first, in the order of the passes.
    using Spectra = std::vector<Planar<float>>;

    Spectra spectra_of(State<float> const& state, int threads) const {
        index const side = model_.window;
        std::size_t const modes = state.probe.size();
        Spectra spectra(modes + state.opr_modes.size());
        parallel_for(std::ssize(spectra), threads, 1, [&](index k, int worker) {
            auto const at = static_cast<std::size_t>(k);
            spectra[at] = Planar<float>(1, side * side);
            kernel_.spectrum(roots_, room_of(worker).tile(0),
                             window(at < modes ? state.probe[at] : state.opr_modes[at - modes]),
                             spectra[at].re(0));
        });
        return spectra;
    }

    static Window window(Planar<float> const& plane, index row = 0, index col = 0) {
        return {plane.re(row) + col, plane.half()};
    }

    Place place_of_pattern(State<float> const& state, index j) const {
        return place_of(state.positions[static_cast<std::size_t>(j)], model_.sub_pixel);
    }

    static bool is_moved(Place const& place) { return place.row_part != 0 || place.col_part != 0; }

    // The probe of a mode where the pattern was taken.
    Window probe_at(State<float> const& state, Place const& place, index k, Room& room) const {
        return is_moved(place) || state.varies() ? window(room.moved, k * model_.window)
                                                 : window(state.probe[static_cast<std::size_t>(k)]);
    }

    // The pattern's own probe of mode k: sums of planes or of spectra, [mode] and then what is
    // added to the first.
    template <class PlaneOf>
    static void vary(State<float> const& state, index j, index k, PlaneOf const& plane_of,
                     index numbers, float* to) {
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

    float const* spectrum_of(State<float> const& state, index j, index k, Spectra const& spectra,
                             Room& room) const {
        auto const plane_of = [&](index i) { return spectra[static_cast<std::size_t>(i)].re(0); };
        if (!state.varies()) return plane_of(k);
        vary(state, j, k, plane_of, room.varied.size(), room.varied.re(0));
        return room.varied.re(0);
    }

    // To the detector, and what is wrong there into the tiles.
    void enter_and_weigh(State<float> const& state, index j, Place const& place,
                         Spectra const& spectra, Room& room, Gradients<float>& out) const {
        index const modes = std::ssize(state.probe);
        Window const object = window(state.object.front(), place.row, place.col);
        if (is_moved(place)) set_factors(model_.window, place, 1, room.factors);
        out.object_peak = 0;
        for (index k = 0; k < modes; ++k) {
            float* const own = room.moved.re(k * model_.window);
            if (is_moved(place))
                kernel_.moved(roots_, room.tile(k), spectrum_of(state, j, k, spectra, room),
                              room.factors.data(), own);
            else if (state.varies())
                vary(
                    state, j, k,
                    [&](index i) {
                        auto const at = static_cast<std::size_t>(i);
                        std::size_t const first = state.probe.size();
                        return (at < first ? state.probe[at] : state.opr_modes[at - first]).re(0);
                    },
                    state.probe.front().size(), own);
            float const peak =
                kernel_.enter(roots_, room.tile(k), object, probe_at(state, place, k, room));
            out.object_peak = std::max(out.object_peak, static_cast<double>(peak));
        }
        out.errors = state.background.empty() ? weigh(j, modes, room)
                                              : weigh_on_background(state, j, room, out);
    }

    // The gradients of mode k, added to what all patterns share, when it is pattern i's turn.
    void leave_in_turn(State<float> const& state, index i, index k, Turns& turns, bool parts,
                       Spectra const& spectra, Wanted wanted, Room& room, Planar<float>& of_object,
                       Planar<float>& of_probe, Gradients<float>& out) const {
        index const side = model_.window, modes = std::ssize(state.probe);
        Place const& place = turns.place(i);
        bool const last_mode = k + 1 == modes;
        float* const own = room.of_object.re(0);
        Leaving const to{.object = window(state.object.front(), place.row, place.col),
                         .probe = probe_at(state, place, k, room),
                         .before = k > 0 ? own : nullptr,
                         .of_object = last_mode ? of_object.re(place.row) + place.col : own,
                         .object_half = last_mode ? of_object.half() : side,
                         .add_object = last_mode,
                         .of_probe = parts ? room.of_probe.re(0) : of_probe.re(0),
                         .add_probe = !parts && i >= lanes};
        for (index row = 0; row < side; row += rows_at_once) {
            index const end = row + rows_at_once;
            if (last_mode) turns.wait_for_canvas(i, end);
            // Of modes before the last, the lane's turn comes when that pattern is all done.
            if (!parts) turns.wait_for(i - lanes, last_mode ? end : turns.all_done());
            kernel_.leave(roots_, room.tile(k), to, row, end);
            if (last_mode) turns.pass(i, end);
        }
        if (!parts) return;
        float* const g = room.spectra.re(0);
        kernel_.spectrum(roots_, room.tile(k), window(room.of_probe), g);
        set_factors(model_.window, place, -1, room.factors);
        if (wanted.position)
            add_position(model_.window, spectra[static_cast<std::size_t>(k)].re(0), g, room.factors,
                         out.position);
        turns.wait_for(i - lanes, turns.all_done());
        kernel_.add_turned(g, room.factors.data(), of_probe.re(0));
    }

    void one(State<float> const& state, index j, Spectra const& spectra, Wanted wanted, Room& room,
             Gradients<float>& out) const {
        index const side = model_.window, modes = std::ssize(state.probe);
        Place const place = place_of_pattern(state, j);
        enter_and_weigh(state, j, place, spectra, room, out);
        if (wanted.errors_only) return;
        float* const of_object = out.object.front().re(0);
        for (index k = 0; k < modes; ++k)
            kernel_.leave(roots_, room.tile(k),
                          {.object = window(state.object.front(), place.row, place.col),
                           .probe = probe_at(state, place, k, room),
                           .before = k > 0 ? of_object : nullptr,
                           .of_object = of_object,
                           .object_half = side,
                           .add_object = false,
                           .of_probe = out.probe[static_cast<std::size_t>(k)].re(0),
                           .add_probe = false},
                          0, side);
        out.position = {};
        if (!model_.sub_pixel) return;
        for (index k = 0; k < modes; ++k)
            back(place, is_moved(place), spectrum_of(state, j, k, spectra, room), wanted, room,
                 out.probe[static_cast<std::size_t>(k)], out.position);
    }

    Errors weigh(index j, index modes, Room& room) const {
        Pixels const pixels = pixels_of(j);
        float* const intensity = room.intensity.re(0);
        PixelSums sums;
        if (modes == 1) {
            sums = kernel_.weigh(roots_, room.tile(0), pixels);
        } else {
            for (index k = 0; k < modes; ++k)
                kernel_.to_detector(roots_, room.tile(k), k == 0, intensity);
            sums = kernel_.weigh_sum(intensity, pixels);
            for (index k = 0; k < modes; ++k)
                kernel_.from_detector(roots_, room.tile(k), intensity);
        }
        return errors_of(sums, j);
    }

    // The intensity of all modes goes through memory, and the background is added to it there.
    Errors weigh_on_background(State<float> const& state, index j, Room& room,
                               Gradients<float>& out) const {
        index const side = model_.window, modes = std::ssize(state.probe);
        auto const area = static_cast<float>(side * side);
        float* const intensity = room.intensity.re(0);
        for (index k = 0; k < modes; ++k)
            kernel_.to_detector(roots_, room.tile(k), k == 0, intensity);
        for (index i = 0; i < side * side; ++i) {
            auto const pixel = static_cast<std::size_t>(fft::natural_place(side, i));
            // Kernels do not scale their transforms.
            intensity[i] += area * state.background[pixel];
            float const valid = valid_.empty() ? 1.0f : valid_[static_cast<std::size_t>(i)];
            out.model[pixel] = valid * intensity[i] / area;
        }
        PixelSums const sums = kernel_.weigh_sum(intensity, pixels_of(j));
        for (index i = 0; i < side * side; ++i)
            out.background[static_cast<std::size_t>(fft::natural_place(side, i))] =
                area * intensity[i];
        for (index k = 0; k < modes; ++k) kernel_.from_detector(roots_, room.tile(k), intensity);
        return errors_of(sums, j);
    }

    Errors errors_of(PixelSums const& sums, index j) const {
        auto const at = measured_.slot(j);
        return {.amplitude = sums.amplitude,
                .counts = measured_.sums[at],
                .model = sums.model,
                .difference = sums.difference,
                .squares = measured_.squares[at],
                .loss = sums.loss};
    }

    Pixels pixels_of(index j) const {
        float const* const valid = valid_.empty() ? nullptr : valid_.data();
        return with_pattern(measured_.patterns, j, [&](auto const* first) {
            return Pixels{first, valid, model_.likelihood};
        });
    }

    // The probe's gradient from where the probe stood to the middle of pixels, and what it says of
    // the position.
    void back(Place const& place, bool moves, float const* spectrum, Wanted wanted, Room& room,
              Planar<float>& gradient, std::array<double, 2>& position) const {
        if (!moves && !wanted.position) return;
        float* const g = room.spectra.re(0);
        kernel_.spectrum(roots_, room.tile(0), window(gradient), g);
        set_factors(model_.window, place, -1, room.factors);
        if (wanted.position) add_position(model_.window, spectrum, g, room.factors, position);
        if (moves) kernel_.moved(roots_, room.tile(0), g, room.factors.data(), gradient.re(0));
    }

    Model model_;
    Measured const& measured_;
    FastKernel const& kernel_;
    fft::Roots const& roots_;
    std::unique_ptr<Step<float>> plain_;
    std::vector<float> valid_;
    std::vector<float> unmoved_;  ///< factors of 1
    Isa isa_;
    /// The second lane's sum of the object's gradients; zeros between the calls, which follow each
    /// other.
    mutable Planar<float> second_;
    mutable std::vector<std::unique_ptr<Room>> rooms_ = {};  ///< of each thread
    mutable index rooms_modes_ = 0;
};

}  // namespace

bool has_fast_step(index side) {
    return std::find(std::begin(fft::square_sides), std::end(fft::square_sides), side) !=
           std::end(fft::square_sides);
}

bool is_fast(Model const& model) {
    return has_fast_step(model.window) && model.plain_detector() && model.slices == 1 &&
           !model.near();
}

Result<std::unique_ptr<Step<float>>> make_fast_step(Model const& model, Measured const& measured,
                                                    Isa isa) {
    SLUICE_TRY(auto plain, make_plain_step<float>(model, measured));
    expects(is_fast(model) && measured.in_order_of_passes);
    return std::unique_ptr<Step<float>>(std::make_unique<FastStep>(
        model, measured, *kernel_of(model.window, isa), std::move(plain), isa));
}

}  // namespace sluice::ptycho
