import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { type Clock, systemClock } from '../../clock/clock.ts'
import { evaluateLimits } from './evaluate-limits.ts'
import { launchOptions } from './evaluation-process.ts'
import { type Evaluated, type Evaluator, openEvaluator } from './evaluator.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-evaluate-')))
const opened: Evaluator[] = []
const shared = open().evaluator
afterAll(async () => {
  await Promise.all(opened.map((one) => one.close()))
  rmSync(folder, { recursive: true })
})

/** `pids` are the processes that it has started, the latest one last. */
function open(clock: Clock = systemClock, onStart: (pid: number) => void = () => undefined) {
  const lines: string[] = []
  const pids: number[] = []
  const evaluator = openEvaluator({
    clock,
    started(pid) {
      pids.push(pid)
      onStart(pid)
    },
    log: (line) => lines.push(line),
  })
  opened.push(evaluator)
  return { evaluator, lines, pids }
}

/** A clock whose timers end when the test says so. */
function manualClock() {
  const timers = new Map<() => void, number>()
  const clock: Clock = {
    ...systemClock,
    after(ms, call) {
      timers.set(call, ms)
      return () => timers.delete(call)
    },
  }
  const pass = (limit: number) => {
    for (const [call, ms] of timers) if (ms === limit && timers.delete(call)) call()
  }
  return { clock, timers, pass }
}

function isRunning(pid: number | undefined): boolean {
  try {
    return process.kill(pid ?? -1, 0)
  } catch {
    // There is no such process.
    return false
  }
}

const code = (result: Evaluated) => (result.ok ? result : result.reason_code)

const order = {
  customer: 'Ada',
  items: [
    { name: 'pen', price: 2, count: 3, tags: ['blue'] },
    { name: 'book', price: 10, count: 1, tags: ['paper', 'gift'] },
  ],
}

test.each<[string, unknown, unknown]>([
  ['customer', order, 'Ada'],
  ['items.name', order, ['pen', 'book']],
  ['$sum(items.(price * count))', order, 16],
  ['items[price > 5].name', order, 'book'],
  ['items.tags', order, ['blue', 'paper', 'gift']],
  ['{"names": items.name, "first": items[0].name}', order, { names: ['pen', 'book'], first: 'pen' }],
  ['items{name: count}', order, { pen: 3, book: 1 }],
  ['$map(items, function($one) { $uppercase($one.name) })', order, ['PEN', 'BOOK']],
  ['items^(>price).name', order, ['book', 'pen']],
  ['$ ~> |items|{"price": price * 2}, "tags"|', { items: [{ price: 1, tags: [] }] }, { items: [{ price: 2 }] }],
  ['$count(items) > 1 and customer = "Ada"', order, true],
  ['$replace(customer, /[aA]/, "o")', order, 'odo'],
  ['($f := function($n) { $n < 2 ? 1 : $n * $f($n - 1) }; $f(10))', null, 3_628_800],
  ['$base64decode($base64encode("text"))', null, 'text'],
  ['$toMillis("2026-03-01T10:00:00")', null, Date.UTC(2026, 2, 1, 10)],
  ['$fromMillis(0)', null, '1970-01-01T00:00:00.000Z'],
  // What a time does not name is taken from 1970, not from today.
  ['$toMillis("10:30", "[H]:[m]")', null, 37_800_000],
  ['$', [1], [1]],
  ['nothing', order, null],
  ['$[1]', ['a', 'b'], 'b'],
  ['[]', null, []],
  ['$', undefined, null],
])('%s', async (expression, input, value) => {
  expect(await shared.evaluate(expression, input)).toEqual({ ok: true, value })
})

test.each<[string, string, boolean]>([
  ['^a.c$', 'abc', true],
  ['b', 'abc', true],
  ['^b', 'abc', false],
])('the pattern %s and the text %s', async (pattern, text, value) => {
  expect(await shared.matches(pattern, text)).toEqual({ ok: true, value })
})

