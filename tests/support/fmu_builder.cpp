#include "tests/support/fmu_builder.h"

#include <zip.h>

#include <stdexcept>

namespace fmugen::test {
namespace {

void append(std::string& out, std::uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
}

// Strings one after the other, each with its place.
struct Strings {
  std::string bytes = std::string(1, '\0');
  std::uint64_t add(const std::string& text) {
    const std::uint64_t at = bytes.size();
    bytes += text + '\0';
    return at;
  }
};

struct Section {
  std::uint64_t type, link;
  std::string content;
};

}  // namespace

std::string make_zip(const std::vector<ZipEntry>& entries) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* target = zip_source_buffer_create(nullptr, 0, 0, &error);
  zip_t* zip = target ? zip_open_from_source(target, ZIP_TRUNCATE, &error) : nullptr;
  if (!zip) throw std::runtime_error("libzip cannot write to memory");
  zip_source_keep(target);
  for (const ZipEntry& entry : entries) {
    zip_source_t* source = zip_source_buffer(zip, entry.content.data(), entry.content.size(), 0);
    const auto index = static_cast<zip_uint64_t>(zip_file_add(zip, entry.name.c_str(), source, ZIP_FL_ENC_UTF_8));
    zip_file_set_external_attributes(zip, index, 0, ZIP_OPSYS_UNIX, entry.unix_mode << 16);
    if (entry.encrypted) zip_file_set_encryption(zip, index, ZIP_EM_TRAD_PKWARE, "secret");
  }
  if (zip_close(zip) != 0) throw std::runtime_error("libzip cannot close the archive");
  zip_source_open(target);
  zip_source_seek(target, 0, SEEK_END);
  std::string bytes(static_cast<std::size_t>(zip_source_tell(target)), '\0');
  zip_source_seek(target, 0, SEEK_SET);
  zip_source_read(target, bytes.data(), bytes.size());
  zip_source_close(target);
  zip_source_free(target);
  return bytes;
}

std::string make_shared_library(const LibraryFacts& facts) {
  Strings strings;
  std::string symbols(24, '\0');
  for (const std::string& name : facts.exports) {
    append(symbols, strings.add(name), 4);
    append(symbols, 1 << 4 | 2, 1);  // global function
    append(symbols, 0, 1);
    append(symbols, 5, 2);  // of some section
    append(symbols, 0x1000, 8);
    append(symbols, 16, 8);
  }
  std::string dynamic;
  const auto tag = [&](std::uint64_t kind, std::uint64_t value) {
    append(dynamic, kind, 8);
    append(dynamic, value, 8);
  };
  for (const std::string& name : facts.needed) tag(1, strings.add(name));
  if (!facts.runpath.empty()) tag(29, strings.add(facts.runpath));
  tag(0, 0);
  std::string versions;
  append(versions, 1, 2);
  append(versions, facts.versions.size(), 2);
  append(versions, strings.add("libc.so.6"), 4);
  append(versions, 16, 4);
  append(versions, 0, 4);
  for (const std::string& name : facts.versions) {
    append(versions, 0, 8);
    append(versions, strings.add(name), 4);
    append(versions, 16, 4);
  }
  const Section sections[] = {
      {0, 0, ""}, {11, 2, symbols}, {3, 0, strings.bytes}, {6, 2, dynamic}, {0x6ffffffe, 2, versions}};
  std::string file = "\177ELF\2\1\1";
  file.resize(16, '\0');
  append(file, 3, 2);   // shared library
  append(file, 62, 2);  // x86-64
  append(file, 1, 4);
  append(file, 0, 8);
  append(file, 0, 8);
  append(file, 64, 8);  // section headers follow this header
  append(file, 0, 4);
  for (const unsigned value : {64u, 0u, 0u, 64u, 5u, 0u}) append(file, value, 2);
  std::uint64_t offset = 64 + 5 * 64;
  std::string contents;
  for (const Section& s : sections) {
    append(file, 0, 4);
    append(file, s.type, 4);
    append(file, 0, 8);
    append(file, 0, 8);
    append(file, offset, 8);
    append(file, s.content.size(), 8);
    append(file, s.link, 4);
    append(file, 0, 4);
    append(file, 0, 8);
    append(file, 0, 8);
    offset += s.content.size();
    contents += s.content;
  }
  return file + contents;
}

