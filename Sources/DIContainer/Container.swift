/// The name of `Resolver` in Factory's and Swinject's vocabulary.
public typealias Container = Resolver
