// The fast step: a thread takes a pattern through the kernels, slice by slice and mode by mode.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/step/fast_step.h"

#include "device/workers.h"
#include "domain/ptychography/row_loops.h"
#include "domain/ptychography/step/fast_path.h"
#include "domain/ptychography/step/thread_lanes.h"
#include "domain/ptychography/step/turns.h"

namespace sluice::ptycho {

namespace {

constexpr index rows_at_once = 16;  // that a pattern adds before others may go on

class FastStep final : public PatternStep<float> {
  public:
    FastStep(Model const& model, Measured const& measured,
             std::unique_ptr<PatternStep<float>> plain, Isa isa)
        : path_(model, measured, isa), plain_(std::move(plain)), isa_(isa) {
        auto const side = static_cast<std::size_t>(model.window);
        unmoved_.assign(2 * side, 1);
        unmoved_.resize(4 * side, 0);
    }

    void gradients(State<float> const& state, std::span<index const> group, Wanted wanted,
                   std::span<Gradients<float>> out, int threads) const override {
        if (wanted.noise || (state.varies() && !state.background.empty()))
            return plain_->gradients(state, group, wanted, out, threads);
        open_rooms(std::ssize(state.probe), threads);
        Spectra const spectra = model().sub_pixel ? spectra_of(state, threads) : Spectra{};
        parallel_for(std::ssize(group), threads, 1, [&](index i, int worker) {
            auto const at = static_cast<std::size_t>(i);
            one(state, group[at], spectra, wanted, room_of(worker), out[at]);
        });
    }

    void add_gradients(State<float> const& state, std::span<index const> group, Wanted wanted,
                       std::span<Gradients<float>> out, Sums<float>& sums,
                       int threads) const override {
        if (state.varies() || wanted.noise)
            return plain_->add_gradients(state, group, wanted, out, sums, threads);
        std::vector<WindowPlace> places;
        for (index j : group) places.push_back(path_.place_of_pattern(state, j));
        // Whole pixels take no transforms of the probe.
        bool const parts = model().sub_pixel &&
                           (wanted.position || std::any_of(places.begin(), places.end(), is_moved));
        open_rooms(std::ssize(state.probe), threads);
        open_second(sums);
        Spectra const spectra = parts ? spectra_of(state, threads) : Spectra{};
        Spectra& of_probe = room_for_probe(std::ssize(state.probe), parts, std::ssize(group));
        ThreadLanes const lanes = deal(places, model().window);
        Turns turns(lanes.places, model().window, model().slices, ThreadLanes::count);
        Shared const shared{state, spectra, wanted, parts, lanes, turns};
        in_lanes(std::ssize(group), threads, [&](index i, int worker) {
            auto const at = static_cast<std::size_t>(lanes.order[static_cast<std::size_t>(i)]);
            path_.enter_and_weigh(state, group[at], turns.place(i), spectra, wanted,
                                  room_of(worker), out[at]);
            for (index s = model().slices; s-- > 0;)
                for (index k = 0; k < std::ssize(state.probe); ++k)
                    leave_in_turn(shared, i, s, k, room_of(worker),
                                  sums.object[static_cast<std::size_t>(s)],
                                  of_probe[static_cast<std::size_t>(ThreadLanes::lane(i)) *
                                               state.probe.size() +
                                           static_cast<std::size_t>(k)],
                                  out[at]);
            turns.pass_all(i);
        });
        add_second(lanes, of_probe, sums, threads);
        take_probes(of_probe, parts, sums);
    }

    void project(State<float> const& state, std::span<index const> group,
                 Projection const& projection, std::span<Planar<float>> waves,
                 std::span<Errors> errors, int threads) const override {
        if (!model().plain_detector())
            return plain_->project(state, group, projection, waves, errors, threads);
        open_rooms(std::ssize(state.probe), threads);
        Spectra const spectra = model().sub_pixel ? spectra_of(state, threads) : Spectra{};
        std::size_t const modes = state.probe.size();
        parallel_for(std::ssize(group), threads, 1, [&](index i, int worker) {
            auto const at = static_cast<std::size_t>(i);
            errors[at] = path_.project(state, group[at], spectra, projection, room_of(worker),
                                       waves.subspan(at * modes, modes));
        });
    }

