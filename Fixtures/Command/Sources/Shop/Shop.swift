public protocol Mailer { func send(_ text: String) }
public protocol Postbox { func post(_ letter: String) }
public protocol Printer { func print(_ text: String) }
