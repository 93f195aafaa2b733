// Every text of the window can be translated: a new module in strings/ that does not pass its texts through `translated` fails here.
import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, expect, test, vi } from 'vitest'
import { isTranslated } from './translate.ts'

/** They have no texts: a locale, a function for numbers, and the name of a key. */
const withoutTexts = ['count.ts', 'keys.ts', 'locale.ts']

const modules = readdirSync(new URL('../strings', import.meta.url))
  .filter((name) => !name.endsWith('.test.ts') && !withoutTexts.includes(name))
  .map((name) => name.slice(0, -3))

const exportsOf = async (name: string): Promise<readonly [string, unknown][]> => Object.entries(await import(`../strings/${name}.ts`))

test.each(modules)('all texts of %s pass through `translated`', async (name) => {
  const found = await exportsOf(name)
  expect(found.length).toBeGreaterThan(0)
  expect(found.filter(([, value]) => !isTranslated(value)).map(([key]) => key)).toEqual([])
})

test('no two modules have the same name', () => {
  const names = modules.flatMap((name) =>
    [...readFileSync(new URL(`../strings/${name}.ts`, import.meta.url), 'utf8').matchAll(/translated\('([^']+)'/g)].map(([, used]) => used),
  )
  expect(names.length).toBeGreaterThanOrEqual(modules.length)
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted())
})

afterEach(() => vi.unstubAllGlobals())

test('in the pseudo-locale every text of every module is in brackets', async () => {
  vi.resetModules()
  vi.stubGlobal('document', { documentElement: {} })
  vi.stubGlobal('localStorage', { getItem: () => 'en-XA' })
  const texts: string[] = []
  for (const name of modules) for (const [key, value] of await exportsOf(name)) collect(`${name} ${key}`, value, texts)
  expect(texts.length).toBeGreaterThan(500)
  expect(texts.filter((text) => /\p{L}/u.test(text.slice(text.indexOf(': ') + 2)) && !/: ⟦.*⟧$/s.test(text))).toEqual([])
})

function collect(place: string, value: unknown, into: string[]): void {
  if (typeof value === 'string') into.push(`${place}: ${value}`)
  else if (typeof value === 'object' && value !== null)
    for (const [key, part] of Object.entries(value)) collect(`${place}.${key}`, part, into)
}