    void lines(State<float> const& state, State<float> const& way, std::span<index const> group,
               std::span<Line> out, int threads) const override {
        if (state.varies() || way.varies() || !model().plain_detector())
            return plain_->lines(state, way, group, out, threads);
        open_rooms(std::ssize(state.probe), threads);
        Spectra const spectra = model().sub_pixel ? spectra_of(state, threads) : Spectra{};
        Spectra const way_spectra = model().sub_pixel ? spectra_of(way, threads) : Spectra{};
        Ends const ends{state, way, spectra, way_spectra};
        line_rooms_.resize(std::max(line_rooms_.size(), rooms_.size()));
        parallel_for(std::ssize(group), threads, 1, [&](index i, int worker) {
            auto const at = static_cast<std::size_t>(i);
            auto& room = line_rooms_[static_cast<std::size_t>(worker)];
            if (!room) room = std::make_unique<LineRoom>(path_.make_line_room());
            out[at] = path_.line(ends, group[at], *room);
        });
    }

    void spread(Planar<float>& wave) const override { plain_->spread(wave); }

    Model const& model() const override { return path_.model(); }

    void set_slices(double slice_nm, std::array<double, 2> tilt_rad) override {
        Model const& now = model();
        if (slice_nm == now.slice_nm && tilt_rad == now.tilt_rad) return;
        path_.set_slices(slice_nm, tilt_rad);
        plain_->set_slices(slice_nm, tilt_rad);
    }

  private:
    using Spectra = FastPath::Spectra;

    // work(pattern, thread) for the patterns of a group. As many threads as lanes keep to one each:
    // so its sums stay in the caches of one processor.
    template <class Work>
    static void in_lanes(index patterns, int threads, Work const& work) {
        if (threads != ThreadLanes::count) return parallel_for(patterns, threads, 1, work);
        parallel_from_ends(ThreadLanes::count, threads, [&](index lane, int worker) {
            for (index i = lane; i < patterns; i += ThreadLanes::count) work(i, worker);
        });
    }

    // What the patterns of a group share.
    struct Shared {
        State<float> const& state;
        Spectra const& spectra;
        Wanted wanted;
        bool parts;  ///< of pixels: gradients of the probe are spectra
        ThreadLanes const& lanes;
        Turns& turns;
    };

    // Calls follow each other, so that they share their threads' memory.
    void open_rooms(index modes, int threads) const {
        if (rooms_modes_ != modes) rooms_.clear();
        rooms_modes_ = modes;
        rooms_.resize(std::max(rooms_.size(), static_cast<std::size_t>(std::max(threads, 1))));
    }
    Room& room_of(int worker) const {
        auto& room = rooms_[static_cast<std::size_t>(worker)];
        if (!room) room = std::make_unique<Room>(path_.make_room(rooms_modes_));
        return *room;
    }
    void open_second(Sums<float> const& sums) const {
        second_.resize(sums.object.size());
        for (std::size_t s = 0; s < second_.size(); ++s)
            if (second_[s].rows() != sums.object[s].rows() ||
                second_[s].cols() != sums.object[s].cols())
                second_[s] = Planar<float>(sums.object[s].rows(), sums.object[s].cols());
    }
    // Of the probe in each lane: windows, which a lane's first pattern fills, or spectra where
    // positions are parts of a pixel.
    Spectra& room_for_probe(index modes, bool parts, index patterns) const {
        index const side = model().window;
        bool const filled = !parts && patterns >= ThreadLanes::count;
        if (!filled || std::ssize(of_probe_) != ThreadLanes::count * modes ||
            of_probe_.front().rows() != side) {
            of_probe_.clear();
            for (index i = 0; i < ThreadLanes::count * modes; ++i)
                of_probe_.push_back(parts ? Planar<float>(1, side * side)
                                          : Planar<float>(side, side));
        }
        return of_probe_;
    }