test.each([
  ['1 +', 'expression_invalid', 'Unexpected end of expression (at character 3)'],
  ['$now()', 'expression_invalid', '$now cannot be used in a workflow: its result would be different after a restart.'],
  ['false ? $millis() : 1', 'expression_invalid', '$millis cannot be used'],
  ['($r := $random; $r())', 'expression_invalid', '$random cannot be used'],
  ['[1, 2] ~> $shuffle', 'expression_invalid', '$shuffle cannot be used'],
  ['$eval("1")', 'expression_invalid', '$eval cannot be used'],
  ['$map(["1"], $eval)', 'expression_invalid', '$eval cannot be used'],
  ['$match("a", /[b-a]/)', 'expression_invalid', 'Invalid regular expression'],
  ['"a" + 1', 'expression_failed', 'The left side of the "+" operator must evaluate to a number'],
  ['$error("Too late")', 'expression_failed', 'Too late'],
  [`$error($pad("a", 9000, "a"))`, 'expression_failed', `${'a'.repeat(500)}…`],
  ['$nothing()', 'expression_failed', 'Attempted to invoke a non-function'],
  ['1 / 0', 'expression_failed', 'The result contains a number that is out of range.'],
  ['[$sum]', 'expression_failed', 'The result contains a function.'],
  ['{"a": function($x) { $x }}', 'expression_failed', 'The result contains a function.'],
  ['$ ~> |$|{"self": $}|', 'expression_failed', 'Converting circular structure'],
  ['($f := function($c) { {"then": $c} }; $f(function($x) { 1 }))', 'expression_failed', 'The expression waits for something that never'],
  ['$reduce([1..600], function($inner, $n) { {"a": $inner} })', 'expression_failed', 'The result is nested too deeply.'],
  ['$pad("a", 1100000)', 'expression_too_large', 'The result is larger than 1 MB.'],
  ['[1..100000000]', 'expression_too_large', 'The expression needed more than 64 MB of memory.'],
])('%s fails', async (expression, reason_code, message) => {
  expect(await shared.evaluate(expression, {})).toEqual({
    ok: false,
    reason_code,
    message: expect.stringContaining(message),
    remedy: expect.stringMatching(/^[A-Z].*\.$/),
  })
})

test('a pattern that is not valid, and a text that is too long', async () => {
  expect(await shared.matches('(', 'a')).toEqual({
    ok: false,
    reason_code: 'expression_invalid',
    message: 'Invalid regular expression: /(/: Unterminated group',
    remedy: 'Correct the expression.',
  })
  expect(code(await shared.matches('a', 'a'.repeat(evaluateLimits.input_bytes + 1)))).toBe('expression_too_large')
})

test('an input that is too large, too deep, or uses a name of the library', async () => {
  const deep = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)
  expect(code(await shared.evaluate('1', 'a'.repeat(evaluateLimits.input_bytes)))).toBe('expression_too_large')
  expect(
    code(
      await shared.evaluate(
        '1',
        Array.from({ length: 3_000_000 }, () => []),
      ),
    ),
  ).toBe('expression_too_large')
  expect(await shared.evaluate('$', deep(500))).toEqual({ ok: true, value: deep(500) })
  for (const depth of [502, 4_000_000]) expect(code(await shared.evaluate('1', deep(depth)))).toBe('expression_too_large')
  expect(await shared.evaluate('1', [{ a: { outerWrapper: 1 } }])).toEqual({
    ok: false,
    reason_code: 'expression_failed',
    message: 'The input has a property named outerWrapper, which JSONata uses itself. Rename it.',
    remedy: 'Check the expression and its input.',
  })
  const text = 'the text "outerWrapper": is not a property'
  expect(await shared.evaluate('$', [text, 'tupleStream'])).toEqual({ ok: true, value: [text, 'tupleStream'] })
})

