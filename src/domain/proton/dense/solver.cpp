// The dense mode: the beam, its steps, and their deposits.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/run.h"
#include "domain/proton/dense/engine.h"
#include "domain/proton/marching/grid.h"
#include "domain/proton/marching/secondaries.h"

namespace sluice::proton {
namespace dense {

void Tally::add(Tally const& o) {
    before += o.before;
    left += o.left;
    right += o.right;
    front += o.front;
    end += o.end;
    backward += o.backward;
    angles += o.angles;
    truncated += o.truncated;
    nuclear += o.nuclear;
    stopped += o.stopped;
    variance += o.variance;
    cells += o.cells;
}

namespace {

// The parts of a beam over energies: what spreads, and two energies around each of its places.
std::vector<double> over_energies(Tables const& t, double mean, double sigma) {
    std::vector<double> out(t.energy.size());
    int const n = sigma > 0 ? 401 : 1;
    double sum = 0;
    for (int k = 0; k < n; ++k) {
        double const u = n == 1 ? 0 : -5 + 10.0 * k / (n - 1), w = std::exp(-u * u / 2);
        Between const two = between(t.energy, mean + u * sigma);
        auto const low = static_cast<std::size_t>(two.low);
        out[low] += w * (1 - two.high_part);
        if (two.high_part > 0) out[low + 1] += w * two.high_part;
        sum += w;
    }
    for (double& w : out) w /= sum;
    return out;
}

std::vector<double> over_angles(Tables const& t, Beam const& beam) {
    double const step = t.angle[1] - t.angle[0];
    Between const two = between(t.angle, beam.angle);
    double const variance = std::pow(beam.divergence / step, 2);
    std::vector<double> out = marching::spread(t.angles, two.low, variance);
    std::vector<double> const next =
        marching::spread(t.angles, std::min(two.low + 1, t.angles - 1), variance);
    for (std::size_t j = 0; j < out.size(); ++j)
        out[j] = (1 - two.high_part) * out[j] + two.high_part * next[j];
    return out;
}

std::vector<double> over_columns(Phantom const& p, double mean, double sigma) {
    std::vector<double> out;
    for (index x = 0; x < p.columns; ++x) {
        double const left = p.x0 + static_cast<double>(x) * p.dx;
        out.push_back(sigma > 0 ? marching::part_between(left, left + p.dx, mean, sigma)
                                : (mean >= left && mean < left + p.dx ? 1 : 0));
    }
    return out;
}

}  // namespace
}  // namespace dense

using dense::Tables;

struct DenseSolver::Parts {
    Parts(Physics const& p, Phantom const& where, Beam const& b, DenseOptions const& o, Tables t)
        : physics(p), phantom(where), beam(b), options(o), tables(std::move(t)) {}

    Physics const& physics;
    Phantom phantom;
    Beam beam;
    DenseOptions options;
    Tables tables;
    std::unique_ptr<dense::Engine> engine;
    Ledger ledger;
    double entrance = 0;      ///< MeV that the beam left on its way to the middle of plane 0
    double out_of_plane = 0;  ///< variance
    double worst_weight = 0, worst_energy = 0;
    Share last;  ///< what flew after the last step, as it should be
    index steps = 0, cells = 0;
    bool stopped = false;  ///< within a step: the state is not valid

    Status whole() const {
        if (!stopped) return {};
        return Error{Code::invalid_argument,
                     "the solver was stopped within a step (its state is half changed) give it a "
                     "state, or make another solver"};
    }