    // Of each mode and of what is added to the first, in the order of the passes.
    Spectra spectra_of(State<float> const& state, int threads) const {
        Spectra spectra(state.probe.size() + state.opr_modes.size());
        parallel_for(std::ssize(spectra), threads, 1, [&](index k, int worker) {
            spectra[static_cast<std::size_t>(k)] = path_.spectrum_of(state, k, room_of(worker));
        });
        return spectra;
    }

    // The gradients of a slice and mode k, added to what all patterns share, when it is pattern
    // i's turn.
    void leave_in_turn(Shared const& shared, index i, index slice, index k, Room& room,
                       Planar<float>& of_object, Planar<float>& of_probe,
                       Gradients<float>& out) const {
        Turns& turns = shared.turns;
        WindowPlace const& place = turns.place(i);
        index const part = model().slices - 1 - slice;
        bool const last_mode = k + 1 == room.modes, whole = slice == 0 && !shared.parts;
        float* const own = room.of_object.re(0);
        Leaving to = path_.leaving(shared.state, place, slice, k, shared.wanted, room, out);
        to.before = k > 0 ? own : nullptr;
        to.of_object = own;
        to.object_half = last_mode ? of_object.half() : room.side;
        to.add_object = last_mode;
        to.of_probe = whole ? of_probe.re(0) : room.of_probe.re(0);
        to.add_probe = whole && i >= ThreadLanes::count;
        for (index row = 0; row < room.side; row += rows_at_once) {
            index const end = row + rows_at_once;
            if (last_mode) {
                turns.wait_for_canvas(i, part, end);
                Planar<float>& canvas = sum_of(shared.lanes, i, slice, row, of_object);
                to.of_object = canvas.re(place.row) + place.col;
            }
            // Of modes before the last, the lane's turn comes when that pattern is all done.
            if (whole && last_mode) turns.wait_for(i - ThreadLanes::count, part, end);
            if (whole && !last_mode) turns.wait_for_all(i - ThreadLanes::count);
            path_.leave(slice, k, to, row, end, room);
            if (last_mode) turns.pass(i, part, end);
        }
        if (slice > 0) return path_.go_back(slice, k, shared.wanted, room, out);
        if (!shared.parts) return;
        path_.turn_back(place, shared.spectra[static_cast<std::size_t>(k)].re(0), k,
                        window(room.of_probe), shared.wanted, room, out.position);
        turns.wait_for_all(i - ThreadLanes::count);
        path_.add_turned(room.spectra.re(0), room.factors.data(), of_probe.re(0));
    }

    // Where a pattern adds rows from `row` on of its window: rows that the first lane has, too,
    // have a sum for each lane.
    Planar<float>& sum_of(ThreadLanes const& lanes, index i, index slice, index row,
                          Planar<float>& first) const {
        bool const shared = lanes.places[static_cast<std::size_t>(i)].row + row < lanes.above;
        return ThreadLanes::lane(i) > 0 && shared ? second_[static_cast<std::size_t>(slice)]
                                                  : first;
    }

