// What a program needs and does not find, told apart from a file that the command names. Pure.

const absence =
  /no such file or directory|datei oder verzeichnis nicht gefunden|cannot open shared object|\bENOENT\b|FileNotFoundError|(?<=[`'"’“]\s)not found/i
const library = /^-l[\w+.-]+$|^[\w+.-]+\.(?:h|hh|hpp|hxx|so|dylib|dll|lib|a|pm|gem|jar)(?:\.\d+)*$/i
const bareName = /^[A-Za-z][\w+-]*$/

/** A header, a library or a program: a name without a folder that is not in the command. Files of data have another extension. */
export function isNeeded(lines: readonly string[], command: string): boolean {
  return lines.some((line) => {
    if (!absence.test(line)) return false
    const names = namesIn(line)
    return names.some((name, at) => {
      const isThing = library.test(name) || (at === names.length - 1 && bareName.test(name))
      return isThing && (name.startsWith('-l') || !named(command, name))
    })
  })
}

/** The parts between colons, and what is in quotes, without the words that say what is the matter. */
function namesIn(line: string): readonly string[] {
  const before = line.split(absence)[0] ?? ''
  const after = /(?:directory|gefunden|ENOENT)[^'"]*['"]([^'"\s]+)['"]/i.exec(line)?.[1]
  const quoted = /[`'"‘„]([^`'"’“\s]+)[`'"’“]\s*$/.exec(before)?.[1] ?? after
  const parts = before.split(/:\s+|\s+/).map((part) => part.replace(/^['"‘„(]+|['"’“):,]+$/g, ''))
  return [...parts.filter((part) => library.test(part)), ...lastPart(before), ...(quoted === undefined ? [] : [quoted])]
}

/** `make: pandoc: No such file`: the part before the reason, if it is one word. */
function lastPart(before: string): readonly string[] {
  const last = before
    .split(':')
    .map((part) => part.trim())
    .findLast((part) => part !== '')
  return last === undefined || /\s|^\[/.test(last) ? [] : [last.replace(/^['"‘„]+|['"’“]+$/g, '')]
}

function named(command: string, name: string): boolean {
  return command.split(/[^\w+.-]+/).includes(name)
}
