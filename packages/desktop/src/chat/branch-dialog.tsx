// Carries out what the reader wants of a message. If the agent changed files since then, it asks about them first, with a preview.
import type { RestoreChange } from '@tandem/contract/checkpoint'
import type { WithdrawnChoice } from '@tandem/contract/team'
import { useEffect, useId, useRef, useState } from 'react'
import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import { Button } from '../part/form/button.tsx'
import { ConflictChoices, type ConflictDecision } from '../part/restore/conflict-choice.tsx'
import { PreviewList } from '../part/restore/preview-list.tsx'
import { usePreview } from '../part/restore/use-preview.ts'
import { type ChangedSince, changedSince, placeOf, questionOf } from '../store/branch-source.ts'
import { segmentsOf } from '../store/branches.ts'
import { branchWords } from '../strings/branching.ts'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'
import { type BranchRequest, editMessage, requestBranch, useBranchRequest } from './branching.ts'
import { type BranchRestore, type BranchRestored, nothingToRestore } from './restore-for-branch.ts'
import { conflictsIn, pathsOf, type SeenChanges } from './seen-changes.ts'
import { type BranchStart, useBranch } from './use-branch.ts'

export function BranchDialog({ conversation_id }: { conversation_id: string }) {
  const request = useBranchRequest()
  useEffect(
    () => () => {
      requestBranch(null)
      editMessage(null)
    },
    [],
  )
  return request && <Asked key={`${request.kind}:${request.message.message_id}`} request={request} conversation_id={conversation_id} />
}

function Asked({ request, conversation_id }: { request: BranchRequest; conversation_id: string }) {
  const client = useRuntimeClient()
  const branch = useBranch()
  const [changes, setChanges] = useState<readonly ChangedSince[] | null>(null)
  const begun = useRef(false)
  const start = startOf(client.store.get(), request)
  const act = async (restore: BranchRestore) => {
    const end = start ? await branch({ ...start, restore }) : 'refused'
    // After a refused restore, the question stays.
    if (end !== 'done' && restore.runs.length === 0) requestBranch(null)
    return end
  }
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    void look()
    async function look(): Promise<void> {
      const state = client.store.get()
      const place = start && placeOf(state.journals, start.message.message_id)
      const at = place && { ...place, seq: place.seq + (start?.keep === 'through' ? 1 : 0) }
      const found = at ? changedSince(state.journals, segmentsOf(state.conversations, conversation_id), at) : []
      const sums = await Promise.all(
        found.map(async (one) => {
          const { run_id, checkpoint_id } = one
          const seen = await client.channel.call('agent_run_restore_checkpoint', { action: 'preview', run_id, checkpoint_id, limit: 1 })
          // What cannot be previewed cannot be restored; the branch does not depend on it.
          const sum = seen.ok ? Object.values(seen.value.counts).reduce((all, count) => all + count, 0) : 0
          const members = seen.ok && seen.value.outcome === 'previewed' ? pathsOf(seen.value.members) : 0
          return sum + members > 0 ? [one] : []
        }),
      )
      const changed = sums.flat()
      if (changed.length === 0) await act(nothingToRestore)
      else setChanges(changed)
    }
  })
  return changes && <FilesQuestion changes={changes} act={act} />
}

/** What is replaced or continued from. */
function startOf(
  { journals, messages }: Pick<ReturnType<ReturnType<typeof useRuntimeClient>['store']['get']>, 'journals' | 'messages'>,
  request: BranchRequest,
): Pick<BranchStart, 'message' | 'keep' | 'text'> | null {
  const { message } = request
  if (request.kind === 'branch') return { message, keep: 'through', text: null }
  if (request.kind === 'resend') return { message, keep: 'before', text: request.text }
  const asked = messages.get(message.conversation_id)?.get(questionOf(journals, message) ?? '')
  return asked ? { message: asked, keep: 'before', text: asked.text } : null
}

interface QuestionProps {
  readonly changes: readonly ChangedSince[]
  act(restore: BranchRestore): Promise<BranchRestored>
}

