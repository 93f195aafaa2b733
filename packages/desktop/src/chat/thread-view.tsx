// A conversation from its start to the text that is streaming in. Only rows near the view are rendered.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useAnchor } from '../address.ts'
import { useWindowState } from '../client/use-client.ts'
import { useSuggestions } from '../evolution/conversation/use-suggestions.ts'
import { usePolicyNotices } from '../learning/conversation/use-policy-notices.ts'
import { ImagesContext } from '../markdown/image.tsx'
import { Icon } from '../part/icon.tsx'
import { forksOf, segmentsOf } from '../store/branches.ts'
import { threadOf, withNotices } from '../store/thread.ts'
import { branchWords } from '../strings/branching.ts'
import { words } from '../strings/window.ts'
import { visibleSentence } from '../text/sentence.ts'
import { highlightMatches } from './highlight-matches.ts'
import { PrintProgress } from './print-progress.tsx'
import { RowList } from './row-list.tsx'
import { SearchBar } from './search-bar.tsx'
import { useImages } from './use-images.ts'
import { usePrinting } from './use-printing.ts'
import { useReading } from './use-reading.ts'
import { useRows } from './use-rows.ts'
import { useThreadKeys } from './use-thread-keys.ts'

export function ThreadView({ conversation_id }: { conversation_id: string }) {
  const journals = useWindowState((state) => state.journals)
  const messages = useWindowState((state) => state.messages)
  const streams = useWindowState((state) => state.streams)
  const queued = useWindowState((state) => state.queued)
  const threads = useWindowState((state) => state.threads)
  const loading = threads.get(conversation_id)
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
  const reading = useReading(scroller)
  const images = useImages(conversation_id)
  const isLoaded = segments.every((segment) => threads.get(segment.conversation_id) === 'ready')
  const printing = usePrinting(isLoaded, parts.length)
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
        onKeyDown={onKeyDown}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
        tabIndex={0}
        className="thread-scroll"
        role="log"
        aria-label={words.thread.log}
        aria-live="off"
      >
        <div
          className={`mx-auto w-full max-w-3xl px-4 pb-4 sm:px-6 ${finding === 'open' ? 'pt-16' : 'pt-6'}`}
          // Covered while it is prepared: laid out once, not after every step.
          style={{ contentVisibility: printing.prepared === null ? 'visible' : 'hidden' }}
        >
          {loading === 'loading' && parts.length === 0 && <Waiting />}
          {typeof loading === 'object' && (
            <p role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-bad">
              {visibleSentence(loading.error.message)} {loading.error.remedy}
            </p>
          )}
          {loading === 'ready' && parts.length === 0 && !isOwnEmpty && <p className="py-16 text-center text-faint">{words.thread.empty}</p>}
          <ImagesContext value={images}>
            <RowList parts={parts} rows={rows} found={found} printed={printing.rows} reading={reading} />
          </ImagesContext>
          {loading === 'ready' && isOwnEmpty && <p className="py-6 text-center text-faint">{branchWords.empty}</p>}
        </div>
      </div>
      {printing.prepared !== null && (
        <PrintProgress done={isLoaded ? printing.prepared : null} all={parts.length} onCancel={printing.cancel} />
      )}
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
