// Fuzzes the reader of MIB files: the input is a file, whose frames are found and read.
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cstdio>

#include "base/file.h"
#include "format/mib/frames.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    static std::string const path = "/tmp/sluice_mib_fuzz_" + std::to_string(::getpid());
    if (std::FILE* const f = std::fopen(path.c_str(), "wb")) {
        if (size > 0) std::fwrite(data, 1, size, f);
        std::fclose(f);
    }
    auto file = File::open(path);
    ::unlink(path.c_str());
    if (!file) return 0;
    int const depth = size % 3 == 0 ? 12 : 0;
    auto const form = mib::form_of(*file, depth, size % 2 == 0);
    if (!form) return 0;
    expects(form->layout.rows > 0 && form->layout.cols > 0 && form->stride() > form->header_bytes);
    auto const found = mib::find_frames(*file, 0, *form, depth, size % 5 == 0);
    if (!found || found->pieces.empty()) return 0;
    std::uint64_t frames = 0;
    for (mib::Piece const& p : found->pieces) {
        frames += static_cast<std::uint64_t>(p.count);
        expects(p.at + static_cast<std::uint64_t>(p.count) * form->stride() <= size);
    }
    expects(frames * form->stride() + found->left_over <= size);
    mib::Piece const piece = found->pieces.front();
    std::vector<std::shared_ptr<File const>> files{std::make_shared<File const>(std::move(*file))};
    mib::MibSource const source(std::move(files), {piece}, *form, depth, piece.first);
    std::vector<EncodedFrame> out(static_cast<std::size_t>(piece.count));
    FetchScratch scratch;
    if (source.fetch(0, out, scratch))
        for (EncodedFrame const& f : out) expects(f.bytes.size() == form->layout.bytes);
    return 0;
}