    Status begin() {
        out_of_plane = beam.divergence * beam.divergence;
        // It begins at the first plane's face, and the plane's place is its middle.
        double const half = phantom.dz / 2 / std::cos(beam.angle);
        double const mean = physics.energy(dense::range_inside(physics, phantom, beam));
        std::vector<double> const e = dense::over_energies(tables, mean, beam.energy_spread);
        std::vector<double> const a = dense::over_angles(tables, beam);
        double const tilt =
            beam.divergence > 0 ? beam.covariance / (beam.divergence * beam.divergence) : 0;
        double const own = std::sqrt(
            std::max(0.0, beam.sigma_x * beam.sigma_x - std::pow(tilt * beam.divergence, 2)));
        for (std::size_t j = 0; j < a.size(); ++j) {
            if (a[j] == 0) continue;
            double const at =
                beam.x + tilt * (tables.angle[j] - beam.angle) + half * std::sin(tables.angle[j]);
            std::vector<double> const x = dense::over_columns(phantom, at, own);
            for (std::size_t i = 0; i < e.size(); ++i) {
                if (e[i] == 0) continue;
                std::vector<double> line;
                for (double const w : x) line.push_back(w * e[i] * a[j]);
                SLUICE_CHECK(engine->put(static_cast<index>(i), static_cast<index>(j), line));
            }
        }
        SLUICE_TRY(Share const inside, engine->inside());
        ledger = {};
        entrance = inside.weight * std::max(0.0, beam.energy - mean);
        // What begins beside the phantom has the same energies as the rest.
        double const energy = (inside.energy + entrance) / inside.weight;
        ledger.in = {1, energy};
        ledger.stopped.energy = entrance;
        // And the weight beyond the grid's angles.
        double const outside = std::max(0.0, 1 - std::accumulate(a.begin(), a.end(), 0.0));
        ledger.angles = {outside, outside * energy};
        Share& beside = beam.x < phantom.x0 + phantom.width() / 2 ? ledger.left : ledger.right;
        double const rest = 1 - inside.weight - outside;
        beside = {rest, rest * energy};
        last = inside;
        return {};
    }

    Status step() {
        dense::StepKind kind;
        if (options.splitting == Splitting::strang && steps == 0) kind.scatter = 0.5;
        if (options.out_of_plane && options.scattering) kind.forward = 1 / (1 + out_of_plane / 2);
        dense::Tally t;
        SLUICE_CHECK(whole());
        auto const ended = static_cast<std::uint64_t>(1000 * std::max(0.0, 1 - last.weight));
        Run::Told const ask = [&](index) { return options.progress(ended, 1000); };
        Run run(options.progress ? ask : Run::Told());
        Status const done = engine->step(kind, t, run);
        stopped = !done;
        SLUICE_CHECK(done);
        ++steps;
        cells += t.cells;
        ledger.left += t.left;
        ledger.right += t.right;
        ledger.front += t.front;
        ledger.end += t.end;
        ledger.backward += t.backward;
        ledger.angles += t.angles;
        ledger.truncated += t.truncated;
        ledger.nuclear += t.nuclear;
        ledger.stopped += t.stopped;
        // The step's sum must equal the weight that the one before left.
        Share found = t.before;
        found += t.angles;
        worst_weight = std::max(worst_weight, std::abs(found.weight - last.weight));
        worst_energy = std::max(worst_energy, std::abs(found.energy - last.energy) / beam.energy);
        for (Share const& s : {t.angles, t.left, t.right, t.front, t.end, t.backward, t.truncated,
                               t.nuclear, t.stopped})
            found -= s;
        if (t.before.weight > 0) out_of_plane += tables.alone * t.variance / t.before.weight;
        last = found;
        return {};
    }

