// A conversation from its start to the text that is streaming in. Only rows near the view are rendered.
import { memo, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useAnchor } from '../address.ts'
import { CardView } from '../card/card.tsx'
import { TeamLine } from '../card/team-line.tsx'
import { useWindowState } from '../client/use-client.ts'
import { SuggestionLine } from '../evolution/conversation/suggestion-line.tsx'
import { useSuggestions } from '../evolution/conversation/use-suggestions.ts'
import { PolicyLine } from '../learning/conversation/policy-line.tsx'
import { usePolicyNotices } from '../learning/conversation/use-policy-notices.ts'
import { Icon } from '../part/icon.tsx'
import { forksOf, segmentsOf } from '../store/branches.ts'
import { isSameNews } from '../store/team-news.ts'
import { type ThreadPart, threadOf, withNotices } from '../store/thread.ts'
import { branchWords } from '../strings/branching.ts'
import { words } from '../strings/window.ts'
import { visibleSentence } from '../text/sentence.ts'
import { BranchSwitch } from './branch-switch.tsx'
import { highlightMatches } from './highlight-matches.ts'
import { MessageView, SystemMessage, TextView } from './message.tsx'
import { QueuedView } from './queued-view.tsx'
import { SearchBar } from './search-bar.tsx'
import { useRows } from './use-rows.ts'
import { useThreadKeys } from './use-thread-keys.ts'

export function ThreadView({ conversation_id }: { conversation_id: string }) {
  const journals = useWindowState((state) => state.journals)
  const messages = useWindowState((state) => state.messages)
  const streams = useWindowState((state) => state.streams)
  const queued = useWindowState((state) => state.queued)
  const loading = useWindowState((state) => state.threads.get(conversation_id))
  const notices = usePolicyNotices(conversation_id)
  const suggestions = useSuggestions(conversation_id)
  const conversations = useWindowState((state) => state.conversations)
  const { segments, forks } = useMemo(
    () => ({ segments: segmentsOf(conversations, conversation_id), forks: forksOf(conversations, conversation_id) }),
    [conversations, conversation_id],
  )
  const parts = useMemo(
    () => withNotices(threadOf({ journals, messages, streams, queued }, conversation_id, segments, forks), notices, suggestions),
    [journals, messages, streams, queued, conversation_id, segments, forks, notices, suggestions],
  )
  const isOwnEmpty = segments.length > 1 && (messages.get(conversation_id)?.size ?? 0) === 0
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useRows(conversation_id, parts, scroller)
  const [finding, setFinding] = useState<'closed' | 'open'>('closed')
  const [found, setFound] = useState<string | null>(null)
  const { show } = rows
  const anchor = useAnchor()
  const isThere = parts.some(({ id }) => id === anchor)
  useEffect(() => {
    if (isThere) show(anchor, () => setFound(anchor))
  }, [anchor, isThere, show])
  const onKeyDown = useThreadKeys(
    parts,
    show,
    useCallback(() => setFinding('open'), []),
  )
  const onFound = (id: string | null, typed: string) => {
    setFound(id)
    if (id === null) highlightMatches(null, '')
    else show(id, (element) => highlightMatches(element, typed))
  }
  const endFinding = () => {
    setFinding('closed')
    onFound(null, '')
    scroller.current?.focus({ preventScroll: true })
  }
  const seen = useRef(parts.length)
  if (rows.following) seen.current = parts.length
  const hasNews = parts.length > seen.current
  return (
    <div className="relative min-h-0 grow">
      <div
        ref={scroller}
        onScroll={rows.onScroll}
        onKeyDown={onKeyDown}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
        tabIndex={0}
        className="thread-scroll"
        role="log"
        aria-label={words.thread.log}
        aria-live="off"
      >
        <div className={`mx-auto w-full max-w-3xl px-4 pb-4 sm:px-6 ${finding === 'open' ? 'pt-16' : 'pt-6'}`}>
          {loading === 'loading' && parts.length === 0 && <Waiting />}
          {typeof loading === 'object' && (
            <p role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-bad">
              {visibleSentence(loading.error.message)} {loading.error.remedy}
            </p>
          )}
          {loading === 'ready' && parts.length === 0 && !isOwnEmpty && <p className="py-16 text-center text-faint">{words.thread.empty}</p>}
          <div style={{ height: rows.above }} />
          {parts.slice(rows.first, rows.end).map((part) => (
            <Row key={part.id} part={part} isFound={part.id === found} measure={rows.measure} />
          ))}
          <div style={{ height: rows.below }} />
          {loading === 'ready' && isOwnEmpty && <p className="py-6 text-center text-faint">{branchWords.empty}</p>}
        </div>
      </div>
      {finding === 'open' && <SearchBar parts={parts} onFound={onFound} onClose={endFinding} />}
      {!rows.following && (
        <button type="button" onClick={rows.toEnd} className="pill">
          <Icon name="down" size={13} />
          {hasNews ? words.thread.newMessages : words.thread.toEnd}
        </button>
      )}
    </div>
  )
}

