import type { CommandParams } from '@tandem/contract/command'
import { expect, test } from 'vitest'
import type { CallError } from '../connection/channel.ts'
import { restoreForBranch } from './restore-for-branch.ts'

type Params = CommandParams<'agent_run_restore_checkpoint'>
type Runs = Parameters<typeof restoreForBranch>[0]['store']

const changed = (run_id: string) => ({ run_id, seq: 1, checkpoint_id: `point of ${run_id}` })
const wanted = { runs: [changed('r2'), changed('r1')], on_conflict: 'stop', members: 'restore' } as const
const refused: CallError = { code: 'restore_conflict', message: 'a.txt was changed', remedy: '' }

/** What is called, and what is shown; `refuses` is the call that fails. */
async function restore(states: Readonly<Record<string, 'running' | 'paused' | 'completed'>>, refuses = '') {
  const calls: string[] = []
  const shown: CallError[] = []
  const runs = Object.entries(states).map(
    ([run_id, state]) => [run_id, { run_id, state, conversation_id: 'c', title: `Run ${run_id}` }] as const,
  )
  const store: Runs = { get: () => ({ runs: new Map(runs) }) }
  const call = async (_name: string, { action, run_id }: Params) => {
    calls.push(`${action} ${run_id}`)
    return calls.at(-1) === refuses ? { ok: false as const, error: refused } : { ok: true as const, value: undefined as never }
  }
  const channel = { call } as Parameters<typeof restoreForBranch>[0]['channel']
  const end = await restoreForBranch({ channel, store, showError: (_doing, error) => void shown.push(error) }, wanted)
  return { end, calls, messages: shown.map(({ message }) => message) }
}

test('every run is checked before the first one is restored, the newest first', async () => {
  expect(await restore({ r1: 'completed', r2: 'paused' })).toEqual({
    end: 'done',
    calls: ['preview r2', 'preview r1', 'restore r2', 'restore r1'],
    messages: [],
  })
  expect(await restore({ r1: 'completed', r2: 'paused' }, 'preview r1')).toEqual({
    end: 'conflict',
    calls: ['preview r2', 'preview r1'],
    messages: ['a.txt was changed'],
  })
})

test('while another run of the conversation works, nothing is restored; one that is restored itself is paused', async () => {
  expect(await restore({ r1: 'completed', r2: 'completed', r3: 'running' })).toEqual({
    end: 'refused',
    calls: [],
    messages: ['“Run r3” is working in the same conversation, so no files were restored'],
  })
  expect((await restore({ r1: 'completed', r2: 'running' })).end).toBe('done')
})

test('after a refusal half-way, the notice says what was restored', async () => {
  expect(await restore({ r1: 'completed', r2: 'completed' }, 'restore r1')).toMatchObject({
    end: 'conflict',
    messages: ['a.txt was changed. Already restored: the files of “Run r2”. The other files were not restored'],
  })
})
