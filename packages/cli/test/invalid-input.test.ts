// Invalid input to every `tandem` command, and to every action and option in its usage: the output is readable for users.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandNames } from '@tandem/contract/command'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { strangeTexts } from '../../contract/test/support/invalid-values.ts'
import { rawTextIn } from '../../contract/test/support/raw-text.ts'
import { commands } from '../src/command/commands.ts'
import { useCommandProcess } from './support/test-commands.ts'
import { createTestFolder } from './support/test-tandem.ts'

const run = useCommandProcess()
/** An argument of a process contains no NUL byte and is valid Unicode. */
const texts = Object.values(strangeTexts).filter((text) => !text.includes('\0') && text.isWellFormed())
const long = 'x'.repeat(10_000)

let folder: string

beforeAll(() => {
  folder = createTestFolder()
})

afterAll(() => rmSync(folder, { recursive: true }))

interface Printed {
  readonly args: readonly string[]
  readonly status: number
  readonly text: string
  readonly isCrash: boolean
}

async function printed(name: string, all: readonly (readonly string[])[], home = 'home'): Promise<Printed[]> {
  const { PATH, TMPDIR } = process.env
  const env = { PATH, TMPDIR, HOME: folder, TANDEM_HOME: join(folder, home) }
  const results: Printed[] = []
  for (const args of all) {
    const { status, stdout, stderr, isOver } = await run([name, ...args], join(folder, 'workspace'), env)
    results.push({ args, status, text: `${stdout}${stderr}`.trimEnd(), isCrash: isOver })
  }
  return results
}

test.each(Object.keys(commands))('tandem %s', async (name) => {
  const [help] = await printed(name, [['--help']])
  // Without the options and examples that only the help shows.
  const [usage = ''] = help?.text.split(/\n\n(?:Options|Examples):/) ?? []
  expect([usage, rawTextIn(withoutNames(help?.text ?? ''))]).toEqual([expect.stringMatching(/tandem/), []])
  const found = (await printed(name, nonsenseFor(name, usage))).flatMap(({ args, status, text, isCrash }) => {
    const shown = withoutNames(withoutEcho(text, args, usage))
    const faults = rawTextIn(shown)
    if (isCrash) faults.push('a crash')
    if (status === 0 && args.includes('--no-such-option')) faults.push('it was accepted')
    if (status !== 0 && !/tandem: \S+ \S+/.test(text)) faults.push('no message')
    return faults.map((fault) => `tandem ${name} ${args.join(' ').slice(0, 80)}: ${fault} in ${shown.slice(0, 300)}`)
  })
  expect(found).toEqual([])
})

test('a crash is recognized', async () => {
  writeFileSync(join(folder, 'file'), '')
  const all = [...(await printed('runs', [[]], 'file/home')), ...(await printed('runs', [[]]))]
  expect(all.map(({ status, text, isCrash }) => [status, /^tandem: runs failed: /m.test(text), isCrash])).toEqual([
    [1, true, true],
    [0, false, false],
  ])
})

test.each(commandNames.filter((_, at) => at % 20 === 0))('tandem command %s', async (name) => {
  const params = ['nonsense', '{', '[]', 'null', '42', '""', '{"no_such_field":1}', '{"__proto__":{}}', `{"run_id":"${long}"}`, '']
  const found = (await printed('command', [[name], ...params.map((text) => [name, text])])).flatMap(({ args, status, text }) =>
    status === 0 ? [] : rawTextIn(text.replaceAll(name, '…')).map((fault) => `${args[1]}: ${fault} in ${text}`),
  )
  expect(found).toEqual([])
})

/** For every action and option of the usage. */
function nonsenseFor(name: string, usage: string): string[][] {
  const actions = [...usage.matchAll(new RegExp(`tandem ${name} \\[?([a-z]+(?:\\|[a-z]+)*)\\b`, 'g'))].flatMap(([, all = '']) =>
    all.split('|'),
  )
  const options = [...usage.matchAll(/(--[a-z-]+) [A-Za-z]+/g)].map(([, option = '']) => option)
  return [
    ['--no-such-option'],
    ['nonsense', ...texts],
    [long],
    ['__proto__'],
    ['constructor', 'prototype'],
    ...[...new Set(actions)].flatMap((action) => [
      [action, '../../../etc/passwd'],
      [action, 'no such thing', '__proto__', '-1'],
      [action, '--no-such-option'],
    ]),
    ...[...new Set(options)].flatMap((option) => [
      [option],
      [option, ''],
      // Any word can be the name of a host or a capability: it would be served until it is stopped.
      ...(name === 'executor' ? [] : [[option, 'nonsense']]),
      ['no such thing', option, '__proto__'],
    ]),
  ]
}

/** The name of an option and of what it takes, which users of it know. */
function withoutNames(text: string): string {
  return text.replaceAll(/--output-schema|JSON Schema|match the schema|tandem command \w+/g, '…')
}

/** Input may be repeated, and the usage is checked once. */
function withoutEcho(text: string, args: readonly string[], usage: string): string {
  const typed = args.filter((arg) => arg !== '').toSorted((left, right) => right.length - left.length)
  const explained = new Set(usage.split('\n'))
  const rest = text
    .split('\n')
    .filter((line) => !explained.has(line))
    .join('\n')
  return typed.reduce((shown, arg) => shown.replaceAll(arg, '…'), rest)
}
