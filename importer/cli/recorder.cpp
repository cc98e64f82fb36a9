// The values of each type are fetched by one call, then written in the order of the columns:
//
//   columns   h (Real)   n (Integer)   v (Real)
//   fetched   reals {h, v}, integers {n}
//   row       time, reals[0], integers[0], reals[1]
#include "importer/cli/recorder.h"

#include <unordered_map>

namespace importer::cli {

using fmu::Type;

Recorder::Recorder(const std::vector<const fmu::Variable*>& recorded, const std::vector<const fmu::Variable*>& plotted,
                   const std::string& output, const std::string& title)
    : csv_(output) {
  std::unordered_map<const fmu::Variable*, std::size_t> column_of;
  csv_.text("time");
  for (const fmu::Variable* v : recorded) {
    std::vector<unsigned>& references = v->type == Type::Real      ? reals_
                                        : v->type == Type::Boolean ? booleans_
                                        : v->type == Type::String  ? strings_
                                                                   : integers_;
    if (v->type == Type::Real) real_variables_.push_back(v);
    column_of.emplace(v, columns_.size());
    columns_.push_back({v, references.size()});
    references.push_back(v->reference);
    csv_.text(v->name);
  }
  csv_.end_row();
  real_values_.resize(reals_.size());
  integer_values_.resize(integers_.size());
  boolean_values_.resize(booleans_.size());
  plot_.title = title;
  for (const fmu::Variable* v : plotted) {
    curves_.push_back(columns_[column_of.at(v)]);
    const bool steps = v->type != Type::Real || v->variability != fmu::Variability::Continuous;
    plot_.curves.push_back({v->name, v->unit, v->description, steps, {}});
  }
}

double Recorder::number(const Column& column) const {
  switch (column.variable->type) {
    case Type::Real: return real_values_[column.place];
    case Type::Integer:
    case Type::Enumeration: return integer_values_[column.place];
    case Type::Boolean: return boolean_values_[column.place] != 0;
    case Type::String: break;
  }
  return 0.0;
}

void Recorder::record(fmu::Slave& slave, double time) {
  slave.get_real(real_variables_, reals_, real_values_);
  slave.get_integer(integers_, integer_values_);
  slave.get_boolean(booleans_, boolean_values_);
  string_values_ = slave.get_string(strings_);
  csv_.number(time);
  for (const Column& column : columns_) {
    if (column.variable->type == Type::String)
      csv_.text(string_values_[column.place]);
    else if (column.variable->type == Type::Real)
      csv_.number(real_values_[column.place]);
    else
      csv_.integer(static_cast<long long>(number(column)));
  }
  csv_.end_row();
  last_time_ = time;
  if (curves_.empty()) return;
  plot_.times.push_back(time);
  for (std::size_t i = 0; i < curves_.size(); ++i) plot_.curves[i].values.push_back(number(curves_[i]));
}

}  // namespace importer::cli
