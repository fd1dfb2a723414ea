// From a @Name@ file to a dataset.
// SPDX-License-Identifier: Apache-2.0
#include "format/@name@/@name@.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/bytes.h"
#include "base/file.h"
#include "format/frame_source.h"

namespace sluice::@name@ {
namespace {

constexpr std::string_view magic = "@NAME@";
constexpr std::size_t header_bytes = 20;  // the magic, padded to 8, and three 32-bit numbers

/// The frames of a file, 16-bit counts one after the other.
class Source : public FrameSource {
  public:
    Source(File file, Header const& header) : file_(std::move(file)), header_(header) {}

    Status fetch(index first, std::span<EncodedFrame> out, FetchScratch& scratch) const override {
        std::uint64_t const size = frame_bytes(), from = static_cast<std::uint64_t>(first) * size;
        scratch.bytes.resize(out.size() * size);
        SLUICE_CHECK(file_.read(header_.data_at + from, scratch.bytes));
        for (std::size_t i = 0; i < out.size(); ++i) {
            out[i] = {};
            out[i].encoding = Encoding::values;
            out[i].bytes = Bytes(scratch.bytes).subspan(i * size, size);
            out[i].at = header_.data_at + from + i * size;
            out[i].file = &file_.path();
        }
        return {};
    }
    std::uint64_t stored_bytes() const override {
        return static_cast<std::uint64_t>(header_.frames) * frame_bytes();
    }

  private:
    std::uint64_t frame_bytes() const {
        return static_cast<std::uint64_t>(header_.rows * header_.cols * size_of(DType::u16));
    }
    File file_;
    Header header_;
};

}  // namespace

Result<Header> parse_header(Bytes head, std::uint64_t file_size) {
    if (head.size() < header_bytes)
        return Error{.code = Code::truncated,
                     .message = fmt::format("file of {} bytes (its header alone has {}) copy it again",
                                            head.size(), header_bytes),
                     .at = head.size()};
    Header h;
    h.frames = load_le<std::uint32_t>(head.data() + 8);
    h.rows = load_le<std::uint32_t>(head.data() + 12);
    h.cols = load_le<std::uint32_t>(head.data() + 16);
    h.data_at = header_bytes;
    if (h.frames == 0 || h.rows == 0 || h.cols == 0)
        return Error{.code = Code::corrupt,
                     .message = fmt::format("{} frames of {}x{} (a side is 0) the file is damaged",
                                            h.frames, h.rows, h.cols),
                     .at = 8};
    // Divisions, because the product of three 32-bit numbers may not fit 64 bits.
    std::uint64_t const values = (file_size - std::min(file_size, h.data_at)) / 2;
    auto const pixels = static_cast<std::uint64_t>(h.rows * h.cols);
    if (pixels > values || static_cast<std::uint64_t>(h.frames) > values / pixels)
        return Error{.code = Code::truncated,
                     .message = fmt::format("{} frames of {}x{} (the file has only {} bytes) copy it "
                                            "again",
                                            h.frames, h.rows, h.cols, file_size),
                     .at = file_size};
    return h;
}

bool recognises(std::string_view, Bytes head) {
    return head.size() >= magic.size() &&
           std::equal(magic.begin(), magic.end(), head.begin(),
                      [](char a, std::byte b) { return static_cast<std::byte>(a) == b; });
}

Result<Dataset> open(std::string const& path, OpenOptions const& options) {
    SLUICE_TRY(File file, File::open(path));
    std::vector<std::byte> head(std::min<std::uint64_t>(file.size(), header_bytes));
    SLUICE_CHECK(file.read(0, head));
    auto header = parse_header(head, file.size());
    if (!header) {
        header.error().file = path;
        return std::move(header).error();
    }
    auto const scan = options.scan_shape.value_or(std::array<index, 2>{1, header->frames});
    if (scan[0] <= 0 || scan[1] <= 0 || header->frames % scan[0] != 0 ||
        header->frames / scan[0] != scan[1])
        return Error{.code = Code::invalid_argument,
                     .message = fmt::format("scan shape {}x{} (the file has {} frames) give another",
                                            scan[0], scan[1], header->frames),
                     .file = path};
    Dataset d;
    d.path = path;
    d.format = "@name@";
    d.files = {path};
    d.dtype = DType::u16;
    d.frames = header->frames;
    d.rows = header->rows;
    d.cols = header->cols;
    d.scan = scan;
    d.scan_from = options.scan_shape ? "user" : "one row";
    d.source = std::make_shared<Source>(std::move(file), *header);
    return d;
}

}  // namespace sluice::@name@
