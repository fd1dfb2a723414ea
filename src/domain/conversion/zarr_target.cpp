// Scans as arrays of Zarr: version 3 in shards, and HyperSpy's ZSPY in version 2.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/hash.h"
#include "domain/conversion/hyperspy.h"
#include "domain/conversion/targets.h"
#include "format/described.h"
#include "format/zarr/zarr.h"
#include "save/provenance.h"
#include "zarr/array.h"
#include "zarr/group.h"

namespace sluice::conversion {
namespace {

using stem4d::ScanCodec;
using json = nlohmann::ordered_json;

// Chunks are what readers decode at once, shards are files.
constexpr index chunk_bytes = 1 << 20, shard_bytes = 8 << 20;

Result<zarr::Codec> codec_of(ScanCodec codec) {
    using zarr::Compressor;
    switch (codec) {
        case ScanCodec::blosc_zstd:
            return zarr::Codec{.compressor = Compressor::blosc_zstd, .level = 1, .bits = true};
        case ScanCodec::automatic:
        case ScanCodec::blosc_lz4:
            return zarr::Codec{.compressor = Compressor::blosc_lz4, .level = 5, .bits = true};
        case ScanCodec::zstd:
            return zarr::Codec{.compressor = Compressor::zstd, .level = 3};
        case ScanCodec::none:
            return zarr::Codec{.compressor = Compressor::none};
        default:
            return Error{Code::invalid_argument,
                         "Zarr's chunks have no such codec; give --codec blosc-lz4, blosc-zstd, "
                         "zstd or none"};
    }
}

std::string word_of(zarr::Codec const& codec) {
    switch (codec.compressor) {
        case zarr::Compressor::blosc_zstd:
            return "blosc-zstd";
        case zarr::Compressor::blosc_lz4:
            return "blosc-lz4";
        case zarr::Compressor::zstd:
            return "zstd";
        case zarr::Compressor::none:
            break;
    }
    return "none";
}

/// Chunks are pieces of a row of the scan; files are some rows, or a part of one.
zarr::Spec spec_of(Wish const& wish, zarr::Codec const& codec) {
    auto const [rows, cols, height, width] = wish.shape();
    index const frame = std::max<index>(1, wish.frame_bytes());
    index const chunk = std::clamp<index>(chunk_bytes / frame, 1, cols);
    index const in_row = (cols + chunk - 1) / chunk;
    index const in_shard = std::max<index>(1, shard_bytes / (chunk * frame));
    zarr::Spec s{.dtype = wish.like.dtype,
                 .shape = {rows, cols, height, width},
                 .chunk = {1, chunk, height, width},
                 .codec = codec};
    index const shard_rows = std::clamp<index>(in_shard / in_row, 1, rows);
    s.shard = {shard_rows, std::min(in_shard, in_row) * chunk, height, width};
    s.dimension_names = {"scan_row", "scan_column", "detector_row", "detector_column"};
    return s;
}

class ZarrTarget final : public Target {
  public:
    ZarrTarget(Wish wish, std::string part, zarr::Spec spec, bool zspy)
        : wish_(std::move(wish)), part_(std::move(part)), spec_(std::move(spec)), zspy_(zspy) {}

    std::string codec() const override { return word_of(spec_.codec); }
    index blocks() const override { return across(0) * across(1); }
    Block block(index number) const override {
        auto const [row, col] = corner(number);
        return {row * wish_.like.scan[1] + col, rows_in(row) * cols_in(col)};
    }

    Status begin(bool anew) override {
        if (!anew) {
            SLUICE_TRY(array_, zarr::Array::open(array_path()));
            return {};
        }
        SLUICE_CHECK(zspy_ ? begin_zspy() : begin_zarr());
        SLUICE_TRY(array_, zarr::Array::create(array_path(), spec_));
        return {};
    }

    Result<Stored> write(index number, FrameReader& frames) override {
        zarr::ChunkScratch scratch;
        std::vector<std::byte> values(static_cast<std::size_t>(array_->chunk_bytes()));
        auto const [row, col] = corner(number);
        index const n = side(1) / spec_.chunk[1];
        std::vector<std::vector<std::byte>> chunks(
            static_cast<std::size_t>(array_->chunks_per_block()));
        zarr::Written written;
        for (index r = 0; r < rows_in(row); ++r)
            for (index c = 0; c < n; ++c) {
                index const at = col + c * spec_.chunk[1];
                index const count = std::min(spec_.chunk[1], wish_.like.scan[1] - at);
                if (count <= 0) break;
                auto const filled = static_cast<std::size_t>(count * wish_.frame_bytes());
                SLUICE_CHECK(
                    frames.read((row + r) * wish_.like.scan[1] + at, count, values.data()));
                std::fill(values.begin() + static_cast<std::ptrdiff_t>(filled), values.end(),
                          std::byte{0});
                if (spec_.shard.empty()) {
                    SLUICE_TRY(written, array_->write_chunk(place(number), values, scratch));
                } else {
                    auto const slot = static_cast<std::size_t>(r * n + c);
                    SLUICE_TRY(chunks[slot], array_->encode(values, scratch));
                }
            }
        if (!spec_.shard.empty()) {
            SLUICE_TRY(written, array_->write_shard(place(number), chunks));
        }
        return Stored{static_cast<std::uint64_t>(written.length), written.hash};
    }

