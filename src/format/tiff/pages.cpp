// Walking the chain of pages, and decoding them one by one.
// SPDX-License-Identifier: Apache-2.0
#include "format/tiff/pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace sluice::tiff {
namespace {

constexpr std::size_t most_pages = std::size_t{1} << 26;

Error other_page(Source const& file, Page const& first, Page const& p, std::size_t number,
                 std::uint64_t at) {
    return {Code::unsupported,
            fmt::format("page {} has {}x{} pixels of {}, and the first one {}x{} of {}; save the "
                        "frames alone as a stack",
                        number, p.rows, p.cols, name_of(p.stored), first.rows, first.cols,
                        name_of(first.stored)),
            file.name(), at};
}

Status take_first(Directory const& d, Page const& page, Stack& s) {
    s.first = page;
    SLUICE_TRY(std::string const text, d.text(Tag::description));
    s.about = read_description(text, page.rows, page.cols);
    for (auto const& [tag, name] :
         {std::pair{Tag::software, "software"}, std::pair{Tag::date_time, "time"}}) {
        SLUICE_TRY(std::string const said, d.text(tag));
        if (!said.empty() && said.size() < 200) s.fields.push_back({name, said, ""});
    }
    return {};
}

Status take_page(Source const& file, Directory const& d, bool& all_plain, Stack& s) {
    SLUICE_TRY(auto const kind, d.number(Tag::subfile_type, 0));
    // Bit 0: a smaller copy of another page; bit 2: a mask.
    if ((kind & 5) != 0) {
        ++s.left_out;
        return {};
    }
    SLUICE_TRY(Page const page, read_page(file, s.order, d));
    if (s.directories.empty()) SLUICE_CHECK(take_first(d, page, s));
    if (!page.same_frame(s.first))
        return other_page(file, s.first, page, s.directories.size() + 1, d.at());
    s.directories.push_back(d.at());
    if (auto const at = page.plain_at(); all_plain && at)
        s.plain.push_back(*at);
    else
        all_plain = false;
    return {};
}

class PackedFrames final : public FrameSource {
  public:
    PackedFrames(std::shared_ptr<Source const> file, Stack stack)
        : file_(std::move(file)), stack_(std::move(stack)) {}

    Status fetch(index first, std::span<EncodedFrame> out, FetchScratch& scratch) const override {
        std::ranges::fill(out, EncodedFrame{});
        index const present = std::ssize(stack_.directories);
        auto const here =
            static_cast<std::size_t>(std::clamp<index>(present - first, 0, std::ssize(out)));
        Page const& p = stack_.first;
        auto const bytes = static_cast<std::size_t>(p.rows * p.cols * size_of(read_as(p.stored)));
        scratch.bytes.resize(here * bytes);
        std::vector<std::byte> stored(p.frame_bytes());
        for (std::size_t i = 0; i < here; ++i) {
            std::size_t const number = static_cast<std::size_t>(first) + i;
            auto const values = std::span(scratch.bytes).subspan(i * bytes, bytes);
            SLUICE_CHECK(decode(number, stored));
            StoredType type = p.stored;
            type.big_endian = false;
            out[i] = {.encoding = Encoding::values,
                      .bytes = values,
                      .at = stack_.directories[number],
                      .file = &file_->name()};
            out[i].changed = convert_values(type, stored, values.data());
        }
        return {};
    }

    std::uint64_t stored_bytes() const override { return file_->size(); }

  private:
    Status decode(std::size_t number, std::span<std::byte> out) const {
        SLUICE_TRY(Directory const d,
                   Directory::read(*file_, stack_.order, stack_.directories[number]));
        SLUICE_TRY(Page const page, read_page(*file_, stack_.order, d));
        if (!page.same_frame(stack_.first))
            return other_page(*file_, stack_.first, page, number + 1, d.at());
        return decode_page(*file_, page, out);
    }

    std::shared_ptr<Source const> file_;
    Stack stack_;
};

}  // namespace

Result<Stack> read_stack(Source const& file) {
    Stack s;
    SLUICE_TRY(s.order, read_order(file));
    std::unordered_set<std::uint64_t> seen;
    bool all_plain = true;
    for (std::uint64_t at = s.order.first; at != 0;) {
        if (!seen.insert(at).second || seen.size() > most_pages)
            return Error{Code::corrupt,
                         "its pages lead back to an earlier one; the file is damaged", file.name(),
                         at};
        SLUICE_TRY(Directory const d, Directory::read(file, s.order, at));
        SLUICE_CHECK(take_page(file, d, all_plain, s));
        at = d.next();
    }
    if (s.directories.empty())
        return Error{Code::corrupt, "has no page; the file is damaged", file.name(), s.order.first};
    if (!all_plain) s.plain.clear();
    return s;
}

std::shared_ptr<FrameSource const> packed_frames(std::shared_ptr<Source const> file, Stack stack) {
    return std::make_shared<PackedFrames>(std::move(file), std::move(stack));
}

}  // namespace sluice::tiff
