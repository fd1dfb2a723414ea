// EMD 1.0 and HSPY: HDF5 whose values lie in one piece.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <numbers>

#include "domain/conversion/flat_target.h"
#include "domain/conversion/hyperspy.h"
#include "format/described.h"
#include "format/hdf5/hdf5.h"
#include "save/hdf5_layout.h"

namespace sluice::conversion {
namespace {

std::string const description = "sluice_scan/description";

/// Entries of a file, and the small values that they point at.
class Entries {
  public:
    explicit Entries(Wish const& wish) : wish_(wish) {}

    /// Which of the entries has the frames.
    std::size_t frames(std::string name, std::string unit, std::vector<index> chunk = {}) {
        auto const shape = wish_.shape();
        list.emplace_back(Hdf5Dataset{.name = std::move(name),
                                      .unit = std::move(unit),
                                      .dtype = wish_.like.dtype,
                                      .shape = {shape.begin(), shape.end()},
                                      .chunk = std::move(chunk)});
        return list.size() - 1;
    }
    void attribute(std::string const& object, std::string name, Node::Value value) {
        list.emplace_back(Hdf5Attribute{object, std::move(name), std::move(value)});
    }
    void text(std::string name, std::string value) {
        list.emplace_back(Hdf5Text{std::move(name), std::move(value)});
    }
    /// float64, filled by fill().
    void numbers(std::string name, std::string unit, std::vector<double> values, bool scalar) {
        auto const n = static_cast<index>(values.size());
        small_.emplace_back(list.size(), std::move(values));
        list.emplace_back(Hdf5Dataset{.name = std::move(name),
                                      .unit = std::move(unit),
                                      .dtype = DType::f64,
                                      .shape = scalar ? std::vector<index>{} : std::vector{n}});
    }

    /// Makes the file `part`; where the frames begin.
    Result<std::uint64_t> lay_out(std::string const& part, std::size_t frames) {
        text(description, described(wish_.like));
        SLUICE_TRY(PartFile const file, PartFile::open(part));
        SLUICE_TRY(auto const offsets, save::lay_out_hdf5(part, list, wish_.provenance));
        for (auto const& [entry, values] : small_)
            SLUICE_CHECK(file.write(offsets[entry], std::as_bytes(std::span(values))));
        return offsets[frames];
    }

    std::vector<Hdf5Entry> list = {};

  private:
    Wish const& wish_;
    std::deque<std::pair<std::size_t, std::vector<double>>> small_ = {};
};

// HyperSpy reads lazily by chunks alone: some whole frames of a row.
std::vector<index> chunk_of(Wish const& wish) {
    constexpr index most_bytes = 1 << 20;
    index const cols = wish.like.scan[1];
    index n = std::clamp<index>(most_bytes / std::max<index>(1, wish.frame_bytes()), 1, cols);
    while (cols % n != 0) --n;
    return {1, n, wish.like.rows, wish.like.cols};
}

Result<std::uint64_t> lay_out_hspy(Wish const& wish, std::string const& part) {
    Entries entries(wish);
    for (Node const& node : hyperspy_nodes(wish.like, wish.provenance)) {
        if (node.attributes.empty()) entries.list.emplace_back(Hdf5Group{node.path});
        for (auto const& [name, value] : node.attributes) entries.attribute(node.path, name, value);
    }
    std::size_t const frames =
        entries.frames(hyperspy_group(wish.like) + "/data", "", chunk_of(wish));
    return entries.lay_out(part, frames);
}

/// EMD 1.0 as emdfile has it: the tree of a DataCube.
class Emd {
  public:
    explicit Emd(Wish const& wish) : d_(wish.like), entries_(wish) {}

    Result<std::uint64_t> lay_out(std::string const& part) {
        typed("", "file", "");
        entries_.attribute("", "version_major", std::int64_t{1});
        entries_.attribute("", "version_minor", std::int64_t{0});
        entries_.attribute("", "authoring_program", std::string("sluice"));
        entries_.attribute("", "authoring_user", std::string());
        typed(root_, "root", "Root");
        typed(node_, "array", "DataCube");
        std::size_t const frames = entries_.frames(node_ + "/data", "pixel intensity");
        axes();
        calibration();
        return entries_.lay_out(part, frames);
    }