    // Deposits are put back by half of the step that they were made on.
    void draw_back(std::vector<double> const& deposit, std::vector<double>& out) const {
        index const top = tables.energies - 1;
        for (index j = 0; j < tables.angles; ++j) {
            dense::Landing const to = dense::landing(tables, top, j, 1);
            double const dz = -to.z / 2, dx = -to.x / 2;
            for (index z = 0; z < tables.planes; ++z)
                for (index x = 0; x < tables.columns; ++x) {
                    double const e = deposit[static_cast<std::size_t>(
                        (j * tables.planes + z) * tables.columns + x)];
                    if (e != 0)
                        share_out(e, static_cast<double>(z) + dz, static_cast<double>(x) + dx, out);
                }
        }
    }
    // Between the four cells around; places beside the grid take its edge's value.
    void share_out(double energy, double z, double x, std::vector<double>& out) const {
        double const fz = z - std::floor(z), fx = x - std::floor(x);
        auto const put = [&](double part, double atz, double atx) {
            auto const iz = std::clamp<index>(static_cast<index>(atz), 0, tables.planes - 1);
            auto const ix = std::clamp<index>(static_cast<index>(atx), 0, tables.columns - 1);
            out[static_cast<std::size_t>(iz * tables.columns + ix)] += part * energy;
        };
        put((1 - fz) * (1 - fx), std::floor(z), std::floor(x));
        put((1 - fz) * fx, std::floor(z), std::floor(x) + 1);
        put(fz * (1 - fx), std::floor(z) + 1, std::floor(x));
        put(fz * fx, std::floor(z) + 1, std::floor(x) + 1);
    }

    Result<MarchResult> result() const {
        SLUICE_CHECK(whole());
        MarchResult r;
        r.planes = phantom.planes;
        r.columns = phantom.columns;
        r.dz = phantom.dz;
        r.dx = phantom.dx;
        r.x0 = phantom.x0;
        r.density = density_map(phantom);
        r.deposit.resize(static_cast<std::size_t>(tables.plane()));
        SLUICE_TRY(std::vector<double> const deposit, engine->deposit());
        SLUICE_TRY(std::vector<double> const nuclear, engine->nuclear());
        draw_back(deposit, r.deposit);
        std::vector<double> const x = dense::over_columns(phantom, beam.x, beam.sigma_x);
        double const all = std::accumulate(x.begin(), x.end(), 0.0);
        for (std::size_t k = 0; k < x.size() && all > 0; ++k) r.deposit[k] += entrance * x[k] / all;
        r.ledger = ledger;
        SLUICE_TRY(r.ledger.inside, engine->inside());
        if (options.nuclear) follow_secondaries(nuclear, r);
        double const w = beam.weight;
        for (double& d : r.deposit) d *= w;
        for (Share* s : {&r.ledger.in, &r.ledger.stopped, &r.ledger.left, &r.ledger.right,
                         &r.ledger.end, &r.ledger.front, &r.ledger.backward, &r.ledger.angles,
                         &r.ledger.nuclear, &r.ledger.truncated, &r.ledger.inside}) {
            s->weight *= w;
            s->energy *= w;
        }
        for (double* e :
             {&r.ledger.local, &r.ledger.secondary, &r.ledger.neutral, &r.ledger.secondary_out})
            *e *= w;
        r.worst_weight = worst_weight;
        r.worst_energy = worst_energy;
        r.cells = cells;
        return r;
    }

