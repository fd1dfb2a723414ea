// Dense steps an element after the other: on the reference, and on devices out of reach.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>

#include "domain/proton/dense/engine.h"
#include "domain/proton/dense/remote.h"
#include "domain/proton/scale.h"
#include "launch/map.h"

namespace sluice::proton::dense {
namespace {

// Values where the kernels can reach them: here, or on a device.
template <class T>
class Place {
  public:
    Status fill(RemoteDevice* device, std::vector<T> values) {
        count_ = static_cast<index>(values.size());
        if (!device) {
            host_ = std::move(values);
            return {};
        }
        SLUICE_TRY(Buffer<T> b, Buffer<T>::of(*device, std::span<T const>(values)));
        // `values` must live until the copy is done.
        SLUICE_CHECK(device->wait());
        remote_.emplace(std::move(b));
        return {};
    }
    T* data() const { return remote_ ? remote_->data() : const_cast<T*>(host_.data()); }
    index count() const { return count_; }
    Result<std::vector<T>> read(RemoteDevice* device) const {
        if (!remote_) return host_;
        std::vector<T> out(static_cast<std::size_t>(count_));
        SLUICE_CHECK(remote_->download(std::span<T>(out)));
        SLUICE_CHECK(device->wait());
        return out;
    }
    std::size_t bytes() const { return static_cast<std::size_t>(count_) * sizeof(T); }

  private:
    std::vector<T> host_;
    std::optional<Buffer<T>> remote_;
    index count_ = 0;
};

template <class Real>
class Mapped : public Engine {
  public:
    Mapped(Tables const& tables, DenseOptions const& options, RemoteDevice* device)
        : t_(tables), o_(options), device_(device) {}

    Status begin() {
        auto const size = static_cast<std::size_t>(t_.cells());
        SLUICE_CHECK(psi_.fill(device_, std::vector<Real>(size)));
        SLUICE_CHECK(landed_.fill(device_, std::vector<Real>(size)));
        auto const lines = static_cast<std::size_t>(t_.angles * t_.plane());
        SLUICE_CHECK(deposit_.fill(device_, std::vector<double>(lines)));
        SLUICE_CHECK(reacted_.fill(device_, std::vector<double>(lines)));
        SLUICE_CHECK(fill_grid());
        SLUICE_CHECK(fill_losses());
        rows_ahead_ = t_.rows_ahead();
        return {};
    }

    Status step(StepKind const& kind, Tally& tally) override {
        if (!start_.empty()) SLUICE_CHECK(psi_.fill(device_, std::exchange(start_, {})));
        std::vector<Real> p;
        for (index i = 0; i < t_.energies; ++i)
            p.push_back(static_cast<Real>(t_.diffusion[size(i)] * kind.scatter / passes_of(i)));
        SLUICE_CHECK(diffusion_.fill(device_, std::move(p)));
        SLUICE_CHECK(sums_.fill(device_, std::vector<Sums>(size(t_.energies * t_.angles))));
        Grid<Real> const g = grid();
        index const ahead = rows_ahead_ * t_.angles * t_.plane();
        for (int pass = 0; rows_ahead_ > 0 && pass + 1 < t_.most_passes(); ++pass) {
            SLUICE_CHECK(
                run(2 * rows_ahead_, LeaveAhead<Real>{g, psi_.data(), sums_.data(), pass}));
            SLUICE_CHECK(run(ahead, ScatterOnce<Real>{g, psi_.data(), landed_.data(), pass}));
            SLUICE_CHECK(run(ahead, Copy<Real>{landed_.data(), psi_.data()}));
        }
        SLUICE_CHECK(run(t_.cells(), Fly<Real>{g, psi_.data(), landed_.data(), kind.forward}));
        SLUICE_CHECK(run(t_.energies * t_.angles,
                         Account<Real>{g, stops_.data(), loss_.data(), nuclear_part_.data(),
                                       psi_.data(), landed_.data(), sums_.data(), kind.forward}));
        SLUICE_CHECK(run(t_.angles * t_.plane(),
                         Deposit<Real>{g, loss_.data(), nuclear_energy_.data(), landed_.data(),
                                       deposit_.data(), reacted_.data()}));
        Sources<Real> const sources{first_.data(), from_.data(), part_.data()};
        SLUICE_CHECK(run(t_.cells(), SlowDown<Real>{g, sources, landed_.data(), psi_.data()}));
        if (o_.threshold > 0)
            SLUICE_CHECK(run(t_.energies * t_.angles,
                             Trim<Real>{g, psi_.data(), sums_.data(), o_.threshold * scale<Real>}));
        if (device_) SLUICE_CHECK(device_->wait());
        SLUICE_TRY(std::vector<Sums> const sums, sums_.read(device_));
        count(sums, kind, tally);
        return {};
    }

