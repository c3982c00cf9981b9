import Foundation

// What `.ci/docs` does to the site besides DocC:
//
//     site shorten GRAPHS      leaves the caller's place out of the names in symbol graphs
//     site join SITE           gives merged archives one root
//     site check SITE [BASE]   looks for broken links, missing files and symbols without a heading

let arguments = CommandLine.arguments
let folder = URL(fileURLWithPath: arguments[2], isDirectory: true)
switch arguments[1] {
case "shorten": try shorten(graphs: folder)
case "join": try join(site: folder)
case "check": try check(site: folder, base: arguments.dropFirst(3).first ?? "")
default: fatalError("no such command: \(arguments[1])")
}
