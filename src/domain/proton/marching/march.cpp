// Marching a beam from plane to plane.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include "device/workers.h"
#include "domain/proton/marching/check.h"
#include "domain/proton/marching/columns.h"
#include "domain/proton/marching/grid.h"
#include "domain/proton/marching/secondaries.h"
#include "sluice/device.h"

namespace sluice::proton {
namespace marching {
namespace {

// Weights are multiplied by this, so that what is left of them in far tails does not become a
// number of the kind that processors are slow with.
template <class Real>
constexpr double scale = 1;
template <>
inline constexpr double scale<float> = 0x1p100;

// Windows of x are made of so many columns.
constexpr index lane = 16;

// From `low` to before `high`.
struct Window {
    index low = 0, high = 0;
    index size() const { return high - low; }
    bool empty() const { return low >= high; }
};

// What leaves through the sides.
struct Beside {
    Share left, right;
};

double sum_of(auto const& values, index from, index n) {
    double sum = 0;
    for (index i = from; i < from + n; ++i)
        sum += static_cast<double>(values[static_cast<std::size_t>(i)]);
    return sum;
}

template <class Real>
class March {
  public:
    March(Physics const& physics, Phantom const& phantom, Beam const& beam,
          MarchOptions const& options, Kernels<Real> const& k)
        : physics_(physics),
          phantom_(phantom),
          beam_(beam),
          options_(options),
          kernels_(k),
          threads_(Device::cpu(options.threads).threads()),
          unit_(beam.weight / scale<Real>),
          rows_(range_rows(physics, phantom, beam, options)),
          angles_(angles_of(beam, options)),
          stride_((phantom.columns + lane - 1) / lane * lane),
          energy_(rows_.energy.begin(), rows_.energy.end()),
          bend_(rows_.bend.begin(), rows_.bend.end()),
          up_(rows_.up.begin(), rows_.up.end()),
          down_(rows_.down.begin(), rows_.down.end()),
          loss_(rows_.loss.begin(), rows_.loss.end()),
          secondaries_(phantom),
          columns_(physics, phantom, rows_.step, stride_) {
        for (Fall<double> const& f : rows_.falls) {
            Fall<Real>& to = falls_.emplace_back();
            for (int k = 0; k < 2; ++k) {
                to.rows[k] = f.rows[k];
                to.part[k] = static_cast<Real>(f.part[k]);
            }
        }
        state_.resize(static_cast<std::size_t>(rows_.size() * angles_.size() * stride_));
        auto const lines = static_cast<std::size_t>(angles_.size() * stride_);
        for (auto* v : {&deposit_, &stopped_, &nuclear_energy_, &nuclear_weight_, &collided_})
            v->resize(lines);
        pending_.resize(static_cast<std::size_t>(phantom.columns));
        angle_sums_.resize(lines);
        row_sums_.resize(static_cast<std::size_t>(rows_.size() * stride_));
        passes_.resize(static_cast<std::size_t>(rows_.size()));
        rooms_.resize(static_cast<std::size_t>(threads_));
    }

    Result<MarchResult> run() {
        begin();
        for (index plane = 0; plane < phantom_.planes; ++plane) {
            if (options_.progress && !options_.progress(plane, phantom_.planes))
                return Error{Code::cancelled, "stopped before the last plane"};
            columns_.choose(plane);
            scatter(plane == 0 ? 0 : 0.5, 0.5);
            account();
            describe(result_.sums.emplace_back());
            if (plane % rows_.collide_every == 0) std::fill(pending_.begin(), pending_.end(), 0.0);
            fly(plane);
            for (index x = 0; x < phantom_.columns; ++x)
                result_.deposit[static_cast<std::size_t>(plane * phantom_.columns + x)] +=
                    pending_[static_cast<std::size_t>(x)];
            secondaries_.step(plane, columns_.nuclear_energy(), physics_,
                              std::max(result_.sums.back().energy, 1.0), result_.deposit,
                              result_.ledger);
        }
        end();
        return std::move(result_);
    }

