// Reads variables one by one and collects all problems instead of stopping at the first.
import type { ConfigProblem } from './problem.ts'
import type { Environment, Variable } from './variables.ts'

export interface VariableReader {
  readonly problems: readonly ConfigProblem[]
  readonly notes: readonly string[]
  /** The value, or undefined if unset, empty or invalid (which is recorded as a problem). */
  text(name: Variable): string | undefined
  /** Like `text`, but its absence is a problem. */
  required(name: Variable, remedy: string): string | undefined
  choice<const Names extends readonly string[]>(name: Variable, names: Names, fallback: Names[number]): Names[number]
  integer(name: Variable, range: { min: number; max: number }, fallback: number): number
  problem(variable: Variable, code: ConfigProblem['code'], cause: string, remedy: string): undefined
  /** Set, but not used: an ignored setting misleads. */
  unused(names: readonly Variable[], cause: string): void
  note(line: string): void
}

export function createReader(env: Environment): VariableReader {
  const problems: ConfigProblem[] = []
  const notes: string[] = []

  const reader: VariableReader = {
    problems,
    notes,
    text(name) {
      const value = env[name]
      if (value === undefined || value === '') return undefined
      if (value.trim() === '') return reader.problem(name, 'malformed', 'contains only white space', 'set it or remove it')
      if (value !== value.trim()) {
        return reader.problem(name, 'malformed', 'begins or ends with white space', 'remove the white space or line break')
      }
      if (hasControlCharacter(value)) {
        return reader.problem(name, 'malformed', 'contains a control character', 'set it on one line, without control characters')
      }
      return value
    },
    required(name, remedy) {
      const value = reader.text(name)
      const alreadyReported = problems.some((problem) => problem.variable === name)
      if (value === undefined && !alreadyReported) return reader.problem(name, 'missing', 'is not set', remedy)
      return value
    },
    choice(name, names, fallback) {
      const value = reader.text(name)
      if (value === undefined) return fallback
      const known = names.find((candidate) => candidate === value)
      if (known === undefined) reader.problem(name, 'malformed', `is not one of ${names.join(', ')}`, 'choose one of these')
      return known ?? fallback
    },
    integer(name, { min, max }, fallback) {
      const value = reader.text(name)
      if (value === undefined) return fallback
      const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
      if (number >= min && number <= max) return number
      reader.problem(name, 'malformed', `is not a whole number from ${min} to ${max}`, 'use digits only')
      return fallback
    },
    problem(variable, code, cause, remedy) {
      problems.push({ variable, code, cause, remedy })
      return undefined
    },
    unused(names, cause) {
      for (const name of names) {
        if (reader.text(name) !== undefined) reader.problem(name, 'refused', cause, `remove ${name}`)
      }
    },
    note(line) {
      notes.push(line)
    },
  }
  return reader
}

function hasControlCharacter(value: string): boolean {
  for (const character of value) {
    const code = character.codePointAt(0) ?? 0
    if (code < 0x20 || code === 0x7f) return true
  }
  return false
}
