// The rules of .gitignore and .ignore files, as in git: the last matching rule decides, and a deeper file has precedence.
import type { ScopedFiles } from '../../call/files.ts'

export interface IgnoreRules {
  /** `path` is relative to the folder of the rules. `undefined` if no rule matches. */
  ignores(path: string, kind: 'file' | 'directory'): boolean | undefined
}

type CompilePattern = ScopedFiles['pattern']

interface Rule {
  readonly ignored: boolean
  readonly foldersOnly: boolean
  matches(path: string): boolean
}

export function readIgnoreRules(text: string, compile: CompilePattern): IgnoreRules {
  const rules = text.split(/\r?\n/).flatMap((line) => readRule(line, compile))
  return {
    ignores(path, kind) {
      return rules.findLast((rule) => (!rule.foldersOnly || kind === 'directory') && rule.matches(path))?.ignored
    },
  }
}

/** Without trailing spaces, unless a backslash before them makes them part of the pattern. */
function withoutEnd(line: string): string {
  const text = line.trimEnd()
  return text.endsWith('\\') && text.length < line.length ? `${text} ` : text
}

function readRule(line: string, compile: CompilePattern): Rule[] {
  const text = withoutEnd(line)
  if (text === '' || text.startsWith('#')) return []
  const ignored = !text.startsWith('!')
  const body = ignored ? text.replace(/^\\([#!])/, '$1') : text.slice(1)
  const foldersOnly = body.endsWith('/')
  const path = foldersOnly ? body.slice(0, -1) : body
  const anchored = path.includes('/')
  // Braces are literal here, and "a/**" matches what is in "a", not "a" itself.
  const plain = path
    .replace(/^\//, '')
    .replace(/[{}]/g, '\\$&')
    .replace(/\/\*\*$/, '/**/*')
  const glob = compile(anchored ? plain : `**/${plain}`)
  return glob && plain !== '' ? [{ ignored, foldersOnly, matches: glob.matches }] : []
}
