// The documents list everything that exists.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { problemCodes, problems } from '@tandem/contract/problem'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const text = (name: string) => readFileSync(join(root, 'docs', name), 'utf8')

test('the protocol document has every problem code with its status', () => {
  const errors = text('protocol.md').split('## Errors')[1]?.split('## Lists')[0] ?? ''
  const told = [...errors.matchAll(/^\| ([\d, ]+) \| ([^|]+) \|/gm)].flatMap(([, statuses = '', codes = '']) =>
    [...codes.matchAll(/`([a-z_]+)`/g)].map(([, code = '']) => [code, statuses.split(', ').map(Number)] as const),
  )
  expect(told.map(([code]) => code).toSorted()).toEqual([...problemCodes].toSorted())
  const status = (code: string) => Object.entries(problems).find(([name]) => name === code)?.[1].status ?? 0
  expect(told.filter(([code, statuses]) => !statuses.includes(status(code)))).toEqual([])
})

test('every benchmark has its line', () => {
  const benches = readdirSync(join(root, 'bench')).filter((name) => name.endsWith('.bench.ts'))
  const listed = [...text('benchmarks.md').matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name]) => `${name}.bench.ts`)
  expect(listed.toSorted()).toEqual(benches.toSorted())
})
