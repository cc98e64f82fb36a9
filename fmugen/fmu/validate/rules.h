// Every rule an FMU is held to. A rule has a short name that reports quote, a severity, a sentence that says what must
// hold, and advice for whoever makes FMUs that break it. The table is in rules.cpp, in the order of this list.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "fmugen/support/diagnostics.h"

namespace fmugen::fmu::validate {

enum class Rule {
  // the archive
  ZipFormat,
  ZipCorrupt,
  ZipTooLarge,
  ZipBomb,
  ZipUnchecked,
  ZipEscape,
  ZipBackslash,
  ZipDotSlash,
  ZipSymlink,
  ZipEncrypted,
  ZipMethod,
  ZipVersion,
  Zip64,
  ZipDuplicate,
  ZipCase,
  ZipNameEncoding,
  // its layout
  LayoutDescription,
  LayoutNoCode,
  LayoutBinary,
  LayoutPlatform,
  LayoutEntry,
  LayoutExtra,
  LayoutHeaders,
  LayoutSourceFile,
  LayoutDocumentation,
  // the binary for linux64
  ElfFormat,
  ElfExports,
  ElfOtherExports,
  ElfLibraries,
  ElfGlibc,
  ElfRunpath,
  // the XML text and its schema
  XmlDeclaration,
  XmlEncoding,
  XmlDoctype,
  XmlLimits,
  XmlFormat,
  XmlSchemaLocation,
  XmlStrayText,
  XmlElement,
  XmlAttribute,
  XmlOrder,
  XmlCount,
  XmlEmptyList,
  XmlRequired,
  XmlValue,
  XmlNotFinite,
  XmlNormalized,
  // the model as a whole
  FmiVersion,
  ModelName,
  GuidEmpty,
  GuidBraces,
  DateFormat,
  EventIndicators,
  InterfaceMissing,
  InterfaceOrder,
  ModelIdentifier,
  SerializeState,
  SourceFileDuplicate,
  CategoryDuplicate,
  ToolDuplicate,
  ExperimentTimes,
  ExperimentIncomplete,
  // units and types
  UnitDuplicate,
  UnitFactor,
  DisplayUnitDuplicate,
  TypeDuplicate,
  TypeIsVariable,
  ItemDuplicate,
  UnitUndeclared,
  DisplayUnitUndeclared,
  DisplayUnitAlone,
  TypeUndeclared,
  TypeKind,
  TypeRange,
  // variables
  NameEmpty,
  NameDuplicate,
  NameStructured,
  NameDerivative,
  NameDerivativeAlone,
  CausalityVariability,
  InitialIllegal,
  ContinuousType,
  IndependentType,
  IndependentTwice,
  StartMissing,
  StartForbidden,
  StartRange,
  StartItem,
  MinMax,
  Nominal,
  MultipleSet,
  Reinit,
  DerivativeIndex,
  DerivativeTarget,
  // variables that share a value reference
  AliasConstant,
  AliasStart,
  AliasSettable,
  AliasIndependent,
  AliasUnit,
  AliasVariability,
  // the model structure
  StructureIndex,
  StructureDuplicate,
  StructureOutputs,
  StructureDerivatives,
  StructureUnlisted,
  StructureInitial,
  StructureInitialOrder,
  DependencyIndex,
  DependencyDuplicate,
  DependencySelf,
  DependencyOrder,
  DependencyKnown,
  KindAlone,
  KindLength,
  KindInitial,
  KindReal,
  Count  // not a rule
};
inline constexpr std::size_t kRules = static_cast<std::size_t>(Rule::Count);

struct RuleText {
  Rule rule;
  std::string_view name;  // "start-range"
  support::Severity severity;
  std::string_view demand;  // what must hold
  std::string_view advice;  // what to do
};

std::span<const RuleText, kRules> all_rules();
const RuleText& text_of(Rule rule);

}  // namespace fmugen::fmu::validate
