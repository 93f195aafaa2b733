// One recovery point: what a restore would do, the choice for conflicts, and the restore itself.
import type { BackgroundSelection, RestoreChange, RunCheckpoint } from '@tandem/contract/checkpoint'
import type { LocalRun } from '@tandem/contract/command'
import type { WithdrawnChoice } from '@tandem/contract/team'
import { useState } from 'react'
import { followLink, timelineAddress } from '../address.ts'
import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import { useRequest } from '../client/use-request.ts'
import type { CallError } from '../connection/channel.ts'
import { Badge } from '../part/badge.tsx'
import { Button } from '../part/form/button.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { LoadError } from '../part/load-error.tsx'
import { PageLayout } from '../part/page-layout.tsx'
import { ConflictChoices, type ConflictDecision } from '../part/restore/conflict-choice.tsx'
import { PreviewList } from '../part/restore/preview-list.tsx'
import { usePreview, useSelectedCounts } from '../part/restore/use-preview.ts'
import { Panel } from '../part/section.tsx'
import { isOnOtherDevice } from '../store/open-run.ts'
import { recoveryWords } from '../strings/recovery.ts'
import { formatTime } from '../text/time.ts'
import { visibleText } from '../text/visible.ts'
import { BackgroundGroup } from './background-group.tsx'
import { closedText, isOpen, PointName, PointTargets, pointContents, pointTitle } from './recovery-point.tsx'
import { RestoreResult } from './restore-result.tsx'
import type { RestoredOutcome } from './undo-restore.ts'
import { WithdrawnMembers } from './withdrawn-members.tsx'

type End = { readonly was: 'restore' | 'undo'; readonly restored: RestoredOutcome }

export function RestorePage({ run_id, checkpoint_id }: { run_id: string; checkpoint_id: string }) {
  const client = useRuntimeClient()
  const run = useWindowState((state) => state.runs.get(run_id))
  const [end, setEnd] = useState<End | null>(null)
  const { state: asked, reload: again } = useRequest(checkpoint_id, () =>
    client.channel.call('agent_run_get_checkpoint', { run_id, checkpoint_id, limit: 1 }),
  )
  const checkpoint = asked.state === 'ready' ? asked.value.checkpoint : null
  const title = checkpoint ? recoveryWords.previewTitle(pointTitle(checkpoint), formatTime(checkpoint.created_at)) : recoveryWords.title
  return (
    <PageLayout title={title} lead={end ? '' : recoveryWords.previewLead}>
      <p className="mb-5 text-sm">
        <a href={timelineAddress(run_id)} onClick={followLink} className="text-cloud underline underline-offset-4">
          {recoveryWords.toTimeline}
        </a>
      </p>
      {asked.state === 'failed' && <LoadError error={asked.error} again={again} />}
      {checkpoint && !end && (
        <>
          <Facts checkpoint={checkpoint} />
          {checkpoint.contents_deleted_at === null && (
            <Going run={run} checkpoint={checkpoint} onEnd={(restored) => setEnd({ was: 'restore', restored })} />
          )}
        </>
      )}
      {end && (
        <RestoreResult
          key={end.restored.safety_checkpoint_id}
          {...end}
          root={checkpoint?.run_metadata.workspace ?? ''}
          conversation_id={run?.conversation_id ?? null}
          onUndone={(restored) => setEnd({ was: end.was === 'restore' ? 'undo' : 'restore', restored })}
        />
      )}
    </PageLayout>
  )
}