  private:
    Physics const& physics_;
    Phantom const& phantom_;
    Beam const& beam_;
    MarchOptions const& options_;
    Kernels<Real> const& kernels_;
    int threads_;
    double unit_;  ///< weight of the state's 1
    RangeRows rows_;
    Angles angles_;
    index stride_;
    std::vector<Real> energy_, bend_, up_, down_, loss_;
    std::vector<Fall<Real>> falls_;
    std::vector<Real> state_;  ///< [row][angle][x]; outside of the windows all is 0
    Window row_, angle_, x_;
    std::vector<double> deposit_, stopped_, nuclear_energy_, nuclear_weight_,
        collided_;                 // [angle][x]
    std::vector<double> pending_;  ///< [x]: of collisions, for each step until the next ones
    std::vector<Real> row_sums_, angle_sums_;  ///< [row][x] and [angle][x]
    std::vector<int> passes_;
    std::vector<std::vector<Real>> rooms_;  ///< of each thread
    double out_of_plane_ = 0;               ///< variance of the angle out of the plane
    double behind_ = 0;  ///< variance that the last plane's second half of scattering adds
    Secondaries secondaries_;
    PlaneColumns<Real> columns_;
    MarchResult result_;

    double energy_of(index row) const { return rows_.energy[static_cast<std::size_t>(row)]; }
    Real* at(index row, index angle) {
        return state_.data() + (row * angles_.size() + angle) * stride_;
    }
    Sheet<Real> sheet() {
        return {at(0, angle_.low) + x_.low, angle_.size(), x_.size(), stride_,
                angles_.size() * stride_};
    }
    // Columns of the window that the phantom has.
    index columns() const { return std::min(x_.high, phantom_.columns) - x_.low; }

    double weight_of_row(index row) const {
        return unit_ * sum_of(row_sums_, row * stride_ + x_.low, x_.size());
    }

    void begin() {
        auto const start = initial_state(phantom_, beam_, rows_, angles_, physics_);
        auto const width = static_cast<std::size_t>(phantom_.columns);
        auto from = start.begin();
        for (index i = 0; i < rows_.size(); ++i)
            for (index j = 0; j < angles_.size(); ++j, from += phantom_.columns)
                for (std::size_t x = 0; x < width; ++x)
                    at(i, j)[x] =
                        static_cast<Real>(from[static_cast<std::ptrdiff_t>(x)] * scale<Real>);
        result_.planes = phantom_.planes;
        result_.columns = phantom_.columns;
        result_.dz = phantom_.dz;
        result_.dx = phantom_.dx;
        result_.x0 = phantom_.x0;
        result_.deposit.resize(static_cast<std::size_t>(phantom_.planes * phantom_.columns));
        out_of_plane_ = beam_.divergence * beam_.divergence;
        row_ = {0, rows_.size()};
        angle_ = {0, angles_.size()};
        x_ = {0, stride_};
        add_up();
        Share const inside = share();
        Ledger& l = result_.ledger;
        l.in = {beam_.weight, inside.energy / inside.weight * beam_.weight};
        // What of the beam begins beside the phantom.
        double const there = std::accumulate(start.begin(), start.end(), 0.0);
        Share& beside = beam_.x < phantom_.x0 + phantom_.width() / 2 ? l.left : l.right;
        beside = {std::max(0.0, 1 - there) * l.in.weight, std::max(0.0, 1 - there) * l.in.energy};
        narrow();
    }

    // The sums of rows and of angles out of the state.
    void add_up() {
        for (index i = row_.low; i < row_.high; ++i)
            for (index j = angle_.low; j < angle_.high; ++j) {
                Real const* const line = at(i, j);
                for (index x = x_.low; x < x_.high; ++x) {
                    row_sums_[static_cast<std::size_t>(i * stride_ + x)] += line[x];
                    angle_sums_[static_cast<std::size_t>(j * stride_ + x)] += line[x];
                }
            }
    }

    // Of all that flies; the sums of rows must be those of the state.
    Share share() const {
        Share s;
        for (index i = row_.low; i < row_.high; ++i) {
            double const w = weight_of_row(i);
            s.weight += w;
            s.energy += w * energy_of(i);
        }
        return s;
    }

