// What was written before in this conversation, brought back by the arrow keys while nothing else is written.
import { type KeyboardEvent, useMemo, useRef } from 'react'
import { useWindow } from '../desk/use-desk.ts'

/** Answers whether the key was for it. */
export function useHistory(place: string, text: string, setText: (text: string) => void): (event: KeyboardEvent) => boolean {
  const messages = useWindow((state) => state.messages.get(place))
  const written = useMemo(() => writtenIn([...(messages?.values() ?? [])]), [messages])
  const at = useRef(-1)
  return (event) => {
    const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
    if (step === 0 || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return false
    if (text === '') at.current = -1
    else if (text !== written[at.current]) return false
    const next = at.current + step
    if (next < -1 || next >= written.length) return false
    at.current = next
    setText(written[next] ?? '')
    return true
  }
}

/** The latest first, each once. */
function writtenIn(messages: readonly { readonly role: string; readonly text: string }[]): readonly string[] {
  return [...new Set(messages.flatMap(({ role, text }) => (role === 'user' ? [text] : [])).reverse())]
}
