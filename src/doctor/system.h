// What the system says of this machine without measuring: processors, limits, memory, GPUs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "sluice/doctor.h"
#include "sluice/view.h"

namespace sluice::doctor {

/// Fills what needs no measurement. `root` is put before /proc and /sys.
void ask_system(MachineFacts& facts, std::string const& folder, std::string const& root = {});

/// Processors that a list like "0-3,8" names.
std::vector<int> processors_in(std::string const& list);

/// The word in brackets of "always [madvise] never"; empty without brackets.
std::string chosen_word(std::string const& text);

/// Processor seconds that every program has used: by its number.
struct Used {
    std::string name;
    double seconds = 0;
};
std::map<int, Used> used_by_programs(std::string const& root = {});

/// The program that used most between two moments, other than `self`.
struct Busiest {
    std::string name;
    double seconds = 0;
};
Busiest busiest(std::map<int, Used> const& before, std::map<int, Used> const& after, int self);

/// GPUs, and what goes to one and comes back; why not where there is none.
void ask_gpu(MachineFacts& facts, bool quick, std::string const& root = {});
/// Copies of so many bytes to a device and back, and round trips without work.
Status measure_device(MachineFacts& facts, std::string const& device, index bytes, int rounds);

}  // namespace sluice::doctor
