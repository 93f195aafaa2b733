import type { RestoreChange, RestorePreviewEntry } from '@tandem/contract/checkpoint'
import { type ReactNode, useState } from 'react'
import { locale } from '../../strings/locale.ts'
import { recoveryWords } from '../../strings/recovery.ts'
import { visibleName } from '../../text/name.ts'
import { visibleText } from '../../text/visible.ts'
import { Badge, type Tone } from '../badge.tsx'
import { Icon } from '../icon.tsx'
import { DiffLines } from './diff-lines.tsx'

const changeTones: Record<RestoreChange, Tone> = {
  created: 'bad',
  changed: 'warn',
  deleted: 'good',
  conflict: 'desktop',
  unrecoverable: 'plain',
}

interface Props {
  readonly entry: RestorePreviewEntry
  /** The common prefix of all paths; it is not repeated in each line. */
  readonly root: string
  readonly isOpen: boolean
  /** Shown before the line: the control that selects the path. */
  readonly children?: ReactNode
}

/** The name of a path in a list of paths below `root`. */
export function relativeName(root: string, { path, type }: Pick<RestorePreviewEntry, 'path' | 'type'>): string {
  return visibleName(path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path) + (type === 'directory' ? '/' : '')
}

export function PreviewEntry({ entry, root, isOpen, children }: Props) {
  const [open, setOpen] = useState(isOpen)
  const { path, type, change } = entry
  const name = relativeName(root, entry)
  const diff = 'diff' in entry ? entry.diff : undefined
  const reason = 'reason' in entry ? visibleText(entry.reason) : null
  const lost = 'lost' in entry ? (entry.lost ?? []) : []
  const line = (
    <>
      <span className="w-22 shrink-0">
        <Badge tone={changeTones[change]} title={recoveryWords.meanings[change]}>
          {recoveryWords.changes[change]}
        </Badge>
      </span>
      <span className="min-w-0 grow">
        <bdi className="break-all font-mono text-[13px]">{name}</bdi>
        {type === 'symlink' && <span className="ml-2 text-faint text-sm">{recoveryWords.types.symlink}</span>}
        {reason !== null && <span className="block text-soft text-sm">{reason}</span>}
        {lost.map((loss) => (
          <span key={loss} className="block text-sm text-warn">
            {visibleText(loss)}
          </span>
        ))}
      </span>
      {diff?.kind === 'text' && (
        <span className="shrink-0 text-sm">
          <span aria-hidden="true" className="font-mono text-[12.5px]">
            <span className="text-good">+{diff.lines_added.toLocaleString(locale)}</span>{' '}
            <span className="text-bad">−{diff.lines_removed.toLocaleString(locale)}</span>
          </span>
          <span className="sr-only">{recoveryWords.linesSaid(diff.lines_added, diff.lines_removed)}</span>
        </span>
      )}
    </>
  )
  return (
    <li data-path={path} data-change={change}>
      <div className="flex items-center">
        {children}
        {diff ? (
          <button
            type="button"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
            className="flex min-w-0 grow items-baseline gap-2.5 px-4 py-2 text-left hover:bg-sunken focus-visible:-outline-offset-2"
          >
            <Icon
              name="chevron"
              size={10}
              className={`self-center text-faint motion-safe:transition-transform ${open ? 'rotate-90' : ''}`}
            />
            {line}
          </button>
        ) : (
          <div className="flex min-w-0 grow items-baseline gap-2.5 py-2 pr-4 pl-9">{line}</div>
        )}
      </div>
      {diff && open && (
        <div className="px-4 pt-1 pb-4">
          <DiffLines diff={diff} label={name} />
        </div>
      )}
    </li>
  )
}
