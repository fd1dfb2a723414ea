// The results of `sluice stem4d analyze`.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stem4d/analyze_output.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/cli/stem4d/disk_search.h"
#include "app/cli/stem4d/image_output.h"
#include "app/cli/stem4d/pattern_output.h"
#include "domain/crystal/fields.h"

namespace sluice::cli {
namespace {

using stem4d::BraggVectors;

// What a report calls a part: as its table in the configuration.
Json& of_part(JobReport& r, std::string const& kind, std::string const& name) {
    return r.json["parts"][name.empty() ? kind : kind + "." + name];
}

void move_to(std::vector<ResultGroup>& groups, char const* name,
             std::vector<std::vector<ResultImage>> parts) {
    ResultGroup group{name};
    for (auto& images : parts)
        group.images.insert(group.images.end(), std::make_move_iterator(images.begin()),
                            std::make_move_iterator(images.end()));
    if (!group.images.empty()) groups.push_back(std::move(group));
}

}  // namespace

AnalysisOutput::AnalysisOutput(Stem4dJob const& job, stem4d::AnalysisPlan const& plan)
    : job_(job), plan_(plan) {
    for (auto const& part : plan.images) images_.emplace_back(part.detectors.size());
    for (auto const& part : plan.patterns) patterns_.emplace_back(part.kinds.size());
    for (auto const& part : plan.moments) moments_.emplace_back(job, part.name);
}

std::string AnalysisOutput::disks_path(std::size_t part, index member, index members) const {
    return figure_path(job_, file_name_of(stem4d::name_in(plan_.disks[part].name, "disks")), member,
                       members) +
           ".h5";
}

Status AnalysisOutput::check_files() const {
    std::error_code none;
    for (std::size_t p = 0; p < plan_.disks.size(); ++p)
        for (index const members : {1, 2})
            if (auto const path = disks_path(p, 0, members); std::filesystem::exists(path, none))
                return Error{Code::invalid_argument,
                             "is there already (it would be replaced) give another folder, or "
                             "--force",
                             path};
    return {};
}

Status AnalysisOutput::add_images(stem4d::Analyzed const& found, Scan const& scan, index member,
                                  JobReport& r) {
    for (std::size_t p = 0; p < images_.size(); ++p) {
        auto const& part = plan_.images[p];
        SLUICE_CHECK((ImageOutput{part.detectors, part.mean, job_.output}.add(
            found.images[p], scan, member, images_[p], of_part(r, "virtual_image", part.name))));
        auto const& notes = found.images[p].notes;
        r.notes.insert(r.notes.end(), notes.begin(), notes.end());
    }
    return {};
}

Status AnalysisOutput::add_patterns(stem4d::Analyzed const& found, Scan const& scan, index member,
                                    JobReport& r) {
    for (std::size_t p = 0; p < patterns_.size(); ++p) {
        auto const& part = plan_.patterns[p];
        for (std::size_t k = 0; k < part.kinds.size(); ++k)
            SLUICE_CHECK(add_pattern(found.patterns[p][k], part.kinds[k], part.name, scan, member,
                                     job_.output, patterns_[p][k]));
        auto const& first = found.patterns[p].front();
        of_part(r, "diffraction_pattern", part.name)["frames"] = first.frames;
        r.notes.insert(r.notes.end(), first.notes.begin(), first.notes.end());
    }
    return {};
}

Status AnalysisOutput::add_moments(stem4d::Analyzed const& found, Scan const& scan, index member,
                                   JobReport& r) {
    for (std::size_t p = 0; p < moments_.size(); ++p)
        SLUICE_CHECK(moments_[p].add(found.moments[p].com, found.moments[p].phase, scan, member,
                                     of_part(r, "center_of_mass", plan_.moments[p].name), r));
    return {};
}

void AnalysisOutput::add_disks(std::size_t part, BraggVectors vectors,
                               stem4d::DecidedDisks const& decided, index member,
                               JobReport& r) const {
    std::string const& name = plan_.disks[part].name;
    Json& j = of_part(r, "disks", name);
    auto const& fitted = decided.fitted;
    j["template"].push_back({{"radius", fitted.probe.radius},
                             {"radius_error", fitted.radius_error},
                             {"edge_width", fitted.probe.edge_width},
                             {"edge_width_error", fitted.edge_width_error},
                             {"residual", fitted.residual},
                             {"source", fitted.probe.source}});
    Json options;
    for (auto const& [key, text] : config::texts_of(decided.setup.options, stem4d::disk_fields()))
        options[key] = text;
    j["options"].push_back(std::move(options));
    j["background"].push_back(decided.setup.background.size() > 0 ? "shape" : "plane");
    j["disks"].push_back(vectors.size());
    j["reasons"].push_back(reasons_of(counts_of(vectors)));
    std::string const begin = name.empty() ? "" : name + ": ";
    r.lines.push_back(
        fmt::format("{:<24} {} in {} patterns, {:.1f} in each", stem4d::name_in(name, "disks"),
                    vectors.size(), vectors.patterns(),
                    static_cast<double>(vectors.size()) / static_cast<double>(vectors.patterns())));
    for (std::string const& line : lines_of_reasons(counts_of(vectors)))
        r.lines.push_back(fmt::format("{:<24} none in {}", "", line));
    for (std::string const& note : fitted.notes) r.notes.push_back(begin + note);
    std::string const path = disks_path(part, member, r.json["series"].get<index>());
    r.writers.emplace_back(path, [path, all = std::move(vectors)](Provenance const& from) {
        return stem4d::save_vectors(path, all, from);
    });
}

Status AnalysisOutput::add(stem4d::Analyzed found, stem4d::Decided const& decided, Scan const& scan,
                           index member, JobReport& r) {
    if (decided.disk) r.add(*decided.disk, member);
    SLUICE_CHECK(add_images(found, scan, member, r));
    SLUICE_CHECK(add_patterns(found, scan, member, r));
    SLUICE_CHECK(add_moments(found, scan, member, r));
    for (std::size_t p = 0; p < found.disks.size(); ++p)
        add_disks(p, std::move(found.disks[p]), decided.disks[p], member, r);
    auto const of_scan = scan.notes();
    r.notes.insert(r.notes.end(), of_scan.begin(), of_scan.end());
    bool const series = r.json["series"].get<index>() > 1;
    for (std::string const& sentence : decided.why) {
        r.json["decided"].push_back(sentence);
        r.fields.emplace_back("decided", sentence);
        r.lines.push_back(series ? fmt::format("decided for member {}: {}", member + 1, sentence)
                                 : "decided: " + sentence);
    }
    return {};
}

std::vector<ResultGroup> AnalysisOutput::take() && {
    std::vector<std::vector<ResultImage>> moments;
    for (MomentOutput& part : moments_) moments.push_back(std::move(part).take());
    std::vector<ResultGroup> groups;
    move_to(groups, "virtual_images", std::move(images_));
    move_to(groups, "diffraction_patterns", std::move(patterns_));
    move_to(groups, "center_of_mass", std::move(moments));
    return groups;
}

}  // namespace sluice::cli
