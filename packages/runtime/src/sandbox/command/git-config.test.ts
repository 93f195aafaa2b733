import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { gitConfigEntries, gitConfigPath, includedGitConfigs, readGitConfig } from './git-config.ts'

const shown = (text: string) => gitConfigEntries(text).map(({ section, name, value }) => `${section}.${name}=${value}`)

test.each([
  ['[core]\n\thooksPath = tools/hooks\n', ['core.hookspath=tools/hooks']],
  ['[CORE] HooksPath=a # b\n', ['core.hookspath=a']],
  ['[core]hooksPath = "a # b" ; c\r\n[include]path=x\r\n', ['core.hookspath=a # b', 'include.path=x']],
  ['[core]\n hooksPath = a\\\n  b\n bare\n', ['core.hookspath=a  b', 'core.bare=']],
  ['[includeIf "gitdir:~/a/]b/"]\npath = "a\\"\\\\b"  \n', ['includeif.path=a"\\b']],
  ['[include.legacy]\npath = a\n', ['include.path=a']],
  ['\ufeff# [x]\n;y = 1\n???\n[a]\nb = " c "d \n', ['a.b= c d']],
  ['', []],
])('%j', (text, entries) => expect(shown(text)).toEqual(entries))

test('git reads the same values', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-config-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'config')
  const piece = fc.constantFrom('a', 'b/c', ' ', '"', '\\\\', '\\"', '\\\n', '\\n', '#', ';', '=', '[', ']', '~', '"x y"', 'é')
  let compared = 0
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), fc.constantFrom('[core]\n', '[CORE] ', '[x "y"]\n[core]'), (pieces, header) => {
      const text = `${header}hooksPath =${pieces.join('')}\n`
      writeFileSync(file, text)
      let value: string
      try {
        value = execFileSync('git', ['config', '-z', '-f', file, 'core.hooksPath'], {
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'ignore'],
        })
      } catch {
        // Git refuses this text.
        return
      }
      compared += 1
      expect(shown(text)).toEqual([`core.hookspath=${value.slice(0, -1)}`])
    }),
    { numRuns: 150 },
  )
  expect(compared).toBeGreaterThan(30)
})

test('included files are followed, each once, with and without a condition', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-config-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const at = (name: string) => join(folder, name)
  writeFileSync(at('a'), '[include] path = b\n[includeIf "onbranch:x"] path = c\n')
  writeFileSync(at('b'), '[include] path = a\n[core] hooksPath = one\n')
  writeFileSync(at('c'), '[include] path = missing\n[core] hooksPath = two\n')
  const { entries, included } = readGitConfig([at('a')])
  expect(included).toEqual([at('b'), at('c'), at('missing')])
  expect(entries.filter(({ name }) => name === 'hookspath').map(({ value }) => value)).toEqual(['one', 'two'])
  expect(includedGitConfigs(gitConfigEntries('[include] path = ../x\n'), '/a/b/config')).toEqual(['/a/x'])
  expect(gitConfigPath('~/x', '/a')).toBe(join(homedir(), 'x'))
})
