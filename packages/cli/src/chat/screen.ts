// The screen of a session: the transcript, what is asked, the queue, the composer and the status line.
import {
  type Component,
  Container,
  Editor,
  matchesKey,
  ProcessTerminal,
  setCapabilities,
  Text,
  TuiMainScreen,
} from '@earendil-works/pi-tui'
import type { TodoItem } from '@tandem/contract/sync'
import { singleLine } from '../terminal/terminal-text.ts'
import { type Dialog, openDialog } from './dialog.ts'
import type { MessageQueue } from './message-queue.ts'
import { type StatusFacts, statusText } from './status-line.ts'
import { editorTheme, painted } from './theme.ts'
import { openTodos, todoLines } from './todo-text.ts'
import { openTranscript, type Transcript } from './transcript.ts'

export interface ScreenEvents {
  /** Enter; empty if nothing was typed. */
  onSubmit(text: string): void
  /** Ctrl-C, or Esc while nothing else handles it. */
  onInterrupt(key: 'ctrl-c' | 'escape'): void
  /** Ctrl-D with an empty composer. */
  onEnd(): void
  /** The up arrow in an empty composer. False if there is nothing to take back. */
  onTakeBack(): boolean
}

export interface ChatScreen {
  readonly transcript: Transcript
  readonly dialog: Dialog
  readonly editor: Editor
  /** What the composer contains. */
  setText(text: string): void
  setQueue(queue: MessageQueue): void
  setTodos(todos: readonly TodoItem[]): void
  setStatus(facts: StatusFacts): void
  start(): void
  stop(): void
}

export function openScreen(events: ScreenEvents): ChatScreen {
  // A link shows where it leads: its text comes from a model.
  setCapabilities({ images: null, trueColor: false, hyperlinks: false })
  const tui = new TuiMainScreen(new ProcessTerminal())
  const render = () => tui.requestRender()
  const transcript = openTranscript(render)
  const slot = new Container()
  const queue = new Text('', 0, 0)
  const todos = new Text('', 0, 0)
  const editor = new Editor(tui, editorTheme)
  let facts: StatusFacts | null = null
  const status: Component = {
    render: (width) => [painted('dim', facts ? statusText(facts, width - 1) : '')],
    invalidate: () => undefined,
  }
  const dialog = openDialog(tui, slot, () => tui.setFocus(editor))
  for (const part of [transcript.part, slot, todos, queue, editor, status]) tui.addChild(part)
  editor.onSubmit = events.onSubmit
  let restoreConsole = () => undefined as undefined

  tui.addInputListener((data) => {
    if (matchesKey(data, 'ctrl+c')) {
      events.onInterrupt('ctrl-c')
      return { consume: true }
    }
    if (dialog.isOpen) return undefined
    if (matchesKey(data, 'escape') && !editor.isShowingAutocomplete()) {
      events.onInterrupt('escape')
      return { consume: true }
    }
    if (editor.getText() !== '') return undefined
    if (matchesKey(data, 'ctrl+d')) {
      events.onEnd()
      return { consume: true }
    }
    return matchesKey(data, 'up') && events.onTakeBack() ? { consume: true } : undefined
  })

  return {
    transcript,
    dialog,
    editor,
    setText(text) {
      editor.setText(text)
      render()
    },
    setQueue({ texts }) {
      const lines = texts.map((text) => painted('yellow', `⏳ ${singleLine(text, 200)}`))
      const hint = painted('dim', 'Sent at the next turn. ↑ to edit, Enter to send now.')
      queue.setText(texts.length === 0 ? '' : [...lines, hint].join('\n'))
      render()
    },
    setTodos(list) {
      todos.setText(openTodos(list).length === 0 ? '' : todoLines(list, 6).join('\n'))
      render()
    },
    setStatus(next) {
      facts = next
      render()
    },
    start() {
      restoreConsole = takeConsole(transcript)
      tui.setFocus(editor)
      tui.start()
    },
    stop() {
      dialog.close()
      tui.stop()
      restoreConsole()
    },
  }
}

/** What is printed next to the session would destroy its picture: it becomes a part of it. */
function takeConsole(transcript: Transcript): () => undefined {
  const { log, error } = console
  const print = (...parts: readonly unknown[]) => transcript.note(painted('yellow', parts.map(String).join(' ')))
  console.log = print
  console.error = print
  return () => {
    Object.assign(console, { log, error })
    return undefined
  }
}
