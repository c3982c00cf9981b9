/// Spells types in the file of a double, where a name may mean something else than in its protocol.
///
/// A graph has a type's own name alone. Outside the types that enclose it, it needs theirs; where
/// another imported module has a type of its name, or the double an associated one, its module's.
struct Qualification {
  let symbols: Symbols
  /// The modules that the file imports.
  let modules: Set<String>
  /// The names of the double's associated types.
  let hidden: Set<String>

  /// Returns nil if the name can stay as it is.
  func qualified(_ components: [TypeSyntax.Component]) -> TypeSyntax? {
    guard let first = components.first, let id = first.id, !id.hasSuffix("Qa") else { return nil }
    var outer: [String] = []
    if let symbol = symbols[id: id], symbol.pathComponents.count > 1 {
      // A type alias that stands in a protocol is found without.
      guard first.name == symbol.pathComponents.last,
        ["swift.struct", "swift.class", "swift.enum", "swift.protocol"].contains(
          symbol.kind.identifier)
      else { return nil }
      outer = symbol.pathComponents.dropLast()
    }
    if let module = symbols.module(of: id).flatMap({ qualifier(outer.first ?? first.name, of: $0) })
    {
      outer.insert(module, at: 0)
    }
    return outer.isEmpty ? nil : .named(outer.map { .init(name: $0) } + components)
  }

  /// The module to put before a name that is ambiguous without; nil if it is not.
  func qualifier(_ name: String, of module: String) -> String? {
    let qualifier = ModuleName.imported(module) ?? module
    // A type that is called as its module is hides it.
    guard !symbols.modules(declaring: qualifier).contains(module) else { return nil }
    if hidden.contains(name) { return qualifier }
    var others = Set(symbols.modules(declaring: name).compactMap(ModuleName.imported))
    if ImportedNames.ofTesting.contains(name) { others.insert("DITesting") }
    if ImportedNames.ofFoundation.contains(name) { others.insert("Foundation") }
    // The standard library gives way to every other module.
    return others.subtracting([qualifier]).isDisjoint(with: modules) ? nil : qualifier
  }
}

