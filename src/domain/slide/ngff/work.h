// A conversion at work: its source and output, its progress, and the facts it gathered on the way.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>

#include "domain/slide/ngff/attributes.h"
#include "domain/slide/ngff/journal.h"

namespace sluice::slide::ome {

/// What the parts of a conversion share.
struct Work {
    Slide const& slide;
    ConvertOptions const& options;
    Plan plan;
    std::string path, part;  ///< the name of the output, and the one it has until it is complete
    std::optional<Journal> journal = {};
    std::set<index> kept = {};    ///< steps of an earlier run
    std::vector<Seen> seen = {};  ///< [image]
    ConvertReport report = {};
    std::uint64_t total = 0, done = 0;  ///< bytes of the full resolution

    /// Reports progress, `extra` bytes ahead of the finished ones; false: stop.
    bool go_on(std::uint64_t extra) const;
    /// Adds the results of a step.
    void count(StepRecord const& step);
};

Work work_of(Slide const& slide, ConvertOptions const& options, Plan plan, std::string path);

/// Completes the report of a conversion that is done.
void describe(Work& work);

}  // namespace sluice::slide::ome
