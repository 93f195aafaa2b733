// Calls that only find something out, so that nothing depends on them. Pure.
import { rowFor } from '../../policy/shell/program-table.ts'
import { interpreters } from '../../policy/shell/programs.ts'
import type { FailureFact } from './failures.ts'

type Asked = Pick<FailureFact, 'tool' | 'program' | 'words'>

const reading = /^(?:fs\.(?:read|list|search)|process\.list|time\.|web\.|kb\.|memory\.|todo\.)/
const looking: readonly (string | undefined)[] = 'show list status info describe get view ls log inspect search help version'.split(' ')

/** By the tables of the policy, or by a word that means the same for most programs. */
export function isLookup({ tool, program, words }: Asked): boolean {
  if (program === null) return reading.test(tool ?? '')
  const known = rowFor([program, ...words])
  return (
    (known !== null && !known.row.bound && !known.row.creates) ||
    looking.includes(words.find((word) => !word.startsWith('-'))) ||
    (program === 'git' && looking.includes(words[1]))
  )
}

/** Code that the agent wrote into the command to find something out. */
export function isOneLiner({ program, words }: Asked): boolean {
  return program !== null && (interpreters.includes(program) || program === 'jq') && words.some((word) => /[\s(]/.test(word))
}
