#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

// Loads libraries, each apart from the others, and uses each: `Host left.so right.so`. With
// `--exec` it then becomes a new program, in the same process, with the arguments that follow.

func fail(_ text: String) -> Never {
  print("Host: \(text)")
  exit(1)
}

func use(_ path: String) {
  guard let library = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
    fail(String(cString: dlerror()))
  }
  let name = path.contains("Left") ? "use_left" : "use_right"
  guard let symbol = dlsym(library, name) else { fail("no \(name) in \(path)") }
  let use = unsafeBitCast(symbol, to: (@convention(c) () -> Int).self)
  print("\(name): \(use()) registrations")
}

func become(_ arguments: ArraySlice<String>) -> Never {
  var all = ([CommandLine.arguments[0]] + arguments).map { strdup($0) } + [nil]
  execv(CommandLine.arguments[0], &all)
  fail("exec failed")
}

var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
  switch argument {
  case "--exec": become(arguments)
  default: use(argument)
  }
}
