// Spans of time, collected without a lock.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/trace.h"

#include <algorithm>
#include <ctime>

namespace sluice {
namespace {

std::int64_t cpu_now() {
    timespec t{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * std::int64_t{1000000000} + t.tv_nsec;
}

}  // namespace

std::string_view name_of(Phase phase) {
    constexpr std::string_view names[] = {
        "open",     "plan",   "locate",  "read",        "decode",    "compose",
        "fold",     "tables", "merge",   "scatter",     "transport", "score",
        "resample", "STFT",   "network", "overlap-add", "encode",    "wait",
        "guess",    "stage",  "iterate", "constrain",   "judge",     "write"};
    static_assert(std::size(names) == static_cast<std::size_t>(Phase::count));
    return phase < Phase::count ? names[static_cast<std::size_t>(phase)] : std::string_view();
}

Trace::Trace(int workers)
    : start_(std::chrono::steady_clock::now()), lists_(static_cast<std::size_t>(workers)) {}

std::int64_t Trace::now() const {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() -
                                                                start_)
        .count();
}

void Trace::add(Span const& span) {
    if (span.worker >= 0 && span.worker < workers())
        lists_[static_cast<std::size_t>(span.worker)].push_back(span);
}

std::vector<Span> Trace::spans() const {
    std::vector<Span> all;
    for (auto const& list : lists_) all.insert(all.end(), list.begin(), list.end());
    std::stable_sort(all.begin(), all.end(),
                     [](Span const& a, Span const& b) { return a.begin_ns < b.begin_ns; });
    return all;
}

Step::Step(Trace* trace, Phase phase, int worker, std::int64_t item) : trace_(trace) {
    if (!trace_) return;
    span_ = {phase, worker, static_cast<std::int32_t>(item), trace_->now(), 0, -cpu_now(), 0};
}

Step::~Step() {
    if (!trace_) return;
    span_.end_ns = trace_->now();
    span_.cpu_ns += cpu_now();
    trace_->add(span_);
}

}  // namespace sluice
