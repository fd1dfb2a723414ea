// What ranks tell each other after a group, in one sum.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/share.h"

#include <algorithm>
#include <bit>

#include "base/splitmix.h"
#include "sluice/ptychography_check.h"

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

bool Share::first_says(bool mine) const {
    std::byte said{mine};
    send({&said, 1}, 0);
    return said != std::byte{0};
}

void Share::send_text(std::string& text) const {
    auto length = static_cast<std::uint64_t>(text.size());
    send(std::as_writable_bytes(std::span(&length, 1)), 0);
    text.resize(length);
    send(std::as_writable_bytes(std::span(text)), 0);
}

void Share::gather(std::span<std::byte> of_patterns) const {
    auto const each = static_cast<index>(of_patterns.size()) / patterns();
    index first = 0;
    for (std::size_t r = 0; r < ends_.size(); ++r) {
        send(of_patterns.subspan(static_cast<std::size_t>(first * each),
                                 static_cast<std::size_t>((ends_[r] - first) * each)),
             static_cast<int>(r));
        first = ends_[r];
    }
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
    if (!ranks || ranks->ranks() == 1) {
        SLUICE_CHECK(stem4d::check_patterns(patterns));
        return Share(patterns.count());
    }
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
        return Error{
            Code::invalid_argument,
            "the ranks were given patterns that do not belong together (all need the same "
            "positions; each needs all counts, or the next part of them) read them alike on "
            "every rank"};
    std::vector<index> ends;
    for (index r = 0, n = ranks->ranks(); r < n; ++r) {
        Part const& p = parts[static_cast<std::size_t>(r)];
        ends.push_back(all ? (r + 1) * mine.count / n : p.first + p.held);
    }
    Share share(*ranks, std::move(ends));
    if (all) keep(patterns, share.first(), share.first() + share.count());
    return share;
}

}  // namespace sluice::ptycho

namespace sluice::stem4d {

index Patterns::held() const {
    index const have = std::visit([](auto const& c) { return std::ssize(c); }, counts);
    return size > 0 ? have / size / size : 0;
}

}  // namespace sluice::stem4d
