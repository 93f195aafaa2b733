import type { PauseReason, RunState } from '@tandem/contract/run'
import { expect, test } from 'vitest'
import type { RunRecord } from '../journal/run-record.ts'
import { openControl } from './control.ts'
import type { MemberRecord } from './record/member.ts'

interface TestRun {
  readonly parent: string | null
  readonly state: RunState
  readonly reason?: PauseReason
  readonly is_withdrawn?: boolean
}

const taken = 'taken'

/** Records what is asked of the runs. A run that waits for its members cannot be resumed itself. */
function controlOf(all: Record<string, TestRun>, onAsked: (what: string) => void = () => undefined) {
  const asked: string[] = []
  const run = (run_id: string) => {
    const found = all[run_id]
    return found && ({ run_id, state: found.state, pause_reason: found.reason ?? null } as RunRecord)
  }
  const answer = (what: string) => async (run_id: string) => {
    asked.push(`${what} ${run_id}`)
    onAsked(`${what} ${run_id}`)
    const value = run(run_id) as never
    if (what === 'resume' && all[run_id]?.reason === 'child') return { ok: false, code: 'run_busy', message: 'it waits' } as const
    return { ok: true, value } as const
  }
  const control = openControl({
    journal: { run },
    rows: {
      startedBy: (parent) =>
        Object.entries(all).flatMap(([run_id, one]) =>
          one.parent === parent ? [{ run_id, is_withdrawn: one.is_withdrawn ?? false } as MemberRecord] : [],
        ),
    },
    readmit: (run_id) => (run_id === taken ? { ok: false, code: 'transition_refused', message: 'its paths are taken' } : null),
    runs: () => ({ pause: answer('pause'), resume: answer('resume'), cancel: answer('cancel') }),
  })
  return { control, asked }
}

test('a withdrawn member whose paths are taken is not resumed, with or without an answer', async () => {
  const { control, asked } = controlOf({
    root: { parent: null, state: 'paused', reason: 'user' },
    [taken]: { parent: 'root', state: 'paused', reason: 'user' },
  })
  expect(await control.resume(taken)).toMatchObject({ ok: false, message: 'its paths are taken' })
  expect(await control.resume(taken, { kind: 'text', text: 'Go on.' } as never)).toMatchObject({ ok: false })
  await control.resumePausedFor('user', taken)
  expect(asked).toEqual([])
})

test('resuming a run resumes what it started and is paused, but nothing that waits for an answer or that a restore has withdrawn', async () => {
  const { control, asked } = controlOf({
    root: { parent: null, state: 'paused', reason: 'child' },
    crashed: { parent: 'root', state: 'paused', reason: 'crash' },
    asking: { parent: 'root', state: 'paused', reason: 'approval' },
    done: { parent: 'root', state: 'completed' },
    withdrawn: { parent: 'root', state: 'paused', reason: 'user', is_withdrawn: true },
    below_withdrawn: { parent: 'withdrawn', state: 'paused', reason: 'user' },
    below: { parent: 'crashed', state: 'paused', reason: 'budget' },
  })
  expect((await control.resume('root')).ok).toBe(true)
  expect(asked).toEqual(['resume root', 'resume below', 'resume crashed'])
})

test('pausing a run pauses everything below it that runs or waits for members', async () => {
  const { control, asked } = controlOf({
    root: { parent: null, state: 'running' },
    waiting: { parent: 'root', state: 'paused', reason: 'child' },
    working: { parent: 'waiting', state: 'running' },
    asking: { parent: 'root', state: 'paused', reason: 'question' },
  })
  await control.pause('root')
  expect(asked).toEqual(['pause root', 'pause waiting', 'pause working'])
})

test('a run that has ended cancels what it started, and that cancels what is below it', async () => {
  const { control, asked } = controlOf({
    root: { parent: null, state: 'completed' },
    one: { parent: 'root', state: 'paused', reason: 'approval' },
    two: { parent: 'root', state: 'failed' },
  })
  await control.cancelStartedBy('root')
  expect(asked).toEqual(['cancel one'])
})

test('a member that is started while its team is being paused is paused, too', async () => {
  const all: Record<string, TestRun> = {
    root: { parent: null, state: 'running' },
    member: { parent: 'root', state: 'running' },
  }
  const pausing = (what: string) => {
    if (what === 'pause member') all.late = { parent: 'member', state: 'running' }
  }
  const one = controlOf(all, pausing)
  await one.control.pause('root')
  expect(one.asked).toEqual(['pause root', 'pause member', 'pause late'])
  delete all.late
  const other = controlOf(all, pausing)
  await other.control.pauseAll('member')
  expect(other.asked).toEqual(['pause member', 'pause late'])
})

test('only what is paused for a reason is resumed when the reason is gone', async () => {
  const { control, asked } = controlOf({
    root: { parent: null, state: 'paused', reason: 'budget' },
    stopped: { parent: 'root', state: 'paused', reason: 'user' },
    out: { parent: 'root', state: 'paused', reason: 'budget' },
    withdrawn: { parent: 'root', state: 'paused', reason: 'budget', is_withdrawn: true },
    below: { parent: 'stopped', state: 'paused', reason: 'budget' },
  })
  await control.resumePausedFor('budget', 'root')
  expect(asked).toEqual(['resume root', 'resume below', 'resume out'])
})
