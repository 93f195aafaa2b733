// The rows of a thread that are drawn, and the scroll that follows the end only while the reader is there.
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Part } from '../store/thread.ts'
import { endRange, type Range, rangeOf } from './rows.ts'

export interface Rows extends Range {
  readonly following: boolean
  /** For each row: tells its height whenever it changes. */
  measure(id: string, element: HTMLElement): () => void
  onScroll(): void
  toEnd(): void
}

const guess: Record<Part['kind'], number> = { message: 110, text: 110, card: 50 }
const nearEnd = 48

export function useRows(parts: readonly Part[], scroller: RefObject<HTMLElement | null>): Rows {
  const known = useRef(new Map<string, number>())
  const [view, setView] = useState({ top: -1, height: 800 })
  const [measured, setMeasured] = useState(0)
  const [following, setFollowing] = useState(true)
  const last = useRef({ top: 0, whole: 0 })

  // biome-ignore lint/correctness/useExhaustiveDependencies: heights are kept outside of React; `measured` says that one changed.
  const heights = useMemo(() => parts.map((part) => known.current.get(part.id) ?? guess[part.kind]), [parts, measured])
  const range = following ? endRange(heights, view.height) : rangeOf(heights, view.top, view.height)

  const observer = useMemo(() => {
    const ids = new WeakMap<Element, string>()
    const watching = new ResizeObserver((entries) => {
      let changed = false
      for (const { target, borderBoxSize } of entries) {
        const id = ids.get(target)
        const height = Math.round(borderBoxSize[0]?.blockSize ?? 0)
        if (id === undefined || height === 0 || known.current.get(id) === height) continue
        known.current.set(id, height)
        changed = true
      }
      if (changed) setMeasured((now) => now + 1)
    })
    return { watching, ids }
  }, [])
  useEffect(() => () => observer.watching.disconnect(), [observer])

  const measure = useCallback(
    (id: string, element: HTMLElement) => {
      observer.ids.set(element, id)
      observer.watching.observe(element)
      return () => observer.watching.unobserve(element)
    },
    [observer],
  )

  const stick = useCallback(() => {
    const { current } = scroller
    if (current) current.scrollTop = current.scrollHeight
  }, [scroller])

  // biome-ignore lint/correctness/useExhaustiveDependencies: after every drawing that may have moved the end.
  useLayoutEffect(() => {
    if (following) stick()
  }, [following, parts, measured, view.height, stick])

  const onScroll = useCallback(() => {
    const { current } = scroller
    if (!current) return
    const { scrollTop: top, clientHeight: height, scrollHeight: whole } = current
    const atEnd = whole - top - height < nearEnd
    // The end that moves away is no wish of the reader; scrolling up is.
    const wentUp = top < last.current.top - 1 && whole >= last.current.whole
    last.current = { top, whole }
    setFollowing((now) => (atEnd ? true : wentUp ? false : now))
    setView((now) => (Math.abs(now.top - top) < 200 && now.height === height ? now : { top, height }))
  }, [scroller])

  useEffect(() => {
    const { current } = scroller
    if (!current) return
    const sized = new ResizeObserver(() => setView((now) => ({ ...now, height: current.clientHeight })))
    sized.observe(current)
    /** Reading begins before anything has moved. */
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
    setFollowing(true)
    stick()
  }, [stick])

  return { ...range, following, measure, onScroll, toEnd }
}
