#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// Expects the recorded wiring to equal a text file beside the test.
///
/// The file is `Wirings/<name>.txt` in the test's folder. A missing file is written, and the
/// expectation fails once to report it: review the file and commit it. To update files, run the
/// tests with `DITESTING_UPDATE_WIRINGS=1`. The lines at which containers were created are left
/// out, so that editing a source file changes nothing.
///
/// - Parameters:
///   - name: The file's name, without `.txt`.
///   - directory: The folder; by default `Wirings` beside the test's file.
///   - fileID: The caller's file, for the report.
///   - filePath: The caller's file, for the report and to find the folder.
///   - line: The caller's line, for the report.
///   - column: The caller's column, for the report.
public func expectWiring(
  matches name: String, in directory: String? = nil, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
  let location = CodeLocation(fileID, filePath, line, column)
  guard let recording = Recording.current(at: location) else { return }
  let tree = ResolutionRecorder.tree(of: recording.events)
  WiringSnapshot(name, in: directory, location).compare(tree)
}

/// Expects a graph to equal a text file beside the test; see `expectWiring(matches:in:)`.
///
/// - Parameters:
///   - graph: The graph, such as `Resolver.main.graph`.
///   - name: The file's name, without `.txt`.
///   - directory: The folder; by default `Wirings` beside the test's file.
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
  let location = CodeLocation(fileID, filePath, line, column)
  WiringSnapshot(name, in: directory, location).compare(graph.description)
}
#endif
