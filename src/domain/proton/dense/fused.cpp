// All operators of a dense step in one pass over the state, in place.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/run.h"
#include "device/workers.h"
#include "domain/proton/dense/engine.h"
#include "domain/proton/dense/kernels.h"
#include "domain/proton/dense/large.h"
#include "domain/proton/dense/leaks.h"
#include "domain/proton/scale.h"

namespace sluice::proton::dense {
namespace {

// The planes of z of an energy and an angle that are not empty.
struct Box {
    int low = 0, high = 0;
    bool empty() const { return low >= high; }
};

Box both(Box a, Box b) {
    if (a.empty()) return b;
    if (b.empty()) return a;
    return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

// One plane of an energy and an angle, wherever it is.
template <class Real>
struct Sheet {
    Real const* values;
    Box box;
};

// What a thread needs beside the state.
template <class Real>
struct Room {
    Large<Real> below;   ///< the last angle's plane as it was
    Large<Real> padded;  ///< the scattered plane with empty places around
    Large<Real> landed;
    Large<Real> flown, inside;  ///< [column]: sums of what is scattered, and of what lands
    Box written;                ///< of `padded`
};

template <class Real>
class Fused : public Engine {
  public:
    Fused(Tables const& tables, DenseOptions const& options)
        : t_(tables),
          o_(options),
          kernels_(choose(options.device.isa())),
          plane_(tables.plane()),
          chunks_(std::clamp<index>(options.device.threads(), 1, tables.angles / 2)) {
        for (index i = 0; i < t_.energies; ++i)
            for (index j = 0; j < t_.angles; ++j) {
                Landing const l = landing(t_, i, j, 1);
                double const most = std::max(std::abs(l.z), std::abs(l.x));
                pad_ = std::max(pad_, static_cast<index>(most) + 2);
            }
        // A plane's lines begin on lines of the cache, and what is before them is the end of
        // others.
        index const apart = 64 / static_cast<index>(sizeof(Real));
        margin_ = (pad_ + apart - 1) / apart * apart;
        line_ = (t_.columns + 2 * pad_ + apart - 1) / apart * apart;
        state_.resize(size(t_.cells()));
        boxes_.resize(size(t_.energies * t_.angles));
        edges_.resize(size(2 * chunks_ * t_.energies * plane_));
        edge_boxes_.resize(size(2 * chunks_ * t_.energies));
        nothing_.resize(size(plane_));
        deposit_.resize(size(t_.angles * plane_));
        deposits_.resize(size(t_.angles * plane_));
        if (o_.nuclear) {
            reacted_.resize(size(t_.angles * plane_));
            nuclear_.resize(size(plane_));
        }
        written_.resize(size(t_.angles));
        tallies_.resize(size(t_.angles));
        out_of_window_.resize(size(t_.energies));
        rooms_.resize(size(chunks_));
        for (Room<Real>& r : rooms_) {
            r.below.resize(size(plane_));
            r.padded.resize(size(margin_ + (t_.planes + 2 * pad_) * line_));
            r.landed.resize(size(plane_));
            r.flown.resize(size(t_.columns));
            r.inside.resize(size(t_.columns));
        }
        for (double const v : t_.scattering) scattering_.push_back(static_cast<Real>(v));
        if (!t_.map.empty())
            for (std::size_t m = 0; m < t_.materials.size(); ++m)
                for (std::uint16_t const at : t_.map) masks_.push_back(Real(at == m ? 1 : 0));
    }

    Status step(StepKind const& kind, Tally& tally, Run& asked) override {
        kind_ = kind;
        for (Tally& one : tallies_) one = {};
        std::fill(out_of_window_.begin(), out_of_window_.end(), Share());
        spread_ahead(asked);
        save_edges();
        parallel_for(chunks_, static_cast<int>(chunks_), 1,
                     [&](index c, int) { one_chunk(c, rooms_[size(c)], asked); });
        SLUICE_CHECK(asked.check());
        for (Tally const& one : tallies_) tally.add(one);
        for (Share const& s : out_of_window_) tally.angles += s;
        // In the order of the angles, whatever thread had them.
        for (index j = 0; j < t_.angles && o_.nuclear; ++j)
            for (index n = written_[size(j)].low * t_.columns;
                 n < written_[size(j)].high * t_.columns; ++n)
                nuclear_[size(n)] +=
                    static_cast<double>(reacted_[size(j * plane_ + n)]) / scale<Real>;
        return {};
    }

    Result<std::vector<double>> state() const override {
        std::vector<double> out(state_.size());
        for (std::size_t n = 0; n < out.size(); ++n)
            out[n] = static_cast<double>(state_[n]) / scale<Real>;
        return out;
    }

    Status set_state(std::vector<double> const& psi) override {
        std::fill(deposits_.begin(), deposits_.end(), 0.0);
        std::fill(nuclear_.begin(), nuclear_.end(), 0.0);
        for (std::size_t n = 0; n < psi.size(); ++n)
            state_[n] = static_cast<Real>(psi[n] * scale<Real>);
        for (index i = 0; i < t_.energies; ++i)
            for (index j = 0; j < t_.angles; ++j) {
                Box b{static_cast<int>(t_.planes), 0};
                for (index z = 0; z < t_.planes; ++z) {
                    Real const* const from = at(i, j) + z * t_.columns;
                    if (std::all_of(from, from + t_.columns, [](Real v) { return v == 0; }))
                        continue;
                    b.low = std::min(b.low, static_cast<int>(z));
                    b.high = static_cast<int>(z) + 1;
                }
                box(i, j) = b.empty() ? Box() : b;
            }
        return {};
    }

    Status put(index i, index j, std::vector<double> const& columns) override {
        for (std::size_t x = 0; x < columns.size(); ++x)
            at(i, j)[x] = static_cast<Real>(columns[x] * scale<Real>);
        box(i, j) = both(box(i, j), {0, 1});
        return {};
    }

    Result<Share> inside() const override {
        Share s;
        for (index i = 0; i < t_.energies; ++i) {
            Real const* const from = at(i, 0);
            double sum = 0;
            for (index n = 0; n < t_.angles * plane_; ++n) sum += static_cast<double>(from[n]);
            count(s, sum, energy(i));
        }
        return s;
    }

    Result<std::vector<double>> deposit() const override { return deposits_; }
    Result<std::vector<double>> nuclear() const override { return nuclear_; }

    std::size_t bytes() const override {
        std::size_t n = (state_.size() + edges_.size() + nothing_.size() + deposit_.size() +
                         reacted_.size() + scattering_.size() + masks_.size()) *
                            sizeof(Real) +
                        (deposits_.size() + nuclear_.size()) * sizeof(double) +
                        boxes_.size() * sizeof(Box) + tallies_.size() * sizeof(Tally);
        for (Room<Real> const& r : rooms_)
            n += (r.below.size() + r.padded.size() + r.landed.size() + r.flown.size() +
                  r.inside.size()) *
                 sizeof(Real);
        return n;
    }

  private:
    Tables const& t_;
    DenseOptions const& o_;
    Kernels<Real> const& kernels_;
    index plane_, chunks_, pad_ = 0, line_ = 0, margin_ = 0;
    Large<Real> state_;
    std::vector<Box> boxes_;       ///< [energy][angle]
    std::vector<Box> edge_boxes_;  ///< as `edges_`
    Large<Real> edges_;            ///< [chunk][before, behind][energy][plane]: as they were
    Large<Real> nothing_;
    Large<Real> deposit_, reacted_;           ///< of a step, [angle][plane]
    std::vector<double> deposits_, nuclear_;  ///< of all
    std::vector<Box> written_;                ///< of `deposit_`
    std::vector<Tally> tallies_;              ///< [angle]: so that threads do not matter
    std::vector<Share> out_of_window_;        ///< [energy]: likewise
    std::vector<Room<Real>> rooms_;
    std::vector<Real> scattering_, masks_;
    StepKind kind_;

    static std::size_t size(index n) { return static_cast<std::size_t>(n); }
    static Kernels<Real> const& choose(Isa isa) {
        if constexpr (sizeof(Real) == 4)
            return dense_f32(isa);
        else
            return dense_f64(isa);
    }
    Real* at(index i, index j) { return state_.data() + (i * t_.angles + j) * plane_; }
    Real const* at(index i, index j) const { return state_.data() + (i * t_.angles + j) * plane_; }
    Box& box(index i, index j) { return boxes_[size(i * t_.angles + j)]; }
    Real* edge(index chunk, int behind, index i) {
        return edges_.data() + ((chunk * 2 + behind) * t_.energies + i) * plane_;
    }
    Box& edge_box(index chunk, int behind, index i) {
        return edge_boxes_[size((chunk * 2 + behind) * t_.energies + i)];
    }
    index chunk_begin(index c) const { return c * t_.angles / chunks_; }
    double diffusion(index i) const {
        return t_.diffusion[size(i)] * kind_.scatter / t_.passes[size(i)];
    }
    double energy(index i) const { return t_.energy[size(i)]; }
    Real const* parts() const { return scattering_.empty() ? nullptr : scattering_.data(); }
    Real part(index i) const {
        return static_cast<Real>(diffusion(i) * (scattering_.empty() ? t_.alone : 1));
    }

    // The angle beside; of those beyond the window, an empty one.
    Sheet<Real> beside(index i, index j) {
        if (t_.ring) j = (j + t_.angles) % t_.angles;
        if (j < 0 || j >= t_.angles) return {nothing_.data(), {}};
        return {at(i, j), box(i, j)};
    }

    // What one pass of scattering brings out of the window.
    void leave_window(index i) {
        if (t_.ring) return;
        for (index const j : {index{0}, t_.angles - 1}) {
            Box const b = box(i, j);
            double lost = 0;
            for (index n = b.low * t_.columns; n < b.high * t_.columns; ++n)
                lost += static_cast<double>(at(i, j)[n]) *
                        static_cast<double>(parts() ? part(i) * parts()[n] : part(i));
            count(out_of_window_[size(i)], lost, energy(i));
        }
    }

    static void count(Share& share, double weight, double energy) {
        share.weight += weight / scale<Real>;
        share.energy += weight / scale<Real> * energy;
    }

    // Low energies scatter so much that one pass is not enough: all but the last, for each.
    void spread_ahead(Run& asked) {
        parallel_for(t_.rows_ahead(), static_cast<int>(chunks_), 1, [&](index i, int worker) {
            for (int pass = 1; pass < t_.passes[size(i)] && asked.wanted(); ++pass)
                spread_once(i, rooms_[size(worker)]);
        });
    }

    void spread_once(index i, Room<Real>& room) {
        Box all;
        for (index j = 0; j < t_.angles; ++j) all = both(all, box(i, j));
        if (all.empty()) return;
        leave_window(i);
        index const low = all.low * t_.columns, n = (all.high - all.low) * t_.columns;
        Sheet<Real> const last = beside(i, -1), first = beside(i, t_.angles);
        std::copy_n(last.values + low, n, room.below.data() + low);
        std::vector<Real> const behind(first.values, first.values + plane_);
        for (index j = 0; j < t_.angles; ++j) {
            Real const* const above =
                j + 1 < t_.angles ? static_cast<Real const*>(at(i, j + 1)) : behind.data();
            kernels_.scatter(scattering(i, j, all, above, above, room),
                             {room.landed.data(), t_.columns}, room.flown.data());
            std::copy_n(room.landed.data() + low, n, at(i, j) + low);
            box(i, j) = all;
        }
        std::fill_n(room.below.data() + low, n, Real(0));
    }

    // Threads write over their own angles while others still need them as they were.
    void save_edges() {
        parallel_for(t_.energies, static_cast<int>(chunks_), 8, [&](index i, int) {
            leave_window(i);
            for (index c = 0; c < chunks_; ++c)
                for (int behind = 0; behind < 2; ++behind) {
                    Sheet<Real> const s =
                        beside(i, behind ? chunk_begin(c + 1) : chunk_begin(c) - 1);
                    edge_box(c, behind, i) = s.box;
                    if (!s.box.empty()) std::copy_n(s.values, plane_, edge(c, behind, i));
                }
        });
    }

    // Upwards in energy: what slows down is given to energies that were done before.
    void one_chunk(index c, Room<Real>& room, Run& asked) {
        index const from = chunk_begin(c), past = chunk_begin(c + 1);
        for (index j = from; j < past; ++j) begin_deposit(j);
        for (index i = 0; i < t_.energies && asked.wanted(); ++i) {
            Box below = edge_box(c, 0, i);
            std::copy(edge(c, 0, i) + below.low * t_.columns,
                      edge(c, 0, i) + below.high * t_.columns,
                      room.below.data() + below.low * t_.columns);
            for (index j = from; j < past; ++j) {
                Sheet<Real> above{nothing_.data(), {}};
                if (j + 1 < past)
                    above = {at(i, j + 1), box(i, j + 1)};
                else if (!edge_box(c, 1, i).empty())
                    above = {edge(c, 1, i), edge_box(c, 1, i)};
                below = one_plane(i, j, below, above, ahead_of(i, j, from, past), room);
            }
            std::fill(room.below.data() + below.low * t_.columns,
                      room.below.data() + below.high * t_.columns, Real(0));
        }
        for (index j = from; j < past; ++j) end_deposit(j);
        if (o_.threshold > 0)
            for (index i = 0; i < t_.energies; ++i)
                for (index j = from; j < past; ++j) trim(i, j);
    }

    // Two planes further, over the end of the angles to the next energy.
    Real const* ahead_of(index i, index j, index from, index past) const {
        if (j + 2 < past) return at(i, j + 2);
        return at(std::min(i + 1, t_.energies - 1), from + j + 2 - past);
    }

    Scattering<Real> scattering(index i, index j, Box lines, Real const* above, Real const* ahead,
                                Room<Real>& room) const {
        return {t_.columns,        lines.low, lines.high, part(i), parts(),
                room.below.data(), at(i, j),  above,      ahead};
    }

    void begin_deposit(index j) {
        Box const b = written_[size(j)];
        std::fill(deposit_.data() + j * plane_ + b.low * t_.columns,
                  deposit_.data() + j * plane_ + b.high * t_.columns, Real(0));
        if (o_.nuclear)
            std::fill(reacted_.data() + j * plane_ + b.low * t_.columns,
                      reacted_.data() + j * plane_ + b.high * t_.columns, Real(0));
        written_[size(j)] = {};
    }

    void end_deposit(index j) {
        Box const b = written_[size(j)];
        for (index n = b.low * t_.columns; n < b.high * t_.columns; ++n)
            deposits_[size(j * plane_ + n)] +=
                static_cast<double>(deposit_[size(j * plane_ + n)]) / scale<Real>;
    }

    // Lines of the padded plane that were written for another one and not for this.
    void clear_padded(Room<Real>& room, Box now) {
        Real* const origin = padded_of(room).origin;
        for (int z = room.written.low; z < room.written.high; ++z)
            if (z < now.low || z >= now.high) std::fill_n(origin + z * line_, t_.columns, Real(0));
        room.written = now;
    }

    Padded<Real> padded_of(Room<Real>& room) const {
        return {room.padded.data() + margin_ + pad_ * line_, line_};
    }

    // Both at once: each alone would wait for every sum that it makes.
    struct Totals {
        double flown = 0, inside = 0;
    };
    Totals totals(Room<Real> const& room) const {
        Totals t;
        for (index x = 0; x < t_.columns; ++x) {
            t.flown += static_cast<double>(room.flown[size(x)]);
            t.inside += static_cast<double>(room.inside[size(x)]);
        }
        return t;
    }

    // Returns where the plane was that is `below` for the next angle.
    Box one_plane(index i, index j, Box below, Sheet<Real> const& above, Real const* ahead,
                  Room<Real>& room) {
        Box const own = box(i, j), all = both(both(below, own), above.box);
        if (all.empty()) return {};
        Tally& tally = tallies_[size(j)];
        clear_padded(room, all);
        Padded<Real> const padded = padded_of(room);
        ahead += all.low * t_.columns;
        kernels_.scatter(scattering(i, j, all, above.values, ahead, room), padded,
                         room.flown.data());
        box(i, j) = {};
        bool const flies = t_.allowed[size(j)], several = !t_.map.empty();
        bool landed = false;
        if (flies)
            landed = fly(i, j, own, all, padded, ahead + (all.high - all.low) * t_.columns / 2,
                         room, tally);
        else
            clear(i, j, own);
        Totals const t = totals(room);
        count(tally.before, t.flown, energy(i));
        tally.variance += t.flown / scale<Real> * t_.variance[size(i)] * kind_.scatter;
        if (!flies) count(tally.backward, t.flown, energy(i));
        if (landed && !several) account(tally, t_.loss(0, i), t.inside, energy(i));
        return all;
    }

    void clear(index i, index j, Box lines) {
        if (!lines.empty())
            std::fill(at(i, j) + lines.low * t_.columns, at(i, j) + lines.high * t_.columns,
                      Real(0));
    }

    // Whether anything lands.
    bool fly(index i, index j, Box own, Box all, Padded<Real> padded, Real const* ahead,
             Room<Real>& room, Tally& tally) {
        Landing const to = landing(t_, i, j, kind_.forward);
        Flight<Real> f{};
        f.columns = t_.columns;
        f.z = split(to.z);
        f.x = split(to.x);
        index const further = f.z.part > 0 ? 1 : 0;
        f.low = std::clamp<index>(all.low + f.z.whole, 0, t_.planes);
        f.high = std::clamp<index>(all.high + f.z.whole + further, 0, t_.planes);
        Leaks const leaks = leaks_of(padded, all.low, all.high, f, t_.planes);
        count(tally.front, leaks.front, energy(i));
        count(tally.end, leaks.end, energy(i));
        count(tally.left, leaks.left, energy(i));
        count(tally.right, leaks.right, energy(i));
        f.deposit = deposit_.data() + j * plane_;
        f.sum = room.inside.data();
        f.ahead = ahead;
        Box const landed{static_cast<int>(f.low), static_cast<int>(f.high)};
        tally.cells += (f.high - f.low) * t_.columns;
        written_[size(j)] = both(written_[size(j)], landed);
        if (t_.map.empty())
            give(i, j, own, landed, f, padded);
        else
            give_each(i, j, own, landed, f, padded, room, tally);
        return !landed.empty();
    }

    static Shift split(double places) {
        double const whole = std::floor(places);
        return {static_cast<index>(whole), places - whole};
    }

    void give(index i, index j, Box own, Box landed, Flight<Real>& f, Padded<Real> padded) {
        Loss const& loss = t_.loss(0, i);
        f.count = loss.count;
        f.energy = static_cast<Real>(loss.energy);
        bool stays = false;
        for (int k = 0; k < loss.count; ++k) {
            f.to[k] = {at(loss.to[k], j), static_cast<Real>(loss.part[k]), loss.to[k] == i};
            if (loss.to[k] == i) {
                std::swap(f.to[k], f.to[0]);
                stays = true;
            }
        }
        // Planes that are overwritten need no clearing.
        if (stays) {
            if (own.low < landed.low) clear(i, j, {own.low, std::min(own.high, landed.low)});
            if (own.high > landed.high) clear(i, j, {std::max(own.low, landed.high), own.high});
        } else {
            clear(i, j, own);
        }
        if (landed.empty()) {
            if (stays) clear(i, j, own);
            return;
        }
        if (loss.nuclear > 0)
            f.to[f.count++] = {reacted_.data() + j * plane_,
                               static_cast<Real>(loss.nuclear * energy(i)), false};
        kernels_.fly(padded, f);
        for (int k = 0; k < loss.count; ++k) box(loss.to[k], j) = both(box(loss.to[k], j), landed);
    }

    // The same where materials differ.
    void give_each(index i, index j, Box own, Box landed, Flight<Real> const& f,
                   Padded<Real> padded, Room<Real>& room, Tally& tally) {
        clear(i, j, own);
        if (landed.empty()) return;
        Real* const from = room.landed.data();
        kernels_.land(padded, f, from);
        for (std::size_t m = 0; m < t_.materials.size(); ++m) {
            Loss const& loss = t_.loss(m, i);
            Real const* const where = masks_.data() + static_cast<index>(m) * plane_;
            auto const give_to = [&](Real* plane, double part) {
                kernels_.give(from, {plane, static_cast<Real>(part), where}, t_.columns, landed.low,
                              landed.high);
            };
            for (int k = 0; k < loss.count; ++k) {
                give_to(at(loss.to[k], j), loss.part[k]);
                box(loss.to[k], j) = both(box(loss.to[k], j), landed);
            }
            give_to(f.deposit, loss.energy);
            if (loss.nuclear > 0) give_to(reacted_.data() + j * plane_, loss.nuclear * energy(i));
            double inside = 0;
            for (index n = landed.low * t_.columns; n < landed.high * t_.columns; ++n)
                inside += static_cast<double>(where[n] * from[n]);
            account(tally, loss, inside, energy(i));
        }
    }

    static void account(Tally& tally, Loss const& loss, double inside, double energy) {
        tally.stopped.weight += loss.stops * inside / scale<Real>;
        tally.stopped.energy += loss.energy * inside / scale<Real>;
        count(tally.nuclear, loss.nuclear * inside, energy);
    }

    void trim(index i, index j) {
        Box& b = box(i, j);
        double const least = o_.threshold * scale<Real>;
        auto const drop = [&](int z) {
            Real* const from = at(i, j) + z * t_.columns;
            Real sum = 0;
            for (index x = 0; x < t_.columns; ++x) sum += from[x];
            if (!(static_cast<double>(sum) < least)) return false;
            std::fill_n(from, t_.columns, Real(0));
            count(tallies_[size(j)].truncated, static_cast<double>(sum), energy(i));
            return true;
        };
        while (!b.empty() && drop(b.low)) ++b.low;
        while (!b.empty() && drop(b.high - 1)) --b.high;
        if (b.empty()) b = {};
    }
};

}  // namespace

std::unique_ptr<Engine> make_fused(Tables const& tables, DenseOptions const& options) {
    if (options.precision == Precision::f64)
        return std::make_unique<Fused<double>>(tables, options);
    return std::make_unique<Fused<float>>(tables, options);
}

}  // namespace sluice::proton::dense
