// What this machine can do, measured, and what is wrong with it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sluice/measured.h"
#include "sluice/progress.h"
#include "sluice/result.h"

namespace sluice {

/// A rate, measured in rounds.
struct MeasuredRate {
    Spread per_s = {};  ///< amount a second, of the rounds
    int threads = 1;
    double waited = 0;  ///< share of the threads' time that waited for a processor, 0 to 1
    /// Why there is no rate; empty: there is.
    std::string not_taken = "it was not measured";

    bool taken() const { return not_taken.empty(); }
    /// Nothing else had the processors meanwhile: the rate is that of the machine.
    bool quiet() const;
    double value() const { return per_s.median; }
    /// Twice the distance of the quartiles, as a share of the median.
    double variation() const;
};

/// What the system says of a machine, and what was measured on it. Bytes, and amounts per second.
struct MachineFacts {
    std::string processor;
    int processors = 1;                ///< of the machine that can be seen
    int allowed = 1;                   ///< that this process may use
    int cores = 1;                     ///< that these are parts of, as far as the machine shows it
    std::optional<double> quota = {};  ///< processors' worth of time that control groups leave
    double held_back = 0;              ///< share of the time that the quota held this process back
    bool virtual_machine = false;
    std::string instructions, best_instructions;  ///< that kernels use, and could use
    std::vector<std::string> matrix_units = {};   ///< "int8", "bf16", "fp16" of AMX

    std::uint64_t memory = 0;            ///< of the machine
    std::uint64_t memory_limit = 0;      ///< what control groups leave of it
    std::uint64_t memory_available = 0;  ///< can be taken now
    std::string large_pages;             ///< "always", "madvise" or "never"; empty: nobody says

    std::string folder, file_system;
    std::uint64_t folder_free = 0;

    std::string gpu, gpu_driver;   ///< empty: none is seen
    std::string no_gpu;            ///< why no GPU is used; empty: one is
    std::uint64_t gpu_memory = 0;  ///< free

    /// Steps of a computation in registers: at first, by all threads, and by one at the end.
    MeasuredRate compute_one, compute_all, compute_late;
    MeasuredRate copy_one, copy_all, read_one, read_all;  ///< bytes; of copies both sides count
    MeasuredRate small_pages, large_page_bytes;           ///< first touches of 4 kB; bytes so made
    double large_pages_given = 1;                         ///< share of the memory that got them
    /// Bytes written; read in order and from the cache; pieces of 4 kB read anywhere.
    MeasuredRate disk_write, disk_in_order, disk_cached, disk_anywhere;
    MeasuredRate decode_one, decode_all;       ///< bytes of values of bitshuffle and LZ4
    MeasuredRate fft_one, fft_all;             ///< FLOP of 256 x 256 complex numbers
    MeasuredRate gpu_up, gpu_down, gpu_turns;  ///< bytes to and from it; round trips without work

    double stolen = 0;  ///< share of the processors' time that the host gave to other machines
    /// The program beside this one that computed most, and how many processors it had.
    std::string busiest;
    double busiest_processors = 0;

    /// Processors that this process has for itself by all limits, at least a part of one.
    double granted() const;
};

/// What is wrong, why, and what to do. Nothing for a healthy machine. The rules are those of
/// docs/guide/machine.md; times that other programs disturbed are not judged.
std::vector<Finding> diagnose(MachineFacts const& facts);

/// A line of the report.
struct MachineRow {
    std::string part, name;
    std::string text;                  ///< the value for people
    std::optional<double> value = {};  ///< the same as a number; empty where it has none
    std::string unit = {};
    std::optional<double> expected = {};  ///< what such a machine gives at least
    std::string rule = {};                ///< where that is from, or why nobody can know it
    std::string not_taken = {};           ///< why there is no value, or none of a quiet machine
    Spread spread = {};                   ///< of the rounds; zeros where there were none
    std::string least = {};               ///< `expected` for people; empty where there is none
    /// What it tells of beside its part: "limits" of the container or the batch job, "noise" of
    /// others, "instructions"; empty: nothing else.
    std::string topic = {};
    std::optional<double> waited = {};  ///< of a rate: MeasuredRate::waited
};

std::vector<MachineRow> rows_of(MachineFacts const& facts);

/// How much faster all threads do some work than one thread.
struct CoreScaling {
    std::string work;
    int threads = 1;
    std::optional<double> factor = {};    ///< empty: one of the two rates is not there
    std::optional<double> expected = {};  ///< at least; empty: nobody can know it
    std::string not_taken = {};           ///< why there is no factor, or none of a quiet machine
};

std::vector<CoreScaling> scaling_of(MachineFacts const& facts);

struct ExamineOptions {
    bool quick = false;        ///< fewer and shorter rounds: seconds instead of half a minute
    std::string folder = ".";  ///< on the disk that is measured; nothing is left there
    Progress progress = {};    ///< in steps
};

struct Examination {
    MachineFacts facts;
    std::vector<MachineRow> rows;
    std::vector<Finding> findings;
    double seconds = 0;
    bool quick = false;
};

/// What is measured one after the other: an entry for each step that `progress` counts.
std::vector<std::string> const& examination_steps();

/// Measures this machine. Takes half a gigabyte of memory and of the folder's disk at most, less
/// where there is less.
Result<Examination> examine(ExamineOptions const& options = {});

}  // namespace sluice
