// sluice::open: finds the format of one file.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "format/kinds/kinds.h"
#include "format/table.h"

namespace sluice {
namespace {

namespace fs = std::filesystem;

Error no_such_file(std::string const& path) {
    std::error_code ignored;
    if (std::string const master = path + "_master.h5"; fs::exists(master, ignored))
        return {Code::not_found, fmt::format("there is no such file; did you mean {}?", master),
                path};
    return {Code::not_found, "there is no such file; check the name and the folder", path};
}

/// The format a name such as "synthetic:stem4d" asks for.
Format const* by_scheme(std::string_view path) {
    for (Format const& f : formats())
        if (path.starts_with(f.name) && path.substr(f.name.size()).starts_with(':')) return &f;
    return nullptr;
}

Result<Format const*> find_format(std::string const& path, OpenOptions const& options) {
    if (Format const* f = by_scheme(path)) return f;
    std::error_code failed;
    if (!fs::exists(path, failed)) return no_such_file(path);
    Look const look(path);
    if (look.is_folder()) {
        for (Format const& f : formats())
            if (f.folders && f.recognises(path, {})) return &f;
        ContentKind const* const kind = kind_of(look);
        if (kind && kind != &kinds::scan) return no_such_kind(look, kinds::scan);
        return Error{Code::invalid_argument,
                     "is a folder, not a file; open one of its files, or all of it as a series",
                     path};
    }
    SLUICE_CHECK(look.readable());
    if (Format const* f = chosen_format(options)) return f;
    for (Format const& f : formats())
        if (!f.folders && f.recognises(path, look.head())) return &f;
    return no_such_kind(look, kinds::scan);
}

bool understands(Format const& f, std::string_view field) {
    return config::find_field(f.fields, field) != nullptr;
}

std::vector<std::string_view> who_understand(std::string_view field) {
    std::vector<std::string_view> names;
    for (Format const& f : formats())
        if (understands(f, field)) names.push_back(f.name);
    return names;
}

// "a", "a and b", "a, b and c".
std::string listed(std::vector<std::string_view> const& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : i + 1 == names.size() ? " and " : ", ", names[i]);
    return text;
}

// As the command line calls it.
std::string option_name(std::string_view field) {
    std::string name = fmt::format("--{}", field);
    std::ranges::replace(name, '_', '-');
    return name;
}

// An option that says nothing about a file of the format was meant for another file.
Status check_meant_for(Format const& f, OpenOptions const& options, std::string const& path) {
    OpenOptions const usual;
    for (auto const& field : open_fields().subspan(common_open_fields().size())) {
        if (understands(f, field.name) || field.text(options) == field.text(usual)) continue;
        return Error{
            Code::invalid_argument,
            fmt::format("{} is for {} files, and this one is {}; leave it out",
                        option_name(field.name), listed(who_understand(field.name)), f.name),
            path};
    }
    return {};
}

}  // namespace

Result<Dataset> open(std::string const& path, OpenOptions const& options) {
    SLUICE_TRY(Format const* const format, find_format(path, options));
    SLUICE_CHECK(check_meant_for(*format, options, path));
    Result<Dataset> d = format->open(path, options);
    if (!d && d.error().file.empty()) d.error().file = path;
    if (!d) return d;
    d->path = path;
    // All products of shapes from here on fit into 64 bits, with room for a factor of 64.
    constexpr index most = index{1} << 56;
    if (d->rows < 1 || d->cols < 1 || d->cols > most / d->rows || d->frames < 1 ||
        d->frames > most / (d->rows * d->cols))
        return Error{
            Code::unsupported,
            fmt::format("{} frames of {}x{} pixels (more than any machine holds); the file's "
                        "shapes are damaged",
                        d->frames, d->rows, d->cols),
            path};
    return d;
}

}  // namespace sluice