function Waiting() {
  return (
    <div role="status" aria-label={words.loading} className="space-y-4 motion-safe:animate-pulse">
      <div className="ml-auto h-12 w-2/5 rounded-2xl bg-line/60" />
      <div className="h-4 w-4/5 rounded bg-line/60" />
      <div className="h-4 w-3/5 rounded bg-line/60" />
    </div>
  )
}

/** Rows without space above them. */
const closeKinds: ReadonlySet<ThreadPart['kind']> = new Set(['card', 'team', 'policy', 'suggestion'])

interface RowProps {
  readonly part: ThreadPart
  readonly isFound: boolean
  measure(id: string, element: HTMLElement): () => void
}

const Row = memo(
  function Row({ part, isFound, measure }: RowProps) {
    const element = useRef<HTMLDivElement>(null)
    useEffect(() => (element.current ? measure(part.id, element.current) : undefined), [part.id, measure])
    return (
      <div ref={element} data-part={part.id} data-found={isFound || undefined} className={closeKinds.has(part.kind) ? 'row' : 'row pt-2'}>
        {part.kind === 'card' ? (
          <CardView card={part.card} state={part.state} result={part.result} times={part.times} />
        ) : part.kind === 'message' ? (
          <MessageView message={part.message} />
        ) : part.kind === 'line' ? (
          <SystemMessage text={part.line.text} set_aside={part.line.set_aside} />
        ) : part.kind === 'team' ? (
          <TeamLine news={part.news} />
        ) : part.kind === 'policy' ? (
          <PolicyLine notice={part.notice} />
        ) : part.kind === 'suggestion' ? (
          <SuggestionLine suggestion={part.suggestion} />
        ) : part.kind === 'queued' ? (
          <QueuedView queued={part.queued} />
        ) : part.kind === 'fork' ? (
          <BranchSwitch fork={part.fork} />
        ) : (
          <TextView text={part.text} standing={part.status} />
        )}
      </div>
    )
  },
  (before, after) => before.measure === after.measure && before.isFound === after.isFound && isSame(before.part, after.part),
)

/** Parts are created again with each update; most are equal to the previous ones. */
function isSame(before: ThreadPart, after: ThreadPart): boolean {
  if (before === after) return true
  if (before.id !== after.id) return false
  if (before.kind === 'message' && after.kind === 'message') return before.message === after.message
  if (before.kind === 'card' && after.kind === 'card')
    return before.card === after.card && before.state === after.state && before.result === after.result && before.times === after.times
  if (before.kind === 'line' && after.kind === 'line')
    return before.line.text === after.line.text && before.line.set_aside === after.line.set_aside
  if (before.kind === 'team' && after.kind === 'team') return isSameNews(before.news, after.news)
  if (before.kind === 'policy' && after.kind === 'policy')
    return before.notice.undone === after.notice.undone && before.notice.title === after.notice.title
  if (before.kind === 'suggestion' && after.kind === 'suggestion')
    return before.suggestion.state === after.suggestion.state && before.suggestion.title === after.suggestion.title
  if (before.kind === 'queued' && after.kind === 'queued') return before.queued.text === after.queued.text
  if (before.kind === 'fork' && after.kind === 'fork')
    return before.fork.chosen === after.fork.chosen && before.fork.choices.join() === after.fork.choices.join()
  return before.kind === 'text' && after.kind === 'text' && before.text === after.text && before.status === after.status
}
