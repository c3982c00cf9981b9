/// A mistake in the rules, planted into the model: lives that do not find it prove little.
enum Fault: CaseIterable {
  // Who answers.
  case masksHideNothing, resetsHideNothing, outermostLayerWins, rootWinsOverLayers
  case outermostRootWins, childrenAreReversed, childrenAreUnseen, nestedAnswersGoStale
  case innermostDecorationIsLost, namesForgetWhoGaveThem
  // Who builds and who keeps.
  case ownersBuild, requestedContainersBuild, requestedContainersShare, sitesShareNothing
  case cyclesShareNothing, weakInstancesStay, decorationsWrapAnew
  case innerScopesKeepNothing, outerInstancesAreInherited
  // What is forgotten.
  case registeringForgetsNothing, sitesGoWithTheFirstLink
  case scopesResetNothing, managersResetNothing
}
