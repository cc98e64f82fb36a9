// Instances in several threads at the same time, of one model and of several, by Co-Simulation with every integrator and
// by Model Exchange: each computes to the last bit what it computes alone. This program is compiled with
// ThreadSanitizer, which reports what two threads touch without agreement, and so is all that it consists of.
//
// THREAD_ROUNDS is how often everything is done, 1 unless told.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <memory>
#include <thread>

#include "tests/robustness/subjects.h"

using namespace fmugen::tests;

namespace {

constexpr std::size_t threads = 8;

struct Job {
  const Subject* subject = nullptr;
  bool exchange = false;
  Choice choice = {};
};

std::vector<Job> jobs() {
  std::vector<Job> all;
  for (const Subject& s : subjects()) {
    all.push_back({&s, true, {}});
    for (const Choice& choice : choices()) all.push_back({&s, false, choice});
  }
  return all;
}

Outcome run(const Job& job, fmi2Component c) {
  return job.exchange ? run_model_exchange(*job.subject, c, 60, 0.06)
                      : run_co_simulation(*job.subject, c, job.choice, 5, 0.05);
}

Outcome run(const Job& job) {
  const Instance instance(*job.subject, job.exchange ? fmi2ModelExchange : fmi2CoSimulation);
  return run(job, instance());
}

// Calls `work` with the number of the thread in each of them, and waits.
template <class Work>
void in_threads(Work work) {
  std::vector<std::thread> all;
  for (std::size_t k = 0; k < threads; ++k) all.emplace_back(work, k);
  for (std::thread& thread : all) thread.join();
}

}  // namespace

TEST_CASE("instances in several threads compute what they compute alone") {
  const char* told = std::getenv("THREAD_ROUNDS");
  const std::vector<Job> all = jobs();
  std::vector<Outcome> alone;
  for (const Job& job : all) alone.push_back(run(job));
  for (int round = told ? std::atoi(told) : 1; round > 0; --round) {
    std::vector<std::vector<Outcome>> together(threads, std::vector<Outcome>(all.size()));
    // every other thread begins elsewhere: now the same model is run by two, now different ones
    in_threads([&](std::size_t thread) {
      for (std::size_t k = 0; k < all.size(); ++k) {
        const std::size_t job = (k + thread / 2 * all.size() / 4) % all.size();
        together[thread][job] = run(all[job]);
      }
    });
    for (std::size_t thread = 0; thread < threads; ++thread) {
      for (std::size_t job = 0; job < all.size(); ++job) {
        INFO(all[job].subject->name << " with solver " << all[job].choice.solver << " in thread " << thread);
        CHECK(together[thread][job] == alone[job]);
      }
    }
  }
}

TEST_CASE("an instance belongs to no thread") {
  const Job job{&subject("mixer"), false, {FMR_SOLVER_CVODE, 0}};
  const Outcome alone = run(job);
  std::vector<std::unique_ptr<Instance>> made(threads);
  std::vector<Outcome> found(threads);
  in_threads([&](std::size_t thread) { made[thread] = std::make_unique<Instance>(*job.subject, fmi2CoSimulation); });
  in_threads([&](std::size_t thread) { found[thread] = run(job, (*made[(thread + 1) % threads])()); });
  in_threads([&](std::size_t thread) { made[(thread + 2) % threads].reset(); });
  for (const Outcome& outcome : found) CHECK(outcome == alone);
}