    // Takes a box of the state away, and accounts for it.
    void drop(Window rows, Window angles, Window x) {
        for (index i = rows.low; i < rows.high; ++i) {
            double sum = 0;
            for (index j = angles.low; j < angles.high; ++j) {
                Real* const line = at(i, j);
                for (index k = x.low; k < x.high; ++k) sum += static_cast<double>(line[k]);
                std::fill(line + x.low, line + x.high, Real(0));
            }
            result_.ledger.truncated.weight += sum * unit_;
            result_.ledger.truncated.energy += sum * unit_ * energy_of(i);
        }
        // The sums are of what is there.
        for (index j = angles.low; j < angles.high; ++j)
            std::fill(angle_sums_.begin() + j * stride_ + x.low,
                      angle_sums_.begin() + j * stride_ + x.high, Real(0));
    }

    void drop_row(index row) {
        result_.ledger.truncated.weight += weight_of_row(row);
        result_.ledger.truncated.energy += weight_of_row(row) * energy_of(row);
        for (index j = angle_.low; j < angle_.high; ++j)
            std::fill(at(row, j) + x_.low, at(row, j) + x_.high, Real(0));
    }

    // Gives up angles and columns at the ends in which almost nothing is; the sums of angles must
    // be those of the state.
    void narrow() {
        double const least = options_.threshold * scale<Real>;
        auto const line = [&](index j) {
            return sum_of(angle_sums_, j * stride_ + x_.low, x_.size());
        };
        while (angle_.size() > 1 && line(angle_.low) < least) {
            drop(row_, {angle_.low, angle_.low + 1}, x_);
            ++angle_.low;
        }
        while (angle_.size() > 1 && line(angle_.high - 1) < least) {
            drop(row_, {angle_.high - 1, angle_.high}, x_);
            --angle_.high;
        }
        auto const block = [&](index x) {
            double sum = 0;
            for (index j = angle_.low; j < angle_.high; ++j)
                sum += sum_of(angle_sums_, j * stride_ + x, lane);
            return sum;
        };
        while (x_.size() > lane && block(x_.low) < least) {
            drop(row_, angle_, {x_.low, x_.low + lane});
            x_.low += lane;
        }
        while (x_.size() > lane && block(x_.high - lane) < least) {
            drop(row_, angle_, {x_.high - lane, x_.high});
            x_.high -= lane;
        }
    }

    // Half of a step's scattering by the materials before a face, and half by those behind.
    void scatter(double before, double behind) {
        std::vector<double> const part = columns_.scattering(before, behind);
        double const most = *std::max_element(part.begin(), part.end());
        double const path = 1 / std::cos(beam_.angle);
        int widest = 0;
        for (index i = row_.low; i < row_.high; ++i) {
            auto const k = static_cast<std::size_t>(i);
            double const share = rows_.scatter[k] * path / (2 * angles_.step * angles_.step);
            passes_[k] = static_cast<int>(std::ceil(share * most / 0.4));
            widest = std::max(widest, passes_[k]);
        }
        angle_.low = std::max<index>(0, angle_.low - widest);
        angle_.high = std::min(angles_.size(), angle_.high + widest);
        std::vector<Leak> leaks(static_cast<std::size_t>(row_.size()));
        Sheet<Real> const window = sheet();
        parallel_for(row_.size(), threads_, 1, [&](index n, int worker) {
            index const i = row_.low + n;
            auto const k = static_cast<std::size_t>(i);
            auto& room = rooms_[static_cast<std::size_t>(worker)];
            room.resize(std::max(room.size(), static_cast<std::size_t>(2 * stride_)));
            Real* const p = room.data() + stride_;
            double const share = rows_.scatter[k] * path / (2 * angles_.step * angles_.step) /
                                 std::max(passes_[k], 1);
            for (index x = 0; x < x_.size(); ++x)
                p[x] = static_cast<Real>(share * part[static_cast<std::size_t>(x_.low + x)]);
            kernels_.scatter(window, i, p, passes_[k], row_sums_.data() + i * stride_ + x_.low,
                             leaks[static_cast<std::size_t>(n)], room.data());
        });
        for (index i = row_.low; i < row_.high; ++i) {
            Leak const& leak = leaks[static_cast<std::size_t>(i - row_.low)];
            double const w = (leak.low + leak.high) * unit_;
            result_.ledger.angles.weight += w;
            result_.ledger.angles.energy += w * energy_of(i);
        }
        double sum = 0;
        double const all = share().weight;
        for (index i = row_.low; i < row_.high; ++i)
            sum += weight_of_row(i) * rows_.scatter[static_cast<std::size_t>(i)];
        auto const added = [&](double front, double back) {
            return all > 0 ? sum / all * path *
                                 columns_.mean_scattering(row_sums_, row_.low, row_.high, x_.low,
                                                          x_.high, front, back)
                           : 0.0;
        };
        behind_ = added(before, 0);
        if (options_.out_of_plane) out_of_plane_ += added(before, behind);
    }

