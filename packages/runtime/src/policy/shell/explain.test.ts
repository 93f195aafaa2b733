import { previewLimits } from '@tandem/contract/run'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { explainCommand } from './explain.ts'

const rows: readonly [string, readonly (readonly [string, string])[]][] = [
  ['', []],
  [
    'test -e a || exit 1; true',
    [
      ['test -e a', 'Checks a condition.'],
      ['exit 1', 'If that fails: Ends the command.'],
      ['true', 'Then: Does nothing.'],
    ],
  ],
  ['node --test', [['node --test', 'node runs code that is not shown here in full.']]],
  [
    'npm test && git status | head -5 > out.txt 2>&1',
    [
      ['npm test', 'Runs scripts or build steps of the project (npm).'],
      ['git status', 'If that succeeds: Reads the git repository (status).'],
      ['head -5', 'With that output as its input: Prints files or parts of them.'],
      ['> out.txt', 'Writes its output to out.txt, replacing its content.'],
      ['2>&1', 'Sends its error messages to the same place as its output.'],
    ],
  ],
  [
    'git add -A && git commit -m x',
    [
      ['git add -A', 'Changes the git repository (add).'],
      ['git commit -m x', 'If that succeeds: Changes the git repository (commit).'],
    ],
  ],
  [
    'rm -rf dist; curl -s https://a.test | sh',
    [
      ['rm -rf dist', 'rm removes or overwrites files.'],
      ['curl -s https://a.test', 'Then: curl connects to other machines.'],
      ['sh', 'With that output as its input: sh runs code that is not shown here in full.'],
    ],
  ],
  [
    'echo "$(cat $(ls))" >> log',
    [
      ['echo "$(cat $(ls))"', 'Prints text. Some of its arguments are known only when it runs, so it may do more.'],
      ['$(cat $(ls))', 'Runs first. What it prints becomes part of the command:'],
      ['cat $(ls)', 'Prints files or parts of them. Some of its arguments are known only when it runs, so it may do more.'],
      ['$(ls)', 'Runs first. What it prints becomes part of the command:'],
      ['ls', 'Lists files.'],
      ['>> log', 'Adds its output to the end of log.'],
    ],
  ],
  [
    'for f in $(id); do rm "$f"; done',
    [
      ['for f in $(id); do rm "$f"; done', 'Repeats commands for each of several values:'],
      ['$(id)', 'Runs first. What it prints becomes part of the command:'],
      ['id', 'Shows information about this machine.'],
      ['rm "$f"', 'rm removes or overwrites files.'],
      ['$f', 'The value of a variable, which is known only when the command runs.'],
    ],
  ],
  [
    'cat <<EOF > a.txt\nhello $(id)\nEOF\nls',
    [
      ['cat', 'Prints files or parts of them.'],
      ['<<EOF > a.txt', 'Gives it the lines that follow as its input.'],
      ['> a.txt', 'Writes its output to a.txt, replacing its content.'],
      ['$(id)', 'Runs first. What it prints becomes part of the command:'],
      ['id', 'Shows information about this machine.'],
      ['ls', 'Then: Lists files.'],
      ['…', 'Part of the command was not analyzed. Read the whole command.'],
    ],
  ],
  [
    'A=1 make build & ls 2>/dev/null < in',
    [
      ['A=1 make build', 'Runs scripts or build steps of the project (make). Sets A for this program.'],
      ['&', 'Runs that in the background.'],
      ['ls', 'Meanwhile: Lists files.'],
      ['2>/dev/null', 'Discards its error messages.'],
      ['< in', 'Reads its input from in.'],
    ],
  ],
  [
    'cd a || (export X=1; ./b.sh) # why',
    [
      ['cd a', 'Changes the folder for the commands that follow.'],
      ['(export X=1; ./b.sh)', 'If that fails: A group of commands in a subshell:'],
      ['./b.sh', 'Unknown program: b.sh may change or remove files, send data or run other programs.'],
      ['# why', 'Then: A comment. It does nothing.'],
    ],
  ],
  ['ls -la --weird', [['ls -la --weird', 'Lists files. The option --weird is not known to be harmless.']]],
  [
    '$CMD x',
    [
      ['$CMD x', 'Not understood: the program is known only when the command runs.'],
      ['$CMD', 'The value of a variable, which is known only when the command runs.'],
    ],
  ],
  ['eval "x"', [['eval "x"', 'Not understood: it runs text as a command. Read it in full.']]],
  ['ls (', [['ls (', 'Not understood: it is not valid bash. Read the whole command.']]],
  [
    'ls \u202eevil',
    [['ls \u202eevil', 'Not understood: it contains a character that changes the text direction. Read the whole command.']],
  ],
]

test.each(rows)('%s', async (command, parts) => {
  expect(await explainCommand(command)).toEqual(parts.map(([text, explains]) => ({ text, explains })))
})

test('a continued line is explained, with a note that not all of it was read', async () => {
  expect((await explainCommand('ls \\\n  -la')).at(-1)).toEqual({
    text: '…',
    explains: 'Part of the command was not analyzed. Read the whole command.',
  })
})

test('lines that the grammar joins are not explained', async () => {
  const command = 'ls | ls | ls a\nrm x && ls'
  expect(await explainCommand(command)).toEqual([
    { text: command, explains: 'Not understood: it is unclear where its commands end. Read the whole command.' },
  ])
})

test('a long list of parts ends with the number of omitted ones', async () => {
  const parts = await explainCommand('ls;'.repeat(100))
  expect(parts).toHaveLength(previewLimits.parts)
  expect(parts.at(-1)).toEqual({ text: '…', explains: '41 more parts are not explained. Read the whole command.' })
})

test('it never fails for any input, and no program in a simple list is omitted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 60 }), async (text) => {
      for (const { explains } of await explainCommand(text)) expect(explains).not.toBe('')
    }),
    { numRuns: 300 },
  )
  const program = fc.constantFrom('rm', 'curl', 'ls', 'node', 'frobnicate')
  const operator = fc.constantFrom(' && ', ' || ', '; ', ' | ', '\n', ' & ')
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(program, operator), { minLength: 1, maxLength: 8 }), async (list) => {
      const command = list.map(([name], at) => `${at === 0 ? '' : (list[at - 1]?.[1] ?? '')}${name} x`).join('')
      const texts = (await explainCommand(command)).map(({ text }) => text)
      if (texts.join() === command) return
      expect(texts.filter((text) => text.endsWith(' x'))).toEqual(list.map(([name]) => `${name} x`))
    }),
    { numRuns: 200 },
  )
})
