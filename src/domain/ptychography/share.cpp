// What ranks tell each other after a group, in one sum.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/share.h"

#include <algorithm>
#include <bit>

#include "base/splitmix.h"

namespace sluice::ptycho {

Status Share::meet(Status const& mine, Errors& errors, double& peak) const {
    if (!ranks_) return mine;
    auto const own = errors.numbers();
    std::vector<double> told(own.begin(), own.end());
    told.push_back(mine ? 0 : 1);
    // A place for each rank: what is added to it is 0.
    std::size_t const before = told.size();
    told.resize(before + static_cast<std::size_t>(ranks_->ranks()));
    told[before + static_cast<std::size_t>(ranks_->rank())] = peak;
    ranks_->all_reduce_sum(told);
    if (told[before - 1] > 0) return ranks_->agree(mine);
    std::array<double, 7> sums{};
    std::copy_n(told.begin(), sums.size(), sums.begin());
    errors = Errors::of(sums);
    peak = *std::max_element(told.begin() + static_cast<std::ptrdiff_t>(before), told.end());
    return {};
}

namespace {

struct Part {
    index first = 0, held = 0, count = 0, size = 0, counts = 0;
    std::uint64_t positions = 0;  // a number for all of them
};

Part part_of(stem4d::Patterns const& patterns) {
    Part part{.first = patterns.first,
              .held = patterns.held(),
              .count = patterns.count(),
              .size = patterns.size,
              .counts = std::visit([](auto const& c) { return std::ssize(c); }, patterns.counts)};
    for (auto const& p : patterns.positions)
        for (double x : {p.row, p.col})
            part.positions =
                splitmix::mix(part.positions ^ std::bit_cast<std::uint64_t>(x)) + splitmix::golden;
    return part;
}

void keep(stem4d::Patterns& patterns, index first, index end) {
    index const pixels = patterns.size * patterns.size;
    std::visit(
        [&](auto& counts) {
            counts.erase(counts.begin() + end * pixels, counts.end());
            counts.erase(counts.begin(), counts.begin() + first * pixels);
            counts.shrink_to_fit();
        },
        patterns.counts);
    patterns.first = first;
}

}  // namespace

Result<Share> share_out(stem4d::Patterns& patterns, Communicator* ranks) {
    if (!ranks || ranks->ranks() == 1) return Share(nullptr, 0, patterns.count());
    Part const mine = part_of(patterns);
    std::vector<Part> parts(static_cast<std::size_t>(ranks->ranks()));
    ranks->all_gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(parts)));
    auto const whole = [](Part const& p) { return p.first == 0 && p.held == p.count; };
    bool same = true, parted = true, all = true;
    index next = 0;
    for (Part const& p : parts) {
        same = same && p.count == parts.front().count && p.size == parts.front().size &&
               p.positions == parts.front().positions && p.counts == p.held * p.size * p.size;
        parted = parted && p.first == next;
        next += p.held;
        all = all && whole(p);
    }
    if (!same || !(all || (parted && next == mine.count)))
        return Error{Code::invalid_argument,
                     "the ranks were given patterns that do not belong together (all take the same "
                     "positions, and each all counts or the next part of them) read them alike on "
                     "every rank"};
    if (all) {
        index const count = mine.count, r = ranks->rank(), n = ranks->ranks();
        keep(patterns, r * count / n, (r + 1) * count / n);
    }
    return Share(ranks, patterns.first, patterns.held());
}

}  // namespace sluice::ptycho

namespace sluice::stem4d {

index Patterns::held() const {
    index const have = std::visit([](auto const& c) { return std::ssize(c); }, counts);
    return size > 0 ? have / (size * size) : 0;
}

}  // namespace sluice::stem4d
