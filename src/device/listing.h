// ListingStream: recordings as lists of work, for devices that have nothing faster.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "device/backend.h"

namespace sluice {

class ListingStream : public Stream {
  public:
    Status run(Work const& work) final {
        if (!list_) return run_now(work);
        list_->all.push_back({work, {work.kernel.begin(), work.kernel.end()}});
        return {};
    }
    Status begin_recording() final {
        list_ = std::make_unique<List>();
        return {};
    }
    Result<std::unique_ptr<Recording const>> end_recording() final {
        return std::unique_ptr<Recording const>(std::move(list_));
    }
    Status replay(Recording const& recording) final {
        for (Noted const& noted : static_cast<List const&>(recording).all) {
            Work work = noted.work;
            work.kernel = noted.kernel;
            SLUICE_CHECK(run_now(work));
        }
        return {};
    }
    void abandon() override { list_.reset(); }

  protected:
    virtual Status run_now(Work const& work) = 0;
    bool records() const { return list_ != nullptr; }

  private:
    struct Noted {
        Work work;  ///< its kernel is the next one
        std::vector<std::byte> kernel;
    };
    struct List final : Recording {
        std::vector<Noted> all;
    };
    std::unique_ptr<List> list_;  ///< of what is recorded now
};

}  // namespace sluice
