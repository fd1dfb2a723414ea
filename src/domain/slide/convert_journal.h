// The journal of an unfinished conversion: how far it came, and of what.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "domain/slide/convert_pixels.h"
#include "domain/slide/convert_plan.h"

namespace sluice::slide::ome {

struct Journal {
    std::string of;   ///< the source and the options, as text to compare
    index steps = 0;  ///< that are done
    std::vector<std::vector<Range>> ranges = {};  ///< [image][component]
    index chunks = 0, chunks_empty = 0;
    std::uint64_t bytes_written = 0;
};

/// The source by its name, size, GUID and time, and the options that shape the output.
std::string identity_of(Slide const& slide, ConvertOptions const& options);

/// Appears whole, so that it never says more than what was written before it.
Status write_journal(std::string const& path, Journal const& journal);
Result<Journal> read_journal(std::string const& path);

}  // namespace sluice::slide::ome
