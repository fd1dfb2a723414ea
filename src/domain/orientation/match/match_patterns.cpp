// Matches the patterns of groups, and sends what was found to other processes.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/match/match_patterns.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace sluice::orient {
namespace {

// A match by its bits: what it is, the orientation, the covariance, the evidence.
constexpr std::size_t doubles_of_match = 4 + 6;
static_assert(sizeof(stem4d::Orientation) == 4 * sizeof(double));
constexpr std::size_t words_of_evidence = sizeof(Evidence) / 4;
static_assert(sizeof(Evidence) == 4 * words_of_evidence);

bool can_be_indexed(Match const& m) {
    auto const& [w, x, y, z] = m.orientation;
    return m.phase >= 0 && std::abs(w * w + x * x + y * y + z * z - 1) < 1e-6;
}

}  // namespace

std::unique_ptr<Matcher> MatcherPool::take(MatchRules const& rules) {
    std::unique_ptr<Matcher> matcher;
    {
        std::lock_guard const lock(mutex_);
        if (!free_.empty()) matcher = std::move(free_.back()), free_.pop_back();
    }
    return matcher ? std::move(matcher) : std::make_unique<Matcher>(rules);
}

void MatcherPool::give(std::unique_ptr<Matcher> matcher) {
    std::lock_guard const lock(mutex_);
    free_.push_back(std::move(matcher));
}

MatchedPatterns MatchPatterns::begin(fold::Range patterns) const {
    return {patterns, std::vector<std::vector<Match>>(static_cast<std::size_t>(patterns.count()))};
}

void MatchPatterns::add(Partial& p, std::span<index const> patterns) const {
    auto matcher = pool.take(rules);
    std::vector<std::vector<Match>> found;
    (*matcher)(patterns, found);
    for (std::size_t i = 0; i < found.size(); ++i)
        p.matches[static_cast<std::size_t>(patterns[i] - p.patterns.first)] = std::move(found[i]);
    pool.give(std::move(matcher));
}

void MatchPatterns::merge(Partial& a, Partial const& b) const {
    expects(b.patterns.first >= a.patterns.first && b.patterns.last <= a.patterns.last);
    std::ranges::copy(b.matches, a.matches.begin() + (b.patterns.first - a.patterns.first));
}

std::vector<index> MatchPatterns::sizes() const {
    return {rules.fit.reader.patterns(), std::ssize(rules.fit.library.phases),
            std::ssize(rules.fit.library.zones), rules.options.grains};
}

void MatchPatterns::pack(Partial const& p, fold::Packer& out) const {
    for (auto const& grains : p.matches) {
        out.number(static_cast<std::uint32_t>(grains.size()));
        for (Match const& m : grains) {
            out.number(static_cast<std::uint8_t>(m.reason));
            out.number(m.phase);
            std::array<double, doubles_of_match> numbers;
            std::memcpy(numbers.data(), &m.orientation, sizeof m.orientation);
            std::ranges::copy(m.covariance, numbers.begin() + 4);
            out.numbers(std::span<double const>(numbers));
            std::array<std::uint32_t, words_of_evidence> words;
            std::memcpy(words.data(), &m.evidence, sizeof m.evidence);
            out.numbers(std::span<std::uint32_t const>(words));
        }
    }
}

sluice::Result<MatchedPatterns> MatchPatterns::unpack(fold::Unpacker& in,
                                                      fold::Range patterns) const {
    Partial p = begin(patterns);
    for (auto& grains : p.matches) {
        SLUICE_TRY(auto const count, in.number<std::uint32_t>());
        if (count < 1 || count > static_cast<std::uint64_t>(rules.options.grains))
            return Error{Code::corrupt, "a partial result has a number of grains that cannot be"};
        grains.resize(count);
        for (Match& m : grains) {
            SLUICE_TRY(auto const reason, in.number<std::uint8_t>());
            SLUICE_TRY(m.phase, in.number<std::int32_t>());
            if (reason >= stem4d::orientation_reasons || m.phase < -1 ||
                m.phase >= std::ssize(rules.fit.library.phases))
                return Error{Code::corrupt,
                             "a partial result has a reason or a phase that there is not"};
            m.reason = static_cast<stem4d::OrientationReason>(reason);
            SLUICE_TRY(auto const numbers, in.numbers<double>(doubles_of_match));
            std::memcpy(static_cast<void*>(&m.orientation), numbers.data(), sizeof m.orientation);
            std::copy_n(numbers.begin() + 4, 6, m.covariance.begin());
            SLUICE_TRY(auto const words, in.numbers<std::uint32_t>(words_of_evidence));
            std::memcpy(static_cast<void*>(&m.evidence), words.data(), sizeof m.evidence);
            if (m.reason == stem4d::OrientationReason::indexed && !can_be_indexed(m))
                return Error{Code::corrupt,
                             "a partial result has a pattern that is indexed without a phase or a "
                             "rotation"};
        }
    }
    return p;
}

}  // namespace sluice::orient
