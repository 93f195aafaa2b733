// Exit codes that are results: a search that finds nothing, files that differ, findings of a linter. Pure.
import { lineRules } from './error-lines.ts'
import { isLookup, isOneLiner } from './lookup.ts'

export interface EndedCommand {
  readonly program: string | null
  readonly words: readonly string[]
  readonly exit_code: number | null
  readonly timed_out: boolean
  readonly output: string
  readonly lines: readonly string[]
  readonly condition: string | null
}

interface ExpectedRow {
  readonly programs: string
  /** Words that the command must begin with. */
  readonly words?: readonly string[]
  readonly exit_code: number
  readonly reason: string
}

export const expectedRows: readonly ExpectedRow[] = [
  { programs: 'grep egrep fgrep zgrep rg ag ack', exit_code: 1, reason: 'The search found nothing.' },
  { programs: 'git', words: ['grep'], exit_code: 1, reason: 'The search found nothing.' },
  { programs: 'pgrep pidof which type lsof', exit_code: 1, reason: 'There is no such process or program.' },
  { programs: 'diff cmp colordiff', exit_code: 1, reason: 'The files differ.' },
  { programs: 'git', words: ['diff'], exit_code: 1, reason: 'The files differ.' },
  { programs: 'test [ [[', exit_code: 1, reason: 'The condition does not hold.' },
  { programs: 'git', words: ['merge-base'], exit_code: 1, reason: 'The condition does not hold.' },
  { programs: 'git', words: ['check-ignore'], exit_code: 1, reason: 'The condition does not hold.' },
  { programs: 'git', words: ['config'], exit_code: 1, reason: 'The setting does not exist.' },
  {
    programs: 'eslint flake8 pylint ruff shellcheck stylelint markdownlint yamllint hadolint standard oxlint prettier black isort biome',
    exit_code: 1,
    reason: 'The linter has findings.',
  },
]

const programErrors = lineRules.filter(({ name }) => ['exception', 'shell', 'program', 'curl'].includes(name))
const warning = /\b(?:warnings?|warnung(?:en)?|hinweise?)\b/i
const nothingWorse = /\b(?:errors?|fehler|failed|failure|fatal|exception|traceback|fehlgeschlagen|denied|refused|not found|cannot|stop)\b/i
const noErrors = /\b(?:0|no|keine) (?:errors?|fehler)\b/gi

export function isExpected({ program, words, exit_code, timed_out, output, lines, condition }: EndedCommand): boolean {
  if (exit_code === null || timed_out) return false
  if (lines.some((line) => programErrors.some(({ pattern }) => pattern.test(line)))) return false
  const row = expectedRows.find(
    (one) =>
      one.exit_code === exit_code &&
      program !== null &&
      one.programs.split(' ').includes(program) &&
      (one.words ?? []).every((word, at) => words[at] === word),
  )
  if (row !== undefined) return true
  if (condition !== null) return false
  return (
    (exit_code === 1 && (isSilentAnswer({ program, words }, output) || hasOnlyWarnings(output))) ||
    (exit_code <= 3 && hasOnlyFindings(output))
  )
}

/** Programs that answer a question with their exit code when they are asked to print nothing. */
const answering: readonly (string | null)[] = ['git', 'jq', 'systemctl', 'docker', 'dpkg', 'ss', 'kill', 'nc', 'tmux', 'id', 'getent']

/** A call that only finds something out answers with its exit code; jq also prints what it tested. */
function isSilentAnswer(asked: { readonly program: string | null; readonly words: readonly string[] }, output: string): boolean {
  if (!/^(?:\s|null|false)*$/.test(output) || asked.program === null) return false
  return answering.includes(asked.program) || isLookup({ tool: null, ...asked }) || isOneLiner({ tool: null, ...asked })
}

const finding = /^\s*\S+:\d+(?::\d+)?:? +\S/
const summary = /^\s*(?:\S+ )?\d+ \S+/

/** A check of a project lists places and what it found there. */
function hasOnlyFindings(output: string): boolean {
  const lines = output
    .slice(0, 20_000)
    .split('\n')
    .filter((line) => line.trim() !== '')
  const places = lines.filter((line) => finding.test(line)).length
  if (places === 0 || nothingWorse.test(output.slice(0, 20_000).replaceAll(noErrors, ''))) return false
  return lines.every((line) => finding.test(line) || summary.test(line))
}

/** Checks of a project report warnings with an exit code of 1 as well. */
function hasOnlyWarnings(output: string): boolean {
  const text = output.slice(0, 20_000)
  return warning.test(text) && !nothingWorse.test(text.replaceAll(noErrors, ''))
}
