// The plain step: patterns one by one through PatternWork, on any number of threads.
// SPDX-License-Identifier: Apache-2.0

#include "device/workers.h"
#include "domain/ptychography/counts.h"
#include "domain/ptychography/overlap.h"
#include "domain/ptychography/step/pattern_work.h"

namespace sluice::ptycho {

namespace {

template <class Real>
class PlainStep final : public PatternStep<Real> {
  public:
    PlainStep(Model const& model, Measured const& measured, Optics<Real> optics)
        : model_(model), measured_(measured), optics_(std::move(optics)) {}

    void gradients(State<Real> const& state, std::span<index const> group, Wanted wanted,
                   std::span<Gradients<Real>> out, int threads) const override {
        each(std::ssize(group), threads, [&](PatternWork<Real>& work, index i) {
            auto const at = static_cast<std::size_t>(i);
            work.run(state, group[at], counts_of<Real>(measured_, group[at]),
                     measured_.patterns.bad, wanted, out[at]);
        });
    }

    void add_gradients(State<Real> const& state, std::span<index const> group, Wanted wanted,
                       std::span<Gradients<Real>> out, Sums<Real>& sums,
                       int threads) const override {
        for (auto& plane : sums.probe) plane = Planar<Real>(model_.window, model_.window);
        constexpr std::size_t together = 32;  // so that a large group takes little memory
        std::vector<Gradients<Real>> some =
            reserve(model_, state, std::min<index>(together, std::ssize(group)));
        for (std::size_t first = 0; first < group.size(); first += together) {
            auto const part = group.subspan(first, std::min(together, group.size() - first));
            gradients(state, part, wanted, std::span(some).first(part.size()), threads);
            add_up(state, part, some, sums, threads);
            for (std::size_t i = 0; i < part.size(); ++i) {
                auto& to = out[first + i];
                // The planes stay here, for the next part.
                auto object = std::move(some[i].object), probe = std::move(some[i].probe);
                to = some[i];
                some[i].object = std::move(object);
                some[i].probe = std::move(probe);
            }
        }
    }

    void project(State<Real> const& state, std::span<index const> group,
                 Projection const& projection, std::span<Planar<Real>> waves,
                 std::span<Errors> errors, int threads) const override {
        std::size_t const k = state.probe.size();
        each(std::ssize(group), threads, [&](PatternWork<Real>& work, index i) {
            auto const at = static_cast<std::size_t>(i);
            errors[at] = work.project(state, group[at], counts_of<Real>(measured_, group[at]),
                                      measured_.patterns.bad, projection, waves.subspan(at * k, k));
        });
    }

    void lines(State<Real> const& state, State<Real> const& way, std::span<index const> group,
               std::span<Line> out, int threads) const override {
        each(std::ssize(group), threads, [&](PatternWork<Real>& work, index i) {
            auto const at = static_cast<std::size_t>(i);
            out[at] = work.line(state, way, group[at], counts_of<Real>(measured_, group[at]),
                                measured_.patterns.bad);
        });
    }

    void spread(Planar<Real>& wave) const override {
        Wave<Real> z;
        to_wave(wave, z);
        optics_.propagate(z);
        from_wave(z, wave);
    }

    Model const& model() const override { return model_; }

    void set_slices(double slice_nm, std::array<double, 2> tilt_rad) override {
        model_.slice_nm = slice_nm;
        model_.tilt_rad = tilt_rad;
        optics_.set_slices(model_);
    }

  private:
    void add_up(State<Real> const& state, std::span<index const> group,
                std::vector<Gradients<Real>> const& gradients, Sums<Real>& sums,
                int threads) const {
        index const n = model_.window;
        std::vector<WindowPlace> places;
        for (index j : group)
            places.push_back(
                place_of(state.positions[static_cast<std::size_t>(j)], model_.sub_pixel));
        for (std::size_t s = 0; s < sums.object.size(); ++s)
            each_canvas_row<Real>(
                places, n, {sums.object[s].rows(), sums.object[s].cols()}, 2, threads,
                [&](index w, index r, Real* const* to) {
                    auto const& plane = gradients[static_cast<std::size_t>(w)].object[s];
                    for (index c = 0; c < n; ++c) {
                        to[0][c] += plane.re(r)[c];
                        to[1][c] += plane.im(r)[c];
                    }
                },
                [&](index y, index first, index last, Real* const* row) {
                    for (index x = first; x < last; ++x) {
                        sums.object[s].re(y)[x] += row[0][x];
                        sums.object[s].im(y)[x] += row[1][x];
                    }
                });
        for (std::size_t k = 0; k < sums.probe.size(); ++k)
            parallel_for(n, threads, 8, [&](index r, int) {
                Real* const to = sums.probe[k].re(r);
                for (std::size_t w = 0; w < group.size(); ++w) {
                    Real const* const from = gradients[w].probe[k].re(r);
                    for (index i = 0; i < 2 * sums.probe[k].half(); ++i) to[i] += from[i];
                }
            });
    }

    template <class Work>
    void each(index n, int threads, Work const& work) const {
        std::vector<std::unique_ptr<PatternWork<Real>>> works(
            static_cast<std::size_t>(std::max(threads, 1)));
        parallel_for(n, threads, 1, [&](index i, int worker) {
            auto& mine = works[static_cast<std::size_t>(worker)];
            if (!mine) mine = std::make_unique<PatternWork<Real>>(model_, optics_);
            work(*mine, i);
        });
    }

    Model model_;
    Measured const& measured_;
    Optics<Real> optics_;
};

}  // namespace

template <class Real>
std::vector<Gradients<Real>> reserve(Model const& model, State<Real> const& state, index count) {
    std::vector<Gradients<Real>> out(static_cast<std::size_t>(count));
    for (auto& gradients : out) {
        gradients.object.assign(state.object.size(), Planar<Real>(model.window, model.window));
        gradients.probe.assign(state.probe.size(), Planar<Real>(model.window, model.window));
        reserve_background(gradients, state);
    }
    return out;
}

template <class Real>
Sums<Real> reserve_sums(Model const& model, State<Real> const& state) {
    Sums<Real> sums;
    for (auto const& slice : state.object) sums.object.emplace_back(slice.rows(), slice.cols());
    sums.probe.assign(state.probe.size(), Planar<Real>(model.window, model.window));
    return sums;
}

template <class Real>
Result<std::unique_ptr<PatternStep<Real>>> make_plain_step(Model const& model,
                                                           Measured const& measured) {
    SLUICE_TRY(auto optics, Optics<Real>::make(model));
    return std::unique_ptr<PatternStep<Real>>(
        std::make_unique<PlainStep<Real>>(model, measured, std::move(optics)));
}

template std::vector<Gradients<float>> reserve(Model const&, State<float> const&, index);
template std::vector<Gradients<double>> reserve(Model const&, State<double> const&, index);
template Sums<float> reserve_sums(Model const&, State<float> const&);
template Sums<double> reserve_sums(Model const&, State<double> const&);
template Result<std::unique_ptr<PatternStep<float>>> make_plain_step(Model const&, Measured const&);
template Result<std::unique_ptr<PatternStep<double>>> make_plain_step(Model const&,
                                                                      Measured const&);

}  // namespace sluice::ptycho
