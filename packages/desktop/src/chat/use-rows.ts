// The rendered rows of a thread, and scrolling that follows the end only while the reader is there.
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { createStore, type Store, useStore } from '../store/store.ts'
import type { ThreadPart } from '../store/thread.ts'
import { createRowIndex, type RowIndex } from './row-index.ts'
import { endRange, type RowRange, rangeOf } from './rows.ts'

export interface RowView {
  readonly top: number
  readonly height: number
  readonly following: boolean
  /** Heights changed so that other rows are needed. */
  readonly changes: number
}

export interface Rows {
  readonly following: boolean
  /** What the reader sees. It changes with almost every frame of scrolling: only the list itself is rendered again. */
  readonly view: Store<RowView>
  rangeOf(view: RowView): RowRange
  /** Observes the height of a row. */
  measure(element: HTMLElement | null): (() => void) | undefined
  /** The list was rendered: a requested row may be there now. */
  rendered(range: RowRange): void
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

/** The only child of `scroller` contains the rows. */
export function useRows(thread: string, parts: readonly ThreadPart[], scroller: RefObject<HTMLElement | null>): Rows {
  const book = useMemo(createRowIndex, [])
  book.update(parts)
  const view = useMemo(() => createStore<RowView>({ top: 0, height: 800, following: !leftAt.has(thread), changes: 0 }), [thread])
  const following = useStore(view, (now) => now.following)
  const returning = useRef(leftAt.get(thread) ?? null)
  const wanted = useRef<{ id: string; shown(element: HTMLElement): void } | null>(null)
  const drawn = useRef<RowRange>({ first: 0, end: 0, above: 0, below: 0 })

  const stick = useCallback(() => {
    const { current } = scroller
    if (current) current.scrollTop = current.scrollHeight
  }, [scroller])

  const observer = useMemo(
    () =>
      openRowObserver(book, () => {
        const now = view.get()
        const next = rangeIn(book, now)
        const { first, end, above, below } = drawn.current
        // A row that only grew needs no other rows. Not at once: rows that appear while sizes are reported would be reported too late.
        if (next.first < first || next.end > end || next.above !== above || next.below !== below)
          setTimeout(() => view.change((at) => ({ ...at, changes: at.changes + 1 })))
      }),
    [book, view],
  )
  useEffect(() => () => observer.disconnect(), [observer])

  const measure = useCallback(
    (element: HTMLElement | null) => {
      if (!element) return
      observer.observe(element)
      return () => observer.unobserve(element)
    },
    [observer],
  )

  const moveTo = useCallback(
    (top: number) => {
      const { current } = scroller
      if (!current) return
      view.change((now) => ({ ...now, top, height: current.clientHeight, following: false }))
      current.scrollTop = top
    },
    [scroller, view],
  )

  // Not only when sizes are reported: an end that moved up and down again before the next frame would look like a reader who scrolls up.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after every render that may have moved the end.
  useLayoutEffect(() => {
    const place = returning.current
    const index = place === null ? undefined : book.indexOf(place.id)
    if (place && index !== undefined) {
      returning.current = null
      moveTo(book.heights.above(index) + place.offset)
    } else if (following) stick()
  }, [following, parts, stick, moveTo, book])

  const rendered = useCallback(
    (range: RowRange) => {
      drawn.current = range
      const asked = wanted.current
      const element = asked && scroller.current?.querySelector<HTMLElement>(`[data-part="${CSS.escape(asked.id)}"]`)
      if (!element) return
      wanted.current = null
      element.scrollIntoView({ block: 'nearest' })
      asked.shown(element)
    },
    [scroller],
  )

  useEffect(() => {
    const { current } = scroller
    if (!current) return
    const last = { top: 0, whole: 0 }
    const onScroll = () => {
      const { scrollTop: top, clientHeight: height, scrollHeight: whole } = current
      const atEnd = whole - top - height < nearEnd
      // The reader stops following by scrolling up, not because the end moved: rows that turn out lower move both.
      const wentUp = top < last.top - 1 && whole - top > last.whole - last.top + 1
      Object.assign(last, { top, whole })
      const follows = atEnd || (view.get().following && !wentUp)
      const at = book.heights.at(top)
      remember(thread, follows ? null : book.idAt(at), top - book.heights.above(at))
      view.change((now) =>
        now.following === follows && Math.abs(now.top - top) < 200 && now.height === height
          ? now
          : { ...now, top, height, following: follows },
      )
    }
    // A row may be higher than was known when it was rendered.
    const sized = new ResizeObserver(() => {
      const now = view.get()
      if (now.following) stick()
      const height = current.clientHeight
      if (height !== now.height) setTimeout(() => view.change((at) => ({ ...at, height })))
    })
    sized.observe(current)
    if (current.firstElementChild) sized.observe(current.firstElementChild)
    /** Stops following before the first scroll event. */
    const release = (event: Event) => {
      const up =
        event instanceof WheelEvent ? event.deltaY < 0 : event instanceof KeyboardEvent && /^(?:PageUp|ArrowUp|Home)$/.test(event.key)
      if (!up || !view.get().following || current.scrollHeight <= current.clientHeight) return
      view.change((now) => ({ ...now, top: current.scrollTop, height: current.clientHeight, following: false }))
    }
    current.addEventListener('scroll', onScroll, { passive: true })
    current.addEventListener('wheel', release, { passive: true })
    current.addEventListener('keydown', release)
    return () => {
      sized.disconnect()
      current.removeEventListener('scroll', onScroll)
      current.removeEventListener('wheel', release)
      current.removeEventListener('keydown', release)
    }
  }, [scroller, book, thread, view, stick])

  const toEnd = useCallback(() => {
    leftAt.delete(thread)
    view.change((now) => ({ ...now, following: true }))
    stick()
  }, [stick, thread, view])

  const show = useCallback(
    (id: string, shown: (element: HTMLElement) => void) => {
      const index = book.indexOf(id)
      if (index === undefined) return
      wanted.current = { id, shown }
      const { first, end } = drawn.current
      if (index >= first && index < end) view.change((now) => ({ ...now, changes: now.changes + 1 }))
      else moveTo(Math.max(0, book.heights.above(index) - view.get().height / 3))
    },
    [book, moveTo, view],
  )

  const range = useCallback((now: RowView) => rangeIn(book, now), [book])
  return useMemo(
    () => ({ following, view, rangeOf: range, measure, rendered, toEnd, show }),
    [following, view, range, measure, rendered, toEnd, show],
  )
}

function rangeIn({ heights }: RowIndex, { top, height, following }: RowView): RowRange {
  return following ? endRange(heights, height) : rangeOf(heights, top, height)
}

/** Writes the heights of rows into `book`, and tells when one changed. */
function openRowObserver(book: RowIndex, onChange: () => void): ResizeObserver {
  return new ResizeObserver((entries) => {
    let changed = false
    for (const { target, borderBoxSize } of entries) {
      const id = target.getAttribute('data-part')
      const height = Math.round(borderBoxSize[0]?.blockSize ?? 0)
      if (id !== null && height > 0 && book.setHeight(id, height)) changed = true
    }
    if (changed) onChange()
  })
}

function remember(thread: string, id: string | null | undefined, offset: number): void {
  if (id === null || id === undefined) leftAt.delete(thread)
  else leftAt.set(thread, { id, offset })
}
