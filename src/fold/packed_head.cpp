// What a packed part says of itself.
// SPDX-License-Identifier: Apache-2.0
#include "fold/packed_head.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/bytes.h"
#include "codec/crc32c/crc32c.h"

namespace sluice::fold {
namespace {

constexpr std::string_view magic = "sluicept";
constexpr std::uint32_t version = 2;
constexpr std::size_t checksum_bytes = 4;

Bytes bytes_of(std::string_view text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}

Error other(std::string const& what, std::string const& found, std::string const& wanted) {
    return {Code::invalid_argument,
            fmt::format("a packed part of {} {} ({} is being folded) merge parts of one fold", what,
                        found, wanted)};
}

// Names and sizes come from bytes: nothing unprintable or endless reaches a message.
std::string shown(std::string const& name) {
    std::string text;
    for (char const c : name.substr(0, 40)) text += c >= ' ' && c <= '~' ? c : '?';
    return "'" + text + "'";
}

std::string shown(std::vector<index> const& sizes) {
    auto const some = std::span(sizes).first(std::min<std::size_t>(sizes.size(), 8));
    return fmt::format("{}", fmt::join(some, " x "));
}

std::string shown(Range r) {
    return fmt::format("{} to {}", r.first, r.last);
}

Result<Range> unpack_range(Unpacker& in) {
    SLUICE_TRY(index const first, in.number<index>());
    SLUICE_TRY(index const last, in.number<index>());
    return Range{first, last};
}

}  // namespace

void pack_head(Packer& out, PartHead const& head) {
    out.bytes(bytes_of(magic));
    out.number(version);
    out.number(static_cast<std::uint32_t>(head.analysis.size()));
    out.bytes(bytes_of(head.analysis));
    out.number(static_cast<std::uint32_t>(head.sizes.size()));
    out.numbers(std::span<index const>(head.sizes));
    out.number(head.all_items);
    for (index const n : {head.groups.first, head.groups.last, head.items.first, head.items.last})
        out.number(n);
    out.number(static_cast<std::uint32_t>(head.merged ? 1 : 0));
}

Result<PartHead> unpack_head(Unpacker& in) {
    PartHead head;
    SLUICE_CHECK(in.bytes(magic.size()));
    SLUICE_TRY(std::uint32_t const found, in.number<std::uint32_t>());
    if (found != version)
        return Error{Code::unsupported,
                     fmt::format("a packed part of version {} (this program reads version {}) use "
                                 "one program for all parts",
                                 found, version)};
    SLUICE_TRY(std::uint32_t const length, in.number<std::uint32_t>());
    SLUICE_TRY(Bytes const name, in.bytes(length));
    head.analysis.assign(reinterpret_cast<char const*>(name.data()), name.size());
    SLUICE_TRY(std::uint32_t const sizes, in.number<std::uint32_t>());
    SLUICE_TRY(head.sizes, in.numbers<index>(sizes));
    SLUICE_TRY(head.all_items, in.number<index>());
    SLUICE_TRY(head.groups, unpack_range(in));
    SLUICE_TRY(head.items, unpack_range(in));
    SLUICE_TRY(std::uint32_t const merged, in.number<std::uint32_t>());
    if (merged > 1)
        return Error{Code::corrupt,
                     fmt::format("a packed part is merged in the way {} (0 and 1 are known) fold "
                                 "the part again",
                                 merged)};
    head.merged = merged == 1;
    return head;
}

Status check_groups(Range groups, index all) {
    if (groups.first >= 0 && groups.first <= groups.last && groups.last <= all &&
        groups.last != endless)
        return {};
    return Error{Code::corrupt,
                 fmt::format("a packed part of groups {} (there are {}) merge parts of one source",
                             shown(groups), all)};
}

Status check_head(PartHead const& head, PartHead const& expected) {
    if (head.analysis != expected.analysis)
        return other("the analysis", shown(head.analysis), shown(expected.analysis));
    if (head.sizes != expected.sizes)
        return other("the sizes", shown(head.sizes), shown(expected.sizes));
    if (head.all_items != expected.all_items)
        return other("a source of as many items as", fmt::format("{}", head.all_items),
                     fmt::format("{}", expected.all_items));
    if (head.items != expected.items)
        return other("the items", shown(head.items), shown(expected.items));
    return {};
}

Error refuse_merged() {
    return {Code::corrupt,
            "a packed part has merged its groups (this fold keeps them apart) fold the part again "
            "with the same options"};
}

std::vector<std::byte> sealed(Packer&& out) {
    out.number(codec::crc32c(out.written()));
    return std::move(out).take();
}

Result<Bytes> unsealed(Bytes packed) {
    if (packed.size() < magic.size() + checksum_bytes ||
        !std::ranges::equal(packed.first(magic.size()), bytes_of(magic)))
        return Error{Code::corrupt,
                     "these bytes are not a packed part (they do not begin as one) give the bytes "
                     "that the fold of a part has written"};
    Bytes const body = packed.first(packed.size() - checksum_bytes);
    if (load_le<std::uint32_t>(packed.data() + body.size()) != codec::crc32c(body))
        return Error{Code::corrupt,
                     "a packed part is damaged (its checksum is wrong) fold the part again"};
    return body;
}

}  // namespace sluice::fold
