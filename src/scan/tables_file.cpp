// Reads and writes files of tables.
// SPDX-License-Identifier: Apache-2.0
#include "scan/tables_file.h"

#include <fmt/format.h>

#include <cstring>

#include "base/hash.h"
#include "fold/packer.h"

namespace sluice {
namespace {

constexpr std::uint32_t version = 1;
constexpr std::size_t prefix = 28;  // mark, version, bytes of the head, its digest

Error damaged(std::string_view why) {
    return {
        Code::corrupt,
        fmt::format("the file of tables is damaged ({}); make it again by `sluice stem4d tables`",
                    why)};
}

/// What stands before the head.
struct Prefix {
    std::uint64_t bytes = 0, digest = 0;
};

Result<Prefix> parse_prefix(Bytes bytes, std::uint64_t file_bytes) {
    if (!TablesFile::begins(bytes)) return damaged("it does not begin as one does");
    fold::Unpacker in(bytes.subspan(tables_mark.size()));
    SLUICE_TRY(auto const its_version, in.number<std::uint32_t>());
    if (its_version != version)
        return Error{Code::unsupported,
                     fmt::format("the file of tables has version {} (this program knows {}); make "
                                 "it again by `sluice stem4d tables`",
                                 its_version, version)};
    Prefix p;
    SLUICE_TRY(p.bytes, in.number<std::uint64_t>());
    SLUICE_TRY(p.digest, in.number<std::uint64_t>());
    if (p.bytes > file_bytes - prefix) return damaged("its head is longer than the file");
    return p;
}

void pack(fold::Packer& out, std::string const& text) {
    out.number(static_cast<std::uint64_t>(text.size()));
    out.bytes(std::as_bytes(std::span(text)));
}
Result<std::string> unpack_text(fold::Unpacker& in) {
    SLUICE_TRY(auto const size, in.number<std::uint64_t>());
    SLUICE_TRY(Bytes const text, in.bytes(size));
    return std::string(reinterpret_cast<char const*>(text.data()), text.size());
}

void pack(fold::Packer& out, Stretch const& s) {
    for (std::uint64_t const n : {s.at, s.bytes, s.digest}) out.number(n);
}
Status unpack(fold::Unpacker& in, Stretch& s) {
    SLUICE_TRY(s.at, in.number<std::uint64_t>());
    SLUICE_TRY(s.bytes, in.number<std::uint64_t>());
    SLUICE_TRY(s.digest, in.number<std::uint64_t>());
    return {};
}

void pack(fold::Packer& out, std::vector<Stretch> const& list) {
    out.number(static_cast<std::uint64_t>(list.size()));
    for (Stretch const& s : list) pack(out, s);
}
// A list grows as it is read, so that a count alone takes no memory.
Status unpack(fold::Unpacker& in, std::vector<Stretch>& list) {
    SLUICE_TRY(auto const count, in.number<std::uint64_t>());
    for (std::uint64_t i = 0; i < count; ++i) SLUICE_CHECK(unpack(in, list.emplace_back()));
    return {};
}

constexpr std::uint64_t store::Tally::*tallies[] = {
    &store::Tally::sentinels, &store::Tally::saturated, &store::Tally::not_finite,
    &store::Tally::missing,   &store::Tally::blank,     &store::Tally::rounded,
    &store::Tally::beyond};

Status unpack_key(fold::Unpacker& in, TablesKey& key) {
    SLUICE_TRY(auto const count, in.number<std::uint64_t>());
    for (std::uint64_t i = 0; i < count; ++i) {
        SLUICE_TRY(std::string name, unpack_text(in));
        SLUICE_TRY(std::string value, unpack_text(in));
        key.parts.emplace_back(std::move(name), std::move(value));
    }
    return {};
}

constexpr index most_in_all = index{1} << 56;  // as sluice::open() has it

// What later reads rely on.
Status check_head(TablesHead const& h) {
    if (h.frames < 1 || h.rows < 1 || h.cols < 1 || h.frames > most_in_all ||
        h.rows > most_in_all / h.cols || h.rows > most_in_all || h.cols > most_in_all)
        return damaged("its shapes are impossible");
    auto const frames = static_cast<std::uint64_t>(h.frames);
    if (h.moments.bytes % 24 != 0 || h.moments.bytes / 24 != frames)
        return damaged("it has not the moments of each frame");
    bool const rings = h.rings.bytes != 0;
    auto const pixels = static_cast<std::uint64_t>(h.rows * h.cols);
    if (rings && (h.rings.bytes % 2 != 0 || h.rings.bytes / 2 != pixels))
        return damaged("it has not the ring of each pixel");
    if (h.below.size() != h.own.size() || h.below.empty() == rings || h.below.size() > 32769)
        return damaged("its numbers of rings differ");
    for (auto const* const list : {&h.below, &h.own})
        for (Stretch const& s : *list) {
            std::uint64_t const width = s.bytes / frames;
            bool const known = width == 0 || width == 1 || width == 2 || width == 4 || width == 8;
            if (s.bytes % frames != 0 || !known) return damaged("a ring's numbers have no width");
        }
    return {};
}

}  // namespace

std::vector<std::byte> TablesHead::packed() const {
    fold::Packer out;
    out.number(static_cast<std::uint64_t>(key.parts.size()));
    for (auto const& [name, value] : key.parts) pack(out, name), pack(out, value);
    for (index const n : {frames, rows, cols}) out.number(static_cast<std::int64_t>(n));
    for (auto const member : tallies) out.number(tally.*member);
    out.number(largest);
    out.number(static_cast<std::uint8_t>(chosen));
    out.number(planes_bytes);
    out.number(static_cast<std::uint8_t>(disk.has_value()));
    for (double const v : disk.value_or(std::array<double, 4>{})) out.number(v);
    for (double const v : center) out.number(v);
    pack(out, moments);
    pack(out, rings);
    for (auto const* const list : {&below, &own, squares.data(), &squares[1]}) pack(out, *list);
    return std::move(out).take();
}

Result<TablesHead> TablesHead::parse(Bytes bytes) {
    fold::Unpacker in(bytes);
    TablesHead h;
    SLUICE_CHECK(unpack_key(in, h.key));
    for (index* const n : {&h.frames, &h.rows, &h.cols}) {
        SLUICE_TRY(*n, in.number<std::int64_t>());
    }
    for (auto const member : tallies) {
        SLUICE_TRY(h.tally.*member, in.number<std::uint64_t>());
    }
    SLUICE_TRY(h.largest, in.number<std::uint64_t>());
    SLUICE_TRY(auto const chosen, in.number<std::uint8_t>());
    h.chosen = chosen != 0;
    SLUICE_TRY(h.planes_bytes, in.number<std::uint64_t>());
    SLUICE_TRY(auto const has_disk, in.number<std::uint8_t>());
    std::array<double, 4> disk;
    for (double& v : disk) {
        SLUICE_TRY(v, in.number<double>());
    }
    if (has_disk != 0) h.disk = disk;
    for (double& v : h.center) {
        SLUICE_TRY(v, in.number<double>());
    }
    SLUICE_CHECK(unpack(in, h.moments));
    SLUICE_CHECK(unpack(in, h.rings));
    for (auto* const list : {&h.below, &h.own, h.squares.data(), &h.squares[1]})
        SLUICE_CHECK(unpack(in, *list));
    SLUICE_CHECK(in.end());
    SLUICE_CHECK(check_head(h));
    return h;
}

bool TablesFile::begins(Bytes head) {
    return head.size() >= tables_mark.size() &&
           std::memcmp(head.data(), tables_mark.data(), tables_mark.size()) == 0;
}

Result<TablesHead> TablesFile::parse(Bytes file) {
    if (file.size() < prefix) return damaged("it ends within its first bytes");
    SLUICE_TRY(Prefix const p, parse_prefix(file.first(prefix), file.size()));
    Bytes const head = file.subspan(prefix, static_cast<std::size_t>(p.bytes));
    if (xxh64(head) != p.digest) return damaged("its head has another digest");
    return TablesHead::parse(head);
}

Result<TablesFile> TablesFile::open(std::string const& path) {
    SLUICE_TRY(File file, File::open(path));
    auto const named = [&](Error e) {
        e.file = path;
        return e;
    };
    std::vector<std::byte> bytes(prefix);
    if (file.size() < prefix) return named(damaged("it ends within its first bytes"));
    SLUICE_CHECK(file.read(0, bytes));
    auto const p = parse_prefix(bytes, file.size());
    if (!p) return named(p.error());
    constexpr std::uint64_t most = std::uint64_t{1} << 32;  // 24 bytes a frame, and squares
    if (p->bytes > most) return named(damaged("its head is longer than any scan's"));
    bytes.resize(prefix + static_cast<std::size_t>(p->bytes));
    SLUICE_CHECK(file.read(0, bytes));
    auto head = parse(bytes);
    if (!head) return named(head.error());
    return TablesFile(std::move(file), std::move(*head));
}

Result<std::vector<std::byte>> TablesFile::read(Stretch const& stretch) const {
    auto const wrong = [&](std::string_view why) {
        Error e = damaged(why);
        e.file = path();
        e.at = stretch.at;
        return e;
    };
    if (stretch.at > file_.size() || stretch.bytes > file_.size() - stretch.at)
        return wrong("it ends before a part of it");
    std::vector<std::byte> bytes(static_cast<std::size_t>(stretch.bytes));
    SLUICE_CHECK(file_.read(stretch.at, bytes));
    if (xxh64(bytes) != stretch.digest) return wrong("a part of it has another digest");
    return bytes;
}

Result<TablesWriter> TablesWriter::create(std::string const& path, TablesHead const& head) {
    SLUICE_TRY(NewFile file, NewFile::create(path));
    std::vector<std::byte> const room(prefix + head.packed().size());
    SLUICE_CHECK(file.write(room));
    return TablesWriter(std::move(file), room.size());
}

Result<Stretch> TablesWriter::add(Bytes bytes) {
    SLUICE_CHECK(file_.write(bytes));
    Stretch const s{at_, bytes.size(), xxh64(bytes)};
    at_ += bytes.size();
    return s;
}

Status TablesWriter::commit(TablesHead const& head) {
    std::vector<std::byte> const packed = head.packed();
    fold::Packer out;
    out.bytes(std::as_bytes(std::span(tables_mark)));
    out.number(version);
    out.number(static_cast<std::uint64_t>(packed.size()));
    out.number(xxh64(packed));
    out.bytes(packed);
    SLUICE_CHECK(file_.write_at(0, out.written()));
    return file_.commit();
}

}  // namespace sluice
