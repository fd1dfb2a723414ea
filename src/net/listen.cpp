// How all receivers take the messages of a series.
// SPDX-License-Identifier: Apache-2.0
#include "net/listen.h"

#include <fmt/format.h>

#include <algorithm>

namespace sluice::net {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double moment_s = 1;
constexpr std::chrono::milliseconds longest_batch{5};

double seconds_since(Clock::time_point then) {
    return std::chrono::duration<double>(Clock::now() - then).count();
}

}  // namespace

void listen(FrameRing& ring, GoOn const& go_on, Listening const& how) {
    auto last = Clock::now(), asked = last;
    for (;;) {
        ring.listened();
        FeedState const now = ring.state();
        if (now.ended) return;
        // Of a longer series what belongs to no point is counted up to its end.
        if (now.received == ring.images() && how.images <= ring.images()) return ring.complete();
        if (seconds_since(asked) > 0.05) {
            asked = Clock::now();
            if (!go_on()) return ring.end("the scan was stopped by the user");
        }
        // Looking at the ring for every message would cost as much as the message. Of a slow
        // sender, whose messages are waited for, each is looked at: lost images are late by time.
        int taken = 0;
        for (auto const begin = Clock::now();
             taken < 64 && (taken == 0 || Clock::now() - begin < longest_batch); ++taken) {
            auto const came = how.next();
            if (!came) return ring.end(came.error().text());
            if (*came == Came::end) return ring.complete();
            if (*came == Came::nothing) break;
            if (std::string why = how.cut_short(); !why.empty()) return ring.end(why);
        }
        if (taken > 0) {
            last = Clock::now();
            continue;
        }
        double const silent = seconds_since(last);
        if (how.all_sent && silent > std::min(moment_s, how.patience_s) && how.all_sent())
            return ring.complete();
        if (silent < how.patience_s) continue;
        std::string const why = how.broken ? how.broken() : std::string();
        return ring.end(why.empty() ? fmt::format("the sender was silent for {:g} s, without {}",
                                                  how.patience_s, how.without)
                                    : why);
    }
}

bool fits(Problems& problems, std::uint64_t number, PixelForm its, PixelForm series) {
    if (its.dtype != series.dtype) {
        problems.tell("images of another type",
                      fmt::format("image {} is {}, the series {}", number, name_of(its.dtype),
                                  name_of(series.dtype)));
        return false;
    }
    if (its.rows == series.rows && its.cols == series.cols) return true;
    problems.tell("images of another size",
                  fmt::format("image {} has {}x{} pixels, the series {}x{}", number, its.rows,
                              its.cols, series.rows, series.cols));
    return false;
}

void put_image(FrameRing& ring, Problems& problems, std::uint64_t number, index first,
               EncodedFrame const& frame, std::shared_ptr<void const> owner) {
    bool const beyond = number > static_cast<std::uint64_t>(INT64_MAX);
    index const image = beyond ? -1 : static_cast<index>(number) - first;
    switch (ring.put(image, frame, std::move(owner))) {
        case Arrival::duplicate:
            return problems.tell("images that came twice", fmt::format("image {}", number));
        case Arrival::late:
            return problems.tell("images that came after they were given up",
                                 fmt::format("image {}", number));
        case Arrival::outside:
            return problems.tell(
                "images that the scan does not have",
                fmt::format("image {}, of {} to {}", number, first, first + ring.images() - 1));
        default:
            return;
    }
}

}  // namespace sluice::net