    // At a face, when all of the plane before is done: the balance, and the window of rows.
    void account() {
        Ledger& l = result_.ledger;
        double const least = options_.threshold * beam_.weight;
        while (!row_.empty() && weight_of_row(row_.high - 1) < least) drop_row(--row_.high);
        while (!row_.empty() && weight_of_row(row_.low) < least) drop_row(row_.low++);
        Ledger now = l;
        now.inside = share();
        now.secondary_out = secondaries_.waiting();
        Share const rest = now.residual();
        result_.worst_weight = std::max(result_.worst_weight, std::abs(rest.weight) / l.in.weight);
        result_.worst_energy = std::max(result_.worst_energy, std::abs(rest.energy) / l.in.energy);
    }

    // Of what enters a plane.
    void describe(PlaneSums& sums) const {
        double e = 0, s1 = 0, s2 = 0;
        for (index i = row_.low; i < row_.high; ++i) {
            double const w = weight_of_row(i), s = rows_.stopping[static_cast<std::size_t>(i)];
            sums.weight += w;
            e += w * energy_of(i);
            s1 += w * s;
            s2 += w * s * s;
        }
        if (sums.weight <= 0) return;
        sums.energy = e / sums.weight;
        // MeV/mm is keV/um.
        sums.let_track = s1 / sums.weight;
        sums.let_dose = s2 / s1;
        // These are from before the scattering at this face.
        double all = 0, a1 = 0, a2 = 0;
        for (index j = angle_.low; j < angle_.high; ++j) {
            double const w = sum_of(angle_sums_, j * stride_ + x_.low, x_.size());
            double const a = angles_.angle[static_cast<std::size_t>(j)];
            all += w;
            a1 += w * a;
            a2 += w * a * a;
        }
        if (all <= 0) return;
        sums.angle = a1 / all;
        sums.angle_variance = a2 / all - sums.angle * sums.angle + behind_;
    }

    double path_factor(double angle) const {
        double const aside = options_.out_of_plane && options_.scattering ? out_of_plane_ / 2 : 0;
        return (1 + aside) / std::cos(angle);
    }

    // The least and the longest path of the window's angles.
    std::pair<double, double> paths() const {
        double least = 1e300, most = 0;
        for (index j = angle_.low; j < angle_.high; ++j) {
            double const f = path_factor(angles_.angle[static_cast<std::size_t>(j)]);
            least = std::min(least, f);
            most = std::max(most, f);
        }
        return {least, most};
    }

    double shift_of(index angle) const {
        return phantom_.dz * std::tan(angles_.angle[static_cast<std::size_t>(angle)]) / phantom_.dx;
    }

    Cut cut_for_plane() {
        auto const [shortest, longest] = paths();
        auto const [least, most] = columns_.shifts(bend_, row_.low, row_.high);
        Cut cut;
        cut.whole = static_cast<index>(std::floor(least * shortest + 1e-9));
        double const rest = most * longest - static_cast<double>(cut.whole);
        cut.slowing = std::max(1, static_cast<int>(std::ceil(rest - 1e-9)));
        double const straggling = rows_.most_straggling * longest * columns_.most_electrons() / 0.5;
        cut.straggling =
            options_.straggling ? std::max(1, static_cast<int>(std::ceil(straggling))) : 0;
        // The parts that go up and down are those of one of water's passes.
        if (cut.straggling > 0)
            columns_.scale_straggling(rows_.straggling / double(cut.straggling));
        return cut;
    }

