// The languages script.run knows, and what runs them.
import { findProgram } from '../../path/program.ts'

export interface ScriptLanguage {
  /** Tried in this order. */
  readonly programs: readonly string[]
  readonly extension: string
  readonly env?: Readonly<Record<string, string>>
}

export const languages = {
  bash: { programs: ['bash'], extension: 'sh' },
  sh: { programs: ['sh'], extension: 'sh' },
  // Unbuffered, or nothing is seen before the end.
  python3: { programs: ['python3', 'python'], extension: 'py', env: { PYTHONUNBUFFERED: '1' } },
  node: { programs: ['node'], extension: 'mjs' },
  ruby: { programs: ['ruby'], extension: 'rb' },
  perl: { programs: ['perl'], extension: 'pl' },
  php: { programs: ['php'], extension: 'php' },
  deno: { programs: ['deno'], extension: 'ts' },
} as const satisfies Record<string, ScriptLanguage>

export type LanguageName = keyof typeof languages

export const languageNames = Object.keys(languages) as readonly LanguageName[]

/** Where its program lies, or null when none is installed. */
export function programOf(name: LanguageName, path = process.env.PATH ?? ''): string | null {
  const { programs }: ScriptLanguage = languages[name]
  // We run on a Node ourselves: it is there even where none is on PATH.
  return findProgram(programs, path) ?? (name === 'node' ? process.execPath : null)
}
