// Documents that list names of the contract list all of them.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runtimeCommandNames } from '../src/command/index.ts'

const decision = readFileSync(new URL('../../../docs/decisions/0020-the-commands-of-the-desktop.md', import.meta.url), 'utf8')

test('decision 0020 names every command of the desktop, and no other', () => {
  const table = decision.split('\n').filter((line) => line.startsWith('| ') && line.includes('`'))
  const named = table.flatMap((line) => [...line.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name))
  expect(named.filter((name) => name !== 'agent_run_resume').toSorted()).toEqual([...runtimeCommandNames].toSorted())
})
