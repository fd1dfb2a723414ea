// Vectors as EMD 1.0: a BraggVectors of py4DSTEM, and beside it the columns that only we have.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "domain/crystal/vectors/files.h"
#include "sluice/save.h"

namespace sluice::crystal {
namespace {

class EmdEntries {
  public:
    EmdEntries(ColumnSource& v, std::uint64_t digest) : v_(v), digest_(digest) {}

    std::vector<Hdf5Entry> all() {
        typed("", "file", "");
        for (auto const& [name, number] : {std::pair{"version_major", 1}, {"version_minor", 0}})
            entries_.emplace_back(Hdf5Attribute{"", name, std::int64_t{number}});
        text("", "authoring_program", "sluice");
        text("", "authoring_user", "");
        typed(root_, "root", "Root");
        typed(node_, "custom", "BraggVectors");
        text(node_, std::string(own_mark), "1");
        typed(node_ + "/_v_uncal", "custom_pointlistarray", "PointListArray");
        typed(of_node_, "metadatabundle", "");
        typed(shapes_, "metadata", "Metadata");
        pair("Rshape", v_.scan_shape);
        pair("Qshape", v_.detector_shape);
        uncalibrated();
        lists();
        own();
        return std::move(entries_);
    }

  private:
    void text(std::string const& object, std::string name, std::string value) {
        entries_.emplace_back(Hdf5Attribute{object, std::move(name), std::move(value)});
    }
    void typed(std::string const& object, std::string type, std::string python_class) {
        text(object, "emd_group_type", std::move(type));
        if (!python_class.empty()) text(object, "python_class", std::move(python_class));
    }
    template <class T>
    void array(std::string name, std::string_view unit, DType dtype, std::vector<index> shape,
               std::span<T const> values) {
        entries_.emplace_back(hdf5_dataset(std::move(name), std::string(unit),
                                           {dtype, std::move(shape), std::as_bytes(values)}));
    }

    void pair(std::string const& name, std::array<index, 2> const& sides) {
        array(shapes_ + "/" + name, "", DType::i64, {2}, std::span<index const>(sides));
        text(shapes_ + "/" + name, "type", "tuple");
    }

    // Without it py4DSTEM has nothing that a calibration could be set in.
    void uncalibrated() {
        static constexpr index one = 1;
        typed(of_root_, "metadatabundle", "");
        typed(calibration_, "metadata", "Calibration");
        for (std::string const axis : {"Q", "R"}) {
            std::string const size = calibration_ + "/" + axis + "_pixel_size";
            std::string const unit = calibration_ + "/" + axis + "_pixel_units";
            array(size, "", DType::i64, {}, std::span(&one, 1));
            text(size, "type", "number");
            entries_.emplace_back(Hdf5Text{unit, "pixels"});
            text(unit, "type", "string");
        }
        // What hears of it when it is set: paths below that of the tree's root.
        std::string const above = calibration_ + "/_root_treepath";
        std::string const targets = calibration_ + "/_target_paths";
        entries_.emplace_back(Hdf5Text{above, ""});
        text(above, "type", "string");
        text(targets, "type", "list_of_strings");
        entries_.emplace_back(Hdf5Attribute{targets, "length", std::int64_t{1}});
        entries_.emplace_back(Hdf5Text{targets + "/0", "/braggvectors"});
    }

    void lists() {
        Hdf5PointLists lists{node_ + "/_v_uncal/data", v_.scan_shape, v_.first};
        for (std::size_t i = 0; i < common_columns; ++i)
            lists.fields.emplace_back(fields[i], std::span<float const>());
        lists.values = [this](std::size_t field, index from, index to) {
            return v_.values(field, from, to);
        };
        entries_.emplace_back(std::move(lists));
    }

    // emdfile passes over groups that do not say what they are.
    void own() {
        std::string const group = fmt::format("{}/{}/", node_, own_group);
        for (std::size_t c = common_columns; c < std::size(columns); ++c)
            entries_.emplace_back(own_column(group, c));
        static_assert(sizeof(DiskReason) == 1);
        array(group + "reason", "", DType::u8, {v_.scan_shape[0], v_.scan_shape[1]}, v_.reason);
        entries_.emplace_back(Hdf5Text{group + "digest", fmt::format("{:016x}", digest_)});
    }

    Hdf5Dataset own_column(std::string const& group, std::size_t c) {
        Hdf5Dataset d{.name = group + std::string(columns[c].name),
                      .unit = std::string(columns[c].unit),
                      .shape = {v_.size()}};
        d.pieces = (v_.size() + piece_of_disks - 1) / piece_of_disks;
        d.piece = [this, c](index p) -> Result<Bytes> {
            index const from = p * piece_of_disks;
            SLUICE_TRY(auto const values,
                       v_.values(c, from, std::min(from + piece_of_disks, v_.size())));
            return std::as_bytes(values);
        };
        return d;
    }

    // py4DSTEM's own names; its x is the row.
    static constexpr std::array<char const*, common_columns> fields = {"qx", "qy", "intensity"};
    std::string const root_ = "braggvectors_root", node_ = root_ + "/braggvectors";
    std::string const of_root_ = root_ + "/metadatabundle";
    std::string const calibration_ = of_root_ + "/calibration";
    std::string const of_node_ = node_ + "/metadatabundle";
    std::string const shapes_ = of_node_ + "/_braggvectors_shape";

    ColumnSource& v_;
    std::uint64_t digest_;
    std::vector<Hdf5Entry> entries_ = {};
};

}  // namespace

Status save_emd(std::string const& path, ColumnSource& vectors, Provenance const& about) {
    SLUICE_TRY(std::uint64_t const digest, digest_of(vectors));
    EmdEntries entries(vectors, digest);
    return save_hdf5(path, entries.all(), about);
}

}  // namespace sluice::crystal
