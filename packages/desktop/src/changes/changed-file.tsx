// One changed file: what happened to it, its diff, and undoing the change.
import type { ChangedFile } from '@tandem/contract/command'
import { memo, useEffect, useRef, useState } from 'react'
import { Badge, type Tone } from '../part/badge.tsx'
import { Button } from '../part/form/button.tsx'
import { Icon } from '../part/icon.tsx'
import { changeWords } from '../strings/changes.ts'
import { locale } from '../strings/locale.ts'
import { visibleName } from '../text/name.ts'
import { visibleText } from '../text/visible.ts'
import { ChangeDiff } from './change-diff.tsx'
import type { LineComment } from './comments.ts'
import { type ChangeScope, useDiff } from './use-changes.ts'

const changeTones: Record<ChangedFile['change'], Tone> = { added: 'good', changed: 'warn', removed: 'bad', renamed: 'cloud' }

interface Props {
  readonly file: ChangedFile
  readonly scope: ChangeScope
  readonly snapshot: string
  readonly folders: readonly string[]
  readonly isOpen: boolean
  /** A run is working: nothing can be undone. */
  readonly isBusy: boolean
  readonly comments: readonly LineComment[]
  onToggle(path: string, open: boolean): void
  onUndo(file: ChangedFile, how: UndoChoice): Promise<void>
  onComment(comment: LineComment): void
  onRemove(id: string): void
}

export interface UndoChoice {
  readonly on_conflict: 'stop' | 'overwrite'
  /** The user has agreed that the background command that may have changed the file is stopped. */
  readonly end_background?: true
}

/** The path below the folder that contains it. */
export function nameIn(folders: readonly string[], path: string): string {
  const folder = folders.find((one) => path.startsWith(`${one}/`))
  if (folder === undefined) return path
  const name = path.slice(folder.length + 1)
  return folders.length > 1 ? `${folder.slice(folder.lastIndexOf('/') + 1)}/${name}` : name
}

export const ChangedFileView = memo(function ChangedFileView(props: Props) {
  const { file, folders, isOpen, isBusy, onToggle, onUndo } = props
  const [asking, setAsking] = useState(false)
  const [undoing, setUndoing] = useState(false)
  const { path, change, lines, mode, undo, reason, from, type, background, running } = file
  const name = visibleName(nameIn(folders, path))
  const act = async () => {
    setAsking(false)
    setUndoing(true)
    await onUndo(file, { on_conflict: undo === 'conflict' ? 'overwrite' : 'stop', ...(running ? { end_background: true } : {}) })
    setUndoing(false)
  }
  return (
    <li data-path={path} data-change={change} className="change-file border-line border-b">
      <div className="sticky top-0 z-10 flex items-center gap-2 bg-canvas pr-3">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => onToggle(path, !isOpen)}
          className="flex min-w-0 grow flex-wrap items-baseline gap-x-2 gap-y-0.5 px-3 py-2 text-left hover:bg-sunken focus-visible:-outline-offset-2"
        >
          <Icon name="chevron" size={10} className={`self-center text-faint ${isOpen ? 'rotate-90' : ''}`} />
          <bdi className="min-w-0 break-all font-mono text-[13px]">{name}</bdi>
          <Badge tone={changeTones[change]}>{changeWords.changes[change]}</Badge>
          {type === 'symlink' && <span className="text-faint text-sm">{changeWords.link}</span>}
          {from !== undefined && (
            <span className="break-all text-faint text-sm">{changeWords.renamedFrom(visibleName(nameIn(folders, from)))}</span>
          )}
          {mode && <span className="text-faint text-sm">{changeWords.mode(octal(mode.before), octal(mode.after))}</span>}
          {background && <span className="text-faint text-sm">{running ? changeWords.backgroundRunning : changeWords.background}</span>}
          {lines && (
            <span className="text-sm">
              <span aria-hidden="true" className="font-mono text-[12.5px]">
                <span className="text-good">+{lines.added.toLocaleString(locale)}</span>{' '}
                <span className="text-bad">−{lines.removed.toLocaleString(locale)}</span>
              </span>
              <span className="sr-only">{changeWords.lines(lines.added, lines.removed)}</span>
            </span>
          )}
        </button>
        {undo !== 'impossible' && (
          <Button
            className="shrink-0 px-2 py-1"
            disabled={undoing || isBusy}
            title={isBusy ? changeWords.busy : undefined}
            aria-label={changeWords.undoFile(name)}
            onClick={() => (undo === 'conflict' || running ? setAsking(!asking) : void act())}
          >
            {undoing ? changeWords.undoing : changeWords.undo}
          </Button>
        )}
      </div>
      {undo !== 'possible' && reason !== undefined && (
        <p className="px-9 pb-2 text-sm text-warn">
          {undo === 'impossible' && `${changeWords.impossible}: `}
          {visibleText(reason)}
        </p>
      )}
      {asking && (
        <div role="alert" className="mx-3 mb-3 rounded-md border border-line bg-warn-soft px-3 py-2 text-sm">
          {running && <p className="mb-2">{changeWords.running}</p>}
          {undo === 'conflict' && <p className="mb-2">{changeWords.conflict}</p>}
          <div className="flex flex-wrap gap-2">
            <Button onClick={act}>{undo === 'conflict' ? changeWords.overwrite : changeWords.stopAndUndo}</Button>
            <Button onClick={() => setAsking(false)}>{changeWords.cancel}</Button>
          </div>
        </div>
      )}
      {isOpen && <FileDiff {...props} name={name} />}
    </li>
  )
})

function FileDiff({ file, scope, snapshot, name, comments, onComment, onRemove }: Props & { readonly name: string }) {
  const place = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    const element = place.current
    if (!element || isNear) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), { rootMargin: '600px' })
    observer.observe(element)
    return () => observer.disconnect()
  }, [isNear])
  const [isWriting, setWriting] = useState(false)
  const shown = useRef(snapshot)
  // Lines must not move while a comment on them is written.
  if (!isWriting) shown.current = snapshot
  const { rows, diff, error, more } = useDiff(scope, file.path, shown.current, isNear)
  return (
    <div ref={place} className="border-line border-t">
      {error && <p className="px-9 py-2 text-sm text-warn">{visibleText(error.message)}</p>}
      {!diff && !error && <p className="px-9 py-2 text-faint text-sm">{changeWords.loading}</p>}
      {diff?.kind === 'none' && <p className="px-9 py-2 text-faint text-sm">{changeWords.noDiff[diff.why]}</p>}
      {diff?.kind === 'text' && (
        <>
          {diff.coarse && <p className="px-9 py-1 text-faint text-sm">{changeWords.coarse}</p>}
          <ChangeDiff
            conversation_id={scope.conversation_id}
            rows={rows}
            path={file.path}
            name={name}
            comments={comments}
            onWriting={setWriting}
            onComment={onComment}
            onRemove={onRemove}
          />
          {diff.next !== null && (
            <p className="px-9 py-2">
              <Button onClick={more}>{changeWords.moreLines(diff.total - rows.length)}</Button>
            </p>
          )}
        </>
      )}
    </div>
  )
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, '0')
}