    // Adds the second lane's sums to the first's; that of the object becomes zeros.
    void add_second(ThreadLanes const& lanes, Spectra& of_probe, Sums<float>& sums,
                    int threads) const {
        auto const& loops = row_loops<float>(isa_);
        constexpr index band = 8, pieces = 8;
        index const last = std::min(lanes.above + rows_at_once, sums.object.front().rows());
        index const bands = (std::max<index>(last - lanes.below, 0) + band - 1) / band;
        std::size_t const modes = sums.probe.size();
        parallel_from_ends(bands + pieces, threads, [&](index task, int) {
            index const piece = task - bands;
            for (std::size_t k = 0; piece >= 0 && k < modes; ++k) {
                Planar<float>& sum = of_probe[k];
                index const begin = piece * sum.size() / pieces;
                loops.add(of_probe[modes + k].re(0) + begin,
                          (piece + 1) * sum.size() / pieces - begin, sum.re(0) + begin);
            }
            index const width = lanes.right - lanes.left;
            for (std::size_t s = 0; piece < 0 && s < second_.size(); ++s)
                for (index y = lanes.below + task * band;
                     y < std::min(lanes.below + (task + 1) * band, last); ++y) {
                    Planar<float>&from = second_[s], &to = sums.object[s];
                    loops.take_scaled(from.re(y) + lanes.left, 1, width, to.re(y) + lanes.left);
                    loops.take_scaled(from.im(y) + lanes.left, 1, width, to.im(y) + lanes.left);
                }
        });
    }
    void take_probes(Spectra& of_probe, bool parts, Sums<float>& sums) const {
        for (std::size_t k = 0; k < sums.probe.size(); ++k)
            if (parts)
                path_.move(of_probe[k].re(0), unmoved_.data(), 0, room_of(0), sums.probe[k].re(0));
            else
                std::swap(sums.probe[k], of_probe[k]);
    }

    void one(State<float> const& state, index j, Spectra const& spectra, Wanted wanted, Room& room,
             Gradients<float>& out) const {
        WindowPlace const place = path_.place_of_pattern(state, j);
        path_.enter_and_weigh(state, j, place, spectra, wanted, room, out);
        if (wanted.errors_only) return;
        for (index s = model().slices; s-- > 0;)
            for (index k = 0; k < room.modes; ++k) {
                Leaving to = path_.leaving(state, place, s, k, wanted, room, out);
                to.of_object = out.object[static_cast<std::size_t>(s)].re(0);
                to.object_half = room.side;
                to.before = k > 0 ? to.of_object : nullptr;
                to.of_probe = out.probe[static_cast<std::size_t>(k)].re(0);
                path_.leave(s, k, to, 0, room.side, room);
                if (s > 0) path_.go_back(s, k, wanted, room, out);
            }
        bool const moves = is_moved(place);
        if (!model().sub_pixel || (!moves && !wanted.position)) return;
        for (index k = 0; k < room.modes; ++k) {
            Planar<float>& gradient = out.probe[static_cast<std::size_t>(k)];
            path_.turn_back(place, path_.own_spectrum(state, j, k, spectra, room), 0,
                            window(gradient), wanted, room, out.position);
            if (moves) path_.move(room.spectra.re(0), room.factors.data(), 0, room, gradient.re(0));
        }
    }

    FastPath path_;
    std::unique_ptr<PatternStep<float>> plain_;
    std::vector<float> unmoved_;  ///< factors of 1
    Isa isa_;
    /// [slice], the second lane's sums of the object's gradients; zeros between the calls, which
    /// follow each other.
    mutable std::vector<Planar<float>> second_;
    mutable Spectra of_probe_ = {};
    mutable std::vector<std::unique_ptr<Room>> rooms_ = {};  ///< of each thread
    mutable std::vector<std::unique_ptr<LineRoom>> line_rooms_ = {};
    mutable index rooms_modes_ = 0;
};

}  // namespace

bool has_fast_step(index side) {
    return std::find(std::begin(fft::square_sides), std::end(fft::square_sides), side) !=
           std::end(fft::square_sides);
}

bool is_fast(Model const& model) {
    return has_fast_step(model.window) && model.blur == 0 && !model.near();
}

Result<std::unique_ptr<PatternStep<float>>> make_fast_step(Model const& model,
                                                           Measured const& measured, Isa isa) {
    SLUICE_TRY(auto plain, make_plain_step<float>(model, measured));
    expects(is_fast(model) && measured.in_order_of_passes == model.plain_detector());
    return std::unique_ptr<PatternStep<float>>(
        std::make_unique<FastStep>(model, measured, std::move(plain), isa));
}

}  // namespace sluice::ptycho
