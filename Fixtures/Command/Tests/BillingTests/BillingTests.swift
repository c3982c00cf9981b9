import Billing
import Testing

@Suite struct BillingTests {}
