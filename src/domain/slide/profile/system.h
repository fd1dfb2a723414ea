// What the system counts of this process and of the processors while something runs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sluice/slide_profile.h"

namespace sluice::slide {

/// Begins to count when it is made. Other threads of the process are counted, too.
class SystemClock {
  public:
    SystemClock();
    SystemCounts counts() const;

  private:
    SystemCounts begin_;
    double ticks_ = 0, stolen_ = 0;
};

/// All and stolen ticks of the first line of /proc/stat; zeros where the file has no such line.
struct Ticks {
    double all = 0, stolen = 0;
};
Ticks parse_ticks(std::string const& line);

}  // namespace sluice::slide
