// The help of `--yes` names the git commands of the policy, which is in another package.
import { expect, test } from 'vitest'
import { yesHelp } from '../packages/cli/src/run/yes-option.ts'
import { reasonFor } from '../packages/runtime/src/policy/shell/programs.ts'
import { projectRows } from '../packages/runtime/src/policy/shell/project-programs.ts'

const text = yesHelp.replace(/\s+/g, ' ')

const rows = projectRows.flatMap((row) => (row.words.startsWith('git ') ? [{ name: row.words.slice('git '.length), more: row.more }] : []))
const between = (before: string, after: string) => text.split(before)[1]?.split(after)[0]?.split(', ') ?? []

test('the git commands without a warning are those of the table', () => {
  expect(between('have no warning: ', ';')).toEqual(rows.filter(({ more }) => more === 'any').map(({ name }) => name))
  const listing = rows.filter(({ more }) => more === 'none').map(({ name }) => name)
  expect(text).toContain(`; and ${listing.slice(0, -1).join(', ')} and ${listing.at(-1)} to list.`)
})

test.each([
  ['changes remotes (', 'connects to other machines or changes remotes.'],
  ['files or history (', 'can change or remove files or history.'],
  ['run other programs (', 'can run other programs.'],
])('the git commands after "%s" are those with that reason', (before, reason) => {
  const names = between(before, ')').map((name) => name.replace(' with an argument', ''))
  const known = names.filter((name) => reasonFor('git', name) === reason)
  expect([known, names.length > 5]).toEqual([names, true])
})
