// The search for positions: random places about each, ever nearer, and the least error stays.
// SPDX-License-Identifier: Apache-2.0
#include "base/splitmix.h"
#include "domain/ptychography/refine/refine.h"

namespace sluice::ptycho {

namespace {

// In [-1, 1), the same on every machine.
double drawn_between(std::uint64_t seed, index round, index candidate, std::size_t pattern,
                     int axis) {
    std::uint64_t at = splitmix::mix(seed + 2);
    for (std::uint64_t of :
         {static_cast<std::uint64_t>(round), static_cast<std::uint64_t>(candidate),
          static_cast<std::uint64_t>(pattern), static_cast<std::uint64_t>(axis)})
        at = splitmix::mix(at + splitmix::golden * (of + 1));
    return static_cast<double>(at >> 11) * 0x1p-52 - 1;
}

// Of the patterns that are here, into `all`.
template <class Real>
Status own_errors(Job<Real>& job, std::vector<double>& all) {
    std::vector<index> group;
    index const end = job.share.first() + job.share.count();
    for (index first = job.share.first(); first < end; first += std::ssize(group)) {
        index const count = std::min(std::ssize(job.gradients), end - first);
        group.resize(static_cast<std::size_t>(count));
        for (index i = 0; i < count; ++i) group[static_cast<std::size_t>(i)] = first + i;
        auto const room = std::span(job.gradients).first(group.size());
        job.step.gradients(job.state, group, {.errors_only = true}, room, job.threads);
        for (std::size_t i = 0; i < group.size(); ++i)
            all[static_cast<std::size_t>(group[i])] = room[i].errors.amplitude;
        SLUICE_CHECK(job.advance(0));
    }
    return {};
}

// Of each pattern, where positions are now.
template <class Real>
Result<std::vector<double>> amplitude_errors(Job<Real>& job) {
    std::vector<double> all(static_cast<std::size_t>(job.patterns));
    SLUICE_CHECK(job.share.agree(own_errors(job, all)));
    job.share.sum(std::span(all));
    return all;
}

}  // namespace

template <class Real>
Result<std::vector<std::uint8_t>> search_positions(Job<Real>& job) {
    auto& positions = job.state.positions;
    auto const before = positions;
    auto best = before;
    std::vector<std::uint8_t> moved(positions.size());
    SLUICE_TRY(auto least, amplitude_errors(job));
    double const left =
        1 - static_cast<double>(job.iteration - 1) / static_cast<double>(job.stage.iterations);
    double const radius = job.stage.position_search_radius * left;
    for (index k = 0; k < job.stage.position_search; ++k) {
        for (std::size_t j = 0; j < positions.size(); ++j)
            put_position(job, j,
                         {before[j].row + radius * drawn_between(job.seed, job.round, k, j, 0),
                          before[j].col + radius * drawn_between(job.seed, job.round, k, j, 1)});
        auto const errors = amplitude_errors(job);
        if (!errors) {
            positions = before;
            return errors.error();
        }
        for (std::size_t j = 0; j < positions.size(); ++j)
            if ((*errors)[j] < least[j]) {
                least[j] = (*errors)[j];
                best[j] = positions[j];
                moved[j] = 1;
            }
    }
    positions = best;
    return moved;
}

template Result<std::vector<std::uint8_t>> search_positions(Job<float>&);
template Result<std::vector<std::uint8_t>> search_positions(Job<double>&);

}  // namespace sluice::ptycho
