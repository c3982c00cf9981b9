/// Small wirings with a fault or two in them.
let brokenGraphs: [GraphCase] =
  Wired.missing + Wired.cycles + Wired.lifetimes + Wired.promises + Wired.doubles + Wired.rules
  + Wired.dryRuns
