import { Writable } from 'node:stream'
import type { RunStep } from '@tandem/contract/run'
import { expect, test } from 'vitest'
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

test('steps without a form of their own are one plain line each', () => {
  expect(
    printed(
      { ...place, kind: 'child.started', child_run_id: id, child_agent_id: 'b', call_id: null, title: 'Look it up' },
      { ...place, kind: 'wait.started', wait_id: 'w', for: 'child', subject_id: id, until: null },
      { ...place, kind: 'conversation.renamed', title: 'x' },
    ),
  ).toBe('A run was started for a part of the work: Look it up\nThe run waits for a run it started.\n')
})

test('a step of a newer version is one neutral line, and what it is called cannot touch the terminal', () => {
  expect(printed({ ...place, kind: 'unknown', unknown_kind: 'team\u001b[2J.vote\nx', fields: '{}' })).toBe(
    'A newer version of Tandem recorded a step here (team\\u{1b}[2J.vote). Update Tandem to read it.\n',
  )
})

test('so is an event of a workflow run', () => {
  const event = { event_id: id, workflow_run_id: id, workflow_id: id, run_id: null, device_id: 'd', seq: 0, ts: place.ts } as const
  expect([
    eventText({ ...event, kind: 'node.waiting', node_id: 'n', reason: 'an\u202eapproval' }),
    eventText({ ...event, kind: 'unknown', unknown_kind: 'node.dreamt', fields: '{}' }),
  ]).toEqual([
    'Node n waits: an\\u{202e}approval',
    'A newer version of Tandem recorded an event here (node.dreamt). Update Tandem to read it.',
  ])
})
