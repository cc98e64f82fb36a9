// A cut (V / I) named `pin` becomes
//
//   <Terminal name="pin" matchingRule="plug">
//     <TerminalMemberVariable variableName="pin.V" memberName="V" variableKind="signal"/>
//     <TerminalMemberVariable variableName="pin.I" memberName="I" variableKind="inflow"/>
//   </Terminal>
//
// Members that are no variables, a dot or a number, have nothing to name and are left out.
#include "fmugen/fmu/terminals.h"

#include <tinyxml2.h>

#include "fmugen/fmu/describe.h"

namespace fmugen::fmu {

std::string write_terminals(const structure::System& system) {
  if (system.model.boundary.empty()) return {};
  tinyxml2::XMLPrinter xml;
  xml.OpenElement("fmiTerminalsAndIcons");
  xml.PushAttribute("fmiVersion", "3.0");
  xml.OpenElement("Terminals");
  bool any = false;
  for (const equations::BoundaryCut& cut : system.model.boundary) {
    bool open = false;
    for (const equations::BoundaryMember& member : cut.members) {
      if (!member.variable) continue;
      if (!open) {
        xml.OpenElement("Terminal");
        xml.PushAttribute("name", cut.name.c_str());
        xml.PushAttribute("matchingRule", "plug");
        if (!cut.description.empty()) xml.PushAttribute("description", cut.description.c_str());
        open = any = true;
      }
      xml.OpenElement("TerminalMemberVariable");
      xml.PushAttribute("variableName", structured_name(system, *member.variable).c_str());
      xml.PushAttribute("memberName", member.name.c_str());
      xml.PushAttribute("variableKind", !member.through ? "signal" : member.sign > 0 ? "inflow" : "outflow");
      xml.CloseElement();
    }
    if (open) xml.CloseElement();
  }
  xml.CloseElement();
  xml.CloseElement();
  return any ? xml.CStr() : std::string();
}

}  // namespace fmugen::fmu
