// The journal as JSON.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/convert_journal.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/file.h"

namespace sluice::slide::ome {
namespace {

using json = nlohmann::ordered_json;

}  // namespace

std::string identity_of(Slide const& slide, ConvertOptions const& o) {
    Source const& source = slide.file().source();
    std::string guid;
    for (std::uint8_t const b : slide.file().header().guid) guid += fmt::format("{:02x}", b);
    std::error_code none;
    auto const time = std::filesystem::last_write_time(source.name(), none);
    json plane = json::object();
    for (auto const& [letter, value] : o.plane) plane[std::string(1, letter)] = value;
    // Steps depend on the memory, not on the threads.
    return json{{"name", std::filesystem::path(source.name()).filename()},
                {"size", source.size()},
                {"guid", guid},
                {"time", none ? 0 : time.time_since_epoch().count()},
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
                {"memory_limit", o.memory_limit}}
        .dump(-1, ' ', false, json::error_handler_t::replace);
}

Status write_journal(std::string const& path, Journal const& j) {
    json ranges = json::array();
    for (auto const& image : j.ranges) {
        json list = json::array();
        for (Range const& r : image) list.push_back({r.low, r.high});
        ranges.push_back(std::move(list));
    }
    std::string const text = json{
        {"of", j.of},
        {"steps", j.steps},
        {"ranges", ranges},
        {"chunks", j.chunks},
        {"chunks_empty", j.chunks_empty},
        {"bytes_written",
         j.bytes_written}}.dump();
    SLUICE_TRY(NewFile file, NewFile::create(path));
    SLUICE_CHECK(file.write(std::as_bytes(std::span(text))));
    return file.commit();
}

Result<Journal> read_journal(std::string const& path) {
    SLUICE_TRY(auto const bytes, read_file(path, 64U << 20U));
    try {
        json const all = json::parse(reinterpret_cast<char const*>(bytes.data()),
                                     reinterpret_cast<char const*>(bytes.data() + bytes.size()));
        Journal j{.of = all.at("of"), .steps = all.at("steps")};
        for (json const& image : all.at("ranges")) {
            auto& list = j.ranges.emplace_back();
            for (json const& r : image) list.push_back({r.at(0), r.at(1)});
        }
        j.chunks = all.at("chunks");
        j.chunks_empty = all.at("chunks_empty");
        j.bytes_written = all.at("bytes_written");
        return j;
    } catch (json::exception const& e) {
        return Error{Code::corrupt,
                     fmt::format("is no journal of a conversion ({}); convert again with "
                                 "--overwrite",
                                 e.what()),
                     path};
    }
}

}  // namespace sluice::slide::ome
