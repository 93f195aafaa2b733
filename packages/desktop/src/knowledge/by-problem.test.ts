import type { DocumentProblem, DocumentRow } from '@tandem/contract/knowledge'
import { expect, test } from 'vitest'
import { byProblem } from './by-problem.ts'

const row = (name: string, problem: DocumentProblem | null): DocumentRow => ({
  ...{ document_id: name, name, path: `/docs/${name}`, format: null, bytes: 1, passages: 0, problem, detail: null },
})

test('files are grouped by reason, in one order, each in the order of the list', () => {
  const rows = [row('z.pdf', 'damaged'), row('.env', 'secret'), row('a.md', null), row('b.pdf', 'damaged')]
  expect(byProblem(rows)).toEqual([
    { problem: 'secret', files: [rows[1]] },
    { problem: 'damaged', files: [rows[0], rows[3]] },
  ])
})

test('no reasons, no groups', () => {
  expect(byProblem([])).toEqual([])
  expect(byProblem([row('a.md', null)])).toEqual([])
})
