// The window's side of the highlighter: one worker, created on first use, terminated if some code takes too long.

import { type HighlightPiece, maxHighlightedLength } from './highlight-pieces.ts'
import type { HighlightRequest, HighlightResponse } from './highlight-worker.ts'

export interface Highlighter {
  /** The cached result; undefined if it must be requested. Null: the code stays plain. */
  cached(language: string, text: string): readonly HighlightPiece[] | null | undefined
  highlight(language: string, text: string): Promise<readonly HighlightPiece[] | null>
}

/** The part of Worker that is used here. */
export interface HighlightWorker {
  postMessage(asked: HighlightRequest): void
  terminate(): void
  onmessage: ((event: MessageEvent<HighlightResponse>) => void) | null
}

const mostKept = 200
const longest_ms = 2_000

export function openHighlighter(make: () => HighlightWorker, after: (ms: number, what: () => void) => () => void): Highlighter {
  const kept = new Map<string, readonly HighlightPiece[] | null>()
  const waiting = new Map<number, { readonly key: string; take(pieces: readonly HighlightPiece[] | null): void }>()
  let worker: HighlightWorker | null = null
  let asked = 0

  function keep(key: string, pieces: readonly HighlightPiece[] | null): void {
    kept.set(key, pieces)
    for (const oldest of kept.keys()) {
      if (kept.size <= mostKept) return
      kept.delete(oldest)
    }
  }

  function answered({ no, pieces }: HighlightResponse): void {
    const one = waiting.get(no)
    waiting.delete(no)
    if (!one) return
    keep(one.key, pieces)
    one.take(pieces)
  }

  /** The code that hangs stays plain, and so does the code queued behind it, this time. */
  function giveUp(no: number): void {
    if (!waiting.has(no)) return
    worker?.terminate()
    worker = null
    const left = [...waiting]
    waiting.clear()
    for (const [other, { key, take }] of left) {
      if (other === no) keep(key, null)
      take(null)
    }
  }

  function hired(): HighlightWorker {
    if (worker) return worker
    worker = make()
    worker.onmessage = ({ data }) => answered(data)
    return worker
  }

  return {
    cached: (language, text) => (language === '' || text.length > maxHighlightedLength ? null : kept.get(keyOf(language, text))),
    highlight(language, text) {
      return new Promise((resolve) => {
        asked += 1
        const no = asked
        const cancel = after(longest_ms, () => giveUp(no))
        waiting.set(no, {
          key: keyOf(language, text),
          take(pieces) {
            cancel()
            resolve(pieces)
          },
        })
        hired().postMessage({ no, language, text })
      })
    },
  }
}

function keyOf(language: string, text: string): string {
  return `${language}\n${text}`
}
