import { Writable } from 'node:stream'
import type { FailureContract } from '@tandem/contract/failure'
import type { RunStep } from '@tandem/contract/run'
import { expect, test } from 'vitest'
import { endedCommand, mcpSamples, outputSamples } from '../../../contract/test/support/output-samples.ts'
import { eventText } from '../command/runs.ts'
import { prettyPrinter } from './printer.ts'

const id = '018f0000-0000-7000-8000-000000000001'
const place = { step_id: id, run_id: id, conversation_id: id, agent_id: 'a', device_id: 'd', seq: 1, ts: '2026-03-01T09:00:00.000Z' }

function printed(...steps: RunStep[]): string {
  let text = ''
  const stream = () =>
    new Writable({
      write(chunk, _encoding, done) {
        text += String(chunk)
        done()
      },
    }) as NodeJS.WriteStream
  const printer = prettyPrinter(stream(), stream())
  for (const step of steps) printer.news({ kind: 'step', step })
  return text
}

test('steps without their own format are one plain line each', () => {
  expect(
    printed(
      { ...place, kind: 'child.started', child_run_id: id, child_agent_id: 'b', call_id: null, title: 'Look it up' },
      { ...place, kind: 'wait.started', wait_id: 'w', for: 'child', subject_id: id, until: null },
      { ...place, kind: 'conversation.renamed', title: 'x' },
    ),
  ).toBe('A run was started for part of the work: Look it up\nThe run is waiting for a run it started.\n')
})

test('a step of a newer version is one neutral line, and its name cannot control the terminal', () => {
  expect(printed({ ...place, kind: 'unknown', unknown_kind: 'team\u001b[2J.vote\nx', fields: '{}' })).toBe(
    'A newer version of Tandem recorded a step here (team\\u{1b}[2J.vote). Update Tandem to read it.\n',
  )
})

test('an event of a workflow run is one plain line too', () => {
  const event = { event_id: id, workflow_run_id: id, workflow_id: id, run_id: null, device_id: 'd', seq: 0, ts: place.ts } as const
  expect([
    eventText({ ...event, kind: 'node.waiting', node_id: 'n', waits_for: 'approval', reason: 'an\u202eapproval' }),
    eventText({ ...event, kind: 'unknown', unknown_kind: 'node.dreamt', fields: '{}' }),
  ]).toEqual([
    'Node n is waiting: an\\u{202e}approval',
    'A newer version of Tandem recorded an event here (node.dreamt). Update Tandem to read it.',
  ])
})

function called(tool: string, output: unknown): string {
  const result = { ...place, kind: 'tool.result', call_id: 'c', outcome: 'succeeded', truncated: false, failure_contract: null } as const
  const [, ...lines] = printed({ ...place, kind: 'tool.call', call_id: 'c', tool, arguments: '{}' }, { ...result, output }).split('\n')
  return lines.join('\n').trimEnd()
}

const isFailedCommand = (output: object) => 'exit_code' in output && 'output_end' in output

test('a result is shown with the same line as in the window', () => {
  const samples = [...Object.entries(outputSamples), ['mcp.weather.today', mcpSamples] as const]
  for (const [tool, all] of samples) {
    for (const { output, summary } of all) {
      if (isFailedCommand(output)) continue
      expect(called(tool, output)).toBe(`✓ ${tool} ${summary.replace(/ +/g, ' ')}`.trimEnd())
    }
  }
  expect(called('plugin.do', { any: 'thing' })).toBe('✓ plugin.do {"any":"thing"}')
  expect(called('plugin.do', 'red\u001b[31m \u202eturned')).toBe('✓ plugin.do red\\u{1b}[31m \\u{202e}turned')
})

test.each([
  [{ ...endedCommand, exit_code: 3, output: 'no such file\n' }, '✗ shell.exec exit code 3, 2.3 s\n  no such file'],
  [{ ...endedCommand, exit_code: null, signal: 'SIGKILL' }, '✗ shell.exec ended by SIGKILL, 2.3 s'],
  [{ ...endedCommand, timed_out: true, output: 'begun', output_end: 'still' }, '✗ shell.exec timed out, 2.3 s\n  begun\n  […]\n  still'],
  [endedCommand, '✓ shell.exec exit code 0, 2.3 s'],
])('a command with the output %j', (output, told) => {
  expect(called('shell.exec', output)).toBe(told)
})

test('the message and the remedy of a failure are two sentences', () => {
  const failure_contract: FailureContract = {
    taxonomy: 'none',
    stage: 'model_call',
    source: 'model',
    reason_code: 'refused',
    recoverability: 'user_action',
    details: { message: 'the model refused to respond', remedy: 'Rephrase the request.' },
  }
  const result = { kind: 'tool.result', call_id: 'c', outcome: 'timed_out', output: null, truncated: false } as const
  expect(
    printed(
      { ...place, kind: 'tool.call', call_id: 'c', tool: 'fs.read', arguments: '{"path":"a"}' },
      { ...place, ...result, failure_contract },
      { ...place, ...result, outcome: 'canceled', failure_contract: null },
      { ...place, kind: 'error', failure_contract },
      { ...place, kind: 'run.failed', usage: { input_tokens: 0, output_tokens: 0, cached_tokens: 0, estimated: false }, failure_contract },
    ),
  ).toBe(
    '→ Read a\n' +
      '✗ fs.read timed out: The model refused to respond. Rephrase the request.\n' +
      '✗ fs.read canceled\n' +
      '! The model refused to respond.\n' +
      'The run failed. The model refused to respond. Rephrase the request.\n',
  )
})

function statuses(isTTY: boolean, ...texts: readonly string[]): string {
  let written = ''
  const sink = new Writable({
    write(chunk, _encoding, done) {
      written += String(chunk)
      done()
    },
  })
  const stream = Object.assign(sink, { isTTY, columns: 80 }) as unknown as NodeJS.WriteStream
  const printer = prettyPrinter(stream, stream)
  for (const text of texts) {
    const delta = { run_id: id, conversation_id: id, kind: 'status', id: 'c', offset: 0, text } as const
    printer.news({ kind: 'delta', delta })
  }
  printer.news({ kind: 'step', step: { ...place, kind: 'run.canceled', reason: null } as RunStep })
  return written
}

test('the progress of a call is one line that is overwritten on a terminal, and printed once elsewhere', () => {
  const counts = ['Saving a recovery point… 5 files', 'Saving a recovery point… 9 files']
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is how a terminal is controlled.
  const seen = statuses(true, ...counts).replace(/\u001b\[(?!2K)\d*m/g, '')
  expect(seen).toBe('Saving a recovery point… 5 files\r\u001b[2KSaving a recovery point… 9 files\r\u001b[2KThe run was stopped.\n')
  expect(statuses(false, ...counts, '', ...counts)).toBe('Saving a recovery point… 5 files\nThe run was stopped.\n')
})
