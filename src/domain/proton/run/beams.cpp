// Marching the beams of a configuration.
// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "domain/proton/guards/spread.h"
#include "fold/fold_part.h"
#include "sluice/proton_run.h"

namespace sluice::proton {
namespace {

Result<MarchResult> run_dense(Config const& config, Physics const& physics, Beam const& beam,
                              MarchOptions const& march) {
    DenseOptions o = *config.dense;
    o.scattering = march.scattering;
    o.straggling = march.straggling;
    o.nuclear = march.nuclear;
    o.out_of_plane = march.out_of_plane;
    o.splitting = march.splitting;
    o.precision = march.precision;
    o.device = march.device.with_threads(march.threads);
    o.progress = march.progress;
    o.trace = march.trace;
    SLUICE_TRY(DenseSolver solver, DenseSolver::create(physics, config.phantom, beam, o));
    SLUICE_CHECK(solver.run());
    return solver.result();
}

// The beams of a configuration as items to fold: what each leaves.
class Beams {
  public:
    using Item = MarchResult;

    class Reader {
      public:
        explicit Reader(Beams const& beams) : beams_(beams) {}
        Result<fold::Batch<MarchResult>> read(fold::Range range) {
            SLUICE_TRY(result_, beams_.march(range.first));
            return fold::Batch<MarchResult>{{&result_, 1}, range.first + 1};
        }

      private:
        Beams const& beams_;
        MarchResult result_;
    };

    Beams(Config const& config, Physics const& physics, MarchOptions const& options,
          Progress const& progress)
        : config_(config), physics_(physics), options_(options), progress_(progress) {}

    index groups() const { return std::ssize(config_.beams); }
    fold::Range group(index number) const { return {number, number + 1}; }
    Reader reader(int) const { return Reader(*this); }
    void retire(Reader&) const {}

  private:
    Result<MarchResult> march(index number) const {
        MarchOptions options = options_;
        auto const beams = static_cast<std::uint64_t>(groups());
        auto const before = static_cast<std::uint64_t>(number);
        options.progress = [&](std::uint64_t done, std::uint64_t planes) {
            return !progress_ || progress_(before * planes + done, beams * planes);
        };
        return march_beam(config_, physics_, config_.beams[static_cast<std::size_t>(number)],
                          options);
    }

    Config const& config_;
    Physics const& physics_;
    MarchOptions const& options_;
    Progress const& progress_;
};

// What beams leave together; the first is taken as it is.
struct Sum {
    using Item = MarchResult;
    using Partial = std::optional<MarchResult>;
    using Result = MarchResult;

    Partial begin(fold::Range) const { return {}; }
    void add(Partial& to, std::span<MarchResult const> some) const {
        for (MarchResult const& r : some) merge(to, r);
    }
    void merge(Partial& to, Partial const& from) const {
        if (!from) return;
        if (to)
            proton::add(*to, *from);
        else
            to = from;
    }
    MarchResult finish(Partial sum) const { return std::move(sum).value_or(MarchResult{}); }
};

}  // namespace

Result<MarchResult> march_beam(Config const& config, Physics const& physics, Beam const& beam,
                               MarchOptions const& options) {
    if (config.dense) return run_dense(config, physics, beam, options);
    SLUICE_TRY(MarchResult r, march(physics, config.phantom, beam, options));
    guards::beside_theory(physics, config.phantom, beam, r, options.straggling);
    return r;
}

Result<MarchResult> march_beams(Config const& config, int threads, Progress const& progress,
                                Trace* trace) {
    Physics const physics(config.water);
    MarchOptions options = config.options;
    options.threads = threads;
    options.let_map = true;
    options.trace = trace;
    // One beam after the other: each takes all threads.
    return fold::fold(Beams(config, physics, options, progress), Sum{}, {.threads = 1});
}

}  // namespace sluice::proton
