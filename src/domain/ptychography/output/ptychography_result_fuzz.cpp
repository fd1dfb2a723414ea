// Fuzz target: any bytes as a result of ptychography.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/test_memory_file.h"
#include "sluice/ptychography_file.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    ptycho::MemoryFile const file(data, size);
    auto const read = stem4d::load_ptychography(file.path(), 16 << 20);
    if (!read) {
        expects(!read.error().message.empty());
        return 0;
    }
    stem4d::PtychographyResult const& r = read->result;
    sluice::index pixels = 1;
    for (sluice::index const side : r.object.shape) pixels *= side;
    expects(std::ssize(r.object.values) == pixels && pixels > 0);
    expects(std::ssize(r.mode_powers) == r.probe.shape[0]);
    expects(r.started.empty() || r.started.size() == r.positions.size());
    return 0;
}