function Facts({ checkpoint }: { checkpoint: RunCheckpoint }) {
  const unprotected = checkpoint.pending_mutation_metadata?.unprotected ?? []
  return (
    <div className="mb-6">
      <p className="flex flex-wrap items-baseline gap-2">
        <PointName name={checkpoint.name} />
        <span className="text-faint text-sm">{pointContents(checkpoint)}</span>
        {isOpen(checkpoint) && <Badge tone="warn">{recoveryWords.open}</Badge>}
      </p>
      {closedText(checkpoint) !== null && <p className="text-faint text-sm">{closedText(checkpoint)}</p>}
      <PointTargets point={checkpoint} workspace={checkpoint.run_metadata.workspace} />
      <p className="mt-1 break-all font-mono text-[13px] text-faint">{visibleText(checkpoint.run_metadata.workspace)}</p>
      {unprotected.length > 0 && (
        <div className="mt-3 rounded-md border border-line bg-warn-soft px-3 py-2">
          <p className="font-medium text-warn">{recoveryWords.unprotected}</p>
          <ul className="list-disc pl-5 text-sm">
            {unprotected.map((text) => (
              <li key={text} className="break-words">
                {visibleText(text)}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}

interface GoingProps {
  readonly run: LocalRun | undefined
  readonly checkpoint: RunCheckpoint
  onEnd(restored: RestoredOutcome): void
}

function Going({ run, checkpoint, onEnd }: GoingProps) {
  const client = useRuntimeClient()
  const { run_id, checkpoint_id } = checkpoint
  const [change, setChange] = useState<RestoreChange | null>(null)
  const [decided, setDecided] = useState<ConflictDecision | null>(null)
  const [doing, setDoing] = useState<'nothing' | 'restoring'>('nothing')
  const [refused, setRefused] = useState<CallError | null>(null)
  const [workspace, setWorkspace] = useState<string | null>(null)
  const [selection, setSelection] = useState<BackgroundSelection>('none')
  const [members, setMembers] = useState<WithdrawnChoice>('keep')
  const preview = usePreview({ run_id, checkpoint_id, change, workspace, group: 'calls' })
  const selected = useSelectedCounts({ run_id, checkpoint_id, workspace, selection })
  const root = workspace ?? checkpoint.run_metadata.workspace
  const found = preview.asked.state === 'failed' ? foundAt(preview.asked.error) : null
  const isAway = useWindowState((state) => isOnOtherDevice(state, checkpoint.run_metadata))
  const conflicts = (selected.counts ?? preview.page?.counts)?.conflict ?? 0
  const isUnderWay = run?.state === 'running'
  const restore = async () => {
    setDoing('restoring')
    setRefused(null)
    const answer = await client.channel.call('agent_run_restore_checkpoint', {
      ...{ action: 'restore', run_id, checkpoint_id },
      on_conflict: conflicts > 0 ? (decided ?? 'stop') : 'stop',
      background: typeof selection === 'string' ? selection : [...selection],
      members,
      ...(workspace === null ? {} : { workspace }),
    })
    setDoing('nothing')
    if (answer.ok && answer.value.outcome === 'restored') return onEnd(answer.value)
    if (answer.ok) throw new Error('a restore was answered with a preview')
    const isChanged = answer.error.code === 'restore_conflict'
    setRefused(isChanged ? { ...answer.error, message: recoveryWords.changedMeanwhile } : answer.error)
    void preview.again()
    void selected.again()
  }
  return (
    <>
      {/* Above the paths: the button stays in view and would cover it at the end of the page. */}
      {preview.page && <WithdrawnMembers members={preview.page.members} choice={members} onChoose={setMembers} />}
      <PreviewList preview={preview} root={root} change={change} onChange={setChange} />
      {found === null && (
        <BackgroundGroup
          {...{ run_id, checkpoint_id, workspace, root, selection }}
          onSelect={(selected) => {
            setSelection(selected)
            setDecided(null)
          }}
        />
      )}
      {preview.page?.notes.map((note) => (
        <p key={note} className="mt-4 text-soft text-sm">
          {visibleText(note)}
        </p>
      ))}
      {found !== null && (
        <p className="mt-4">
          <Button onClick={() => setWorkspace(found)}>{recoveryWords.restoreTo(visibleText(found))}</Button>
        </p>
      )}
      {preview.page && (
        <Panel className="bottom-3 mt-6 p-4 sm:sticky">
          {conflicts > 0 && <ConflictChoices count={conflicts} value={decided} onChange={setDecided} />}
          {selected.error && <LoadError error={selected.error} again={selected.again} />}
          {refused && (
            <div className="mb-4">
              <LoadError error={refused} again={restore} />
            </div>
          )}
          {isAway && <p className="text-warn">{recoveryWords.elsewhere}</p>}
          {isUnderWay && !isAway && <p className="mb-3 text-warn">{recoveryWords.running}</p>}
          {!isAway && (
            <div className="flex flex-wrap items-center gap-3">
              <PrimaryButton
                onClick={restore}
                disabled={doing === 'restoring' || !selected.isCurrent || (conflicts > 0 && decided === null)}
              >
                {doing === 'restoring' ? recoveryWords.restoring : isUnderWay ? recoveryWords.pauseAndRestore : recoveryWords.restore}
              </PrimaryButton>
              {selected.counts && (
                <span role="status" className="text-soft text-sm">
                  {recoveryWords.background.sums(selected.counts.created, selected.counts.changed, selected.counts.deleted)}
                </span>
              )}
              {conflicts > 0 && decided === null && <span className="text-faint text-sm">{recoveryWords.chooseFirst}</span>}
            </div>
          )}
        </Panel>
      )}
    </>
  )
}

/** Where the files of the run are now, if its folder was moved. */
function foundAt({ failure_contract }: CallError): string | null {
  if (failure_contract?.reason_code !== 'workspace_moved') return null
  return failure_contract.details.facts?.find(({ name }) => name === 'found_at')?.value ?? null
}
