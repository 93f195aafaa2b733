import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { callShapes, templateOf } from './call-shape.ts'

const workspace = '/home/ada/tide-clock'
const shapes = (tool: string, args: unknown) => callShapes(tool, JSON.stringify(args), workspace).map(({ shape }) => shape)
const effects = (tool: string, args: unknown) => callShapes(tool, JSON.stringify(args), workspace).map(({ effectful }) => effectful)

describe('commands: the program and its subcommand', () => {
  test.each([
    ['npm test', ['shell.exec npm test']],
    ['npm test -- --silent', ['shell.exec npm test']],
    [`cd ${workspace} && npm test 2>&1`, ['shell.exec npm test']],
    ['CI=1 NODE_ENV=test npm test > out.txt', ['shell.exec npm test']],
    ['npm run build', ['shell.exec npm run build']],
    ['git tag -a v1.2.0 -m "tide-clock 1.2.0"', ['shell.exec git tag']],
    ['git add . && git commit -m "Release 1.2.0"', ['shell.exec git add', 'shell.exec git commit']],
    ['tar -czf backups/tide-clock-2026-05-08.tar.gz data', ['shell.exec tar -czf']],
    ['tar -tzf backups/tide-clock-2026-05-08.tar.gz | wc -l', ['shell.exec tar -tzf']],
    ['node scripts/report-7.js', ['shell.exec node scripts/*.js']],
    ['python3.12 tools/sum.py 4', ['shell.exec python tools/*.py']],
    ['cd elsewhere', ['shell.exec']],
  ])('%s', (command, expected) => {
    expect(shapes('shell.exec', { command })).toEqual(expected)
  })
})

describe('other calls: folders, endings and hosts', () => {
  test.each<[string, unknown, string]>([
    ['fs.edit', { path: 'CHANGELOG.md', edits: [{ old: 'a', new: 'b' }] }, 'fs.edit CHANGELOG.md'],
    ['fs.edit', { path: `${workspace}/CHANGELOG.md` }, 'fs.edit CHANGELOG.md'],
    ['fs.write', { path: 'reports/2026-W19.md', content: 'x' }, 'fs.write reports/*.md'],
    ['fs.move', { from: 'inbox/a.txt', to: 'archive/2026-05/a.txt' }, 'fs.move inbox/*.txt archive/*.txt'],
    ['fs.list', { path: '.' }, 'fs.list .'],
    ['fs.read', { path: '/etc/hosts' }, 'fs.read /etc/*'],
    ['http.request', { method: 'GET', url: 'https://Staging.example:8443/health?x=1' }, 'http.request staging.example'],
    ['mcp.calendar.add_event', { day: '2026-05-01', title: 'Choir' }, 'mcp.calendar.add_event'],
    ['script.run', { language: 'python', source: 'print(1)' }, 'script.run'],
  ])('%s %j', (tool, args, expected) => {
    expect(shapes(tool, args)).toEqual([expected])
  })

  test('arguments that are not JSON count as none', () => {
    expect(callShapes('fs.write', '{"path": "a', workspace)).toEqual([{ shape: 'fs.write', effectful: true }])
    expect(callShapes('fs.write', '[1]', workspace)).toEqual([{ shape: 'fs.write', effectful: true }])
  })
})

test.each<[string, unknown, boolean]>([
  ['fs.read', { path: 'a' }, false],
  ['fs.list', { path: '.' }, false],
  ['web.fetch', { url: 'https://a.example/' }, false],
  ['mcp.calendar.list_events', {}, false],
  ['todo.update', { id: '1' }, false],
  ['shell.exec', { command: 'git status --short' }, false],
  ['shell.exec', { command: 'ls src' }, false],
  ['shell.exec', { command: 'git push' }, true],
  ['shell.exec', { command: 'npm test' }, true],
  ['fs.write', { path: 'a', content: '' }, true],
  ['browser.screenshot', { path: 'a.png' }, true],
])('%s %j has an effect: %s', (tool, args, expected) => {
  expect(effects(tool, args)).toEqual([expected])
})

test('versions, dates, numbers and the name of the project do not change a shape or a template', () => {
  const number = fc.integer({ min: 0, max: 99 })
  fc.assert(
    fc.property(number, number, number, (a, b, c) => {
      const release = (version: string) => JSON.stringify({ path: `reports/${version}.md`, content: `# Version ${version} of tide-clock` })
      const [one, other] = [release(`${a}.${b}.${c}`), release('1.2.3')]
      expect(callShapes('fs.write', one, workspace)).toEqual(callShapes('fs.write', other, workspace))
      expect(templateOf(one, workspace)).toEqual(templateOf(other, workspace))
    }),
  )
})

test('another text is another template', () => {
  const said = (content: string) => templateOf(JSON.stringify({ path: 'a.md', content }), workspace)
  expect(said('Faster search')).not.toBe(said('New print view'))
})

test('any command and any arguments have a shape of limited length', () => {
  fc.assert(
    fc.property(fc.string(), fc.jsonValue(), (command, args) => {
      expect(callShapes('shell.exec', JSON.stringify({ command }), workspace).length).toBeGreaterThan(0)
      expect(callShapes('fs.write', JSON.stringify(args), workspace)).toHaveLength(1)
    }),
  )
})