test.each([
  ['a loop that never ends', 'expression_slow', (one: Evaluator) => one.evaluate('($f := function($x) { $f($x) }; $f(1))', {})],
  [
    'a recursion that grows',
    'expression_slow',
    (one: Evaluator) => one.evaluate('($f := function($n) { $n < 2 ? 1 : $f($n - 1) + $f($n - 2) }; $f(60))', {}),
  ],
  ['a slow regular expression', 'expression_slow', (one: Evaluator) => one.evaluate('$contains($, /(a+)+$/)', `${'a'.repeat(60)}b`)],
  ['a slow pattern', 'expression_slow', (one: Evaluator) => one.matches('(a+)+$', `${'a'.repeat(60)}b`)],
  ['a huge list', 'expression_too_large', (one: Evaluator) => one.evaluate('[1..1e7]', {})],
  ['a huge text', 'expression_too_large', (one: Evaluator) => one.evaluate('$length($pad("a", 2e8))', {})],
])('%s is ended, and the runtime keeps running', async (_what, reason_code, ask) => {
  await shared.evaluate('1', {})
  let ticks = 0
  const ticking = setInterval(() => ticks++, 1)
  const result = await ask(shared)
  clearInterval(ticking)
  expect([code(result), ticks > 2]).toEqual([reason_code, true])
  expect(await shared.evaluate('1 + 1', {})).toEqual({ ok: true, value: 2 })
})

test('prototypes and the program are out of reach', async () => {
  for (const name of ['constructor', '__proto__', 'toString', 'process', 'require', 'globalThis', 'fetch', 'Function']) {
    for (const expression of [
      `\`${name}\``,
      `$lookup($, "${name}")`,
      `$.\`${name}\`.\`${name}\``,
      `$${name}`,
      `"a".\`${name}\``,
      `$sum.\`${name}\``,
    ])
      expect([expression, await shared.evaluate(expression, {})]).toEqual([expression, { ok: true, value: null }])
    expect(code(await shared.evaluate(`$${name}("return process")`, {}))).toBe('expression_failed')
  }
})

test('keys that JavaScript treats specially are data', async () => {
  const input = JSON.parse('{"__proto__": {"a": 1}, "constructor": {"prototype": 2}, "toString": 3, "toJSON": 4, "then": 5, "length": 6}')
  const same = await shared.evaluate('$', input)
  expect(JSON.stringify(same)).toBe(JSON.stringify({ ok: true, value: input }))
  expect(await shared.evaluate('`__proto__`.a + constructor.prototype + toString', input)).toEqual({ ok: true, value: 6 })
  expect(JSON.stringify(await shared.evaluate('$ ~> |$|{"__proto__": {"b": 2}}|', { a: 1 }))).toBe(
    '{"ok":true,"value":{"a":1,"__proto__":{"b":2}}}',
  )
  expect(JSON.stringify(await shared.evaluate('$merge([$, {"__proto__": 1}])', { a: 1 }))).toBe('{"ok":true,"value":{"a":1,"__proto__":1}}')
})

test('an expression cannot change the next one', async () => {
  const change = '($x := {} ~> |$sum|{"implementation": function($x) { 42 }}|; $sum([1, 2]))'
  expect(await shared.evaluate(change, {})).toEqual({ ok: true, value: 42 })
  expect(await shared.evaluate('$sum([1, 2])', {})).toEqual({ ok: true, value: 3 })
})

test('any JSON is returned unchanged', async () => {
  const key = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('__proto__', 'constructor', 'toJSON', 'sequence', 'cons', 'then'))
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(null, true, false, '\ud800', '\u2028'),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.string({ unit: 'grapheme' }),
      fc.array(tie('json'), { maxLength: 5 }),
      fc.array(fc.tuple(key, tie('json')), { maxLength: 5 }).map((entries) => objectOf(entries)),
    ),
  }))
  await fc.assert(
    fc.asyncProperty(json, async (value) => {
      const text = JSON.stringify(value)
      expect(JSON.stringify(await shared.evaluate('$', JSON.parse(text)))).toBe(`{"ok":true,"value":${text}}`)
    }),
    { numRuns: 150 },
  )
})

