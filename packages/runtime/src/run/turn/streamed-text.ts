// Streamed text: shown immediately, on disk ten times a second, synchronized as it grows.
import type { Bus } from '../../event/bus.ts'
import type { Journal } from '../../journal/journal.ts'
import type { RunRecord } from '../../journal/run-record.ts'
import type { NewStep } from '../../journal/step.ts'
import type { StreamedPiece } from '../../model/turn.ts'
import type { Store } from '../../store/store.ts'
import type { ReachCrashPoint } from '../crashpoint.ts'

const keptEvery_ms = 100
const toldEvery_ms = 1_000

type AppendPartial = (step: NewStep & { readonly kind: 'text.partial' }) => unknown

export interface StreamedText {
  readonly message_id: string
  readonly thinking_id: string
  arrived(piece: StreamedPiece): void
  /** The turn has ended: its text is recorded elsewhere. */
  stop(): void
  /** The turn was interrupted: everything that was shown is on disk. */
  breakOff(): void
}

/** `append` writes to the journal of the run, and to what is computed from it. */
export function storeStreamedText(
  run: RunRecord,
  ports: { store: Store; journal: Journal; bus: Bus; crashPoint: ReachCrashPoint },
  append: AppendPartial,
): StreamedText {
  const { store, journal, bus, crashPoint } = ports
  const { clock } = store
  const message_id = store.newId()
  const thinking_id = store.newId()
  let text = ''
  let thoughts = 0
  let keptLength = 0
  let kept = clock.elapsed()
  let told = clock.elapsed()
  let toldLength = 0
  let cancel: (() => void) | null = null

  function show(kind: 'text' | 'thinking', id: string, offset: number, piece: string): void {
    bus.publish('delta', { run_id: run.run_id, conversation_id: run.conversation_id, kind, id, offset, text: piece })
  }

  /** Also if the model stops in the middle of a sentence: what was shown is on disk a moment later. */
  function keep(): void {
    cancel?.()
    cancel = null
    kept = clock.elapsed()
    // Each update contains the whole text so far: sent when it has doubled, a long response costs at most twice its length.
    const tell = kept - told >= toldEvery_ms && text.length >= 2 * toldLength
    store.relaxed(() => {
      journal.keepStream(run.no, message_id, text)
      if (tell) append(partial(message_id, text))
    })
    keptLength = text.length
    if (tell) {
      told = kept
      toldLength = text.length
    }
    crashPoint('text_kept')
  }

  /** A disk error is reported by the next write of the loop itself: here nothing could catch it. */
  function keepLater(): void {
    try {
      keep()
    } catch {
      cancel = null
    }
  }

  function stop(): void {
    cancel?.()
    cancel = null
  }

  return {
    message_id,
    thinking_id,
    arrived(piece) {
      if (piece.thinking !== '') {
        show('thinking', thinking_id, thoughts, piece.thinking)
        thoughts += piece.thinking.length
      }
      if (piece.text === '') return
      show('text', message_id, text.length, piece.text)
      text += piece.text
      const wait = kept + keptEvery_ms - clock.elapsed()
      if (wait <= 0) keep()
      else cancel ??= clock.after(wait, keepLater)
    },
    stop,
    breakOff() {
      stop()
      if (text.length > keptLength) keepLater()
    },
  }
}

/** What was shown of an interrupted response is kept permanently, in several texts if it is long: the next response replaces it on disk. */
export function keepInterruptedText(
  run: RunRecord,
  { store, journal }: { store: Store; journal: Journal },
  append: AppendPartial = (step) => journal.append(run.run_id, step),
): void {
  const cut = journal.stream(run.no)
  if (!cut || cut.text === '') return
  store.relaxed(() => {
    for (let text = cut.text, id = cut.message_id; text !== ''; id = store.newId()) {
      const said = partial(id, text)
      append(said)
      text = text.slice(said.text.length)
    }
    journal.dropStream(run.no)
  })
}

const longest = 65_000

/** As much as a step may contain. */
function partial(message_id: string, text: string) {
  // A surrogate pair is not split.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(longest - 1)) ? longest - 1 : longest
  return { kind: 'text.partial' as const, message_id, text: text.slice(0, end) }
}
