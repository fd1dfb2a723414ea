// The options of gamma, and how they read.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/proton/gamma_criterion.h"

#include <fmt/format.h>

namespace sluice::cli {

void GammaCriterion::add(Verb const& app) {
    app.add_option("--dose", dose, "% of the reference's highest dose")
        ->check(positive())
        ->capture_default_str();
    app.add_option("--distance", distance, "mm")->check(positive())->capture_default_str();
    app.add_option("--cutoff", cutoff, "% of the highest dose; points below are left out")
        ->check(in_range(0.0, 100.0))
        ->capture_default_str();
    app.add_flag("--local", local, "--dose is a part of each point's own dose");
}

proton::GammaOptions GammaCriterion::options(int threads) const {
    proton::GammaOptions o;
    o.dose = dose / 100;
    o.distance = distance;
    o.local = local;
    o.cutoff = cutoff / 100;
    o.threads = threads;
    return o;
}

std::string GammaCriterion::words() const {
    return fmt::format("gamma {:g} %/{:g} mm, {}, above {:g} %", dose, distance,
                       local ? "local" : "global", cutoff);
}

Json GammaCriterion::json() const {
    return {{"dose_percent", dose},
            {"distance_mm", distance},
            {"local", local},
            {"cutoff_percent", cutoff}};
}

}  // namespace sluice::cli
