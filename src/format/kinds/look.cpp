// Opens a file to see how it begins.
// SPDX-License-Identifier: Apache-2.0
#include "format/kinds/look.h"

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "format/hdf5/hdf5.h"

namespace sluice {
namespace {

constexpr std::uint64_t most_of_head = 4096;

Status read_head(std::string const& path, std::vector<std::byte>& head) {
    SLUICE_TRY(File const file, File::open(path));
    head.resize(std::min(file.size(), most_of_head));
    return file.read(0, head);
}

}  // namespace

Look::Look(std::string path) : path_(std::move(path)) {
    std::error_code ignored;
    folder_ = std::filesystem::is_directory(path_, ignored);
    ending_ = std::filesystem::path(path_).extension().string();
    std::ranges::transform(ending_, ending_.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    if (!folder_) readable_ = read_head(path_, head_);
    if (!readable_) head_.clear();
}

bool Look::begins(std::string_view bytes, std::size_t at) const {
    if (head_.size() < at + bytes.size()) return false;
    return std::equal(bytes.begin(), bytes.end(), head_.begin() + static_cast<std::ptrdiff_t>(at),
                      [](char c, std::byte b) { return static_cast<std::byte>(c) == b; });
}

std::optional<hdf5::object::Object> const& Look::hdf5() const {
    if (!asked_ && !head_.empty() && hdf5::recognises(path_, head_))
        if (auto root = hdf5::object::Object::open_file(path_)) root_ = *std::move(root);
    asked_ = true;
    return root_;
}

}  // namespace sluice
