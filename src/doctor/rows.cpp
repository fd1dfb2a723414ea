// The report: each fact beside what such a machine gives, and where that is from.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "bench/trust.h"
#include "bench/words.h"
#include "doctor/amounts.h"
#include "doctor/limits.h"
#include "sluice/doctor.h"

namespace sluice {
namespace doctor {
namespace {

class Rows {
  public:
    std::vector<MachineRow> out;

    void part(std::string name) { part_ = std::move(name); }
    MachineRow& text(std::string name, std::string text, std::string rule = {}) {
        MachineRow row{part_, std::move(name), std::move(text)};
        row.rule = std::move(rule);
        out.push_back(std::move(row));
        return out.back();
    }
    MachineRow& number(std::string name, double value, std::string unit,
                       std::optional<double> expected, std::string rule) {
        std::string shown = unit == "B" ? amount(value, unit) : fmt::format("{:.3g}", value);
        MachineRow& row = text(std::move(name), std::move(shown), std::move(rule));
        row.value = value;
        row.unit = std::move(unit);
        expect(row, expected);
        return row;
    }
    void rate(std::string name, MeasuredRate const& rate, std::string const& unit,
              std::optional<double> expected, std::string rule) {
        MachineRow& row = text(std::move(name), {}, std::move(rule));
        row.unit = unit;
        expect(row, expected);
        row.not_taken = rate.not_taken;
        if (!rate.taken()) return;
        row.value = rate.value();
        row.spread = rate.per_s;
        row.waited = rate.waited;
        row.text = amount(rate.value(), unit);
        if (!rate.quiet())
            row.not_taken = fmt::format(
                "not of a quiet machine: its threads waited {} of the time for a "
                "processor",
                bench::percent(rate.waited));
    }

  private:
    std::string part_;

