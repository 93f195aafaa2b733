import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  commandEffectLine,
  fileEffectLine,
  type MarkedFolders,
  markPath,
  rewriteEffectLine,
  rewritePathList,
  showPath,
  unmarkPath,
} from './index.ts'

const mara: MarkedFolders = { workspace: '/home/mara/work', homes: ['/home/mara', '/users/mara'] }
const windows: MarkedFolders = { workspace: 'D:\\work', homes: ['C:\\Users\\Mara'] }
const rows: readonly [string, MarkedFolders, string, string][] = [
  ['/home/mara/work', mara, '$WORKSPACE', 'workspace'],
  ['/home/mara/work/a b/c.txt', mara, '$WORKSPACE/a b/c.txt', 'workspace/a b/c.txt'],
  ['/home/mara/work//a/', mara, '$WORKSPACE//a/', 'workspace//a/'],
  ['/home/mara/workshop/a', mara, '$HOME/workshop/a', '~/workshop/a'],
  ['/home/mara', mara, '$HOME', '~'],
  ['/home/maria/a', mara, '/home/maria/a', '/home/maria/a'],
  ['/etc/hosts', mara, '/etc/hosts', '/etc/hosts'],
  ['a.txt', mara, 'a.txt', 'a.txt'],
  ['', mara, '', ''],
  ['example.org:443', mara, 'example.org:443', 'example.org:443'],
  // A name that only looks like a marker is not a marker.
  ['$HOME/a', mara, '$$HOME/a', '$HOME/a'],
  ['$$WORKSPACE', mara, '$$$WORKSPACE', '$$WORKSPACE'],
  ['$HOMELAND/a', mara, '$HOMELAND/a', '$HOMELAND/a'],
  // The innermost folder wins; the workspace if both are the same.
  ['/home/mara/a', { workspace: '/home', homes: ['/home/mara'] }, '$HOME/a', '~/a'],
  ['/home/maria/a', { workspace: '/home', homes: ['/home/mara'] }, '$WORKSPACE/maria/a', 'workspace/maria/a'],
  ['/home/mara/a', { workspace: '/home/mara', homes: ['/home/mara'] }, '$WORKSPACE/a', 'workspace/a'],
  // A root, and a folder that is not known, are not marked.
  ['/etc/hosts', { workspace: '/', homes: ['/'] }, '/etc/hosts', '/etc/hosts'],
  ['/etc/hosts', { workspace: '', homes: [] }, '/etc/hosts', '/etc/hosts'],
  ['C:\\a', { workspace: 'C:\\', homes: [] }, 'C:\\a', 'C:\\a'],
  ['D:\\work\\src\\a.ts', windows, '$WORKSPACE/src/a.ts', 'workspace/src/a.ts'],
  ['C:\\Users\\Mara', windows, '$HOME', '~'],
]

test.each(rows)('%s with %o is marked as %s, shown elsewhere as %s, and unchanged here', (path, places, marked, elsewhere) => {
  expect([markPath(path, places), showPath(marked, null), unmarkPath(marked, places), showPath(marked, places)]).toEqual([
    marked,
    elsewhere,
    path,
    path,
  ])
})

test('the home folder is marked under its other path too', () => {
  expect(markPath('/users/mara/a', mara)).toBe('$HOME/a')
})

test('Windows paths are matched case-insensitively', () => {
  expect(markPath('c:\\users\\mara\\a', windows)).toBe('$HOME/a')
})

test('a marker whose folder is not known here is shown as a readable path, and stays a marker for programs', () => {
  const nowhere = { workspace: '', homes: [] }
  expect([showPath('$WORKSPACE/a', nowhere), unmarkPath('$WORKSPACE/a', nowhere)]).toEqual(['workspace/a', '$WORKSPACE/a'])
})

const piece = fc.constantFrom('/', 'a', ' in ', '$', 'HOME', 'WORKSPACE', 'home', 'mara', 'work', '/home/mara', '/home/mara/work', '..')
const text = fc.array(fc.oneof({ arbitrary: piece, weight: 4 }, fc.string({ maxLength: 3 })), { maxLength: 8 }).map((all) => all.join(''))
const folder = fc.array(fc.constantFrom('home', 'mara', 'work', 'a'), { maxLength: 4 }).map((names) => `/${names.join('/')}`)
const places = fc.record({ workspace: fc.oneof(folder, fc.constant('')), homes: folder.map((home) => [home]) })

test('unmarking returns the original path, and no two paths have the same marked form', () => {
  fc.assert(
    fc.property(text, places, (path, at) => {
      expect(unmarkPath(markPath(path, at), at)).toBe(path)
    }),
  )
})

test('a marked path never begins with the workspace or the home folder', () => {
  fc.assert(
    fc.property(text, places, (path, at) => {
      const marked = markPath(path, at)
      const named = [at.workspace, ...at.homes].filter((one) => one.length > 1)
      expect(named.filter((one) => marked === one || marked.startsWith(`${one}/`))).toEqual([])
    }),
  )
})

test('in the lines of an approval only the paths are rewritten', () => {
  const show = (path: string) => showPath(path, mara)
  const mark = (path: string) => markPath(path, mara)
  expect(rewriteEffectLine(fileEffectLine('write', mark('/home/mara/work/a')), show)).toBe('write /home/mara/work/a')
  const command = 'ls $HOME/x in /home/mara/work'
  expect(commandEffectLine(command, mark('/home/mara/work'))).toBe(`run ${command} in $WORKSPACE`)
  expect(rewriteEffectLine(commandEffectLine(command, '$WORKSPACE'), show)).toBe(`run ${command} in /home/mara/work`)
  for (const line of ['send to example.org', 'end process 7', 'change its own records', 'run it'])
    expect(rewriteEffectLine(line, show)).toBe(line)
  expect(rewritePathList('$WORKSPACE and $HOME/notes: 3 files, all of them', show)).toBe(
    '/home/mara/work and /home/mara/notes: 3 files, all of them',
  )
  expect(rewritePathList('What lies in $HOME/a, /opt/$HOME/b, $HOMELAND', show)).toBe('What lies in /home/mara/a, /opt/$HOME/b, $HOMELAND')
})

test('rewriting a line does not change its command', () => {
  fc.assert(
    fc.property(text, places, (command, at) => {
      const line = commandEffectLine(command, markPath('/home/mara/work/sub', at))
      expect(rewriteEffectLine(line, (path) => unmarkPath(path, at))).toBe(commandEffectLine(command, '/home/mara/work/sub'))
    }),
  )
})
