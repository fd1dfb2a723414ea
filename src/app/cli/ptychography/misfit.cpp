// Tries what a misfit may come from, and says which options mend it.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/ptychography/misfit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/ptychography/axes.h"
#include "sluice/ptychography_judge.h"

namespace sluice::cli {
namespace {

AxesMatrix after(std::array<double, 4> const& m, AxesMatrix const& axes) {
    AxesMatrix product{};
    for (std::size_t i : {0U, 1U})
        for (std::size_t k : {0U, 1U})
            product[i][k] = m[2 * i] * axes[0][k] + m[2 * i + 1] * axes[1][k];
    return product;
}

// The options that mend a cause; empty: what the library says of it will do.
std::string options_for(stem4d::TriedCause const& cause, SearchInput const& input) {
    bool const turns = cause.name == "rotation" || cause.name == "transpose";
    auto const* const* const scan = std::get_if<stem4d::PatternsOptions const*>(&input.geometry);
    if (scan) {
        if (!(*scan)->positions.empty()) return {};
        std::string const way = scan_options(after(cause.turn, axes_of(**scan)), 1e1).words;
        bool const slanted = std::min(std::abs(cause.turn[0]), std::abs(cause.turn[1])) > 0.01;
        if (turns)
            return fmt::format("give {}{}", slanted ? "about " : "", way) +
                   (slanted ? " (center-of-mass --rotation auto measures it on the whole scan)"
                            : "");
        if (cause.name == "defocus sign")
            return fmt::format(
                "give --defocus of the other sign, or {}, which is the same to the patterns", way);
        if (cause.name == "unit of positions")
            return fmt::format("give a --scan-step-nm that is {:.4g} times as large",
                               cause.turn[0]);
    }
    if (cause.name == "modes") return "give more --modes";
    // A file's axes can be exchanged and turned around only.
    double const slant = std::min(std::abs(cause.turn[0]), std::abs(cause.turn[1]));
    if (scan || !turns || slant > 0.01) return {};
    auto const& file = *std::get<stem4d::PatternFileOptions const*>(input.geometry);
    return "give " + file_options(after(cause.turn, axes_of(file))).words;
}

}  // namespace

void explain_misfit(stem4d::PtychographyResult& result, stem4d::Patterns const& part,
                    SearchInput const& input) {
    ProgressBar bar("try causes of the misfit", ProgressBar::Counts::steps);
    auto options = input.options;
    options.progress = bar.callback();
    Status const tried = stem4d::explain_misfit(
        result, part, options, [&](auto const& cause) { return options_for(cause, input); });
    if (!tried)
        result.notes.push_back("causes of the misfit were not tried: " + tried.error().message);
}

Json findings_json(stem4d::PtychographyResult const& result) {
    Json all = Json::array();
    for (auto const& f : result.findings) {
        all.push_back({{"name", f.name},
                       {"value", f.value},
                       {"threshold", f.threshold},
                       {"found", f.found},
                       {"advice", f.advice}});
        if (f.cause.empty()) continue;
        all.back()["cause"] = f.cause;
        all.back()["tried_r"] = f.tried_r;
        for (auto const& tried : f.tried)
            all.back()["tried"].push_back({{"name", tried.name},
                                           {"r", tried.r},
                                           {"turn", tried.turn},
                                           {"advice", tried.advice}});
    }
    return all;
}

}  // namespace sluice::cli
