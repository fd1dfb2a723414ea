// Trace: where the time of a piece of work goes, as spans of its steps on each worker.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sluice {

/// The steps of reading, decoding and working, whatever is read.
enum class Phase : std::uint8_t {
    open,
    plan,
    locate,       ///< find out where an item lies in its file
    read,         ///< from the file, or out of the system's cache
    decode,       ///< stored bytes to what is worked on
    compose,      ///< put pixels into the image that is asked for
    fold,         ///< add items to a result
    tables,       ///< an answer out of sums that are kept beside the frames, or their making
    merge,        ///< add a worker's result to the others
    scatter,      ///< turn the angles of a beam at a face
    transport,    ///< carry a beam through a plane, or by a step
    score,        ///< of a plane: secondary protons and LET
    resample,     ///< sound to another rate
    stft,         ///< sound to spectra, or back
    network,      ///< a chunk of spectra through its layers
    overlap_add,  ///< join chunks
    encode,       ///< write sound
    wait,
    guess,      ///< what iterations begin with
    stage,      ///< of iterations, one after the other
    iterate,    ///< an iteration
    constrain,  ///< refinement and constraints after an iteration
    judge,      ///< look at a result
    write,      ///< to files
    count
};
std::string_view name_of(Phase phase);

struct Span {
    Phase phase = Phase::open;
    std::int32_t worker = 0;
    /// Tile of a slide, unit of a scan, plane of a beam; of a stage and of iterations their number,
    /// from 1. -1 for none.
    std::int32_t item = -1;
    std::int64_t begin_ns = 0, end_ns = 0;
    std::int64_t cpu_ns = 0;  ///< of that, computing; the rest is waiting
    std::uint64_t bytes = 0;  ///< read, or made by the step
};

/// Collects spans of one or several runs; each worker has a list of its own, so there is no lock.
class Trace {
  public:
    explicit Trace(int workers);
    std::int64_t now() const;  ///< ns since the trace began
    int workers() const { return static_cast<int>(lists_.size()); }
    /// Of workers that the trace was not made for nothing is kept.
    void add(Span const& span);
    /// All spans in the order of their beginning.
    std::vector<Span> spans() const;

  private:
    std::chrono::steady_clock::time_point start_;
    std::vector<std::vector<Span>> lists_;
};

/// Adds a span to a trace, if there is one, when it ends.
class Step {
  public:
    Step(Trace* trace, Phase phase, int worker, std::int64_t item = -1);
    Step(Step const&) = delete;
    Step& operator=(Step const&) = delete;
    ~Step();
    /// What it read or made.
    void bytes(std::uint64_t n) { span_.bytes = n; }

  private:
    Trace* trace_;
    Span span_;
};

/// Spans as Chrome trace events, a JSON text for Perfetto or chrome://tracing. Times are
/// microseconds. `program`: a line that says what ran, `item`: what Span::item counts, as "tile".
std::string trace_events(Trace const& trace, std::string const& program, std::string const& item);

}  // namespace sluice