function FilesQuestion({ changes, act }: QuestionProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const [seen, setSeen] = useState<ReadonlyMap<string, SeenChanges>>(new Map())
  const [decided, setDecided] = useState<ConflictDecision | null>(null)
  const [doing, setDoing] = useState<'nothing' | 'keeping' | 'restoring'>('nothing')
  const [isRefused, setRefused] = useState(false)
  const [members, setMembers] = useState<WithdrawnChoice>('restore')
  const { files } = branchWords
  const found = conflictsIn(changes.flatMap(({ run_id }) => seen.get(run_id) ?? []))
  // Files of members, or ones that changed after the comparison, are conflicts that only the restore finds.
  const all = isRefused ? Math.max(found, 1) : found
  const ofMembers = changes.reduce((sum, { run_id }) => sum + (seen.get(run_id)?.ofMembers ?? 0), 0)
  const isSeen = seen.size === changes.length
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  const go = async (choice: 'keeping' | 'restoring') => {
    setDoing(choice)
    const on_conflict = all > 0 ? (decided ?? 'stop') : 'stop'
    const restore: BranchRestore = { runs: changes, on_conflict, members: ofMembers > 0 ? members : 'keep' }
    const end = await act(choice === 'restoring' ? restore : nothingToRestore)
    if (end === 'conflict') setRefused(true)
    if (end !== 'done') setDoing('nothing')
  }
  return (
    <dialog ref={dialog} onClose={() => requestBranch(null)} aria-labelledby={id} className="palette max-h-[85vh] overflow-y-auto">
      <div className="p-4">
        <h2 id={id} className="font-semibold text-lg tracking-tight">
          {files.title}
        </h2>
        <p className="mt-1 mb-4 text-soft text-sm">{files.lead}</p>
        {changes.map((one) => (
          <RunChanges key={one.checkpoint_id} changed={one} hasTitle={changes.length > 1} onSeen={setSeen} />
        ))}
        {ofMembers > 0 && (
          <label className="mt-2 flex items-baseline gap-2.5 text-sm">
            <input
              type="checkbox"
              checked={members === 'restore'}
              onChange={() => setMembers(members === 'restore' ? 'keep' : 'restore')}
              className="accent-(--cloud)"
            />
            {files.members(ofMembers)}
          </label>
        )}
        <div className="mt-4">{all > 0 && <ConflictChoices count={all} value={decided} onChange={setDecided} />}</div>
        <div className="flex flex-wrap items-center gap-2">
          <Button autoFocus disabled={doing !== 'nothing'} onClick={() => void go('keeping')}>
            {files.keep}
          </Button>
          <Button disabled={doing !== 'nothing' || !isSeen || (all > 0 && decided === null)} onClick={() => void go('restoring')}>
            {doing === 'restoring' ? files.restoring : files.restore}
          </Button>
          <Button disabled={doing !== 'nothing'} onClick={() => dialog.current?.close()}>
            {words.cancel}
          </Button>
          {all > 0 && decided === null && <span className="text-faint text-sm">{files.chooseFirst}</span>}
        </div>
      </div>
    </dialog>
  )
}

interface ChangesProps {
  readonly changed: ChangedSince
  readonly hasTitle: boolean
  onSeen(add: (before: ReadonlyMap<string, SeenChanges>) => ReadonlyMap<string, SeenChanges>): void
}

function RunChanges({ changed: { run_id, checkpoint_id }, hasTitle, onSeen }: ChangesProps) {
  const run = useWindowState((state) => state.runs.get(run_id))
  const [change, setChange] = useState<RestoreChange | null>(null)
  const preview = usePreview({ run_id, checkpoint_id, change, workspace: null, group: 'calls' })
  const { page } = preview
  useEffect(() => {
    // A filtered list does not have all paths.
    if (!page || change !== null) return
    const paths = page.entries.map(({ path }) => path)
    const conflicts = page.entries.flatMap(({ path, change }) => (change === 'conflict' ? [path] : []))
    const { counts, members } = page
    onSeen((before) => new Map(before).set(run_id, { paths, conflicts, count: counts.conflict, ofMembers: pathsOf(members) }))
  }, [page, change, run_id, onSeen])
  return (
    <section className="mb-4">
      {hasTitle && <h3 className="mb-2 text-soft text-sm">{branchWords.files.later(visibleText(run?.title ?? ''))}</h3>}
      <PreviewList preview={preview} root={run?.workspace ?? ''} change={change} onChange={setChange} />
    </section>
  )
}
