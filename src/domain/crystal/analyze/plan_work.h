// PlanWork: the products of a plan, and which part of the plan each serves.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "domain/stem4d/product_work.h"
#include "sluice/stem4d_analyze.h"

namespace sluice::crystal {

/// Parts that can share a product do: all virtual images with means or without are one pass over
/// the masks, and so are all patterns of the same points.
class PlanWork {
  public:
    static Result<PlanWork> begin(Scan const& scan, stem4d::AnalysisPlan const& plan,
                                  stem4d::Decided const& decided, stem4d::Options const& options);

    stem4d::ProductWork work = {};

    /// `work` may be elsewhere by now.
    stem4d::Analyzed finish(stem4d::ProductWork& work, stem4d::AllProducts::Result&& found,
                            Scan const& scan);

  private:
    struct Served {
        stem4d::Options options;
        std::function<void(stem4d::Products&& from, stem4d::Analyzed& to)> hand_out;
    };

    Status add_images(Scan const& scan, stem4d::AnalysisPlan const& plan, bool mean,
                      stem4d::Options const& options);
    Status add_patterns(Scan const& scan, stem4d::AnalysisPlan const& plan,
                        stem4d::Options const& options);
    Status add_moments(Scan const& scan, stem4d::AnalysisPlan const& plan,
                       stem4d::Options const& options);
    Status add_disks(Scan const& scan, stem4d::Decided const& decided,
                     stem4d::Options const& options);

    std::vector<Served> served_ = {};  // [product]
    stem4d::Analyzed empty_ = {};      // with room for all parts
};

}  // namespace sluice::crystal
