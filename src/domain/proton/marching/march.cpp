// Marching a beam from plane to plane.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "device/workers.h"
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
          rows_(range_rows(physics, phantom, beam, options)),
          angles_(angles_of(beam, options)),
          stride_((phantom.columns + 15) / 16 * 16),
          energy_(rows_.energy.begin(), rows_.energy.end()),
          bend_(rows_.bend.begin(), rows_.bend.end()),
          up_(rows_.up.begin(), rows_.up.end()),
          down_(rows_.down.begin(), rows_.down.end()),
          loss_(rows_.loss.begin(), rows_.loss.end()),
          secondaries_(phantom),
          columns_(physics, phantom, rows_.step, stride_) {
        for (Fall<double> const& f : rows_.falls) {
            Fall<Real>& to = falls_.emplace_back();
            for (int k = 0; k < 4; ++k) {
                to.rows[k] = f.rows[k];
                to.part[k] = static_cast<Real>(f.part[k]);
            }
        }
        auto const cells = static_cast<std::size_t>(rows_.size() * angles_.size() * stride_);
        state_.resize(cells);
        sheet_ = {state_.data(), rows_.size(), angles_.size(), stride_, stride_};
        auto const lines = static_cast<std::size_t>(angles_.size() * stride_);
        deposit_.resize(lines);
        stopped_.resize(lines);
        nuclear_energy_.resize(lines);
        nuclear_weight_.resize(lines);
        row_sums_.resize(static_cast<std::size_t>(rows_.size() * stride_));
    }

    Result<MarchResult> run() {
        begin();
        for (index plane = 0; plane < phantom_.planes; ++plane) {
            if (options_.progress && !options_.progress(plane, phantom_.planes))
                return Error{Code::cancelled, "stopped before the last plane"};
            step(plane);
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
    RangeRows rows_;
    Angles angles_;
    index stride_;
    std::vector<Real> energy_, bend_, up_, down_, loss_;
    std::vector<Fall<Real>> falls_;
    bool collide_ = false;  ///< in this step
    std::vector<Real> state_;
    Sheet<Real> sheet_ = {};
    index low_ = 0, high_ = 0;  ///< rows with anything in them
    std::vector<double> deposit_, stopped_, nuclear_energy_, nuclear_weight_;  // [angle][x]
    std::vector<Real> row_sums_;                                               // [row][x]
    double out_of_plane_ = 0;  ///< variance of the angle out of the plane
    double ahead_ = 0;         ///< of the angle, that scattering behind the face has added already
    Secondaries secondaries_;
    PlaneColumns<Real> columns_;
    MarchResult result_;

    double weight_of_row(index row) const {
        double sum = 0;
        Real const* const line = row_sums_.data() + row * stride_;
        for (index x = 0; x < stride_; ++x) sum += static_cast<double>(line[x]);
        return sum / scale<Real> * beam_.weight;
    }

    void begin() {
        auto const start = initial_state(phantom_, beam_, rows_, angles_, physics_);
        auto const width = static_cast<std::size_t>(phantom_.columns);
        for (index i = 0; i < rows_.size(); ++i)
            for (index j = 0; j < angles_.size(); ++j) {
                auto const from = static_cast<std::size_t>(i * angles_.size() + j) * width;
                Real* const to = sheet_.at(i, j);
                for (std::size_t x = 0; x < width; ++x)
                    to[x] = static_cast<Real>(start[from + x] * scale<Real>);
            }
        result_.planes = phantom_.planes;
        result_.columns = phantom_.columns;
        result_.dz = phantom_.dz;
        result_.dx = phantom_.dx;
        result_.x0 = phantom_.x0;
        result_.deposit.resize(static_cast<std::size_t>(phantom_.planes * phantom_.columns));
        out_of_plane_ = beam_.divergence * beam_.divergence;
        low_ = 0;
        high_ = rows_.size();
        Ledger& l = result_.ledger;
        l.in = sum_state();
        // What of the beam begins beside the phantom.
        Share outside{beam_.weight - l.in.weight, beam_.weight * beam_.energy - l.in.energy};
        (beam_.x < phantom_.x0 + phantom_.width() / 2 ? l.left : l.right) = outside;
        l.in.weight += outside.weight;
        l.in.energy += outside.energy;
        l.inside = {l.in.weight - outside.weight, l.in.energy - outside.energy};
    }

    // Also the sums of the rows, and the window of rows.
    Share sum_state() {
        std::fill(row_sums_.begin() + low_ * stride_, row_sums_.begin() + high_ * stride_, Real(0));
        parallel_for(high_ - low_, threads_, 4, [&](index i, int) {
            kernels_.add_row(sheet_, low_ + i, row_sums_.data() + (low_ + i) * stride_);
        });
        Share s;
        for (index i = low_; i < high_; ++i) {
            double const w = weight_of_row(i);
            s.weight += w;
            s.energy += w * rows_.energy[static_cast<std::size_t>(i)];
        }
        return s;
    }

    void drop_row(index row) {
        double const w = weight_of_row(row);
        result_.ledger.truncated.weight += w;
        result_.ledger.truncated.energy += w * rows_.energy[static_cast<std::size_t>(row)];
        Real* const begin = sheet_.at(row, 0);
        std::fill(begin, begin + angles_.size() * stride_, Real(0));
    }

    void narrow() {
        double const least = options_.threshold * beam_.weight;
        while (low_ < high_ && weight_of_row(high_ - 1) < least) drop_row(--high_);
        while (low_ < high_ && weight_of_row(low_) < least) drop_row(low_++);
    }

    // Half of a step's scattering by the materials before a plane, and half by those behind.
    void scatter(double before, double behind) {
        if (!options_.scattering || low_ >= high_) return;
        std::vector<double> const part = columns_.scattering(before, behind);
        double const most = *std::max_element(part.begin(), part.end());
        if (most == 0) return;
        double const path = 1 / std::cos(beam_.angle);
        auto const n = static_cast<std::size_t>(high_ - low_);
        std::vector<Leak> leaks(n);
        std::vector<std::vector<Real>> room(static_cast<std::size_t>(threads_));
        parallel_for(high_ - low_, threads_, 1, [&](index k, int worker) {
            auto& own = room[static_cast<std::size_t>(worker)];
            own.resize(static_cast<std::size_t>(2 * stride_));
            index const row = low_ + k;
            double const variance = rows_.scatter[static_cast<std::size_t>(row)] * path;
            double const whole = variance / (2 * angles_.step * angles_.step);
            auto const passes = std::max(1, static_cast<int>(std::ceil(whole * most / 0.4)));
            Real* const p = own.data() + stride_;
            for (index x = 0; x < stride_; ++x)
                p[x] = static_cast<Real>(whole * part[static_cast<std::size_t>(x)] / passes);
            kernels_.scatter(sheet_, row, p, passes, leaks[static_cast<std::size_t>(k)],
                             own.data());
        });
        for (std::size_t k = 0; k < n; ++k) {
            double const w = (leaks[k].low + leaks[k].high) / scale<Real> * beam_.weight;
            result_.ledger.angles.weight += w;
            result_.ledger.angles.energy += w * rows_.energy[static_cast<std::size_t>(low_) + k];
        }
        // On the average of all.
        double sum = 0, weight = 0;
        for (index i = low_; i < high_; ++i) {
            double const w = weight_of_row(i);
            sum += w * rows_.scatter[static_cast<std::size_t>(i)];
            weight += w;
        }
        if (weight <= 0) return;
        auto const added = [&](double front, double back) {
            return sum / weight * path *
                   columns_.mean_scattering(row_sums_, low_, high_, front, back);
        };
        ahead_ = added(0, behind);
        if (options_.out_of_plane) out_of_plane_ += added(before, behind);
    }

    // Drift and slowing down of one direction.
    void one_angle(index j, index base, Cut const& cut, std::vector<Real>& room, Leak& left_out,
                   Share& left, Share& right) {
        index const n = high_ - base;
        Real* const lines = room.data();
        Real* const scratch = lines + n * stride_;
        double const angle = angles_.angle[static_cast<std::size_t>(j)];
        double const shift = phantom_.dz * std::tan(angle) / phantom_.dx;
        for (index i = 0; i < n; ++i) {
            Real* const line = lines + i * stride_;
            std::copy_n(sheet_.at(base + i, j), stride_, line);
            Leak const leak = kernels_.drift(line, phantom_.columns, shift, scratch);
            double const e = rows_.energy[static_cast<std::size_t>(base + i)];
            left.weight += leak.low;
            left.energy += leak.low * e;
            right.weight += leak.high;
            right.energy += leak.high * e;
        }
        auto const at = static_cast<std::size_t>(j * stride_);
        Tallies const tallies{deposit_.data() + at, stopped_.data() + at,
                              nuclear_energy_.data() + at, nuclear_weight_.data() + at};
        Rows<Real> const water{energy_.data() + base, bend_.data() + base,
                               up_.data() + base,     down_.data() + base,
                               loss_.data() + base,   collide_ ? falls_.data() + base : nullptr};
        kernels_.slow(lines, n, stride_, static_cast<Real>(path_factor(angle)), cut,
                      columns_.kernel(), water, tallies, scratch);
        for (index i = 0; i < n; ++i)
            std::copy_n(lines + i * stride_, stride_, sheet_.at(base + i, j));
        static_cast<void>(left_out);
    }

    double path_factor(double angle) const {
        double const aside = options_.out_of_plane && options_.scattering ? out_of_plane_ / 2 : 0;
        return (1 + aside) / std::cos(angle);
    }

    void step(index plane) {
        PlaneSums& sums = result_.sums.emplace_back();
        columns_.choose(plane);
        scatter(plane == 0 ? 0 : 0.5, 0.5);
        describe(sums);
        if (low_ < high_) fly(plane);
        secondaries_.step(plane, columns_.nuclear_energy(), physics_, std::max(sums.energy, 1.0),
                          result_.deposit, result_.ledger);
        Ledger& l = result_.ledger;
        l.inside = low_ < high_ ? sum_state() : Share{};
        result_.cells += (high_ - low_) * angles_.size() * phantom_.columns;
        narrow();
        l.inside = {};
        for (index i = low_; i < high_; ++i) {
            double const w = weight_of_row(i);
            l.inside.weight += w;
            l.inside.energy += w * rows_.energy[static_cast<std::size_t>(i)];
        }
        Ledger now = l;
        now.secondary_out = secondaries_.waiting();
        Share const rest = now.residual();
        result_.worst_weight = std::max(result_.worst_weight, std::abs(rest.weight) / l.in.weight);
        result_.worst_energy = std::max(result_.worst_energy, std::abs(rest.energy) / l.in.energy);
    }

    void fly(index plane) {
        double const narrowest = path_factor(beam_.angle == 0 ? 0 : nearest_to_axis());
        double const widest =
            std::max(path_factor(angles_.angle.front()), path_factor(angles_.angle.back()));
        auto const [least, most] = columns_.shifts(bend_, low_, high_);
        Cut cut;
        cut.whole = static_cast<index>(std::floor(least * narrowest + 1e-9));
        double const rest = most * widest - static_cast<double>(cut.whole);
        cut.slowing = std::max(1, static_cast<int>(std::ceil(rest - 1e-9)));
        cut.straggling = std::max(
            1, static_cast<int>(std::ceil(rows_.straggling * widest * columns_.most_electrons())));
        if (!options_.straggling) cut.straggling = 0;
        // The parts that go up and down are of one of the passes of water.
        double const each = cut.straggling > 0 ? rows_.straggling / double(cut.straggling) : 0;
        columns_.scale_straggling(each);
        collide_ = options_.nuclear && plane % rows_.collide_every == 0;
        index const fall = collide_ ? rows_.deepest_fall : 0;
        index const base =
            std::max<index>(0, low_ - cut.whole - cut.slowing - cut.straggling - fall);
        // Straggling may fill a row above.
        high_ = std::min(rows_.size(), high_ + std::max(1, cut.straggling));
        std::fill(deposit_.begin(), deposit_.end(), 0.0);
        std::fill(stopped_.begin(), stopped_.end(), 0.0);
        std::fill(nuclear_energy_.begin(), nuclear_energy_.end(), 0.0);
        std::fill(nuclear_weight_.begin(), nuclear_weight_.end(), 0.0);
        auto const angles = static_cast<std::size_t>(angles_.size());
        std::vector<Share> left(angles), right(angles);
        std::vector<std::vector<Real>> room(static_cast<std::size_t>(threads_));
        parallel_for(angles_.size(), threads_, 1, [&](index j, int worker) {
            auto& own = room[static_cast<std::size_t>(worker)];
            own.resize(static_cast<std::size_t>((high_ - base + 8) * stride_));
            auto const k = static_cast<std::size_t>(j);
            Leak unused;
            one_angle(j, base, cut, own, unused, left[k], right[k]);
        });
        low_ = base;
        collect(plane, left, right);
    }

    double nearest_to_axis() const {
        double best = angles_.angle.front();
        for (double const a : angles_.angle)
            if (std::abs(a) < std::abs(best)) best = a;
        return best;
    }

    // In the order of the angles, whatever thread had them.
    void collect(index plane, std::vector<Share> const& left, std::vector<Share> const& right) {
        double const unit = beam_.weight / scale<Real>;
        Ledger& l = result_.ledger;
        double* const out = result_.deposit.data() + plane * phantom_.columns;
        std::vector<double>& nuclear = columns_.nuclear_energy();
        std::fill(nuclear.begin(), nuclear.end(), 0.0);
        std::vector<double> room(static_cast<std::size_t>(2 * stride_ + 6));
        for (index j = 0; j < angles_.size(); ++j) {
            auto const k = static_cast<std::size_t>(j);
            l.left.weight += left[k].weight * unit;
            l.left.energy += left[k].energy * unit;
            l.right.weight += right[k].weight * unit;
            l.right.energy += right[k].energy * unit;
            double* const line = deposit_.data() + j * stride_;
            double const* const stopped = stopped_.data() + j * stride_;
            // What a step leaves, it leaves half way on the average.
            double const back = -phantom_.dz * std::tan(angles_.angle[k]) / phantom_.dx / 2;
            Leak const lost = double_kernels().drift(line, phantom_.columns, back, room.data());
            l.left.energy += lost.low * unit;
            l.right.energy += lost.high * unit;
            for (index x = 0; x < phantom_.columns; ++x) {
                out[x] += line[x] * unit;
                l.stopped.energy += line[x] * unit;
                l.stopped.weight += stopped[x] * unit;
                auto const e = nuclear_energy_[k * static_cast<std::size_t>(stride_) +
                                               static_cast<std::size_t>(x)] *
                               unit;
                nuclear[static_cast<std::size_t>(x)] += e;
                l.nuclear.energy += e;
                l.nuclear.weight += nuclear_weight_[k * static_cast<std::size_t>(stride_) +
                                                    static_cast<std::size_t>(x)] *
                                    unit;
            }
        }
    }

    static Kernels<double> const& double_kernels() { return kernels_f64(chosen_isa()); }

    // Of what enters a plane.
    void describe(PlaneSums& sums) {
        double w = 0, e = 0, s1 = 0, s2 = 0;
        for (index i = low_; i < high_; ++i) {
            auto const k = static_cast<std::size_t>(i);
            double const weight = weight_of_row(i), s = rows_.stopping[k];
            w += weight;
            e += weight * rows_.energy[k];
            s1 += weight * s;
            s2 += weight * s * s;
        }
        sums.weight = w;
        if (w <= 0) return;
        sums.energy = e / w;
        // MeV/mm is keV/um.
        sums.let_track = s1 / w;
        sums.let_dose = s2 / s1;
        double a1 = 0, a2 = 0, all = 0;
        for (index j = 0; j < angles_.size(); ++j) {
            double line = 0;
            for (index i = low_; i < high_; ++i) {
                Real const* const f = sheet_.at(i, j);
                for (index x = 0; x < stride_; ++x) line += static_cast<double>(f[x]);
            }
            double const a = angles_.angle[static_cast<std::size_t>(j)];
            all += line;
            a1 += line * a;
            a2 += line * a * a;
        }
        sums.angle = a1 / all;
        sums.angle_variance = a2 / all - sums.angle * sums.angle - ahead_;
    }

    void end() {
        Ledger& l = result_.ledger;
        l.end = l.inside;
        double w = 0, first = 0, second = 0;
        for (index i = low_; i < high_; ++i)
            for (index x = 0; x < phantom_.columns; ++x) {
                auto const f =
                    static_cast<double>(row_sums_[static_cast<std::size_t>(i * stride_ + x)]);
                double const at = (static_cast<double>(x) + 0.5) * phantom_.dx;
                w += f;
                first += f * at;
                second += f * at * at;
            }
        if (w > 0) {
            double const mean = first / w, own = phantom_.dx * phantom_.dx / 12;
            result_.exit_mean = phantom_.x0 + mean;
            result_.exit_sigma = std::sqrt(std::max(second / w - mean * mean - own, 0.0));
        }
        l.inside = {};
        l.secondary_out = secondaries_.waiting();
    }
};

Status check(Physics const& physics, Phantom const& phantom, Beam const& beam,
             MarchOptions const& options) {
    auto const bad = [](std::string text) {
        return Error{Code::invalid_argument, std::move(text)};
    };
    if (!(beam.energy >= 1 && beam.energy <= 300))
        return bad(fmt::format("a beam of {} MeV; give 1 to 300", beam.energy));
    if (!(beam.energy_spread >= 0 && beam.energy_spread < beam.energy / 5))
        return bad(fmt::format("an energy spread of {} MeV; give less than a fifth of the energy",
                               beam.energy_spread));
    if (!(beam.sigma_x >= 0 && beam.divergence >= 0 && beam.weight > 0))
        return bad("a beam's sigma_x, divergence and weight are not negative, its weight not 0");
    if (std::abs(beam.covariance) > beam.sigma_x * beam.divergence * (1 + 1e-12))
        return bad(fmt::format("a covariance of {} mm is more than sigma_x times divergence ({})",
                               beam.covariance, beam.sigma_x * beam.divergence));
    if (phantom.planes < 1 || phantom.columns < 3 || phantom.materials.empty())
        return bad("a phantom has at least 1 plane, 3 columns and a material");
    if (!(phantom.dz > 0 && phantom.dx > 0))
        return bad(fmt::format("steps of {} and {} mm; give more than 0", phantom.dz, phantom.dx));
    if (!phantom.map.empty()) {
        if (phantom.map.size() != static_cast<std::size_t>(phantom.planes * phantom.columns))
            return bad(fmt::format("a map of {} materials for {} x {} cells", phantom.map.size(),
                                   phantom.planes, phantom.columns));
        for (auto const m : phantom.map)
            if (m >= phantom.materials.size())
                return bad(fmt::format("material {} of {}", m, phantom.materials.size()));
    }
    if (!(options.angle_step > 0 && options.angle_window >= options.angle_step))
        return bad("the window of angles is at least one step, and that more than 0");
    double const widest = std::abs(beam.angle) + options.angle_window;
    if (widest > 75 * std::numbers::pi / 180)
        return bad(
            fmt::format("angles up to {:.0f} degrees cannot be marched along z (at most 75 can); "
                        "turn the phantom, or narrow the window",
                        widest * 180 / std::numbers::pi));
    double const right = phantom.x0 + phantom.width();
    if (beam.x < phantom.x0 || beam.x >= right)
        return bad(fmt::format("a beam at x = {} mm, beside the phantom ({} to {} mm)", beam.x,
                               phantom.x0, right));
    if (!(options.range_step >= 0)) return bad("a range step below 0");
    double const step = options.range_step > 0 ? options.range_step : phantom.dz;
    double const range = physics.range(beam.energy);
    if (range < 4 * step)
        return bad(fmt::format(
            "steps of {} mm for a range of {:.2f} mm; give at most a quarter of it", step, range));
    double const cells = (range / step + 64) * (2 * options.angle_window / options.angle_step + 3) *
                         static_cast<double>(phantom.columns);
    if (cells > 2e9)
        return Error{Code::out_of_memory,
                     fmt::format("a plane of {:.1g} cells of range, angle and x (2e9 at most); use "
                                 "larger steps, or fewer columns",
                                 cells)};
    return {};
}

}  // namespace
}  // namespace marching

Share Ledger::residual() const {
    Share r;
    r.weight = in.weight - stopped.weight - left.weight - right.weight - end.weight -
               angles.weight - nuclear.weight - truncated.weight - inside.weight;
    r.energy = in.energy - stopped.energy - left.energy - right.energy - end.energy -
               angles.energy - local - secondary - neutral - secondary_out - truncated.energy -
               inside.energy;
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
