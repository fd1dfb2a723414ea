// DisksProduct: the disks of every pattern, as one product of a pass over a scan.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/crystal/detect/disk_frames.h"
#include "domain/stem4d/product.h"

namespace sluice::crystal {

class DisksProduct final : public stem4d::Product {
  public:
    static Result<std::unique_ptr<DisksProduct>> make(Scan const& scan,
                                                      stem4d::DiskSetup const& setup,
                                                      stem4d::Options const& options);

    fold::AnyAnalysis<store::Unit> analysis(Scan const& scan, Device const& device) const override;
    index batch(Scan const&) const override { return 1; }
    bool slow() const override { return true; }
    void leave_out(Scan const&, fold::FoldOptions&) const override {}
    /// Finding disks is the processor's work, whatever device the other products are found on.
    Status remote(stem4d::RemoteScan& remote, Scan const& scan, std::any& found) const override;
    void finish(std::any found, Scan const& scan, store::Tally const& tally,
                stem4d::Options const& options, stem4d::Products& out) override;

    /// After finish().
    stem4d::BraggVectors take() { return std::move(vectors_); }

  private:
    DisksProduct(stem4d::DiskSetup const& setup, stem4d::Options options)
        : setup_(setup), options_(std::move(options)) {}

    stem4d::DiskSetup setup_;
    stem4d::Options options_;
    std::vector<std::uint8_t> bad_ = {};  // the finder looks at it
    std::optional<Finder> finder_ = {};
    mutable RoomPool rooms_ = {};
    stem4d::BraggVectors vectors_ = {};
};

}  // namespace sluice::crystal
