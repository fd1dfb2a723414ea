// Scans as files of other formats.
// SPDX-License-Identifier: Apache-2.0
#include "sluice/stem4d_convert.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/choices.h"
#include "bind/stem4d.h"
#include "bind/work.h"
#include "domain/conversion/words.h"

namespace sluice::python {
namespace {

using namespace nb::literals;

nb::dict dict_of(stem4d::ScanConvertReport const& r) {
    nb::dict out;
    out["path"] = r.path;
    out["format"] = r.format;
    out["codec"] = r.codec;
    out["files"] = r.files;
    out["shape"] = nb::make_tuple(r.shape[0], r.shape[1], r.shape[2], r.shape[3]);
    out["dtype"] = r.dtype;
    out["bytes"] = r.bytes;
    out["bytes_written"] = r.bytes_written;
    out["seconds"] = r.seconds;
    out["verified"] = r.verified;
    out["verify_seconds"] = r.verify_seconds;
    out["resumed"] = r.resumed;
    out["blocks"] = r.blocks;
    out["blocks_kept"] = r.blocks_kept;
    out["not_carried"] = r.not_carried;
    out["notes"] = r.notes;
    return out;
}

nb::dict convert(Scan const& scan, std::string const& path, std::string const& format,
                 std::string const& codec, bool verify, bool resume, bool force,
                 std::vector<std::pair<std::string, std::string>> const& provenance,
                 nb::object progress) {
    stem4d::ScanConvertOptions options{.to = choice<stem4d::ScanFormat>("format", format),
                                       .codec = choice<stem4d::ScanCodec>("codec", codec),
                                       .verify = verify,
                                       .resume = resume,
                                       .overwrite = force};
    if (!provenance.empty()) options.provenance = {provenance};
    return dict_of(work(progress, [&](Telling& telling) {
        options.progress = telling.progress();
        return stem4d::convert(scan, path, options);
    }));
}

}  // namespace

void add_stem4d_convert(nb::module_& m) {
    m.def("stem4d_convert", convert, "scan"_a, "path"_a, "format"_a, "codec"_a, "verify"_a,
          "resume"_a, "force"_a, "provenance"_a, "progress"_a.none());
}

}  // namespace sluice::python
