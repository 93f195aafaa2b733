// A choice or a question above the composer. One at a time; it takes the keys until it is answered.
import { type Component, type Container, type Focusable, Input, matchesKey, SelectList, Text, type TUI } from '@earendil-works/pi-tui'
import { painted, selectTheme } from './theme.ts'

export interface Choice<Value> {
  readonly value: Value
  readonly label: string
  readonly description?: string
  /** A key that chooses it. */
  readonly key?: string
}

export interface Dialog {
  /** Null if it was closed without a choice. */
  choose<Value>(title: string, choices: readonly Choice<Value>[]): Promise<Value | null>
  ask(question: string, text?: string): Promise<string | null>
  readonly isOpen: boolean
  /** Closes it without an answer. */
  close(): void
}

const shownChoices = 10
/** A text that is given is continued at its end. */
const endKey = '\u001b[F'

export function openDialog(tui: TUI, slot: Container, onClose: () => void): Dialog {
  let closeOpen: (() => void) | null = null

  function show<Value>(title: string, hint: string, part: Component & { onDone?: (value: Value | null) => void }): Promise<Value | null> {
    closeOpen?.()
    return new Promise((resolve) => {
      const finish = (value: Value | null) => {
        if (closeOpen !== cancel) return
        closeOpen = null
        slot.clear()
        onClose()
        tui.requestRender()
        resolve(value)
      }
      const cancel = () => finish(null)
      closeOpen = cancel
      part.onDone = finish
      slot.clear()
      slot.addChild(new Text(painted('bold', title), 0, 0))
      slot.addChild(part)
      slot.addChild(new Text(painted('dim', hint), 0, 0))
      tui.setFocus(part)
      tui.requestRender()
    })
  }

  return {
    choose: (title, choices) => show(title, '↑↓ to select, Enter to confirm, Esc to close', choiceList(choices)),
    ask: (question, text = '') => show(question, 'Enter to confirm, Esc to close', lineInput(text)),
    get isOpen() {
      return closeOpen !== null
    },
    close: () => closeOpen?.(),
  }
}

type Answering<Value> = Component & { onDone?: (value: Value | null) => void }

function choiceList<Value>(choices: readonly Choice<Value>[]): Answering<Value> {
  const items = choices.map(({ label, description, key }, at) => ({
    value: String(at),
    label: key === undefined ? label : `${label} (${key})`,
    ...(description === undefined ? {} : { description }),
  }))
  const longest = Math.max(12, ...items.map(({ label }) => label.length + 2))
  const list = new SelectList(items, shownChoices, selectTheme, { maxPrimaryColumnWidth: Math.min(60, longest) })
  const part: Answering<Value> = {
    render: (width) => list.render(width),
    invalidate: () => list.invalidate(),
    handleInput(data) {
      const chosen = choices.find(({ key }) => key !== undefined && matchesKey(data, key as Parameters<typeof matchesKey>[1]))
      if (chosen) part.onDone?.(chosen.value)
      else list.handleInput(data)
    },
  }
  list.onSelect = ({ value }) => part.onDone?.(choices[Number(value)]?.value ?? null)
  list.onCancel = () => part.onDone?.(null)
  return part
}

function lineInput(text: string): Answering<string> & Focusable {
  const input = new Input()
  input.setValue(text)
  input.handleInput(endKey)
  const part: Answering<string> & Focusable = {
    get focused() {
      return input.focused
    },
    set focused(is: boolean) {
      input.focused = is
    },
    render: (width) => input.render(width),
    invalidate: () => input.invalidate(),
    handleInput: (data) => input.handleInput(data),
  }
  input.onSubmit = (value) => part.onDone?.(value)
  input.onEscape = () => part.onDone?.(null)
  return part
}