/// The types that a double's file sees of modules whose graphs are not read.
package enum ImportedNames {
  /// Those of `DITesting`, and of `DIContainer`, which it brings.
  package static let ofTesting: Set<String> = [
    "Assembler", "Assembly", "AsyncFactory", "AsyncStub", "AutoRegistering", "CacheTrait",
    "CodeLocation", "Container", "ContainerManager", "DIPart", "DefaultSharedContainer",
    "Dependency", "DependencyGraph", "Described", "DynamicInjected", "Factory", "FactoryContext",
    "FactoryContextType", "FactoryModifying", "FactoryRegistration", "FactoryResetOptions",
    "FallbackTrait", "Injected", "InjectedContainer", "InjectedType", "JsonPropertyLoader", "Layer",
    "LayerTrait", "LazyInjected", "LenientTrait", "LiveException", "MainActorDouble",
    "MainActorFactory", "ManagedContainer", "OptionalInjected", "OptionalServiceResolver",
    "ParameterFactory", "PlistPropertyLoader", "ProcessChangesTrait", "PropertyError",
    "PropertyLoader", "PropertyValue", "RecordedCall", "RecordingTrait", "RegistrationInfo",
    "ResolutionContext", "ResolutionError", "ResolutionEvent", "ResolutionRecorder", "Resolver",
    "ResolverOptions", "ResolverRegistering", "ResolverScope", "ResolverScopeCache", "Resolving",
    "RootTrait", "Sandbox", "SandboxTestCase", "SandboxToken", "SandboxTokenError", "SandboxTrait",
    "Scope", "ServiceEntry", "ServiceKey", "ServiceResolver", "SharedContainer", "SolitaryTrait",
    "StrictTrait", "Strictness", "Stub", "StubLog", "StubOutcome", "StubProtocol", "StubSetup",
    "TestDouble", "UnscopedPolicy", "UnstubbedCall", "ValidationError", "ValidationReport",
    "ValidationRule", "ValidationTrait", "WeakLazyInjected", "WiringFinding",
  ]
  /// Those of Foundation whose names have no prefix.
  static let ofFoundation: Set<String> = [
    "AffineTransform", "AlignmentOptions", "AttributeContainer", "AttributeDynamicLookup",
    "AttributeScope", "AttributeScopeCodableConfiguration", "AttributeScopes", "AttributedString",
    "AttributedStringAttributeMutation", "AttributedStringKey", "AttributedStringProtocol",
    "AttributedSubstring", "BlockOperation", "Bundle", "ByteCountFormatStyle", "ByteCountFormatter",
    "CGFloat", "CGPoint", "CGRect", "CGRectEdge", "CGSize", "Calendar", "CharacterSet",
    "CocoaError", "CodableAttributedStringKey", "CodableConfiguration", "CodableWithConfiguration",
    "ComparableComparator", "Comparator", "ComparisonResult", "ContiguousBytes",
    "CurrencyFormatStyleConfiguration", "CustomNSError", "Data", "DataProtocol", "Date",
    "DateComponents", "DateFormatter", "DateInterval", "DateIntervalFormatter", "Decimal",
    "DecodableAttributedStringKey", "DecodableWithConfiguration", "DecodingConfigurationProviding",
    "DescriptiveNumberFormatConfiguration", "Dimension", "DiscontiguousAttributedSubstring",
    "DiscreteFormatStyle", "EncodableAttributedStringKey", "EncodableWithConfiguration",
    "EncodingConfigurationProviding", "EnergyFormatter", "Expression", "FileAttributeKey",
    "FileAttributeType", "FileHandle", "FileManager", "FileManagerDelegate", "FileProtectionType",
    "FloatingPointFormatStyle", "FloatingPointParseStrategy", "FormatStyle",
    "FormatStyleCapitalizationContext", "Formatter", "Host", "ISO8601DateFormatter", "IndexPath",
    "IndexSet", "InflectionRule", "InputStream", "IntegerFormatStyle", "IntegerParseStrategy",
    "JSONDecoder", "JSONEncoder", "JSONSerialization", "KeyPathComparator", "LengthFormatter",
    "ListFormatStyle", "Locale", "LocalizedError", "MarkdownDecodableAttributedStringKey",
    "MassFormatter", "Measurement", "Morphology", "MutableDataProtocol", "Notification",
    "NotificationCenter", "NotificationQueue", "NumberFormatStyleConfiguration", "NumberFormatter",
    "ObjCBool", "OperatingSystemVersion", "Operation", "OperationQueue", "OutputStream",
    "POSIXError", "ParseStrategy", "ParseableFormatStyle", "PersonNameComponents",
    "PersonNameComponentsFormatter", "Pipe", "Port", "PortDelegate", "PortMessage", "Predicate",
    "PredicateBindings", "PredicateError", "PredicateExpression", "PredicateExpressions", "Process",
    "ProcessInfo", "Progress", "ProgressKind", "ProgressReporting", "ProgressUserInfoKey",
    "PropertyListDecoder", "PropertyListEncoder", "PropertyListSerialization", "QualityOfService",
    "RecoverableError", "ReferenceConvertible", "RunLoop", "Scanner", "ScopedAttributeContainer",
    "SocketNativeHandle", "SocketPort", "SortComparator", "SortDescriptor", "SortOrder",
    "StandardPredicateExpression", "Stream", "StreamDelegate", "StreamNetworkServiceTypeValue",
    "StreamSOCKSProxyConfiguration", "StreamSOCKSProxyVersion", "StreamSocketSecurityLevel",
    "StringStyle", "StringTransform", "Thread", "TimeInterval", "TimeZone", "Timer", "URL",
    "URLComponents", "URLError", "URLFileResourceType", "URLQueryItem", "URLResourceKey",
    "URLResourceValues", "UUID", "Unit", "UnitAcceleration", "UnitAngle", "UnitArea",
    "UnitConcentrationMass", "UnitConverter", "UnitConverterLinear", "UnitDispersion",
    "UnitDuration", "UnitElectricCharge", "UnitElectricCurrent", "UnitElectricPotentialDifference",
    "UnitElectricResistance", "UnitEnergy", "UnitFrequency", "UnitFuelEfficiency",
    "UnitIlluminance", "UnitInformationStorage", "UnitLength", "UnitMass", "UnitPower",
    "UnitPressure", "UnitSpeed", "UnitTemperature", "UnitVolume", "UserDefaults",
  ]
}
