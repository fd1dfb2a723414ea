// Scans as DECTRIS detectors write them: a master, data files with a chunk per image, a companion.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <mutex>

#include "base/file.h"
#include "domain/conversion/targets.h"
#include "format/nxmx/nxmx.h"
#include "format/nxmx/writer_scan.h"

namespace sluice::conversion {
namespace {

namespace fs = std::filesystem;
using stem4d::ScanCodec;

constexpr index block_bytes = 4 << 20, images_per_file = 10000, most_files = 500;

Result<nxmx::Compression> compression_of(ScanCodec codec) {
    switch (codec) {
        case ScanCodec::automatic:
        case ScanCodec::bslz4:
            return nxmx::Compression::bslz4;
        case ScanCodec::bszstd:
            return nxmx::Compression::bszstd;
        case ScanCodec::none:
            return nxmx::Compression::none;
        default:
            return Error{Code::invalid_argument,
                         "NXmx has no such codec; give --codec bslz4, bszstd or none"};
    }
}

class NxmxTarget final : public Target {
  public:
    NxmxTarget(Wish wish, Places places, nxmx::Compression compression)
        : wish_(std::move(wish)), places_(std::move(places)), compression_(compression) {
        fs::path const path(places_.path);
        std::string const name = path.filename().string();
        prefix_ = name.substr(0, name.size() - std::string_view("_master.h5").size());
        folder_ = path.parent_path().string();
        per_file_ = std::max(images_per_file, (wish_.like.frames - 1) / most_files + 1);
    }

    std::string codec() const override {
        if (compression_ == nxmx::Compression::none) return "none";
        return compression_ == nxmx::Compression::bslz4 ? "bslz4" : "bszstd";
    }
    // No block is in two files.
    index blocks() const override {
        index const whole = wish_.like.frames / per_file_, rest = wish_.like.frames % per_file_;
        return whole * in_file() + (rest + per_block() - 1) / per_block();
    }
    Block block(index number) const override {
        index const file = number / in_file();
        index const first = file * per_file_ + number % in_file() * per_block();
        index const end = std::min((file + 1) * per_file_, wish_.like.frames);
        return {first, std::min(per_block(), end - first)};
    }
    bool resumable() const override { return false; }

    Status begin(bool) override {
        SLUICE_CHECK(make_folder(places_.part));
        SLUICE_TRY(writer_, nxmx::ScanWriter::create(places_.part + "/" + prefix_, wish_.like,
                                                     compression_, per_file_, wish_.provenance));
        return {};
    }

    Result<Stored> write(index number, FrameReader& frames) override {
        Block const b = block(number);
        std::vector<std::byte> values(static_cast<std::size_t>(b.count * wish_.frame_bytes()));
        std::vector<std::vector<std::byte>> chunks(static_cast<std::size_t>(b.count));
        Status const read = frames.read(b.first, b.count, values.data());
        Stored stored;
        for (index i = 0; read && i < b.count; ++i) {
            auto const frame = static_cast<std::size_t>(wish_.frame_bytes());
            auto& chunk = chunks[static_cast<std::size_t>(i)];
            // Frames that were not measured stay chunks that were not written.
            if (!missing(b.first + i))
                chunk = nxmx::encode_image(
                    std::span(values).subspan(static_cast<std::size_t>(i) * frame, frame),
                    compression_, static_cast<int>(size_of(wish_.like.dtype)));
            stored.bytes += chunk.size();
        }
        SLUICE_CHECK(read);
        std::lock_guard const lock(mutex_);
        SLUICE_CHECK(writer_->write(b.first, chunks));
        return stored;
    }
    std::uint64_t worker_bytes(double packed) const override {
        double const values = static_cast<double>(per_block() * wish_.frame_bytes());
        return static_cast<std::uint64_t>((1 + packed) * values +
                                          2 * static_cast<double>(wish_.frame_bytes()));
    }
    Result<Stored> read_back(index) const override { return Stored{}; }

    Status finish() override { return writer_->finish(); }

    Result<Dataset> reopen() const override {
        OpenOptions options;
        options.allow_incomplete = wish_.like.missing > 0;
        return nxmx::open(main(), options);
    }
    std::uint64_t bytes() const override {
        std::uint64_t n = 0;
        std::error_code none;
        for (auto const& entry : fs::directory_iterator(places_.part, none))
            n += fs::file_size(entry.path(), none);
        return n;
    }
    std::string main() const override { return places_.part + "/" + prefix_ + "_master.h5"; }
    std::vector<std::pair<std::string, std::string>> others() const override {
        std::vector<std::pair<std::string, std::string>> names;
        for (std::string const& file : writer_->files()) {
            std::string const name = fs::path(file).filename().string();
            if (file != main()) names.emplace_back(file, (fs::path(folder_) / name).string());
        }
        return names;
    }

  private:
    index per_block() const {
        return std::clamp<index>(block_bytes / std::max<index>(1, wish_.frame_bytes()), 1,
                                 per_file_);
    }
    index in_file() const { return (per_file_ + per_block() - 1) / per_block(); }
    bool missing(index frame) const {
        return std::ranges::any_of(wish_.like.missing_runs, [&](FrameRun const& run) {
            return frame >= run.first && frame < run.first + run.count;
        });
    }

    Wish wish_;
    Places places_;
    nxmx::Compression compression_;
    std::string prefix_, folder_;
    index per_file_ = images_per_file;
    std::mutex mutex_ = {};  // of the writer
    std::optional<nxmx::ScanWriter> writer_ = {};
};

}  // namespace

Result<std::unique_ptr<Target>> nxmx_target(Wish const& wish, Places const& places) {
    SLUICE_TRY(nxmx::Compression const compression, compression_of(wish.codec));
    if (wish.like.dtype == DType::f32)
        return Error{Code::unsupported,
                     "NXmx holds counts (uint8, uint16, uint32), and these values are float32; "
                     "choose another format",
                     places.path};
    if (!places.path.ends_with("_master.h5"))
        return Error{Code::invalid_argument,
                     "is no name of a master, by which readers find the data files; let it end "
                     "with _master.h5",
                     places.path};
    return std::unique_ptr<Target>(std::make_unique<NxmxTarget>(wish, places, compression));
}

}  // namespace sluice::conversion
