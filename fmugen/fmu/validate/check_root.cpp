// What the root element says of the model as a whole, and its interfaces, log categories, annotations and experiment.
//
// Reference: FMI 2.0.4, sections 2.2.1, 2.2.4 to 2.2.6, 3.3.1 and 4.3.1.
#include <string>
#include <unordered_set>

#include "fmugen/fmu/validate/model.h"
#include "fmugen/fmu/validate/schema.h"

namespace fmugen::fmu::validate {
namespace {

using tinyxml2::XMLElement;

Place at(const XMLElement& e) { return {kDescription, e.GetLineNum(), {}}; }

std::string_view text(const XMLElement& e, const char* name) {
  const char* value = e.Attribute(name);
  return value ? value : "";
}

bool flag(const XMLElement& e, const char* name) { return bool_value(text(e, name)).value_or(false); }

// A number of exactly `digits` digits between the limits, taken off the front.
bool take_number(std::string_view& text, std::size_t digits, int least, int most) {
  int value = 0;
  if (text.size() < digits) return false;
  for (std::size_t i = 0; i < digits; ++i) {
    if (text[i] < '0' || text[i] > '9') return false;
    value = 10 * value + (text[i] - '0');
  }
  text.remove_prefix(digits);
  return value >= least && value <= most;
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

// xs:dateTime: 2026-11-18T13:05:00Z, with a fraction of a second or an offset such as +01:00 if need be.
bool is_date_time(std::string_view t) {
  const bool date = take_number(t, 4, 0, 9999) && take(t, '-') && take_number(t, 2, 1, 12) && take(t, '-') &&
                    take_number(t, 2, 1, 31) && take(t, 'T');
  if (!date) return false;
  const bool time =
      take_number(t, 2, 0, 24) && take(t, ':') && take_number(t, 2, 0, 59) && take(t, ':') && take_number(t, 2, 0, 59);
  if (!time) return false;
  if (take(t, '.')) {
    if (!take_number(t, 1, 0, 9)) return false;
    while (take_number(t, 1, 0, 9)) {
    }
  }
  if (t.empty() || t == "Z") return true;
  return (take(t, '+') || take(t, '-')) && take_number(t, 2, 0, 14) && take(t, ':') && take_number(t, 2, 0, 59) &&
         t.empty();
}

void check_attributes(const Model& model, Report& report) {
  const XMLElement& root = *model.root;
  if (root.Attribute("modelName") && text(root, "modelName").empty())
    report.add(Rule::ModelName, at(root), "modelName is empty");
  if (root.Attribute("guid")) {
    const std::string_view guid = text(root, "guid");
    if (guid.find_first_not_of(' ') == std::string_view::npos)
      report.add(Rule::GuidEmpty, at(root), "the guid is empty");
    if (guid.find_first_of("{}") != std::string_view::npos)
      report.add(Rule::GuidBraces, at(root), "the guid has braces: some importers make it a part of file names");
  }
  if (root.Attribute("generationDateAndTime") && !is_date_time(text(root, "generationDateAndTime")))
    report.add(Rule::DateFormat, at(root),
               "generationDateAndTime is '" + std::string(text(root, "generationDateAndTime")) + "'");
  if (root.Attribute("numberOfEventIndicators") && !model.model_exchange)
    report.add(Rule::EventIndicators, at(root), "numberOfEventIndicators without ModelExchange");
}

void check_interface(const XMLElement& e, Report& report) {
  const std::string name = e.Name();
  if (e.Attribute("modelIdentifier") && !is_c_identifier(text(e, "modelIdentifier")))
    report.add(
        Rule::ModelIdentifier, at(e),
        "modelIdentifier '" + std::string(text(e, "modelIdentifier")) + "' of " + name + " is not an identifier of C");
  if (flag(e, "canSerializeFMUstate") && !flag(e, "canGetAndSetFMUstate"))
    report.add(Rule::SerializeState, at(e), name + " can serialize its state, but not get and set it");
  const XMLElement* files = e.FirstChildElement("SourceFiles");
  std::unordered_set<std::string_view> seen;
  for (const XMLElement* file = files ? files->FirstChildElement("File") : nullptr; file;
       file = file->NextSiblingElement("File"))
    if (!seen.insert(text(*file, "name")).second)
      report.add(Rule::SourceFileDuplicate, at(*file), "'" + std::string(text(*file, "name")) + "' is listed twice");
}

// Unique names among the children of a list.
void check_unique(const XMLElement* list, const char* child, Rule rule, Report& report,
                  const std::string& variable = {}) {
  std::unordered_set<std::string_view> seen;
  for (const XMLElement* e = list ? list->FirstChildElement(child) : nullptr; e; e = e->NextSiblingElement(child))
    if (!seen.insert(text(*e, "name")).second)
      report.add(rule, {kDescription, e->GetLineNum(), variable},
                 std::string(child) + " '" + std::string(text(*e, "name")) + "' occurs twice");
}

void check_annotations(const Model& model, Report& report) {
  check_unique(model.root->FirstChildElement("VendorAnnotations"), "Tool", Rule::ToolDuplicate, report);
  const XMLElement* variables = model.root->FirstChildElement("ModelVariables");
  for (const XMLElement* v = variables ? variables->FirstChildElement() : nullptr; v; v = v->NextSiblingElement())
    if (const XMLElement* annotations = v->FirstChildElement("Annotations"))
      check_unique(annotations, "Tool", Rule::ToolDuplicate, report, std::string(text(*v, "name")));
}

void check_experiment(const Model& model, Report& report) {
  const XMLElement* e = model.root->FirstChildElement("DefaultExperiment");
  std::string missing;
  for (const char* name : {"startTime", "stopTime", "tolerance", "stepSize"})
    if (!e || !e->Attribute(name)) missing += (missing.empty() ? "" : ", ") + std::string(name);
  if (!missing.empty()) report.add(Rule::ExperimentIncomplete, at(e ? *e : *model.root), "missing: " + missing);
  if (!e) return;
  const auto real = [&](const char* name) { return real_value(text(*e, name)); };
  const double start = real("startTime").value_or(0);
  const std::optional<double> stop = real("stopTime"), step = real("stepSize"), tolerance = real("tolerance");
  if (stop && *stop <= start) report.add(Rule::ExperimentTimes, at(*e), "stopTime is not after startTime");
  if (step && *step <= 0) report.add(Rule::ExperimentTimes, at(*e), "stepSize is not positive");
  if (stop && step && *stop > start && *step > *stop - start)
    report.add(Rule::ExperimentTimes, at(*e), "stepSize is longer than the experiment");
  if (tolerance && *tolerance <= 0) report.add(Rule::ExperimentTimes, at(*e), "tolerance is not positive");
}

}  // namespace

void check_root(const Model& model, Report& report) {
  check_attributes(model, report);
  if (!model.model_exchange && !model.co_simulation)
    report.add(Rule::InterfaceMissing, at(*model.root), "there is neither ModelExchange nor CoSimulation");
  if (model.model_exchange) check_interface(*model.model_exchange, report);
  if (model.co_simulation) check_interface(*model.co_simulation, report);
  check_unique(model.root->FirstChildElement("LogCategories"), "Category", Rule::CategoryDuplicate, report);
  check_annotations(model, report);
  check_experiment(model, report);
}

}  // namespace fmugen::fmu::validate
