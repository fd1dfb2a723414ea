// The journal as lines of JSON, each after its hash.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/ngff/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <bit>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/file.h"
#include "base/hash.h"
#include "base/version.h"

namespace sluice::slide::ome {
namespace {

using json = nlohmann::ordered_json;

constexpr int journal_version = 4;
constexpr std::uint64_t most_bytes = std::uint64_t{8} << 30;

std::string path_in(std::string const& folder) {
    return fmt::format("{}/{}", folder, journal_name);
}

std::uint64_t hash_of(std::string_view text) {
    return xxh64(std::as_bytes(std::span(text)));
}

std::string line_of(std::string const& text) {
    return fmt::format("{:016x} {}\n", hash_of(text), text);
}

std::string text_of(json const& j) {
    return j.dump(-1, ' ', false, json::error_handler_t::replace);
}

// Bits, because JSON has no infinity.
std::uint64_t bits(double v) {
    return std::bit_cast<std::uint64_t>(v);
}

json json_of(StepRecord const& s) {
    json files = json::array(), ranges = json::array(), filled = json::array();
    for (FileRecord const& f : s.files)
        files.push_back({f.level, f.at, f.written.length, f.written.hash});
    for (auto const& [c, r] : s.ranges) ranges.push_back({c, bits(r.low), bits(r.high)});
    for (FilledTile const& t : s.filled) filled.push_back({t.tile, t.reason});
    return {{"step", s.step},
            {"image", s.image},
            {"files", std::move(files)},
            {"ranges", std::move(ranges)},
            {"chunks", s.chunks},
            {"empty", s.chunks_empty},
            {"filled", std::move(filled)},
            {"filled_with", bits(s.filled_with)}};
}

StepRecord step_of(json const& j) {
    StepRecord s;
    s.step = j.at("step");
    s.image = j.at("image");
    for (json const& f : j.at("files")) s.files.push_back({f.at(0), f.at(1), {f.at(2), f.at(3)}});
    for (json const& r : j.at("ranges"))
        s.ranges[r.at(0)] = {std::bit_cast<double>(r.at(1).get<std::uint64_t>()),
                             std::bit_cast<double>(r.at(2).get<std::uint64_t>())};
    s.chunks = j.at("chunks");
    s.chunks_empty = j.at("empty");
    for (json const& t : j.at("filled")) s.filled.push_back({t.at(0), t.at(1)});
    s.filled_with = std::bit_cast<double>(j.at("filled_with").get<std::uint64_t>());
    return s;
}

// The JSON of a line, if the line is as it was written.
std::optional<json> checked(std::string_view line) {
    std::uint64_t hash = 0;
    auto const r = std::from_chars(line.data(), line.data() + line.size(), hash, 16);
    auto const n = static_cast<std::size_t>(r.ptr - line.data());
    if (r.ec != std::errc() || n != 16 || line.size() < 18 || line[16] != ' ') return {};
    std::string_view const text = line.substr(17);
    if (hash_of(text) != hash) return {};
    json j = json::parse(text, nullptr, false);
    if (!j.is_object()) return {};
    return j;
}

void take_in(json const& j, JournalText& out) {
    if (j.contains("back")) {
        out.steps.erase(j["back"].get<index>());
        return;
    }
    StepRecord s = step_of(j);
    index const number = s.step;
    out.steps.insert_or_assign(number, std::move(s));
}

Error unreadable(std::string const& folder) {
    return {Code::corrupt, "is not a journal of a conversion; begin again with --force",
            path_in(folder)};
}

}  // namespace

std::string identity_of(Slide const& slide, ConvertOptions const& o) {
    std::string const& name = slide.path();
    SlideOpenOptions const opened = slide.opened_with();
    std::string guid;
    for (std::uint8_t const b : slide.facts().guid) guid += fmt::format("{:02x}", b);
    std::error_code none;
    auto const time = std::filesystem::last_write_time(name, none);
    json plane = json::object();
    for (auto const& [letter, value] : o.plane) plane[std::string(1, letter)] = value;
    // Steps depend on the memory, not on the threads. Each step that filled a damaged tile records
    // the fill value.
    return text_of({{"journal", journal_version},
                    {"name", std::filesystem::path(name).filename()},
                    {"size", slide.source() ? slide.source()->size() : 0},
                    {"guid", guid},
                    {"time", none ? 0 : time.time_since_epoch().count()},
                    {"program", fmt::format("{} ({})", version, commit)},
                    {"recover", opened.recover},
                    {"trust_directory", opened.trust_directory},
                    {"ngff", o.ngff},
                    {"chunk", o.chunk},
                    {"shard", o.shard},
                    {"codec", static_cast<int>(o.codec)},
                    {"codec_level", o.codec_level},
                    {"layout", static_cast<int>(o.layout)},
                    {"scenes", o.scenes},
                    {"channels", o.channels},
                    {"plane", plane},
                    {"min_size", o.min_size},
                    {"fill", o.fill},
                    {"memory_limit", o.memory_limit}});
}

Result<Journal> Journal::create(std::string const& folder, std::string const& of) {
    std::string const line = line_of(text_of({{"of", of}}));
    // Whole or not at all, so that a killed program never leaves half of a first line.
    SLUICE_TRY(NewFile file, NewFile::create(path_in(folder)));
    SLUICE_CHECK(file.write(std::as_bytes(std::span(line))));
    SLUICE_CHECK(file.commit());
    return append_to(folder);
}

Result<Journal> Journal::append_to(std::string const& folder) {
    Journal j;
    j.path_ = path_in(folder);
    j.fd_ = ::open(j.path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (j.fd_ < 0)
        return Error{Code::io, fmt::format("cannot be written ({})", std::strerror(errno)),
                     j.path_};
    return j;
}

Journal& Journal::operator=(Journal&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(fd_, other.fd_);
    return *this;
}

Journal::~Journal() {
    if (fd_ >= 0) ::close(fd_);
}

// After a newline, because the last line of a program that was killed may be half a line.
Status Journal::append(std::string const& text) {
    std::string const all = "\n" + line_of(text);
    std::string_view line = all;
    while (!line.empty()) {
        ssize_t const n = ::write(fd_, line.data(), line.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0)
            return Error{Code::io, fmt::format("writing failed ({})", std::strerror(errno)), path_};
        line.remove_prefix(static_cast<std::size_t>(n));
    }
    return {};
}

Status Journal::add(StepRecord const& step) {
    return append(text_of(json_of(step)));
}

Status Journal::take_back(index step) {
    return append(text_of({{"back", step}}));
}

Result<JournalText> read_journal(std::string const& folder) {
    SLUICE_TRY(auto const bytes, read_file(path_in(folder), most_bytes));
    std::string_view rest(reinterpret_cast<char const*>(bytes.data()), bytes.size());
    JournalText out;
    bool first = true;
    try {
        for (; !rest.empty(); first = false) {
            std::size_t const end = std::min(rest.find('\n'), rest.size());
            auto const j = checked(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 1, rest.size()));
            if (first) {
                if (!j || !j->contains("of")) return unreadable(folder);
                out.of = j->at("of");
            } else if (j) {
                take_in(*j, out);
            }
        }
    } catch (json::exception const&) {
        return unreadable(folder);
    }
    if (first) return unreadable(folder);
    return out;
}

}  // namespace sluice::slide::ome
