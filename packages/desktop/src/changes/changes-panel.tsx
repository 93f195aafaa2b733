// The changes of a conversation or of one of its runs: all files, one diff, undo per file, and comments for the agent.
import type { ChangedFile } from '@tandem/contract/command'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { changesAddress, conversationAddress, followLink, goTo } from '../address.ts'
import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import { Button } from '../part/form/button.tsx'
import { Icon } from '../part/icon.tsx'
import { LoadError, LoadingPlaceholder } from '../part/load-error.tsx'
import { openRunIn } from '../store/open-run.ts'
import { changeWords } from '../strings/changes.ts'
import { formatTime } from '../text/time.ts'
import { visibleText } from '../text/visible.ts'
import { ChangedFileView, nameIn, type UndoChoice } from './changed-file.tsx'
import { CommentBar } from './comment-bar.tsx'
import { keepComments, type LineComment, readComments } from './comments.ts'
import { type ChangeScope, type Changes, useChanges } from './use-changes.ts'

/** With more files, diffs are opened one by one. */
const mostOpened = 20

interface Undone {
  readonly file: ChangedFile
  readonly checkpoint_id: string
}

export default function ChangesPanel({ conversation_id, run_id }: { conversation_id: string; run_id?: string }) {
  const client = useRuntimeClient()
  const scope = useMemo<ChangeScope>(() => ({ conversation_id, ...(run_id === undefined ? {} : { run_id }) }), [conversation_id, run_id])
  const changes = useChanges(scope)
  const isBusy = useWindowState((state) => openRunIn(state, conversation_id)?.state === 'running')
  const heading = useRef<HTMLHeadingElement>(null)
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [undone, setUndone] = useState<Undone | null>(null)
  const [said, setSaid] = useState('')
  const [comments, setComments] = useState(() => readComments(conversation_id))
  useEffect(() => {
    heading.current?.focus()
  }, [])
  const { first, files, reload } = changes
  const keep = useCallback(
    (change: (known: readonly LineComment[]) => readonly LineComment[]) =>
      setComments((known) => {
        const next = change(known)
        keepComments(conversation_id, next)
        return next
      }),
    [conversation_id],
  )
  const restore = async (file: ChangedFile, how: UndoChoice, checkpoint_id?: string) => {
    const paths = [file.path, ...(checkpoint_id !== undefined && file.from !== undefined ? [file.from] : [])]
    const params = { ...scope, paths, ...how, ...(checkpoint_id === undefined ? {} : { checkpoint_id }) }
    const answer = await client.call(changeWords.doing.undo, 'changes_undo', params)
    if (!answer.ok) return void reload()
    const name = visibleText(nameIn(first?.folders ?? [], file.path))
    const left = answer.value.left_alone.find((entry) => 'reason' in entry)
    const isBack = checkpoint_id !== undefined
    setUndone(isBack || answer.value.restored === 0 ? null : { file, checkpoint_id: answer.value.safety_checkpoint_id })
    const done = answer.value.restored === 0 ? '' : isBack ? changeWords.broughtBack(name) : changeWords.undone(name)
    setSaid(
      [done, left && 'reason' in left ? changeWords.leftAlone(name, visibleText(left.reason)) : ''].filter((one) => one !== '').join(' '),
    )
    await reload()
  }
  const latest = useRef(restore)
  latest.current = restore
  const undo = useCallback((file: ChangedFile, how: UndoChoice) => latest.current(file, how), [])
  const toggle = useCallback((path: string, open: boolean) => setToggled((known) => new Map(known).set(path, open)), [])
  const opensFirst = files.length <= mostOpened
  const isOpen = (path: string) => toggled.get(path) ?? opensFirst
  const areOpen = files.some(({ path }) => isOpen(path))
  const comment = useCallback((one: LineComment) => keep((known) => [...known.filter(({ id }) => id !== one.id), one]), [keep])
  const remove = useCallback((id: string) => keep((known) => known.filter((one) => one.id !== id)), [keep])
  const byPath = useMemo(() => Map.groupBy(comments, ({ path }) => path), [comments])
  return (
    <section
      aria-labelledby="changes-title"
      className="changes-panel"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) goTo(conversationAddress(conversation_id))
      }}
    >
      <header className="border-line border-b px-3 py-2">
        <div className="flex items-center gap-2">
          <h2 id="changes-title" ref={heading} tabIndex={-1} className="grow font-medium text-sm outline-none">
            {changeWords.title}
          </h2>
          <RunSelect conversation_id={conversation_id} run_id={run_id ?? ''} />
          <Button className="px-2 py-1" onClick={() => void reload()}>
            {changeWords.refresh}
          </Button>
          <a
            href={conversationAddress(conversation_id)}
            onClick={followLink}
            aria-label={changeWords.back}
            className="rounded-md p-1.5 text-faint hover:bg-sunken hover:text-ink"
          >
            <Icon name="close" />
          </a>
        </div>
        <Summary changes={changes} />
        {files.length > 1 && (
          <button
            type="button"
            className="mt-1 text-cloud text-sm underline underline-offset-4"
            onClick={() => setToggled(new Map(files.map(({ path }) => [path, !areOpen])))}
          >
            {areOpen ? changeWords.foldAll : changeWords.unfoldAll}
          </button>
        )}
      </header>
      <p role="status" className={said === '' ? 'sr-only' : 'flex flex-wrap items-center gap-2 bg-good-soft px-3 py-2 text-sm'}>
        <span className="wrap-anywhere min-w-0 grow">{said}</span>
        {undone && !isBusy && (
          <Button className="px-2 py-1" onClick={() => void restore(undone.file, { on_conflict: 'stop' }, undone.checkpoint_id)}>
            {changeWords.bringBack}
          </Button>
        )}
      </p>
      <div className="min-h-0 grow overflow-y-auto">
        {changes.error && (
          <div className="p-3">
            <LoadError error={changes.error} again={() => void reload()} />
          </div>
        )}
        {!first && !changes.error && <LoadingPlaceholder>{changeWords.comparing}</LoadingPlaceholder>}
        {first && files.length === 0 && (
          <div className="px-6 py-16 text-center">
            <p className="font-medium">{changeWords.none}</p>
            <p className="text-soft text-sm">{changeWords.noneLead}</p>
          </div>
        )}
        <ul>
          {files.map((file) => (
            <ChangedFileView
              key={file.path}
              file={file}
              scope={scope}
              snapshot={first?.snapshot ?? ''}
              folders={first?.folders ?? []}
              isOpen={isOpen(file.path)}
              isBusy={isBusy}
              comments={byPath.get(file.path) ?? noComments}
              onToggle={toggle}
              onUndo={undo}
              onComment={comment}
              onRemove={remove}
            />
          ))}
        </ul>
        {changes.hasMore && (
          <p className="p-3">
            <Button onClick={() => void changes.more()} disabled={changes.isLoading}>
              {changeWords.more}
            </Button>
          </p>
        )}
      </div>
      {comments.length > 0 && (
        <CommentBar {...{ conversation_id, comments }} onComment={comment} onRemove={remove} onSent={() => keep(() => [])} />
      )}
    </section>
  )
}

