// A message of the user while it is edited. Sending it starts a branch; the message itself stays.
import type { ListedMessage } from '@tandem/contract/command'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../part/form/button.tsx'
import { keepDraft, readDraft } from '../store/draft.ts'
import { branchWords, enterWords } from '../strings/branching.ts'
import { words } from '../strings/window.ts'
import { editMessage, requestBranch } from './branching.ts'

export function MessageEditor({ message }: { message: ListedMessage }) {
  const place = `edit:${message.message_id}`
  const [text, setText] = useState(() => readDraft(place) || message.text)
  const [isEmpty, setEmpty] = useState(false)
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => keepDraft(place, text === message.text ? '' : text), [place, text, message.text])
  useEffect(() => {
    const { current } = area
    current?.focus({ preventScroll: true })
    current?.setSelectionRange(current.value.length, current.value.length)
  }, [])
  const close = () => {
    keepDraft(place, '')
    editMessage(null)
    document.getElementById('composer')?.focus()
  }
  const send = () => {
    if (text.trim() === '') return setEmpty(true)
    requestBranch({ kind: 'resend', message, text })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') close()
    else if (event.key === 'Enter' && !event.shiftKey) send()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <form
      className="flex w-full max-w-[85%] flex-col gap-2 self-end"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <textarea
        ref={area}
        value={text}
        dir="auto"
        rows={Math.min(12, text.split('\n').length + 1)}
        maxLength={1_000_000}
        aria-label={branchWords.editing}
        aria-invalid={isEmpty || undefined}
        onChange={(event) => {
          setText(event.target.value)
          setEmpty(false)
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
        <Button onClick={close}>{words.cancel}</Button>
        <Button type="submit">{branchWords.send}</Button>
      </div>
    </form>
  )
}
