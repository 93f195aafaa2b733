// The progress of reading a source: in a terminal one line that is overwritten, elsewhere a line now and then.
import type { KnowledgeSource } from '@tandem/contract/knowledge'
import { counted, sizeText } from '../terminal/quantity.ts'
import { columnsOf, eraseLine } from '../terminal/style.ts'
import { singleLine } from '../terminal/terminal-text.ts'

export interface ReadingProgress {
  show(source: KnowledgeSource): void
  /** Erases the line of a terminal. */
  end(): void
}

const between_ms = 5_000

export function showReadingProgress(
  out: NodeJS.WriteStream = process.stderr,
  now: () => number = () => performance.now(),
): ReadingProgress {
  // Most sources are read before the first line would help.
  let last = { text: '', at: now() }
  return {
    show(source) {
      const text = `${singleLine(source.name, 60)}: ${progressText(source)}`
      if (out.isTTY) {
        out.write(`${eraseLine}${singleLine(text, columnsOf(out) - 1)}`)
      } else if (text !== last.text && now() - last.at >= between_ms) {
        out.write(`${text}\n`)
        last = { text, at: now() }
      }
    },
    end() {
      if (out.isTTY) out.write(eraseLine)
    },
  }
}

export function progressText({ state, progress, origin }: Pick<KnowledgeSource, 'state' | 'progress' | 'origin'>): string {
  if (state === 'waiting') return 'waiting to be read'
  if (progress === null || progress.total === null) return origin.kind === 'url' ? 'loading the page' : 'looking for changes'
  const { done, total, bytes } = progress
  return `${done.toLocaleString('en-US')} of ${counted(total, 'file')} checked, ${sizeText(bytes)} read`
}
