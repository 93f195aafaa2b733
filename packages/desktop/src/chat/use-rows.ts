// The rendered rows of a thread, and scrolling that follows the end only while the reader is there.
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'react'
import type { ThreadPart } from '../store/thread.ts'
import { createRowIndex } from './row-index.ts'
import { endRange, type RowRange, rangeOf } from './rows.ts'

export interface Rows extends RowRange {
  readonly following: boolean
  /** Observes the height of a row. */
  measure(id: string, element: HTMLElement): () => void
  onScroll(): void
  toEnd(): void
  /** Scrolls a row into view, then calls back with its element. */
  show(id: string, shown: (element: HTMLElement) => void): void
}

interface RowPlace {
  readonly id: string
  readonly offset: number
}

/** The scroll position in each thread, for the lifetime of the window. A reader who left at the end returns to the end. */
const leftAt = new Map<string, RowPlace>()

const nearEnd = 48

export function useRows(thread: string, parts: readonly ThreadPart[], scroller: RefObject<HTMLElement | null>): Rows {
  const book = useMemo(createRowIndex, [])
  book.update(parts)
  const [view, setView] = useState({ top: 0, height: 800 })
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const [following, setFollowing] = useState(() => !leftAt.has(thread))
  const last = useRef({ top: 0, whole: 0 })
  const returning = useRef(leftAt.get(thread) ?? null)
  const wanted = useRef<{ id: string; shown(element: HTMLElement): void } | null>(null)

  const range = following ? endRange(book.heights, view.height) : rangeOf(book.heights, view.top, view.height)
  const now = useRef({ range, following, view })
  now.current = { range, following, view }

  const stick = useCallback(() => {
    const { current } = scroller
    if (current) current.scrollTop = current.scrollHeight
  }, [scroller])

  const observer = useMemo(() => {
    const ids = new WeakMap<Element, string>()
    const watching = new ResizeObserver((entries) => {
      let changed = false
      for (const { target, borderBoxSize } of entries) {
        const id = ids.get(target)
        const height = Math.round(borderBoxSize[0]?.blockSize ?? 0)
        if (id !== undefined && height > 0 && book.setHeight(id, height)) changed = true
      }
      if (!changed) return
      const { range: drawn, following: atEnd, view: seen } = now.current
      const next = atEnd ? endRange(book.heights, seen.height) : rangeOf(book.heights, seen.top, seen.height)
      // A row that only grew needs no other rows.
      if (next.first < drawn.first || next.end > drawn.end || next.above !== drawn.above || next.below !== drawn.below) redraw()
      if (atEnd) stick()
    })
    return { watching, ids }
  }, [book, stick])
  useEffect(() => () => observer.watching.disconnect(), [observer])

  const measure = useCallback(
    (id: string, element: HTMLElement) => {
      observer.ids.set(element, id)
      observer.watching.observe(element)
      return () => observer.watching.unobserve(element)
    },
    [observer],
  )

  const moveTo = useCallback(
    (top: number) => {
      const { current } = scroller
      if (!current) return
      setFollowing(false)
      setView({ top, height: current.clientHeight })
      current.scrollTop = top
    },
    [scroller],
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: after every render that may have moved the end.
  useLayoutEffect(() => {
    const place = returning.current
    const index = place === null ? undefined : book.indexOf(place.id)
    if (place && index !== undefined) {
      returning.current = null
      moveTo(book.heights.above(index) + place.offset)
    } else if (following) stick()
  }, [following, parts, view.height, stick, moveTo, book])

  // After every render: the requested row may be there now.
  useLayoutEffect(() => {
    const asked = wanted.current
    const element = asked && scroller.current?.querySelector<HTMLElement>(`[data-part="${CSS.escape(asked.id)}"]`)
    if (!element) return
    wanted.current = null
    element.scrollIntoView({ block: 'nearest' })
    asked.shown(element)
  })

  const onScroll = useCallback(() => {
    const { current } = scroller
    if (!current) return
    const { scrollTop: top, clientHeight: height, scrollHeight: whole } = current
    const atEnd = whole - top - height < nearEnd
    // The reader stops following by scrolling up, not because the end moved away.
    const wentUp = top < last.current.top - 1 && whole >= last.current.whole
    last.current = { top, whole }
    const follows = atEnd || (now.current.following && !wentUp)
    if (follows !== now.current.following) setFollowing(follows)
    remember(thread, follows ? null : book.idAt(book.heights.at(top)), top - book.heights.above(book.heights.at(top)))
    setView((before) => (Math.abs(before.top - top) < 200 && before.height === height ? before : { top, height }))
  }, [scroller, book, thread])

  useEffect(() => {
    const { current } = scroller
    if (!current) return
    const sized = new ResizeObserver(() => setView((before) => ({ ...before, height: current.clientHeight })))
    sized.observe(current)
    /** Stops following before the first scroll event. */
    const release = (event: Event) => {
      const up =
        event instanceof WheelEvent ? event.deltaY < 0 : event instanceof KeyboardEvent && /^(?:PageUp|ArrowUp|Home)$/.test(event.key)
      if (!up || current.scrollHeight <= current.clientHeight) return
      setView({ top: current.scrollTop, height: current.clientHeight })
      setFollowing(false)
    }
    current.addEventListener('wheel', release, { passive: true })
    current.addEventListener('keydown', release)
    return () => {
      sized.disconnect()
      current.removeEventListener('wheel', release)
      current.removeEventListener('keydown', release)
    }
  }, [scroller])

  const toEnd = useCallback(() => {
    leftAt.delete(thread)
    setFollowing(true)
    stick()
  }, [stick, thread])

  const show = useCallback(
    (id: string, shown: (element: HTMLElement) => void) => {
      const index = book.indexOf(id)
      if (index === undefined) return
      wanted.current = { id, shown }
      const { first, end } = now.current.range
      if (index >= first && index < end) return redraw()
      moveTo(Math.max(0, book.heights.above(index) - now.current.view.height / 3))
    },
    [book, moveTo],
  )

  return { ...range, following, measure, onScroll, toEnd, show }
}

function remember(thread: string, id: string | null | undefined, offset: number): void {
  if (id === null || id === undefined) leftAt.delete(thread)
  else leftAt.set(thread, { id, offset })
}
