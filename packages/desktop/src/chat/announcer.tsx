// Announces whole sentences to screen readers: answers, pending requests, how a run ended. Never single words while they stream in.
import { isTerminalRunState } from '@tandem/contract/run'
import { useEffect, useRef, useState } from 'react'
import { useWindowState } from '../client/use-client.ts'
import type { WindowState } from '../store/window-state.ts'
import { words } from '../strings/window.ts'

export function Announcer({ conversation_id }: { conversation_id: string }) {
  const [sentence, setSentence] = useState('')
  const messages = useWindowState((state) => state.messages.get(conversation_id))
  const approvals = useWindowState((state) => state.approvals)
  const questions = useWindowState((state) => state.questions)
  const isReady = useWindowState((state) => state.threads.get(conversation_id) === 'ready')
  const ends = useWindowState((state) => endsIn(state, conversation_id))
  const told = useRef<Set<string> | null>(null)
  useEffect(() => {
    if (!messages || !isReady) return
    const news: [string, string][] = [
      ...[...messages.values()]
        .filter(({ role }) => role !== 'user')
        .map(({ message_id, text }): [string, string] => [message_id, text.replace(/[*_`#|>]+/g, '').slice(0, 1_000)]),
      ...approvals.map(({ approval }): [string, string] => [approval.approval_id, words.approval.announce(words.approval.title(approval))]),
      ...questions.map(({ question }): [string, string] => [question.question_id, words.question.announce(question.question)]),
      ...sentencesOf(ends),
    ]
    // What was there when the thread was opened is not announced.
    const known = told.current
    // Only the current ids: a run that continues and ends again is announced again.
    told.current = new Set(news.map(([id]) => id))
    const fresh = known ? news.filter(([id]) => !known.has(id)) : []
    if (fresh.length > 0) setSentence(fresh.map(([, text]) => text).join(' '))
  }, [messages, approvals, questions, isReady, ends])
  return (
    <p className="sr-only" aria-live="polite" role="status">
      {sentence}
    </p>
  )
}

const ended = ['completed', 'failed', 'canceled'] as const

/** The ended runs and their states, as one string: it changes only when one of them does. */
function endsIn({ journals }: Pick<WindowState, 'journals'>, conversation_id: string): string {
  let ends = ''
  for (const journal of journals.values()) {
    if (journal.conversation_id === conversation_id && isTerminalRunState(journal.state)) ends += `${journal.run_id} ${journal.state}\n`
  }
  return ends
}

function sentencesOf(ends: string): [string, string][] {
  return ends.split('\n').flatMap((end): [string, string][] => {
    const how = ended.find((state) => end.endsWith(` ${state}`))
    return how ? [[end, words.cards.ended[how]]] : []
  })
}
