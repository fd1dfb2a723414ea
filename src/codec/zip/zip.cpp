// The directory of a zip file (APPNOTE 6.3.9), with the sizes of 64 bits that PyTorch writes.
// SPDX-License-Identifier: Apache-2.0
#include "codec/zip/zip.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/bytes.h"
#include "codec/deflate/deflate.h"
#include "codec/zip/checksum.h"
#include "codec/zip/quoted.h"

namespace sluice::zip {
namespace {

constexpr std::uint64_t end_size = 22, end64_size = 56, locator_size = 20, entry_size = 46,
                        local_size = 30;
constexpr std::uint16_t deflate_method = 8;
constexpr std::uint64_t most_directory = 64 << 20;
constexpr std::uint32_t elsewhere = 0xffffffff;  ///< the number is in the extra field

std::uint16_t u16(std::byte const* p) {
    return load_le<std::uint16_t>(p);
}
std::uint32_t u32(std::byte const* p) {
    return load_le<std::uint32_t>(p);
}
std::uint64_t u64(std::byte const* p) {
    return load_le<std::uint64_t>(p);
}

/// Where the directory lies.
struct Directory {
    std::uint64_t at = 0, size = 0, count = 0;
};

/// A member as the directory has it.
struct Entry {
    Member member;
    std::uint64_t local = 0;  ///< where its local header begins
};

class Zip {
  public:
    Zip(Source const& file, Packing packing, Twice twice)
        : file_(file), packing_(packing), twice_(twice) {}

    Result<std::vector<Member>> members() {
        SLUICE_TRY(Directory const d, find_directory());
        SLUICE_TRY(std::vector<std::byte> const bytes, part(d.at, d.size));
        std::vector<Member> out;
        std::uint64_t at = 0;
        for (std::uint64_t i = 0; i < d.count; ++i) {
            SLUICE_TRY(Entry entry, read_entry(d, bytes, at));
            SLUICE_CHECK(find_bytes(d, entry));
            out.push_back(std::move(entry.member));
        }
        if (twice_ == Twice::newest) keep_newest(out);
        SLUICE_CHECK(check_apart(out));
        return out;
    }

  private:
    Source const& file_;
    Packing packing_;
    Twice twice_;

    Error wrong(std::uint64_t at, std::string const& text, Code code = Code::corrupt) const {
        return {code, text, file_.name(), at};
    }

    Result<std::vector<std::byte>> part(std::uint64_t at, std::uint64_t size) const {
        if (at > file_.size() || size > file_.size() - at)
            return wrong(at, "the zip archive ends here (it was not copied whole) copy it again",
                         Code::truncated);
        std::vector<std::byte> out(size);
        SLUICE_CHECK(file_.read(at, out));
        return out;
    }

    // The end record stands last, behind it at most a comment.
    Result<Directory> find_directory() const {
        std::uint64_t const look = std::min<std::uint64_t>(file_.size(), end_size + 0xffff);
        std::uint64_t const from = file_.size() - look;
        SLUICE_TRY(std::vector<std::byte> const tail, part(from, look));
        std::optional<std::uint64_t> found;
        for (std::uint64_t i = look < end_size ? 0 : look - end_size + 1; i-- > 0 && !found;)
            if (u32(tail.data() + i) == 0x06054b50 && i + end_size + u16(&tail[i + 20]) == look)
                found = i;
        if (!found)
            return wrong(file_.size(),
                         "the zip archive has no directory at its end (it was not copied whole) "
                         "copy it again",
                         Code::truncated);
        std::byte const* const p = tail.data() + *found;
        Directory d{u32(p + 16), u32(p + 12), u16(p + 10)};
        std::uint64_t const end_at = from + *found;
        if (d.at == elsewhere || d.size == elsewhere || d.count == 0xffff) {
            SLUICE_TRY(d, find_directory64(end_at));
        }
        if (d.at > end_at || d.size > end_at - d.at)
            return wrong(end_at, fmt::format("the directory of the zip archive, {} bytes at {}, "
                                             "overlaps its end (the file is damaged) copy it again",
                                             d.size, d.at));
        if (d.size > most_directory || d.count > d.size / entry_size)
            return wrong(end_at,
                         fmt::format("a zip directory of {} entries in {} bytes (no checkpoint is "
                                     "like that) check where the file is from",
                                     d.count, d.size));
        return d;
    }

