// From disks to orientations, as `sluice stem4d orientation` goes.
// SPDX-License-Identifier: Apache-2.0
#include "app/view/stem4d/crystal/orientations.h"

#include "app/view/stem4d/crystal/orientation_answer.h"

namespace sluice::app {
namespace {

std::string key_of(std::string const& data, OrientationRequest const& request) {
    return data + echo(request).dump();
}

}  // namespace

bool Orientations::known(std::string const& data, OrientationRequest const& request) {
    return maps_.get(key_of(data, request)) != nullptr;
}

bool Orientations::known(std::string const& data, MatchRequest const& request) {
    std::string const key = key_of(data, request.of);
    return maps_.get(key) && matchers_.get(key);
}

Result<std::shared_ptr<stem4d::OrientationLibrary const>> Orientations::library_of(
    Source const& source, OrientationRequest const& request, Report const& report) {
    stem4d::LibraryOptions options = request.library;
    SLUICE_TRY(options.kilovolts, kilovolts_of(request, *source.scan));
    SLUICE_TRY(auto const cells, cells_of(request, known_));
    OrientationRequest const all{.library = options, .crystals = request.crystals};
    std::string const key = key_of({}, all);
    if (auto made = libraries_.get(key)) return made;
    SLUICE_TRY(auto built, stem4d::OrientationLibrary::build(
                               cells, options, options_for(source, "library", report)));
    auto made = std::make_shared<stem4d::OrientationLibrary const>(std::move(built));
    libraries_.put(key, made);
    return made;
}

Result<std::shared_ptr<ScanOrientations const>> Orientations::map_of(
    std::string const& data, Source const& source, OrientationRequest const& request,
    Report const& report) {
    std::string const key = key_of(data, request);
    if (auto made = maps_.get(key)) return made;
    // What is missing is said before any long work.
    SLUICE_TRY(auto library, library_of(source, request, report));
    SLUICE_TRY(auto disks, strains_.disks(data, source, request.disks, report));
    SLUICE_TRY(FoundScale scale, scale_of(request, known_, *source.scan, disks->vectors,
                                          options_for(source, "calibrating", report)));
    SLUICE_TRY(auto map,
               stem4d::orientation(disks->vectors, scale.calibration, *library, request.match,
                                   options_for(source, "orientations", report)));
    auto made = std::make_shared<ScanOrientations const>(
        ScanOrientations{std::move(disks), std::move(library), std::move(scale), std::move(map)});
    maps_.put(key, made);
    return made;
}

Result<std::shared_ptr<stem4d::OrientationMatcher const>> Orientations::matcher_of(
    std::string const& data, Source const& source, OrientationRequest const& request,
    Report const& report) {
    std::string const key = key_of(data, request);
    if (auto made = matchers_.get(key)) return made;
    SLUICE_TRY(auto const of, map_of(data, source, request, report));
    SLUICE_TRY(auto vectors, stem4d::apply_calibration(of->disks->vectors, of->scale.calibration));
    SLUICE_TRY(auto begun,
               stem4d::OrientationMatcher::begin(std::move(vectors), *of->library, request.match,
                                                 options_for(source, "orientations", report)));
    auto made = std::make_shared<stem4d::OrientationMatcher const>(std::move(begun));
    matchers_.put(key, made);
    return made;
}

Result<Answer> Orientations::answer(std::string const& data, Source const& source,
                                    OrientationRequest const& request, Report const& report) {
    SLUICE_TRY(auto const found, map_of(data, source, request, report));
    return pack_orientations(*found);
}

Result<Answer> Orientations::answer(std::string const& data, Source const& source,
                                    MatchRequest const& request, Report const& report) {
    SLUICE_TRY(auto const of, map_of(data, source, request.of, report));
    SLUICE_TRY(auto const matches, matcher_of(data, source, request.of, report));
    SLUICE_TRY(auto const found, matches->of(request.row, request.col));
    return pack_match(*of, found, request.row, request.col);
}

}  // namespace sluice::app
