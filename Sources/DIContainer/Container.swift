/// Factory's and Swinject's name for the class of containers.
public typealias Container = Resolver
