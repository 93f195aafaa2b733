// The entries of git's configuration, in the files that it reads and all files that these include.
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

export interface GitConfigEntry {
  /** In lower case: `core`, `include`. */
  readonly section: string
  /** In lower case. */
  readonly name: string
  readonly value: string
}

/** Those of the user and of the machine, which apply to every repository. */
export function commonGitConfigs(): readonly string[] {
  return [join(homedir(), '.gitconfig'), join(homedir(), '.config/git/config'), '/etc/gitconfig']
}

/** Where a path in a configuration leads; relative paths are in the folder. */
export function gitConfigPath(value: string, folder: string): string {
  return value.startsWith('~/') ? join(homedir(), value.slice(2)) : resolve(folder, value)
}

/** The files that the entries of a configuration file include. Conditions are not evaluated: they can become true. */
export function includedGitConfigs(entries: readonly GitConfigEntry[], file: string): readonly string[] {
  return entries
    .filter(({ section, name, value }) => ['include', 'includeif'].includes(section) && name === 'path' && value !== '')
    .map(({ value }) => gitConfigPath(value, dirname(file)))
}

export interface ReadGitConfig {
  readonly entries: readonly GitConfigEntry[]
  /** All included files, also those that do not exist. */
  readonly included: readonly string[]
}

export function readGitConfig(files: readonly string[]): ReadGitConfig {
  const entries: GitConfigEntry[] = []
  const queue = [...new Set(files)]
  for (let at = 0; at < queue.length; at += 1) {
    const file = queue[at] ?? ''
    const found = gitConfigEntries(textOf(file))
    entries.push(...found)
    for (const one of includedGitConfigs(found, file)) if (!queue.includes(one)) queue.push(one)
  }
  return { entries, included: queue.slice(new Set(files).size) }
}

const sectionHeader = /\[([^\]\s"]*)[ \t]*(?:"(?:[^"\\\n]|\\.)*"[ \t]*)?\]/y
const entryName = /([A-Za-z][\w-]*)[ \t]*(=?)/y

/** Lines that git would refuse are skipped. */
export function gitConfigEntries(text: string): readonly GitConfigEntry[] {
  const source = text.replaceAll('\r\n', '\n').replace(/^\ufeff/, '')
  const entries: GitConfigEntry[] = []
  let section = ''
  let at = 0
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at
    const found = pattern.exec(source)
    if (found) at = pattern.lastIndex
    return found
  }
  while (at < source.length) {
    const header = match(sectionHeader)
    const entry = header ? null : match(entryName)
    if (header) section = (header[1] ?? '').replace(/\..*/, '').toLowerCase()
    else if (entry) {
      const [, name = '', equals] = entry
      const { value, end } = equals === '=' ? readValue(source, at) : { value: '', end: at }
      entries.push({ section, name: name.toLowerCase(), value })
      at = end
    } else if (/\s/.test(source.charAt(at))) at += 1
    else at = lineEnd(source, at)
  }
  return entries
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b' }

/** Until the end of the line, which a backslash before it continues. */
function readValue(source: string, from: number): { readonly value: string; readonly end: number } {
  let value = ''
  let kept = 0
  let quoted = false
  let at = from
  for (; at < source.length && source.charAt(at) !== '\n'; at += 1) {
    const letter = source.charAt(at)
    if (letter === '"') quoted = !quoted
    else if (letter === '\\') {
      at += 1
      const next = source.charAt(at)
      if (next !== '\n') value += escapes[next] ?? next
    } else if (!quoted && (letter === '#' || letter === ';')) {
      at = lineEnd(source, at)
      break
    } else if (quoted || value !== '' || !/\s/.test(letter)) value += letter
    // Spaces at the end do not count, unless they are quoted.
    if (quoted || !/\s/.test(letter)) kept = value.length
  }
  return { value: value.slice(0, kept), end: at }
}

function lineEnd(source: string, from: number): number {
  const end = source.indexOf('\n', from)
  return end < 0 ? source.length : end
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // Missing, or not a file: it contains nothing.
    return ''
  }
}
