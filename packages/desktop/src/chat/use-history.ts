// Earlier messages of this conversation, recalled with the arrow keys while the composer is otherwise empty.
import { type KeyboardEvent, useMemo, useRef } from 'react'
import { useWindowState } from '../client/use-client.ts'

/** Returns whether it handled the key. */
export function useHistory(place: string, text: string, setText: (text: string) => void): (event: KeyboardEvent) => boolean {
  const messages = useWindowState((state) => state.messages.get(place))
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

/** Newest first, without duplicates. */
function writtenIn(messages: readonly { readonly role: string; readonly text: string }[]): readonly string[] {
  return [...new Set(messages.flatMap(({ role, text }) => (role === 'user' ? [text] : [])).reverse())]
}
