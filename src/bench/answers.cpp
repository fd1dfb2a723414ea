// Checksums, and who differs from whom.
// SPDX-License-Identifier: Apache-2.0
#include "bench/answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/run.h"

namespace sluice::bench {
namespace {

constexpr char const* same = "same";

// The first item in which two answers differ; empty where they agree.
std::optional<std::size_t> first_difference(Answer const& a, Answer const& b) {
    auto const [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    if (x == a.end() && y == b.end()) return {};
    return static_cast<std::size_t>(x - a.begin());
}

Error unequal(Contestant const& first, Contestant const& other, std::size_t item) {
    return {Code::corrupt,
            fmt::format("'{}' and '{}' give different answers in item {} of {} (the file is being "
                        "written, or this is a mistake of sluice) nothing was timed; run it again "
                        "when nobody writes the file",
                        first.name, other.name, item, other.contest)};
}

Status note_difference(Contestant& rival, std::size_t item, std::vector<std::string>& notes) {
    if (!rival.difference) return failed(rival, {Code::corrupt, "its answer differs"}, notes);
    Result<std::string> const told = rival.difference(item);
    if (!told) return failed(rival, told.error(), notes);
    rival.details["difference"] = *told;
    notes.push_back(fmt::format("{} gives another answer in item {} of {}: {}", rival.name, item,
                                rival.contest, *told));
    return {};
}

}  // namespace

std::uint64_t checksum(Bytes bytes) {
    std::uint64_t sum = 0;
    std::size_t const words = bytes.size() / 8;
    for (std::size_t i = 0; i < words; ++i) {
        std::uint64_t w = 0;
        std::memcpy(&w, bytes.data() + 8 * i, 8);
        sum += w * (2 * i + 1);
    }
    if (std::size_t const rest = bytes.size() - 8 * words; rest > 0) {
        std::uint64_t w = 0;
        std::memcpy(&w, bytes.data() + 8 * words, rest);
        sum += w * (2 * words + 1);
    }
    return sum;
}

Status compare_answers(std::vector<Contestant>& all, std::vector<std::string>& notes,
                       Progress const& progress) {
    Contestant const* first = nullptr;
    Answer expected;
    for (std::size_t i = 0; i < all.size(); ++i) {
        Contestant& who = all[i];
        if (!who.answer || who.out) continue;
        Result<Answer> answer = who.answer();
        if (!answer) {
            SLUICE_CHECK(failed(who, answer.error(), notes));
            continue;
        }
        if (!first || first->contest != who.contest) {
            first = &who;
            expected = *std::move(answer);
        } else if (auto const item = first_difference(expected, *answer)) {
            if (!who.rival) return unequal(*first, who, *item);
            SLUICE_CHECK(note_difference(who, *item, notes));
        } else if (who.rival) {
            who.details["difference"] = same;
        }
        SLUICE_CHECK(tell_progress(progress, i + 1, all.size(), "nothing was timed"));
    }
    return {};
}

}  // namespace sluice::bench
