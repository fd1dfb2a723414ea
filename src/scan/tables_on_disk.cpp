// Finds the file of tables of a scan, and reads what an answer needs of it.
// SPDX-License-Identifier: Apache-2.0
#include "scan/tables_on_disk.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>

namespace sluice {
namespace {

// A note names the file once, and what happens instead.
std::string unused(std::string const& path, std::string const& why) {
    return fmt::format("{} is not used ({}); the answer comes from the frames", path, why);
}

std::string refusal(std::string const& path, std::string const& why) {
    return unused(path, why + "; make it again by `sluice stem4d tables`");
}

// Streams of plain values are summed in floating point, which is exact below this.
bool exact_as_values(TablesHead const& head) {
    constexpr std::uint64_t most = std::uint64_t{1} << 53;
    return head.largest < most / static_cast<std::uint64_t>(std::max(head.rows, head.cols));
}

bool of_this_shape(TablesHead const& head, store::Plan const& plan) {
    return head.frames == plan.frames() && head.rows == plan.rows && head.cols == plan.cols;
}

}  // namespace

std::unique_ptr<TablesOnDisk> TablesOnDisk::find(Dataset const& dataset, store::Plan const& plan,
                                                 LoadOptions const& options,
                                                 std::vector<std::string>& notes) {
    if (options.tables == Tables::none || dataset.feed || dataset.files.empty() ||
        plan.dtype == DType::f32)
        return {};
    bool const named = !options.tables_file.empty();
    std::string const path = named ? options.tables_file : TablesFile::usual_path(dataset);
    std::error_code ignored;
    if (!named && !std::filesystem::exists(path, ignored)) return {};
    auto file = TablesFile::open(path);
    if (!file) {
        notes.push_back(unused(path, file.error().message));
        return {};
    }
    auto const key = tables_key(dataset, plan, options);
    std::string why = key ? difference(file->head().key, *key) : key.error().text();
    if (why.empty() && !of_this_shape(file->head(), plan)) why = "its shapes differ";
    if (why.empty() && !exact_as_values(file->head())) why = "its sums are too large";
    if (!why.empty()) {
        notes.push_back(refusal(path, why));
        return {};
    }
    return std::unique_ptr<TablesOnDisk>(new TablesOnDisk(std::move(*file), plan));
}

void TablesOnDisk::note(std::string const& text) {
    if (std::ranges::find(notes_, text) == notes_.end()) notes_.push_back(text);
}

std::vector<std::string> TablesOnDisk::notes() const {
    std::lock_guard const lock(mutex_);
    return notes_;
}

std::optional<std::vector<std::byte>> TablesOnDisk::read(Stretch const& stretch) {
    auto bytes = file_.read(stretch);
    if (bytes) return std::move(*bytes);
    note(unused("a part of " + path(), bytes.error().message));
    return {};
}

std::span<planes::Moment const> TablesOnDisk::moments() {
    static_assert(sizeof(planes::Moment) == 24);
    std::lock_guard const lock(mutex_);
    if (moments_read_) return moments_;
    moments_read_ = true;
    auto const bytes = read(head().moments);
    if (!bytes) return moments_;
    moments_.resize(bytes->size() / sizeof(planes::Moment));
    std::memcpy(moments_.data(), bytes->data(), bytes->size());
    return moments_;
}

std::shared_ptr<RingSums const> TablesOnDisk::rings() {
    std::lock_guard const lock(mutex_);
    if (rings_ || head().rings.bytes == 0) return rings_;
    auto const bytes = read(head().rings);
    if (!bytes) return {};
    std::vector<std::uint16_t> rings(bytes->size() / 2);
    std::memcpy(rings.data(), bytes->data(), bytes->size());
    auto made =
        std::make_shared<RingSums const>(RingSums::empty(plan_, std::move(rings), head().largest));
    if (made->halves() == head().below.size())
        rings_ = std::move(made);
    else
        note(refusal(path(), "its number of rings differs"));
    return rings_;
}

std::shared_ptr<RingSums const> TablesOnDisk::with(RingSums const& rings,
                                                   std::span<std::array<index, 2> const> borders) {
    auto filled = std::make_shared<RingSums>(rings);
    std::lock_guard const lock(mutex_);
    auto const frames = static_cast<std::size_t>(head().frames);
    // The own sums of a ring are needed behind its odd border only.
    std::map<std::size_t, bool> needs_own;
    for (auto const& pair : borders)
        for (index const border : pair) {
            bool& own = needs_own[static_cast<std::size_t>(border / 2)];
            own = own || border % 2 != 0;
        }
    for (auto const& [half, needs] : needs_own) {
        auto below = read(head().below[half]);
        auto own = needs ? read(head().own[half]) : std::vector<std::byte>();
        if (!below || !own) return {};
        filled->put(half, {frames, std::move(*below)}, {frames, std::move(*own)});
    }
    return filled;
}

std::shared_ptr<PatternSums const> TablesOnDisk::patterns() {
    std::lock_guard const lock(mutex_);
    if (patterns_ || head().squares[0].empty()) return patterns_;
    auto made = std::make_shared<PatternSums const>(PatternSums::empty(plan_));
    for (std::size_t level = 0; level < head().squares.size(); ++level)
        if (made->squares(level) != std::ssize(head().squares[level])) {
            note(refusal(path(), "its number of patterns differs"));
            return {};
        }
    patterns_ = std::move(made);
    return patterns_;
}

// A square begins with the width of each row's numbers.
std::optional<std::vector<store::Narrow>> TablesOnDisk::read_square(PatternSums const& patterns,
                                                                    Stretch const& stretch) {
    auto const rows = static_cast<std::size_t>(patterns.block_rows());
    auto const numbers = static_cast<std::size_t>(patterns.row_numbers());
    bool fits = stretch.bytes >= rows && stretch.bytes <= rows + rows * numbers * 8;
    auto const bytes = fits ? read(stretch) : std::nullopt;
    std::vector<store::Narrow> out;
    std::size_t at = rows;
    for (std::size_t r = 0; bytes && fits && r < rows; ++r) {
        auto const width = std::to_integer<std::size_t>((*bytes)[r]);
        fits = width <= 8 && (width & (width - 1)) == 0 && width * numbers <= bytes->size() - at;
        if (!fits) break;
        auto const first = bytes->begin() + static_cast<std::ptrdiff_t>(at);
        at += width * numbers;
        out.emplace_back(numbers, std::vector<std::byte>(
                                      first, bytes->begin() + static_cast<std::ptrdiff_t>(at)));
    }
    if (!bytes) return {};
    if (fits && at == bytes->size()) return out;
    note(refusal(path(), "a pattern has an impossible size"));
    return {};
}

std::shared_ptr<PatternSums const> TablesOnDisk::with(
    PatternSums const& patterns, std::span<PatternSums::Square const> squares) {
    auto filled = std::make_shared<PatternSums>(patterns);
    std::lock_guard const lock(mutex_);
    for (PatternSums::Square const& s : squares) {
        auto rows = read_square(
            patterns,
            head().squares[static_cast<std::size_t>(s[0])][static_cast<std::size_t>(s[1])]);
        if (!rows) return {};
        filled->put(s, std::move(*rows));
    }
    return filled;
}

}  // namespace sluice