    Result<std::vector<double>> state() const override {
        std::vector<Real> psi = start_;
        if (psi.empty()) {
            SLUICE_TRY(psi, psi_.read(device_));
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
        SLUICE_CHECK(deposit_.fill(device_, std::vector<double>(lines)));
        SLUICE_CHECK(reacted_.fill(device_, std::vector<double>(lines)));
        for (double const v : psi) values.push_back(static_cast<Real>(v * scale<Real>));
        return psi_.fill(device_, std::move(values));
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
            SLUICE_TRY(psi, psi_.read(device_));
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
        SLUICE_TRY(std::vector<double> out, deposit_.read(device_));
        for (double& v : out) v /= scale<Real>;
        return out;
    }
    Result<std::vector<double>> nuclear() const override {
        SLUICE_TRY(std::vector<double> const lines, reacted_.read(device_));
        std::vector<double> out(size(t_.plane()));
        for (std::size_t n = 0; n < lines.size(); ++n)
            out[n % out.size()] += lines[n] / scale<Real>;
        return out;
    }
    std::size_t bytes() const override {
        return psi_.bytes() + landed_.bytes() + deposit_.bytes() + reacted_.bytes() +
               sums_.bytes() + scattering_.bytes() + material_.bytes() + part_.bytes() +
               from_.bytes();
    }

  private:
    Tables const& t_;
    DenseOptions const& o_;
    RemoteDevice* device_;  ///< null: here
    std::vector<Real> start_;
    Place<Real> psi_, landed_, diffusion_, scattering_, part_;
    Place<double> deposit_, reacted_, cosine_, sine_, path_, stops_, loss_, nuclear_part_,
        nuclear_energy_;
    Place<char> allowed_;
    Place<std::int32_t> passes_, first_, from_;
    Place<std::uint16_t> material_;
    Place<Sums> sums_;
    index rows_ahead_ = 0;

    static std::size_t size(index n) { return static_cast<std::size_t>(n); }
    int passes_of(index i) const { return t_.passes[size(i)]; }

    template <class Kernel>
    Status run(index n, Kernel const& kernel) {
        if (device_) return map_remote(*device_, n, kernel);
        launch::map(n, kernel);
        return {};
    }

    Grid<Real> grid() const {
        return {
            t_.energies,     t_.angles,         t_.planes,       t_.columns,         t_.ring,
            allowed_.data(), diffusion_.data(), passes_.data(),  scattering_.data(), cosine_.data(),
            sine_.data(),    path_.data(),      material_.data()};
    }

    Status fill_grid() {
        std::vector<double> cosine, sine;
        for (index j = 0; j < t_.angles; ++j) {
            index const top = t_.energies - 1;
            Landing const l = landing(t_, top, j, 1);
            cosine.push_back(l.z / t_.path[size(top)]);
            sine.push_back(l.x / t_.path[size(top)]);
        }
        SLUICE_CHECK(cosine_.fill(device_, std::move(cosine)));
        SLUICE_CHECK(sine_.fill(device_, std::move(sine)));
        SLUICE_CHECK(path_.fill(device_, t_.path));
        SLUICE_CHECK(allowed_.fill(device_, t_.allowed));
        SLUICE_CHECK(passes_.fill(device_, {t_.passes.begin(), t_.passes.end()}));
        std::vector<Real> scattering(size(t_.plane()), static_cast<Real>(t_.alone));
        for (std::size_t n = 0; n < t_.scattering.size(); ++n)
            scattering[n] = static_cast<Real>(t_.scattering[n]);
        SLUICE_CHECK(scattering_.fill(device_, std::move(scattering)));
        std::vector<std::uint16_t> material = t_.map;
        material.resize(size(t_.plane()));
        return material_.fill(device_, std::move(material));
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
        SLUICE_CHECK(stops_.fill(device_, std::move(stops)));
        SLUICE_CHECK(loss_.fill(device_, std::move(loss)));
        SLUICE_CHECK(nuclear_part_.fill(device_, std::move(nuclear)));
        SLUICE_CHECK(nuclear_energy_.fill(device_, std::move(energy)));
        SLUICE_CHECK(first_.fill(device_, std::move(first)));
        SLUICE_CHECK(from_.fill(device_, std::move(from)));
        return part_.fill(device_, std::move(part));
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
Result<std::unique_ptr<Engine>> make(Tables const& t, DenseOptions const& o, RemoteDevice* device) {
    auto engine = std::make_unique<Mapped<Real>>(t, o, device);
    SLUICE_CHECK(engine->begin());
    return std::unique_ptr<Engine>(std::move(engine));
}

}  // namespace

Result<std::unique_ptr<Engine>> make_mapped(Tables const& tables, DenseOptions const& options) {
    RemoteDevice* device = nullptr;
    if (options.device.remote()) {
        SLUICE_TRY(device, remote_device(options.device));
    }
    if (options.precision == Precision::f64) return make<double>(tables, options, device);
    return make<float>(tables, options, device);
}

}  // namespace sluice::proton::dense