/** `__proto__` is a key like any other. */
function objectOf(entries: readonly (readonly [string, unknown])[]): object {
  const made = {}
  for (const [key, value] of entries) Object.defineProperty(made, key, { value, enumerable: true, configurable: true, writable: true })
  return made
}

test('200 evaluations at once, one of which is slow', async () => {
  const asked = Array.from({ length: 200 }, (_, index) =>
    index === 50 ? shared.matches('(a+)+$', `${'a'.repeat(60)}b`) : shared.evaluate('$ * 2', index),
  )
  const expected = asked.map((_, index) => (index === 50 ? 'expression_slow' : { ok: true, value: index * 2 }))
  expect((await Promise.all(asked)).map(code)).toEqual(expected)
})

test('a limit counts only in a new process: a used one may have cleaned up after earlier expressions meanwhile', async () => {
  const { evaluator, pids } = open()
  await evaluator.evaluate('1', {})
  expect(code(await evaluator.matches('(a+)+$', `${'a'.repeat(60)}b`))).toBe('expression_slow')
  expect(pids).toHaveLength(2)
  expect(code(await evaluator.matches('(a+)+$', `${'a'.repeat(60)}b`))).toBe('expression_slow')
  expect(pids).toHaveLength(3)
})

test('an evaluation whose process is killed is repeated in another one', async () => {
  const { evaluator, pids, lines } = open()
  await evaluator.evaluate('1', {})
  const [first] = pids
  process.kill(first ?? -1, 'SIGSTOP')
  const result = evaluator.evaluate('a', { a: 1 })
  process.kill(first ?? -1, 'SIGKILL')
  expect(await result).toEqual({ ok: true, value: 1 })
  expect(pids).toHaveLength(2)
  expect(lines).toContain('workflow: the evaluator ended (signal SIGKILL)')
})

test('an evaluation whose process is killed twice is unavailable, and a later one works', async () => {
  let kills = 0
  const { evaluator, pids } = open(systemClock, (pid) => {
    if (kills++ < 2) process.kill(pid, 'SIGKILL')
  })
  expect(await evaluator.evaluate('1', {})).toEqual({
    ok: false,
    reason_code: 'evaluator_unavailable',
    message: 'The process that evaluates expressions ended twice, or did not start.',
    remedy: 'Try again. If it fails again, restart Tandem.',
  })
  expect(pids).toHaveLength(2)
  expect(await evaluator.evaluate('1', {})).toEqual({ ok: true, value: 1 })
})

test('a process that hangs is replaced', async () => {
  const { clock, timers, pass } = manualClock()
  const { evaluator, pids } = open(clock)
  await evaluator.evaluate('1', {})
  const [first] = pids
  process.kill(first ?? -1, 'SIGSTOP')
  const result = evaluator.evaluate('2', {})
  await expect.poll(() => [...timers.values()]).toEqual([evaluateLimits.wall_ms])
  pass(evaluateLimits.wall_ms)
  expect(await result).toEqual({ ok: true, value: 2 })
  expect([pids.length, isRunning(first)]).toEqual([2, false])
})

test('a process without work ends, and the next evaluation starts another one', async () => {
  const { clock, timers, pass } = manualClock()
  const { evaluator, pids, lines } = open(clock)
  await evaluator.evaluate('1', {})
  await expect.poll(() => [...timers.values()]).toEqual([evaluateLimits.idle_ms])
  pass(evaluateLimits.idle_ms)
  await expect.poll(() => isRunning(pids[0])).toBe(false)
  expect(await evaluator.evaluate('1', {})).toEqual({ ok: true, value: 1 })
  expect([lines, pids.length]).toEqual([[], 2])
})

