// Everything that is measured, one after the other.
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/cgroup.h"
#include "base/run.h"
#include "bench/ticks.h"
#include "device/copy_bandwidth.h"
#include "doctor/compute.h"
#include "doctor/disk.h"
#include "doctor/pages.h"
#include "doctor/system.h"
#include "doctor/work.h"

namespace sluice {
namespace doctor {
namespace {

// How long and how much; quick ones fit into two seconds.
struct Effort {
    int rounds;
    index steps;        // of a round of computing
    double load_s;      // all threads are busy before the last look at one
    index array;        // bytes that are copied and read
    std::size_t pages;  // bytes that are touched
    std::uint64_t file;
    double most_s;  // of all rounds of one kind
    double disk_s;  // each kind of reading
    int frames, pairs;
};
constexpr Effort quick_effort{
    5, index{1} << 21, 0, index{64} << 20, std::size_t{64} << 20, 64 << 20, 0.5, 0.25, 200, 8};
constexpr Effort full_effort{
    15, index{1} << 23, 6, index{256} << 20, std::size_t{256} << 20, 512 << 20, 8, 2, 800, 32};

class Doctor {
  public:
    Doctor(MachineFacts& facts, Effort const& effort, Progress const& progress)
        : facts_(facts), effort_(effort), progress_(progress), device_(Device::cpu()) {
        // What is left of a small machine stays for others.
        index const most = static_cast<index>(facts.memory_available / 8);
        effort_.array = std::min(effort_.array, most);
        std::size_t constexpr large = std::size_t{2} << 20;
        effort_.pages = std::max(
            large, std::min(effort_.pages, static_cast<std::size_t>(most)) / large * large);
        effort_.file = std::min(effort_.file, facts.folder_free / 4);
    }

    Status run() {
        SLUICE_CHECK(step(0));
        compute();
        SLUICE_CHECK(step(1));
        memory();
        SLUICE_CHECK(step(2));
        pages();
        SLUICE_CHECK(step(3));
        SLUICE_CHECK(work());
        SLUICE_CHECK(step(4));
        SLUICE_CHECK(disk());
        SLUICE_CHECK(step(5));
        ask_gpu(facts_, effort_.rounds < full_effort.rounds);
        SLUICE_CHECK(step(6));
        SLUICE_CHECK(endure());
        return step(static_cast<int>(steps_));
    }

  private:
    std::uint64_t const steps_ = examination_steps().size();
    MachineFacts& facts_;
    Effort effort_;
    Progress const& progress_;
    Device device_;

    Status step(int done) const {
        return tell_progress(progress_, static_cast<std::uint64_t>(done), steps_,
                             "nothing is left of the measurements");
    }

    void compute() {
        double const amount = static_cast<double>(effort_.steps);
        auto const rates = one_and_all(
            amount, device_.threads(), effort_.rounds,
            [&](int threads) { compute_on(threads, effort_.steps); }, effort_.most_s);
        facts_.compute_one = rates.one;
        facts_.compute_all = rates.all;
    }

    MeasuredRate rate_of_memory(std::vector<double> (*rates)(Device const&, CopyRounds const&),
                                int threads) const {
        bench::Stopwatch const watch;
        auto found = rates(device_.with_threads(threads), {effort_.array, effort_.rounds, {}});
        return rate_of(std::move(found), watch.lap(), threads);
    }
    void memory() {
        int const all = device_.threads();
        facts_.copy_one = rate_of_memory(copy_rates, 1);
        facts_.copy_all = rate_of_memory(copy_rates, all);
        facts_.read_one = rate_of_memory(read_rates, 1);
        facts_.read_all = rate_of_memory(read_rates, all);
    }

    void pages() {
        PageRates const rates = measure_pages(effort_.pages, 3);
        facts_.small_pages = rates.small;
        facts_.large_page_bytes = rates.large_bytes;
        facts_.large_pages_given = rates.large_given;
    }

    Status work() {
        int const all = device_.threads();
        SLUICE_TRY(auto const decoding,
                   measure_decoding(all, effort_.frames, effort_.rounds, effort_.most_s));
        facts_.decode_one = decoding.one;
        facts_.decode_all = decoding.all;
        SLUICE_TRY(auto const fft, measure_fft(all, effort_.pairs, effort_.rounds, effort_.most_s));
        facts_.fft_one = fft.one;
        facts_.fft_all = fft.all;
        return {};
    }

    Status disk() {
        DiskTime time;
        time.most_s = effort_.disk_s;
        time.progress = [this](std::uint64_t, std::uint64_t) {
            return !progress_ || progress_(4, steps_);
        };
        auto rates = measure_disk(facts_.folder, effort_.file, time);
        // A folder that cannot be written is worth a report without its disk.
        if (!rates && rates.error().code == Code::cancelled) return rates.error();
        DiskRates found;
        if (rates)
            found = *std::move(rates);
        else
            for (MeasuredRate* const rate :
                 {&found.write, &found.in_order, &found.cached, &found.anywhere})
                rate->not_taken = rates.error().text();
        facts_.disk_write = found.write;
        facts_.disk_in_order = found.in_order;
        facts_.disk_cached = found.cached;
        facts_.disk_anywhere = found.anywhere;
        return {};
    }

    // All threads are busy for some seconds, and then one computes as at the beginning.
    Status endure() {
        if (effort_.load_s <= 0) {
            facts_.compute_late.not_taken = "a quick examination does not load the machine";
            return {};
        }
        double const begin = bench::system_clock().wall();
        while (bench::system_clock().wall() - begin < effort_.load_s) {
            compute_on(device_.threads(), 4 * effort_.steps);
            SLUICE_CHECK(step(6));
        }
        Rounds late(static_cast<double>(effort_.steps), 1, [&] { compute_on(1, effort_.steps); });
        for (int i = 0; i < effort_.rounds; ++i) late.round();
        facts_.compute_late = late.rate();
        return {};
    }
};

}  // namespace
}  // namespace doctor

std::vector<std::string> const& examination_steps() {
    static std::vector<std::string> const steps{
        "computing",
        "copying and reading memory",
        "touching fresh memory",
        "decoding and Fourier transforms",
        "writing and reading the disk",
        "asking the GPU",
        "loading all cores, and computing again",
    };
    return steps;
}

Result<Examination> examine(ExamineOptions const& options) {
    std::error_code ignored;
    if (!std::filesystem::is_directory(options.folder, ignored))
        return Error{Code::not_found,
                     "there is no such folder (its disk is measured) give one that is there",
                     options.folder};
    Examination out;
    out.quick = options.quick;
    auto const begin = bench::system_clock().wall();
    auto const held = held_back_s();
    auto const ticks = bench::ticks_now();
    auto const used = doctor::used_by_programs();
    doctor::ask_system(out.facts, options.folder);
    doctor::Doctor doctor(out.facts, options.quick ? doctor::quick_effort : doctor::full_effort,
                          options.progress);
    SLUICE_CHECK(doctor.run());
    out.seconds = bench::system_clock().wall() - begin;
    out.facts.stolen = bench::stolen_share(ticks, bench::ticks_now());
    if (held)
        out.facts.held_back = std::clamp(
            (held_back_s().value_or(*held) - *held) / (out.seconds * out.facts.allowed), 0.0, 1.0);
    auto const most = doctor::busiest(used, doctor::used_by_programs(), ::getpid());
    out.facts.busiest = most.name;
    out.facts.busiest_processors = most.seconds / out.seconds;
    out.rows = rows_of(out.facts);
    out.findings = diagnose(out.facts);
    return out;
}

}  // namespace sluice