const noComments: readonly LineComment[] = []

function Summary({ changes: { first } }: { changes: Changes }) {
  if (!first) return null
  const { counts, conflicts, repository_files, incomplete, missing_folders, since } = first
  const all = counts.added + counts.changed + counts.removed + counts.renamed
  return (
    <div className="text-sm">
      {all > 0 && (
        <p className="text-soft">
          {changeWords.files(all)}: {changeWords.summary(counts)}
          {since !== null && <span className="text-faint"> {changeWords.since(formatTime(since))}</span>}
        </p>
      )}
      {conflicts > 0 && <p className="text-warn">{changeWords.conflicts(conflicts)}</p>}
      {repository_files > 0 && <p className="text-faint">{changeWords.repository(repository_files)}</p>}
      {incomplete && <p className="text-warn">{changeWords.incomplete}</p>}
      {missing_folders.map((folder) => (
        <p key={folder} className="break-all text-warn">
          {changeWords.missing(visibleText(folder))}
        </p>
      ))}
    </div>
  )
}

function RunSelect({ conversation_id, run_id }: { conversation_id: string; run_id: string }) {
  const all = useWindowState((state) => state.runs)
  const runs = [...all.values()].filter((run) => run.conversation_id === conversation_id)
  if (runs.length < 2 && run_id === '') return null
  return (
    <select
      aria-label={changeWords.of}
      value={run_id}
      onChange={(event) => goTo(changesAddress(conversation_id, event.target.value || undefined))}
      className="field min-w-0 max-w-56 py-1 text-sm"
    >
      <option value="">{changeWords.all}</option>
      {runs
        .toSorted((left, right) => (left.started_at < right.started_at ? 1 : -1))
        .map((run) => (
          <option key={run.run_id} value={run.run_id}>
            {visibleText(run.title)}
          </option>
        ))}
    </select>
  )
}
