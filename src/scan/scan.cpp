// Loads scans.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/scan.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/plural.h"
#include "device/copies.h"
#include "scan/describe.h"
#include "scan/live.h"
#include "scan/scan_tables.h"
#include "sluice/optics.h"
#include "store/hot_pixels.h"
#include "store/on_device.h"
#include "store/resident.h"

namespace sluice {
Scan::Scan(Scan&&) noexcept = default;
Scan& Scan::operator=(Scan&&) noexcept = default;
Scan::~Scan() = default;

namespace {

// ": row 3, column 4; row 5, column 6", and how many more there are.
std::string places_of(std::vector<std::uint32_t> const& pixels, index cols) {
    std::string text;
    constexpr std::size_t most = 8;
    for (std::size_t i = 0; i < std::min(pixels.size(), most); ++i)
        text += fmt::format("{} row {}, column {}", i == 0 ? ":" : ";", pixels[i] / cols,
                            pixels[i] % cols);
    return pixels.size() > most ? text + fmt::format("; and {} more", pixels.size() - most) : text;
}

}  // namespace

Result<Scan> Scan::load(Dataset dataset, LoadOptions const& options) {
    if (dataset.feed) SLUICE_CHECK(check_live(dataset, options, false));
    if (options.layout == Layout::lines && options.residency == Residency::stream)
        return Error{Code::invalid_argument,
                     "lines are a layout of scans in memory (this one is streamed); use --layout "
                     "planes",
                     dataset.path};
    Scan s;
    s.dataset_ = std::make_unique<Dataset>(std::move(dataset));
    s.options_ = options;
    s.options_.progress = {};  // the progress callback need not live as long as the scan
    store::HotPixels found;
    if (options.hot_pixels) {
        SLUICE_TRY(store::Plan const plain, store::make_plan(*s.dataset_, options));
        SLUICE_TRY(found, store::find_hot_pixels(*s.dataset_, plain.rules, options));
        s.notes_.push_back(fmt::format("{} found and left out{}",
                                       plural(found.hot.size(), "hot pixel"),
                                       places_of(found.left_out(), s.dataset_->cols)));
        s.warnings_ = store::warnings_of(found, s.dataset_->cols);
        s.notes_.insert(s.notes_.end(), s.warnings_.begin(), s.warnings_.end());
    }
    SLUICE_TRY(store::Plan plan, store::make_plan(*s.dataset_, options, found.left_out()));
    s.plan_ = std::make_unique<store::Plan>(std::move(plan));
    if (options.detector_step_mrad > 0)
        s.notes_.push_back(fmt::format("a detector pixel as loaded is {:g} mrad, as given",
                                       options.detector_step_mrad));
    if (s.dataset_->feed) {
        bool const counts = s.plan_->dtype != DType::f32 && options.layout != Layout::dense;
        s.layout_ = counts ? Layout::planes : Layout::dense;
        s.memory_.source = s.plan_->dense_bytes();
        return s;
    }
    s.memory_.source = s.plan_->dense_bytes();
    s.memory_.float32 = static_cast<std::uint64_t>(s.plan_->frames() * s.plan_->pixels() * 4);
    bool const streams = options.residency == Residency::stream;
    if (streams || (options.single_pass && options.residency == Residency::automatic))
        s.find_tables();
    // They know the layout, so that no frame is read.
    if (s.tables_ && options.layout == Layout::automatic && s.tables_->file()->head().chosen) {
        s.memory_.planes = s.tables_->file()->head().planes_bytes;
        return s;
    }
    // No choice is left, and nothing of tiles is wanted.
    if (streams && options.layout == Layout::dense) {
        s.layout_ = Layout::dense;
        return s;
    }
    SLUICE_TRY(store::Sample sample, store::sample(*s.dataset_, *s.plan_, options));
    s.layout_ = sample.layout;
    s.memory_.planes = sample.planes_bytes;
    if (s.tables_) return s;
    std::uint64_t const memory = (options.memory ? options.memory : store::memory_to_spare()) /
                                 static_cast<std::uint64_t>(std::max<index>(1, options.share));
    bool const may_be_tiles = options.layout == Layout::automatic;
    if (sample.lines && may_be_tiles && sample.bytes() > memory) sample.lines = false;
    if (streams || (options.residency == Residency::automatic && sample.bytes() > memory)) {
        if (options.residency == Residency::automatic)
            s.notes_.push_back(fmt::format(
                "streamed from the files: {:.3g} GB in memory would be over the limit of {:.3g} GB",
                static_cast<double>(sample.bytes()) / 1e9, static_cast<double>(memory) / 1e9));
        store::Arena::drop_kept();
        if (!streams && !options.single_pass) s.find_tables();
        return s;
    }
    auto resident = store::Resident::load(*s.dataset_, *s.plan_, sample, options, memory);
    // Tiles may be smaller than lines: they leave out what 16 frames lack, and lines what 512 lack.
    if (!resident && resident.error().code == Code::out_of_memory && sample.lines && may_be_tiles) {
        sample.lines = false;
        resident = store::Resident::load(*s.dataset_, *s.plan_, sample, options, memory);
    }
    if (!resident && resident.error().code == Code::out_of_memory &&
        options.residency == Residency::automatic) {
        s.notes_.push_back("streamed from the files: it did not fit into memory after all");
        store::Arena::drop_kept();
        if (!options.single_pass) s.find_tables();
        return s;
    }
    if (!resident) return std::move(resident).error();
    fold::describe(resident->tally(), *s.dataset_, s.notes_);
    if (resident->is_planes()) s.memory_.planes = resident->bytes();
    s.memory_.resident = resident->bytes();
    s.resident_ = std::make_unique<store::Resident>(std::move(*resident));
    s.copies_ = std::make_unique<Copies>();
    if (s.resident_->moments().empty()) return s;
    s.tables_ = std::make_unique<ScanTables>(*s.resident_, *s.plan_);
    if (options.tables == Tables::all) {
        if (!s.tables_->patterns({options.device, options.trace}))
            s.notes_.push_back("no table of patterns is kept: it takes too much memory");
    }
    return s;
}

void Scan::find_tables() {
    auto file = TablesOnDisk::find(*dataset_, *plan_, options_, tables_notes_);
    if (file) tables_ = std::make_unique<ScanTables>(std::move(file), *plan_);
}

void Scan::settle() {
    if (dataset_->feed) sluice::settle(*plan_, *dataset_, *dataset_->feed);
}

Result<std::shared_ptr<store::OnDevice const>> Scan::on(Queue& queue) const {
    if (!resident_)
        return Error{Code::unavailable, "device '" + queue.device().name() +
                                            "' needs the scan in memory (it is streamed); "
                                            "load less, or use --device cpu"};
    return copies_->on<store::OnDevice>(queue, [&] { return store::copy_to(queue, *resident_); });
}

std::array<index, 2> Scan::scan_shape() const {
    return plan_->scan;
}
std::array<index, 2> Scan::detector_shape() const {
    return {plan_->rows, plan_->cols};
}
Memory Scan::memory() const {
    Memory now = memory_;
    if (tables_) now.tables = tables_->bytes();
    return now;
}
DType Scan::dtype() const {
    return plan_->dtype;
}

std::string Scan::layout() const {
    if (resident_ && resident_->is_lines()) return "lines of bit planes";
    return layout_ == Layout::planes ? "bit planes" : fmt::format("{} values", name_of(dtype()));
}

std::vector<std::string> Scan::notes() const {
    std::vector<std::string> all = dataset_->notes;
    all.insert(all.end(), plan_->notes.begin(), plan_->notes.end());
    all.insert(all.end(), notes_.begin(), notes_.end());
    return all;
}

std::vector<std::string> Scan::warnings() const {
    std::vector<std::string> all = dataset_->warnings;
    all.insert(all.end(), warnings_.begin(), warnings_.end());
    return all;
}

std::vector<std::string> Scan::tables_notes() const {
    std::vector<std::string> all = tables_notes_;
    if (!tables_ || !tables_->file()) return all;
    std::vector<std::string> const its = tables_->file()->notes();
    all.insert(all.end(), its.begin(), its.end());
    return all;
}

std::vector<std::uint8_t> Scan::bad_pixels() const {
    return plan_->bad;
}

double Scan::scan_step_nm() const {
    return dataset_->scan_step_nm * static_cast<double>(plan_->scan_bin * plan_->scan_step);
}
double Scan::detector_step_mrad(double wavelength_nm) const {
    if (options_.detector_step_mrad > 0) return options_.detector_step_mrad;
    auto const bin = static_cast<double>(plan_->det_bin);
    if (dataset_->detector_step_mrad > 0) return dataset_->detector_step_mrad * bin;
    if (!(wavelength_nm > 0) && dataset_->energy_kv > 0)
        wavelength_nm = optics::electron_wavelength_nm(dataset_->energy_kv);
    return 1e3 * wavelength_nm * dataset_->detector_step_per_nm * bin;
}

}  // namespace sluice
