// Finds the frames of MIB files by their headers, which say what follows them.
// SPDX-License-Identifier: Apache-2.0
#include "format/mib/frames.h"

#include <fmt/format.h>

#include <algorithm>

namespace sluice::mib {
namespace {

constexpr std::uint64_t most_number = std::uint64_t{1} << 40;
std::string_view const mark = "MQ1,";

Error at(Error e, File const& file, std::uint64_t place) {
    e.file = file.path(), e.at = place;
    return e;
}

// Whether a frame begins there; empty: the file ends before that shows.
std::optional<bool> begins(File const& file, std::uint64_t place) {
    std::array<std::byte, 4> bytes{};
    if (place > file.size() || file.size() - place < bytes.size()) return {};
    if (!file.read(place, bytes)) return {};
    return std::equal(bytes.begin(), bytes.end(), mark.begin(),
                      [](std::byte b, char c) { return std::to_integer<char>(b) == c; });
}

Error cut_off(std::string_view what) {
    return {Code::truncated, fmt::format("the file ends within {}; copy it again", what)};
}

Result<std::vector<std::byte>> header_at(File const& file, std::uint64_t place, std::size_t bytes) {
    std::vector<std::byte> header(bytes);
    SLUICE_CHECK(file.read(place, header));
    return header;
}

}  // namespace

Result<FrameForm> form_of(File const& file, int depth, bool growing) {
    std::vector<std::byte> head(std::min<std::uint64_t>(file.size(), most_header_bytes));
    SLUICE_CHECK(file.read(0, head));
    auto const size = header_bytes_of(head);
    if (!size && head.size() < header_start_bytes) return at(cut_off("its first header"), file, 0);
    if (size && *size > head.size()) return at(cut_off("its first header"), file, 0);
    auto const header = read_frame_header(head);
    if (!header) return at(header.error(), file, 0);
    std::size_t const twice =
        static_cast<std::size_t>(header->width) * static_cast<std::size_t>(header->height) * 2;
    std::vector<FrameForm> forms;
    for (std::size_t const stored : {std::size_t{0}, twice}) {
        auto const layout = layout_of(*header, stored, depth);
        if (!layout) return at(layout.error(), file, 0);
        FrameForm const form{*layout, header->header_bytes};
        if (forms.empty() || !(forms.front().layout == form.layout)) forms.push_back(form);
    }
    if (forms.size() == 1) return forms[0];
    for (FrameForm const& form : forms)
        if (begins(file, form.stride()) == true) return form;
    for (FrameForm const& form : forms)
        if (!growing && file.size() == form.stride()) return form;
    return at(cut_off("its first frame (or its second one has no header)"), file, file.size());
}

Result<std::uint64_t> number_at(Bytes bytes, FrameForm const& form, int depth) {
    SLUICE_TRY(auto const header, read_frame_header(bytes));
    if (header.sequence > most_number)
        return Error{Code::corrupt, fmt::format("a frame has the number {}", header.sequence)};
    SLUICE_TRY(auto const layout, layout_of(header, form.layout.bytes, depth));
    if (header.header_bytes != form.header_bytes || !(layout == form.layout))
        return Error{
            Code::corrupt,
            fmt::format("frame {} has {}x{} pixels of {} ({} bytes), and the first one {}x{} of {} "
                        "({} bytes); are files of several acquisitions mixed?",
                        header.sequence, layout.rows, layout.cols, header.type,
                        header.header_bytes + layout.bytes, form.layout.rows, form.layout.cols,
                        name_of(form.layout.dtype), form.stride())};
    return header.sequence;
}

Result<FileFrames> find_frames(File const& file, std::size_t which, FrameForm const& form,
                               int depth, bool thorough) {
    FileFrames out;
    std::uint64_t const stride = form.stride(), count = file.size() / stride;
    out.left_over = file.size() % stride;
    if (count == 0) return out;
    auto const number = [&](std::uint64_t i) -> Result<std::uint64_t> {
        SLUICE_TRY(auto const bytes, header_at(file, i * stride, form.header_bytes));
        auto n = number_at(bytes, form, depth);
        if (!n) return at(n.error(), file, i * stride);
        return n;
    };
    auto const first = number(0), last = number(count - 1);
    if (!thorough && first && last && *last - *first == count - 1) {
        out.pieces = {{which, *first, static_cast<index>(count), 0}};
        return out;
    }
    for (std::uint64_t i = 0; i < count; ++i) {
        auto const n = number(i);
        if (!n && n.error().code == Code::io) return n.error();
        if (!n) {
            if (!out.damage) out.damage = n.error();
            continue;
        }
        Piece* const before = out.pieces.empty() ? nullptr : &out.pieces.back();
        bool const follows =
            before && *n == before->first + static_cast<std::uint64_t>(before->count) &&
            before->at + static_cast<std::uint64_t>(before->count) * stride == i * stride;
        if (follows)
            ++before->count;
        else
            out.pieces.push_back({which, *n, 1, i * stride});
    }
    return out;
}

MibSource::MibSource(std::vector<std::shared_ptr<File const>> files, std::vector<Piece> pieces,
                     FrameForm const& form, int depth, std::uint64_t first)
    : files_(std::move(files)),
      pieces_(std::move(pieces)),
      form_(form),
      depth_(depth),
      first_(first) {}

// Every header is compared: a frame at the wrong place would shift the scan.
Status MibSource::read(Piece const& piece, std::uint64_t number, std::span<EncodedFrame> out,
                       std::span<std::byte> room) const {
    File const& file = *files_[piece.file];
    std::size_t const stride = form_.stride();
    std::uint64_t const place = piece.at + (number - piece.first) * stride;
    SLUICE_CHECK(file.read(place, room));
    for (std::size_t i = 0; i < out.size(); ++i) {
        Bytes const frame = room.subspan(i * stride, stride);
        auto const found = number_at(frame.first(form_.header_bytes), form_, depth_);
        if (!found) return at(found.error(), file, place + i * stride);
        if (*found != number + i)
            return at({Code::corrupt,
                       fmt::format("frame {} stands where {} is expected; frames were lost, or "
                                   "the file was changed: open it with --allow-incomplete",
                                   *found, number + i)},
                      file, place + i * stride);
        out[i] = {.encoding = form_.layout.encoding,
                  .bytes = frame.subspan(form_.header_bytes),
                  .at = place + i * stride + form_.header_bytes,
                  .file = &file.path(),
                  .medipix = form_.layout.medipix};
    }
    return {};
}

Status MibSource::fetch(index first, std::span<EncodedFrame> out, FetchScratch& scratch) const {
    expects(first >= 0);
    std::ranges::fill(out, EncodedFrame{});
    std::uint64_t const begin = first_ + static_cast<std::uint64_t>(first),
                        end = begin + out.size();
    auto const end_of = [](Piece const& p) {
        return p.first + static_cast<std::uint64_t>(p.count);
    };
    scratch.bytes.resize(out.size() * form_.stride());
    auto p = std::ranges::upper_bound(pieces_, begin, {}, end_of);
    for (; p != pieces_.end() && p->first < end; ++p) {
        std::uint64_t const from = std::max(begin, p->first), to = std::min(end, end_of(*p));
        auto const at = static_cast<std::size_t>(from - begin),
                   n = static_cast<std::size_t>(to - from);
        SLUICE_CHECK(
            read(*p, from, out.subspan(at, n),
                 std::span(scratch.bytes).subspan(at * form_.stride(), n * form_.stride())));
    }
    return {};
}

std::uint64_t MibSource::stored_bytes() const {
    std::uint64_t bytes = 0;
    for (Piece const& p : pieces_)
        bytes += static_cast<std::uint64_t>(p.count) * form_.layout.bytes;
    return bytes;
}

}  // namespace sluice::mib
