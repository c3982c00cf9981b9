extension Doubles {
  static let help = """
    Writes doubles for the protocols of a target, one file each.

    \(command) --target Shop

    Without --target, each line of the file `\(optionsFile)` in the package's folder is a run:
    `--target Shop --registered`. What is typed is added to each. --check needs no permission.

      --target NAME      the target whose protocols are doubled; one of a dependency too
                         (default: the package's only one)
      --protocol NAME    this protocol only; can be given again (default: all)
      --registered       the protocols that the files in `Wirings` beside the output name, which
                         a test writes
      --wiring FILE      the protocols that this file names; can be given again
      --output FOLDER    where to write (default: `Doubles` in the target's tests,
                         or in the only tests that there are)
      --access LEVEL     internal (default) or public
      --defaults         doubles requirements that have default implementations too
      --check            writes nothing, and fails if a file is stale
      --force            overwrites files that were edited by hand
    """
}
