// What an interrupted conversion left, compared with its journal before any of it is trusted.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>

#include "domain/slide/ngff/journal.h"

namespace sluice::slide::ome {

/// The file of a record, relative to the output.
std::string file_of(Plan const& plan, index image, FileRecord const& file);

/// What may be kept of an unfinished output.
struct Kept {
    std::map<index, StepRecord> steps;  ///< all files of these are there as they were written
    std::set<std::string> files;        ///< of these steps, relative to the folder
    index damaged = 0;                  ///< files that are missing or changed
};

/// Reads every file of the journal again. `go_on` is called before each, by
/// one thread at a time; false cancels.
Result<Kept> check_files(Plan const& plan, std::string const& folder,
                         std::map<index, StepRecord> steps, std::function<bool()> const& go_on);

}  // namespace sluice::slide::ome
