// A text of the user while it is edited in place. Enter confirms, Escape cancels, and an empty text is refused.
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../part/form/button.tsx'
import { enterWords } from '../strings/branching.ts'
import { words } from '../strings/window.ts'

interface TextEditorProps {
  readonly text: string
  readonly label: string
  /** What the button that confirms says. */
  readonly action: string
  onChange?(text: string): void
  onDone(text: string): void
  onCancel(): void
}

export function TextEditor({ text, label, action, onChange, onDone, onCancel }: TextEditorProps) {
  const [draft, setDraft] = useState(text)
  const [isEmpty, setEmpty] = useState(false)
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const { current } = area
    current?.focus({ preventScroll: true })
    current?.setSelectionRange(current.value.length, current.value.length)
  }, [])
  const confirm = () => (draft.trim() === '' ? setEmpty(true) : onDone(draft))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') onCancel()
    else if (event.key === 'Enter' && !event.shiftKey) confirm()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <form
      className="flex w-full max-w-[85%] flex-col gap-2 self-end"
      onSubmit={(event) => {
        event.preventDefault()
        confirm()
      }}
    >
      <textarea
        ref={area}
        value={draft}
        dir="auto"
        rows={Math.min(12, draft.split('\n').length + 1)}
        maxLength={1_000_000}
        aria-label={label}
        aria-invalid={isEmpty || undefined}
        onChange={(event) => {
          setDraft(event.target.value)
          setEmpty(false)
          onChange?.(event.target.value)
        }}
        onKeyDown={onKeyDown}
        className="field w-full resize-y rounded-2xl px-4 py-2.5"
      />
      {isEmpty && (
        <p role="alert" className="text-sm text-warn">
          {enterWords.empty}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>{words.cancel}</Button>
        <Button type="submit">{action}</Button>
      </div>
    </form>
  )
}
