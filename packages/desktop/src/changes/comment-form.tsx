import { useState } from 'react'
import { Button } from '../part/form/button.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { isShortcut } from '../part/shortcuts.ts'
import { changeWords } from '../strings/changes.ts'
import { visibleText } from '../text/visible.ts'
import type { LineComment } from './comments.ts'
import type { NamedLines } from './selected-lines.ts'

const { comment: words } = changeWords

export function linesText({ side, from, to }: Pick<NamedLines, 'side' | 'from' | 'to'>): string {
  const lines = from === to ? words.line(from) : words.lines(from, to)
  return side === 'before' ? words.earlier(lines) : lines
}

interface FormProps {
  readonly lines: NamedLines
  readonly text?: string
  readonly isNew?: boolean
  onType?(text: string): void
  /** Changes how many lines are meant; absent for a comment that exists. */
  onExtend?(step: 1 | -1): void
  onSave(text: string): void
  onCancel(): void
}

export function CommentForm({ lines, text: given = '', isNew = false, onType, onExtend, onSave, onCancel }: FormProps) {
  const [text, setText] = useState(given)
  const save = () => {
    if (text.trim() !== '') onSave(text.trim())
  }
  return (
    <div className="diff-comment border-line border-y bg-surface px-3 py-2 font-sans text-sm">
      <label className="block">
        <span className="mb-1 block text-soft">{words.on(linesText(lines))}</span>
        <textarea
          value={text}
          rows={2}
          maxLength={4_000}
          // biome-ignore lint/a11y/noAutofocus: the user just chose the lines.
          autoFocus
          placeholder={words.hint}
          onChange={(event) => {
            setText(event.target.value)
            onType?.(event.target.value)
          }}
          onKeyDown={(event) => {
            event.stopPropagation()
            if (isShortcut(event, 'saveComment')) save()
            if (event.key === 'Escape') onCancel()
          }}
          className="field w-full"
        />
      </label>
      <div className="mt-2 flex flex-wrap gap-2">
        <PrimaryButton onClick={save} disabled={text.trim() === ''}>
          {isNew ? words.add : words.save}
        </PrimaryButton>
        <Button onClick={onCancel}>{words.cancel}</Button>
        {onExtend && (
          <>
            <Button onClick={() => onExtend(1)}>{words.more}</Button>
            <Button onClick={() => onExtend(-1)} disabled={lines.from === lines.to}>
              {words.fewer}
            </Button>
          </>
        )}
      </div>
    </div>
  )
}

interface ViewProps {
  readonly comment: LineComment
  readonly isEditing: boolean
  /** Of its file, where the file is not shown. */
  readonly name?: string
  onEditing(isEditing: boolean): void
  onEdit(text: string): void
  onRemove(): void
}

export function CommentView({ comment, isEditing, name, onEditing, onEdit, onRemove }: ViewProps) {
  if (isEditing) {
    const save = (text: string) => {
      onEdit(text)
      onEditing(false)
    }
    return <CommentForm lines={comment} text={comment.text} onSave={save} onCancel={() => onEditing(false)} />
  }
  return (
    <div
      className="diff-comment flex flex-wrap items-start gap-2 border-line border-y bg-cloud-soft px-3 py-2 font-sans text-sm"
      data-comment
    >
      <p className="wrap-anywhere min-w-0 grow whitespace-pre-wrap">
        <span className="text-faint">
          {name === undefined ? '' : `${visibleText(name)}, `}
          {linesText(comment)}:{' '}
        </span>
        {visibleText(comment.text)}
      </p>
      <button type="button" onClick={() => onEditing(true)} className="text-cloud underline underline-offset-4">
        {words.edit}
      </button>
      <button type="button" onClick={onRemove} className="text-cloud underline underline-offset-4">
        {words.remove}
      </button>
    </div>
  )
}
