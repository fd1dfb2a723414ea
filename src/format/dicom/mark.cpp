// The header of DICOM files: "DICM" behind 128 bytes, then elements with their lengths.
// SPDX-License-Identifier: Apache-2.0
#include "format/dicom/mark.h"

#include <algorithm>
#include <filesystem>

#include "base/bytes.h"
#include "base/file.h"
#include "base/unfinished.h"

namespace sluice::dicom {
namespace {

constexpr std::size_t preamble = 128, element_head = 8;
constexpr std::uint64_t most_head = 4096;
// A folder of other files is not read to its end.
constexpr std::size_t most_others = 32;

std::string_view text_at(Bytes bytes, std::size_t at, std::size_t length) {
    return {reinterpret_cast<char const*>(bytes.data()) + at, length};
}

std::vector<std::string> names_in(std::string const& folder) {
    namespace fs = std::filesystem;
    std::vector<std::string> names;
    std::error_code failed;
    fs::directory_iterator entry(folder, failed);
    for (; !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
        std::error_code ignored;
        if (entry->is_regular_file(ignored) && !is_unfinished(entry->path().filename().string()))
            names.push_back(entry->path().string());
    }
    std::ranges::sort(names);
    return names;
}

}  // namespace

std::optional<std::string> class_of(Bytes head) {
    if (head.size() < preamble + 4 || text_at(head, preamble, 4) != "DICM") return {};
    std::size_t at = preamble + 4;
    while (at + element_head <= head.size()) {
        auto const group = load_le<std::uint16_t>(head.data() + at);
        auto const element = load_le<std::uint16_t>(head.data() + at + 2);
        std::string_view const kind = text_at(head, at + 4, 2);
        // Binary values have longer lengths.
        bool const wide = kind == "OB" || kind == "UN";
        std::size_t const begin = at + element_head + (wide ? 4 : 0);
        if (group != 2 || begin > head.size()) break;
        std::size_t const length = wide ? load_le<std::uint32_t>(head.data() + at + 8)
                                        : load_le<std::uint16_t>(head.data() + at + 6);
        if (length > head.size() - begin) break;
        if (element == 2) {
            std::string_view text = text_at(head, begin, length);
            while (!text.empty() && (text.back() == '\0' || text.back() == ' '))
                text.remove_suffix(1);
            return std::string(text);
        }
        at = begin + length;
    }
    return std::string();
}

std::optional<std::string> class_of(std::string const& path) {
    auto const file = File::open(path);
    if (!file) return {};
    std::vector<std::byte> head(std::min(file->size(), most_head));
    if (!file->read(0, head)) return {};
    return class_of(Bytes(head));
}

std::vector<FoundFile> dicom_files(std::string const& folder) {
    std::vector<FoundFile> found;
    for (std::string& path : names_in(folder))
        if (auto sop_class = class_of(path)) found.push_back({std::move(path), *sop_class});
    return found;
}

bool is_dicom_folder(std::string const& folder) {
    std::vector<std::string> names = names_in(folder);
    names.resize(std::min(names.size(), most_others));
    return std::ranges::any_of(names, [](std::string const& n) { return class_of(n).has_value(); });
}

}  // namespace sluice::dicom
