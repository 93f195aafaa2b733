// Tells a reader of the screen whole sentences: what was answered, what waits, how a run ended. Never single words as they come.
import { useEffect, useRef, useState } from 'react'
import { useWindow } from '../desk/use-desk.ts'
import { words } from '../strings/window.ts'

export function Announcer({ conversation_id }: { conversation_id: string }) {
  const [sentence, setSentence] = useState('')
  const messages = useWindow((state) => state.messages.get(conversation_id))
  const approvals = useWindow((state) => state.approvals)
  const questions = useWindow((state) => state.questions)
  const told = useRef<Set<string> | null>(null)
  useEffect(() => {
    const news: [string, string][] = [
      ...[...(messages?.values() ?? [])]
        .filter(({ role }) => role !== 'user')
        .map(({ message_id, text }): [string, string] => [message_id, text.replace(/[*_`#|>]+/g, '').slice(0, 1_000)]),
      ...approvals.map(({ approval }): [string, string] => [approval.approval_id, words.approval.announce(approval.tool)]),
      ...questions.map(({ question }): [string, string] => [question.question_id, words.question.announce(question.question)]),
    ]
    // What was there when the thread was opened is read by the reader, not to them.
    const known = told.current
    told.current = new Set([...(known ?? []), ...news.map(([id]) => id)])
    const fresh = known && messages ? news.filter(([id]) => !known.has(id)) : []
    if (!messages) told.current = known
    if (fresh.length > 0) setSentence(fresh.map(([, text]) => text).join(' '))
  }, [messages, approvals, questions])
  return (
    <p className="sr-only" aria-live="polite" role="status">
      {sentence}
    </p>
  )
}
