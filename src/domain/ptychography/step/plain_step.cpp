// The plain step: patterns one by one through PatternWork, on any number of threads.
// SPDX-License-Identifier: Apache-2.0

#include "device/workers.h"
#include "domain/ptychography/counts.h"
#include "domain/ptychography/step/pattern_work.h"

namespace sluice::ptycho {

namespace {

template <class Real>
class PlainStep final : public Step<Real> {
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

    Model const& model() const override { return model_; }

  private:
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
        gradients.background.resize(state.background.size());
    }
    return out;
}

template <class Real>
Result<std::unique_ptr<Step<Real>>> make_plain_step(Model const& model, Measured const& measured) {
    SLUICE_TRY(auto optics, Optics<Real>::make(model));
    return std::unique_ptr<Step<Real>>(
        std::make_unique<PlainStep<Real>>(model, measured, std::move(optics)));
}

template std::vector<Gradients<float>> reserve(Model const&, State<float> const&, index);
template std::vector<Gradients<double>> reserve(Model const&, State<double> const&, index);
template Result<std::unique_ptr<Step<float>>> make_plain_step(Model const&, Measured const&);
template Result<std::unique_ptr<Step<double>>> make_plain_step(Model const&, Measured const&);

}  // namespace sluice::ptycho
