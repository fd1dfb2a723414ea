// VectorWriter: vectors that come in runs into a file.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>

#include "domain/crystal/vectors/files.h"
#include "domain/crystal/vectors/vector_spool.h"

namespace sluice::stem4d {

struct VectorWriter::State {
    std::string path;
    Provenance provenance;
    crystal::VectorSpool spool;
    WrittenVectors written;
};

VectorWriter::VectorWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
VectorWriter::VectorWriter(VectorWriter&&) noexcept = default;
VectorWriter& VectorWriter::operator=(VectorWriter&&) noexcept = default;
VectorWriter::~VectorWriter() = default;

Result<VectorWriter> VectorWriter::create(std::string const& path, std::array<index, 2> scan_shape,
                                          std::array<index, 2> detector_shape,
                                          Provenance const& provenance) {
    SLUICE_CHECK(crystal::check_name(path));
    SLUICE_CHECK(crystal::check_given_sides(scan_shape, detector_shape));
    SLUICE_TRY(ScratchFile file,
               ScratchFile::create(std::filesystem::path(path).parent_path().string()));
    return VectorWriter(std::make_unique<State>(
        State{path, provenance, crystal::VectorSpool(std::move(file), scan_shape, detector_shape),
              WrittenVectors{scan_shape, detector_shape}}));
}

Status VectorWriter::add(BraggVectors const& next) {
    SLUICE_CHECK(check_vectors(next));
    State& s = *state_;
    index const missing = s.written.patterns() - s.spool.patterns();
    if (next.patterns() > missing)
        return Error{Code::invalid_argument,
                     fmt::format("{} patterns come where {} are missing (the scan has {}); add "
                                 "each pattern once",
                                 next.patterns(), missing, s.written.patterns())};
    if (next.detector_shape != s.written.detector_shape)
        return Error{Code::invalid_argument,
                     fmt::format("vectors of a detector of {}x{} come to those of one of {}x{}; "
                                 "write them to a file of their own",
                                 next.detector_shape[0], next.detector_shape[1],
                                 s.written.detector_shape[0], s.written.detector_shape[1])};
    s.written.disks += next.size();
    for (DiskReason const reason : next.reason)
        ++s.written.reasons[static_cast<std::size_t>(reason)];
    return s.spool.add(next);
}

Result<WrittenVectors> VectorWriter::finish() && {
    State& s = *state_;
    if (s.spool.patterns() != s.written.patterns())
        return Error{Code::incomplete,
                     fmt::format("the vectors of {} of {} patterns have come (a file has those of "
                                 "all); add the others",
                                 s.spool.patterns(), s.written.patterns()),
                     s.path};
    SLUICE_CHECK(s.spool.close());
    SLUICE_CHECK(crystal::save_columns(s.path, s.spool, s.provenance));
    return s.written;
}

}  // namespace sluice::stem4d
