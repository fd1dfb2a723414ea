// Fuzz target: any text as the configuration of a separator.
// SPDX-License-Identifier: Apache-2.0
#include "domain/music/facts.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    auto const c = music::parse_config({reinterpret_cast<char const*>(data), size}, "fuzz.yaml");
    if (!c) {
        expects(!c.error().message.empty());
        return 0;
    }
    music::Inspection i;
    i.network = {128, 128, 5, 2, 4, 4, 1024, 2};
    if (!music::add_facts(&*c, "fuzz.ckpt", i)) return 0;
    expects(!i.chunks.empty() && i.stems.size() == 2);
    for (music::Chunk const& chunk : i.chunks) expects(chunk.frames > 0 && chunk.cost.macs > 0);
    return 0;
}
