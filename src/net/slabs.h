// Slabs: memory in pieces of one size, which serve again when nobody has them any more.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <vector>

namespace sluice::net {

/// Of new memory each page is cleared by the system first, which takes longer than receiving into
/// it. Any thread may give pieces back, also when this is gone.
class Slabs {
  public:
    explicit Slabs(std::size_t bytes) : bytes_(bytes) {}

    std::size_t bytes() const { return bytes_; }

    std::shared_ptr<std::byte[]> take() const {
        std::unique_ptr<std::byte[]> memory;
        {
            std::lock_guard const lock(spare_->mutex);
            if (!spare_->free.empty()) {
                memory = std::move(spare_->free.back());
                spare_->free.pop_back();
            }
        }
        if (!memory) memory = std::make_unique_for_overwrite<std::byte[]>(bytes_);
        return {memory.release(), [spare = spare_](std::byte* back) {
                    std::unique_ptr<std::byte[]> own(back);
                    std::lock_guard const lock(spare->mutex);
                    if (spare->free.size() < Spare::most) spare->free.push_back(std::move(own));
                }};
    }

  private:
    struct Spare {
        static constexpr std::size_t most = 16;
        std::mutex mutex = {};
        std::vector<std::unique_ptr<std::byte[]>> free = {};
    };

    std::size_t bytes_;
    std::shared_ptr<Spare> spare_ = std::make_shared<Spare>();
};

}  // namespace sluice::net
