// The list of kinds, and the error about a file of another kind.
// SPDX-License-Identifier: Apache-2.0
#include "format/kinds/kinds.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "base/unfinished.h"
#include "format/beside.h"
#include "format/foreign.h"
#include "format/table.h"

namespace sluice {
namespace {

// A mark of many bytes stands before one of few, and all that is marked before what only a name
// tells.
constexpr ContentKind const* table[] = {&kinds::slide,
                                        &kinds::reconstruction,
                                        &kinds::checkpoint,
                                        &kinds::patterns,
                                        &kinds::vectors,
                                        &kinds::orientations,
                                        &kinds::crystal_calibration,
                                        &kinds::dose,
                                        &kinds::plan_dose,
                                        &kinds::plan,
                                        &kinds::machine,
                                        &kinds::structures,
                                        &kinds::volume,
                                        &kinds::model,
                                        &kinds::song,
                                        &kinds::scan};

std::string first_bytes(Bytes head) {
    if (head.empty()) return "the file is empty";
    std::vector<unsigned> first;
    for (std::byte const b : head.first(std::min<std::size_t>(head.size(), 8)))
        first.push_back(std::to_integer<unsigned>(b));
    return fmt::format("it begins with {:02x}", fmt::join(first, " "));
}

// Those of scans have a table of their own.
std::string formats_of(ContentKind const& kind) {
    if (&kind != &kinds::scan) return std::string(kind.formats);
    std::vector<std::string_view> names;
    for (Format const& f : formats()) names.push_back(f.name);
    return fmt::format("{}", fmt::join(names, ", "));
}

Error unknown(Look const& look, ContentKind const& wanted) {
    std::vector<std::string> known;
    for (ContentKind const* const k : table) {
        std::string const its = formats_of(*k);
        known.push_back(its.empty() ? std::string(k->name) : fmt::format("{} ({})", k->name, its));
    }
    bool const raw = &wanted == &kinds::scan;
    return {Code::unsupported,
            fmt::format("no format recognises the file ({}); the kinds are {}{}",
                        first_bytes(look.head()), fmt::join(known, ", "),
                        raw ? std::string("; raw binary needs --raw-frame and --raw-dtype")
                            : fmt::format("; give a {}", wanted.title)),
            look.path()};
}

}  // namespace

std::span<ContentKind const* const> all_kinds() {
    return table;
}

ContentKind const* kind_of(Look const& look) {
    auto const found = std::ranges::find_if(table, [&](auto* k) { return k->recognises(look); });
    return found == std::end(table) ? nullptr : *found;
}

ContentKind const* kind_of(std::string const& path) {
    return kind_of(Look(path));
}

std::vector<std::string> files_of(ContentKind const& kind, std::string const& folder) {
    namespace fs = std::filesystem;
    std::vector<std::string> found;
    std::error_code failed;
    fs::directory_iterator entry(folder, failed);
    for (; !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
        std::error_code ignored;
        if (!entry->is_regular_file(ignored) || is_unfinished(entry->path().filename().string()))
            continue;
        if (kind.recognises(Look(entry->path().string()))) found.push_back(entry->path().string());
    }
    std::ranges::sort(found);
    return found;
}

Error no_such_kind(Look const& look, ContentKind const& wanted) {
    if (!look.readable()) return look.readable().error();
    ContentKind const* const found = kind_of(look);
    if (found && found != &wanted)
        return {
            Code::unsupported,
            fmt::format("is not a {} (it is a {}); {}", wanted.title, found->title, found->readers),
            look.path()};
    if (look.is_folder())
        return {Code::invalid_argument,
                fmt::format("is a folder, not a {}; name a file in it", wanted.title), look.path()};
    std::string_view const begin(reinterpret_cast<char const*>(look.head().data()),
                                 look.head().size());
    if (begin.starts_with(tables_mark))
        return {
            Code::unsupported,
            fmt::format("is a file of tables, which `sluice stem4d tables` makes beside a scan, "
                        "not a {}; give the scan itself",
                        wanted.title),
            look.path()};
    if (auto const foreign = look_up_foreign(look.path(), look.head()))
        return {Code::unsupported,
                fmt::format("looks like {}, which is not read here (the formats are {}); {}",
                            foreign->name, formats_of(wanted), foreign->advice),
                look.path()};
    return unknown(look, wanted);
}

Error no_such_kind(std::string const& path, ContentKind const& wanted) {
    return no_such_kind(Look(path), wanted);
}

}  // namespace sluice