    static void expect(MachineRow& row, std::optional<double> expected) {
        row.expected = expected;
        if (!expected) return;
        bool const prefixed = row.unit == "B" || row.unit.ends_with("/s");
        row.least = prefixed ? amount(*expected, row.unit) : fmt::format("{:.3g}", *expected);
    }
};

// What all threads should give, by what one gave.
std::optional<double> scaled(MeasuredRate const& one, double by) {
    if (!one.quiet()) return {};
    return one.value() * by;
}

void processors(MachineFacts const& f, Rows& rows) {
    rows.part("processors");
    rows.text("processor", f.processor, f.virtual_machine ? "in a virtual machine" : "");
    rows.number("processors", f.allowed, "", f.processors, "as many as the machine shows").topic =
        "limits";
    rows.number("cores", f.cores, "", {},
                f.virtual_machine ? "what the host sells as a core may be a hyperthread"
                                  : "by thread_siblings_list");
    if (f.quota)
        rows.number("quota", *f.quota, "", f.allowed, "as many as the processors it may use")
            .topic = "limits";
    rows.number("time held back by a quota", f.held_back, "share", {},
                fmt::format("below {}", bench::percent(much_held_back)))
        .topic = "limits";
    rows.number("time given to other machines", f.stolen, "share", {},
                fmt::format("below {}", bench::percent(bench::much_steal)))
        .topic = "noise";
    if (!f.busiest.empty())
        rows.text("busiest other program",
                  fmt::format("{}: {:.2f} processors", f.busiest, f.busiest_processors))
            .topic = "noise";
    std::string matrix = "no AMX";
    if (!f.matrix_units.empty()) matrix = fmt::format("AMX: {}", fmt::join(f.matrix_units, ", "));
    rows.text(
            "instruction sets", fmt::format("{}; {}", f.instructions, matrix),
            fmt::format("the best this processor and this build share is {}", f.best_instructions))
        .topic = "instructions";
    double const should = least_scaling * std::min<double>(f.cores, f.granted());
    rows.rate("computing, one thread", f.compute_one, "steps/s", {},
              "the yardstick of the next rows");
    rows.rate("computing, all threads", f.compute_all, "steps/s",
              scaled(f.compute_one, std::max(should, std::min(1.0, f.granted()))),
              fmt::format("{} of one thread times {:.3g} cores", bench::percent(least_scaling),
                          std::min<double>(f.cores, f.granted())));
    rows.rate("computing, one thread after load", f.compute_late, "steps/s",
              scaled(f.compute_one, least_endurance),
              fmt::format("{} of its first rate", bench::percent(least_endurance)));
}

void memory(MachineFacts const& f, Rows& rows) {
    rows.part("memory");
    rows.number("of the machine", static_cast<double>(f.memory), "B", {}, "");
    rows.number("of this process", static_cast<double>(f.memory_limit), "B",
                most_of_memory * static_cast<double>(f.memory),
                fmt::format("{} of the machine's", bench::percent(most_of_memory)))
        .topic = "limits";
    rows.number("free", static_cast<double>(f.memory_available), "B",
                least_available * static_cast<double>(f.memory_limit),
                fmt::format("{} of what this process may have", bench::percent(least_available)));
    char const* const bound = f.virtual_machine
                                  ? "half of one DDR4-2400 channel; a virtual machine does not say "
                                    "how many it has"
                                  : "half of one DDR4-2400 channel";
    rows.rate("copying, one thread", f.copy_one, "B/s", {}, "read and written bytes both count");
    rows.rate("copying, all threads", f.copy_all, "B/s", least_copying, bound);
    rows.rate("reading, one thread", f.read_one, "B/s", {}, "");
    rows.rate("reading, all threads", f.read_all, "B/s", {}, "no rule: channels are not known");
    rows.rate("first touches of 4 kB", f.small_pages, "pages/s", least_faults,
              "2 microseconds each");
    rows.rate("first touches in large pages", f.large_page_bytes, "B/s",
              f.small_pages.quiet() ? std::optional(4096 * f.small_pages.value()) : std::nullopt,
              "as fast as in small pages");
    rows.number("large pages given", f.large_pages_given, "share", least_large_pages,
                fmt::format("half; the system's setting is {}",
                            f.large_pages.empty() ? "not known" : f.large_pages));
}

void disk(MachineFacts const& f, Rows& rows) {
    rows.part("disk");
    rows.text("folder", f.folder,
              f.file_system == "tmpfs" ? "tmpfs: this is memory and no disk" : f.file_system);
    rows.number("free", static_cast<double>(f.folder_free), "B", least_free, "room for results");
    rows.rate("writing in order", f.disk_write, "B/s", {}, "each 4 MB flushed to the disk");
    rows.rate("reading in order", f.disk_in_order, "B/s", least_in_order,
              "past the cache; hard disks give 100 to 250 MB/s, SATA SSDs 500, NVMe 2000 and more. "
              "A host may have a cache of its own");
    rows.rate("reading from the cache", f.disk_cached, "B/s", {}, "");
    rows.rate("reads of 4 kB anywhere", f.disk_anywhere, "reads/s", least_anywhere,
              "past the cache, one at a time; hard disks give 100, SATA SSDs 5000 and more");
}

void work(MachineFacts const& f, Rows& rows) {
    rows.part("work");
    double const should = std::max(std::min(1.0, f.granted()),
                                   least_scaling * std::min<double>(f.cores, f.granted()));
    std::string const rule =
        fmt::format("{} of one thread times {:.3g} cores; memory may be less",
                    bench::percent(least_scaling), std::min<double>(f.cores, f.granted()));
    rows.rate("decoding bitshuffle and LZ4, one thread", f.decode_one, "B/s", {},
              "values of 192 x 192 counts");
    rows.rate("decoding bitshuffle and LZ4, all threads", f.decode_all, "B/s",
              scaled(f.decode_one, should), rule);
    rows.rate("Fourier transforms, one thread", f.fft_one, "FLOP/s", {}, "256 x 256, float");
    rows.rate("Fourier transforms, all threads", f.fft_all, "FLOP/s", scaled(f.fft_one, should),
              rule);
}

void gpu(MachineFacts const& f, Rows& rows) {
    rows.part("gpu");
    if (f.gpu.empty() && !f.no_gpu.empty()) {
        rows.text("GPU", "none").not_taken = f.no_gpu;
        return;
    }
    rows.text("GPU", f.gpu.empty() ? "without a name" : f.gpu,
              f.gpu_driver.empty() ? "" : fmt::format("driver {}", f.gpu_driver));
    rows.number("free memory", static_cast<double>(f.gpu_memory), "B", {}, "").not_taken = f.no_gpu;
    rows.rate("copying to it", f.gpu_up, "B/s", {},
              "pageable memory; PCIe 4 x16 gives up to 25 GB/s");
    rows.rate("copying from it", f.gpu_down, "B/s", {}, "");
    rows.rate("round trips of 64 bytes", f.gpu_turns, "trips/s", {}, "");
}

}  // namespace
}  // namespace doctor

std::vector<MachineRow> rows_of(MachineFacts const& facts) {
    doctor::Rows rows;
    doctor::processors(facts, rows);
    doctor::memory(facts, rows);
    doctor::disk(facts, rows);
    doctor::work(facts, rows);
    doctor::gpu(facts, rows);
    return std::move(rows.out);
}

}  // namespace sluice