    Result<Directory> find_directory64(std::uint64_t end_at) const {
        if (end_at < locator_size)
            return wrong(0, "the zip archive has no locator of its directory");
        SLUICE_TRY(auto const locator, part(end_at - locator_size, locator_size));
        if (u32(locator.data()) != 0x07064b50)
            return wrong(end_at - locator_size, "the locator of the zip directory is missing");
        std::uint64_t const at = u64(&locator[8]);
        SLUICE_TRY(auto const end, part(at, end64_size));
        if (u32(end.data()) != 0x06064b50)
            return wrong(at, "the end record of the zip archive is missing");
        return Directory{u64(&end[48]), u64(&end[40]), u64(&end[32])};
    }

    Result<Entry> read_entry(Directory const& d, Bytes bytes, std::uint64_t& at) const {
        std::uint64_t const place = d.at + at;
        if (bytes.size() - at < entry_size || u32(&bytes[at]) != 0x02014b50)
            return wrong(place, "an entry of the zip directory is missing");
        std::byte const* const p = &bytes[at];
        std::uint64_t const name = u16(p + 28), extra = u16(p + 30), comment = u16(p + 32);
        if (bytes.size() - at - entry_size < name + extra + comment)
            return wrong(place, "an entry of the zip directory goes beyond its end");
        Entry e;
        e.member.name.assign(reinterpret_cast<char const*>(p) + entry_size, name);
        e.member.size = u32(p + 24);
        e.member.crc = u32(p + 16);
        e.local = u32(p + 42);
        e.member.packed = u32(p + 20);
        std::uint16_t const method = u16(p + 10);
        e.member.deflated = method == deflate_method && packing_ == Packing::deflated_too;
        if ((u16(p + 8) & 1) != 0)
            return wrong(place,
                         in_quotes(e.member.name) + " is encrypted; save the model without that",
                         Code::unsupported);
        if (method != 0 && packing_ == Packing::deflated_too && !e.member.deflated)
            return wrong(place,
                         fmt::format("{} is packed by method {} (stored and deflated members are "
                                     "read) save it with numpy.savez",
                                     in_quotes(e.member.name), method),
                         Code::unsupported);
        if (method != 0 && !e.member.deflated)
            return wrong(place,
                         fmt::format("{} is compressed (PyTorch stores members as they are) load "
                                     "the model and save it with torch.save",
                                     in_quotes(e.member.name)),
                         Code::unsupported);
        SLUICE_CHECK(read_extra(Bytes(p + entry_size + name, extra), place, e));
        if (!e.member.deflated && e.member.packed != e.member.size)
            return wrong(place, in_quotes(e.member.name) + " has two sizes in the zip directory");
        at += entry_size + name + extra + comment;
        return e;
    }

    // Field 1 has the numbers of 64 bits that did not fit, in this order.
    Status read_extra(Bytes extra, std::uint64_t place, Entry& e) const {
        for (std::size_t at = 0; at + 4 <= extra.size();) {
            std::size_t const size = u16(&extra[at + 2]);
            if (size > extra.size() - at - 4) break;
            if (u16(&extra[at]) == 1) {
                Bytes field = extra.subspan(at + 4, size);
                for (std::uint64_t* const n : {&e.member.size, &e.member.packed, &e.local}) {
                    if (*n != elsewhere) continue;
                    if (field.size() < 8)
                        return wrong(place, "an extra field of the zip directory is too short");
                    *n = u64(field.data());
                    field = field.subspan(8);
                }
                return {};
            }
            at += 4 + size;
        }
        return {};
    }