    void fly(index plane) {
        std::fill(columns_.nuclear_energy().begin(), columns_.nuclear_energy().end(), 0.0);
        if (row_.empty()) return;
        Cut const cut = cut_for_plane();
        bool const collide = options_.nuclear && plane % rows_.collide_every == 0;
        row_.low = std::max<index>(0, row_.low - cut.whole - cut.slowing - cut.straggling -
                                          (collide ? rows_.deepest_fall : 0));
        row_.high = std::min(rows_.size(), row_.high + std::max(1, cut.straggling));
        widen(shift_of(angle_.low), shift_of(angle_.high - 1));
        std::vector<Beside> beside(static_cast<std::size_t>(angle_.size()));
        parallel_for(angle_.size(), threads_, 1, [&](index n, int worker) {
            auto& room = rooms_[static_cast<std::size_t>(worker)];
            auto const need = static_cast<std::size_t>((row_.size() + 8) * x_.size());
            room.resize(std::max(room.size(), need));
            one_angle(angle_.low + n, cut, collide, room.data(),
                      beside[static_cast<std::size_t>(n)]);
        });
        result_.cells += row_.size() * angle_.size() * columns();
        collect(plane, beside);
        narrow();
    }

    // So that next to nothing leaves the window by drifting, only the phantom.
    void widen(double lowest, double highest) {
        double const least = options_.threshold * scale<Real>;
        auto const needed = [&](double shift, bool at_high) {
            index const reach = static_cast<index>(std::ceil(std::abs(shift))) + 2;
            index const n = std::min(reach, x_.size());
            double sum = 0;
            for (index j = angle_.low; j < angle_.high; ++j)
                sum += sum_of(angle_sums_, j * stride_ + (at_high ? x_.high - n : x_.low), n);
            return sum >= least ? (reach + lane - 1) / lane * lane : index{0};
        };
        index const low = lowest < 0 ? needed(lowest, false) : 0;
        index const high = highest > 0 ? needed(highest, true) : 0;
        x_.low = std::max<index>(0, x_.low - low);
        x_.high = std::min(stride_, x_.high + high);
    }

    // Drift and slowing down of one direction.
    void one_angle(index j, Cut const& cut, bool collide, Real* room, Beside& out) {
        index const n = row_.size(), width = x_.size();
        Real* const lines = room;
        Real* const scratch = lines + n * width;
        double const shift = shift_of(j);
        for (index i = 0; i < n; ++i)
            std::copy_n(at(row_.low + i, j) + x_.low, width, lines + i * width);
        std::vector<Leak> leaks(static_cast<std::size_t>(n));
        kernels_.drift(lines, n, width, columns(), shift, leaks.data(), scratch);
        for (index i = 0; i < n; ++i) {
            Leak const& leak = leaks[static_cast<std::size_t>(i)];
            double const e = energy_of(row_.low + i);
            out.left.weight += leak.low;
            out.left.energy += leak.low * e;
            out.right.weight += leak.high;
            out.right.energy += leak.high * e;
        }
        auto const begin = static_cast<std::size_t>(j * stride_ + x_.low);
        Tallies const tallies{deposit_.data() + begin, stopped_.data() + begin,
                              collided_.data() + begin, nuclear_energy_.data() + begin,
                              nuclear_weight_.data() + begin};
        for (double* const t : {tallies.deposit, tallies.stopped, tallies.collided,
                                tallies.nuclear_energy, tallies.nuclear_weight})
            std::fill_n(t, width, 0.0);
        Rows<Real> const water{
            energy_.data() + row_.low, bend_.data() + row_.low,
            up_.data() + row_.low,     down_.data() + row_.low,
            loss_.data() + row_.low,   collide ? falls_.data() + row_.low : nullptr};
        Columns<Real> const all = columns_.kernel();
        kernels_.slow(
            lines, n, width,
            static_cast<Real>(path_factor(angles_.angle[static_cast<std::size_t>(j)])), cut,
            {all.shift + x_.low, all.bend + x_.low, all.straggling + x_.low, all.nuclear + x_.low},
            water, tallies, scratch);
        kernels_.store(lines, n, width, at(row_.low, j) + x_.low, angles_.size() * stride_,
                       angle_sums_.data() + begin);
    }

