// Fuzz target: any bytes as a checkpoint: what it says of itself, and its arrays.
// SPDX-License-Identifier: Apache-2.0
#include "domain/ptychography/checkpoint/checkpoint.h"
#include "domain/ptychography/checkpoint/reading.h"
#include "domain/ptychography/keep_state.h"
#include "domain/ptychography/test_memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace sluice;
    ptycho::MemoryFile const file(data, size);
    stem4d::PtychographyOptions const options;
    ptycho::Share const share(4);
    auto const opened = ptycho::Checkpoint::open(file.path(), {1, 2}, share, options);
    if (!opened) expects(!opened.error().message.empty());
    // Settings that are added later must not keep the arrays from being read.
    auto const root = hdf5::object::Object::open_file(file.path());
    if (!root) return 0;
    ptycho::State<float> state;
    state.object.emplace_back(10, 10);
    state.probe.emplace_back(8, 8);
    state.positions.resize(4);
    ptycho::Reading<float> reading(*root, share);
    ptycho::keep_state(state, reading);
    if (opened) (void)opened->restore(state);
    expects(state.object.size() == 1 && state.positions.size() == 4);
    return 0;
}
