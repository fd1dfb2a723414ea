// Reads the datasets of an orientation map. The columns are data: they do not count as metadata,
// and lie in one piece.
// SPDX-License-Identifier: Apache-2.0
#include "domain/orientation/files/map_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/orientation/files/columns.h"
#include "format/hdf5/object/raw.h"
#include "format/hdf5/object/value.h"
#include "format/kinds/kinds.h"
#include "format/kinds/orientations.h"

namespace sluice::orient {
namespace {

using hdf5::object::DatasetInfo;
using hdf5::object::Object;

constexpr std::size_t most_texts = 1000;
constexpr std::uint64_t longest_side = 1 << 24;

}  // namespace

Error MapFile::damaged(std::string const& name, std::string_view problem) const {
    return {Code::corrupt,
            fmt::format("the orientation map's {} {} (the file is damaged, or another program "
                        "changed it) take another copy, or make the map again",
                        name, problem),
            root_.file()};
}

Result<MapFile> MapFile::open(std::string const& path) {
    Look const look(path);
    if (!look.readable()) return look.readable().error();
    if (!look.hdf5() || !is_orientations(*look.hdf5()))
        return no_such_kind(look, kinds::orientations);
    SLUICE_TRY(auto group, look.hdf5()->find(map_group));
    if (!group || !group->is_group())
        return Error{Code::corrupt,
                     "says that it is an orientation map and has none (it is damaged) take another "
                     "copy, or make the map again",
                     path};
    MapFile out(*look.hdf5(), *std::move(group));
    SLUICE_CHECK(out.find_shape());
    return out;
}

Status MapFile::find_shape() {
    SLUICE_TRY(auto const found, group_.find("orientation"));
    if (!found || !found->is_dataset()) return damaged("orientation", "is missing");
    SLUICE_TRY(DatasetInfo const info, dataset_info(*found));
    auto const& extent = info.space.extent;
    if (extent.size() != 3 || extent[2] != 4)
        return damaged("orientation", "has no four numbers for each pattern");
    for (std::size_t i = 0; i < 2; ++i)
        if (extent[i] < 1 || extent[i] > longest_side)
            return damaged("orientation", fmt::format("has a side of {}", extent[i]));
    // Before memory is taken: all columns are in the file.
    if (extent[0] * extent[1] > root_.source().bytes().size() / (4 * sizeof(double)))
        return damaged("orientation", "is larger than the file");
    scan_shape_ = {static_cast<index>(extent[0]), static_cast<index>(extent[1])};
    return {};
}

Status MapFile::column_bytes(std::string const& name, index parts, std::size_t size,
                             std::span<std::byte> out) const {
    SLUICE_TRY(auto const found, group_.find(name));
    if (!found || !found->is_dataset()) return damaged(name, "is missing");
    SLUICE_TRY(DatasetInfo const info, dataset_info(*found));
    std::vector<std::uint64_t> wanted{static_cast<std::uint64_t>(scan_shape_[0]),
                                      static_cast<std::uint64_t>(scan_shape_[1])};
    if (parts > 1) wanted.push_back(static_cast<std::uint64_t>(parts));
    bool const ours = info.space.extent == wanted && !info.space.null && info.type.plain() &&
                      info.type.numeric() && info.type.size == size && !info.type.big_endian &&
                      !info.external && info.layout.kind == hdf5::object::LayoutClass::contiguous &&
                      found->source().defined(info.layout.address);
    if (!ours) return damaged(name, "is not stored as it was written");
    auto const& source = found->source();
    auto read = source.bytes().read(source.sb().base + info.layout.address, out);
    if (!read && read.error().file.empty()) read.error().file = root_.file();
    return read;
}

Result<std::vector<double>> MapFile::rows(std::string const& name, index cols,
                                          std::size_t most) const {
    SLUICE_TRY(auto const found, group_.find(name));
    if (!found || !found->is_dataset()) return std::vector<double>();
    std::size_t const limit = most * static_cast<std::size_t>(cols);
    SLUICE_TRY(auto const elements, hdf5::object::read_elements(*found, limit * sizeof(double)));
    std::vector<double> out;
    if (elements.type.check_number())
        for (std::uint64_t i = 0; i < elements.count(); ++i)
            out.push_back(hdf5::object::number_of(elements.type,
                                                  elements.bytes.data() + i * elements.type.size));
    bool const good = !out.empty() && out.size() % static_cast<std::size_t>(cols) == 0 &&
                      std::ranges::all_of(out, [](double v) { return std::isfinite(v); });
    if (!good) return damaged(name, fmt::format("has no rows of {} numbers", cols));
    return out;
}

Result<std::string> MapFile::text(std::string const& name) const {
    SLUICE_TRY(auto const found, hdf5::object::read_text(group_, name));
    if (!found) return damaged(name, "is missing");
    return *found;
}

Result<std::vector<std::string>> MapFile::texts(std::string const& name) const {
    std::vector<std::string> out;
    while (out.size() < most_texts) {
        SLUICE_TRY(auto found,
                   hdf5::object::read_text(group_, fmt::format("{}/{:03}", name, out.size())));
        if (!found) break;
        out.push_back(*std::move(found));
    }
    return out;
}

Result<std::size_t> MapFile::members(std::string const& name) const {
    SLUICE_TRY(auto const group, group_.find(name));
    if (!group) return std::size_t{0};
    if (!group->is_group()) return damaged(name, "are no group");
    SLUICE_TRY(auto const links, group->links());
    return links.size();
}

Result<Provenance> MapFile::provenance() const {
    Provenance out;
    SLUICE_TRY(auto const attributes, attributes_of(root_));
    for (auto const& [name, value] : attributes) {
        if (name == "kind") continue;
        SLUICE_TRY(auto const texts, texts_of(root_.source(), value));
        if (texts.size() == 1) out.add(name, texts.front());
    }
    return out;
}

}  // namespace sluice::orient
