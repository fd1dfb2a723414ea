// Dense steps by functors, an element after the other, on the reference and on devices out of
// reach. SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "base/run.h"
#include "device/mirror.h"
#include "domain/proton/dense/engine.h"
#include "domain/proton/dense/gather.h"
#include "domain/proton/scale.h"
#include "launch/map.h"

namespace sluice::proton::dense {
namespace {

template <class Real>
class Mapped : public Engine {
  public:
    Mapped(Tables const& tables, DenseOptions const& options, Queue queue)
        : t_(tables), o_(options), queue_(std::move(queue)) {}

    Status begin() {
        auto const size = static_cast<std::size_t>(t_.cells());
        SLUICE_CHECK(psi_.put(queue_, std::vector<Real>(size)));
        SLUICE_CHECK(landed_.put(queue_, std::vector<Real>(size)));
        auto const lines = static_cast<std::size_t>(t_.angles * t_.plane());
        SLUICE_CHECK(deposit_.put(queue_, std::vector<double>(lines)));
        SLUICE_CHECK(reacted_.put(queue_, std::vector<double>(lines)));
        SLUICE_CHECK(fill_grid());
        SLUICE_CHECK(fill_losses());
        rows_ahead_ = t_.rows_ahead();
        return {};
    }

    Status step(StepKind const& kind, Tally& tally, Run& asked) override {
        if (!start_.empty()) SLUICE_CHECK(psi_.put(queue_, std::exchange(start_, {})));
        std::vector<Real> p;
        for (index i = 0; i < t_.energies; ++i)
            p.push_back(static_cast<Real>(t_.diffusion[size(i)] * kind.scatter / passes_of(i)));
        SLUICE_CHECK(diffusion_.put(queue_, std::move(p)));
        SLUICE_CHECK(sums_.put(queue_, std::vector<Sums>(size(t_.energies * t_.angles))));
        Grid<Real> g = grid_;
        g.diffusion = diffusion_.data();
        index const ahead = rows_ahead_ * t_.angles * t_.plane();
        for (int pass = 0; rows_ahead_ > 0 && pass + 1 < t_.most_passes(); ++pass) {
            SLUICE_CHECK(asked.check());
            SLUICE_CHECK(
                run(2 * rows_ahead_, LeaveAhead<Real>{g, psi_.data(), sums_.data(), pass}));
            SLUICE_CHECK(run(ahead, ScatterOnce<Real>{g, psi_.data(), landed_.data(), pass}));
            SLUICE_CHECK(run(ahead, Copy<Real>{landed_.data(), psi_.data()}));
        }
        SLUICE_CHECK(asked.check());
        SLUICE_CHECK(run(t_.cells(), Fly<Real>{g, psi_.data(), landed_.data(), kind.forward}));
        SLUICE_CHECK(asked.check());
        SLUICE_CHECK(run(t_.energies * t_.angles,
                         Account<Real>{g, losses_.stops, losses_.energy, losses_.nuclear,
                                       psi_.data(), landed_.data(), sums_.data(), kind.forward}));
        SLUICE_CHECK(run(t_.angles * t_.plane(),
                         Deposit<Real>{g, losses_.energy, losses_.nuclear_energy, landed_.data(),
                                       deposit_.data(), reacted_.data()}));
        SLUICE_CHECK(asked.check());
        SLUICE_CHECK(run(t_.cells(), SlowDown<Real>{g, sources_, landed_.data(), psi_.data()}));
        if (o_.threshold > 0)
            SLUICE_CHECK(run(t_.energies * t_.angles,
                             Trim<Real>{g, psi_.data(), sums_.data(), o_.threshold * scale<Real>}));
        SLUICE_TRY(std::vector<Sums> const sums, sums_.read(queue_));
        count(sums, kind, tally);
        return {};
    }