    // In the order of the angles, whatever thread had them.
    void collect(index plane, std::vector<Beside> const& beside) {
        Ledger& l = result_.ledger;
        // At the sides of the window, if those are not the phantom's, is next to nothing.
        Share& left = x_.low == 0 ? l.left : l.truncated;
        Share& right = x_.high == stride_ ? l.right : l.truncated;
        double* const out = result_.deposit.data() + plane * phantom_.columns + x_.low;
        double* const nuclear = columns_.nuclear_energy().data() + x_.low;
        // Collisions are done for several planes at once, which share what they leave.
        auto const shared =
            static_cast<double>(std::min<index>(rows_.collide_every, phantom_.planes - plane));
        std::vector<double> room(static_cast<std::size_t>(2 * stride_ + 6));
        for (index j = angle_.low; j < angle_.high; ++j) {
            Beside const& b = beside[static_cast<std::size_t>(j - angle_.low)];
            left.weight += b.left.weight * unit_;
            left.energy += b.left.energy * unit_;
            right.weight += b.right.weight * unit_;
            right.energy += b.right.energy * unit_;
            index const begin = j * stride_ + x_.low;
            double* const line = deposit_.data() + begin;
            // What a step leaves, it leaves half way on the average.
            Leak lost;
            kernels_f64(chosen_isa())
                .drift(line, 1, stride_, columns(), -shift_of(j) / 2, &lost, room.data());
            left.energy += lost.low * unit_;
            right.energy += lost.high * unit_;
            for (index x = 0; x < columns(); ++x) {
                out[x] += line[x] * unit_;
                nuclear[x] += nuclear_energy_[static_cast<std::size_t>(begin + x)] * unit_;
                pending_[static_cast<std::size_t>(x_.low + x)] +=
                    collided_[static_cast<std::size_t>(begin + x)] * unit_ / shared;
            }
            l.stopped.energy += sum_of(collided_, begin, columns()) * unit_;
            l.stopped.energy += sum_of(deposit_, begin, columns()) * unit_;
            l.stopped.weight += sum_of(stopped_, begin, columns()) * unit_;
            l.nuclear.energy += sum_of(nuclear_energy_, begin, columns()) * unit_;
            l.nuclear.weight += sum_of(nuclear_weight_, begin, columns()) * unit_;
        }
    }

    void end() {
        std::fill(row_sums_.begin(), row_sums_.end(), Real(0));
        std::fill(angle_sums_.begin(), angle_sums_.end(), Real(0));
        add_up();
        Ledger& l = result_.ledger;
        l.end = share();
        l.secondary_out = secondaries_.waiting();
        double w = 0, first = 0, second = 0;
        for (index x = x_.low; x < x_.low + columns(); ++x) {
            double const at = (static_cast<double>(x) + 0.5) * phantom_.dx;
            double f = 0;
            for (index j = angle_.low; j < angle_.high; ++j)
                f += static_cast<double>(angle_sums_[static_cast<std::size_t>(j * stride_ + x)]);
            w += f;
            first += f * at;
            second += f * at * at;
        }
        if (w <= 0) return;
        double const mean = first / w, own = phantom_.dx * phantom_.dx / 12;
        result_.exit_mean = phantom_.x0 + mean;
        result_.exit_sigma = std::sqrt(std::max(second / w - mean * mean - own, 0.0));
    }
};

}  // namespace
}  // namespace marching

Share Ledger::residual() const {
    Share r;
    r.weight = in.weight - nuclear.weight;
    r.energy = in.energy - local - secondary - neutral - secondary_out;
    for (Share const& s : {stopped, left, right, end, front, backward, angles, truncated, inside}) {
        r.weight -= s.weight;
        r.energy -= s.energy;
    }
    return r;
}

Result<MarchResult> march(Physics const& physics, Phantom const& phantom, Beam const& beam,
                          MarchOptions const& options) {
    SLUICE_CHECK(marching::check(physics, phantom, beam, options));
    Isa const isa = chosen_isa();
    if (options.precision == Precision::f64)
        return marching::March<double>(physics, phantom, beam, options, marching::kernels_f64(isa))
            .run();
    return marching::March<float>(physics, phantom, beam, options, marching::kernels_f32(isa))
        .run();
}

}  // namespace sluice::proton