test('close ends the process and what it evaluates, and can be called twice', async () => {
  const { evaluator, pids } = open()
  await evaluator.evaluate('1', {})
  process.kill(pids[0] ?? -1, 'SIGSTOP')
  const pending = [evaluator.evaluate('1', {}), evaluator.matches('a', 'a')]
  await Promise.all([evaluator.close(), evaluator.close()])
  await evaluator.close()
  expect(isRunning(pids[0])).toBe(false)
  const closed = {
    ok: false,
    reason_code: 'evaluator_unavailable',
    message: 'The evaluator was closed.',
    remedy: 'Try again. If it fails again, restart Tandem.',
  }
  expect(await Promise.all([...pending, evaluator.evaluate('1', {})])).toEqual([closed, closed, closed])
  expect(pids).toHaveLength(1)
})

const program = join(folder, 'program.ts')
writeFileSync(
  program,
  `import { openEvaluator } from ${JSON.stringify(new URL('evaluator.ts', import.meta.url).href)}
import { systemClock } from ${JSON.stringify(new URL('../../clock/clock.ts', import.meta.url).href)}
const evaluator = openEvaluator({ clock: systemClock, started: (pid) => console.log('process ' + pid), log: (line) => console.log(line) })
console.log(JSON.stringify(await evaluator.evaluate('1', {})))
if (process.argv[2] === 'stay') {
  setInterval(() => undefined, 1_000)
  for (;;) await evaluator.evaluate('($f := function($x) { $x = 0 ? 0 : $f($x - 1) }; $f(2000))', {})
}
`,
)

/** Runs a program that uses an evaluator. */
async function startProgram(mode: string) {
  const child = spawn(process.execPath, [program, mode], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8')
  })
  const exited = once(child, 'exit')
  await expect.poll(() => output).toContain('{"ok":true,"value":1}')
  return { child, exited, pid: Number(/process (\d+)/.exec(output)?.[1]) }
}

test('the process ends when the runtime is killed while it evaluates', async () => {
  const { child, exited, pid } = await startProgram('stay')
  expect(isRunning(pid)).toBe(true)
  child.kill('SIGKILL')
  await exited
  await expect.poll(() => isRunning(pid)).toBe(false)
})

test('an evaluator that is not closed does not keep the program running', async () => {
  const { exited, pid } = await startProgram('end')
  expect(await exited).toEqual([0, null])
  await expect.poll(() => isRunning(pid)).toBe(false)
})

test('with the flags of the process, a program can do nothing', async () => {
  mkdirSync(join(folder, 'probe'))
  const probe = join(folder, 'probe', 'probe.mjs')
  const thread = join(folder, 'probe', 'probe-thread.mjs')
  writeFileSync(
    probe,
    `import { Worker } from 'node:worker_threads'
new Worker(new URL('./probe-thread.mjs', import.meta.url), { env: {} }).on('message', (found) => process.send(found, () => process.exit()))
`,
  )
  writeFileSync(
    thread,
    `import { readFileSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { connect } from 'node:net'
import { parentPort } from 'node:worker_threads'
const codeOf = (work) => { try { return work() } catch (error) { return error.code ?? error.name } }
const connected = Promise.withResolvers()
connect(9, '127.0.0.1').on('error', (error) => connected.resolve(error.code))
parentPort.postMessage({
  environment: { ...process.env },
  own: codeOf(() => readFileSync(new URL(import.meta.url), 'utf8')).length > 0,
  read: codeOf(() => readFileSync(${JSON.stringify(program)}, 'utf8')),
  system: codeOf(() => readFileSync('/etc/hosts', 'utf8')),
  write: codeOf(() => writeFileSync(${JSON.stringify(join(folder, 'written'))}, '')),
  start: codeOf(() => execFileSync('true')),
  evaluate: codeOf(() => (0, eval)('1')),
  connect: await connected.promise,
})
`,
  )
  const child = fork(probe, [], launchOptions(probe, []))
  const [found] = await once(child, 'message')
  expect(found).toEqual({
    environment: {},
    own: true,
    system: 'ERR_ACCESS_DENIED',
    read: 'ERR_ACCESS_DENIED',
    write: 'ERR_ACCESS_DENIED',
    start: 'ERR_ACCESS_DENIED',
    evaluate: 'EvalError',
    connect: 'ERR_ACCESS_DENIED',
  })
})
