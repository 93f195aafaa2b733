import { expect, test } from 'vitest'
import { ids, type StepBody, stepsOf } from '../../test/support/store/test-steps.ts'
import { addSteps } from './journal.ts'
import { teamNews } from './team-news.ts'

const usage = { input_tokens: 1, output_tokens: 1, cached_tokens: 0, estimated: false }
const started = { kind: 'run.started', title: 'T', model: 'm', sandbox_mode: 'workspace', message_id: null } as const
const child = (child_run_id: string) =>
  ({ kind: 'child.started', child_run_id, child_agent_id: 'b', call_id: null, title: `Task ${child_run_id}` }) as const
const ended = (child_run_id: string) => ({ kind: 'child.ended', child_run_id, state: 'completed', usage, failure_contract: null }) as const
const wait = (wait_id: string, subject_id: string | null) =>
  ({ kind: 'wait.started', wait_id, for: 'child', subject_id, until: null }) as const
const waited = (wait_id: string) => ({ kind: 'wait.ended', wait_id, outcome: 'completed' }) as const
const message = { kind: 'team.message', team_message_id: 'm', from_run_id: 'a', to_run_id: null, text: 'Hello.' } as const
const merge = { kind: 'merge.applied', child_run_id: 'a', call_id: null, changed_paths: 1, conflicts: 0 } as const
const restored = (cursor_seq: number): StepBody => ({
  ...{ kind: 'checkpoint.restored', checkpoint_id: 'p', cursor_seq, set_aside_message_ids: [], failure_contract: null },
})

function newsOf(...bodies: readonly StepBody[]) {
  const journal = addSteps(undefined, stepsOf(...bodies))
  if (!journal) throw new Error(`no steps of ${ids.run}`)
  const { news, told } = teamNews(journal)
  const own = journal.lines.filter(({ step_id }) => !told.has(step_id)).map(({ seq }) => seq)
  return { news: news.map((one) => [one.kind, one.step.seq, one.kind === 'member' ? (one.end?.seq ?? null) : null, one.set_aside]), own }
}

test('a run that was started is one line with its end, and waits for it are not shown', () => {
  expect(newsOf(started, child('a'), child('b'), wait('w1', 'a'), ended('a'), waited('w1'), message, merge)).toEqual({
    news: [
      ['member', 1, 4, false],
      ['member', 2, null, false],
      ['message', 6, null, false],
      ['merge', 7, null, false],
    ],
    own: [],
  })
})

test('a wait for any of the runs that were started is not shown', () => {
  expect(newsOf(started, wait('w1', ids.run), waited('w1')).own).toEqual([1, 2])
  expect(newsOf(started, child('a'), wait('w1', ids.run), ended('a'), waited('w1')).own).toEqual([])
})

test('a message of a run that has ended is its last one', () => {
  const journal = addSteps(undefined, stepsOf(started, child('a'), message, ended('a'), message))
  const { news } = teamNews(journal ?? { steps: [], lines: [] })
  expect(news.flatMap((one) => (one.kind === 'message' ? [[one.step.seq, one.is_last]] : []))).toEqual([
    [2, false],
    [4, true],
  ])
})

test('other waits, and the end of a run whose beginning is missing, keep their lines', () => {
  const timed = { kind: 'wait.started', wait_id: 'w2', for: 'time', subject_id: null, until: null } as const
  expect(newsOf(started, timed, waited('w2'), wait('w3', 'x'), waited('w3'), ended('x'))).toEqual({ news: [], own: [1, 2, 3, 4, 5] })
})

test('an end that a restore has undone does not count', () => {
  expect(newsOf(started, child('a'), ended('a'), merge, restored(1)).news).toEqual([
    ['member', 1, null, false],
    ['merge', 3, null, true],
  ])
})