std::vector<std::string> fmi2_functions() {
  std::vector<std::string> names;
  for (const char* name : {"GetTypesPlatform",
                           "GetVersion",
                           "SetDebugLogging",
                           "Instantiate",
                           "FreeInstance",
                           "SetupExperiment",
                           "EnterInitializationMode",
                           "ExitInitializationMode",
                           "Terminate",
                           "Reset",
                           "GetReal",
                           "GetInteger",
                           "GetBoolean",
                           "GetString",
                           "SetReal",
                           "SetInteger",
                           "SetBoolean",
                           "SetString",
                           "GetFMUstate",
                           "SetFMUstate",
                           "FreeFMUstate",
                           "SerializedFMUstateSize",
                           "SerializeFMUstate",
                           "DeSerializeFMUstate",
                           "GetDirectionalDerivative",
                           "EnterEventMode",
                           "NewDiscreteStates",
                           "EnterContinuousTimeMode",
                           "CompletedIntegratorStep",
                           "SetTime",
                           "SetContinuousStates",
                           "GetDerivatives",
                           "GetEventIndicators",
                           "GetContinuousStates",
                           "GetNominalsOfContinuousStates",
                           "SetRealInputDerivatives",
                           "GetRealOutputDerivatives",
                           "DoStep",
                           "CancelStep",
                           "GetStatus",
                           "GetRealStatus",
                           "GetIntegerStatus",
                           "GetBooleanStatus",
                           "GetStringStatus"})
    names.push_back("fmi2" + std::string(name));
  return names;
}

std::string good_description() {
  return R"xml(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="heater" guid="4f2a" generationDateAndTime="2026-11-18T12:00:00Z" variableNamingConvention="structured" numberOfEventIndicators="0">
  <ModelExchange modelIdentifier="heater"/>
  <CoSimulation modelIdentifier="heater"/>
  <UnitDefinitions>
    <Unit name="K"><BaseUnit K="1"/><DisplayUnit name="degC" offset="-273.15"/></Unit>
    <Unit name="W"><BaseUnit kg="1" m="2" s="-3"/></Unit>
  </UnitDefinitions>
  <TypeDefinitions>
    <SimpleType name="Temperature"><Real unit="K" displayUnit="degC" min="0"/></SimpleType>
    <SimpleType name="Mode"><Enumeration><Item name="off" value="1"/><Item name="on" value="2"/></Enumeration></SimpleType>
  </TypeDefinitions>
  <LogCategories><Category name="logAll"/></LogCategories>
  <DefaultExperiment startTime="0" stopTime="10" tolerance="1e-6" stepSize="0.1"/>
  <VendorAnnotations><Tool name="maker"><anything><at all="1"/></anything></Tool></VendorAnnotations>
  <ModelVariables>
    <ScalarVariable name="time" valueReference="0" causality="independent" variability="continuous"><Real/></ScalarVariable>
    <ScalarVariable name="room.T" valueReference="1" causality="local" variability="continuous" initial="exact"><Real declaredType="Temperature" start="293.15" nominal="300" reinit="true"/></ScalarVariable>
    <ScalarVariable name="der(room.T)" valueReference="2" causality="local" variability="continuous" initial="calculated"><Real derivative="2"/></ScalarVariable>
    <ScalarVariable name="power" valueReference="3" causality="input" variability="continuous"><Real unit="W" start="0"/></ScalarVariable>
    <ScalarVariable name="y" valueReference="1" causality="output" variability="continuous" initial="calculated"><Real unit="K"/></ScalarVariable>
    <ScalarVariable name="mode" valueReference="4" causality="parameter" variability="fixed" initial="exact"><Enumeration declaredType="Mode" start="1"/></ScalarVariable>
    <ScalarVariable name="C" valueReference="5" causality="parameter" variability="tunable" initial="exact"><Real min="1" max="9" start="2"/></ScalarVariable>
    <ScalarVariable name="half" valueReference="6" causality="calculatedParameter" variability="tunable" initial="calculated"><Real/></ScalarVariable>
    <ScalarVariable name="on" valueReference="7" causality="output" variability="discrete" initial="calculated"><Boolean/></ScalarVariable>
    <ScalarVariable name="pi" valueReference="8" causality="local" variability="constant" initial="exact"><Real start="3"/></ScalarVariable>
  </ModelVariables>
  <ModelStructure>
    <Outputs>
      <Unknown index="5" dependencies="2" dependenciesKind="constant"/>
      <Unknown index="9" dependencies="2 4" dependenciesKind="dependent dependent"/>
    </Outputs>
    <Derivatives>
      <Unknown index="3" dependencies="2 4" dependenciesKind="fixed fixed"/>
    </Derivatives>
    <InitialUnknowns>
      <Unknown index="3" dependencies="2 4 7"/>
      <Unknown index="5" dependencies="2" dependenciesKind="constant"/>
      <Unknown index="8" dependencies="7"/>
      <Unknown index="9"/>
    </InitialUnknowns>
  </ModelStructure>
</fmiModelDescription>
)xml";
}

std::vector<ZipEntry> good_entries() {
  LibraryFacts facts;
  facts.exports = fmi2_functions();
  return {{"modelDescription.xml", good_description()},
          {"binaries/linux64/heater.so", make_shared_library(facts)},
          {"documentation/index.html", "<p>a heater</p>"}};
}

}  // namespace fmugen::test
