// Products of a scan in parts, for several processes: the same bits as in one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sluice/stem4d.h"

namespace sluice::stem4d {

/// products() in parts. Everyone who takes part loads the same scan in the same way and begins with
/// the same wishes, the disk given where one is needed (find_disk()). Each folds some of the groups
/// with part(); one adds what they made, in any order, and finishes. The answer has the bits of
/// products(), whichever process folded a group: parts are merged in the order of their groups.
class ProductParts {
  public:
    /// The scan must outlive it. Errors: those of products(); a device that is not a processor.
    static Result<ProductParts> begin(Scan const& scan, Wanted const& wanted,
                                      Options const& options = {});
    ProductParts(ProductParts&&) noexcept;
    ProductParts& operator=(ProductParts&&) noexcept;
    ~ProductParts();

    /// How many groups there are; it depends on the scan alone.
    index groups() const;
    /// Folds groups [first, first + count), and packs what they give. Calls follow each other.
    Result<std::vector<std::byte>> part(index first, index count);
    /// Takes what part() packed. Errors: damaged, of another scan's shape, groups that have come.
    Status add(Bytes part);
    /// Errors: groups are missing.
    Result<Products> finish() &&;

  private:
    struct State;
    explicit ProductParts(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace sluice::stem4d
