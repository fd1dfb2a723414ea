// Makes and keeps sums beside the frames.
// SPDX-License-Identifier: Apache-2.0
#include "scan/scan_tables.h"

#include <algorithm>

namespace sluice {
namespace {

constexpr std::uint64_t counted_bytes = 4;  // of a number, while rings are counted

}  // namespace

std::span<planes::Moment const> ScanTables::moments() const {
    return file_ ? file_->moments() : frames_->moments();
}

std::shared_ptr<PatternSums const> ScanTables::with(
    std::shared_ptr<PatternSums const> const& patterns,
    std::span<PatternSums::Square const> squares) const {
    return file_ ? file_->with(*patterns, squares) : patterns;
}

std::shared_ptr<RingSums const> ScanTables::with(
    std::shared_ptr<RingSums const> const& rings,
    std::span<std::array<index, 2> const> borders) const {
    return file_ ? file_->with(*rings, borders) : rings;
}

std::uint64_t ScanTables::bytes() const {
    if (file_) return 0;
    std::lock_guard const lock(mutex_);
    return moments().size_bytes() + (patterns_ ? patterns_->bytes() : 0) +
           (rings_ ? rings_->bytes() : 0) + last_sums_.bytes() + last_moments_.bytes();
}

// They are small where a frame has some kilobytes: 4 or 24 bytes of each, for each mask.
std::uint64_t ScanTables::most_of_last() const {
    return file_ ? 0 : most() / 4;
}

std::shared_ptr<PatternSums const> ScanTables::patterns(Making const& how) {
    if (file_) return file_->patterns();
    std::lock_guard const lock(mutex_);
    if (patterns_ || patterns_too_large_ || !how.allowed) return patterns_;
    Step const step(how.trace, Phase::tables, 0);
    auto made = std::make_shared<PatternSums const>(PatternSums::make(*frames_, plan_, how.device));
    patterns_too_large_ = made->bytes() > most();
    if (patterns_too_large_) return {};
    patterns_ = std::move(made);
    // Rings give way: they serve one centre.
    if (rings_ && patterns_->bytes() + rings_->bytes() > most()) rings_ = {}, of_rings_ = {};
    return patterns_;
}

std::shared_ptr<RingSums const> ScanTables::rings(
    Center center, Making const& how, std::function<std::vector<std::uint16_t>()> const& rings) {
    if (file_) return file_->head().center == center ? file_->rings() : nullptr;
    std::lock_guard const lock(mutex_);
    if (of_rings_ == center) return rings_;
    bool const again = asked_ == center;
    asked_ = center;
    if (!again || !how.allowed || rings_too_large_) return {};
    auto of = rings();
    // They are counted with wide numbers first. A centre far beside the detector has too many.
    auto const count = std::uint64_t{*std::ranges::max_element(of)} + 2;
    if (count * static_cast<std::uint64_t>(plan_.frames()) * counted_bytes > frames_->bytes() / 2)
        return {};
    Step const step(how.trace, Phase::tables, 0);
    auto made = std::make_shared<RingSums const>(
        RingSums::make(*frames_, plan_, std::move(of), how.device));
    if (made->bytes() + (patterns_ ? patterns_->bytes() : 0) > most()) {
        rings_too_large_ = true;  // another centre's take about as much
        return {};
    }
    rings_ = std::move(made), of_rings_ = center;
    return rings_;
}

}  // namespace sluice
