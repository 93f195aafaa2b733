import fc from 'fast-check'
import { expect, test } from 'vitest'
import { namesFrom } from './folder-pages.ts'

/** A folder whose listing changes: `change` runs before each request. */
function folderOf(names: readonly string[], change: (names: Set<string>, request: number) => void = () => undefined) {
  const all = new Set(names)
  const requests: [offset: number, limit: number][] = []
  return {
    all,
    requests,
    async read(offset: number, limit: number): Promise<string[]> {
      change(all, requests.length)
      requests.push([offset, limit])
      return [...all].sort().slice(offset, offset + limit)
    },
  }
}

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `u${String(n).padStart(6, '0')}`)
const listed = (first: string, folder: ReturnType<typeof folderOf>, rows?: number) => Array.fromAsync(namesFrom(first, folder.read, rows))

test('from the beginning, every page is read once', async () => {
  const folder = folderOf(numbered(2_500))
  expect(await listed('', folder)).toEqual(numbered(2_500))
  expect(folder.requests).toEqual([
    [0, 1_000],
    [999, 1_000],
    [1_998, 1_000],
  ])
})

test('a listing that continues near the end does not read what comes before', async () => {
  const names = numbered(200_000)
  const folder = folderOf(names)
  const from = names[150_500] ?? ''
  const next = namesFrom(from, folder.read)
  expect((await next.next()).value).toBe(from)
  expect(folder.requests.filter(([, limit]) => limit === 1_000).length).toBeLessThanOrEqual(2)
  expect(folder.requests.length).toBeLessThan(25)
  expect(folder.requests.reduce((sum, [, limit]) => sum + limit, 0)).toBeLessThan(3_000)
})

test('a name that no longer exists, or comes after all, is a place to continue from', async () => {
  expect(await listed('u000003x', folderOf(numbered(6)), 2)).toEqual(['u000004', 'u000005'])
  expect(await listed('v', folderOf(numbered(6)), 2)).toEqual([])
  expect(await listed('u', folderOf([]), 2)).toEqual([])
})

test('a removal between two pages hides no name that remains', async () => {
  // The sweep removes the folders that it has seen: those that follow move to lower offsets.
  const names = numbered(20)
  const folder = folderOf(names)
  const seen: string[] = []
  for await (const name of namesFrom('', folder.read, 4)) {
    seen.push(name)
    folder.all.delete(name)
  }
  expect(seen).toEqual(names)
})

test('names of others are passed on and never stop the listing', async () => {
  const others = ['.emptyFolderPlaceholder', '.other', 'Upper', 'Zebra', '_a', '_b', '_c', '~']
  const folder = folderOf([...others, ...numbered(9)])
  const names = await listed('', folder, 2)
  expect(names.filter((name) => name.startsWith('u'))).toEqual(numbered(9))
  expect(new Set(names)).toEqual(new Set([...others, ...numbered(9)]))
  expect((await listed('u000004', folder, 2)).filter((name) => name.startsWith('u'))).toEqual(numbered(9).slice(4))
})

test('every name that exists all the time is listed once, whatever appears and vanishes meanwhile', async () => {
  const name = fc.stringMatching(/^[0-9a-f]{3}$/)
  const changes = fc.array(fc.record({ add: fc.array(name, { maxLength: 6 }), remove: fc.array(fc.nat(200), { maxLength: 12 }) }), {
    maxLength: 30,
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(name, { maxLength: 80 }),
      changes,
      fc.option(name, { nil: '' }),
      fc.integer({ min: 2, max: 7 }),
      async (names, rounds, first, rows) => {
        const always = new Set(names)
        const folder = folderOf(names, (all, request) => {
          const { add = [], remove = [] } = rounds[request] ?? {}
          for (const index of remove) {
            const gone = [...all].sort()[index]
            if (gone === undefined) continue
            all.delete(gone)
            always.delete(gone)
          }
          for (const one of add) all.add(one)
        })
        const found = await listed(first, folder, rows)
        expect(found).toEqual([...new Set(found)].sort())
        expect(found.filter((one) => one < first)).toEqual([])
        expect([...always].filter((one) => one >= first && !found.includes(one))).toEqual([])
      },
    ),
    { numRuns: 500 },
  )
})
