import Shop
import Testing

@Suite struct ShopTests {}
