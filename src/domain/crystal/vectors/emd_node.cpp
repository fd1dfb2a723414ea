// Finding the node, and reading what lies beside its lists.
// SPDX-License-Identifier: Apache-2.0
#include "domain/crystal/vectors/emd_node.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "domain/crystal/vectors/columns.h"
#include "format/hdf5/emd.h"
#include "format/hdf5/object/raw.h"
#include "format/hdf5/object/value.h"
#include "format/kinds/kinds.h"

namespace sluice::crystal {
namespace {

using hdf5::object::Object;

Result<Object> chosen(std::string const& path, std::string const& name) {
    SLUICE_TRY(Object const root, Object::open_file(path));
    SLUICE_TRY(auto const nodes, hdf5::emd_nodes(root, hdf5::emd_bragg_vectors));
    if (nodes.empty()) return no_such_kind(path, kinds::vectors);
    std::vector<std::string> names;
    for (Object const& node : nodes) {
        if (node.path() == name || node.path() == "/" + name) return node;
        names.push_back(node.path());
    }
    if (!name.empty())
        return Error{Code::not_found,
                     fmt::format("there are no Bragg vectors at '{}' (they are at {}); name that",
                                 name, fmt::join(names, ", ")),
                     path};
    if (nodes.size() > 1)
        return Error{Code::invalid_argument,
                     fmt::format("the file has Bragg vectors at {} places ({}); name one of them",
                                 names.size(), fmt::join(names, ", ")),
                     path};
    return nodes.front();
}

Result<std::array<index, 2>> sides(Object const& node, std::string const& name) {
    SLUICE_TRY(auto const found, node.find("metadatabundle/_braggvectors_shape/" + name));
    std::vector<double> numbers;
    if (found && found->is_dataset()) {
        SLUICE_TRY(auto const e, hdf5::object::read_elements(*found, 64));
        numbers = hdf5::object::numbers_of(e);
    }
    constexpr double most = 1e9;
    bool const good = numbers.size() == 2 &&
                      std::ranges::all_of(numbers, [](double n) { return n >= 1 && n <= most; });
    if (!good)
        return Error{
            Code::corrupt,
            fmt::format("the vectors of {} have no {} of two numbers; write the file again",
                        node.path(), name),
            node.file()};
    return std::array{static_cast<index>(numbers[0]), static_cast<index>(numbers[1])};
}

/// Columns that we wrote lie in one piece, and are data: they do not count as metadata.
Result<bool> read_piece(Object const& o, hdf5::object::DatasetInfo const& d, std::span<float> out) {
    auto const bytes = std::as_writable_bytes(out);
    SLUICE_CHECK(o.source().bytes().read(d.layout.address + o.source().sb().base, bytes));
    return true;
}

}  // namespace

Result<EmdNode> open_emd(std::string const& path, std::string const& name) {
    SLUICE_TRY(Object const node, chosen(path, name));
    SLUICE_TRY(auto const scan, sides(node, "Rshape"));
    SLUICE_TRY(auto const detector, sides(node, "Qshape"));
    if (auto good = check_sides(scan, detector); !good) {
        good.error().file = path;
        return std::move(good).error();
    }
    SLUICE_TRY(auto const data, node.find("_v_uncal/data"));
    if (!data || !data->is_dataset())
        return Error{
            Code::corrupt,
            fmt::format("{} has no dataset _v_uncal/data; write the file again", node.path()),
            path};
    SLUICE_TRY(auto lists, hdf5::object::Lists::open(*data));
    std::vector<std::uint64_t> const shape{static_cast<std::uint64_t>(scan[0]),
                                           static_cast<std::uint64_t>(scan[1])};
    if (lists.extent() != shape)
        return Error{
            Code::corrupt,
            fmt::format("{} has lists for {} patterns and says that its scan has {}; write "
                        "the file again",
                        node.path(), fmt::join(lists.extent(), "x"), fmt::join(shape, "x")),
            path};
    return EmdNode{node, scan, detector, std::move(lists)};
}

Result<bool> read_floats(Object const& group, std::string_view name, std::span<float> out) {
    SLUICE_TRY(auto const found, group.find(name));
    if (!found || !found->is_dataset()) return false;
    SLUICE_TRY(auto const d, hdf5::object::dataset_info(*found));
    if (d.space.count() != out.size() || d.space.null || !d.type.check_number()) return false;
    bool const ours = d.type.plain() && d.type.kind == hdf5::object::TypeClass::real &&
                      d.type.size == sizeof(float) && !d.type.big_endian && !d.external &&
                      d.layout.kind == hdf5::object::LayoutClass::contiguous &&
                      found->source().defined(d.layout.address);
    if (ours) return read_piece(*found, d, out);
    SLUICE_TRY(auto const e, hdf5::object::read_elements(*found, out.size() * d.type.size));
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] =
            static_cast<float>(hdf5::object::number_of(e.type, e.bytes.data() + i * e.type.size));
    return true;
}

}  // namespace sluice::crystal
