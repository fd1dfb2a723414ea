// Reading values and keeping what went wrong.
// SPDX-License-Identifier: Apache-2.0
#include "format/nxmx/values.h"

#include <fmt/format.h>

#include "format/hdf5/parts.h"

namespace sluice::nxmx {

namespace h5 = hdf5::object;

template <class T>
T Values::kept(std::string const& path, Result<T> value) {
    if (value) return *std::move(value);
    Error e = std::move(value).error();
    if (e.code == Code::unsupported || e.code == Code::not_found) {
        hdf5::add_note(notes_, fmt::format("{} is ignored ({})", path, e.message));
    } else if (!damage_) {
        damage_ = std::move(e);
    }
    return T{};
}

std::optional<double> Values::number(std::string const& path) {
    return kept(path, h5::read_number(root_, path));
}

std::optional<std::uint64_t> Values::count(std::string const& path) {
    return kept(path, h5::read_count(root_, path));
}

std::optional<std::string> Values::text(std::string const& path) {
    return kept(path, h5::read_text(root_, path));
}

std::vector<std::string> Values::texts(std::string const& path) {
    return kept(path, h5::read_texts(root_, path));
}

std::optional<h5::Object> Values::object(std::string const& path) {
    return kept(path, root_.find(path));
}

std::vector<double> Values::attribute_numbers(std::string const& path, std::string const& name) {
    auto const o = object(path);
    return o ? kept(path + "@" + name, h5::attribute_numbers(*o, name)) : std::vector<double>{};
}

std::optional<double> Values::attribute_number(std::string const& path, std::string const& name) {
    auto const v = attribute_numbers(path, name);
    return v.size() == 1 ? std::optional(v[0]) : std::nullopt;
}

std::optional<std::string> Values::attribute_text(std::string const& path,
                                                  std::string const& name) {
    auto const o = object(path);
    return o ? kept(path + "@" + name, h5::attribute_text(*o, name)) : std::nullopt;
}

Status Values::status() const {
    return damage_ ? Status(*damage_) : Status{};
}

}  // namespace sluice::nxmx
