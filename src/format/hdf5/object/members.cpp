// Members of compounds (specification 3.0, section IV.A.2.d, classes 6 and 9).
// SPDX-License-Identifier: Apache-2.0
#include "format/hdf5/object/members.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace sluice::hdf5::object {
namespace {

// Each takes over a dozen bytes of a message, which has at most 64 KiB.
constexpr std::size_t most_members = 1024;

/// A datatype message of lists, from its front.
class ListParser {
  public:
    ListParser(Object const& o, Bytes bytes, std::uint64_t address)
        : o_(o), address_(address), c_(bytes) {}

    Result<Compound> parse() {
        SLUICE_TRY(Head const list, head());
        if (list.kind != TypeClass::variable || (list.bits & 15) != 0)
            return other("its elements are no lists");
        SLUICE_TRY(Head const entry, head());
        if (entry.kind != TypeClass::compound) return other("its lists hold no compounds");
        Compound out{entry.size};
        std::size_t const count = entry.bits & 0xffff;
        if (count == 0 || count > most_members) return damaged();
        for (std::size_t i = 0; i < count; ++i) {
            SLUICE_TRY(Member m, member(entry));
            if (m.offset > entry.size || m.type.size > entry.size - m.offset) return damaged();
            out.members.push_back(std::move(m));
        }
        return out;
    }

  private:
    struct Head {
        TypeClass kind = TypeClass::whole;
        unsigned version = 0, bits = 0;
        std::uint64_t size = 0;
    };

    Error damaged() const { return o_.source().corrupt("a datatype is damaged", address_); }
    Error other(std::string_view why) const {
        return {Code::unsupported,
                fmt::format("the dataset {} is not read ({}); give one of lists of points",
                            o_.path(), why),
                o_.file()};
    }

    Result<Head> head() {
        Head h;
        unsigned const first = c_.byte();
        h.bits = static_cast<unsigned>(c_.number(3));
        h.size = c_.number(4);
        h.kind = static_cast<TypeClass>(first & 15);
        h.version = first >> 4;
        if (!c_.ok() || h.version < 1 || h.version > 5 || h.size == 0) return damaged();
        return h;
    }

    /// With its end; filled up to multiples of eight bytes before version 3.
    Result<std::string> name(unsigned version) {
        Bytes const rest = c_.rest();
        auto const end = std::ranges::find(rest, std::byte{0});
        if (end == rest.end()) return damaged();
        auto const length = static_cast<std::size_t>(end - rest.begin());
        c_.take(version < 3 ? length / 8 * 8 + 8 : length + 1);
        return std::string(reinterpret_cast<char const*>(rest.data()), length);
    }

    Result<Member> member(Head const& of) {
        Member m;
        SLUICE_TRY(m.name, name(of.version));
        // From version 3 on an offset has as many bytes as the size of the compound needs.
        unsigned const wide = (static_cast<unsigned>(std::bit_width(of.size)) + 7) / 8;
        m.offset = c_.number(of.version < 3 ? 4 : wide);
        if (of.version == 1) {
            // Dimensions, which nobody uses.
            if (c_.byte() != 0) return other(fmt::format("its member {} is an array", m.name));
            c_.take(27);
        }
        if (c_.rest().empty()) return damaged();
        auto const kind =
            static_cast<TypeClass>(std::to_integer<std::uint8_t>(c_.rest().front()) & 15);
        if (kind != TypeClass::whole && kind != TypeClass::real)
            return other(fmt::format("its member {} is no number", m.name));
        // Their properties have one length each.
        std::size_t const bytes = 8 + (kind == TypeClass::whole ? 4 : 12);
        Bytes const type = c_.take(bytes);
        if (!c_.ok()) return damaged();
        SLUICE_TRY(m.type, parse_datatype(o_.source(), type, address_));
        if (auto const number = m.type.check_number(); !number)
            return other(number.error().message);
        return m;
    }

    Object const& o_;
    std::uint64_t address_;
    Cursor c_;
};

}  // namespace

Member const* Compound::find(std::string_view name) const {
    auto const found = std::ranges::find(members, name, &Member::name);
    return found == members.end() ? nullptr : &*found;
}

Result<Compound> compound_of_lists(Object const& dataset) {
    Message const* const m = dataset.header().find(MessageType::datatype);
    if (m == nullptr)
        return dataset.source().corrupt(fmt::format("{} is no dataset", dataset.path()),
                                        dataset.address());
    SLUICE_TRY(auto const body, body_of(dataset.source(), *m));
    return ListParser(dataset, body, m->address).parse();
}

}  // namespace sluice::hdf5::object
