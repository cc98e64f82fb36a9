// The list of what is looked at, in order, and what holds from there on. Findings accumulate; a step that leaves
// nothing to go on with ends the list.
#include "fmugen/fmu/validate/validate.h"

#include <tinyxml2.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "fmugen/fmu/validate/archive.h"
#include "fmugen/fmu/validate/layout.h"
#include "fmugen/fmu/validate/model.h"
#include "fmugen/fmu/validate/schema.h"
#include "fmugen/fmu/validate/xml_text.h"

namespace fmugen::fmu::validate {
namespace {

constexpr std::size_t kMostFile = std::size_t{2} << 30;

std::string attribute(const tinyxml2::XMLElement& e, const char* name) {
  const char* value = e.Attribute(name);
  return value ? value : "";
}

bool check_version(const tinyxml2::XMLElement& root, Report& report) {
  const Place place{kDescription, root.GetLineNum(), {}};
  if (std::string_view(root.Name()) != "fmiModelDescription") {
    report.add(Rule::XmlElement, place,
               "the root element is '" + std::string(root.Name()) + "', not fmiModelDescription");
    return false;
  }
  report.fmi_version = attribute(root, "fmiVersion");
  if (!root.Attribute("fmiVersion") || report.fmi_version == "2.0") return true;
  const bool other = report.fmi_version.rfind("1.", 0) == 0 || report.fmi_version.rfind("3.", 0) == 0;
  report.add(Rule::FmiVersion, place,
             "this is an FMU of version '" + report.fmi_version + "'" +
                 (other ? "; only version 2.0 can be checked" : ", which does not exist"));
  return !other;
}

// Fills `model`, which points into `document`; false if there is no model to speak of.
bool check_description(std::string_view xml, tinyxml2::XMLDocument& document, Model& model, Report& report) {
  if (!check_xml_text(xml, kDescription, report)) return false;
  // From here on: the parser can be given the text.
  if (document.Parse(xml.data(), xml.size()) != tinyxml2::XML_SUCCESS || !document.RootElement()) {
    report.add(Rule::XmlFormat, {kDescription, document.ErrorLineNum(), {}},
               "is not well-formed: " + std::string(document.ErrorName() ? document.ErrorName() : "no root element"));
    return false;
  }
  const tinyxml2::XMLElement& root = *document.RootElement();
  if (!check_version(root, report)) return false;
  // From here on: it means to be a description of FMI 2.0.
  check_schema(root, report);
  // From here on: whatever does not fit the schema has been told and is left out.
  model = read_model(root);
  report.model_name = attribute(root, "modelName");
  report.generation_tool = attribute(root, "generationTool");
  report.model_exchange = model.model_exchange != nullptr;
  report.co_simulation = model.co_simulation != nullptr;
  report.variables = model.variables.size();
  report.states = model.derivatives.size();
  check_root(model, report);
  check_units_and_types(model, report);
  check_variables(model, report);
  check_aliases(model, report);
  check_structure(model, report);
  return true;
}

void report_missing_description(const Archive& archive, Report& report) {
  std::string text = "there is no modelDescription.xml";
  for (const Entry& entry : archive.entries()) {
    const std::size_t slash = entry.name.rfind('/');
    if (slash == std::string::npos || entry.name.substr(slash + 1) != kDescription) continue;
    text += " at the top, only '" + entry.name + "'";
    break;
  }
  report.add(Rule::LayoutDescription, {}, text);
}

}  // namespace

struct CheckedDescription::Content {
  explicit Content(std::string_view xml)
      : size(xml.size()), has_model(check_description(xml, document, model, report)) {}

  std::size_t size;
  tinyxml2::XMLDocument document;
  Model model;  // points into the document
  Report report;
  bool has_model;
};

CheckedDescription::CheckedDescription(std::string_view xml) : content_(std::make_unique<const Content>(xml)) {}
CheckedDescription::~CheckedDescription() = default;

Report validate_description(std::string_view xml) {
  Report report;
  tinyxml2::XMLDocument document;
  Model model;
  check_description(xml, document, model, report);
  return report;
}

Report validate_archive(std::string_view bytes, const CheckedDescription* written) {
  Report report;
  std::optional<Archive> archive = Archive::open(bytes, report);
  if (!archive) return report;
  archive->check_contents(report);
  // From here on: what can be read is undamaged.
  const Entry* entry = archive->find(kDescription);
  const bool same = written && entry && entry->readable && entry->size == written->content_->size;
  tinyxml2::XMLDocument document;
  Model own;
  bool has_model = false;
  if (same) {
    report.take(written->content_->report);
    has_model = written->content_->has_model;
  } else if (entry) {
    if (const std::optional<std::string> xml = archive->read(*entry, report))
      has_model = check_description(*xml, document, own, report);
  } else {
    report_missing_description(*archive, report);
  }
  const Model& model = same ? written->content_->model : own;
  check_layout(*archive, has_model ? &model : nullptr, report);
  if (has_model) check_binary(*archive, model, report);
  return report;
}

std::optional<Report> validate_file(const std::string& path, std::string& reason, const CheckedDescription* written) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) {
    reason = std::strerror(errno);
    return std::nullopt;
  }
  std::string bytes;
  char chunk[1 << 16];
  while (const std::size_t got = std::fread(chunk, 1, sizeof chunk, file.get())) {
    bytes.append(chunk, got);
    if (bytes.size() > kMostFile) {
      reason = "the file has more than 2 GiB";
      return std::nullopt;
    }
  }
  if (std::ferror(file.get())) {
    reason = std::strerror(errno);
    return std::nullopt;
  }
  return validate_archive(bytes, written);
}

}  // namespace fmugen::fmu::validate
