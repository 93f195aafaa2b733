// Compared with git itself, which is the definition.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { testScope } from '../../../test/support/sandbox/files/test-scope.ts'
import { compileGlob } from './glob.ts'
import { readIgnoreRules } from './ignore-rules.ts'

test('agrees with git', () => {
  const { workspace } = testScope()
  const git = (args: string[], input = '') =>
    execFileSync('git', ['-c', 'core.excludesFile=/dev/null', ...args], {
      cwd: workspace,
      input,
      env: { PATH: process.env.PATH, HOME: workspace },
    }).toString()
  git(['init', '-q'])
  const names = ['a', 'b', 'a.log', '{a,b}', '#a', 'c/a', 'c/b.log', 'c/d/a', 'c/d/b.log']
  mkdirSync(join(workspace, 'c/d'), { recursive: true })
  for (const name of names) writeFileSync(join(workspace, name), '')
  const piece = fc.constantFrom('a', 'b', 'c', 'd', '*', '?', '*.log', '**', '[ab]', '[!a]', '{a,b}', '\\#a')
  const line = fc
    .tuple(fc.constantFrom('', '', '!', '/'), fc.array(piece, { minLength: 1, maxLength: 3 }), fc.constantFrom('', '', '/', ' ', '/**'))
    .map(([start, pieces, end]) => start + pieces.join('/') + end)
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 4 }), (lines) => {
      writeFileSync(join(workspace, '.gitignore'), `${lines.join('\n')}\n`)
      const kept = git(['ls-files', '--others', '--exclude-standard', '-z']).split('\0')
      const rules = readIgnoreRules(lines.join('\n'), compileGlob)
      const ours = names.filter((name) => {
        const parts = name.split('/')
        const folders = parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join('/'))
        return !folders.some((folder) => rules.ignores(folder, 'directory')) && !rules.ignores(name, 'file')
      })
      expect(ours).toEqual(names.filter((name) => kept.includes(name)))
    }),
    { numRuns: 150 },
  )
})
