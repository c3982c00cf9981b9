public import DIContainer

extension Resolver {
  /// The container of all that writes to customers.
  public static let mail: Resolver = Resolver(child: core) { r in
    r.register(name: .sender) { "orders@storefront.example" as EmailAddress }
    r.register(ReceiptWriter.init)
    r.register(TerminalMailer.init)
      .implements((any Mailer).self)
      .scope(.shared)
      .boundary("mail")
  }
}
