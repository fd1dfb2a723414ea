// Part: consecutive frames that come out of one dataset; PartSource: a scan made of parts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "format/indexed.h"

namespace sluice::hdf5 {

/// Frames 0 .. n-1 of one dataset, wherever they stand in the scan.
class Part {
  public:
    virtual ~Part() = default;
    /// Bytes of scratch that fetch() fills for these frames.
    virtual std::uint64_t scratch_bytes(index first, index count) const = 0;
    /// As FrameSource::fetch, into memory of scratch_bytes(); `shown` is the number of `first` in
    /// the scan, for messages.
    virtual Status fetch(index first, index shown, std::span<EncodedFrame> out,
                         std::byte* scratch) const = 0;
    virtual std::uint64_t stored_bytes() const = 0;
    /// As Indexed::index_digest().
    virtual std::uint64_t index_digest() const { return 0; }
    virtual std::optional<FrameBlock> block() const { return {}; }
};

/// A part, and which frames of the scan it yields: its own from `local` on.
struct PlacedPart {
    index first = 0, count = 0;
    std::shared_ptr<Part const> part;
    index local = 0;
};

/// Frames that no part yields are missing, and have the fill value.
class PartSource final : public FrameSource, public Indexed {
  public:
    /// `parts` in ascending order and without overlap.
    explicit PartSource(std::vector<PlacedPart> parts, std::vector<std::byte> fill = {});
    Status fetch(index first, std::span<EncodedFrame> out, FetchScratch& scratch) const override;
    std::uint64_t stored_bytes() const override;
    std::uint64_t index_digest() const override;
    /// That of the first part: files of one acquisition are written alike.
    std::optional<FrameBlock> block() const override;

  private:
    std::vector<PlacedPart> parts_;
    std::vector<std::byte> fill_;
};

}  // namespace sluice::hdf5
