// Counts, counts times a gain, and values that are neither.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/counting.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/ptychography/poisson_floor.h"
#include "domain/ptychography/stage_kind.h"

namespace sluice::ptycho {

namespace {

using stem4d::Likelihood;

// work(value) for what is above 0 and not bad.
template <class Work>
void each_value(Measured const& measured, Work const& work) {
    auto const& patterns = measured.patterns;
    for (index j = 0; j < patterns.held(); j += patterns.held() / 50 + 1) {
        auto const values = counts_of<float>(measured, patterns.first + j);
        for (std::size_t q = 0; q < values.size(); ++q)
            if ((patterns.bad.empty() || !patterns.bad[q]) && values[q] > 0)
                work(static_cast<double>(values[q]));
    }
}

// Whether all but one in a hundred values are whole multiples of a value. Few values decide
// nothing, nor do floats so large that each is near a multiple.
bool are_multiples(Measured const& measured, Share const& share, double of, double fewest) {
    double seen[2] = {0, 0};
    each_value(measured, [&](double value) {
        double const times = value / of;
        constexpr double tells_apart = 4e5;
        if (of != 1 && times > tells_apart) return;
        ++seen[0];
        // A float has 24 bits.
        seen[1] += std::abs(times - std::round(times)) > 1e-3 + 2e-7 * times || times < 0.5;
    });
    share.sum(std::span<double>(seen));
    return seen[0] >= fewest && 100 * seen[1] <= seen[0];
}

}  // namespace

double value_of_count(Measured const& measured, Share const& share) {
    double least = HUGE_VAL;
    each_value(measured, [&](double value) { least = std::min(least, value); });
    // The value of the first rank, so that all ranks look for the same one.
    share.send(std::as_writable_bytes(std::span(&least, 1)), 0);
    constexpr double tells = 100;
    if (std::isfinite(least) && least != 1 && are_multiples(measured, share, least, tells))
        return least;
    return are_multiples(measured, share, 1, 0) ? 1 : 0;
}

double counting_noise(Totals const& totals, double count) {
    if (!(count > 0)) return 0;
    double noise = 0, all = 0;
    for (double const mean : totals.pattern) {
        noise += count * root_noise(mean / count);
        all += mean;
    }
    return all > 0 ? noise / all : 0;
}

void choose_likelihoods(double count, stem4d::PtychographyOptions& options,
                        std::vector<std::string>& notes) {
    bool wanted = false;
    for (auto& stage : options.stages) {
        bool const automatic = stage.likelihood == Likelihood::automatic;
        if (automatic) stage.likelihood = count > 0 ? Likelihood::poisson : Likelihood::amplitude;
        wanted = wanted || (automatic && chooses_likelihood(stage));
        stage.likelihood = fitted(stage);
    }
    if (wanted && !(count > 0))
        notes.emplace_back(
            "the values are neither whole numbers nor whole multiples of one number: amplitudes "
            "are fitted; if they are counts that were scaled or corrected, give --likelihood "
            "poisson");
    if (count > 0 && count != 1)
        notes.push_back(fmt::format(
            "all values are whole multiples of {:.6g}: they are taken as counts times that gain",
            count));
}

}  // namespace sluice::ptycho
