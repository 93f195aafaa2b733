// Pauses, resumes or stops a run with everything it started.
import { isTerminalRunState } from '@tandem/contract/run'
import type { Team } from '@tandem/contract/team'
import { useRuntimeClient } from '../client/use-client.ts'
import { AskFirst } from '../part/form/ask-first.tsx'
import { Button } from '../part/form/button.tsx'
import { teamWords } from '../strings/team.ts'

const told = teamWords.controls

/** Pauses that only a user can end, by resuming. The others end by themselves, with an answer, or with a larger budget. */
const resumable: readonly unknown[] = ['user', 'crash', 'restore', 'model']

export function TeamControls({ team: { root_run_id: run_id, members }, again }: { team: Team; again(): Promise<void> }) {
  const client = useRuntimeClient()
  const isOpen = members.some(({ state }) => !isTerminalRunState(state))
  const canPause = members.some(({ state }) => state === 'running')
  const canResume = members.some(({ state, pause_reason }) => state === 'paused' && resumable.includes(pause_reason))
  const control = async (action: 'pause' | 'resume' | 'cancel') => {
    await client.call(told.doing[action], `team_${action}`, { run_id })
    await again()
  }
  if (!isOpen) return null
  return (
    <div className="flex flex-wrap items-center gap-2">
      {canPause && <Button onClick={() => control('pause')}>{told.pause}</Button>}
      {canResume && <Button onClick={() => control('resume')}>{told.resume}</Button>}
      <AskFirst name={told.cancel} label={told.cancel} question={told.sure} yes={told.yes} act={() => control('cancel')} />
    </div>
  )
}
