// Share: which patterns this rank has, and what all ranks know together.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "domain/ptychography/errors.h"
#include "sluice/communicator.h"
#include "sluice/ptychography.h"

namespace sluice::ptycho {

/// Object, probe and positions are the same on all ranks; counts, gradients and waves are only
/// where the pattern is. So what is summed over patterns is summed over ranks, too. A single rank
/// has all patterns, and nothing is exchanged.
class Share {
  public:
    /// Of one rank.
    explicit Share(index patterns) : ends_{patterns} {}
    /// `ends`: of each rank, the pattern behind its last one.
    Share(Communicator& ranks, std::vector<index> ends)
        : ranks_(ranks.ranks() > 1 ? &ranks : nullptr),
          rank_(static_cast<std::size_t>(ranks.rank())),
          ends_(std::move(ends)) {}

    bool alone() const { return !ranks_; }
    /// Whether this is the rank that reads and writes files.
    bool leads() const { return rank_ == 0; }
    index patterns() const { return ends_.back(); }  ///< of all ranks
    /// Of its patterns, which follow each other.
    index first() const { return rank_ == 0 ? 0 : ends_[rank_ - 1]; }
    index count() const { return ends_[rank_] - first(); }
    bool has(index pattern) const { return pattern >= first() && pattern < ends_[rank_]; }
    /// The rank that has a pattern.
    int owner(index pattern) const {
        return static_cast<int>(std::ranges::upper_bound(ends_, pattern) - ends_.begin());
    }

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

    /// The bytes of one rank, on all.
    void send(std::span<std::byte> bytes, int from) const {
        if (ranks_) ranks_->broadcast(bytes, from);
    }
    /// The first rank's, on all.
    bool first_says(bool mine) const;
    void send_text(std::string& text) const;
    /// Of equally many bytes for each pattern, what each rank has of its own, on all.
    void gather(std::span<std::byte> of_patterns) const;

  private:
    Communicator* ranks_ = nullptr;
    std::size_t rank_ = 0;
    std::vector<index> ends_;
};

/// Checks that all ranks were given the same positions, and that their counts are all of those
/// once; a rank that has the counts of all keeps its part. A single rank keeps all.
Result<Share> share_out(stem4d::Patterns& patterns, Communicator* ranks);

}  // namespace sluice::ptycho
