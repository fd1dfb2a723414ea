// What Direct Electron writes beside its stacks.
// SPDX-License-Identifier: Apache-2.0
#include "format/mrc/info_file.h"

#include <charconv>
#include <filesystem>

#include "base/file.h"

namespace sluice::mrc {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t most_bytes = 1 << 20;
constexpr index most_points = 1 << 20;

std::string_view trimmed(std::string_view s) {
    auto const from = s.find_first_not_of(" \t\r");
    return from == std::string_view::npos ? ""
                                          : s.substr(from, s.find_last_not_of(" \t\r") - from + 1);
}

// 0: no number of points.
index points(std::string_view s) {
    index n = 0;
    auto const [end, error] = std::from_chars(s.data(), s.data() + s.size(), n);
    return error == std::errc() && end == s.data() + s.size() && n > 0 && n <= most_points ? n : 0;
}

struct Known {
    std::string_view key, name, unit;
};
constexpr Known known[] = {{"Camera Model", "camera", ""},
                           {"Frames Per Second", "frames per second", "1/s"},
                           {"Instrument Project Magnification", "magnification", ""},
                           {"Exposure Time (seconds)", "exposure", "s"}};

}  // namespace

InfoFile parse_info(std::string_view text) {
    InfoFile out;
    index x = 0, y = 0;
    while (!text.empty()) {
        auto const end = text.find('\n');
        std::string_view const line = text.substr(0, end);
        text = end == std::string_view::npos ? "" : text.substr(end + 1);
        auto const equals = line.find('=');
        if (equals == std::string_view::npos) continue;
        std::string_view const key = trimmed(line.substr(0, equals)),
                               value = trimmed(line.substr(equals + 1));
        if (key == "Scan - Size X") x = points(value);
        if (key == "Scan - Size Y") y = points(value);
        for (Known const& k : known)
            if (key == k.key && !value.empty() && value.size() < 100 && out.fields.size() < 16)
                out.fields.push_back(
                    {std::string(k.name), std::string(value), std::string(k.unit)});
    }
    if (x > 0 && y > 0) out.scan = ScanGrid{y, x};
    return out;
}

Result<InfoFile> find_info(std::string const& path) {
    fs::path const file(path);
    std::string stem = file.stem().string();
    for (std::string const& name :
         {stem + "_info.txt", stem.substr(0, stem.rfind('_')) + "_info.txt"}) {
        fs::path const beside = file.parent_path() / name;
        std::error_code ignored;
        if (!fs::is_regular_file(beside, ignored)) continue;
        SLUICE_TRY(auto const bytes, read_file(beside.string(), most_bytes));
        InfoFile out = parse_info({reinterpret_cast<char const*>(bytes.data()), bytes.size()});
        out.path = beside.string();
        return out;
    }
    return InfoFile{};
}

}  // namespace sluice::mrc
