// The diff of one file: lines can be chosen with the mouse or the arrow keys, and commented.
import type { DiffSliceLine } from '@tandem/contract/command'
import { Fragment, type KeyboardEvent, type MouseEvent, memo, useEffect, useId, useRef, useState } from 'react'
import { changeWords } from '../strings/changes.ts'
import { visibleText } from '../text/visible.ts'
import { CommentForm, CommentView, linesText } from './comment-form.tsx'
import type { LineComment } from './comments.ts'
import { isLine, type LineRange, type LineSelection, namedLines, nextLine, rangeOf, rowOfComment, rowsOfRange } from './selected-lines.ts'
import { keepUnfinished, readUnfinished } from './unfinished-comment.ts'

interface Props {
  readonly conversation_id: string
  readonly rows: readonly DiffSliceLine[]
  readonly path: string
  readonly name: string
  readonly comments: readonly LineComment[]
  /** While a comment is written, these rows stay. */
  onWriting(isWriting: boolean): void
  onComment(comment: LineComment): void
  onRemove(id: string): void
}

export function ChangeDiff({ conversation_id, rows, path, name, comments, onWriting, onComment, onRemove }: Props) {
  const id = useId()
  const list = useRef<HTMLElement>(null)
  const [unfinished] = useState(() => readUnfinished(conversation_id, path))
  const [range, setRange] = useState<LineRange | null>(unfinished?.range ?? null)
  const [writing, setWriting] = useState(unfinished !== null)
  const [editing, setEditing] = useState<string | null>(null)
  const selection = range && rowsOfRange(rows, range)
  const setSelection = (chosen: LineSelection | null) => setRange(chosen && rangeOf(rows, chosen))
  const isWriting = (writing && selection !== null) || editing !== null
  useEffect(() => {
    onWriting(isWriting)
    return () => onWriting(false)
  }, [isWriting, onWriting])
  const named = selection && namedLines(rows, selection)
  const end = selection ? Math.max(selection.anchor, selection.head) : null
  const shown = new Map<number, LineComment[]>()
  for (const comment of comments) {
    const at = rowOfComment(rows, comment)
    if (at !== null) shown.set(at, [...(shown.get(at) ?? []), comment])
  }
  const choose = (event: MouseEvent<HTMLElement>) => {
    const number = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('[data-number]') : null
    const at = Number(number?.closest<HTMLElement>('[data-row]')?.dataset.row ?? Number.NaN)
    if (Number.isNaN(at)) return
    setSelection(event.shiftKey && selection ? { ...selection, head: at } : { anchor: at, head: at })
    setWriting(true)
  }
  const move = (event: KeyboardEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      const head = selection ? nextLine(rows, selection.head, step) : nextLine(rows, -1, 1)
      setSelection(event.shiftKey && selection ? { ...selection, head } : { anchor: head, head })
      setWriting(false)
      document.getElementById(`${id}-${head}`)?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter' && selection) {
      event.preventDefault()
      setWriting(true)
    } else if (event.key === 'Escape' && selection) {
      event.stopPropagation()
      setSelection(null)
      setWriting(false)
    }
  }
  const close = () => {
    keepUnfinished(conversation_id, path, null)
    setWriting(false)
    list.current?.focus()
  }
  const extend = (step: 1 | -1) => {
    if (!selection) return
    const [first, last] = [Math.min(selection.anchor, selection.head), Math.max(selection.anchor, selection.head)]
    const next = nextLine(rows, last, step)
    if (next >= first) setSelection({ anchor: first, head: next })
  }
  const save = (text: string) => {
    if (named) onComment({ id: crypto.randomUUID(), path, name, ...named, text })
    setSelection(null)
    close()
  }
  const isSelected = (at: number) =>
    selection !== null && at >= Math.min(selection.anchor, selection.head) && at <= Math.max(selection.anchor, selection.head)
  const spoken = selection && rows[selection.head]
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the list inside has the role; clicks on line numbers bubble.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys and Enter do the same.
    <div className="diff-frame" onClick={choose}>
      <p role="status" className="sr-only">
        {named && spoken ? `${linesText(named)}: ${visibleText(spoken.text)}` : ''}
      </p>
      <section
        ref={list}
        aria-label={changeWords.diffOf(name)}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys choose lines.
        tabIndex={0}
        onKeyDown={move}
        className="diff-rows focus-visible:-outline-offset-2"
        dir="ltr"
      >
        {rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows keep their order.
          <Fragment key={at}>
            <Row row={row} at={at} id={`${id}-${at}`} isSelected={isSelected(at)} />
            {shown.get(at)?.map((comment) => (
              <CommentView
                key={comment.id}
                comment={comment}
                isEditing={editing === comment.id}
                onEditing={(isOpen) => setEditing(isOpen ? comment.id : null)}
                onEdit={(text) => onComment({ ...comment, text })}
                onRemove={() => onRemove(comment.id)}
              />
            ))}
            {writing && named && at === end && (
              <CommentForm
                lines={named}
                text={readUnfinished(conversation_id, path)?.text ?? ''}
                isNew
                onType={(text) => range && keepUnfinished(conversation_id, path, { range, text })}
                onExtend={extend}
                onSave={save}
                onCancel={close}
              />
            )}
          </Fragment>
        ))}
      </section>
    </div>
  )
}

const tones = { same: '', before: 'bg-bad-soft', after: 'bg-good-soft', gap: '', note: 'text-faint' } as const
const marks = { same: ' ', before: '−', after: '+', gap: '', note: '' } as const

/** Most rows stay the same when one is selected. */
const Row = memo(function Row({ row, at, id, isSelected }: { row: DiffSliceLine; at: number; id: string; isSelected: boolean }) {
  const { kind, before, after, text, cut } = row
  if (!isLine(row)) {
    return <div className={`diff-gap ${tones[kind]}`}>{kind === 'gap' ? <span title={changeWords.gap}>…</span> : visibleText(text)}</div>
  }
  return (
    <div id={id} data-row={at} data-selected={isSelected} className={`diff-row ${tones[kind]} ${isSelected ? 'diff-selected' : ''}`}>
      <span data-number className="diff-number">
        {before ?? ''}
      </span>
      <span data-number className="diff-number">
        {after ?? ''}
      </span>
      <span aria-hidden="true" className={`diff-mark ${kind === 'after' ? 'text-good' : kind === 'before' ? 'text-bad' : ''}`}>
        {marks[kind]}
      </span>
      <span className="diff-text">
        {visibleText(text).replace(/\r$/, '␍') || ' '}
        {cut && '…'}
      </span>
    </div>
  )
})