    // The local header says where the bytes begin; its sizes may be left to the directory.
    Status find_bytes(Directory const& d, Entry& e) const {
        Member& m = e.member;
        SLUICE_TRY(auto const head, part(e.local, local_size));
        std::byte const* const p = head.data();
        if (u32(p) != 0x04034b50)
            return wrong(e.local, fmt::format("{} has no local header here", in_quotes(m.name)));
        SLUICE_TRY(auto const name, part(e.local + local_size, u16(p + 26)));
        if (std::string_view(reinterpret_cast<char const*>(name.data()), name.size()) != m.name)
            return wrong(e.local,
                         fmt::format("{} has another name in its local header", in_quotes(m.name)));
        bool const later = (u16(p + 6) & 8) != 0;
        std::uint32_t const local = u32(p + 22);
        if (u16(p + 8) != (m.deflated ? deflate_method : 0) ||
            (!later && local != elsewhere && local != m.size))
            return wrong(e.local,
                         fmt::format("{} has another size in its local header", in_quotes(m.name)));
        m.at = e.local + local_size + name.size() + u16(p + 28);
        if (m.at > d.at || m.packed > d.at - m.at)
            return wrong(e.local,
                         fmt::format("{}, {} bytes at {}, goes beyond the bytes of the archive "
                                     "(the file is damaged) copy it again",
                                     in_quotes(m.name), m.packed, m.at));
        return {};
    }

    // Writers add a member again to change it; the directory has them in that order.
    static void keep_newest(std::vector<Member>& members) {
        std::ranges::reverse(members);
        std::ranges::stable_sort(members, {}, &Member::name);
        auto const same = [](Member const& a, Member const& b) { return a.name == b.name; };
        members.erase(std::unique(members.begin(), members.end(), same), members.end());
    }

    Status check_apart(std::vector<Member>& members) const {
        std::ranges::sort(members, {}, [](Member const& m) { return std::pair(m.at, m.packed); });
        for (std::size_t i = 1; i < members.size(); ++i)
            if (members[i].at - members[i - 1].at < members[i - 1].packed)
                return wrong(members[i].at, fmt::format("{} and {} overlap in the zip archive",
                                                        in_quotes(members[i - 1].name),
                                                        in_quotes(members[i].name)));
        std::vector<std::string_view> names;
        for (Member const& m : members) names.push_back(m.name);
        std::ranges::sort(names);
        if (auto const twice = std::ranges::adjacent_find(names); twice != names.end())
            return wrong(0, fmt::format("{} is in the zip archive twice", in_quotes(*twice)));
        return {};
    }
};

}  // namespace

Result<std::vector<Member>> zip_members(Source const& file, Packing packing, Twice twice) {
    return Zip(file, packing, twice).members();
}

Result<std::vector<std::byte>> read_member(Source const& file, Member const& m,
                                           std::uint64_t most) {
    // Deflate packs at most 1032 to one, so that an impossible size is seen before memory is taken.
    bool const possible = m.size <= m.packed || m.size / 1033 <= m.packed;
    if (m.size > most || !possible)
        return Error{
            m.size > most ? Code::out_of_memory : Code::corrupt,
            fmt::format("{} has {} bytes ({}) take a smaller file", in_quotes(m.name), m.size,
                        m.size > most ? "that is more than there is memory"
                                      : "so many cannot be in it: it is damaged"),
            file.name(), m.at};
    std::vector<std::byte> bytes(static_cast<std::size_t>(m.packed));
    SLUICE_CHECK(file.read(m.at, bytes));
    if (m.deflated) {
        std::vector<std::byte> unpacked(static_cast<std::size_t>(m.size));
        auto const got = codec::inflate_raw(bytes, unpacked);
        if (!got || *got != m.size)
            return Error{
                Code::corrupt,
                fmt::format("{} cannot be unpacked ({}) copy the file again", in_quotes(m.name),
                            got ? "it is too short" : got.error().message),
                file.name(), m.at};
        bytes = std::move(unpacked);
    }
    SLUICE_CHECK(check_crc(bytes, m.crc, m.name, file.name(), m.at));
    return bytes;
}

}  // namespace sluice::zip
