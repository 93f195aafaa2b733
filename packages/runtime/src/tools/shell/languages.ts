// The languages of script.run, and the programs that run them.
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
  // Unbuffered, so that output is visible before the end.
  python3: { programs: ['python3', 'python'], extension: 'py', env: { PYTHONUNBUFFERED: '1' } },
  node: { programs: ['node'], extension: 'mjs' },
  ruby: { programs: ['ruby'], extension: 'rb' },
  perl: { programs: ['perl'], extension: 'pl' },
  php: { programs: ['php'], extension: 'php' },
  deno: { programs: ['deno'], extension: 'ts' },
} as const satisfies Record<string, ScriptLanguage>

export type LanguageName = keyof typeof languages

export const languageNames = Object.keys(languages) as readonly LanguageName[]

/** The path of its program, or null if none is installed. */
export function programOf(name: LanguageName, path = process.env.PATH ?? ''): string | null {
  const { programs }: ScriptLanguage = languages[name]
  // Tandem itself runs on Node, so it is available even if it is not on PATH.
  return findProgram(programs, path) ?? (name === 'node' ? process.execPath : null)
}
