// The rules: each looks at the facts and finds one thing that is wrong, or nothing.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/plural.h"
#include "bench/trust.h"
#include "bench/words.h"
#include "doctor/amounts.h"
#include "doctor/limits.h"
#include "sluice/doctor.h"

namespace sluice {

double MachineFacts::granted() const {
    return std::max(0.01, std::min(static_cast<double>(allowed), quota.value_or(allowed)));
}

namespace doctor {
namespace {

using bench::percent;
using Found = std::optional<Finding>;

Found fewer_processors(MachineFacts const& f) {
    if (f.allowed >= f.processors) return {};
    return Finding{
        "processors",
        fmt::format("This process may use {} of {} processors.", f.allowed, f.processors),
        "If that is not intended, start it without taskset, or give the container or the batch job "
        "more processors (cpuset-cpus of docker, cpus-per-task of SLURM).",
        "sched_getaffinity() beside /sys/devices/system/cpu/online"};
}

Found small_quota(MachineFacts const& f) {
    if (!f.quota || *f.quota >= f.allowed) return {};
    return Finding{
        "quota",
        fmt::format("The container may use {:.3g} processors' worth of time, and shows {}.",
                    *f.quota, f.allowed),
        fmt::format("Give --threads {}, or raise the quota (cpus of docker, Kubernetes "
                    "limits.cpu).",
                    std::max(1, static_cast<int>(std::lround(*f.quota)))),
        "cpu.max or cpu.cfs_quota_us of the control groups"};
}

Found held_back(MachineFacts const& f) {
    if (f.held_back < much_held_back) return {};
    return Finding{
        "held back",
        fmt::format("The quota held this process back for {} of the time.", percent(f.held_back)),
        "All threads stand still together until the next period: fewer threads run as fast and "
        "more evenly.",
        "throttled time in cpu.stat of the control groups"};
}

Found stolen(MachineFacts const& f) {
    if (f.stolen < bench::much_steal) return {};
    return Finding{"stolen",
                   fmt::format("The host gave {} of the processors' time to other machines.",
                               percent(f.stolen)),
                   "Nothing in this machine helps. Ask for processors of its own, or measure at "
                   "another time.",
                   "steal in /proc/stat"};
}

// Everything that was measured while all or one of the threads should have run.
std::vector<MeasuredRate const*> all_rates(MachineFacts const& f) {
    return {&f.compute_one, &f.compute_all, &f.compute_late,  &f.copy_one,    &f.copy_all,
            &f.read_one,    &f.read_all,    &f.small_pages,   &f.decode_one,  &f.decode_all,
            &f.fft_one,     &f.fft_all,     &f.disk_in_order, &f.disk_cached, &f.disk_anywhere};
}

Found busy(MachineFacts const& f) {
    // A quota makes threads wait, too, and has said so.
    if (f.held_back >= much_held_back) return {};
    double most = 0;
    for (MeasuredRate const* const rate : all_rates(f))
        if (rate->taken()) most = std::max(most, rate->waited);
    if (most < bench::much_waiting) return {};
    std::string const who =
        f.busiest_processors < 0.05
            ? std::string()
            : fmt::format(" The busiest other program is {}, which had {:.1f} of them.", f.busiest,
                          f.busiest_processors);
    return Finding{"busy",
                   fmt::format("Other programs had the processors for up to {} of the time.{}",
                               percent(most), who),
                   "Rates that they disturbed are not judged. Let those programs end, or give "
                   "--threads fewer, and run the doctor again.",
                   "waiting for a processor, in /proc/self/task/*/schedstat"};
}

Found poor_scaling(MachineFacts const& f) {
    if (!f.compute_one.quiet() || !f.compute_all.quiet() || f.stolen >= bench::much_steal ||
        f.held_back >= much_held_back)
        return {};
    double const should = std::min(static_cast<double>(f.cores), f.granted());
    double const factor = f.compute_all.value() / f.compute_one.value();
    if (should <= 1 || factor >= least_scaling * should) return {};
    return Finding{
        "scaling",
        fmt::format("{} are as fast as {:.2g} of them, not as {:.3g}.",
                    plural(f.compute_all.threads, "thread"), factor, should),
        f.virtual_machine
            ? "The host's hyperthreads are sold as processors, or its cores clock down under load. "
              "Count with that many cores; another kind of machine has whole ones."
            : "The cores clock down under load. Look at cooling, the power limit and the governor "
              "(cpupower frequency-info).",
        fmt::format("{} and {} steps a second in registers", amount(f.compute_one.value(), ""),
                    amount(f.compute_all.value(), ""))};
}

Found slows_down(MachineFacts const& f) {
    if (!f.compute_one.quiet() || !f.compute_late.quiet() || f.stolen >= bench::much_steal)
        return {};
    double const left = f.compute_late.value() / f.compute_one.value();
    if (left >= least_endurance) return {};
    return Finding{
        "throttling",
        fmt::format("After some seconds of load one thread has {} of its first speed.",
                    percent(left)),
        "The processor gets hot or meets its power limit. Look at cooling, power supply and "
        "battery; long runs take as much longer.",
        "the same computation before and after all threads were busy"};
}

Found unsteady(MachineFacts const& f) {
    if (f.stolen >= bench::much_steal || f.held_back >= much_held_back) return {};
    for (MeasuredRate const* const rate : {&f.compute_one, &f.compute_all})
        if (rate->quiet() && rate->variation() > most_variation)
            return Finding{
                "unsteady",
                fmt::format("The same computation with {} varies by {}, though no program of this "
                            "machine disturbs it.",
                            plural(rate->threads, "thread"), percent(rate->variation())),
                "Neighbours share the core or its clock. Trust medians of many rounds only, and "
                "ratios within one run.",
                "twice the distance of the quartiles over the median"};
    return {};
}

Found forced_instructions(MachineFacts const& f) {
    if (f.instructions == f.best_instructions) return {};
    return Finding{"instructions",
                   fmt::format("Kernels use {}, and this processor has {}.", f.instructions,
                               f.best_instructions),
                   "Unset SLUICE_ISA.", "the variable SLUICE_ISA"};
}

Found memory_limit(MachineFacts const& f) {
    if (f.memory == 0 ||
        static_cast<double>(f.memory_limit) >= most_of_memory * static_cast<double>(f.memory))
        return {};
    return Finding{"memory limit",
                   fmt::format("The container may take {} of the machine's {}.",
                               bytes_text(f.memory_limit), bytes_text(f.memory)),
                   "Above it the process is killed. Sluice keeps to the limit; raise it (memory "
                   "of docker, mem of a batch job) for larger scans in memory.",
                   "memory.max or memory.limit_in_bytes of the control groups"};
}

Found memory_taken(MachineFacts const& f) {
    if (static_cast<double>(f.memory_available) >=
        least_available * static_cast<double>(f.memory_limit))
        return {};
    return Finding{"memory taken",
                   fmt::format("Only {} of {} are free.", bytes_text(f.memory_available),
                               bytes_text(f.memory_limit)),
                   "Other programs hold the rest. End those that are not needed, or stream: "
                   "--stream, --memory-limit.",
                   "MemAvailable in /proc/meminfo, and the control groups"};
}

Found slow_memory(MachineFacts const& f) {
    if (!f.copy_all.quiet() || f.copy_all.value() >= least_copying) return {};
    return Finding{"memory speed",
                   fmt::format("All threads copy {}, less than half of one DDR4 channel.",
                               amount(f.copy_all.value(), "B/s")),
                   "In a machine of your own, look whether all memory channels have a module. In a "
                   "virtual one, neighbours have the rest.",
                   "copies of an array beyond the caches"};
}

Found slow_pages(MachineFacts const& f) {
    if (!f.small_pages.quiet() || f.small_pages.value() >= least_faults) return {};
    return Finding{
        "page faults",
        fmt::format("The first touch of 4 kB takes {:.1f} microseconds.",
                    1e6 / f.small_pages.value()),
        "Sandboxes (gVisor) and nested virtual machines do that. Large pages help; programs that "
        "keep their memory are not slowed down.",
        "first touches of fresh memory"};
}

Found no_large_pages(MachineFacts const& f) {
    bool const off = f.large_pages == "never";
    bool const refused =
        f.large_page_bytes.taken() && f.large_pages_given < least_large_pages && !off;
    if (!off && !refused) return {};
    return Finding{
        "large pages",
        off ? "Large pages are switched off."
            : fmt::format("Large pages were asked for, and {} of the memory got them.",
                          percent(f.large_pages_given)),
        off ? "Ask for `echo madvise > /sys/kernel/mm/transparent_hugepage/enabled`: loading and "
              "ptychography touch gigabytes."
            : "The memory is in small pieces, or the container does not allow it. A restart of the "
              "machine helps the first.",
        "/sys/kernel/mm/transparent_hugepage/enabled, and page faults that were counted"};
}

Found slow_disk(MachineFacts const& f) {
    if (!f.disk_in_order.quiet() || f.disk_in_order.value() >= least_in_order) return {};
    return Finding{"disk",
                   fmt::format("The disk of {} reads {} in order.", f.folder,
                               amount(f.disk_in_order.value(), "B/s")),
                   "Loading waits for it. Copy the data to a local SSD first, or keep them "
                   "compressed; --stream reads them once more for each analysis.",
                   "reads of 4 MB past the system's cache"};
}

Found slow_seeks(MachineFacts const& f) {
    if (!f.disk_anywhere.quiet() || f.disk_anywhere.value() >= least_anywhere) return {};
    return Finding{"seeks",
                   fmt::format("The disk of {} makes {:.0f} reads a second at random places.",
                               f.folder, f.disk_anywhere.value()),
                   "It is a hard disk or on the network. Whole files in order are fine; slides and "
                   "regions are slow until they are copied to a local SSD.",
                   "reads of 4 kB past the system's cache, one at a time"};
}

Found full_disk(MachineFacts const& f) {
    if (f.file_system.empty() || static_cast<double>(f.folder_free) >= least_free) return {};
    return Finding{
        "disk full",
        fmt::format("{} are free on the disk of {}.", bytes_text(f.folder_free), f.folder),
        "Free some room, or give results another folder.", "statvfs()"};
}

Found gpu_without_program(MachineFacts const& f) {
    if (f.gpu.empty() || f.no_gpu.empty()) return {};
    return Finding{
        "gpu", fmt::format("There is a GPU, {}, and it is not used: {}.", f.gpu, f.no_gpu),
        "Install a build with CUDA whose version the driver knows.", "/proc/driver/nvidia"};
}

}  // namespace
}  // namespace doctor

std::vector<Finding> diagnose(MachineFacts const& facts) {
    using namespace doctor;
    std::vector<Finding> out;
    for (auto const rule :
         {fewer_processors, small_quota, held_back, stolen, busy, poor_scaling, slows_down,
          doctor::unsteady, forced_instructions, memory_limit, memory_taken, slow_memory,
          slow_pages, no_large_pages, slow_disk, slow_seeks, full_disk, gpu_without_program})
        if (Found found = rule(facts)) out.push_back(*std::move(found));
    return out;
}

}  // namespace sluice
