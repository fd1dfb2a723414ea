// Describing a dataset of frames.
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/stored_dataset.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace sluice::hdf5 {

namespace {

constexpr std::uint64_t most_frame_pixels = std::uint64_t{1} << 28;
constexpr std::uint64_t most_frames = std::uint64_t{1} << 40;

/// What a number type is, or why it is not read.
Result<StoredType> element_type(object::Datatype const& t) {
    auto const wrong = [](std::string why) { return Error{Code::unsupported, std::move(why)}; };
    bool const whole = t.kind == object::TypeClass::whole;
    if (t.kind == object::TypeClass::compound || t.kind == object::TypeClass::complex)
        return wrong(
            "holds records, such as complex numbers; save their parts, or one field, as a "
            "dataset of its own");
    bool const sized = t.size == 1 || t.size == 2 || t.size == 4 || t.size == 8;
    if (!t.numeric() || !sized || (!whole && t.size == 1))
        return wrong("holds no integers of 1, 2, 4 or 8 bytes and no floats of 2, 4 or 8");
    if (!t.plain())
        return wrong(fmt::format("holds numbers of {} bits in {} bytes; convert it to a usual type",
                                 t.precision, t.size));
    bool const sign = t.has_sign && !t.boolean;
    return StoredType{!whole ? StoredType::Kind::floating
                      : sign ? StoredType::Kind::signed_int
                             : StoredType::Kind::unsigned_int,
                      static_cast<int>(t.size), t.size > 1 && t.big_endian};
}

Status check_shape(StoredDataset const& d, std::size_t least_rank) {
    if (d.rank() < least_rank)
        return Error{Code::unsupported,
                     fmt::format("the dataset {} has the shape {} (frames need 3 or 4 dimensions)",
                                 d.path, shape_text(d.extent)),
                     d.file};
    std::uint64_t frames = 1;
    for (std::size_t i = 0; i + 2 < d.rank(); ++i)
        frames = d.extent[i] == 0 || frames <= most_frames / d.extent[i] ? frames * d.extent[i]
                                                                         : most_frames + 1;
    std::uint64_t const rows = d.rank() < 2 ? 1 : d.extent[d.rank() - 2];
    std::uint64_t const cols = d.extent[d.rank() - 1];
    if (rows == 0 || cols == 0 || rows > most_frame_pixels / cols || frames > most_frames)
        return Error{Code::unsupported,
                     fmt::format("the dataset {} has the shape {} (frames have 1 to 2^28 pixels)",
                                 d.path, shape_text(d.extent)),
                     d.file};
    return {};
}

/// Blocks that are all combinations of some ranges in each dimension, these evenly spaced, as the
/// pattern that they are; nothing for others. Old files list the blocks of every pattern.
std::optional<Slab> pattern_of(std::vector<object::Corners> const& blocks) {
    Slab slab;
    std::set<std::vector<std::uint64_t>> places;
    for (object::Corners const& b : blocks) places.insert(b.low);
    std::uint64_t combinations = 1;
    for (std::size_t d = 0; !blocks.empty() && d < blocks[0].low.size(); ++d) {
        std::set<std::uint64_t> lows;
        std::uint64_t const size = blocks[0].high[d] - blocks[0].low[d] + 1;
        for (object::Corners const& b : blocks) {
            if (b.high[d] - b.low[d] + 1 != size) return {};
            lows.insert(b.low[d]);
        }
        std::uint64_t const first = *lows.begin(), n = lows.size();
        std::uint64_t const stride = n > 1 ? *std::next(lows.begin()) - first : size;
        std::uint64_t k = 0;
        for (std::uint64_t low : lows)
            if (low - first != stride * k++) return {};
        slab.start.push_back(first);
        slab.stride.push_back(stride);
        slab.count.push_back(n);
        slab.block.push_back(size);
        combinations *= n;
    }
    bool const all = !blocks.empty() && places.size() == blocks.size();
    return all && combinations == blocks.size() ? std::optional(slab) : std::nullopt;
}

/// A regular selection; nothing for any other.
std::optional<Slab> slab_of(object::Region const& region) {
    if (region.kind == object::Region::Kind::all) return Slab{};
    if (region.kind == object::Region::Kind::blocks) return pattern_of(region.blocks);
    if (region.kind != object::Region::Kind::regular) return {};
    Slab slab;
    for (object::Region::Side const& s : region.sides) {
        slab.start.push_back(s.start);
        slab.stride.push_back(s.stride);
        slab.count.push_back(s.count);
        slab.block.push_back(s.block);
    }
    return slab;
}

Status read_mappings(object::Layout const& layout, StoredDataset& d) {
    SLUICE_TRY(auto const mappings, object::virtual_mappings(d.object.source(), layout));
    for (object::VirtualMapping const& m : mappings) {
        constexpr auto none = object::Region::Kind::none;
        if (m.here.kind == none || m.there.kind == none) continue;
        auto const here = slab_of(m.here), there = slab_of(m.there);
        if (!here || !there) d.odd_mapping = "a selection is not a regular pattern of blocks";
        // "%b" numbers files or datasets by block.
        if (object::has_block_number(m.file) || object::has_block_number(m.path))
            d.odd_mapping = "the names of its sources are a pattern, " + m.file + " " + m.path;
        if (!d.odd_mapping.empty()) return {};
        d.mappings.push_back(
            {object::block_name(m.file, 0), object::block_name(m.path, 0), *here, *there});
    }
    return {};
}

Status set_storage(object::DatasetInfo&& info, StoredDataset& d) {
    object::Layout& layout = info.layout;
    object::Source const& source = d.object.source();
    d.external = info.external;
    d.filters = std::move(info.filters);
    bool const zero = std::ranges::all_of(info.fill, [](std::byte b) { return b == std::byte{}; });
    if (!zero) d.fill = std::move(info.fill);
    switch (layout.kind) {
        case object::LayoutClass::compact:
            d.storage = Storage::compact;
            d.compact = std::move(layout.compact);
            d.compact.resize(static_cast<std::size_t>(*info.space.count() * info.type.size));
            break;
        case object::LayoutClass::contiguous:
            d.storage = Storage::contiguous;
            if (!d.external && source.defined(layout.address))
                d.offset = layout.address + source.sb().base;
            break;
        case object::LayoutClass::chunked:
            d.storage = Storage::chunked;
            d.chunk = layout.chunks.chunk;
            d.plain_edges = layout.plain_edges();
            d.chunks = std::move(layout.chunks);
            break;
        case object::LayoutClass::mapped:
            d.storage = Storage::mapped;
            return read_mappings(layout, d);
    }
    return {};
}

/// The dataset at a path. Behind an external link it is in another file.
Result<object::Object> find_dataset(object::Object const& file, std::string const& path) {
    SLUICE_TRY(auto found, file.find(path));
    if (found && found->is_dataset()) return *std::move(found);
    return Error{Code::not_found,
                 fmt::format("there is no dataset {}; name another with --dataset PATH", path),
                 file.file()};
}

}  // namespace

index StoredDataset::frames() const {
    std::uint64_t n = 1;
    for (std::size_t i = 0; i + 2 < rank(); ++i) n *= extent[i];
    return static_cast<index>(n);
}

bool StoredDataset::frame_chunks() const {
    if (chunk.size() != rank()) return false;
    for (std::size_t i = 0; i + 2 < rank(); ++i)
        if (chunk[i] != 1) return false;
    return chunk[rank() - 2] == extent[rank() - 2] && chunk[rank() - 1] == extent[rank() - 1];
}

bool StoredDataset::chunks_within_frames() const {
    if (storage != Storage::chunked || chunk.size() != rank()) return false;
    return std::all_of(chunk.begin(), chunk.end() - 2, [](std::uint64_t n) { return n == 1; });
}

std::string shape_text(std::vector<std::uint64_t> const& extent) {
    return extent.empty() ? "scalar" : fmt::format("{}", fmt::join(extent, "x"));
}

std::string filter_names(StoredDataset const& d) {
    std::string text;
    for (Filter const& f : d.filters) {
        std::string_view const name = f.name.empty() ? usual_name(f.id) : f.name;
        text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", name.empty() ? "filter" : name,
                            f.id);
    }
    return text.empty() ? "none" : text;
}

