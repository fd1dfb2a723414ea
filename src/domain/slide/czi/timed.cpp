// The times of reading the directory, the XML and the rest.
// SPDX-License-Identifier: Apache-2.0
#include "domain/slide/czi/timed.h"

#include <algorithm>
#include <chrono>

#include "sluice/czi.h"

namespace sluice::slide {
namespace {

double seconds_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

}  // namespace

Result<TimedSlide> open_czi_timed(std::string const& path, SlideOpenOptions options,
                                  Access access) {
    OpenTimes t;
    double const start = seconds_now();
    SLUICE_TRY(auto const source, open_source(path, access));
    SLUICE_TRY(czi::File const file, czi::File::open(source, options));
    double const directory = seconds_now();
    SLUICE_TRY(std::string const xml, file.xml());
    double const read = seconds_now();
    if (!xml.empty()) {
        SLUICE_TRY([[maybe_unused]] auto const metadata, czi::parse_metadata(xml));
    }
    double const parsed = seconds_now();
    // The directory is read once more with the slide, then out of the cache: that time is not
    // counted.
    SLUICE_TRY([[maybe_unused]] auto const again, czi::File::open(source, options));
    double const again_at = seconds_now();
    SLUICE_TRY(Slide slide, Slide::open(source, options));
    double const opened = seconds_now();
    t.directory_s = directory - start;
    t.xml_read_s = read - directory;
    t.xml_parse_s = parsed - read;
    t.model_s = std::max(0.0, (opened - again_at) - (again_at - parsed));
    t.xml_bytes = xml.size();
    return TimedSlide{std::move(slide), t};
}

}  // namespace sluice::slide