  private:
    void typed(std::string const& object, std::string type, std::string python_class) {
        entries_.attribute(object, "emd_group_type", std::move(type));
        if (!python_class.empty())
            entries_.attribute(object, "python_class", std::move(python_class));
    }
    double scan_step() const { return d_.scan_step_nm > 0 ? d_.scan_step_nm * 10 : 1; }
    std::string scan_unit() const { return d_.scan_step_nm > 0 ? "A" : "pixels"; }
    double detector_step() const {
        if (d_.detector_step_mrad > 0) return d_.detector_step_mrad;
        return d_.detector_step_per_nm > 0 ? d_.detector_step_per_nm / 10 : 1;
    }
    std::string detector_unit() const {
        if (d_.detector_step_mrad > 0) return "mrad";
        return d_.detector_step_per_nm > 0 ? "A^-1" : "pixels";
    }
    void axes() {
        char const* const names[] = {"Rx", "Ry", "Qx", "Qy"};
        for (int i = 0; i < 4; ++i) {
            std::string const at = fmt::format("{}/dim{}", node_, i);
            double const step = i < 2 ? scan_step() : detector_step();
            entries_.numbers(at, i < 2 ? scan_unit() : detector_unit(), {0, step}, false);
            entries_.attribute(at, "name", std::string(names[i]));
        }
    }
    void number(std::string const& name, double value) {
        entries_.numbers(calibration_ + name, "", {value}, true);
        entries_.attribute(calibration_ + name, "type", std::string("number"));
    }
    void word(std::string const& name, std::string value) {
        entries_.text(calibration_ + name, std::move(value));
        entries_.attribute(calibration_ + name, "type", std::string("string"));
    }
    void calibration() {
        typed(root_ + "/metadatabundle", "metadatabundle", "");
        typed(root_ + "/metadatabundle/calibration", "metadata", "Calibration");
        number("R_pixel_size", scan_step());
        word("R_pixel_units", scan_unit());
        number("Q_pixel_size", detector_step());
        word("Q_pixel_units", detector_unit());
        // In eV and mrad, as py4DSTEM's own examples set them.
        if (d_.energy_kv > 0) number("accelerating_voltage", d_.energy_kv * 1e3);
        if (d_.semiangle_mrad > 0) number("convergence_semiangle_mrad", d_.semiangle_mrad);
        if (d_.detector_turn) {
            number("QR_rotation", d_.detector_turn->degrees * std::numbers::pi / 180);
            number("QR_rotation_degrees", d_.detector_turn->degrees);
            number("QR_flip", d_.detector_turn->transpose ? 1 : 0);
        }
        // What hears of it when it is set: paths below that of the tree's root.
        word("_root_treepath", "");
        std::string const targets = calibration_ + "_target_paths";
        entries_.attribute(targets, "type", std::string("list_of_strings"));
        entries_.attribute(targets, "length", std::int64_t{1});
        entries_.text(targets + "/0", "/datacube");
    }

    std::string const root_ = "datacube_root", node_ = root_ + "/datacube";
    std::string const calibration_ = root_ + "/metadatabundle/calibration/";
    Dataset const& d_;
    Entries entries_;
};

}  // namespace

Result<std::unique_ptr<Target>> emd_target(Wish const& wish, Places const& places) {
    FlatForm form;
    form.lay_out = [wish](std::string const& part) { return Emd(wish).lay_out(part); };
    form.reopen = [](std::string const& part) { return hdf5::open(part, {}); };
    return flat_target(wish, places, std::move(form));
}

Result<std::unique_ptr<Target>> hspy_target(Wish const& wish, Places const& places) {
    FlatForm form;
    form.lay_out = [wish](std::string const& part) { return lay_out_hspy(wish, part); };
    form.reopen = [](std::string const& part) { return hdf5::open(part, {}); };
    return flat_target(wish, places, std::move(form));
}

}  // namespace sluice::conversion
