// Reconstructions on ranks that are threads, and how far results are apart.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <functional>

#include "ranks/threads.h"
#include "sluice/ptychography.h"

namespace sluice::ptycho {

inline double apart(Array<std::complex<float>> const& a, Array<std::complex<float>> const& b) {
    double difference = 0, length = 0;
    for (std::size_t i = 0; i < a.values.size(); ++i) {
        difference += static_cast<double>(std::norm(a.values[i] - b.values[i]));
        length += static_cast<double>(std::norm(b.values[i]));
    }
    return std::sqrt(difference / length);
}

using EachRank = std::function<void(int rank, stem4d::PtychographyOptions&)>;

/// What each rank returns; `change` gives one of them other options.
inline std::vector<Result<stem4d::PtychographyResult>> on_ranks(
    int ranks, stem4d::Patterns const& patterns, stem4d::PtychographyOptions const& options,
    EachRank const& change = {}) {
    std::vector<Result<stem4d::PtychographyResult>> results(static_cast<std::size_t>(ranks),
                                                            Error{Code::io, "nothing ran"});
    run_ranks(ranks, [&](Communicator& communicator) {
        auto mine = options;
        mine.communicator = &communicator;
        if (change) change(communicator.rank(), mine);
        results[static_cast<std::size_t>(communicator.rank())] =
            stem4d::ptychography(patterns, mine);
    });
    return results;
}

}  // namespace sluice::ptycho
