// Folders of the server stay small, files stay short, and src contains only the product and its tests.
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { expect, test } from 'vitest'

const filesAtMost = 25
const linesAtMost = 400

const src = `${import.meta.dirname}/../src`
const files = globSync('**/*.ts', { cwd: src }).map((file) => file.replaceAll('\\', '/'))
const product = files.filter((file) => !file.endsWith('.test.ts'))

test(`no folder has more than ${filesAtMost} product files`, () => {
  const folders = Map.groupBy(product, (file) => dirname(file))
  expect([...folders].flatMap(([folder, inside]) => (inside.length > filesAtMost ? [[folder, inside.length]] : []))).toEqual([])
  expect(folders.size).toBeGreaterThan(20)
})

test(`no file has more than ${linesAtMost} lines`, () => {
  const long = files.filter((file) => readFileSync(`${src}/${file}`, 'utf8').split('\n').length > linesAtMost + 1)
  expect(long).toEqual([])
})

test('test support is in test/support', () => {
  expect(product.filter((file) => basename(file).startsWith('test-') || file.endsWith('.d.ts'))).toEqual([])
})
