import { expect, test } from 'vitest'
import { programsIn } from './run-programs.ts'

test.each([
  ['npm test', ['npm']],
  ['cd app && npm run build', ['npm']],
  ['env NODE_ENV=test CI=1 node server.js', ['node']],
  ['NODE_ENV=test node server.js', ['node']],
  ['sudo -u ada tar xzf a.tgz', ['tar']],
  ['timeout -k 5 30s curl -sf http://localhost:1/', ['curl']],
  ['/usr/bin/python3.12 -m pytest -q', ['pytest']],
  ['python3 -m pip install x', ['pip']],
  ['python -m http.server 80', ['http']],
  ['.venv/bin/python app.py', ['python']],
  ['bash -lc "cd a; git pull 2>&1 | tail -5"', ['git']],
  ["sh -c 'npx -y eslint .'", ['eslint']],
  ['uv run pytest', ['pytest']],
  ['npm ci && npm test > log.txt 2>&1', ['npm', 'npm']],
  ['echo hello', ['echo']],
  ['if ! grep -q x y; then echo no; fi', ['grep']],
  ['FOO=1', []],
  ['', []],
  ['echo "a && b; c" | node x.js', ['node']],
  ['make -j4 \\\n  all', ['make']],
])('the programs of %j', (command, programs) => {
  expect(programsIn(command).map(({ program }) => program)).toEqual(programs)
})

test('the words of a program have no quotes and no redirections', () => {
  expect(programsIn(`git commit -m 'first one' 2>/dev/null >> "a b" && git push`)).toEqual([
    { program: 'git', words: ['commit', '-m', 'first one'] },
    { program: 'git', words: ['push'] },
  ])
})

test('any text can be read', () => {
  for (const text of [
    '"',
    "'",
    '\\',
    '>',
    '&&',
    '(',
    'bash -c',
    'timeout',
    'a'.repeat(1_000_000),
    '('.repeat(100_000),
    '"\\'.repeat(50_000),
  ])
    expect(Array.isArray(programsIn(text))).toBe(true)
})
