// The sum of readings.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "domain/@name@/readings.h"
#include "sluice/@name@.h"
#include "fold/fold_part.h"

namespace sluice::@name@ {
namespace {

/// An analysis is four functions (fold/analysis.h).
struct Sum {
    using Item = double;
    using Partial = double;
    using Result = double;

    Partial begin(fold::Range) const { return 0; }
    void add(Partial& to, std::span<double const> some) const {
        for (double v : some) to += v;
    }
    void merge(Partial& to, Partial const& from) const { to += from; }
    Result finish(Partial sum) const { return sum; }
};

}  // namespace

Result<double> total(std::span<double const> readings, Options const& options) {
    for (std::size_t i = 0; i < readings.size(); ++i)
        if (!std::isfinite(readings[i]))
            return Error{Code::invalid_argument,
                         fmt::format("reading {} is {} (sums need finite numbers) leave it out", i,
                                     readings[i])};
    auto const all = static_cast<std::uint64_t>(readings.size());
    fold::RunOptions run{.threads = options.device.threads()};
    if (options.progress)
        run.progress = [&](index done) {
            return options.progress(static_cast<std::uint64_t>(done), all);
        };
    return fold::fold(Readings(readings), Sum{}, run);
}

}  // namespace sluice::@name@