    Result<std::vector<double>> state() const override {
        std::vector<Real> psi = start_;
        if (psi.empty()) {
            SLUICE_TRY(psi, psi_.read(queue_));
        }
        std::vector<double> out;
        out.reserve(psi.size());
        for (Real const v : psi) out.push_back(static_cast<double>(v) / scale<Real>);
        return out;
    }
    Status set_state(std::vector<double> const& psi) override {
        std::vector<Real> values;
        values.reserve(psi.size());
        start_.clear();
        auto const lines = static_cast<std::size_t>(t_.angles * t_.plane());
        SLUICE_CHECK(deposit_.put(queue_, std::vector<double>(lines)));
        SLUICE_CHECK(reacted_.put(queue_, std::vector<double>(lines)));
        for (double const v : psi) values.push_back(static_cast<Real>(v * scale<Real>));
        return psi_.put(queue_, std::move(values));
    }
    // Lines are collected here until the first step, which takes them to the device.
    Status put(index i, index j, std::vector<double> const& columns) override {
        if (start_.empty()) start_.resize(size(t_.cells()));
        auto to = start_.begin() + (i * t_.angles + j) * t_.plane();
        for (double const v : columns) *to++ = static_cast<Real>(v * scale<Real>);
        return {};
    }
    Result<Share> inside() const override {
        Share s;
        std::vector<Real> psi = start_;
        if (psi.empty()) {
            SLUICE_TRY(psi, psi_.read(queue_));
        }
        index const row = t_.angles * t_.plane();
        for (index i = 0; i < t_.energies; ++i) {
            double sum = 0;
            for (index n = i * row; n < (i + 1) * row; ++n)
                sum += static_cast<double>(psi[size(n)]);
            s.weight += sum / scale<Real>;
            s.energy += sum / scale<Real> * t_.energy[size(i)];
        }
        return s;
    }
    Result<std::vector<double>> deposit() const override {
        SLUICE_TRY(std::vector<double> out, deposit_.read(queue_));
        for (double& v : out) v /= scale<Real>;
        return out;
    }
    Result<std::vector<double>> nuclear() const override {
        SLUICE_TRY(std::vector<double> const lines, reacted_.read(queue_));
        std::vector<double> out(size(t_.plane()));
        for (std::size_t n = 0; n < lines.size(); ++n)
            out[n % out.size()] += lines[n] / scale<Real>;
        return out;
    }
    std::size_t bytes() const override {
        return psi_.bytes() + landed_.bytes() + deposit_.bytes() + reacted_.bytes() +
               sums_.bytes() + tables_.bytes();
    }

  private:
    Tables const& t_;
    DenseOptions const& o_;
    mutable Queue queue_;  // to read is work, too
    std::vector<Real> start_;
    Place<Real> psi_, landed_, diffusion_;
    Place<double> deposit_, reacted_;
    Place<Sums> sums_;
    Mirror tables_;
    Grid<Real> grid_ = {};
    Sources<Real> sources_ = {};
    // [material][energy]
    struct {
        double const *stops, *energy, *nuclear, *nuclear_energy;
    } losses_ = {};
    index rows_ahead_ = 0;

    static std::size_t size(index n) { return static_cast<std::size_t>(n); }
    int passes_of(index i) const { return t_.passes[size(i)]; }

    template <class Kernel>
    Status run(index n, Kernel const& kernel) {
        return launch::map(queue_, n, kernel);
    }
    template <class T>
    Status carry(T const*& view, std::vector<T> values) {
        return tables_.carry(queue_, view, std::move(values));
    }

    Status fill_grid() {
        grid_.energies = t_.energies;
        grid_.angles = t_.angles;
        grid_.planes = t_.planes;
        grid_.columns = t_.columns;
        grid_.ring = t_.ring;
        std::vector<double> cosine, sine;
        for (index j = 0; j < t_.angles; ++j) {
            index const top = t_.energies - 1;
            Landing const l = landing(t_, top, j, 1);
            cosine.push_back(l.z / t_.path[size(top)]);
            sine.push_back(l.x / t_.path[size(top)]);
        }
        SLUICE_CHECK(carry(grid_.cosine, std::move(cosine)));
        SLUICE_CHECK(carry(grid_.sine, std::move(sine)));
        SLUICE_CHECK(carry(grid_.path, t_.path));
        SLUICE_CHECK(carry(grid_.allowed, t_.allowed));
        SLUICE_CHECK(
            carry(grid_.passes, std::vector<std::int32_t>(t_.passes.begin(), t_.passes.end())));
        std::vector<Real> scattering(size(t_.plane()), static_cast<Real>(t_.alone));
        for (std::size_t n = 0; n < t_.scattering.size(); ++n)
            scattering[n] = static_cast<Real>(t_.scattering[n]);
        SLUICE_CHECK(carry(grid_.scattering, std::move(scattering)));
        std::vector<std::uint16_t> material = t_.map;
        material.resize(size(t_.plane()));
        return carry(grid_.material, std::move(material));
    }

