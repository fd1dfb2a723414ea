// The probe's centre, and findings as notes.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/judge/outcome.h"

#include <fmt/format.h>

#include <algorithm>

#include "sluice/ptychography_judge.h"

namespace sluice::ptycho {

template <class Real>
stem4d::Position center_of(std::vector<Planar<Real>> const& probe) {
    index const n = probe.front().rows();
    std::vector<double> power(static_cast<std::size_t>(n * n));
    for (auto const& mode : probe)
        for (index i = 0; i < n * n; ++i)
            power[static_cast<std::size_t>(i)] +=
                static_cast<double>(std::norm(mode.at(i / n, i % n)));
    double const least = 0.1 * *std::ranges::max_element(power);
    double sum = 0, row = 0, col = 0;
    for (index i = 0; i < n * n; ++i) {
        double const p = power[static_cast<std::size_t>(i)];
        if (p < least) continue;
        index const r = i / n, c = i % n;
        sum += p;
        row += p * static_cast<double>(r);
        col += p * static_cast<double>(c);
    }
    return sum > 0 ? stem4d::Position{row / sum, col / sum} : stem4d::Position{};
}

std::string note_of(stem4d::Judgement const& finding) {
    return fmt::format("{} ({:.3g}, threshold {:g}): {}", finding.name, finding.value,
                       finding.threshold, finding.advice);
}

void note_findings(stem4d::PtychographyResult& result) {
    auto findings = stem4d::judge(result);
    if (!findings) return;
    result.findings = *std::move(findings);
    for (auto const& finding : result.findings)
        if (finding.found) result.notes.push_back(note_of(finding));
}

template stem4d::Position center_of(std::vector<Planar<float>> const&);
template stem4d::Position center_of(std::vector<Planar<double>> const&);

}  // namespace sluice::ptycho
