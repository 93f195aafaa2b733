// The result of a restore, and how to undo it.
import type { FailureContract } from '@tandem/contract/failure'
import { useLayoutEffect, useRef, useState } from 'react'
import { followLink, goTo, restoreAddress, timelineAddress } from '../address.ts'
import { useRuntimeClient } from '../client/use-client.ts'
import type { CallError } from '../connection/channel.ts'
import { Button } from '../part/form/button.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { LoadError } from '../part/load-error.tsx'
import { PreviewEntry } from '../part/restore/preview-entry.tsx'
import { Panel } from '../part/section.tsx'
import { recoveryWords } from '../strings/recovery.ts'
import { words } from '../strings/window.ts'
import { visibleName } from '../text/name.ts'
import { visibleSentence } from '../text/sentence.ts'
import { visibleText } from '../text/visible.ts'
import { type RestoredOutcome, undoRestore } from './undo-restore.ts'

interface Props {
  readonly restored: RestoredOutcome
  readonly root: string
  readonly conversation_id: string | null
  readonly was: 'restore' | 'undo'
  onUndone(undone: RestoredOutcome): void
}

export function RestoreResult({ restored, root, conversation_id, was, onUndone }: Props) {
  const client = useRuntimeClient()
  const [doing, setDoing] = useState<'nothing' | 'undoing'>('nothing')
  const [refused, setRefused] = useState<CallError | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => heading.current?.focus(), [])
  const { run_id, counts, background, members, set_aside_message_ids, failure_contract } = restored
  const left_alone = [...restored.left_alone, ...members.flatMap((member) => member.left_alone)]
  const undo = async () => {
    setDoing('undoing')
    const undone = await undoRestore(client.channel, restored, was)
    setDoing('nothing')
    setRefused(undone.ok ? null : undone.error)
    if (undone.ok) onUndone(undone.restored)
    // The user must decide about files they changed since: the page of the point asks.
    else if (undone.error.code === 'restore_conflict') goTo(restoreAddress(undone.point.run_id, undone.point.checkpoint_id))
  }
  const goOn = async () => {
    const answer = await client.call(recoveryWords.doing.resume, 'resume_agent_run', { run_id })
    if (answer.ok && conversation_id !== null) goTo(`/c/${conversation_id}`)
  }
  return (
    <Panel className="p-5">
      <h2 ref={heading} tabIndex={-1} className="mb-1 font-semibold text-lg outline-none">
        {was === 'restore' ? recoveryWords.done : recoveryWords.undone}
      </h2>
      <div role="status">
        <p>{recoveryWords.sums(counts.created, counts.changed, counts.deleted)}</p>
        {members.map((member) => (
          <p key={member.run_id} className="break-words">
            {recoveryWords.members.restored(visibleName(member.title))}{' '}
            {recoveryWords.sums(member.counts.created, member.counts.changed, member.counts.deleted)}
          </p>
        ))}
        {background.left > 0 && <p>{recoveryWords.background.left(background.left)}</p>}
        <p className="text-soft">{recoveryWords.paused}</p>
        {set_aside_message_ids.length > 0 && <p className="text-soft">{recoveryWords.messages(set_aside_message_ids.length)}</p>}
      </div>
      {failure_contract && (
        <div className="mt-3">
          <Degraded contract={failure_contract} />
        </div>
      )}
      {left_alone.length > 0 && (
        <div className="mt-4">
          <h3 className="mb-1 font-medium">{recoveryWords.leftAlone}</h3>
          <ul className="max-h-80 divide-y divide-line overflow-y-auto rounded-md border border-line">
            {left_alone.map((entry) => (
              <PreviewEntry key={entry.path} entry={entry} root={root} isOpen={false} />
            ))}
          </ul>
        </div>
      )}
      {refused && (
        <div className="mt-4">
          <LoadError error={refused} again={undo} />
        </div>
      )}
      <div className="mt-5 flex flex-wrap items-center gap-2">
        <PrimaryButton onClick={goOn}>{recoveryWords.goOn}</PrimaryButton>
        <Button onClick={undo} disabled={doing === 'undoing'}>
          {doing === 'undoing' ? recoveryWords.undoing : recoveryWords.undo}
        </Button>
        <a href={timelineAddress(run_id)} onClick={followLink} className="px-2 text-cloud text-sm underline underline-offset-4">
          {recoveryWords.toTimeline}
        </a>
        {conversation_id !== null && (
          <a href={`/c/${conversation_id}`} onClick={followLink} className="px-2 text-cloud text-sm underline underline-offset-4">
            {recoveryWords.toConversation}
          </a>
        )}
      </div>
    </Panel>
  )
}

/** A degraded restore is a warning, not a failure. */
function Degraded({ contract: { taxonomy, details } }: { contract: FailureContract }) {
  return (
    <div className="rounded-md border border-line bg-warn-soft px-3 py-2.5">
      <p className="font-medium text-warn">{words.failure.taxonomy[taxonomy]}</p>
      <p className="break-words">{visibleSentence(details.message)}</p>
      {details.remedy && <p className="break-words text-soft">{visibleText(details.remedy)}</p>}
      <ul className="list-disc pl-5 text-sm text-soft">
        {(details.facts ?? []).map(({ name, value }) => (
          <li key={`${name} ${value}`} className="break-words">
            {visibleText(value)}
          </li>
        ))}
      </ul>
    </div>
  )
}
