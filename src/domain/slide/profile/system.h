// What the system counts of this process and of the processors while something runs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/ticks.h"
#include "sluice/slide_profile.h"

namespace sluice::slide {

/// Begins to count when it is made. Other threads of the process are counted, too.
class SystemClock {
  public:
    SystemClock();
    SystemCounts counts() const;

  private:
    SystemCounts begin_;
    bench::Ticks ticks_;
};

}  // namespace sluice::slide
