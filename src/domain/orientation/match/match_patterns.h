// MatchPatterns: the crystals of patterns, as an analysis.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>

#include "domain/orientation/match/matcher.h"
#include "domain/orientation/match/pattern_groups.h"
#include "fold/packer.h"

namespace sluice::orient {

/// What is known of consecutive patterns: [pattern][grain].
struct MatchedPatterns {
    fold::Range patterns;
    std::vector<std::vector<Match>> matches;
};

/// Matchers that workers take and give back.
class MatcherPool {
  public:
    std::unique_ptr<Matcher> take(MatchRules const& rules);
    void give(std::unique_ptr<Matcher> matcher);

  private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<Matcher>> free_;
};

struct MatchPatterns {
    static constexpr std::string_view name = "orientations of patterns";
    using Item = index;
    using Partial = MatchedPatterns;
    using Result = std::vector<std::vector<Match>>;  ///< [pattern][grain]

    MatchRules const& rules;
    MatcherPool& pool;

    Partial begin(fold::Range patterns) const;
    void add(Partial& p, std::span<index const> patterns) const;
    void merge(Partial& a, Partial const& b) const;
    Result finish(Partial p) const { return std::move(p.matches); }

    bool merges_exactly() const { return true; }
    std::vector<index> sizes() const;
    void pack(Partial const& p, fold::Packer& out) const;
    /// Refuses reasons and phases that there are not.
    sluice::Result<Partial> unpack(fold::Unpacker& in, fold::Range patterns) const;
};

}  // namespace sluice::orient