std::vector<std::byte> StoredDataset::read_fill() const {
    if (fill.empty()) return {};
    std::vector<std::byte> value(static_cast<std::size_t>(size_of(dtype)));
    convert_values(element, fill, value.data());
    return value;
}

Result<StoredDataset> describe(object::Object const& file, std::string const& path,
                               std::size_t least_rank) {
    StoredDataset d;
    SLUICE_TRY(d.object, find_dataset(file, path));
    d.file = d.object.file();
    d.path = d.file == file.file() ? path : d.object.path();
    d.asked = path;
    SLUICE_TRY(object::DatasetInfo info, object::dataset_info(d.object));
    auto const element = element_type(info.type);
    if (!element)
        return Error{Code::unsupported,
                     fmt::format("the dataset {} {}", path, element.error().message), d.file};
    d.element = *element;
    d.dtype = read_as(d.element);
    d.exact = as_stored(d.element);
    d.stored_type = name_of(d.element);
    d.extent = info.space.extent;
    d.max = info.space.max;
    SLUICE_CHECK(check_shape(d, least_rank));
    SLUICE_CHECK(set_storage(std::move(info), d));
    return d;
}

Result<StoredDataset> describe(std::string const& file, std::string const& path,
                               std::size_t least_rank) {
    SLUICE_TRY(auto const root, object::Object::open_file(file));
    return describe(root, path, least_rank);
}

}  // namespace sluice::hdf5
