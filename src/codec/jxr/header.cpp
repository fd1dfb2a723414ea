// The header of a JPEG XR image and those of its planes.
// SPDX-License-Identifier: Apache-2.0
#include "codec/jxr/header.h"

#include <fmt/format.h>

#include <cstring>

namespace sluice::codec::jxr {
namespace {

Error corrupt(std::string_view what) {
    return {Code::corrupt, fmt::format("JPEG XR {} fetch or export the file again", what)};
}

Error unsupported(std::string_view what) {
    return {Code::unsupported, fmt::format("JPEG XR {} convert it with another program", what)};
}

// The indices that a plane or a tile gives for one band.
void read_indices(Bits& bits, int channels, std::uint8_t* index) {
    auto const mode = channels > 1 ? bits.read(2) : 0;
    for (int c = 0; c < channels; ++c)
        index[c] = c == 0 || mode > 1 || (mode == 1 && c == 1)
                       ? static_cast<std::uint8_t>(bits.read(8))
                       : index[c - 1];
}

void read_quantisers(Bits& bits, int channels, Quantisers& band) {
    band.per_tile = !bits.read(1);
    if (!band.per_tile) read_indices(bits, channels, band.index);
}

void read_bands(Bits& bits, PlaneHeader& plane) {
    read_quantisers(bits, plane.channels(), plane.dc);
    if (plane.bands == 1) return;
    plane.low_as_dc = bits.read(1) != 0;
    if (plane.low_as_dc)
        plane.low = plane.dc;
    else
        read_quantisers(bits, plane.channels(), plane.low);
    if (plane.bands == 2) return;
    plane.high_as_low = bits.read(1) != 0;
    if (plane.high_as_low)
        plane.high = plane.low;
    else
        read_quantisers(bits, plane.channels(), plane.high);
}

Status read_samples(Bits& bits, int depth, PlaneHeader& plane) {
    if (depth == static_cast<int>(Depth::bit16)) plane.shift = static_cast<int>(bits.read(8));
    if (depth == static_cast<int>(Depth::float32)) {
        plane.shift = static_cast<int>(bits.read(8));
        auto const bias = static_cast<int>(bits.read(8));  // in two's complement
        plane.exponent_bias = bias < 128 ? bias : bias - 256;
    }
    int const most = depth == static_cast<int>(Depth::float32) ? 23 : 15;
    if (plane.shift > most)
        return corrupt(
            fmt::format("image header with a sample shift of {} (at most {})", plane.shift, most));
    return {};
}

Status read_plane(Bits& bits, int depth, PlaneHeader& plane) {
    auto const color = bits.read(3);
    if (color > 3)
        return unsupported(fmt::format("image of {} (gray, RGB and RGBA are read)",
                                       color == 4   ? "CMYK"
                                       : color == 6 ? "many components"
                                                    : "unknown colours"));
    plane.color = static_cast<Color>(color);
    plane.scaled = bits.read(1) != 0;
    auto const bands = bits.read(4);
    if (bands > 3) return unsupported("image with isolated bands (no bands to build on)");
    plane.bands = 4 - static_cast<int>(bands);
    if (plane.color != Color::gray) bits.read(8);  // where chroma lies between luma
    SLUICE_CHECK(read_samples(bits, depth, plane));
    read_bands(bits, plane);
    bits.to_byte();
    return {};
}

Status read_tiles(Bits& bits, std::uint32_t count, int width, index blocks,
                  std::vector<index>& tiles) {
    tiles = {0};
    for (std::uint32_t i = 0; i < count; ++i) {
        tiles.push_back(tiles.back() + bits.read(width));
        if (tiles.back() <= tiles[i] || tiles.back() >= blocks)
            return corrupt(fmt::format("tile {} ends at macroblock {} of {} (outside the image)", i,
                                       tiles.back(), blocks));
    }
    tiles.push_back(blocks);
    return {};
}

// The window that is the image within whole macroblocks.
Status read_window(Bits& bits, Header& h, bool given) {
    if (given) {
        h.top = bits.read(6);
        h.left = bits.read(6);
        h.bottom = bits.read(6);
        h.right = bits.read(6);
    }
    index const across = h.width + h.left + h.right, down = h.height + h.top + h.bottom;
    if ((across | down) % 16 == 0) return {};
    // Some encoders count the padding at the right and at the bottom to the image.
    if ((h.width | h.height) % 16 != 0 || h.left + h.top != 0 || h.width <= h.right ||
        h.height <= h.bottom)
        return corrupt(
            fmt::format("window of {} x {} pixels (not whole macroblocks)", across, down));
    h.width -= h.right;
    h.height -= h.bottom;
    return {};
}

}  // namespace

Result<Header> read_header(Bytes codestream) {
    constexpr char signature[8] = "WMPHOTO";
    if (codestream.size() < 20 || std::memcmp(codestream.data(), signature, 8) != 0)
        return corrupt("image without its signature WMPHOTO");
    Bits bits(codestream.subspan(8));
    Header h;
    auto const version = bits.read(4), subversion = bits.read(4);
    if (version != 1 || (subversion != 1 && subversion != 9))
        return unsupported(fmt::format(
            "image of version {}.{} (1.1 and 1.9 are read; 1.0 is HD Photo)", version, subversion));
    h.hard_tiles = subversion == 9;
    bool const tiled = bits.read(1) != 0;
    h.frequency = bits.read(1) != 0;
    bits.read(3);  // orientation: the container's counts
    h.has_index = bits.read(1) != 0;
    h.overlap = static_cast<int>(bits.read(2));
    if (h.overlap == 3) return corrupt("image header with overlap 3 (0, 1 and 2 exist)");
    bool const is_short = bits.read(1) != 0;
    bits.read(1);  // whether 32-bit arithmetic is needed; it is always used
    bool const windowed = bits.read(1) != 0;
    h.trims_flexbits = bits.read(1) != 0;
    bool const stretched = bits.read(1) != 0;
    bits.read(2);
    h.alpha = bits.read(1) != 0;
    h.source_color = static_cast<int>(bits.read(4));
    h.depth = static_cast<int>(bits.read(4));
    h.width = index{bits.read(is_short ? 16 : 32)} + 1;
    h.height = index{bits.read(is_short ? 16 : 32)} + 1;
    if (!windowed) {
        h.right = -h.width & 15;
        h.bottom = -h.height & 15;
    }
    std::uint32_t const across = tiled ? bits.read(12) : 0, down = tiled ? bits.read(12) : 0;
    if (!h.has_index && (h.frequency || across + down > 0))
        return corrupt("image of several packets without an index of them");
    // The window comes after the tiles, and can make the image at most 8 macroblocks larger.
    index const slack = windowed ? 8 : 0;
    SLUICE_CHECK(
        read_tiles(bits, across, is_short ? 8 : 16, (h.width + 15) / 16 + slack, h.tiles_x));
    SLUICE_CHECK(
        read_tiles(bits, down, is_short ? 8 : 16, (h.height + 15) / 16 + slack, h.tiles_y));
    if (stretched)
        for (std::uint32_t i = 0; i < (across + 1) * (down + 1) && !bits.overrun(); ++i)
            bits.read(8);
    SLUICE_CHECK(read_window(bits, h, windowed));
    h.blocks_across = (h.left + h.width + h.right) / 16;
    h.blocks_down = (h.top + h.height + h.bottom) / 16;
    h.tiles_x.back() = h.blocks_across;
    h.tiles_y.back() = h.blocks_down;
    if ((across > 0 && h.tiles_x[across] >= h.blocks_across) ||
        (down > 0 && h.tiles_y[down] >= h.blocks_down))
        return corrupt("tile outside the image");
    bits.to_byte();
    SLUICE_CHECK(read_plane(bits, h.depth, h.plane));
    if (h.alpha) SLUICE_CHECK(read_plane(bits, h.depth, h.alpha_plane));
    if (bits.overrun())
        return Error{Code::truncated, "JPEG XR image ends in its header copy the file again"};
    h.end = bits.position();
    return h;
}

namespace {

// A number of 2, 5 or 9 bytes; the three escapes stand for 0.
std::uint64_t read_number(Bits& bits) {
    auto const first = bits.read(8);
    if (first >= 0xfd) return 0;
    if (first < 0xfb) return first << 8 | bits.read(8);
    std::uint64_t value = 0;
    for (int i = first == 0xfb ? 1 : 2; i > 0; --i) value = value << 32 | bits.read(32);
    return value;
}

}  // namespace

Result<std::vector<index>> read_index(Bytes codestream, Header const& header) {
    auto const at = header.end - codestream.data();
    Bits bits(codestream.subspan(static_cast<std::size_t>(at)));
    std::vector<index> starts;
    if (header.has_index) {
        if (bits.read(16) != 1) return corrupt("index of packets without its mark");
        auto const tiles = (header.tiles_x.size() - 1) * (header.tiles_y.size() - 1);
        auto const packets =
            tiles * (header.frequency ? static_cast<unsigned>(header.plane.bands) : 1U);
        // A packet's place takes at least a byte.
        if (packets > codestream.size()) return corrupt("index of packets longer than the file");
        starts.reserve(packets);
        for (std::size_t i = 0; i < packets && !bits.overrun(); ++i) {
            std::uint64_t const start = read_number(bits);
            if (start > codestream.size())
                return Error{Code::truncated,
                             fmt::format("JPEG XR packet {} begins at byte {} of {}"
                                         " (beyond the end) copy the file again",
                                         i, start, codestream.size())};
            starts.push_back(static_cast<index>(start));
        }
    } else {
        starts.push_back(0);
    }
    std::uint64_t const skipped = read_number(bits);
    if (bits.overrun() || skipped > codestream.size())
        return Error{Code::truncated, "JPEG XR image ends in its index copy the file again"};
    auto const base = bits.position() - codestream.data() + static_cast<index>(skipped);
    for (index& start : starts) {
        start += base;
        if (start > static_cast<index>(codestream.size()))
            return Error{Code::truncated,
                         "JPEG XR packet beyond the end of the file copy it again"};
    }
    return starts;
}

}  // namespace sluice::codec::jxr