    Status fill_losses() {
        std::vector<double> stops, loss, nuclear, energy;
        std::vector<std::vector<std::pair<index, double>>> lists(t_.losses.size());
        for (std::size_t m = 0; m < t_.materials.size(); ++m)
            for (index i = 0; i < t_.energies; ++i) {
                Loss const& l = t_.loss(m, i);
                stops.push_back(l.stops);
                loss.push_back(l.energy);
                nuclear.push_back(l.nuclear);
                energy.push_back(l.nuclear * t_.energy[size(i)]);
                for (int k = 0; k < l.count; ++k)
                    lists[m * size(t_.energies) + size(l.to[k])].emplace_back(i, l.part[k]);
            }
        std::vector<std::int32_t> first{0}, from;
        std::vector<Real> part;
        for (auto const& list : lists) {
            for (auto const& [i, p] : list) {
                from.push_back(static_cast<std::int32_t>(i));
                part.push_back(static_cast<Real>(p));
            }
            first.push_back(static_cast<std::int32_t>(from.size()));
        }
        SLUICE_CHECK(carry(losses_.stops, std::move(stops)));
        SLUICE_CHECK(carry(losses_.energy, std::move(loss)));
        SLUICE_CHECK(carry(losses_.nuclear, std::move(nuclear)));
        SLUICE_CHECK(carry(losses_.nuclear_energy, std::move(energy)));
        SLUICE_CHECK(carry(sources_.first, std::move(first)));
        SLUICE_CHECK(carry(sources_.from, std::move(from)));
        return carry(sources_.part, std::move(part));
    }

    void count(std::vector<Sums> const& sums, StepKind const& kind, Tally& tally) const {
        for (index i = 0; i < t_.energies; ++i)
            for (index j = 0; j < t_.angles; ++j) {
                Sums const& s = sums[size(i * t_.angles + j)];
                double const e = t_.energy[size(i)];
                auto const add = [&](Share& to, double weight) {
                    to.weight += weight / scale<Real>;
                    to.energy += weight / scale<Real> * e;
                };
                add(tally.before, s.before);
                add(tally.left, s.left);
                add(tally.right, s.right);
                add(tally.front, s.front);
                add(tally.end, s.end);
                add(tally.angles, s.angles);
                add(tally.truncated, s.truncated);
                add(tally.nuclear, s.nuclear);
                if (!t_.allowed[size(j)]) add(tally.backward, s.before);
                tally.stopped.weight += s.stopped / scale<Real>;
                tally.stopped.energy += s.slowed / scale<Real>;
                tally.variance += s.before / scale<Real> * t_.variance[size(i)] * kind.scatter;
            }
        tally.cells += t_.cells();
    }
};

template <class Real>
Result<std::unique_ptr<Engine>> make(Tables const& t, DenseOptions const& o) {
    SLUICE_TRY(Queue queue, Queue::of(o.device));
    auto engine = std::make_unique<Mapped<Real>>(t, o, std::move(queue));
    SLUICE_CHECK(engine->begin());
    return std::unique_ptr<Engine>(std::move(engine));
}

}  // namespace

Result<std::unique_ptr<Engine>> make_mapped(Tables const& tables, DenseOptions const& options) {
    if (options.precision == Precision::f64) return make<double>(tables, options);
    return make<float>(tables, options);
}

}  // namespace sluice::proton::dense
