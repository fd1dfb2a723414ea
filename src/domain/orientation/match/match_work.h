// MatchWork: the orientations of a scan as an analysis, with all that it looks at.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/orientation/match/match_patterns.h"
#include "domain/orientation/match/model_errors.h"
#include "fold/fold_part.h"

namespace sluice::orient {

class MatchWork {
  public:
    /// Vectors, library and run must outlive it. Errors: those of orientation().
    static Result<std::unique_ptr<MatchWork>> begin(stem4d::CalibratedVectors const& vectors,
                                                    stem4d::OrientationLibrary const& library,
                                                    stem4d::MatchOptions const& options,
                                                    stem4d::Options const& run);
    MatchWork(MatchWork const&) = delete;
    MatchWork& operator=(MatchWork const&) = delete;

    PatternGroups const& groups() const { return groups_; }
    MatchPatterns const& analysis() const { return analysis_; }
    DiskReader const& reader() const { return reader_; }
    fold::RunOptions run_options() const;
    /// Of all patterns.
    stem4d::OrientationMap map_of(std::vector<std::vector<Match>> const& found) const;

  private:
    MatchWork(stem4d::CalibratedVectors const& vectors, stem4d::OrientationLibrary const& library,
              stem4d::MatchOptions const& options, stem4d::Options const& run, DiskReader reader);

    stem4d::CalibratedVectors const& vectors_;
    stem4d::OrientationLibrary library_;
    stem4d::Options const& run_;
    DiskReader reader_;
    MatchRules rules_;
    MeasuredErrors measured_;
    MatcherPool pool_;
    MatchPatterns analysis_;
    PatternGroups groups_;
};

}  // namespace sluice::orient