    // A chunk's values, shuffled and encoded; with shards all chunks of one, and the file.
    std::uint64_t worker_bytes(double packed) const override {
        double const frames = static_cast<double>(spec_.chunk[1]);
        double const chunk = frames * static_cast<double>(wish_.frame_bytes());
        double const chunks = static_cast<double>(side(0) * side(1)) / frames;
        double const kept = spec_.shard.empty() ? 0 : 2 * packed * chunks * chunk;
        return static_cast<std::uint64_t>(3 * chunk + kept);
    }

    Result<Stored> read_back(index number) const override {
        std::string const file = array_->file_of(place(number));
        std::error_code none;
        if (!std::filesystem::exists(file, none)) return Stored{};
        SLUICE_TRY(auto const bytes, read_file(file, std::uint64_t{1} << 40));
        return Stored{bytes.size(), xxh64(bytes)};
    }

    std::string main() const override { return part_; }
    Result<Dataset> reopen() const override { return zarr_scan::open(part_, {}); }

    std::uint64_t bytes() const override {
        std::uint64_t n = 0;
        std::error_code none;
        for (auto i = std::filesystem::recursive_directory_iterator(part_, none);
             !none && i != std::filesystem::recursive_directory_iterator(); i.increment(none))
            if (i->is_regular_file(none)) n += i->file_size(none);
        return n;
    }

  private:
    std::string array_path() const {
        return part_ + (zspy_ ? "/" + hyperspy_group(wish_.like) + "/data" : "/data");
    }
    index side(std::size_t d) const { return (spec_.shard.empty() ? spec_.chunk : spec_.shard)[d]; }
    index across(std::size_t d) const { return (spec_.shape[d] + side(d) - 1) / side(d); }
    std::array<index, 2> corner(index number) const {
        return {number / across(1) * side(0), number % across(1) * side(1)};
    }
    index rows_in(index row) const { return std::min(side(0), spec_.shape[0] - row); }
    index cols_in(index col) const { return std::min(side(1), spec_.shape[1] - col); }
    std::vector<index> place(index number) const {
        return {number / across(1), number % across(1), 0, 0};
    }

    Status begin_zarr() {
        json about = json::object();
        for (auto const& [name, value] : save::tidy(wish_.provenance).fields) about[name] = value;
        json const attributes = {{"sluice_scan", json::parse(described(wish_.like))},
                                 {"provenance", about}};
        return zarr::write_group(part_, 3,
                                 attributes.dump(-1, ' ', false, json::error_handler_t::replace));
    }

    Status begin_zspy() {
        for (Node const& node : hyperspy_nodes(wish_.like, wish_.provenance)) {
            json attributes = json::object();
            for (auto const& attribute : node.attributes)
                std::visit([&](auto const& v) { attributes[attribute.first] = v; },
                           attribute.second);
            if (node.path.empty()) attributes["file_format"] = "ZSpy";
            if (node.path == hyperspy_group(wish_.like))
                attributes["sluice_scan"] = json::parse(described(wish_.like));
            std::string const path = node.path.empty() ? part_ : part_ + "/" + node.path;
            SLUICE_CHECK(zarr::write_group(
                path, 2, attributes.dump(-1, ' ', false, json::error_handler_t::replace)));
        }
        return {};
    }

    Wish wish_;
    std::string part_;
    zarr::Spec spec_;
    bool zspy_;
    std::optional<zarr::Array> array_ = {};
};

}  // namespace

Result<std::unique_ptr<Target>> zarr_target(Wish const& wish, Places const& places) {
    SLUICE_TRY(zarr::Codec const codec, codec_of(wish.codec));
    zarr::Spec spec = spec_of(wish, codec);
    // Blosc and bare values have no checksum.
    spec.codec.crc32c = codec.compressor != zarr::Compressor::zstd;
    return std::unique_ptr<Target>(
        std::make_unique<ZarrTarget>(wish, places.part, std::move(spec), false));
}

Result<std::unique_ptr<Target>> zspy_target(Wish const& wish, Places const& places) {
    SLUICE_TRY(zarr::Codec const codec, codec_of(wish.codec));
    zarr::Spec spec = spec_of(wish, codec);
    spec.version = 2;
    spec.shard.clear();
    spec.dimension_names.clear();
    return std::unique_ptr<Target>(
        std::make_unique<ZarrTarget>(wish, places.part, std::move(spec), true));
}

}  // namespace sluice::conversion
