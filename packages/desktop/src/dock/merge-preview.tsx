// A merge of the work of members: its files with their diffs, and its conflicts, each with a choice.
import type { CallPreview } from '@tandem/contract/run'
import { type ConflictResolution, conflictsOf, type MergedFile, openConflicts, resolutionsIn } from '@tandem/contract/team'
import { useRef } from 'react'
import { Badge } from '../part/badge.tsx'
import { Fold, SmallFold } from '../part/fold.tsx'
import { Button } from '../part/form/button.tsx'
import { SideBySide } from '../part/side-by-side.tsx'
import { teamWords } from '../strings/team.ts'
import { words } from '../strings/window.ts'
import { visibleName } from '../text/name.ts'
import { visibleInApproval } from '../text/visible.ts'
import { Conflict } from './merge-conflict.tsx'

const told = teamWords.merge

interface Props {
  readonly preview: Extract<CallPreview, { kind: 'merge' }>
  /** The arguments as they would be sent: they have the resolutions. */
  readonly args: string
  onResolve(resolutions: readonly ConflictResolution[]): void
}

export function MergePreview({ preview, args, onResolve }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const { members, files, more, notes } = preview
  const all = conflictsOf(files)
  const resolutions = resolutionsIn(args)
  const open = openConflicts(preview, args)
  const isOpen = new Set(open.listed.map(({ conflict_id }) => conflict_id))
  const numbers = new Map(all.map(({ conflict_id }, index) => [conflict_id, index + 1]))
  /** Where the choice is possible. */
  const resolveAll = (use: 'current' | 'member') =>
    onResolve(open.listed.filter(({ choices }) => choices.includes(use)).map(({ conflict_id }) => ({ conflict_id, use })))
  const toNext = () => {
    const next = box.current?.querySelector<HTMLElement>('fieldset[data-open=true]')
    next?.scrollIntoView({ block: 'nearest' })
    next?.querySelector<HTMLElement>('input')?.focus({ preventScroll: true })
  }
  return (
    <div ref={box} data-merge className="space-y-3 text-sm">
      {members.length > 1 && (
        <p className="break-words text-soft">{told.from(members.map(({ title }) => visibleName(title)).join(', '))}</p>
      )}
      {notes.map((note) => (
        <p key={note} className="break-words text-warn">
          {visibleInApproval(note)}
        </p>
      ))}
      {all.length > 1 && open.listed.length > 0 && (
        <p className="flex flex-wrap gap-2">
          <Button onClick={toNext}>{told.next}</Button>
          {(['current', 'member'] as const).map((use) => (
            <Button key={use} onClick={() => resolveAll(use)}>
              {told.all[use]}
            </Button>
          ))}
        </p>
      )}
      {files.length === 0 && <p className="text-faint">{told.noFiles}</p>}
      {files
        .filter(({ conflicts }) => conflicts.length > 0)
        .map((file) => (
          <section key={file.path} aria-label={told.file(visibleInApproval(file.path))} className="rounded-lg border border-line">
            <div className="border-line border-b bg-sunken px-3 py-1.5">
              <FileName file={file} />
            </div>
            <div className="space-y-4 p-3">
              {file.conflicts.map((conflict) => (
                <Conflict
                  key={conflict.conflict_id}
                  conflict={conflict}
                  place={{ at: numbers.get(conflict.conflict_id) ?? 0, all: all.length }}
                  resolution={resolutions.get(conflict.conflict_id) ?? null}
                  isOpen={isOpen.has(conflict.conflict_id)}
                  onResolve={(resolution) => onResolve([resolution])}
                />
              ))}
              <SmallFold summary={told.file(visibleInApproval(file.path))}>{() => <FileDiff file={file} />}</SmallFold>
            </div>
          </section>
        ))}
      <div className="overflow-hidden rounded-lg border border-line empty:hidden">
        {files
          .filter(({ conflicts }) => conflicts.length === 0)
          .map((file) => (
            <Fold key={file.path} summary={<FileName file={file} />}>
              {() => <FileDiff file={file} />}
            </Fold>
          ))}
      </div>
      {more > 0 && <p className="text-faint">{told.more(more)}</p>}
    </div>
  )
}

function FileName({ file: { path, change, from, authors, lines_added, lines_removed, conflicts } }: { file: MergedFile }) {
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 text-sm">
      <bdi className="min-w-0 break-all font-mono text-[13px]">{visibleInApproval(path)}</bdi>
      <Badge tone={change === 'deleted' ? 'bad' : change === 'added' ? 'good' : 'plain'}>{told.changes[change]}</Badge>
      {from !== null && <bdi className="min-w-0 break-all text-faint">{told.renamedFrom(visibleInApproval(from))}</bdi>}
      {lines_added !== null && <span className="text-good">{words.approval.added(lines_added)}</span>}
      {lines_removed !== null && <span className="text-bad">{words.approval.removed(lines_removed)}</span>}
      {authors.length > 0 && <span className="min-w-0 break-words text-faint">{told.by(authors.map(visibleName).join(', '))}</span>}
      {conflicts.length > 0 && <Badge tone="warn">{told.conflicts(conflicts.length)}</Badge>}
    </p>
  )
}

function FileDiff({ file: { path, diff, diff_truncated } }: { file: MergedFile }) {
  if (diff === '') return <p className="text-faint">{told.noDiff}</p>
  return (
    <>
      <SideBySide diff={diff} label={words.approval.diff(visibleInApproval(path))} />
      {diff_truncated && <p className="mt-1 text-warn">{told.cutDiff}</p>}
    </>
  )
}
