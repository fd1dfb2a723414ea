// Share: which patterns this rank has, and what all ranks know together.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "domain/ptychography/errors.h"
#include "sluice/communicator.h"
#include "sluice/ptychography.h"

namespace sluice::ptycho {

/// Object, probe and positions are the same on all ranks; counts, gradients and waves are only
/// where the pattern is. So what is summed over patterns is summed over ranks, too. Of one rank
/// all is here, and nothing is to do.
class Share {
  public:
    Share(Communicator* ranks, index first, index count)
        : ranks_(ranks && ranks->ranks() > 1 ? ranks : nullptr), first_(first), count_(count) {}

    bool alone() const { return !ranks_; }
    index first() const { return first_; }  ///< of its patterns, which follow each other
    index count() const { return count_; }
    bool has(index pattern) const { return pattern >= first_ && pattern < first_ + count_; }

    /// Those of a group that are here, in its order.
    std::vector<index> own(std::span<index const> group) const {
        std::vector<index> found;
        for (index j : group)
            if (has(j)) found.push_back(j);
        return found;
    }

    /// Over all ranks, with the same bits on each.
    template <class Real>
    void sum(std::span<Real> values) const {
        if (ranks_) ranks_->all_reduce_sum(values);
    }
    /// After a group: errors are summed, the largest peak is found; fails where one rank failed.
    Status meet(Status const& mine, Errors& errors, double& peak) const;
    /// An error of one rank, on all.
    Status agree(Status const& mine) const { return ranks_ ? ranks_->agree(mine) : mine; }

  private:
    Communicator* ranks_;
    index first_, count_;
};

/// Checks that all ranks were given the same positions, and that their counts are all of those
/// once; a rank that has the counts of all keeps its part. Of one rank: all.
Result<Share> share_out(stem4d::Patterns& patterns, Communicator* ranks);

}  // namespace sluice::ptycho
