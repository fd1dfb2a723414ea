// Blocks are consecutive frames, read, put into the file's order and written in one piece.
// SPDX-License-Identifier: Apache-2.0
#include "domain/conversion/flat_target.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>

#include "base/file.h"
#include "base/hash.h"

namespace sluice::conversion {
namespace {

constexpr index block_bytes = 4 << 20;

void swap_bytes(std::byte* values, index count, index element) {
    if (element == 1) return;
    for (index i = 0; i < count; ++i)
        std::reverse(values + i * element, values + (i + 1) * element);
}

std::string part_of(std::string const& name) {
    return name + ".part";
}

}  // namespace

index FlatTarget::per_block() const {
    return std::max<index>(1, block_bytes / std::max<index>(1, wish_.frame_bytes()));
}

index FlatTarget::blocks() const {
    return (wish_.like.frames + per_block() - 1) / per_block();
}

Block FlatTarget::block(index number) const {
    index const first = number * per_block();
    return {first, std::min(per_block(), wish_.like.frames - first)};
}

std::optional<std::uint64_t> FlatTarget::kept_offset() const {
    auto const text = read_file(offset_name(), 64);
    if (!text) return {};
    std::uint64_t offset = 0;
    auto const* const first = reinterpret_cast<char const*>(text->data());
    auto const* const end = first + text->size();
    auto const [at, failed] = std::from_chars(first, end, offset);
    if (failed != std::errc() || at != end || offset == 0) return {};
    return offset;
}

Status FlatTarget::begin(bool anew) {
    // Where the values begin is kept for who goes on.
    if (form_.lay_out && !anew) {
        form_.offset = kept_offset().value_or(0);
        expects(form_.offset > 0);  // resumable() was asked
    } else if (form_.lay_out) {
        SLUICE_TRY(form_.offset, form_.lay_out(places_.part));
        SLUICE_CHECK(save_text(offset_name(), std::to_string(form_.offset)));
    }
    for (auto const& [name, text] : form_.beside) SLUICE_CHECK(save_text(part_of(name), text));
    SLUICE_TRY(file_, PartFile::open(places_.part));
    if (form_.lay_out) return {};
    form_.offset = form_.beginning.size();
    return file_->write(0, std::as_bytes(std::span(form_.beginning)));
}

Result<Stored> FlatTarget::write(index number, FrameReader& frames) {
    Block const b = block(number);
    index const frame = wish_.frame_bytes();
    std::vector<std::byte> bytes(static_cast<std::size_t>(b.count) * stride());
    // The values go to the end, and from there to their places, headers between them.
    std::byte* const values =
        bytes.data() + static_cast<std::uint64_t>(b.count) * form_.header_bytes;
    SLUICE_CHECK(frames.read(b.first, b.count, values));
    index const element = size_of(wish_.like.dtype);
    if (form_.big_endian) swap_bytes(values, b.count * wish_.like.pixels(), element);
    for (index i = 0; form_.header && i < b.count; ++i) {
        std::byte* const to = bytes.data() + static_cast<std::uint64_t>(i) * stride();
        std::memmove(to + form_.header_bytes, values + i * frame, static_cast<std::size_t>(frame));
        std::string const header = form_.header(b.first + i);
        expects(header.size() == form_.header_bytes);
        std::memcpy(to, header.data(), header.size());
    }
    SLUICE_CHECK(file_->write(place_of(b.first), bytes));
    return Stored{bytes.size(), xxh64(bytes)};
}

Result<Stored> FlatTarget::read_back(index number) const {
    Block const b = block(number);
    std::vector<std::byte> bytes(static_cast<std::size_t>(b.count) * stride());
    SLUICE_CHECK(file_->read(place_of(b.first), bytes));
    return Stored{bytes.size(), xxh64(bytes)};
}

std::uint64_t FlatTarget::bytes() const {
    std::error_code none;
    return std::filesystem::file_size(places_.part, none);
}

std::vector<std::pair<std::string, std::string>> FlatTarget::others() const {
    std::vector<std::pair<std::string, std::string>> names;
    for (auto const& [name, text] : form_.beside) names.emplace_back(part_of(name), name);
    return names;
}

Result<std::unique_ptr<Target>> flat_target(Wish const& wish, Places const& places, FlatForm form) {
    using stem4d::ScanCodec;
    if (wish.codec == ScanCodec::automatic || wish.codec == ScanCodec::none)
        return std::unique_ptr<Target>(std::make_unique<FlatTarget>(wish, places, std::move(form)));
    return Error{Code::invalid_argument,
                 "this format is written without compression; leave out --codec, or write Zarr or "
                 "NXmx",
                 places.path};
}

}  // namespace sluice::conversion
