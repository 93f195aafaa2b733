// What the session shows, from top to bottom. Text of models, files and programs is cleaned here: nothing of it can control the terminal.
import { type Component, Container, Markdown, Spacer, Text, truncateToWidth, wrapTextWithAnsi } from '@earendil-works/pi-tui'
import { stripControls } from '../terminal/terminal-text.ts'
import { markdownTheme, painted } from './theme.ts'

export interface AnswerBlock {
  /** The whole text so far. */
  set(text: string): void
  remove(): void
}

export interface CallBlock {
  /** Already styled and cleaned. */
  set(title: string, lines?: readonly string[]): void
  remove(): void
}

export interface Transcript {
  readonly part: Container
  said(text: string, attached?: readonly string[]): void
  answer(): AnswerBlock
  call(): CallBlock
  /** Already styled and cleaned; may have several lines. */
  note(text: string): void
  thinking(): AnswerBlock
  clear(): void
}

export function openTranscript(changed: () => void): Transcript {
  const part = new Container()
  let last: 'call' | 'other' = 'other'

  function add(block: Component, kind: 'call' | 'other'): void {
    // Calls follow each other closely; everything else has a line of space above it.
    if (part.children.length > 0 && !(kind === 'call' && last === 'call')) part.addChild(new Spacer(1))
    last = kind
    part.addChild(block)
    changed()
  }

  function remove(block: Component): void {
    const at = part.children.indexOf(block)
    if (at < 0) return
    const before = part.children[at - 1]
    part.removeChild(block)
    if (before instanceof Spacer) part.removeChild(before)
    changed()
  }

  function growing(block: Text | Markdown, shown: (text: string) => string): AnswerBlock {
    add(block, 'other')
    return {
      set(text) {
        block.setText(shown(text))
        changed()
      },
      remove: () => remove(block),
    }
  }

  return {
    part,
    said(text, attached = []) {
      const lines = stripControls(text).split('\n')
      const shown = lines.map((line, at) => `${painted('cyan', at === 0 ? '›' : ' ')} ${painted('bold', line)}`)
      const files = attached.map((name) => painted('dim', `  attached: ${stripControls(name)}`))
      add(new Text([...shown, ...files].join('\n'), 0, 0), 'other')
    },
    answer: () => growing(new Markdown('', 0, 0, markdownTheme, undefined, { renderLatex: false }), stripControls),
    thinking: () => growing(new Text('', 0, 0), (text) => painted('dim', lastLines(stripControls(text), 4))),
    call() {
      let shown: { readonly title: string; readonly lines: readonly string[] } = { title: '', lines: [] }
      const block: Component = {
        // One line per call, whatever it is about; what it printed is wrapped, and moved to the right.
        render: (width) => [
          truncateToWidth(shown.title, width, '…'),
          ...shown.lines.flatMap((line) => wrapTextWithAnsi(line, Math.max(1, width - 2)).map((part) => `  ${part}`)),
        ],
        invalidate: () => undefined,
      }
      add(block, 'call')
      return {
        set(title, lines = []) {
          shown = { title, lines }
          changed()
        },
        remove: () => remove(block),
      }
    },
    note: (text) => add(new Text(text, 0, 0), 'other'),
    clear() {
      part.clear()
      last = 'other'
      changed()
    },
  }
}

function lastLines(text: string, most: number): string {
  return text.trim().split('\n').slice(-most).join('\n')
}
