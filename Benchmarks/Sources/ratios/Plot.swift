import Foundation
import Workloads

// Cost over size, as a picture: what should be flat can be seen to be flat.

private struct Curve {
  let name: String
  let points: [(size: Int, nanoseconds: Double)]
}

private struct Panel {
  let title: String
  let curves: [Curve]
}

/// The cost of one of `count` operations that `body` does.
private func cost(_ count: Int, _ body: () -> Void) -> Double {
  let clock = ContinuousClock()
  var best = Double.infinity
  body()
  for _ in 0..<15 {
    let duration = clock.measure(body).components
    best = min(best, Double(duration.seconds) * 1e9 + Double(duration.attoseconds) * 1e-9)
  }
  return best / Double(count)
}

func plotCosts() -> String {
  var resolving: [(Int, Double)] = []
  var sandboxes: [(Int, Double)] = []
  for size in [10, 100, 1_000, 10_000, 100_000] {
    let container = nest(0)
    fill(container, size)
    resolving.append((size, cost(20_000) { resolve(container, 20_000) }))
    sandboxes.append((size, cost(200) { for _ in 0..<200 { sandboxRound(container) } }))
  }
  let nesting = [1, 2, 5, 10, 20].map { depth in
    let container = nest(depth)
    return (depth, cost(20_000) { resolve(container, 20_000) })
  }
  fillRoot()
  let layers = [1, 2, 5, 10, 20, 50].map { depth in
    var result = 0.0
    inLayers(depth) { result = cost(2_000) { resolveFromRoot(2_000) } }
    return (depth, result)
  }
  return svg([
    Panel(
      title: "registrations",
      curves: [
        Curve(name: "resolve", points: resolving),
        Curve(name: "sandbox: open, double, resolve, close", points: sandboxes),
      ]),
    Panel(
      title: "nested containers", curves: [Curve(name: "resolve through all", points: nesting)]),
    Panel(title: "layers", curves: [Curve(name: "resolve below all", points: layers)]),
  ])
}

private func svg(_ panels: [Panel]) -> String {
  let width = 340.0
  let height = 260.0
  let low = 10.0
  let high = 100_000.0
  func y(_ nanoseconds: Double) -> Double {
    40 + (height - 80) * (1 - log(max(nanoseconds, low) / low) / log(high / low))
  }
  var text = """
    <svg xmlns="http://www.w3.org/2000/svg" width="\(Int(width) * panels.count)" \
    height="\(Int(height) + 20)" font-family="sans-serif" font-size="11">
    <rect width="100%" height="100%" fill="white"/>

    """
  for (index, panel) in panels.enumerated() {
    let left = Double(index) * width + 50
    let inner = width - 70
    text += "<text x=\"\(left)\" y=\"20\" font-size=\"13\">"
    text += "ns over number of \(panel.title)</text>\n"
    for power in 1...5 {
      let value = pow(10, Double(power))
      let line = y(value).formatted1
      text += "<line x1=\"\(left)\" x2=\"\(left + inner)\" y1=\"\(line)\" y2=\"\(line)\" "
      text += "stroke=\"#ddd\"/>\n"
      text += "<text x=\"\(left - 6)\" y=\"\(line)\" text-anchor=\"end\">\(Int(value))</text>\n"
    }
    for (number, curve) in panel.curves.enumerated() {
      text += drawn(curve, number, left: left, inner: inner, height: height, y)
    }
  }
  return text + "</svg>\n"
}

private func drawn(
  _ curve: Curve, _ number: Int, left: Double, inner: Double, height: Double,
  _ y: (Double) -> Double
) -> String {
  let colour = ["#1f77b4", "#d62728"][number]
  let steps = Double(curve.points.count - 1)
  let places = curve.points.enumerated().map { step, point in
    (x: left + inner * Double(step) / steps, y: y(point.nanoseconds), point: point)
  }
  let line = places.map { "\($0.x.formatted1),\($0.y.formatted1)" }.joined(separator: " ")
  var text = "<polyline points=\"\(line)\" fill=\"none\" stroke=\"\(colour)\" "
  text += "stroke-width=\"2\"/>\n"
  for place in places {
    let x = place.x.formatted1
    text += "<text x=\"\(x)\" y=\"\((place.y - 6).formatted1)\" fill=\"\(colour)\" "
    text += "text-anchor=\"middle\">\(Int(place.point.nanoseconds))</text>\n"
    if number == 0 {
      text += "<text x=\"\(x)\" y=\"\(height - 22)\" text-anchor=\"middle\">"
      text += "\(place.point.size)</text>\n"
    }
  }
  text += "<text x=\"\(left)\" y=\"\(height - 2 + Double(number) * 14)\" fill=\"\(colour)\">"
  return text + "\(curve.name)</text>\n"
}
