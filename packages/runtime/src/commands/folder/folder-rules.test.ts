import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { expandHome } from '../workspace.ts'
import { defaultFolder, type FolderFacts } from './default-folder.ts'
import { distinctNames } from './distinct-names.ts'
import { offeredFolders } from './used-folders.ts'

const facts: FolderFacts = { started: '/work/app', started_at: 100, recent: [], userHome: '/home/ada' }
const used = (path: string, used_at: number) => ({ path, used_at })

test.each<[string, Partial<FolderFacts>, string]>([
  ['the folder it was started in', {}, '/work/app'],
  ['until another one is used', { recent: [used('/work/other', 150)] }, '/work/other'],
  ['one that was used before the start comes later', { recent: [used('/work/other', 50)] }, '/work/app'],
  ["started in Tandem's own program: the last used one", { started: null, recent: [used('/work/other', 50)] }, '/work/other'],
  ['started in the home folder: the last used one', { started: '/home/ada', recent: [used('/work/other', 50)] }, '/work/other'],
  ['never the home folder or the whole disk', { started: '/', recent: [used('/home/ada', 150), used('/', 140)] }, '/home/ada/Tandem'],
  ['nothing was used yet', { started: null }, '/home/ada/Tandem'],
])('a new conversation starts in %s', (_rule, given, expected) => {
  expect(defaultFolder({ ...facts, ...given })).toBe(expected)
})

test("Tandem's own program is offered only if the user chose it, and its data never", () => {
  const paths = ['/work/app', '/opt/tandem', '/opt/tandem/docs', '/home/ada/.tandem/copies/1']
  const offered = (is_chosen: boolean) =>
    offeredFolders(
      paths.map((path) => ({ path, used_at: 1, conversations: 1, is_chosen })),
      { home: '/home/ada/.tandem', program: '/opt/tandem' },
    ).map(({ path }) => path)
  expect([offered(false), offered(true)]).toEqual([['/work/app'], ['/work/app', '/opt/tandem', '/opt/tandem/docs']])
})

test.each([
  ['~', '/home/ada'],
  ['~/x y', '/home/ada/x y'],
  ['~bob/x', '~bob/x'],
  ['/a/~', '/a/~'],
  ['x', 'x'],
])('%s is %s', (typed, path) => {
  expect(expandHome(typed, '/home/ada')).toBe(path)
})

const path = fc.array(fc.constantFrom('a', 'b', 'app'), { maxLength: 4 }).map((parts) => `/${parts.join('/')}`)

test('two different folders never have the same short name', () => {
  expect(distinctNames('/w/x/app', '/w/y/app')).toEqual({ from: 'x/app', to: 'y/app' })
  expect(distinctNames('/x/one', '/y/two')).toEqual({ from: 'one', to: 'two' })
  fc.assert(
    fc.property(path, path, (left, right) => {
      fc.pre(left !== right)
      const { from, to } = distinctNames(left, right)
      expect(from).not.toBe(to)
    }),
  )
})
