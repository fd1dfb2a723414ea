// The chunk index reader on arbitrary bytes.
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "format/hdf5/chunk_index.h"
#include "format/hdf5/object/test_walk.h"

using namespace sluice;
using namespace sluice::hdf5;

/// Input: the rank (1 byte); extent, largest extent and chunk of each dimension (4 bytes each, the
/// largest all-ones for no limit); filtered (1); address of the object header (8); then the file.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    Cursor c(std::as_bytes(std::span(data, size)));
    ChunkGrid grid;
    unsigned const rank = c.byte() % 5;
    for (unsigned d = 0; d < rank; ++d) {
        grid.extent.push_back(c.number(4));
        std::uint64_t const max = c.number(4);
        grid.max.push_back(max == 0xffffffffu ? ~std::uint64_t{0} : max);
        grid.chunk.push_back(c.number(4));
    }
    grid.filtered = (c.byte() & 1) != 0;
    grid.chunk_bytes = 12;
    std::uint64_t const header = c.number(8);
    if (!c.ok()) return 0;
    auto const source =
        object::Source::open(std::make_unique<object::HeldBytes>(c.rest()), "x", {}, Sums::ignore);
    auto const dataset = source ? object::Object::at(*source, header, "/d") : source.error();
    if (!dataset) return 0;
    object::Message const* const m = dataset->header().find(object::MessageType::layout);
    auto const layout = m ? object::parse_layout(**source, m->body, m->address) : Error{};
    if (!layout || layout->kind != object::LayoutClass::chunked) return 0;
    ReadMemory const in(c.rest());
    auto const records = read_chunk_index(in, (*source)->sb(), layout->chunks, grid, Sums::ignore);
    if (!records) return 0;
    for (std::size_t i = 1; i < records->size(); ++i)
        if ((*records)[i].chunk <= (*records)[i - 1].chunk) std::abort();
    return 0;
}
