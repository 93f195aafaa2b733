import type { DocumentProblem, DocumentRow } from '@tandem/contract/knowledge'
import { expect, test } from 'vitest'
import { byProblem } from './by-problem.ts'

const row = (name: string, problem: DocumentProblem | null, detail: string | null = null): DocumentRow => ({
  ...{ document_id: name, name, path: `/docs/${name}`, format: null, bytes: 1, passages: 0, problem, detail },
})

test('files are grouped by reason, in one order, each in the order of the list', () => {
  const inPart = row('book.pdf', null, 'Page 3 could not be read.')
  const rows = [row('z.pdf', 'damaged'), inPart, row('.env', 'secret'), row('a.md', null), row('b.pdf', 'damaged')]
  expect(byProblem(rows)).toEqual([
    { problem: 'secret', files: [rows[2]] },
    { problem: 'damaged', files: [rows[0], rows[4]] },
    { problem: 'in_part', files: [inPart] },
  ])
})

test('no reasons, no groups', () => {
  expect(byProblem([])).toEqual([])
  expect(byProblem([row('a.md', null)])).toEqual([])
})
