// Fuzz target: any bytes as a file of patterns: CXI, ptyd or npz.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "domain/ptychography/test_memory_file.h"
#include "sluice/ptychography_file.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    ptycho::MemoryFile const file(data, size);
    stem4d::PatternFileOptions options;
    options.memory_limit = 16 << 20;
    std::vector<std::string> notes;
    auto const read = stem4d::read_patterns(file.path(), options, &notes);
    if (!read) {
        expects(!read.error().message.empty());
        return 0;
    }
    stem4d::Patterns const& p = read->patterns;
    auto const pixels = p.size * p.size;
    std::visit([&](auto const& counts) { expects(std::ssize(counts) == p.count() * pixels); },
               p.counts);
    expects(p.bad.empty() || std::ssize(p.bad) == pixels);
    expects(std::ssize(read->probe) % pixels == 0 && std::ssize(read->probe) <= 64 * pixels);
    if (auto const* counts = std::get_if<std::vector<float>>(&p.counts))
        for (float const v : *counts) expects(std::isfinite(v) && v >= 0);
    return 0;
}
