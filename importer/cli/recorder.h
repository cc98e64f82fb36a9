// Takes the values of a slave at points in time and hands them to those who want them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "importer/fmu/slave.h"
#include "importer/results/csv.h"
#include "importer/results/plot.h"

namespace importer::cli {

class Recorder {
 public:
  // `plotted` must be among `recorded`.
  Recorder(const std::vector<const fmu::Variable*>& recorded, const std::vector<const fmu::Variable*>& plotted,
           const std::string& output, const std::string& title);

  void record(fmu::Slave& slave, double time);  // throws fmu::CallFailed; then nothing of this point is written

  results::CsvWriter& csv() { return csv_; }
  const results::Plot& plot() const { return plot_; }
  std::optional<double> last_time() const { return last_time_; }

 private:
  struct Column {
    const fmu::Variable* variable;
    std::size_t place;  // among the values of its type
  };
  double number(const Column& column) const;

  std::vector<Column> columns_;
  std::vector<Column> curves_;
  std::vector<const fmu::Variable*> real_variables_;
  std::vector<unsigned> reals_, integers_, booleans_, strings_;  // value references
  std::vector<double> real_values_;
  std::vector<int> integer_values_, boolean_values_;
  std::vector<std::string> string_values_;
  std::optional<double> last_time_;
  results::CsvWriter csv_;
  results::Plot plot_;
};

}  // namespace importer::cli
