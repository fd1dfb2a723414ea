// The fake device: what a GPU demands, on machines without one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/backend.h"

namespace sluice {

/// Its memory cannot be read or written outside of its own work (the pages are protected), nothing
/// happens before wait(), and the elements of a launch run in an order nobody would choose: a
/// forgotten copy or wait fails in every test.
class FakeBackend : public Backend {
  public:
    /// The most memory there is, as on a small GPU.
    virtual void set_limit(std::size_t bytes) = 0;
    /// Bytes that are in use, in whole pages.
    virtual std::size_t taken() = 0;
};
std::shared_ptr<FakeBackend> fake_backend();

}  // namespace sluice
