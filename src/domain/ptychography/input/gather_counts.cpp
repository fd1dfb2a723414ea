// Counts in the smallest type: the file is read twice, so that memory is taken once.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "base/memory.h"
#include "base/run.h"
#include "domain/ptychography/input/frames_in.h"

namespace sluice::ptycho {

namespace {

// What all counts have in common.
struct Survey {
    float largest = 0;
    bool whole = true;
    Negative negative = {};
    std::uint64_t lacks = 0;  // not measured
};

// Calls work(frame number, its pixels) for each frame.
template <class Work>
Status each_frame(FramesIn& frames, Progress const& progress, Work const& work) {
    index const some = std::max<index>(1, (1 << 20) / frames.pixels());
    std::vector<float> values(
        static_cast<std::size_t>(std::min(some, frames.count) * frames.pixels()));
    for (index first = 0; first < frames.count; first += some) {
        index const now = std::min(some, frames.count - first);
        SLUICE_CHECK(frames.read(
            first, now, std::span(values).first(static_cast<std::size_t>(now * frames.pixels()))));
        for (index f = 0; f < now; ++f) work(first + f, values.data() + f * frames.pixels());
        SLUICE_CHECK(tell_progress(progress, static_cast<std::uint64_t>(first + now),
                                   static_cast<std::uint64_t>(frames.count)));
    }
    return {};
}

Result<Survey> survey_of(FoundPatterns& found) {
    Survey s;
    auto const& bad = found.bad;
    auto const pixels = static_cast<std::size_t>(found.frames->pixels());
    SLUICE_CHECK(each_frame(*found.frames, {}, [&](index, float const* values) {
        for (std::size_t q = 0; q < pixels; ++q) {
            if (!bad.empty() && bad[q]) continue;
            float const v = values[q];
            if (!std::isfinite(v)) {
                ++s.lacks;
                continue;
            }
            if (v < 0)
                s.negative.add(v);
            else
                s.negative.all += static_cast<double>(v);
            s.whole = s.whole && v == std::floor(v);
            s.largest = std::max(s.largest, v);
        }
    }));
    // Otherwise keep_measured() says so.
    if (s.negative.count > 0 && s.lacks == 0) found.notes.push_back(note_of_negative(s.negative));
    return s;
}

template <class T>
Status gather_as(FoundPatterns& found, std::vector<index> const& from,
                 stem4d::PatternFileOptions const& options, std::string const& path,
                 bool keep_negative, stem4d::Patterns& patterns) {
    auto const all = static_cast<std::uint64_t>(found.frames->count) * from.size();
    std::uint64_t const limit = options.memory_limit ? options.memory_limit : memory_available();
    if (all * sizeof(T) > limit)
        return wrong_file(
            path, Code::out_of_memory,
            fmt::format("the patterns take {:.2f} GB and {:.2f} GB are free (a reconstruction "
                        "reads each pattern many times) take smaller ones",
                        static_cast<double>(all * sizeof(T)) * 1e-9,
                        static_cast<double>(limit) * 1e-9));
    std::vector<T> counts(all);
    SLUICE_CHECK(each_frame(*found.frames, options.progress, [&](index f, float const* values) {
        T* const to = counts.data() + static_cast<std::size_t>(f) * from.size();
        for (std::size_t q = 0; q < from.size(); ++q) {
            if (from[q] < 0) continue;
            auto const at = static_cast<std::size_t>(from[q]);
            if (!found.bad.empty() && found.bad[at]) continue;
            to[q] = static_cast<T>(values[at] < 0 && !keep_negative ? 0.0F : values[at]);
        }
    }));
    patterns.counts = std::move(counts);
    return {};
}

}  // namespace

Status gather_counts(FoundPatterns& found, std::vector<index> const& from,
                     stem4d::PatternFileOptions const& options, std::string const& path,
                     stem4d::Patterns& patterns) {
    SLUICE_TRY(Survey const s, survey_of(found));
    if (found.frames->rounded > 0)
        found.notes.push_back(
            fmt::format("{:.0f} counts are rounded to the nearest float32", found.frames->rounded));
    found.frames->rounded = 0;
    if (s.lacks == 0 && s.whole && s.largest <= 255)
        return gather_as<std::uint8_t>(found, from, options, path, false, patterns);
    if (s.lacks == 0 && s.whole && s.largest <= 65535)
        return gather_as<std::uint16_t>(found, from, options, path, false, patterns);
    return gather_as<float>(found, from, options, path, s.lacks > 0, patterns);
}

}  // namespace sluice::ptycho
