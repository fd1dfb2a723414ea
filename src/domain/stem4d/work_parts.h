// WorkParts: the pass of some products in parts, for several processes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/stem4d/product_work.h"

namespace sluice::stem4d {

/// What ProductParts and AnalysisParts hand out and take back. It refers to itself, and the scan
/// must outlive it.
class WorkParts {
  public:
    /// Fails on a device that is not a processor.
    static Status check(Device const& device);
    WorkParts(Scan const& scan, Options options, ProductWork work);
    WorkParts(WorkParts const&) = delete;
    WorkParts& operator=(WorkParts const&) = delete;

    index groups() const { return units_.groups(); }
    Result<std::vector<std::byte>> part(index first, index count);
    Status add(Bytes packed);
    /// What each product found, once; the tally of the work is then that of all parts.
    Result<AllProducts::Result> found();

    Scan const& scan() const { return scan_; }
    Options const& options() const { return options_; }
    ProductWork& work() { return work_; }

  private:
    Scan const& scan_;
    Options options_;
    ProductWork work_;
    fold::FoldOptions fold_;
    AllProducts analysis_;
    fold::ScanUnits units_;
    fold::Folding<AllProducts> folding_;
    store::Tally met_ = {};  // by all parts
};

}  // namespace sluice::stem4d
