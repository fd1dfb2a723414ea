// GrowingScan: a scan that is measured, kept in memory, to be looked at while it grows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/scan.h"

namespace sluice {

namespace store {
class Filling;
}  // namespace store

/// Frames of a feed (Dataset::feed) become bit planes in memory as they come. What has come is a
/// Scan like any other, on which every analysis runs: points whose frames have not come are not
/// measured, so that results there are NaN. Threads may share it.
class GrowingScan {
  public:
    /// Errors: a dataset without a feed; options that need the whole scan (hot pixels, a binning
    /// that is chosen by memory, streaming); values that are no counts.
    static Result<GrowingScan> begin(Dataset dataset, LoadOptions const& options = {});
    GrowingScan(GrowingScan&&) noexcept;
    GrowingScan& operator=(GrowingScan&&) noexcept;
    ~GrowingScan();

    /// Takes frames until the feed has ended; one thread calls it once. It works on threads of its
    /// own, since they wait most of the time. Errors: out_of_memory; then what came stays, and the
    /// feed is ended.
    Status fill();

    Dataset const& dataset() const;
    index frames() const;
    /// Frames of so_far(), those that were lost among them; it grows. They come in sixteens, and
    /// one by one where sixteen take longer than a tenth of a second.
    index ready() const;
    /// Bytes of bit planes.
    std::uint64_t bytes() const;
    /// What there is now: costs a copy of the list of its units and of the points that lack, and
    /// packing the frames that wait for others. Once
    /// fill() has returned it is the finished scan.
    Scan so_far() const;

  private:
    struct State;
    explicit GrowingScan(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace sluice
