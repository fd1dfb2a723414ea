// Looking through the folders of arrays.
// SPDX-License-Identifier: Apache-2.0
#include "zarr/chunk_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

#include "zarr/place.h"

namespace sluice::zarr {
namespace {

namespace fs = std::filesystem;

struct Kind {
    bool prefix = false;
    char separator = '/';
    bool operator==(Kind const&) const = default;
};

bool only(std::string_view text, std::string_view characters) {
    return !text.empty() && text.find_first_not_of(characters) == std::string_view::npos;
}

// Of an array of two dimensions or more.
std::optional<Kind> kind_of(Below const& entry) {
    std::string const& name = entry.name;
    if (name == "c" && entry.folder) return Kind{true, '/'};
    if (name.starts_with("c.") && only(name.substr(2), "0123456789.")) return Kind{true, '.'};
    if (only(name, "0123456789") && entry.folder) return Kind{false, '/'};
    if (name.find('.') > 0 && name.find('.') != name.npos && only(name, "0123456789."))
        return Kind{false, '.'};
    return {};
}

std::string example(Kind kind) {
    std::string const s(1, kind.separator);
    return (kind.prefix ? "c" + s : "") + "0" + s + "0";
}

// The numbers of a name as "c/0/12" or "0.12"; empty where it is not a file of the array.
std::optional<std::vector<index>> numbers_of(std::string_view name, Layout const& layout) {
    if (layout.key_prefix) {
        if (name.size() < 2 || name[0] != 'c' || name[1] != layout.separator) return {};
        name.remove_prefix(2);
    }
    std::vector<index> out;
    for (std::size_t d = 0; d < layout.shape.size(); ++d) {
        index n = 0;
        auto const [end, error] = std::from_chars(name.data(), name.data() + name.size(), n);
        auto const length = static_cast<std::size_t>(end - name.data());
        index const side = layout.shard.empty() ? layout.chunk[d] : layout.shard[d];
        if (error != std::errc() || n < 0 || n > (layout.shape[d] - 1) / side) return {};
        bool const last = d + 1 == layout.shape.size();
        if (last ? length != name.size() : length >= name.size() || *end != layout.separator)
            return {};
        name.remove_prefix(length + (last ? 0 : 1));
        out.push_back(n);
    }
    return out;
}

}  // namespace

Result<bool> has_chunks(std::string const& path, Layout const& layout) {
    if (layout.shape.size() < 2) return count_chunk_files(path, 1) > 0;
    Kind const told{layout.key_prefix, layout.separator};
    std::optional<Kind> other;
    SLUICE_TRY(auto const entries, list_folder(path));
    for (Below const& entry : entries) {
        auto const kind = kind_of(entry);
        if (kind == told) return true;
        if (kind) other = kind;
    }
    if (!other) return false;
    return Error{
        Code::corrupt,
        fmt::format("has chunks with names like '{}', and its metadata say '{}'; correct the "
                    "{} there",
                    example(*other), example(told),
                    layout.version == 2 ? "dimension_separator" : "chunk_key_encoding"),
        path};
}

index count_chunk_files(std::string const& path, index most) {
    index n = 0;
    std::error_code error;
    for (fs::recursive_directory_iterator i(path, error), end; !error && i != end && n < most;
         i.increment(error)) {
        std::string const name = i->path().filename().string();
        std::error_code unknown;
        if (!name.starts_with(".") && name != "zarr.json" && !i->is_directory(unknown)) ++n;
    }
    return n;
}

Result<std::vector<std::vector<index>>> chunk_files(std::string const& path, Layout const& layout) {
    std::vector<std::vector<index>> out;
    SLUICE_TRY(auto const files, list_files(path));
    for (Below const& file : files) {
        auto numbers = numbers_of(file.name, layout);
        if (numbers) out.push_back(*std::move(numbers));
    }
    std::ranges::sort(out);
    return out;
}

}  // namespace sluice::zarr
