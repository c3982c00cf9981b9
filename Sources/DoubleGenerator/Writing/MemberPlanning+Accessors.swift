// Properties and subscripts: a stub that gets, and one that sets.

extension MemberPlanning {
  mutating func accessors(getter: String, setter: String) throws(ByHand) {
    let title = "\(requirement.owner).\(requirement.title)"
    lendsClosures = false
    let arguments = arguments(except: nil)
    let result = try self.result(requirement.result)
    var get = PlannedStub(name: getter, isAsync: requirement.isAsync, requirement: title)
    get.arguments = argumentsType(arguments)
    get.result = result.type
    get.failure = requirement.failure
    let keyword = keywords(isAsync: get.isAsync, failure: get.failure)
    // A description is asked for wherever a double is printed.
    let fallback =
      requirement.title == "description" || requirement.title == "debugDescription"
      ? "\"\(spelling.model.doubleName)\"" : nil
    let isDescription = requirement.owner.hasSuffix("StringConvertible") && fallback != nil
    member.body = [
      value(
        of: get, arguments, keyword: keyword, fallback: isDescription ? fallback : nil,
        result: result)
    ]
    add(get)
    guard requirement.isSettable else { return }
    var set = PlannedStub(name: setter, requirement: title + ".set")
    let value = argument("newValue", type: requirement.result, label: "newValue")
    let all = arguments + (value.map { [$0] } ?? [])
    set.arguments = argumentsType(all)
    member.setter = [call(set, all)]
    add(set)
  }
}
