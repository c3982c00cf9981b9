#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// Expects the recorded run to be wired as a text file beside the test says.
///
/// The file is `Wirings/<name>.txt` in the test's folder. Where there is none it is written, and
/// the expectation fails once, saying so: look at the file and commit it. To bring files up to
/// date, run the tests with `DITESTING_UPDATE_WIRINGS=1`. Lines at which containers were made are
/// left out, so that editing a file changes nothing.
///
/// - Parameters:
///   - name: The file's name, without `.txt`.
///   - directory: The folder; `Wirings` beside the test's file unless given.
///   - fileID: The caller's file, for the report.
///   - filePath: The caller's file, for the report and to find the folder.
///   - line: The caller's line, for the report.
///   - column: The caller's column, for the report.
public func expectWiring(
  matches name: String, in directory: String? = nil, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
  let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  guard let recording = Recording.current(at: location) else { return }
  let tree = ResolutionRecorder.tree(of: recording.events)
  WiringSnapshot(name, in: directory, location).compare(tree)
}

/// Expects a graph to look as a text file beside the test says; see `expectWiring(matches:in:)`.
///
/// - Parameters:
///   - graph: The graph, such as `Resolver.main.graph`.
///   - name: The file's name, without `.txt`.
///   - directory: The folder; `Wirings` beside the test's file unless given.
///   - fileID: The caller's file, for the report.
///   - filePath: The caller's file, for the report and to find the folder.
///   - line: The caller's line, for the report.
///   - column: The caller's column, for the report.
public func expectWiring(
  of graph: DependencyGraph, matches name: String, in directory: String? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) {
  TestHooks.install()
  let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  WiringSnapshot(name, in: directory, location).compare(graph.description)
}
#endif