    // As the march does, with the beam's energy along its way.
    void follow_secondaries(std::vector<double> const& nuclear, MarchResult& r) const {
        marching::Secondaries secondaries(phantom, beam.angle, false);
        marching::Halo halo(physics, phantom, beam, true);
        double range = physics.range(beam.energy);
        index const column =
            std::clamp<index>(static_cast<index>(std::floor((beam.x - phantom.x0) / phantom.dx)), 0,
                              phantom.columns - 1);
        for (index z = 0; z < phantom.planes; ++z) {
            std::vector<double> const here(
                nuclear.begin() + static_cast<std::ptrdiff_t>(z * phantom.columns),
                nuclear.begin() + static_cast<std::ptrdiff_t>((z + 1) * phantom.columns));
            double const energy = std::max(1.0, physics.energy(std::max(range, 0.0)));
            std::vector<double> const all(here.size(), energy);
            halo.fly(z, r);
            secondaries.step(z, here, physics, all, halo, r);
            halo.finish(z, r);
            range -= phantom.dz / std::cos(beam.angle) *
                     physics.relative_stopping_power(phantom.at(z, column), energy);
        }
        r.ledger.secondary_out = secondaries.waiting() + halo.secondaries();
    }
};

DenseSolver::DenseSolver(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
DenseSolver::~DenseSolver() = default;
DenseSolver::DenseSolver(DenseSolver&&) noexcept = default;

Result<DenseSolver> DenseSolver::create(Physics const& physics, Phantom const& phantom,
                                        Beam const& beam, DenseOptions const& options) {
    SLUICE_TRY(Tables tables, dense::make_tables(physics, phantom, beam, options));
    auto parts = std::make_unique<Parts>(physics, phantom, beam, options, std::move(tables));
    bool const here = options.device.kind() == Device::Kind::cpu;
    if (here) {
        parts->engine = dense::make_fused(parts->tables, parts->options);
    } else {
        SLUICE_TRY(parts->engine, dense::make_mapped(parts->tables, parts->options));
    }
    SLUICE_CHECK(parts->begin());
    return DenseSolver(std::move(parts));
}

Status DenseSolver::step() {
    return parts_->step();
}

Status DenseSolver::run() {
    // Everything has stopped after the longest range, or never will.
    Tables const& t = parts_->tables;
    double const longest =
        parts_->physics.range(t.energy.back()) + parts_->phantom.depth() + parts_->phantom.width();
    auto const most = static_cast<index>(std::ceil(10 * longest / t.step)) + 10;
    for (index n = 0; n < most && parts_->last.weight > 1e-9; ++n) {
        auto const ended =
            static_cast<std::uint64_t>(1000 * std::max(0.0, 1 - parts_->last.weight));
        SLUICE_CHECK(tell_progress(parts_->options.progress, ended, 1000));
        Step const traced(parts_->options.trace, Phase::transport, 0, n);
        SLUICE_CHECK(step());
    }
    return {};
}

Result<MarchResult> DenseSolver::result() const {
    return parts_->result();
}
index DenseSolver::steps() const {
    return parts_->steps;
}
std::vector<double> const& DenseSolver::energies() const {
    return parts_->tables.energy;
}
std::vector<double> const& DenseSolver::angles() const {
    return parts_->tables.angle;
}
Result<std::vector<double>> DenseSolver::state() const {
    SLUICE_CHECK(parts_->whole());
    return parts_->engine->state();
}
Status DenseSolver::set_state(std::vector<double> const& psi) {
    if (psi.size() != static_cast<std::size_t>(parts_->tables.cells()))
        return Error{Code::invalid_argument, "a state of another size than the grid's"};
    for (double const v : psi)
        if (!(v >= 0 && std::isfinite(v)))
            return Error{Code::invalid_argument, "a state with a weight that is negative or NaN"};
    SLUICE_CHECK(parts_->engine->set_state(psi));
    parts_->stopped = false;
    SLUICE_TRY(parts_->last, parts_->engine->inside());
    parts_->ledger = {};
    parts_->steps = parts_->cells = 0;
    parts_->out_of_plane = std::pow(parts_->beam.divergence, 2);
    parts_->worst_weight = parts_->worst_energy = 0;
    parts_->ledger.in = parts_->last;
    parts_->entrance = 0;
    return {};
}
DenseOperators DenseSolver::operators() const {
    Tables const& t = parts_->tables;
    DenseOperators o;
    for (index i = 0; i < t.energies; ++i) {
        auto const k = static_cast<std::size_t>(i);
        o.passes.push_back(t.passes[k]);
        o.diffusion.push_back(t.diffusion[k] * t.alone / t.passes[k]);
        dense::Loss const& loss = t.loss(0, i);
        o.deposit.push_back(loss.energy);
        for (int n = 0; n < 3; ++n) {
            o.to.push_back(n < loss.count ? loss.to[n] : -1);
            o.part.push_back(n < loss.count ? loss.part[n] : 0);
        }
        for (index j = 0; j < t.angles; ++j) {
            dense::Landing const to = dense::landing(t, i, j, 1);
            o.z.push_back(to.z);
            o.x.push_back(to.x);
        }
    }
    return o;
}
std::size_t DenseSolver::bytes() const {
    return parts_->engine->bytes();
}

}  // namespace sluice::proton
